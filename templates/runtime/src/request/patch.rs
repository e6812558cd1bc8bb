//! Patches: changes of an object.

use super::InvalidRequest;
#[cfg(feature = "change")]
use crate::change::json_between::{self, JsonBetween, Unversioned};
#[cfg(feature = "change")]
use crate::change::tree_between;
#[cfg(feature = "change")]
use crate::change::upgrade;
use crate::change::{Applicable, ChangeError, Configuration, PatchOperation};
#[cfg(feature = "dynamic")]
use crate::codec::identity;
use crate::codec::path::joined;
use crate::codec::query::Query;
use crate::codec::{Object, View, json};
#[cfg(feature = "change")]
use crate::codec::{Value, change::schema::Schema, presence};
#[cfg(feature = "change")]
use crate::kind::AnyResource;
use crate::operation::Operation;
use crate::patch_type::PatchType;
#[cfg(feature = "dynamic")]
use crate::values::RawJson;
#[cfg(feature = "dynamic")]
use std::collections::BTreeMap;
use std::fmt;

/// A change of an object, in one of the forms that servers understand.
///
/// | change | form |
/// |---|---|
/// | what you want an object to be, with other managers beside you | [`apply`](Self::apply) |
/// | an object that you have read and changed | [`json_between`](Self::json_between) |
/// | the same, for a status or labels that others do not write | [`merge_between`](Self::merge_between) |
/// | the same, for a built-in kind and without its version | [`strategic_between`](Self::strategic_between) |
/// | single members, without reading the object | [`merge`](Self::merge), [`json`](Self::json) |
///
/// `Debug` shows the media type and the length of the body, which may hold a secret.
///
/// ```
/// use kapigen_runtime::Patch;
/// use serde_json::json;
///
/// let patch = Patch::merge(&json!({"metadata": {"labels": {"tier": "web", "old": null}}}));
/// assert_eq!(patch.media_type(), "application/merge-patch+json");
/// ```
#[derive(Clone)]
pub struct Patch {
    form: PatchType,
    body: Vec<u8>,
    /// The object that is applied.
    configuration: Option<Box<Configuration>>,
    /// A JSON patch that is for a version, without that.
    #[cfg(feature = "change")]
    unversioned: Option<Box<Unversioned>>,
    /// The error of an invalid patch, which building a request with it returns.
    fault: Option<Box<ChangeError>>,
}

/// An object whose members change those of another: a type of this crate, or a
/// [`serde_json::Value`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an object, of which merge patches are made",
    label = "not an object",
    note = "give a struct of a generated crate or a `serde_json::Value`; text becomes one with \
            `serde_json::from_str`"
)]
pub trait PatchObject {
    /// Encodes the object.
    #[doc(hidden)]
    fn encode_object(&self) -> Result<Vec<u8>, ChangeError>;
}

impl<T: Object> PatchObject for T {
    #[inline]
    fn encode_object(&self) -> Result<Vec<u8>, ChangeError> {
        ChangeError::check_whole(self.unboxed())?;
        Ok(json::write(&View::Object(self.unboxed())))
    }
}

impl PatchObject for serde_json::Value {
    fn encode_object(&self) -> Result<Vec<u8>, ChangeError> {
        if self.is_object() {
            Ok(self.to_string().into_bytes())
        } else {
            Err(ChangeError::no_object())
        }
    }
}

impl PartialEq for Patch {
    fn eq(&self, other: &Self) -> bool {
        (self.form, &self.body, &self.fault) == (other.form, &other.body, &other.fault)
    }
}

impl Eq for Patch {}

#[allow(clippy::missing_fields_in_debug)] // only the length of the body, which may be a secret
impl fmt::Debug for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Patch")
            .field("media_type", &self.media_type())
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish()
    }
}

