//! Patches: changes of an object.

use super::InvalidRequest;
use crate::codec::Value;
use crate::codec::query::Query;
use crate::operation::Operation;
use std::fmt;

/// A change of an object, in one of the forms that servers understand.
///
/// `Debug` shows the media type and the length of the body, which may hold a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Patch {
    form: Form,
    body: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Json,
    Merge,
    Strategic,
    Apply,
}

/// What a patch can be made of: any value of this crate, or a [`serde_json::Value`].
///
/// A type of your own becomes one with [`RawJson::from_serialize`](crate::meta_v1::RawJson::from_serialize).
pub trait AsJson {
    /// Its text.
    fn as_json(&self) -> Vec<u8>;
}

impl<T: Value> AsJson for T {
    fn as_json(&self) -> Vec<u8> {
        crate::codec::json::write(&self.view())
    }
}

impl AsJson for serde_json::Value {
    fn as_json(&self) -> Vec<u8> {
        self.to_string().into_bytes()
    }
}

#[allow(clippy::missing_fields_in_debug)] // only the length of the body, which may be a secret
impl fmt::Debug for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Patch")
            .field("media_type", &self.media_type())
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish()
    }
}

// Nothing here is generic, so that no serializer is compiled in crates that patch.
impl Patch {
    /// Steps that change an object one by one (RFC 6902): a list of `add`, `remove`, `replace`, `test` and so on.
    #[must_use]
    pub fn json(steps: &dyn AsJson) -> Self {
        Self { form: Form::Json, body: steps.as_json() }
    }

    /// An object whose members replace those of the same name, and whose `null`s remove them (RFC 7386).
    ///
    /// The types of this crate never write `null`; to remove a member give a `serde_json::Value`.
    #[must_use]
    pub fn merge(change: &dyn AsJson) -> Self {
        Self { form: Form::Merge, body: change.as_json() }
    }

    /// As [`Patch::merge`], but lists are merged by their keys where the documentation of a field says so. Servers
    /// take it for built-in types only, not for custom resources.
    #[must_use]
    pub fn strategic(change: &dyn AsJson) -> Self {
        Self { form: Form::Strategic, body: change.as_json() }
    }

    /// What the field manager wants to be so (server-side apply): everything that it cares for, with `apiVersion` and
    /// `kind`, and nothing else. Needs the parameter `fieldManager`.
    #[must_use]
    pub fn apply(wanted: &dyn AsJson) -> Self {
        Self { form: Form::Apply, body: wanted.as_json() }
    }

    /// The patch of a request that has this media type, in any spelling. `None` if that is no form of a patch.
    pub(crate) fn of_media_type(media_type: &str, body: Vec<u8>) -> Option<Self> {
        let forms = [Form::Json, Form::Merge, Form::Strategic, Form::Apply];
        let patches = forms.map(|form| Self { form, body: Vec::new() });
        let mut patch = patches.into_iter().find(|patch| patch.media_type().eq_ignore_ascii_case(media_type))?;
        patch.body = body;
        Some(patch)
    }

    /// The media type that tells a server which form it is.
    #[must_use]
    pub fn media_type(&self) -> &'static str {
        match self.form {
            Form::Json => "application/json-patch+json",
            Form::Merge => "application/merge-patch+json",
            Form::Strategic => "application/strategic-merge-patch+json",
            // YAML by name only: JSON is YAML.
            Form::Apply => "application/apply-patch+yaml",
        }
    }

    /// The JSON that is sent.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Refuses here what a server would refuse there.
    pub(super) fn check(&self, operation: &Operation, query: &Query) -> Result<(), InvalidRequest> {
        let media_type = self.media_type();
        let refuse = |why: String| Err(InvalidRequest::Parameters(why));
        if !operation.media_types.contains(&media_type) {
            let taken = operation.media_types.join(", ");
            return refuse(format!("`{}` takes no patch of the type {media_type}, only {taken}", operation.id));
        }
        let apply = self.form == Form::Apply;
        if apply && query.get("fieldManager").unwrap_or_default().is_empty() {
            return refuse("an apply needs the parameter `fieldManager`".to_owned());
        }
        if !apply && query.get("force").is_some() {
            return refuse("only an apply can have the parameter `force`".to_owned());
        }
        Ok(())
    }
}
