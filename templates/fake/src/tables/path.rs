//! The paths of columns of custom resources, in `JSONPath`.

use serde_json::Value;
use std::cmp::Ordering;

/// A path with members, elements and filters. Without steps it is the object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ColumnPath(Vec<ColumnStep>);

#[derive(Clone, Debug, PartialEq)]
enum ColumnStep {
    Member(String),
    /// An element, from the end if it is negative.
    Element(i64),
    /// All members or elements.
    All,
    Filter(Filter),
}

/// The elements of which a member compares with a value, or is there.
#[derive(Clone, Debug, PartialEq)]
struct Filter {
    path: ColumnPath,
    comparison: Option<(Comparison, Value)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// The operators, the longer ones first.
const COMPARISONS: [(&str, Comparison); 6] = [
    ("==", Comparison::Equal),
    ("!=", Comparison::Unequal),
    ("<=", Comparison::LessOrEqual),
    (">=", Comparison::GreaterOrEqual),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

impl ColumnPath {
    /// Reads a path. `None` if it has another form.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut steps = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            rest = if let Some(inner) = rest.strip_prefix('[') {
                let end = closing(inner)?;
                steps.push(bracketed(inner[..end].trim())?);
                &inner[end + 1..]
            } else {
                let (name, behind) = member(rest.strip_prefix('.')?);
                match &*name {
                    "" if behind.starts_with('[') => {}
                    "" => return None,
                    "*" => steps.push(ColumnStep::All),
                    _ => steps.push(ColumnStep::Member(name)),
                }
                behind
            };
        }
        Some(Self(steps))
    }

    /// The first value at the path.
    pub(crate) fn first<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        first(&self.0, value)
    }
}

/// A name of a member, in which other characters are escaped, and what is behind it.
fn member(text: &str) -> (String, &str) {
    let mut name = String::new();
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '.' | '[' => return (name, &text[at..]),
            '\\' => name.extend(characters.next().map(|(_, c)| c)),
            c => name.push(c),
        }
    }
    (name, "")
}

/// The offset of the bracket that closes, behind strings and brackets within.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '[') => depth += 1,
            (None, ']') if depth == 0 => return Some(at),
            (None, ']') => depth -= 1,
            _ => {}
        }
    }
    None
}

fn bracketed(text: &str) -> Option<ColumnStep> {
    if let Some(inner) = text.strip_prefix("?(").and_then(|inner| inner.strip_suffix(')')) {
        return Some(ColumnStep::Filter(filter(inner.trim())?));
    }
    if text == "*" {
        return Some(ColumnStep::All);
    }
    if let Some(Value::String(name)) = literal(text) {
        return Some(ColumnStep::Member(name));
    }
    text.parse().ok().map(ColumnStep::Element)
}

fn filter(text: &str) -> Option<Filter> {
    let text = text.strip_prefix('@')?;
    let found = COMPARISONS.iter().filter_map(|known| Some((text.find(known.0)?, known)));
    // Of two operators at one place the longer one comes first.
    let Some((at, (operator, comparison))) = found.min_by_key(|(at, _)| *at) else {
        return Some(Filter { path: ColumnPath::read(text.trim())?, comparison: None });
    };
    let path = ColumnPath::read(text[..at].trim())?;
    let value = literal(text[at + operator.len()..].trim())?;
    Some(Filter { path, comparison: Some((*comparison, value)) })
}

/// A string in quotes of either kind, a number or a boolean.
fn literal(text: &str) -> Option<Value> {
    for quote in ['\'', '"'] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote)) {
            return Some(inner.into());
        }
    }
    serde_json::from_str(text).ok().filter(|value: &Value| value.is_number() || value.is_boolean())
}