// Nothing here is generic but thin wrappers, so that no serializer is compiled in crates that
// patch. They are inlined: a generic function that is not is compiled into a codegen unit of its
// own in a program, with a copy of the code that drops objects.
impl Patch {
    /// Operations that change an object one after the other (RFC 6902).
    ///
    /// ```
    /// use kapigen_runtime::Patch;
    /// use kapigen_runtime::change::PatchOperation;
    ///
    /// let is_two = PatchOperation::test("/spec/replicas", &2);
    /// let patch = Patch::json(&[is_two, PatchOperation::replace("/spec/replicas", &3)]);
    /// assert_eq!(patch.media_type(), "application/json-patch+json");
    /// ```
    ///
    /// A string is not a list of operations:
    ///
    /// ```compile_fail,E0308
    /// kapigen_runtime::Patch::json(&"[]".to_owned());
    /// ```
    #[must_use]
    #[inline]
    pub fn json(operations: &[PatchOperation]) -> Self {
        let mut body = vec![b'['];
        for (index, operation) in operations.iter().enumerate() {
            if index > 0 {
                body.push(b',');
            }
            operation.write(&mut body);
        }
        body.push(b']');
        let masked = operations.iter().find_map(PatchOperation::masked);
        Self::of(PatchType::Json, masked.map_or(Ok(body), |name| Err(ChangeError::of_masked(name))))
    }

    /// An object whose members replace those of the same name, and whose `null`s remove them (RFC
    /// 7386).
    ///
    /// The types of this crate never encode `null`; to remove a member give a `serde_json::Value`.
    ///
    /// ```compile_fail,E0277
    /// kapigen_runtime::Patch::merge(&"{}".to_owned());
    /// ```
    #[must_use]
    #[inline]
    pub fn merge<T: PatchObject + ?Sized>(change: &T) -> Self {
        Self::of(PatchType::Merge, change.encode_object())
    }

    /// As [`Patch::merge`], but lists are merged by their keys where the documentation of a field
    /// has such a rule. Servers take it for built-in types only, not for custom resources.
    #[must_use]
    #[inline]
    pub fn strategic<T: PatchObject + ?Sized>(change: &T) -> Self {
        Self::of(PatchType::Strategic, change.encode_object())
    }

    /// The object as the field manager intends it (server-side apply): every field that it manages,
    /// and nothing else. Needs the parameter `fieldManager`.
    ///
    /// A member that is sent is owned, so only what was set is sent:
    ///
    /// - optional members that are `Some`;
    /// - required members that are not empty;
    /// - members that a decoded or [extracted](crate::change::extract) object had, even if they are
    ///   empty now;
    /// - members that are keys of a list's elements, and what [`keep`](Self::keep) names.
    ///
    /// So an empty string that is required is left out, of custom resources, too, and so is a
    /// required struct in which nothing is set. **A required `0` or `false` in a struct that is
    /// set, and that was not decoded or extracted with it, is an error** of the request, since
    /// nothing shows whether the program has set it, until [`keep`](Self::keep) or
    /// [`omit`](Self::omit) decides: [`error`](Self::error) has the paths of all of them.
    ///
    /// The patch states `apiVersion` and `kind`, which the items of a list do not, and never has
    /// `managedFields`.
    #[doc(alias("server-side apply", "SSA"))]
    #[must_use]
    #[inline]
    pub fn apply<T: Applicable + ?Sized>(wanted: &T) -> Self {
        Self::of_configuration(Box::new(wanted.configuration()))
    }

    /// The patch of a request that has this media type, in any spelling. `None` if that is not a
    /// form of a patch.
    #[cfg(feature = "route")]
    pub(crate) fn of_media_type(media_type: &str, body: Vec<u8>) -> Option<Self> {
        let form = PatchType::of(&media_type.to_ascii_lowercase())?;
        Some(Self::of(form, Ok(body)))
    }

    /// Applies a required member even if it is empty, or 0, or false: `spec.podSelector`, or
    /// `spec.rules[].verbs` for all elements of a list; of a struct, not the members within. A path
    /// that the type does not have is an error of the request.
    #[must_use]
    #[inline]
    pub fn keep(self, path: &str) -> Self {
        self.configured(|configuration| configuration.keep(path))
    }

    /// Leaves out a required member as long as it is empty, or 0, or false; of a struct, all of its
    /// required members that are so. `omit("spec")` applies the status of a custom resource alone.
    /// A path that the type does not have is an error of the request.
    #[must_use]
    #[inline]
    pub fn omit(self, path: &str) -> Self {
        self.configured(|configuration| configuration.omit(path))
    }

    /// The operations that turn one object into another.
    ///
    /// The patch is for the version of the old object: if it is no longer the server's, the
    /// response is 409. Without a version, an operation within an element of a list follows tests
    /// that the element is still the same one, and the response is 422 if it is not. Members that
    /// the type does not have a field for are left unchanged. Free JSON is compared part by part.
    #[doc(alias = "diff")]
    #[cfg(feature = "change")]
    #[must_use]
    #[inline]
    pub fn json_between<T: Value>(old: &T, new: &T) -> Self {
        if let Err(fault) = check_whole([old.view(), new.view()]) {
            return Self::of(PatchType::Json, Err(fault));
        }
        let JsonBetween { body, unversioned } = json_between::between(old.view(), new.view());
        Self { unversioned, ..Self::of(PatchType::Json, Ok(body)) }
    }

