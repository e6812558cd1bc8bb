//! The `apiVersion` and `kind` that an object states.

use super::path::{KEY, shortened};
use super::table::Table;
use super::value::{Object, View};

/// A group-version-kind as an object states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Identity {
    /// `group/version`, or just `version` in the core group.
    pub api_version: &'static str,
    /// The kind.
    pub kind: &'static str,
}

impl Identity {
    /// This `apiVersion` and `kind`.
    #[must_use]
    pub const fn new(api_version: &'static str, kind: &'static str) -> Self {
        Self { api_version, kind }
    }
}

/// Rejects an object whose `apiVersion` and `kind` state another identity. Absent or empty ones state nothing.
pub(crate) fn check(object: &dyn Object, table: &'static Table) -> Result<(), String> {
    if table.identities.is_empty() {
        return Ok(());
    }
    let (mut api_version, mut kind) = ("", "");
    object.visit_members(&mut |index, view| match (table.keys.names().get(index), view) {
        (Some(&"apiVersion"), View::Str(text)) => api_version = text,
        (Some(&"kind"), View::Str(text)) => kind = text,
        _ => {}
    });
    mismatch(table, api_version, kind).map_or(Ok(()), Err)
}

/// The difference between the identity that an object states and those of the table, as a message.
pub(crate) fn mismatch(table: &Table, api_version: &str, kind: &str) -> Option<String> {
    let fits = table.identities.iter().any(|identity| {
        (api_version.is_empty() || api_version == identity.api_version) && (kind.is_empty() || kind == identity.kind)
    });
    if fits || table.identities.is_empty() {
        return None;
    }
    let mut wanted = String::new();
    for identity in table.identities {
        wanted.push_str(if wanted.is_empty() { "" } else { " or " });
        wanted.push_str(&stated(identity.api_version, identity.kind));
    }
    Some(format!("expected {wanted}, found {}", stated(api_version, kind)))
}

/// An identity in words. An object may state only one half of it.
fn stated(api_version: &str, kind: &str) -> String {
    let (api_version, kind) = (shortened(api_version, KEY), shortened(kind, KEY));
    match (&*api_version, &*kind) {
        (_, "") => format!("apiVersion `{api_version}`"),
        ("", _) => format!("kind `{kind}`"),
        _ => format!("kind `{kind}` of `{api_version}`"),
    }
}
