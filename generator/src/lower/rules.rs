//! The rules that servers check of the values of a schema.

use crate::model::{Rule, Type, Words};
use crate::openapi::resolve::Documents;
use crate::openapi::schema::{Additional, Schema, SchemaId};
use serde_json::{Map, Number, Value};

/// The rules of a type.
pub(super) fn of_type(schema: &Schema) -> Vec<Rule> {
    checked(schema).collect()
}

/// The rules of a field, with those of the elements and values in it: those have no other place.
pub(super) fn of_field(documents: &Documents, id: SchemaId, ty: &Type) -> Vec<Rule> {
    let values = documents.name(id).is_none().then(|| values(documents.schema(id))).flatten();
    values.into_iter().chain(checked(documents.schema(id))).chain(inner(documents, id, ty, "")).collect()
}

/// The rules of the elements of a list or the values of a map, and of those in them. A schema with a name documents its
/// rules itself; the type of a nested one may be shared with others, which have other rules.
fn inner(documents: &Documents, id: SchemaId, ty: &Type, of: &str) -> Vec<Rule> {
    let schema = documents.schema(id);
    let (inner_type, word, used) = match (ty, &schema.items, &schema.additional) {
        (Type::List(inner), Some(items), _) => (inner, "element", items),
        (Type::Map(inner), _, Some(Additional::Schema(values))) => (inner, "value", values),
        _ => return Vec::new(),
    };
    let is_named = |id: &SchemaId| matches!(**inner_type, Type::Named(_)) && documents.name(*id).is_some();
    // A reference that does not resolve was reported with the type.
    let Some(target) = used.target.filter(|id| !is_named(id)) else { return Vec::new() };
    let of = format!("each {word}{of}");
    let subject = Words::Prose(format!("E{}: ", &of[1..]));
    let values = documents.name(target).is_none().then(|| values(documents.schema(target))).flatten();
    let rules = values
        .into_iter()
        .chain(checked(documents.schema(target)))
        .map(|rule| std::iter::once(subject.clone()).chain(rule).collect());
    rules.chain(inner(documents, target, inner_type, &format!(" of {of}"))).collect()
}

fn checked(schema: &Schema) -> impl Iterator<Item = Rule> {
    limits(&schema.limits).into_iter().chain(validations(schema))
}

/// The most values that are listed: the type of the field lists more.
const MOST_VALUES: usize = 10;

/// The values that are allowed.
fn values(schema: &Schema) -> Option<Rule> {
    let values: Vec<String> = schema.values.iter().filter(|value| !value.is_null()).map(shown).collect();
    let (last, others) = values.split_last().filter(|_| values.len() <= MOST_VALUES)?;
    let separated = |value: &String| [Words::Code(value.clone()), Words::Prose(", ".to_owned())];
    let mut rule = vec![Words::Prose(if others.is_empty() { "Only " } else { "One of " }.to_owned())];
    rule.extend(others.iter().flat_map(separated));
    rule.extend([Words::Code(last.clone()), Words::Prose(".".to_owned())]);
    Some(rule)
}

/// A value as users write it: strings without quotes.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// `x-kubernetes-validations`.
fn validations(schema: &Schema) -> impl Iterator<Item = Rule> {
    let validations = schema.extensions.get("x-kubernetes-validations").and_then(Value::as_array);
    validations.into_iter().flatten().filter_map(validation)
}

/// An expression, and the message of the error where it does not hold.
fn validation(validation: &Value) -> Option<Rule> {
    let line = |key| {
        let words: Vec<&str> = validation.get(key).and_then(Value::as_str)?.split_whitespace().collect();
        Some(words.join(" "))
    };
    let rule = [Words::Prose("Rule ".to_owned()), Words::Code(line("rule")?)];
    let message = line("message").map(|message| Words::Prose(format!(": {message}")));
    Some(rule.into_iter().chain(message).collect())
}

/// The keywords of a schema that limit a value, as they are written there.
type Limits = Map<String, Value>;

