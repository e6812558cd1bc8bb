//! The rules that servers check of the values of a schema, and the defaults that they fill in, in
//! words.

use super::fields::is_nullable;
use crate::model::{Rule, Type, Words};
use crate::names::UNKNOWN;
use crate::openapi::resolve::Documents;
use crate::openapi::schema::{Additional, Schema, SchemaId};
use kapigen_definitions::schema_keywords::{self, Change, KEYWORDS, Role, Side, VALIDATIONS, find};
use serde_json::{Map, Number, Value, json};

/// The rules of a type.
pub(super) fn of_type(schema: &Schema) -> Vec<Rule> {
    limits(&schema.limits).into_iter().chain(checked(schema)).collect()
}

/// The rules of a field, and of the elements and values in it, which are documented nowhere else.
pub(super) fn of_field(
    documents: &Documents,
    id: SchemaId,
    ty: &Type,
    is_required: bool,
) -> Vec<Rule> {
    let own = of_value(documents, id, ty, is_required);
    let is_kept_apart = is_nullable(documents, documents.schema(id)) && !ty.is_free();
    let nullable = is_kept_apart.then(|| {
        let kept = sentence(", which is kept in ", [UNKNOWN.to_owned()], ".");
        [prose("May be "), code("null")].into_iter().chain(kept).collect()
    });
    own.into_iter().chain(nullable).chain(inner(documents, id, ty, "")).collect()
}

/// The rules of a value, unless its type documents them, as types of named schemas and hand-written
/// types do. The type of a nested schema may be shared with schemas that have other rules.
fn of_value(documents: &Documents, id: SchemaId, ty: &Type, is_required: bool) -> Vec<Rule> {
    let schema = documents.schema(id);
    let is_nested = documents.name(id).is_none();
    let ty = if let Type::Nullable(ty) = ty { ty } else { ty };
    if !is_nested && matches!(ty, Type::Named(_) | Type::WellKnown(_)) {
        return Vec::new();
    }
    // A named schema has its default and its values for all that refer to it.
    let values = is_nested.then(|| values(schema)).flatten();
    let default = is_nested.then(|| default(schema, is_required)).flatten();
    let form = together(format(schema, ty), limits(&schema.limits));
    values.into_iter().chain(form).chain(default).chain(checked(schema)).collect()
}

/// The rules of the elements of a list or the values of a map, at all levels.
fn inner(documents: &Documents, id: SchemaId, ty: &Type, of: &str) -> Vec<Rule> {
    let schema = documents.schema(id);
    let ty = if let Type::Nullable(ty) = ty { ty } else { ty };
    let (inner_type, word, used) = match (ty, &schema.items, &schema.additional) {
        (Type::List(inner), Some(items), _) => (inner, "element", items),
        (Type::Map(inner), _, Some(Additional::Schema(values))) => (inner, "value", values),
        _ => return Vec::new(),
    };
    // A reference that does not resolve was reported with the type.
    let Some(target) = used.target else { return Vec::new() };
    let of = format!("each {word}{of}");
    let subject = Words::Prose(format!("E{}: ", &of[1..]));
    // An element is always present, so its default is documented as for a required field.
    let rules = of_value(documents, target, inner_type, true).into_iter();
    let rules = rules.map(|rule| std::iter::once(subject.clone()).chain(rule).collect());
    rules.chain(inner(documents, target, inner_type, &format!(" of {of}"))).collect()
}

/// The conditions and expressions that a server checks.
fn checked(schema: &Schema) -> impl Iterator<Item = Rule> {
    let conditions =
        schema.conditions.iter().flat_map(|(keyword, value)| condition(keyword, value));
    conditions.chain(validations(schema))
}

fn prose(prose: impl Into<String>) -> Words {
    Words::Prose(prose.into())
}

fn code(code: impl Into<String>) -> Words {
    Words::Code(code.into())
}

/// A sentence about strings: `before`, the strings with commas between them, `after`.
fn sentence(before: &str, strings: impl IntoIterator<Item = String>, after: &str) -> Rule {
    let mut rule = vec![prose(before)];
    for (index, string) in strings.into_iter().enumerate() {
        rule.extend((index > 0).then(|| prose(", ")));
        rule.push(code(string));
    }
    rule.push(prose(after));
    rule
}

