//! Patches: changes of an object.

use super::InvalidRequest;
use crate::change::{Applicable, ChangeError, Configuration, PatchOperation};
use crate::codec::path::joined;
use crate::codec::query::Query;
use crate::codec::{Object, View, json};
use crate::operation::Operation;
use crate::patch_type::PatchType;
use std::fmt;

/// A change of an object, in one of the forms that servers understand.
///
/// | change | form |
/// |---|---|
/// | the desired object, while other managers own parts of it | [`apply`](Self::apply) |
/// | an object that you have read and changed | [`json_between`](Self::json_between) |
/// | the same, for labels, or a status that nobody else writes | [`merge_between`](Self::merge_between) |
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
    pub(super) form: PatchType,
    pub(super) body: Vec<u8>,
    /// The object that is applied.
    configuration: Option<Box<Configuration>>,
    /// A JSON patch that is for a version, without that.
    #[cfg(feature = "change")]
    pub(super) unversioned: Option<Box<crate::change::compare::json_between::Unversioned>>,
    /// The error of an invalid patch, which building a request with it returns.
    fault: Option<Box<ChangeError>>,
}

/// An object that is the content of a merge patch: a type of this crate, or a
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

#[expect(
    clippy::missing_fields_in_debug,
    reason = "only the length of the body, which may be a secret"
)]
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
    /// Operations that change an object in order (RFC 6902).
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
        Self::new(
            PatchType::Json,
            masked.map_or(Ok(body), |name| Err(ChangeError::of_masked(name))),
        )
    }

    /// A merge patch: members of the object replace the members of the same name, and `null`s
    /// remove them (RFC 7386).
    ///
    /// The types of this crate never encode `null`; to remove a member give a `serde_json::Value`.
    ///
    /// ```compile_fail,E0277
    /// kapigen_runtime::Patch::merge(&"{}".to_owned());
    /// ```
    #[must_use]
    #[inline]
    pub fn merge<T: PatchObject + ?Sized>(change: &T) -> Self {
        Self::new(PatchType::Merge, change.encode_object())
    }

    /// As [`Patch::merge`], but lists are merged by their keys where the documentation of a field
    /// has such a rule. Servers take it for built-in types only, not for custom resources.
    #[must_use]
    #[inline]
    pub fn strategic<T: PatchObject + ?Sized>(change: &T) -> Self {
        Self::new(PatchType::Strategic, change.encode_object())
    }

    /// The object as the field manager intends it (server-side apply): every field that it manages,
    /// and nothing else. Needs the parameter `fieldManager`.
    ///
    /// A member that is sent is owned, so only set members are sent:
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
    /// kapigen cannot tell whether the program has set it, until [`keep`](Self::keep) or
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
        let form = PatchType::from_media_type(&media_type.to_ascii_lowercase())?;
        Some(Self::new(form, Ok(body)))
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

    fn of_configuration(configuration: Box<Configuration>) -> Self {
        let body = configuration.encode();
        Self { configuration: Some(configuration), ..Self::new(PatchType::Apply, body) }
    }

    pub(super) fn new(form: PatchType, body: Result<Vec<u8>, ChangeError>) -> Self {
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
