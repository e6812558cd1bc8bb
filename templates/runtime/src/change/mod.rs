//! Changing objects without losing anything: comparing, patching, merging and applying.
//!
//! | you have | you want | use |
//! |---|---|---|
//! | two objects | the patch that turns one into the other | [`Patch::json_between`](crate::Patch::json_between), [`merge_between`](crate::Patch::merge_between), [`strategic_between`](crate::Patch::strategic_between) |
//! | two objects | to see where they differ | [`differences`] |
//! | an object | a server to have it so | [`Patch::apply`](crate::Patch::apply) |
//! | an object of a server | the part that one manager owns | [`extract`], [`managers`] |
//! | an object that your program has updated until now | to apply from now on | [`Patch::upgrade_managers`](crate::Patch::upgrade_managers) |
//! | an object and a part of one | both in one object | [`merge`] |
//!
//! Tables of types state which members are required, which objects are inside of others, and how
//! lists are merged. All of this builds on them, in code that is compiled once for all types. The
//! server's side of patches and configurations is in `kapigen_fake::change`.
//!
//! Trees of JSON are values of `serde_json` 1, which is a part of this interface:
//! [`crate::serde_json`].
//!
//! ```
//! use kapigen_runtime::change::differences;
//! use kapigen_runtime::{Patch, meta_v1::ObjectMeta};
//!
//! let old = ObjectMeta { name: Some("web".to_owned()), ..Default::default() };
//! let mut new = old.clone();
//! new.labels = Some([("tier".to_owned(), "front".to_owned())].into());
//! assert_eq!(differences(&old, &new)[0].to_string(), r#"labels: absent → {"tier":"front"}"#);
//! let patch = Patch::json_between(&old, &new);
//! assert_eq!(patch.body(), br#"[{"op":"add","path":"/labels","value":{"tier":"front"}}]"#);
//! ```

mod apply;
#[cfg(feature = "change")]
pub(crate) mod compare;
#[cfg(feature = "change")]
mod fields;
#[cfg(feature = "change")]
#[doc(hidden)] // for kapigen-fake
pub mod list_order;
mod operation;

pub use apply::Applicable;
pub(crate) use apply::Configuration;
#[cfg(feature = "change")]
pub use compare::{Difference, Manager, differences, extract, managers, merge};
#[cfg(feature = "change")]
#[doc(hidden)] // for kapigen-fake
pub use fields::canonical;
#[cfg(feature = "change")]
pub use fields::{FieldPart, FieldSet};
pub use operation::{AsJson, PatchOperation};

pub use crate::invalid::Undecided;

use crate::codec::path::shortened_path;
use crate::codec::{Object, View, by_serde, presence};
use crate::invalid::{self, InvalidRequest};
use crate::visible::Visible;
use std::fmt::{self, Write};

/// An error of computing or applying a change, with its path in the object.
#[derive(Clone, PartialEq, Eq)]
pub struct ChangeError {
    path: String,
    message: String,
    /// The type of an object that a mask left members out of.
    masked: Option<&'static str>,
    undecided: Vec<Undecided>,
}

impl ChangeError {
    /// An error of the value at a path.
    pub fn new(path: impl fmt::Display, message: impl Into<String>) -> Self {
        Self {
            path: shortened_path(&path.to_string()).into_owned(),
            message: message.into(),
            masked: None,
            undecided: Vec::new(),
        }
    }

    /// Refuses an object that a mask left members out of, or that has a member that serde does not
    /// encode.
    pub(crate) fn check_whole(object: &dyn Object) -> Result<(), Self> {
        Self::check_value(&View::Object(object))
    }

    /// The same for any value. Refuses objects in lists and maps, too, if a mask left members out.
    pub(crate) fn check_value(view: &View<'_>) -> Result<(), Self> {
        if let Some(name) = presence::masked_in(view) {
            return Err(Self::of_masked(name));
        }
        let View::Object(object) = view else { return Ok(()) };
        match by_serde::unencodable(*object) {
            Some((member, error)) => Err(Self::new(member, format!("cannot be encoded: {error}"))),
            None => Ok(()),
        }
    }

    /// The error of an object of this type that a mask left members out of.
    pub(crate) fn of_masked(name: &'static str) -> Self {
        Self { masked: Some(name), ..Self::new("", InvalidRequest::Masked { name }.to_string()) }
    }

    /// The type of the object, if it is refused because a mask left members out of it.
    #[must_use]
    pub fn masked(&self) -> Option<&'static str> {
        self.masked
    }

    /// The error of an object to apply with members that may not have been set.
    pub(crate) fn of_undecided(undecided: Vec<Undecided>) -> Self {
        let [paths, remedy] = invalid::of_undecided(&undecided);
        let error = Self::new(paths, remedy);
        Self { undecided, ..error }
    }

    /// The required numbers and booleans that may or may not have been set, if the object is
    /// refused because of them: all of them, in the order of the object.
    #[must_use]
    pub fn undecided(&self) -> &[Undecided] {
        &self.undecided
    }

    /// The same error, in a value at this path.
    #[must_use]
    pub fn below(self, path: &str) -> Self {
        Self { path: shortened_path(&format!("{path}{}", self.path)).into_owned(), ..self }
    }

    pub(crate) fn no_object() -> Self {
        Self::new(
            "",
            "a merge patch is an object, whose members change those of the server's object",
        )
    }

    pub(crate) fn no_configuration() -> Self {
        Self::new("", "only an apply has members to keep or to omit")
    }

    /// The path of the value, such as `spec.containers[0].image`, or a JSON pointer where the
    /// change has one. For several values, their paths, separated by commas. Empty for the whole
    /// object. It has at most 1000 characters; a longer one is cut in the middle, which `…` shows.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The description of the error, without the path.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = &mut Visible(f);
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

__error!(ChangeError { path, message, masked, undecided });
