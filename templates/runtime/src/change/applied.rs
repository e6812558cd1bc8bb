//! Configurations for server-side apply: objects without the required members that are not set.

use super::ChangeError;
use super::encode::{Encoder, required};
use super::kept::is_custom;
use super::omissible::{self, Omissible};
use crate::codec::{Identified, Object, Slot, VisitEmpty};
use crate::kind::Kind;

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
    #[inline]
    fn configuration(&self) -> Configuration {
        let kind = AppliedKind { visit_empty: T::visit_without_members, group: T::GROUP, version: T::VERSION };
        Configuration::of_object(self.unboxed(), kind)
    }
}

impl Applicable for serde_json::Value {
    #[inline]
    fn configuration(&self) -> Configuration {
        Configuration {
            text: self.to_string().into_bytes(),
            omissible: Vec::new(),
            kind: None,
            keep: Vec::new(),
            omit: Vec::new(),
            fault: None,
        }
    }
}

/// An object to apply, and which of its empty members are left out. The object is encoded already: to keep a copy of it
/// would compile that copy in every program that applies one.
#[doc(hidden)]
#[allow(missing_debug_implementations)] // the object may be a secret
#[derive(Clone)]
pub struct Configuration {
    /// The whole object.
    text: Vec<u8>,
    omissible: Vec<Omissible>,
    /// None: free JSON, of which nothing is left out.
    kind: Option<AppliedKind>,
    keep: Vec<Names>,
    omit: Vec<Names>,
    /// The reason why the object cannot be applied.
    fault: Option<ChangeError>,
}

/// The names of members that lead to one. Lists and maps on the way are passed.
pub(super) type Names = Vec<&'static str>;

/// The kind of an object to apply.
#[derive(Clone)]
pub(super) struct AppliedKind {
    /// Visits an object of the same type without any member.
    pub(super) visit_empty: VisitEmpty,
    group: &'static str,
    version: &'static str,
}

impl Configuration {
    /// Not generic, so that it is compiled once.
    fn of_object(object: &dyn Object, kind: AppliedKind) -> Self {
        let (encoded, fault) = match Identified::new(object, kind.group, kind.version) {
            Ok(object) => (Encoder::encode(&object, kind.visit_empty), None),
            Err(why) => (<_>::default(), Some(ChangeError::new("", why))),
        };
        let (text, omissible) = encoded;
        Self { text, omissible, kind: Some(kind), keep: Vec::new(), omit: Vec::new(), fault }
    }

    /// Keeps a required member although it is empty.
    #[inline]
    pub(crate) fn keep(&mut self, path: &str) -> Result<(), ChangeError> {
        let path = self.names(path)?;
        self.keep.push(path);
        Ok(())
    }

    /// Leaves out a required member as long as it is empty, and so those within it.
    #[inline]
    pub(crate) fn omit(&mut self, path: &str) -> Result<(), ChangeError> {
        let path = self.names(path)?;
        self.omit.push(path);
        Ok(())
    }

    /// The object as it is sent.
    pub(crate) fn encode(&self) -> Result<Vec<u8>, ChangeError> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let is_custom = self.kind.as_ref().is_some_and(|kind| is_custom(kind.group));
        Ok(omissible::without(&self.text, &self.omissible, |member, value| {
            let is_container = matches!(value, b"{}" | b"[]");
            let is_empty = is_container || member.is_empty_scalar;
            let is_unset = is_container || value.starts_with(b"\"") && !is_custom;
            let is_omitted = || self.omit.iter().any(|names| member.names.starts_with(names));
            is_empty && !self.keep.contains(&member.names) && (is_unset || is_omitted())
        }))
    }

    /// The names of a path, which must be that of a required member.
    #[inline]
    fn names(&self, path: &str) -> Result<Names, ChangeError> {
        let Some(kind) = &self.kind else {
            let message = "nothing is left out of free JSON, so that nothing can be kept or omitted";
            return Err(ChangeError::new(path, message));
        };
        let mut names = Ok(Names::new());
        (kind.visit_empty)(&mut |slot| names = names_of(slot, path));
        names.map_err(|message| ChangeError::new(path, message))
    }
}

/// The names of a path in an empty object.
#[inline]
fn names_of(mut slot: Slot<'_>, path: &str) -> Result<Names, String> {
    let mut names = Names::new();
    let mut is_required = false;
    for name in path.split('.') {
        let name = name.trim_end_matches("[]");
        let member = match inner(slot) {
            Slot::Object(object) => object.table().keys.index().find(name).map(|index| (object, index)),
            _ => None,
        };
        let Some((object, index)) = member else { return Err(format!("there is no member `{name}`")) };
        is_required = required(object).iter().any(|(required, _)| *required == index);
        names.push(object.table().keys.names()[index]);
        slot = object.member_mut(index, true);
    }
    if is_required {
        Ok(names)
    } else {
        Err("the member is optional: it is sent if it is `Some`, and left out if it is `None`".to_owned())
    }
}

/// The value inside of lists and maps.
#[inline]
fn inner(slot: Slot<'_>) -> Slot<'_> {
    match slot {
        Slot::List(list) => inner(list.push(true)),
        Slot::Map(map) => inner(map.insert(String::new(), true)),
        slot => slot,
    }
}
