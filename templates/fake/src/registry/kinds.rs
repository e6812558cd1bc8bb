//! The kinds that a definition of custom resources states.

use crate::cause::Cause;
use serde_json::Value;

const KIND: &str = "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case \
    alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. \
    'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/// The kinds of a definition that servers refuse. Absent ones are no matter of it.
pub(crate) fn bad_kinds(definition: &Value) -> Vec<Cause> {
    let stated = |name: &str| definition.pointer(&format!("/spec/names/{name}")).and_then(Value::as_str);
    let mut causes = Vec::new();
    for name in ["kind", "listKind"] {
        if let Some(kind) = stated(name).filter(|kind| !is_kind(kind)) {
            causes.push(Cause::invalid(format!("spec.names.{name}"), &kind.into(), KIND));
        }
    }
    if let Some(list_kind) = stated("listKind").filter(|list_kind| stated("kind") == Some(list_kind)) {
        let why = "kind and listKind may not be the same";
        causes.push(Cause::invalid("spec.names.listKind", &list_kind.into(), why));
    }
    causes
}

/// Whether a kind is a label of DNS, but for its case.
fn is_kind(kind: &str) -> bool {
    kind.len() <= 63
        && kind.starts_with(|first: char| first.is_ascii_alphabetic())
        && kind.ends_with(|last: char| last.is_ascii_alphanumeric())
        && kind.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}
