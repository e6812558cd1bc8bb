//! What an object says that it is.

use super::table::Table;
use super::value::{Object, View};

/// Refuses an object whose `apiVersion` and `kind` say that it is something else. What is absent or empty says nothing.
pub(crate) fn check(object: &dyn Object, table: &Table) -> Result<(), String> {
    if table.identities.is_empty() {
        return Ok(());
    }
    let (mut api_version, mut kind) = ("", "");
    object.each(&mut |index, view| match (table.keys.names[index], view) {
        ("apiVersion", View::Str(text)) => api_version = text,
        ("kind", View::Str(text)) => kind = text,
        _ => {}
    });
    other(table, api_version, kind).map_or(Ok(()), Err)
}

/// What is wrong with an object that states this, if it is not what the table is of.
pub(crate) fn other(table: &Table, api_version: &str, kind: &str) -> Option<String> {
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
    match (api_version, kind) {
        (_, "") => format!("apiVersion `{api_version}`"),
        ("", _) => format!("kind `{kind}`"),
        _ => format!("kind `{kind}` of `{api_version}`"),
    }
}
