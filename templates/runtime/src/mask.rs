//! Masks: decoding only the members of objects that a program reads.
//!
//! A program that watches a large cluster holds thousands of objects, and reads only a few of their
//! members. A [`FieldMask`] lists these; a request with it skips all others while it decodes, so
//! that they never take memory:
//!
//! ```
//! use kapigen_runtime::mask::{FieldMask, Masked};
//! use kapigen_runtime::meta_v1::{PartialObjectMetadata, PartialObjectMetadataList};
//! use kapigen_runtime::{Error, Informer, Request};
//!
//! /// Follows the labels of objects.
//! fn follow(
//!     list: Request<PartialObjectMetadataList>,
//! ) -> Result<Informer<Masked<PartialObjectMetadata>>, Error> {
//!     let mask = FieldMask::only(["metadata.labels", "metadata.ownerReferences.uid"])?;
//!     Ok(Informer::new(list.masked(&mask))?)
//! }
//! ```
//!
//! # Paths
//!
//! A path consists of names in JSON, with dots between them: `spec.nodeName`. The path of a list
//! stands for all of its elements, and so do the paths of their members: `spec.containers.image`.
//! `metadata.labels["app"]` is one entry of a map, and `[]` stands for all. `apiVersion`, `kind`,
//! and in `metadata` the members `name`, `namespace`, `uid`, `resourceVersion`, `deletionTimestamp`
//! and `finalizers` are always decoded: informers, stores, references to an object and the client's
//! `set_finalizer` read them, and an object that is not being deleted and has no finalizer has
//! neither of the last two.
//!
//! A mask is checked against the tables of its type when it is made. Objects of [any
//! kind](crate::dynamic::Object) may have any members; a mask cuts their JSON.
//!
//! # Masked objects
//!
//! In a [`Masked`] object, *empty* means *not decoded*: a member that the mask leaves out is as if
//! it were absent on the server. Writing such an object back would remove all of them there,
//! finalizers included. So a `Masked<T>` is not an object, only a view of one, and the object
//! inside has a mark that its clones have, too: requests to create, replace or apply it, patches
//! made of it or [between](crate::Patch::json_between) two of it, and merges refuse it, before
//! anything is sent ([`InvalidRequest::Masked`](crate::request::InvalidRequest::Masked)).
//!
//! The mark is a part of the type, and nothing that leaves the type has it. So these ways remain
//! possible, and are up to the program:
//!
//! - to print it, as JSON or by any other format of serde, and to send that: as a
//!   `serde_json::Value` in a patch, as the body of a [raw request](crate::Request::raw), or
//!   decoded again, as the same type or one of your own;
//! - to copy a nested struct out of it into a new object;
//! - to replace its unknown members, where the mark is.
//!
//! To change an object, read it in whole first, by a request without a mask;
//! [`Patch::merge`](crate::Patch::merge) of a few members and the like need no object.

use crate::codec::mask::{MaskNode, MaskSteps, list_paths, resolve};
use crate::codec::path::shortened_path;
use crate::codec::{Object, Slot, Value, VisitEmpty, json, presence, unknown_of};
use crate::kind::{HasMetadata, ResourceList};
use crate::visible::Visible;
use std::fmt::{self, Write};
use std::marker::PhantomData;
use std::ops::BitOr;
use std::sync::Arc;

/// The members of objects of a type that are decoded. See the [module](self).
///
/// A clone shares its memory. `Display` lists the paths: `*` is everything, and a path after a `-`
/// is left out.
///
/// ```
/// use kapigen_runtime::mask::FieldMask;
/// use kapigen_runtime::meta_v1::PartialObjectMetadata;
///
/// let labels = FieldMask::<PartialObjectMetadata>::only(["metadata.labels"])?;
/// let owners = FieldMask::only(["metadata.ownerReferences.uid"])?;
/// assert_eq!(
///     (labels | owners).to_string(),
///     "apiVersion, kind, metadata.deletionTimestamp, metadata.finalizers, metadata.labels, metadata.name, \
///      metadata.namespace, metadata.ownerReferences.uid, metadata.resourceVersion, metadata.uid",
/// );
/// let slim = FieldMask::<PartialObjectMetadata>::all().without(["metadata.managedFields"])?;
/// assert_eq!(slim.to_string(), "*, -metadata.managedFields");
/// # Ok::<(), kapigen_runtime::mask::MaskError>(())
/// ```
#[doc(alias("projection", "partial decoding"))]
pub struct FieldMask<T> {
    mask: json::Mask,
    object: PhantomData<fn() -> T>,
}

