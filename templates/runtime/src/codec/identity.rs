//! The `apiVersion` and `kind` that an object states.

use super::path::{KEY, shortened};
use super::table::Table;
use super::value::{MemberVisitor, Object, Slot, View};

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

/// Rejects an object that states another identity by `apiVersion` and `kind`. Absent or empty ones
/// state nothing.
pub(crate) fn check(object: &dyn Object, table: &'static Table) -> Result<(), String> {
    if table.identities.is_empty() {
        return Ok(());
    }
    let (api_version, kind) = stated_by(object);
    mismatch(table, api_version, kind).map_or(Ok(()), Err)
}

/// The `apiVersion` and `kind` that an object states. Empty for one that is absent.
pub(crate) fn stated_by(object: &dyn Object) -> (&str, &str) {
    let names = object.table().keys.names();
    let mut api_version = "";
    let mut kind = "";
    object.visit_members(&mut |index, view| match (names.get(index), view) {
        (Some(&"apiVersion"), View::Str(text)) => api_version = text,
        (Some(&"kind"), View::Str(text)) => kind = text,
        _ => {}
    });
    (api_version, kind)
}

/// An object that states its `apiVersion` and `kind`, also where they were absent when it was
/// decoded, as they are in the items of lists. It is only encoded.
#[allow(missing_debug_implementations)] // the object may be a secret
pub struct Identified<'o> {
    pub(crate) object: &'o dyn Object,
    /// `apiVersion` and `kind`. None: the object stays as it is.
    pub(crate) identity: Option<(&'o str, &'o str)>,
}

impl<'o> Identified<'o> {
    /// The object with the identity of its type. Of several, it is the one of this group and
    /// version.
    ///
    /// # Errors
    /// When the object states another identity.
    pub fn new(object: &'o dyn Object, group: &str, version: &str) -> Result<Self, String> {
        let table = object.table();
        check(object, table)?;
        let is_meant = |identity: &&Identity| match identity.api_version.rsplit_once('/') {
            Some(pair) => pair == (group, version),
            None => group.is_empty() && identity.api_version == version,
        };
        let identity = match table.identities {
            [identity] => Some(identity),
            identities => identities.iter().find(is_meant),
        };
        Ok(Self {
            object,
            identity: identity.map(|identity| (identity.api_version, identity.kind)),
        })
    }
}

impl Object for Identified<'_> {
    fn table(&self) -> &'static Table {
        self.object.table()
    }

    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        let Some((meant_version, meant_kind)) = self.identity else {
            return self.object.accept(visitor);
        };
        let names = self.table().keys.names();
        let (api_version, kind) = stated_by(self.object);
        let mut absent = [("apiVersion", api_version, meant_version), ("kind", kind, meant_kind)]
            .into_iter()
            .filter(|(_, stated, _)| stated.is_empty())
            .filter_map(|(name, _, value)| {
                Some((names.iter().position(|other| *other == name)?, value))
            })
            .peekable();
        self.object.visit_members(&mut |index, view| {
            // In the order of members, but unknown ones come before all others: they determine
            // which are omitted.
            if index < names.len() {
                while let Some((absent, value)) = absent.next_if(|(absent, _)| *absent < index) {
                    visitor.visit(absent, View::Str(value));
                }
            }
            match (names.get(index), view) {
                (Some(&("apiVersion" | "kind")), View::Str("")) => {}
                _ => visitor.visit(index, view),
            }
        });
        absent.for_each(|(index, value)| visitor.visit(index, View::Str(value)));
    }

    fn member_mut(&mut self, _: usize, _: bool) -> Slot<'_> {
        Slot::Absent
    }
}

/// The difference between the identity that an object states and the identities of the table, as a
/// message.
pub(crate) fn mismatch(table: &Table, api_version: &str, kind: &str) -> Option<String> {
    let fits = table.identities.iter().any(|identity| {
        (api_version.is_empty() || api_version == identity.api_version)
            && (kind.is_empty() || kind == identity.kind)
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
pub(crate) fn stated(api_version: &str, kind: &str) -> String {
    let api_version = shortened(api_version, KEY);
    let kind = shortened(kind, KEY);
    match (&*api_version, &*kind) {
        (_, "") => format!("apiVersion `{api_version}`"),
        ("", _) => format!("kind `{kind}`"),
        _ => format!("kind `{kind}` of `{api_version}`"),
    }
}
