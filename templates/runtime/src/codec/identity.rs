//! What an object says that it is.

use super::path::{KEY, shortened};
use super::table::Table;
use super::value::{Object, Slot, Value, View, Visit};
use crate::values::RawJson;

/// Refuses an object whose `apiVersion` and `kind` say that it is something else. What is absent or empty says nothing.
pub(crate) fn check(object: &dyn Object, table: &Table) -> Result<(), String> {
    if table.identities.is_empty() {
        return Ok(());
    }
    let (mut api_version, mut kind) = ("", "");
    object.each(&mut |index, view| match (table.keys.names()[index], view) {
        ("apiVersion", View::Str(text)) => api_version = text,
        ("kind", View::Str(text)) => kind = text,
        _ => {}
    });
    other(table, api_version, kind).map_or(Ok(()), Err)
}

/// The identity of an object, whatever else it holds, and whatever stands in place of the identity.
#[derive(Default)]
pub(crate) struct Stated {
    api_version: RawJson,
    kind: RawJson,
}

impl Stated {
    /// What is wrong with such an object, if it is not what the table is of.
    pub(crate) fn other_than(&self, wanted: &Table) -> Option<String> {
        let text = |value: &RawJson| crate::json::from_str::<String>(value.as_str()).unwrap_or_default();
        other(wanted, &text(&self.api_version), &text(&self.kind))
    }
}

impl Object for Stated {
    fn table(&self) -> &'static Table {
        static TABLE: Table = Table::new("object", &["apiVersion", "kind"], &[]);
        &TABLE
    }
    fn each<'a>(&'a self, visit: &mut Visit<'_, 'a>) {
        self.api_version.tell(0, visit);
        self.kind.tell(1, visit);
    }
    fn member_mut(&mut self, index: usize, is_present: bool) -> Slot<'_> {
        match index {
            0 => self.api_version.slot(is_present),
            1 => self.kind.slot(is_present),
            _ => super::no_member(index),
        }
    }
}

/// What is wrong with an object that states this, if it is not what the table is of.
fn other(table: &Table, api_version: &str, kind: &str) -> Option<String> {
    let fits = table.identities.iter().any(|identity| {
        (api_version.is_empty() || api_version == identity.api_version) && (kind.is_empty() || kind == identity.kind)
    });
    if fits || table.identities.is_empty() {
        return None;
    }
    let wanted = table.identities.iter().map(|identity| stated(identity.api_version, identity.kind));
    Some(format!("expected {}, found {}", wanted.collect::<Vec<_>>().join(" or "), stated(api_version, kind)))
}

/// An identity in words. An object may state only one half of it.
fn stated(api_version: &str, kind: &str) -> String {
    let [api_version, kind] = [api_version, kind].map(|text| shortened(text, KEY));
    match (&*api_version, &*kind) {
        (_, "") => format!("apiVersion `{api_version}`"),
        ("", _) => format!("kind `{kind}`"),
        _ => format!("kind `{kind}` of `{api_version}`"),
    }
}