/// A paragraph, or nothing if there are no limits.
pub(super) fn limits(limits: &Limits) -> Option<Rule> {
    let counts = [
        count(limits, "Length", ["character", "characters"]),
        count(limits, "Items", ["element", "elements"]),
        count(limits, "Properties", ["member", "members"]),
    ];
    let multiple = number(limits, "multipleOf").map(|number| format!("A multiple of {number}."));
    let sentences: Vec<String> =
        range(limits).into_iter().chain(multiple).chain(counts.into_iter().flatten()).collect();
    let sentences = sentences.join(" ");
    let Some(pattern) = limits.get("pattern").and_then(Value::as_str) else {
        return (!sentences.is_empty()).then(|| vec![Words::Prose(sentences)]);
    };
    let matches = if sentences.is_empty() { "Matches ".to_owned() } else { format!("{sentences} Matches ") };
    Some(vec![Words::Prose(matches), Words::Code(pattern.to_owned()), Words::Prose(".".to_owned())])
}

/// The bounds of a number of elements: the keywords are `min…` and `max…`.
fn count(limits: &Limits, keyword: &str, [one, many]: [&str; 2]) -> Option<String> {
    let count = |bound| limits.get(&format!("{bound}{keyword}")).and_then(Value::as_u64);
    let noun = |count| if count == 1 { one } else { many };
    match (count("min").filter(|least| *least > 0), count("max")) {
        (None, None) => None,
        (Some(least), Some(most)) if least == most => Some(format!("Exactly {least} {}.", noun(least))),
        (Some(least), Some(most)) => Some(format!("{least} to {most} {}.", noun(most))),
        (Some(least), None) => Some(format!("At least {least} {}.", noun(least))),
        (None, Some(most)) => Some(format!("At most {most} {}.", noun(most))),
    }
}

fn range(limits: &Limits) -> Option<String> {
    let excludes = |keyword| limits.get(keyword) == Some(&Value::Bool(true));
    let least = if excludes("exclusiveMinimum") { "More than" } else { "At least" };
    let most = if excludes("exclusiveMaximum") { "Less than" } else { "At most" };
    let least = number(limits, "minimum").map(|number| format!("{least} {number}."));
    let most = number(limits, "maximum").map(|number| format!("{most} {number}."));
    let bounds: Vec<String> = least.into_iter().chain(most).collect();
    (!bounds.is_empty()).then(|| bounds.join(" "))
}

fn number<'a>(limits: &'a Limits, keyword: &str) -> Option<&'a Number> {
    limits.get(keyword)?.as_number()
}

#[cfg(test)]
mod tests {
    use super::{Words, limits};
    use serde_json::{Value, json};

    fn sentences(keywords: &Value) -> Option<String> {
        let words = limits(keywords.as_object()?)?;
        let shown = words.into_iter().map(|words| match words {
            Words::Prose(prose) => prose,
            Words::Code(code) => format!("<{code}>"),
        });
        Some(shown.collect())
    }

    #[test]
    fn limits_are_put_in_words() {
        let cases = [
            (json!({"minLength": 1, "maxLength": 63, "pattern": "^a|b$"}), "1 to 63 characters. Matches <^a|b$>."),
            (json!({"minLength": 1}), "At least 1 character."),
            (json!({"minLength": 0, "maxLength": 253}), "At most 253 characters."),
            (json!({"minLength": 2, "maxLength": 2}), "Exactly 2 characters."),
            (json!({"pattern": "^`$"}), "Matches <^`$>."),
            (json!({"pattern": "^a\n\n# b$"}), "Matches <^a\n\n# b$>."),
            (json!({"minimum": 1, "maximum": 65535}), "At least 1. At most 65535."),
            (json!({"minimum": 0, "exclusiveMinimum": true, "multipleOf": 0.5}), "More than 0. A multiple of 0.5."),
            (json!({"maximum": 1.5, "exclusiveMaximum": true, "exclusiveMinimum": true}), "Less than 1.5."),
            (json!({"maxItems": 16, "minProperties": 1}), "At most 16 elements. At least 1 member."),
        ];
        for (keywords, expected) in cases {
            assert_eq!(sentences(&keywords).as_deref(), Some(expected), "{keywords}");
        }
    }

    #[test]
    fn keywords_without_effect_are_left_out() {
        let cases = [
            json!({}),
            json!({"minLength": 0}),
            json!({"minLength": -1, "maxLength": "9", "maximum": null, "pattern": 7, "multipleOf": {}}),
            json!({"exclusiveMinimum": true}),
        ];
        for keywords in cases {
            assert_eq!(sentences(&keywords), None, "{keywords}");
        }
    }
}