/// Two sentences as one paragraph.
fn together(one: Option<Rule>, other: Option<Rule>) -> Option<Rule> {
    match (one, other) {
        (Some(one), Some(other)) => {
            Some(one.into_iter().chain([prose(" ")]).chain(other).collect())
        }
        (one, other) => one.or(other),
    }
}

/// The maximum number of values that are listed: the type of the field lists more.
const MOST_VALUES: usize = 10;

/// The values that are allowed.
fn values(schema: &Schema) -> Option<Rule> {
    let values: Vec<String> =
        schema.values.iter().filter(|value| !value.is_null()).map(shown).collect();
    let more = values.len().saturating_sub(MOST_VALUES);
    if values.is_empty() || more > 0 && schema.is_enum() {
        return None;
    }
    let after = if more > 0 { format!(", or one of {more} more values.") } else { ".".to_owned() };
    let before = if values.len() == 1 { "Only " } else { "One of " };
    Some(sentence(before, values.into_iter().take(MOST_VALUES), &after))
}

/// A value as users write it: strings without quotes.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The format, where the type does not imply it.
fn format(schema: &Schema, ty: &Type) -> Option<Rule> {
    let format = schema.format.as_deref().filter(|format| !format.is_empty())?;
    let of_type: &[&str] = match ty {
        Type::String => &[],
        Type::Int32 | Type::Int64 => &["int32", "int64"],
        Type::Double => &["double"],
        _ => return None,
    };
    (!of_type.contains(&format)).then(|| sentence("Format ", [format.to_owned()], "."))
}

/// The longest default that is shown.
const LONGEST_DEFAULT: usize = 200;

/// The default. Servers written in Go publish an empty one for each field that is never absent, and
/// for references; it has no meaning.
fn default(schema: &Schema, is_required: bool) -> Option<Rule> {
    let default = schema.default.as_ref()?;
    let is_empty = match default {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(string) => string.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        Value::Object(members) => members.is_empty(),
    };
    if is_empty && (is_required || !schema.all_of.is_empty()) {
        return None;
    }
    let default = shown(default);
    let is_long = default.len() > LONGEST_DEFAULT;
    Some(if is_long { vec![prose("Has a default.")] } else { sentence("Default ", [default], ".") })
}

/// The longest conditions that are shown.
const LONGEST_CONDITION: usize = 400;

/// The rules of `allOf`, `anyOf`, `oneOf` or `not`.
fn condition(keyword: &str, value: &Value) -> Vec<Rule> {
    match (keyword, value) {
        (_, Value::Null) => vec![more_of(keyword)],
        ("not", condition) => vec![negated(condition)],
        // The type implies it.
        (_, choices)
            if *choices == json!([{"type": "integer"}, {"type": "string"}])
                || *choices == json!([{"type": "string"}, {"type": "integer"}]) =>
        {
            Vec::new()
        }
        ("allOf", Value::Array(branches)) => branches.iter().flat_map(branch).collect(),
        (_, Value::Array(branches)) => match branches.as_slice() {
            [] => Vec::new(),
            [only] => branch(only),
            branches => choice(keyword, branches).into_iter().collect(),
        },
        _ => Vec::new(),
    }
}

/// The mention of conditions that are too long for a sentence.
fn more_of(keyword: &str) -> Rule {
    sentence("The document has more conditions, in ", [keyword.to_owned()], ".")
}

/// The rules of a condition that always holds.
fn branch(condition: &Value) -> Vec<Rule> {
    let Some(members) = condition.as_object() else { return Vec::new() };
    // The target of a reference is the type.
    if members.is_empty() || members.contains_key("$ref") {
        return Vec::new();
    }
    if let Some(names) = required(condition) {
        return vec![sentence("Has ", names, ".")];
    }
    if members.keys().all(|name| schema_keywords::conditions().any(|known| known == name)) {
        return members
            .iter()
            .flat_map(|(keyword, value)| self::condition(keyword, value))
            .collect();
    }
    let only_limits =
        members.keys().all(|name| find(name).is_some_and(|keyword| keyword.role == Role::Limit));
    if let Some(limits) = limits(members).filter(|_| only_limits) {
        return vec![limits];
    }
    vec![matching("Matches ", [condition]).unwrap_or_else(|| more_of("allOf"))]
}

