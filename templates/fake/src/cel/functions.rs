// not vendored
//! The functions of expressions, by their names.

use super::eval::{Evaluator, NO_OVERLOAD, Outcome, error};
use super::parser::{Expr, Node};
use super::value::Value;
use super::{convert, lists, named, net, quantity, semver, strings, time, url};

/// Functions that are called by their name alone.
const GLOBAL: [&str; 45] = [
    "bool",
    "bytes",
    "cidr",
    "double",
    "duration",
    "dyn",
    "format.byte",
    "format.date",
    "format.datetime",
    "format.dns1035Label",
    "format.dns1035LabelPrefix",
    "format.dns1123Label",
    "format.dns1123LabelPrefix",
    "format.dns1123Subdomain",
    "format.dns1123SubdomainPrefix",
    "format.labelValue",
    "format.named",
    "format.qualifiedName",
    "format.uri",
    "format.uuid",
    "int",
    "ip",
    "ip.isCanonical",
    "isCIDR",
    "isIP",
    "isQuantity",
    "isSemver",
    "isURL",
    "lists.range",
    "matches",
    "optional.none",
    "optional.of",
    "optional.ofNonZeroValue",
    "quantity",
    "semver",
    "sets.contains",
    "sets.equivalent",
    "sets.intersects",
    "size",
    "string",
    "strings.quote",
    "timestamp",
    "type",
    "uint",
    "url",
];

/// Functions that are called on a value.
const MEMBERS: [&str; 74] = [
    "add",
    "asApproximateFloat",
    "asInteger",
    "charAt",
    "compareTo",
    "contains",
    "containsCIDR",
    "containsIP",
    "distinct",
    "endsWith",
    "family",
    "find",
    "findAll",
    "first",
    "flatten",
    "format",
    "getDate",
    "getDayOfMonth",
    "getDayOfWeek",
    "getDayOfYear",
    "getEscapedPath",
    "getFullYear",
    "getHost",
    "getHostname",
    "getHours",
    "getMilliseconds",
    "getMinutes",
    "getMonth",
    "getPort",
    "getQuery",
    "getScheme",
    "getSeconds",
    "hasValue",
    "indexOf",
    "ip",
    "isCanonical",
    "isGlobalUnicast",
    "isGreaterThan",
    "isInteger",
    "isLessThan",
    "isLinkLocalMulticast",
    "isLinkLocalUnicast",
    "isLoopback",
    "isSorted",
    "isUnspecified",
    "join",
    "last",
    "lastIndexOf",
    "lowerAscii",
    "major",
    "masked",
    "matches",
    "max",
    "min",
    "minor",
    "or",
    "orValue",
    "patch",
    "prefixLength",
    "replace",
    "reverse",
    "sign",
    "size",
    "slice",
    "sort",
    "split",
    "startsWith",
    "sub",
    "substring",
    "sum",
    "trim",
    "upperAscii",
    "validate",
    "value",
];

/// The types that have names in expressions.
const TYPES: [&str; 13] = [
    "bool",
    "bytes",
    "double",
    "google.protobuf.Duration",
    "google.protobuf.Timestamp",
    "int",
    "list",
    "map",
    "null_type",
    "optional_type",
    "string",
    "type",
    "uint",
];

/// The type of a name.
pub(super) fn type_named(name: &str) -> Option<&'static str> {
    TYPES.into_iter().find(|known| *known == name)
}

/// Whether a selection names a type, such as `google.protobuf.Timestamp`.
pub(super) fn is_type(of: &Node, field: &str) -> bool {
    qualified_type(of, field).is_some()
}

/// The type that a selection names.
pub(super) fn qualified_type(of: &Node, field: &str) -> Option<&'static str> {
    let Expr::Select { of, field: middle, .. } = &of.expr else { return None };
    let Expr::Name(first) = &of.expr else { return None };
    type_named(&format!("{first}.{middle}.{field}"))
}

/// The function of a name in a space of names, such as `optional.of`.
pub(super) fn qualified(space: &str, name: &str) -> Option<&'static str> {
    GLOBAL.into_iter().find(|known| known.split_once('.') == Some((space, name)))
}

/// Whether there is a function of a name, on a value or alone.
pub(super) fn is_known(name: &str, has_target: bool) -> bool {
    if has_target { MEMBERS.contains(&name) } else { GLOBAL.contains(&name) }
}

/// Calls a function. The value that it is called on is the first argument.
pub(super) fn call<'a>(
    evaluator: &mut Evaluator<'a>,
    name: &str,
    values: &[Value<'a>],
) -> Outcome<'a> {
    let found = core(name, values)
        .or_else(|| convert::call(evaluator, name, values))
        .or_else(|| strings::call(evaluator, name, values))
        .or_else(|| lists::call(evaluator, name, values))
        .or_else(|| time::call(name, values))
        .or_else(|| url::call(evaluator, name, values))
        .or_else(|| net::call(name, values))
        .or_else(|| quantity::call(name, values))
        .or_else(|| semver::call(name, values))
        .or_else(|| named::call(evaluator, name, values));
    found.unwrap_or_else(|| error(NO_OVERLOAD))
}

pub(super) use lists::sorted;

/// Types and optional values.
fn core<'a>(name: &str, values: &[Value<'a>]) -> Option<Outcome<'a>> {
    Some(Ok(match (name, values) {
        ("dyn", [value]) => value.clone(),
        ("type", [value]) => Value::Type(value.type_name()),
        ("optional.none", []) => Value::Optional(None),
        ("optional.of", [value]) => Value::optional(Some(value.clone())),
        ("optional.ofNonZeroValue", [value]) => {
            Value::optional(Some(value.clone()).filter(|value| !is_zero(value)))
        }
        ("hasValue", [Value::Optional(inner)]) => inner.is_some().into(),
        ("value", [Value::Optional(inner)]) => match inner {
            Some(inner) => (**inner).clone(),
            None => return Some(error("optional.none() dereference")),
        },
        ("orValue", [Value::Optional(inner), other]) => {
            inner.as_ref().map_or_else(|| other.clone(), |inner| (**inner).clone())
        }
        ("or", [first @ Value::Optional(inner), other @ Value::Optional(_)]) => {
            if inner.is_some() {
                first.clone()
            } else {
                other.clone()
            }
        }
        _ => return None,
    }))
}

/// Whether a value is the zero of its type.
fn is_zero(value: &Value<'_>) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(flag) => !flag,
        Value::Int(number) => *number == 0,
        Value::Uint(number) => *number == 0,
        Value::Double(number) => *number == 0.0,
        Value::String(text) => text.is_empty(),
        Value::Bytes(bytes) => bytes.is_empty(),
        value => value.list_len().or_else(|| value.map_len()) == Some(0),
    }
}
