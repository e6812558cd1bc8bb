//! The kind that an object of a kind known at run time states: other types know theirs.

use super::identity::{stated, stated_by};
use super::{Identified, Object, Slot};

impl<'o> Identified<'o> {
    /// The object with this identity.
    ///
    /// # Errors
    /// When the object states another one.
    pub(crate) fn stating(
        object: &'o dyn Object,
        api_version: &'o str,
        kind: &'o str,
    ) -> Result<Self, String> {
        check_stated(stated_by(object).into(), [api_version, kind])?;
        Ok(Self { object, identity: Some((api_version, kind)) })
    }
}

/// Refuses an identity other than the one that is meant. Empty strings state nothing.
pub(crate) fn check_stated(
    [stated_version, stated_kind]: [&str; 2],
    [api_version, kind]: [&str; 2],
) -> Result<(), String> {
    let fits = |stated: &str, meant: &str| stated.is_empty() || stated == meant;
    if fits(stated_version, api_version) && fits(stated_kind, kind) {
        return Ok(());
    }
    Err(format!(
        "expected {}, found {}",
        stated(api_version, kind),
        stated(stated_version, stated_kind)
    ))
}

/// States the kind of an item of a list, which servers leave out, in an object of any kind.
pub(crate) fn complete(item: &mut dyn Object, api_version: &str, list_kind: &str) {
    let table = item.table();
    let kind = list_kind.strip_suffix("List").unwrap_or_default();
    if api_version.is_empty() || kind.is_empty() || !table.identities.is_empty() {
        return;
    }
    let (stated_version, stated_kind) = stated_by(item);
    let is_absent = [stated_version.is_empty(), stated_kind.is_empty()];
    for ((name, value), is_absent) in
        [("apiVersion", api_version), ("kind", kind)].into_iter().zip(is_absent)
    {
        let member = table.keys.index().find(name).filter(|_| is_absent);
        if let Some(Slot::String(text)) = member.map(|index| item.member_mut(index, true)) {
            value.clone_into(text);
        }
    }
}

/// As [`complete`], for all items of a list of any kind. Lists of other types stay as they are.
pub(crate) fn complete_items(list: &mut dyn Object) {
    let table = list.table();
    let items = table.keys.index().find("items").filter(|_| table.identities.is_empty());
    let Some(items) = items else { return };
    let (api_version, kind) = stated_by(list);
    let api_version = api_version.to_owned();
    let kind = kind.to_owned();
    let Slot::List(items) = list.member_mut(items, true) else { return };
    for index in 0..items.count() {
        if let Slot::Object(item) = items.element_mut(index, true) {
            complete(item, &api_version, &kind);
        }
    }
}

/// As [`complete`], with the members that the list has.
pub(crate) fn complete_item(item: &mut dyn Object, list: &dyn Object) {
    let (api_version, kind) = stated_by(list);
    complete(item, api_version, kind);
}