/// The rule of several conditions when at least one must hold, or exactly one. `None`: it always
/// holds.
fn choice(keyword: &str, branches: &[Value]) -> Option<Rule> {
    let is_one = keyword == "oneOf";
    let (negated, plain): (Vec<&Value>, Vec<&Value>) =
        branches.iter().partition(|branch| branch.get("not").is_some());
    let members: Option<Vec<Vec<String>>> = plain.iter().map(|branch| required(branch)).collect();
    let words = match (members, negated.as_slice()) {
        (Some(members), []) => {
            Some((if is_one { "Exactly one of " } else { "At least one of " }, members))
        }
        // Or none of them: the form in which Istio and others write it.
        (Some(members), [none]) if is_one && excludes(none, &plain) => {
            Some(("At most one of ", members))
        }
        _ => None,
    };
    match words {
        Some((_, members)) if members.len() < 2 => None,
        Some((words, members)) => {
            let mut rule = vec![prose(words)];
            for (index, names) in members.into_iter().enumerate() {
                rule.extend((index > 0).then(|| prose(", ")));
                for (index, name) in names.into_iter().enumerate() {
                    rule.extend((index > 0).then(|| prose(" with ")));
                    rule.push(code(name));
                }
            }
            rule.push(prose(" is set."));
            Some(rule)
        }
        None => {
            let words = if is_one { "Matches exactly one of " } else { "Matches at least one of " };
            Some(matching(words, branches).unwrap_or_else(|| more_of(keyword)))
        }
    }
}

/// Whether a branch excludes all others.
fn excludes(branch: &Value, others: &[&Value]) -> bool {
    let excluded = branch.get("not").and_then(|not| not.get("anyOf")).and_then(Value::as_array);
    let is_alone = branch.as_object().is_some_and(|members| members.len() == 1);
    is_alone && excluded.is_some_and(|excluded| excluded.iter().eq(others.iter().copied()))
}

/// The rule of a condition that must not hold.
fn negated(condition: &Value) -> Rule {
    let alternatives =
        condition.as_object().filter(|members| members.len() == 1).and_then(|all| all.get("anyOf"));
    let alternatives = alternatives.and_then(Value::as_array);
    let none: Option<Vec<Vec<String>>> = alternatives.and_then(|all| {
        all.iter().map(|branch| required(branch).filter(|names| names.len() == 1)).collect()
    });
    if let Some(none) = none.filter(|none| !none.is_empty()) {
        return sentence("None of ", none.concat(), " is set.");
    }
    match required(condition) {
        Some(names) if names.len() == 1 => sentence("Has no ", names, "."),
        Some(names) => sentence("Not all of ", names, " are set."),
        None => matching("Does not match ", [condition]).unwrap_or_else(|| more_of("not")),
    }
}

/// The members that a condition requires, if it has no other keywords.
fn required(condition: &Value) -> Option<Vec<String>> {
    let members = condition.as_object().filter(|members| members.len() == 1)?;
    let names = members.get("required")?.as_array().filter(|names| !names.is_empty())?;
    names.iter().map(|name| name.as_str().map(str::to_owned)).collect()
}

/// A sentence about schemas as they are written. `None`: it would be too long.
fn matching<'a>(words: &str, schemas: impl IntoIterator<Item = &'a Value>) -> Option<Rule> {
    let schemas = schemas.into_iter().map(|schema| {
        let name = schema["$ref"].as_str().and_then(|target| target.rsplit('/').next());
        name.map_or_else(|| schema.to_string(), str::to_owned)
    });
    let schemas: Vec<String> = schemas.collect();
    let length: usize = schemas.iter().map(String::len).sum();
    (length <= LONGEST_CONDITION).then(|| sentence(words, schemas, "."))
}

/// [`VALIDATIONS`].
fn validations(schema: &Schema) -> impl Iterator<Item = Rule> {
    let validations = schema.extensions.get(VALIDATIONS).and_then(Value::as_array);
    validations.into_iter().flatten().filter_map(validation)
}

