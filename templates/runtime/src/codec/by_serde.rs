//! Members of types that serde knows and the codec does not: spec and status of a kind that is
//! written in Rust. To the codec such a member is one JSON value.

use super::value::{MemberVisitor, Object, Slot, View};
use serde::Serialize;
use serde::de::DeserializeOwned;
#[cfg(any(feature = "change", feature = "machines"))]
use std::borrow::Cow;
use std::fmt::{self, Debug};

/// A member of a type that serde knows. Its default stands for a member that is not set.
pub trait BySerde {
    /// Decodes JSON that is not `null`.
    ///
    /// # Errors
    /// When the JSON is not such a value.
    fn read(&mut self, text: &str) -> Result<(), serde_json::Error>;
    /// The value as JSON without white space.
    ///
    /// # Errors
    /// When its `Serialize` returns one, or JSON cannot hold it.
    fn text(&self) -> Result<String, serde_json::Error>;
    /// Resets it to the default.
    fn clear(&mut self);
    /// Whether it is the default.
    fn is_default(&self) -> bool;
    /// Shows it by its `Debug`.
    ///
    /// # Errors
    /// When the formatter returns one.
    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl<T: Serialize + DeserializeOwned + Default + PartialEq + Debug> BySerde for T {
    fn read(&mut self, text: &str) -> Result<(), serde_json::Error> {
        *self = serde_json::from_str(text)?;
        Ok(())
    }
    fn text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }
    fn clear(&mut self) {
        *self = T::default();
    }
    fn is_default(&self) -> bool {
        *self == T::default()
    }
    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt(f)
    }
}

// These name the traits of the type one by one, so that an error names the one that it lacks.

/// The slot of such a member, see [`Value::slot`](super::Value::slot).
pub fn serde_slot<T>(member: &mut T, is_present: bool) -> Slot<'_>
where
    T: Serialize + DeserializeOwned + Default + PartialEq + Debug,
{
    if !is_present {
        *member = T::default();
    }
    Slot::BySerde(member)
}

/// Calls `visitor` with such a member, which is required.
pub fn visit_serde<'a, T>(member: &'a T, index: usize, visitor: &mut MemberVisitor<'_, 'a>)
where
    T: Serialize + DeserializeOwned + Default + PartialEq + Debug,
{
    visitor.visit(index, View::BySerde(member));
}

/// Calls `visitor` with such a member, which is optional, unless it is absent.
pub fn visit_optional_serde<'a, T>(
    member: &'a Option<T>,
    index: usize,
    visitor: &mut MemberVisitor<'_, 'a>,
) where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    if member.is_some() {
        visit_serde(member, index, visitor);
    }
}

/// The first member of an object that serde refuses to encode, and its reason. All encoders but
/// serde's panic for such an object.
pub(crate) fn unencodable(object: &dyn Object) -> Option<(&'static str, String)> {
    let mut found = None;
    object.visit_members(&mut |index, view| {
        if let (View::BySerde(value), None) = (view, &found)
            && let Err(error) = value.text()
        {
            found = Some((index, error.to_string()));
        }
    });
    found.map(|(index, error)| (object.table().keys.names()[index], error))
}

#[cfg(any(feature = "change", feature = "machines"))]
impl<'a> View<'a> {
    /// The text of free JSON, or of a value that serde encodes as such.
    pub(crate) fn free_json(self) -> Option<Cow<'a, str>> {
        match self {
            View::Raw(text) => Some(text.into()),
            View::BySerde(value) => value.text().ok().map(Cow::Owned),
            _ => None,
        }
    }
}

/// The offset and the message of an error in this text, which `serde_json` states as line and column.
pub(crate) fn located(error: &serde_json::Error, text: &str) -> (usize, String) {
    let (line, column) = (error.line(), error.column());
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let message = error.to_string();
    let place = format!(" at line {line} column {column}");
    let message = message.strip_suffix(&place).unwrap_or(&message).to_owned();
    ((before + column).min(text.len()), message)
}
