// not vendored
//! The names that expressions have for members, and the paths in `fieldPath`.

use super::decl::subschema;
use serde_json::Value;

/// Words that cannot be names in an expression.
const WORDS: [&str; 21] = [
    "true",
    "false",
    "null",
    "in",
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// The name that expressions have for a member. A member of a name that cannot be written so has
/// none, and is mapped to its own.
pub(super) fn escape(name: &str) -> String {
    if WORDS.contains(&name) {
        return format!("__{name}__");
    }
    name.replace("__", "__underscores__")
        .replace('.', "__dot__")
        .replace('-', "__dash__")
        .replace('/', "__slash__")
}

/// Whether expressions have a name for a member.
pub(super) fn is_nameable(name: &str) -> bool {
    name.starts_with(|c: char| !c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_./-".contains(c))
}

/// The path to which a `fieldPath` leads in a schema, without its first dot: `a.b[c]`. `None` if
/// there is no such member.
pub(super) fn field_path(path: &str, schema: &Value) -> Option<String> {
    let mut schema = schema;
    let mut found = String::new();
    let mut rest = path;
    while !rest.is_empty() {
        let (name, after) = if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[', ']']).unwrap_or(after.len());
            (after[..end].to_owned(), &after[end..])
        } else {
            quoted_step(rest)?
        };
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            schema = properties.get(&name)?;
            found.extend((!found.is_empty()).then_some('.'));
            found.push_str(&name);
        } else {
            schema = subschema(schema, "additionalProperties")?;
            found.extend(["[", &name, "]"]);
        }
        rest = after;
    }
    Some(found).filter(|found| !found.is_empty())
}

/// The name in `['name']` at the beginning of a path, and what follows it.
fn quoted_step(path: &str) -> Option<(String, &str)> {
    let mut rest = path.strip_prefix("['")?;
    let mut name = String::new();
    loop {
        let end = rest.find(['\'', '\\'])?;
        name.push_str(&rest[..end]);
        if let Some(after) = rest[end..].strip_prefix("']") {
            return Some((name, after));
        }
        let escaped = rest[end..].strip_prefix('\\')?.chars().next()?;
        name.push(escaped);
        rest = &rest[end + 1 + escaped.len_utf8()..];
    }
}
