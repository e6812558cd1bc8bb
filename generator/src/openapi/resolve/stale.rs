//! Documents that describe the same operations: one of them is a copy, or was left behind by an
//! upgrade.

use crate::error::{Error, Errors, Location};
use crate::openapi::document::METHODS;
use crate::openapi::load::RawDocument;
use crate::pointer::escape;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Reports each pair of documents that have an operation in common.
pub(super) fn check(raws: &[RawDocument], errors: &mut Errors) {
    let mut first: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut reported = BTreeSet::new();
    for (index, raw) in raws.iter().enumerate() {
        for (path, method) in operations(raw) {
            let other = *first.entry((path, method)).or_insert(index);
            if other != index && reported.insert((other, index)) {
                errors.push(error(&raws[other], raw, path));
            }
        }
    }
}

fn operations(raw: &RawDocument) -> impl Iterator<Item = (&str, &str)> {
    let paths = raw.value.get("paths").and_then(Value::as_object).into_iter().flatten();
    paths.flat_map(|(path, item)| {
        let methods = METHODS.into_iter().filter(|method| item.get(method).is_some());
        methods.map(|method| (path.as_str(), method))
    })
}

fn error(other: &RawDocument, raw: &RawDocument, path: &str) -> Error {
    let at = Location::pointer(&raw.name, format!("/paths/{}", escape(path)));
    if other.value == raw.value {
        return Error::at(at, format!("`{}` is a copy of `{}`", raw.name, other.name))
            .help("remove one of the two");
    }
    let message =
        format!("`{}` and `{}` are both documents of {}", other.name, raw.name, served(path));
    Error::at(at, message).help(
        "both have this path: remove the one that is out of date, which an upgrade left behind",
    )
}

/// The group-version of a path, in words.
fn served(path: &str) -> String {
    match path.split('/').collect::<Vec<_>>().as_slice() {
        ["", "api", version, ..] => format!("`{version}`"),
        ["", "apis", group, version, ..] => format!("`{group}/{version}`"),
        _ => format!("`{path}`"),
    }
}