/// Always decoded, where a type has them: the identity of an object, its version, and whether it is
/// being deleted and may be. Without the latter two it would seem to be alive, and released; they
/// are absent in most objects, and cost nothing.
const ALWAYS: [&str; 8] = [
    "apiVersion",
    "kind",
    "metadata.deletionTimestamp",
    "metadata.finalizers",
    "metadata.name",
    "metadata.namespace",
    "metadata.resourceVersion",
    "metadata.uid",
];

/// The owners of fields, which a request may leave out.
const MANAGED_FIELDS: &str = "metadata.managedFields";

// All of it is inline, so that only programs that make masks compile it.
impl<T: Object + Value> FieldMask<T> {
    /// All members: nothing is skipped.
    #[must_use]
    #[inline]
    pub fn all() -> Self {
        Self::from_part(MaskNode::whole())
    }

    /// The members at these paths, and the ones that are always decoded. No path at all is the
    /// latter alone.
    ///
    /// # Errors
    /// When a path does not resolve. The error names all such paths, each with the form to use.
    #[inline]
    pub fn only<P: AsRef<str>>(paths: impl IntoIterator<Item = P>) -> Result<Self, MaskError> {
        let mut part = MaskNode::default();
        resolve_all::<T, P>(paths, false)?.iter().for_each(|path| part.include(path));
        Ok(Self::from_part(part))
    }

    /// The same mask without the values at these paths. Members of `metadata` that are always
    /// decoded stay.
    ///
    /// # Errors
    /// As [`only`](Self::only), and when a path leads to a member that is always decoded.
    #[inline]
    pub fn without<P: AsRef<str>>(
        &self,
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Self, MaskError> {
        let mut part = MaskNode::clone(self.mask.part());
        resolve_all::<T, P>(paths, true)?.iter().for_each(|path| part.exclude(path));
        Ok(Self::from_part(part))
    }

    /// The union of two masks, as by the operator `|`.
    #[must_use]
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self::from_part(self.mask.part().union(other.mask.part()))
    }

    /// Whether any part of the value at a path is decoded.
    ///
    /// # Errors
    /// When the path does not resolve.
    #[inline]
    pub fn has(&self, path: &str) -> Result<bool, MaskError> {
        Ok(resolve_all::<T, _>([path], false)?.iter().all(|path| self.mask.part().has(path)))
    }

    /// Refuses a path of which nothing is decoded.
    #[cfg(feature = "machines")]
    pub(crate) fn check_has(&self, path: &str) -> Result<(), MaskError> {
        if self.has(path)? {
            return Ok(());
        }
        let problem = format!(
            "`{}`: the mask leaves it out, so that it is always empty",
            shortened_path(path)
        );
        Err(MaskError { name: T::empty().table().name, problems: vec![problem] })
    }

    #[inline]
    fn from_part(mut part: MaskNode) -> Self {
        T::visit_empty(&mut |slot| include_always(&mut part, slot));
        part.is_marked = !part.is_whole;
        Self { mask: json::Mask::new(Arc::new(part)), object: PhantomData }
    }

    /// The mask of a response that is decoded object by object.
    #[inline]
    pub(crate) fn of_objects(&self) -> ResponseMask {
        let part = self.mask.part();
        let around = |index, count| json::Mask::new(Arc::new(MaskNode::around(part, index, count)));
        ResponseMask {
            whole: self.mask.clone(),
            object: self.mask.clone(),
            event: around(1, 2),
            only_object: around(0, 1),
            // Types without metadata have none to drop.
            drops_managed_fields: self.has(MANAGED_FIELDS) == Ok(false),
        }
    }
}

/// Whether any part of the value at a path is decoded in the objects of a response.
#[cfg(feature = "machines")]
pub(crate) fn decodes<T: Object + Value>(
    mask: Option<&ResponseMask>,
    path: &str,
) -> Result<bool, MaskError> {
    let paths = resolve_all::<T, _>([path], false)?;
    Ok(mask.is_none_or(|mask| paths.iter().all(|path| mask.object.part().has(path))))
}

/// Resolves paths, or collects the problems of all.
#[inline]
fn resolve_all<T: Object + Value, P: AsRef<str>>(
    paths: impl IntoIterator<Item = P>,
    is_left_out: bool,
) -> Result<Vec<MaskSteps>, MaskError> {
    let paths: Vec<P> = paths.into_iter().collect();
    let paths: Vec<&str> = paths.iter().map(P::as_ref).collect();
    resolve_paths(&paths, is_left_out, T::visit_empty)
}

