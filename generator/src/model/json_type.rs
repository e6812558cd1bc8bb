//! The JSON types of types, by which two types are exchangeable or not.

use super::{Type, WellKnown};

/// The JSON type of a type, as far as it must be the same for two types to be exchangeable.
#[must_use]
pub fn json_type(ty: &Type) -> String {
    match ty {
        Type::Bool => "boolean".to_owned(),
        Type::Int32 | Type::Int64 => "integer".to_owned(),
        Type::Double => "number".to_owned(),
        Type::String => "string".to_owned(),
        Type::WellKnown(WellKnown::RawJson) | Type::Named(_) => ANY.to_owned(),
        Type::WellKnown(ty) => ty.name().to_owned(),
        Type::List(inner) => format!("{ARRAY}{}", json_type(inner)),
        Type::Map(inner) => format!("{MAP}{}", json_type(inner)),
    }
}

/// The JSON type of free JSON, and of an object, whose properties are compared on their own.
const ANY: &str = "any";
const ARRAY: &str = "array of ";
const MAP: &str = "map of ";

/// Whether a type can hold the values that a document describes, both given as JSON types. Unknown JSON types fit all.
#[must_use]
pub fn is_compatible(document: &str, known: &str) -> bool {
    let inner = |start| Some((document.strip_prefix(start)?, known.strip_prefix(start)?));
    if let Some((document, known)) = inner(ARRAY).or_else(|| inner(MAP)) {
        return is_compatible(document, known);
    }
    let is_open = |ty: &str| ty == ANY || is_object(ty);
    document == known
        || document == ANY
        || known == ANY
        || (is_open(document) && is_free_object(known))
        || (is_open(known) && is_free_object(document))
        || json_types(document)
            .zip(json_types(known))
            .is_some_and(|(document, known)| document.iter().all(|ty| known.contains(ty)))
}

/// Whether values may be objects with any members.
#[must_use]
pub fn is_free_object(ty: &str) -> bool {
    ty == ANY || is_object(ty) || ty.strip_prefix(MAP) == Some(ANY)
}

/// Whether values of a well-known type are free JSON objects.
fn is_object(ty: &str) -> bool {
    WellKnown::by_name(ty).and_then(WellKnown::json_types) == Some(&["object"])
}

/// Whether values may be strings.
#[must_use]
pub fn is_string(ty: &str) -> bool {
    ty == ANY || ty == "string"
}

/// The JSON types of the values of a scalar or well-known type.
fn json_types(ty: &str) -> Option<&'static [&'static str]> {
    Some(match ty {
        "boolean" => &["boolean"],
        "integer" => &["integer"],
        "number" => &["integer", "number"],
        "string" => &["string"],
        other => return WellKnown::by_name(other)?.json_types(),
    })
}

#[cfg(test)]
mod tests {
    use super::is_compatible;

    #[test]
    fn types_are_compared_as_far_as_both_are_known() {
        let cases = [
            ("string", "string", true),
            ("string", "integer", false),
            ("any", "map of string", true),
            ("array of any", "array of string", true),
            ("array of string", "map of string", false),
            ("map of array of any", "map of array of string", true),
            ("map of array of integer", "map of array of string", false),
            ("map of any", "RawExtension", true),
            ("string", "RawExtension", false),
            ("string", "Time", true),
        ];
        for (one, other, expected) in cases {
            assert_eq!(is_compatible(one, other), expected, "{one} and {other}");
            assert_eq!(is_compatible(other, one), expected, "{other} and {one}");
        }
    }

    #[test]
    fn types_may_take_more_than_documents_say() {
        for (document, known) in [("IntOrString", "Quantity"), ("string", "Quantity"), ("integer", "number")] {
            assert!(is_compatible(document, known), "{document} and {known}");
            assert!(!is_compatible(known, document), "{known} and {document}");
        }
    }
}
