//! Configurations for server-side apply: objects without the required members that are not set.

use super::ChangeError;
use super::encode::{Encoder, required};
use super::kept::is_custom;
use crate::codec::{Object, Slot};
use crate::kind::Kind;
use std::sync::Arc;

/// An object that can be applied: any kind of a generated crate, or a [`serde_json::Value`], which is sent as it is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be applied",
    label = "not a kind",
    note = "server-side apply takes an object with `apiVersion` and `kind`: a kind of a generated crate, or a \
            `serde_json::Value`"
)]
pub trait Applicable {
    /// Prepares it for [`Patch::apply`](crate::Patch::apply).
    #[doc(hidden)]
    fn configuration(&self) -> Configuration;
}

impl<T: Kind> Applicable for T {
    fn configuration(&self) -> Configuration {
        Configuration::new(Content::Object(Typed {
            object: Arc::new(self.clone()),
            empty: || Box::new(T::empty()),
            states: [("apiVersion", T::API_VERSION), ("kind", T::KIND)],
            is_custom: is_custom(T::GROUP),
        }))
    }
}

impl Applicable for serde_json::Value {
    fn configuration(&self) -> Configuration {
        Configuration::new(Content::Free(self.to_string().into_bytes()))
    }
}

/// An object to apply, and which of its empty members are left out.
#[doc(hidden)]
#[allow(missing_debug_implementations)] // the object may be a secret
#[derive(Clone)]
pub struct Configuration {
    content: Content,
    keep: Vec<Names>,
    omit: Vec<Names>,
}

/// The names of members that lead to one. Lists and maps on the way are passed.
pub(super) type Names = Vec<&'static str>;

#[derive(Clone)]
enum Content {
    /// Free JSON, of which nothing is left out.
    Free(Vec<u8>),
    Object(Typed),
}

/// An object of a kind.
#[derive(Clone)]
pub(super) struct Typed {
    pub(super) object: Arc<dyn Object + Send + Sync>,
    /// Makes an object of the same type without any member.
    pub(super) empty: fn() -> Box<dyn Object>,
    /// The members that state the kind. The items of a list do not have them.
    pub(super) states: [(&'static str, &'static str); 2],
    /// Whether it is a custom resource, whose schema distinguishes an empty string from an absent one. Go types cannot.
    pub(super) is_custom: bool,
}

impl Configuration {
    fn new(content: Content) -> Self {
        Self { content, keep: Vec::new(), omit: Vec::new() }
    }

    /// Keeps a required member although it is empty.
    pub(crate) fn keep(&mut self, path: &str) -> Result<(), ChangeError> {
        let path = self.names(path)?;
        self.keep.push(path);
        Ok(())
    }

    /// Leaves out a required member as long as it is empty.
    pub(crate) fn omit(&mut self, path: &str) -> Result<(), ChangeError> {
        let path = self.names(path)?;
        self.omit.push(path);
        Ok(())
    }

    /// The object as it is sent.
    pub(crate) fn encode(&self) -> Vec<u8> {
        match &self.content {
            Content::Free(text) => text.clone(),
            Content::Object(typed) => Encoder::new(typed, &self.keep, &self.omit).encode(),
        }
    }

    /// The names of a path, which must be that of a required member.
    fn names(&self, path: &str) -> Result<Names, ChangeError> {
        let fault = |message: String| ChangeError::at(path, message);
        let Content::Object(typed) = &self.content else {
            return Err(fault("nothing is left out of free JSON, so that nothing can be kept or omitted".to_owned()));
        };
        let mut object = (typed.empty)();
        let mut slot = Slot::Object(&mut *object);
        let (mut names, mut is_required) = (Names::new(), false);
        for name in path.split('.') {
            let name = name.trim_end_matches("[]");
            let member = match inner(slot) {
                Slot::Object(object) => object.table().keys.index().find(name).map(|index| (object, index)),
                _ => None,
            };
            let Some((object, index)) = member else { return Err(fault(format!("there is no member `{name}`"))) };
            is_required = required(object).iter().any(|(required, _)| *required == index);
            names.push(object.table().keys.names()[index]);
            slot = object.member_mut(index, true);
        }
        if !is_required {
            let message = "the member is optional: it is sent if it is `Some`, and left out if it is `None`";
            return Err(fault(message.to_owned()));
        }
        Ok(names)
    }
}

/// The value inside of lists and maps.
fn inner(slot: Slot<'_>) -> Slot<'_> {
    match slot {
        Slot::List(list) => inner(list.push(true)),
        Slot::Map(map) => inner(map.insert(String::new(), true)),
        slot => slot,
    }
}