fn first<'a>(steps: &[ColumnStep], value: &'a Value) -> Option<&'a Value> {
    let Some((step, rest)) = steps.split_first() else { return Some(value) };
    match step {
        ColumnStep::Member(name) => first(rest, value.get(name)?),
        ColumnStep::Element(index) => {
            let elements = value.as_array()?;
            let index = usize::try_from(*index)
                .or_else(|_| usize::try_from(i64::try_from(elements.len()).unwrap_or(0) + index));
            first(rest, elements.get(index.ok()?)?)
        }
        ColumnStep::All => match value {
            Value::Array(elements) => elements.iter().find_map(|value| first(rest, value)),
            Value::Object(members) => members.values().find_map(|value| first(rest, value)),
            _ => None,
        },
        ColumnStep::Filter(filter) => {
            let elements = value.as_array()?.iter();
            elements.filter(|value| filter.takes(value)).find_map(|value| first(rest, value))
        }
    }
}

impl Filter {
    fn takes(&self, value: &Value) -> bool {
        let Some(found) = self.path.first(value) else { return false };
        let Some((comparison, wanted)) = &self.comparison else { return true };
        let order = match (found, wanted) {
            (Value::String(found), Value::String(wanted)) => Some(found.cmp(wanted)),
            (Value::Bool(found), Value::Bool(wanted)) => Some(found.cmp(wanted)),
            _ => found.as_f64().zip(wanted.as_f64()).and_then(|(a, b)| a.partial_cmp(&b)),
        };
        order.is_some_and(|order| match comparison {
            Comparison::Equal => order == Ordering::Equal,
            Comparison::Unequal => order != Ordering::Equal,
            Comparison::Less => order == Ordering::Less,
            Comparison::LessOrEqual => order != Ordering::Greater,
            Comparison::Greater => order == Ordering::Greater,
            Comparison::GreaterOrEqual => order != Ordering::Less,
        })
    }
}

/// The cell of a value in a column of this type. Values of other types are left out.
pub(super) fn cell(kind: &str, found: Option<&Value>) -> Value {
    let Some(found) = found.filter(|found| !found.is_null()) else { return Value::Null };
    match kind {
        "string" => found.as_str().map_or_else(|| found.to_string(), str::to_owned).into(),
        "integer" => whole(found).map_or(Value::Null, Value::from),
        "number" if found.is_number() => found.clone(),
        "boolean" if found.is_boolean() => found.clone(),
        _ => Value::Null,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "cut off, as Go does")]
fn whole(number: &Value) -> Option<i64> {
    number.as_i64().or_else(|| number.as_f64().map(|number| number as i64))
}

#[cfg(test)]
mod tests {
    use super::{ColumnPath, cell};
    use serde_json::{Value, json};

    #[test]
    fn columns_have_the_first_value_of_their_path() {
        let object = json!({
            "metadata": {"annotations": {"a.io/b": "x"}},
            "status": {
                "conditions": [
                    {"type": "Ready", "status": "True", "at": 3},
                    {"type": "Stale", "status": "False"},
                ],
                "count": 2.0, "addresses": ["a", "b"],
            },
        });
        for (path, kind, expected) in [
            (r#".status.conditions[?(@.type=="Ready")].status"#, "string", json!("True")),
            (".status.conditions[?(@.type == 'Stale')].status", "string", json!("False")),
            (".status.conditions[?(@.type!='Ready')].status", "string", json!("False")),
            (".status.conditions[?(@.at>=3)].type", "string", json!("Ready")),
            (".status.conditions[?(@.at)].type", "string", json!("Ready")),
            (".status.conditions[?(@.type=='Odd')].status", "string", Value::Null),
            (".status.conditions[*].at", "integer", json!(3)),
            (".status.addresses[0]", "string", json!("a")),
            (".status.addresses[-1]", "string", json!("b")),
            (".status.addresses[2]", "string", Value::Null),
            (".status.addresses", "string", json!(r#"["a","b"]"#)),
            (".status.count", "integer", json!(2)),
            (".status.count", "boolean", Value::Null),
            (r".metadata.annotations.a\.io/b", "string", json!("x")),
            (".metadata.annotations['a.io/b']", "string", json!("x")),
            (".none.below", "string", Value::Null),
        ] {
            let read = ColumnPath::read(path).expect(path);
            assert_eq!(cell(kind, read.first(&object)), expected, "{path}");
        }
        for other in ["status", ".status..x", ".a[", ".a[x]", ".a[?(x)]"] {
            assert_eq!(ColumnPath::read(other), None, "{other}");
        }
    }
}