/// An expression, and the message of the error where it does not hold.
fn validation(validation: &Value) -> Option<Rule> {
    let lines = ["rule", "message", "messageExpression"].map(|key| {
        let words: Vec<&str> = validation[key].as_str()?.split_whitespace().collect();
        Some(words.join(" "))
    });
    let [rule, message, expression] = lines;
    let rule = [prose("Rule "), code(rule?)];
    let message = match (message, expression) {
        (_, Some(expression)) => vec![prose(": message "), code(expression)],
        (Some(message), None) => vec![prose(format!(": {message}"))],
        (None, None) => Vec::new(),
    };
    Some(rule.into_iter().chain(message).collect())
}

/// The keywords of a schema that limit a value, as they are written there.
type Limits = Map<String, Value>;

/// A paragraph, or `None` if there are no limits.
fn limits(limits: &Limits) -> Option<Rule> {
    let multiple = number(limits, "multipleOf").map(|number| format!("A multiple of {number}."));
    let sentences: Vec<String> =
        range(limits).into_iter().chain(multiple).chain(counts(limits)).collect();
    let sentences = sentences.join(" ");
    let Some(pattern) = limits.get("pattern").and_then(Value::as_str) else {
        return (!sentences.is_empty()).then(|| vec![prose(sentences)]);
    };
    let matches =
        if sentences.is_empty() { "Matches ".to_owned() } else { format!("{sentences} Matches ") };
    Some(sentence(&matches, [pattern.to_owned()], "."))
}

/// The limits of each number of characters, elements or members.
fn counts(limits: &Limits) -> Vec<String> {
    let nouns = KEYWORDS.iter().filter_map(|keyword| match keyword.change {
        Change::Count(_, nouns) => Some(nouns),
        _ => None,
    });
    let mut nouns: Vec<_> = nouns.collect();
    nouns.dedup();
    nouns.into_iter().filter_map(|nouns| count(limits, nouns)).collect()
}

/// The limits of one of these numbers.
fn count(limits: &Limits, nouns: [&'static str; 2]) -> Option<String> {
    let [least, most] = [Side::Least, Side::Most].map(|side| {
        let keyword = KEYWORDS.iter().find(|known| known.change == Change::Count(side, nouns))?;
        limits.get(keyword.name)?.as_u64()
    });
    let least = least.filter(|least| *least > 0);
    let noun = if most.or(least) == Some(1) { nouns[0] } else { nouns[1] };
    match (least, most) {
        (None, None) => None,
        (Some(least), Some(most)) if least == most => Some(format!("Exactly {least} {noun}.")),
        (Some(least), Some(most)) => Some(format!("{least} to {most} {noun}.")),
        (Some(least), None) => Some(format!("At least {least} {noun}.")),
        (None, Some(most)) => Some(format!("At most {most} {noun}.")),
    }
}

fn range(limits: &Limits) -> Option<String> {
    let [excludes_least, excludes_most] = ["exclusiveMinimum", "exclusiveMaximum"]
        .map(|keyword| limits.get(keyword) == Some(&Value::Bool(true)));
    let least = if excludes_least { "More than" } else { "At least" };
    let most = if excludes_most { "Less than" } else { "At most" };
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
            (
                json!({"minLength": 1, "maxLength": 63, "pattern": "^a|b$"}),
                "1 to 63 characters. Matches <^a|b$>.",
            ),
            (json!({"minLength": 1}), "At least 1 character."),
            (json!({"minLength": 0, "maxLength": 253}), "At most 253 characters."),
            (json!({"minLength": 2, "maxLength": 2}), "Exactly 2 characters."),
            (json!({"pattern": "^`$"}), "Matches <^`$>."),
            (json!({"pattern": "^a\n\n# b$"}), "Matches <^a\n\n# b$>."),
            (json!({"minimum": 1, "maximum": 65535}), "At least 1. At most 65535."),
            (
                json!({"minimum": 0, "exclusiveMinimum": true, "multipleOf": 0.5}),
                "More than 0. A multiple of 0.5.",
            ),
            (
                json!({"maximum": 1.5, "exclusiveMaximum": true, "exclusiveMinimum": true}),
                "Less than 1.5.",
            ),
            (
                json!({"maxItems": 16, "minProperties": 1}),
                "At most 16 elements. At least 1 member.",
            ),
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