    /// A patch of [`json_between`](Self::json_between) for whichever version the server has.
    /// Operations within an element of a list follow tests that the element is still the same one,
    /// as those of objects without a version. All other patches stay as they are.
    ///
    /// ```
    /// use kapigen_runtime::Patch;
    /// use kapigen_runtime::meta_v1::{ObjectMeta, PartialObjectMetadata};
    ///
    /// let metadata = ObjectMeta { resource_version: Some("7".to_owned()), ..Default::default() };
    /// let old = PartialObjectMetadata { metadata, ..Default::default() };
    /// let mut new = old.clone();
    /// new.metadata.generate_name = Some("web-".to_owned());
    /// let patch = Patch::json_between(&old, &new).without_version();
    /// assert_eq!(patch.body(), br#"[{"op":"add","path":"/metadata/generateName","value":"web-"}]"#);
    /// ```
    #[cfg(feature = "change")]
    #[must_use]
    #[inline]
    pub fn without_version(mut self) -> Self {
        if let Some(unversioned) = self.unversioned.take() {
            self.body = unversioned.of(&self.body);
        }
        self
    }

    /// The merge patch that turns one object into another.
    ///
    /// Lists are replaced as a whole; where one is, the patch is for the version of the old object.
    ///
    /// # Errors
    /// When the new object has a `null` in free JSON that a merge patch cannot set, or is not an
    /// object.
    #[cfg(feature = "change")]
    #[inline]
    pub fn merge_between<T: Value>(old: &T, new: &T) -> Result<Self, ChangeError> {
        check_whole([old.view(), new.view()])?;
        let change = tree_between::merge_between(old.view(), new.view(), &Schema::of::<T>())?;
        Ok(Self::of(PatchType::Merge, Ok(change)))
    }

    /// The strategic merge patch that turns one object into another. It needs no version: elements
    /// of lists are found by their merge keys.
    ///
    /// # Errors
    /// When elements of a list have the same merge key, such as ports that differ in their
    /// protocols only, or none. When free JSON has a `null` that such a patch cannot set.
    #[cfg(feature = "change")]
    #[inline]
    pub fn strategic_between<T: Value>(old: &T, new: &T) -> Result<Self, ChangeError> {
        check_whole([old.view(), new.view()])?;
        let change = tree_between::strategic_between(old.view(), new.view(), &Schema::of::<T>())?;
        Ok(Self::of(PatchType::Strategic, Ok(change)))
    }

    /// Makes a manager that applies the owner of what others own by updates, so that later applies
    /// can remove it. `None` if there is nothing to move.
    ///
    /// A program that has created or updated objects, or `kubectl apply` without `--server-side`,
    /// owns their fields as a manager that updates. It stays an owner when it begins to apply, so
    /// that fields which a later apply leaves out are never removed. Send this patch before the
    /// first apply, for each object, with the names that were used until now. The subresource is
    /// that through which they wrote, such as `status`, or nothing.
    ///
    /// Fields that were updated in another API version than that of the new owner are given up, as
    /// client-go does. The patch is for the version of the object: if the server has another one by
    /// then, the response is 409.
    ///
    /// ```
    /// use kapigen_runtime::change::ChangeError;
    /// use kapigen_runtime::{AnyResource, Patch};
    ///
    /// /// The patch before the first apply of a program that has updated objects before.
    /// fn upgrade<T: AnyResource>(live: &T) -> Result<Option<Patch>, ChangeError> {
    ///     Patch::upgrade_managers(live, &["my-controller", "kubectl-client-side-apply"], "my-controller", "")
    /// }
    /// ```
    ///
    /// # Errors
    /// When the fields of a manager are not in the format `FieldsV1`, or the object has no resource
    /// version.
    #[cfg(feature = "change")]
    #[inline]
    pub fn upgrade_managers<T: AnyResource>(
        live: &T,
        from: &[&str],
        to: &str,
        subresource: &str,
    ) -> Result<Option<Self>, ChangeError> {
        ChangeError::check_whole(live.unboxed())?;
        let operations = upgrade::operations(live.metadata(), from, to, subresource)?;
        Ok(if operations.is_empty() { None } else { Some(Self::json(&operations)) })
    }