#[inline]
fn resolve_paths(
    paths: &[&str],
    is_left_out: bool,
    visit_empty: VisitEmpty,
) -> Result<Vec<MaskSteps>, MaskError> {
    let mut resolved = Vec::new();
    let mut problems = Vec::new();
    let mut name = "";
    for path in paths {
        visit_empty(&mut |slot| {
            let Slot::Object(object) = &slot else { return };
            name = object.table().name;
            // Only objects of any kind have no identity of their own.
            let is_open = object.table().identities.is_empty();
            match resolve(slot, path, is_open) {
                // `[]` and `[*]` stand for all elements, as the path without does.
                Ok(_)
                    if is_left_out && ALWAYS.contains(&path.trim_end_matches(['[', '*', ']'])) =>
                {
                    problems.push("it is always decoded".to_owned());
                }
                Ok(steps) => return resolved.push(steps),
                Err(problem) => problems.push(problem),
            }
            let problem = problems.last_mut().expect("it was pushed");
            problem.insert_str(0, &format!("`{}`: ", shortened_path(path)));
        });
    }
    if problems.is_empty() { Ok(resolved) } else { Err(MaskError { name, problems }) }
}

#[inline]
fn include_always(part: &mut MaskNode, slot: Slot<'_>) {
    let Slot::Object(object) = slot else { return };
    for path in ALWAYS {
        // Some types have no metadata.
        if let Ok(path) = resolve(Slot::Object(object), path, false) {
            part.include(&path);
        }
    }
}

impl<T> Clone for FieldMask<T> {
    #[inline]
    fn clone(&self) -> Self {
        Self { mask: self.mask.clone(), object: PhantomData }
    }
}

impl<T> PartialEq for FieldMask<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.mask.part() == other.mask.part()
    }
}

impl<T> Eq for FieldMask<T> {}

impl<T: Object + Value> BitOr for FieldMask<T> {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.union(&other)
    }
}

impl<T: Object + Value> fmt::Display for FieldMask<T> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut paths = Vec::new();
        T::visit_empty(&mut |slot| list_paths(self.mask.part(), slot, &mut paths));
        Visible(f).write_str(&paths.join(", "))
    }
}

impl<T: Object + Value> fmt::Debug for FieldMask<T> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FieldMask({self})")
    }
}

/// The paths of a mask that do not resolve.
#[derive(Clone, PartialEq, Eq)]
pub struct MaskError {
    /// The name of the type.
    name: &'static str,
    problems: Vec<String>,
}

impl MaskError {
    /// A line for each path that does not resolve: the path, the reason, and the form to use.
    #[must_use]
    #[inline]
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

impl fmt::Display for MaskError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = &mut Visible(f);
        write!(f, "the mask does not fit {}: {}", self.name, self.problems.join("; "))
    }
}

__error!(MaskError { name, problems });