    fn of_configuration(configuration: Box<Configuration>) -> Self {
        let body = configuration.encode();
        Self { configuration: Some(configuration), ..Self::of(PatchType::Apply, body) }
    }

    fn of(form: PatchType, body: Result<Vec<u8>, ChangeError>) -> Self {
        let (body, fault) = match body {
            Ok(body) => (body, None),
            Err(fault) => (Vec::new(), Some(Box::new(fault))),
        };
        Self {
            form,
            body,
            configuration: None,
            #[cfg(feature = "change")]
            unversioned: None,
            fault,
        }
    }

    #[inline]
    fn configured(mut self, change: impl FnOnce(&mut Configuration)) -> Self {
        let Some(mut configuration) = self.configuration.take() else {
            self.fault.get_or_insert_with(|| Box::new(ChangeError::no_configuration()));
            return self;
        };
        change(&mut configuration);
        Self::of_configuration(configuration)
    }

    /// The reason why the patch cannot be sent. Requests with it are refused when they are built,
    /// and its body is empty.
    #[must_use]
    pub fn error(&self) -> Option<&ChangeError> {
        self.fault.as_deref()
    }

    /// The media type that names the form to a server.
    #[must_use]
    pub fn media_type(&self) -> &'static str {
        self.form.media_type()
    }

    /// The request body.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The request body for an object of this kind, which an apply states even where the object
    /// does not.
    ///
    /// # Errors
    /// When an apply states another kind.
    #[cfg(feature = "dynamic")]
    pub(super) fn stating(&self, api_version: &str, kind: &str) -> Result<Vec<u8>, String> {
        let meant = [("apiVersion", api_version), ("kind", kind)];
        let mut members: BTreeMap<String, RawJson> = match self.form {
            // A body that is no object is refused by servers.
            PatchType::Apply => json::from_slice(&self.body).unwrap_or_default(),
            PatchType::Json | PatchType::Merge | PatchType::Strategic => BTreeMap::new(),
        };
        let stated = meant
            .map(|(name, _)| members.get(name).and_then(|value| value.decode::<String>().ok()));
        let stated = stated.map(Option::unwrap_or_default);
        identity::check_stated([&stated[0], &stated[1]], [api_version, kind])?;
        if members.is_empty() || stated.iter().all(|text| !text.is_empty()) {
            return Ok(self.body.clone());
        }
        members.extend(meant.map(|(name, value)| {
            (name.to_owned(), RawJson::of(json::to_string(&value.to_owned())))
        }));
        Ok(json::write(&View::Map(&members)))
    }

    /// Whether the patch changes nothing, so that it need not be sent.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(&*self.body, b"[]" | b"{}") && self.fault.is_none()
    }

    /// Refuses here what a server would refuse there.
    pub(super) fn check(&self, operation: &Operation, query: &Query) -> Result<(), InvalidRequest> {
        let media_type = self.media_type();
        let refuse = |why: String| Err(InvalidRequest::Parameters(why));
        if let Some(fault) = &self.fault {
            if let Some(name) = fault.masked() {
                return Err(InvalidRequest::Masked { name });
            }
            if !fault.undecided().is_empty() {
                return Err(InvalidRequest::Undecided(fault.undecided().to_vec()));
            }
            return refuse(format!("the patch cannot be sent: {fault}"));
        }
        if !operation.media_types.contains(&media_type) {
            let taken = joined(operation.media_types, ", ");
            return refuse(format!(
                "`{}` takes no patch of the type {media_type}, only {taken}",
                operation.id
            ));
        }
        let apply = self.form == PatchType::Apply;
        if apply && query.get("fieldManager").unwrap_or_default().is_empty() {
            return refuse(
                "an apply needs the parameter `fieldManager`: set `PatchParams::field_manager`"
                    .to_owned(),
            );
        }
        if !apply && query.get("force").is_some() {
            return refuse("only an apply can have the parameter `force`".to_owned());
        }
        Ok(())
    }
}

/// Refuses values with objects that a mask left members out of.
#[cfg(feature = "change")]
fn check_whole(views: [View<'_>; 2]) -> Result<(), ChangeError> {
    views
        .iter()
        .find_map(presence::masked_in)
        .map_or(Ok(()), |name| Err(ChangeError::of_masked(name)))
}