/// An object of which a request has decoded the members of a mask. See the [module](self).
///
/// It is not an object: it cannot be written or changed.
///
/// ```compile_fail,E0277
/// # use kapigen_runtime::{mask::Masked, meta_v1::PartialObjectMetadata, to_vec};
/// fn write(object: &Masked<PartialObjectMetadata>) {
///     to_vec(object);
/// }
/// ```
/// ```compile_fail,E0277
/// # use kapigen_runtime::{mask::Masked, meta_v1::PartialObjectMetadata, serde_json};
/// fn write(object: &Masked<PartialObjectMetadata>) {
///     serde_json::to_vec(object);
/// }
/// ```
/// ```compile_fail,E0277
/// # use kapigen_runtime::{Patch, mask::Masked, meta_v1::PartialObjectMetadata};
/// fn write(object: &Masked<PartialObjectMetadata>) {
///     Patch::merge(object);
/// }
/// ```
/// ```compile_fail,E0277
/// # use kapigen_runtime::{Patch, mask::Masked, meta_v1::PartialObjectMetadata};
/// fn write(object: &Masked<PartialObjectMetadata>) {
///     Patch::apply(object);
/// }
/// ```
/// ```compile_fail,E0308
/// # use kapigen_runtime::{Error, Request, mask::Masked, params::CreateParams};
/// # use kapigen_runtime::{scope::DynamicScope, verbs::Creatable};
/// fn write<T: Creatable>(object: &Masked<T>) -> Result<Request<T>, Error> {
///     T::create(DynamicScope::default(), object, &CreateParams::default())
/// }
/// ```
/// ```compile_fail,E0308
/// # use kapigen_runtime::{Error, Request, mask::Masked, params::ReplaceParams};
/// # use kapigen_runtime::{scope::DynamicScope, verbs::Replaceable};
/// fn write<T: Replaceable>(object: &Masked<T>) -> Result<Request<T>, Error> {
///     T::replace(DynamicScope::default(), "web", object, &ReplaceParams::default())
/// }
/// ```
/// ```compile_fail,E0277
/// # use kapigen_runtime::{Patch, mask::Masked, meta_v1::PartialObjectMetadata};
/// fn write(old: &Masked<PartialObjectMetadata>, new: &Masked<PartialObjectMetadata>) {
///     let _ = Patch::json_between(old, new);
/// }
/// ```
/// ```compile_fail,E0277
/// # use kapigen_runtime::{Patch, mask::Masked, meta_v1::PartialObjectMetadata};
/// fn write(old: &Masked<PartialObjectMetadata>, new: &Masked<PartialObjectMetadata>) {
///     let _ = Patch::merge_between(old, new);
/// }
/// ```
/// ```compile_fail,E0277
/// # use kapigen_runtime::{Patch, mask::Masked, meta_v1::PartialObjectMetadata};
/// fn write(old: &Masked<PartialObjectMetadata>, new: &Masked<PartialObjectMetadata>) {
///     let _ = Patch::strategic_between(old, new);
/// }
/// ```
/// ```compile_fail,E0277
/// # use kapigen_runtime::{change::merge, mask::Masked, meta_v1::PartialObjectMetadata};
/// fn write(target: &mut Masked<PartialObjectMetadata>, other: &Masked<PartialObjectMetadata>) {
///     let _ = merge(target, other);
/// }
/// ```
/// ```compile_fail,E0277
/// # use kapigen_runtime::{change::extract, mask::Masked, meta_v1::PartialObjectMetadata};
/// fn write(object: &Masked<PartialObjectMetadata>) {
///     let _ = extract(object, "me", "");
/// }
/// ```
/// ```compile_fail,E0594
/// # use kapigen_runtime::{mask::Masked, meta_v1::PartialObjectMetadata};
/// fn write(object: &mut Masked<PartialObjectMetadata>) {
///     object.get().metadata.name = None;
/// }
/// ```
/// ```compile_fail,E0507
/// # use kapigen_runtime::{mask::Masked, meta_v1::PartialObjectMetadata};
/// fn write(object: Masked<PartialObjectMetadata>) -> PartialObjectMetadata {
///     *object.get()
/// }
/// ```
/// ```compile_fail,E0609
/// # use kapigen_runtime::{mask::Masked, meta_v1::{ObjectMeta, PartialObjectMetadata}};
/// fn read(object: &Masked<PartialObjectMetadata>) -> &ObjectMeta {
///     &object.metadata
/// }
/// ```
/// ```compile_fail,E0599
/// # use kapigen_runtime::{mask::Masked, meta_v1::PartialObjectMetadata};
/// fn write(object: Masked<PartialObjectMetadata>) -> PartialObjectMetadata {
///     object.into_inner()
/// }
/// ```
/// ```compile_fail,E0599
/// # use kapigen_runtime::{Response, http, mask::Masked, meta_v1::PartialObjectMetadata};
/// fn read(response: &http::Response<Vec<u8>>) {
///     Response::<Masked<PartialObjectMetadata>>::decode(response);
/// }
/// ```
#[derive(Clone, PartialEq)]
pub struct Masked<T>(T);

impl<T> Masked<T> {
    /// The object, of which only the members of the mask were decoded. All others are empty.
    #[must_use]
    #[inline]
    pub fn get(&self) -> &T {
        &self.0
    }
}

/// The object, mutable, for crates of this project that move parts of it.
#[doc(hidden)]
#[inline]
pub fn masked_mut<T>(masked: &mut Masked<T>) -> &mut T {
    &mut masked.0
}

/// An object of which nothing was decoded, for crates of this project.
#[doc(hidden)]
#[must_use]
#[inline]
pub fn masked_default<T: Object + Value + Default>() -> Masked<T> {
    let mut object = T::default();
    if let Some(unknown) = unknown_of(object.unboxed_mut()) {
        unknown.set_masked();
    }
    Masked(object)
}

impl<T: fmt::Debug> fmt::Debug for Masked<T> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Masked").field(&self.0).finish()
    }
}

/// Whether an object was decoded by a mask, or is a clone of such an object, so that it must not be
/// written. See the [module](self).
#[must_use]
#[inline]
pub fn is_masked<T: Object>(object: &T) -> bool {
    presence::is_masked(object.unboxed())
}

/// An object as a program gets it: a type `T` as a whole, or [`Masked`].
///
/// Informers, stores, watches and pages are of such objects. Nothing else implements it.
pub trait Observed: form::Form {
    /// The type of the object.
    type Object: Object + Value;

    /// The object. In a masked one, members may be empty that are not on the server.
    fn object(&self) -> &Self::Object;
}

/// A list of objects as a program gets it: a type `L` as a whole, or [`Masked`] with items that are
/// masked.
///
/// Nothing else implements it.
pub trait ObservedList: Observed<Object: ResourceList> {
    /// An item of the list.
    type Item: Observed;
}

/// The memory in which an object is decoded.
pub(crate) mod form {
    use crate::codec::Object;

    /// An argument that only this crate has, so that no other code gets a masked object to change
    /// it.
    #[allow(missing_debug_implementations)]
    #[derive(Clone, Copy)]
    pub struct Here(());

    pub(crate) const HERE: Here = Here(());

    /// The mode in which [`Observed`](super::Observed) objects are decoded.
    pub trait Form: Sized {
        /// The object before anything was decoded.
        fn begin(here: Here) -> Self;
        /// The object that was decoded.
        fn decoded(&self, here: Here) -> &dyn Object;
        /// The object to decode.
        fn decoding(&mut self, here: Here) -> &mut dyn Object;
    }
}

impl<T: Object + Value> form::Form for T {
    #[inline]
    fn begin(_: form::Here) -> Self {
        T::empty()
    }
    #[inline]
    fn decoded(&self, _: form::Here) -> &dyn Object {
        self.unboxed()
    }
    #[inline]
    fn decoding(&mut self, _: form::Here) -> &mut dyn Object {
        self.unboxed_mut()
    }
}

impl<T: Object + Value> form::Form for Masked<T> {
    #[inline]
    fn begin(_: form::Here) -> Self {
        Self(T::empty())
    }
    #[inline]
    fn decoded(&self, _: form::Here) -> &dyn Object {
        self.0.unboxed()
    }
    #[inline]
    fn decoding(&mut self, _: form::Here) -> &mut dyn Object {
        self.0.unboxed_mut()
    }
}

impl<T: Object + Value> Observed for T {
    type Object = T;

    #[inline]
    fn object(&self) -> &T {
        self
    }
}

impl<T: Object + Value> Observed for Masked<T> {
    type Object = T;

    #[inline]
    fn object(&self) -> &T {
        &self.0
    }
}

impl<L: ResourceList> ObservedList for L {
    type Item = L::Item;
}

impl<L: ResourceList> ObservedList for Masked<L> {
    type Item = Masked<L::Item>;
}

/// The mask of responses of a type: an object or, by its items, a list, a watch, or the items of a
/// list. `S` only distinguishes these apart. Nothing else implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a mask for a response `{T}`",
    note = "a mask is for the type of one object, also where the response is a list or a watch of \
            them"
)]
pub trait MaskOf<T, S> {
    /// The response, masked.
    type Response;

    /// The mask.
    #[doc(hidden)]
    fn response_mask(&self) -> ResponseMask;
}

/// Represents a single object, in [`MaskOf`].
#[derive(Debug)]
pub enum OneObject {}

/// Represents a whole list, in [`MaskOf`].
#[derive(Debug)]
pub enum WholeList {}

impl<T: HasMetadata> MaskOf<T, OneObject> for FieldMask<T> {
    type Response = Masked<T>;

    #[inline]
    fn response_mask(&self) -> ResponseMask {
        self.of_objects()
    }
}

impl<L: ResourceList> MaskOf<L, WholeList> for FieldMask<L::Item> {
    type Response = Masked<L>;

    #[inline]
    fn response_mask(&self) -> ResponseMask {
        let keys = &L::empty().table().keys;
        let mut list = match keys.index().find("items") {
            Some(items) => MaskNode::around(self.mask.part(), items, keys.names().len()),
            None => MaskNode::whole(),
        };
        list.is_marked = self.mask.part().is_marked;
        ResponseMask { whole: json::Mask::new(Arc::new(list)), ..self.of_objects() }
    }
}

/// The mask of the response to a request.
#[doc(hidden)]
#[allow(missing_debug_implementations)] // a part of requests
#[derive(Clone)]
pub struct ResponseMask {
    /// The response as a whole: an object, or a list with its items.
    pub(crate) whole: json::Mask,
    /// An object of it: an item of a list, or the object of an event.
    pub(crate) object: json::Mask,
    /// The object of an event, within the event.
    pub(crate) event: json::Mask,
    /// The same, in an event that is decoded for its object alone.
    pub(crate) only_object: json::Mask,
    /// Whether servers may leave out the owners of fields.
    pub(crate) drops_managed_fields: bool,
}
