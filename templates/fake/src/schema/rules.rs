//! Validation of custom resources by the rules of their schemas, in the order in which servers
//! check and report them.

use super::{ListRule, Node, formats, pattern};
use crate::object::normalize_numbers;
use kapigen_definitions::schema_keywords::{
    EMBEDDED, INT_OR_STRING, ListType, is_any_of_int_or_string,
};
use kapigen_definitions::{Cause, Path, quoted, type_name};
use serde_json::{Map, Value, json};
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

/// The rules of a schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// The name of the type, such as `integer`. Empty if any type will do.
    kind: String,
    format: String,
    required: Vec<String>,
    choices: Vec<Value>,
    multiple_of: Option<f64>,
    minimum: Option<Bound>,
    maximum: Option<Bound>,
    /// The number of characters.
    length: Count,
    pattern: Option<String>,
    elements: Count,
    members: Count,
    all_of: Vec<Part>,
    any_of: Vec<Part>,
    one_of: Vec<Part>,
    not: Option<Box<Part>>,
    /// Whether values are resources of their own.
    is_embedded: bool,
}

/// The least or the greatest number, inclusive or exclusive.
#[derive(Clone, Copy, Debug)]
struct Bound {
    number: f64,
    is_exclusive: bool,
}

/// The least and the greatest count.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    least: Option<usize>,
    most: Option<usize>,
}

/// A schema within `allOf`, `anyOf`, `oneOf` or `not`: it has rules for values that are described
/// around it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    rules: Rules,
    properties: BTreeMap<String, Part>,
    entries: Option<Box<Part>>,
    items: Option<Box<Part>>,
}

impl Rules {
    pub(super) fn read(schema: &Map<String, Value>) -> Self {
        let text =
            |key: &str| schema.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let number = |key: &str| schema.get(key).and_then(Value::as_f64);
        let size = |key: &str| {
            schema.get(key).and_then(Value::as_u64).and_then(|size| usize::try_from(size).ok())
        };
        let list = |key: &str| schema.get(key).and_then(Value::as_array).into_iter().flatten();
        let count = |least: &str, most: &str| Count { least: size(least), most: size(most) };
        let bound = |key: &str, exclusive: &str| {
            number(key).map(|number| Bound {
                number,
                is_exclusive: schema.get(exclusive) == Some(&json!(true)),
            })
        };
        let parts = |key: &str| list(key).map(Part::read).collect();
        let mut choices: Vec<_> = list("enum").cloned().collect();
        choices.iter_mut().for_each(normalize_numbers);
        let is_set = |key: &str| schema.get(key) == Some(&json!(true));
        let is_either = is_set(INT_OR_STRING);
        // The type of an embedded resource is checked with its metadata.
        let is_own = |name: &&str| !is_set(EMBEDDED) || !["apiVersion", "kind"].contains(name);
        Self {
            kind: if is_either { EITHER.to_owned() } else { text("type") },
            format: text("format"),
            required: list("required")
                .filter_map(Value::as_str)
                .filter(is_own)
                .map(str::to_owned)
                .collect(),
            choices,
            multiple_of: number("multipleOf"),
            minimum: bound("minimum", "exclusiveMinimum"),
            maximum: bound("maximum", "exclusiveMaximum"),
            length: count("minLength", "maxLength"),
            pattern: schema.get("pattern").and_then(Value::as_str).map(str::to_owned),
            elements: count("minItems", "maxItems"),
            members: count("minProperties", "maxProperties"),
            all_of: parts("allOf"),
            // The `anyOf` added to int-or-string schemas repeats the type.
            any_of: if is_any_of_int_or_string(schema) { Vec::new() } else { parts("anyOf") },
            one_of: parts("oneOf"),
            not: schema.get("not").map(Part::read).map(Box::new),
            is_embedded: is_set(EMBEDDED),
        }
    }

    pub(super) fn is_embedded(&self) -> bool {
        self.is_embedded
    }
}

/// The type of a value that is an integer or a string, in the words of servers.
const EITHER: &str = "integer,string";

impl Part {
    pub(crate) fn read(text: &Value) -> Self {
        let Some(schema) = text.as_object() else { return Self::default() };
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let below = |key: &str| {
            schema.get(key).filter(|below| below.is_object()).map(Self::read).map(Box::new)
        };
        Self {
            rules: Rules::read(schema),
            properties: properties.map(|(name, below)| (name.clone(), Self::read(below))).collect(),
            entries: below("additionalProperties"),
            items: below("items"),
        }
    }
}

/// A schema that has rules for values.
pub(crate) trait Checked: Copy {
    /// Its rules. `None` if there are none, neither for the value nor below it.
    fn rules(&self) -> Option<&Rules>;
    fn is_nullable(self) -> bool;
    /// The schema of a member of this name.
    fn below(self, name: &str) -> Option<Self>;
    fn of_elements(self) -> Option<Self>;
    /// The rule by which the elements of a list are told apart.
    fn list_rule(&self) -> &ListRule;
}

impl Checked for Node<'_> {
    fn rules(&self) -> Option<&Rules> {
        Node::rules(*self)
    }

    fn is_nullable(self) -> bool {
        Node::is_nullable(self)
    }

    fn below(self, name: &str) -> Option<Self> {
        Some(self.member(name))
    }

    fn of_elements(self) -> Option<Self> {
        Some(self.element())
    }

    fn list_rule(&self) -> &ListRule {
        Node::list_rule(*self)
    }
}

impl Checked for &Part {
    fn rules(&self) -> Option<&Rules> {
        Some(&self.rules)
    }

    fn is_nullable(self) -> bool {
        self.rules.kind.is_empty()
    }

    fn below(self, name: &str) -> Option<Self> {
        self.properties.get(name).or(self.entries.as_deref())
    }

    fn of_elements(self) -> Option<Self> {
        self.items.as_deref()
    }

    fn list_rule(&self) -> &ListRule {
        ListRule::ATOMIC
    }
}

/// The causes, and the number of checks that held: if all alternatives fail, the one with the most
/// is reported.
#[derive(Default)]
pub(super) struct Found {
    pub(super) causes: Vec<Cause>,
    held: usize,
    /// The remaining work: each check costs one, as does each choice, and each cause the bytes of
    /// its message.
    budget: usize,
}

/// The most checks for one object: more than any schema in use needs for an object that fits into
/// the store of a server.
const MOST_WORK: usize = 1 << 25;
/// The bytes of a string, or steps of an expression, that take as long as a check.
const BYTES_PER_CHECK: usize = 64;

impl Found {
    /// Nothing yet, for an object of its own.
    pub(super) fn with_work() -> Self {
        Self { budget: MOST_WORK, ..Self::default() }
    }

    fn spend(&mut self, work: usize) {
        self.budget = self.budget.saturating_sub(work);
    }

    pub(super) fn push(&mut self, cause: Cause) {
        self.spend(cause.field.len() + cause.message.len() + cause.pointer.len());
        self.causes.push(cause);
    }

    /// Adds the refusal of a combination, which names no field.
    fn refuse(&mut self, path: Path<'_>, why: &str) {
        let why = format!("{} must {why}", quoted(&path.to_string()));
        self.push(Cause::invalid("<nil>", &json!(""), &why));
    }

    /// Adds a cause, unless the budget is used up.
    pub(super) fn add(&mut self, cause: impl FnOnce() -> Cause) {
        if !self.is_full() {
            self.push(cause());
        }
    }

    fn is_full(&self) -> bool {
        self.budget == 0
    }

    fn is_valid(&self) -> bool {
        self.causes.is_empty()
    }

    /// The results of some schemas.
    fn results(&mut self, parts: &[Part], value: &Value, path: Path<'_>) -> Vec<Self> {
        let result = |part: &Part| {
            let mut result = Self { budget: self.budget, ..Self::default() };
            result.held = check(part, value, None, path, &mut result);
            self.budget = result.budget;
            result
        };
        parts.iter().map(result).collect()
    }

    /// Adds the causes of a result. Returns the number of its checks that held.
    fn merge(&mut self, result: Self) -> usize {
        self.causes.extend(result.causes);
        result.held
    }
}

/// The work that may still be spent on checks of several values.
#[derive(Debug)]
pub(crate) struct Work(usize);

impl Default for Work {
    fn default() -> Self {
        Self(MOST_WORK)
    }
}

impl Work {
    /// The causes for which a value is refused.
    pub(crate) fn check<S: Checked>(&mut self, schema: S, value: &Value) -> Vec<Cause> {
        let mut found = Found { budget: self.0, ..Found::default() };
        check(schema, value, None, Path::ROOT, &mut found);
        self.0 = found.budget;
        found.causes
    }
}

/// Checks a value, unless it is unchanged: the stored one may be older than the rules. Returns the
/// number of checks that held.
pub(super) fn check<S: Checked>(
    schema: S,
    value: &Value,
    old: Option<&Value>,
    path: Path<'_>,
    found: &mut Found,
) -> usize {
    let Some(rules) = schema.rules() else { return 1 };
    if found.is_full() || old == Some(value) {
        return 1;
    }
    found.budget -= 1;
    let mut held = 1;
    if !value.is_null() || !schema.is_nullable() {
        held += of_type(rules, value, path, found);
    }
    if !value.is_null() {
        held += 1 + combined(rules, value, path, found);
    }
    match value {
        Value::String(text) => held += of_string(rules, text, path, found),
        Value::Number(_) => held += of_number(rules, value, path, found),
        Value::Array(elements) => {
            held += of_array((schema, rules), elements, old, path, found);
        }
        _ => {}
    }
    held += 1;
    found.spend(rules.choices.len());
    // No choice is `null`, even if it is stated.
    let is_chosen = !value.is_null() && rules.choices.contains(value);
    if !rules.choices.is_empty() && !is_chosen {
        let choices = rules
            .choices
            .iter()
            .map(|choice| choice.as_str().map_or_else(|| choice.to_string(), str::to_owned));
        let choices: Vec<_> = choices.collect();
        let choices: Vec<_> = choices.iter().map(String::as_str).collect();
        found.push(Cause::unsupported(&path, value, &choices));
    }
    if let Value::Object(members) = value {
        held += of_object((schema, rules), members, old, path, found);
    }
    held
}

/// A value that a rule of its schema forbids.
fn invalid(path: Path<'_>, value: &Value, why: &str) -> Cause {
    Cause::invalid(&path, value, &format!("{path} in body {why}"))
}

fn mistyped(path: Path<'_>, value: &str, wanted: &str) -> Cause {
    let cause =
        invalid(path, &json!(value), &format!("must be of type {wanted}: {}", json!(value)));
    Cause { reason: "FieldValueTypeInvalid", ..cause }
}

/// The type. Strings with a format are described by the format alone.
fn of_type(rules: &Rules, value: &Value, path: Path<'_>, found: &mut Found) -> usize {
    let kind = &*rules.kind;
    let own = type_name(value);
    if kind.is_empty() {
        return 0;
    }
    let fits = match kind {
        EITHER => value.is_string() || value.is_i64(),
        "integer" => value.is_i64(),
        "number" => value.is_number(),
        _ => kind == own,
    };
    let is_formatted = kind == "string" && formats::is_known(&rules.format);
    if fits || is_formatted && value.is_array() {
        return 2;
    }
    let cause = match value {
        Value::Null => mistyped(path, "null", kind),
        _ if is_formatted => mistyped(path, format_of(value), &rules.format),
        _ => mistyped(path, own, kind),
    };
    found.push(cause);
    1
}

/// The format that Go has for a value.
fn format_of(value: &Value) -> &'static str {
    match value {
        Value::Number(number) if number.is_f64() => "float64",
        Value::Number(_) => "int64",
        _ => "",
    }
}

/// Combinations of schemas. They are undecided if the budget runs out.
fn combined(rules: &Rules, value: &Value, path: Path<'_>, found: &mut Found) -> usize {
    let mut held = 1;
    if !rules.any_of.is_empty() {
        let mut results = found.results(&rules.any_of, value, path);
        if found.is_full() {
            return held;
        }
        let valid = results.iter().position(Found::is_valid);
        if valid.is_none() {
            found.refuse(path, "validate at least one schema (anyOf)");
        }
        held += found.merge(results.swap_remove(valid.unwrap_or_else(|| best(&results))));
    }
    if !rules.one_of.is_empty() {
        let mut results = found.results(&rules.one_of, value, path);
        if found.is_full() {
            return held;
        }
        let valid = results.iter().position(Found::is_valid);
        let count = results.iter().filter(|result| result.is_valid()).count();
        match count {
            0 => found.refuse(path, "validate one and only one schema (oneOf). Found none valid"),
            1 => {}
            _ => found.refuse(
                path,
                &format!(
                    "validate one and only one schema (oneOf). Found {count} valid alternatives"
                ),
            ),
        }
        if count < 2 {
            held += found.merge(results.swap_remove(valid.unwrap_or_else(|| best(&results))));
        }
    }
    if !rules.all_of.is_empty() {
        let results = found.results(&rules.all_of, value, path);
        if found.is_full() {
            return held;
        }
        let count = results.iter().filter(|result| result.is_valid()).count();
        held += results.into_iter().map(|result| found.merge(result)).sum::<usize>();
        match count {
            _ if count == rules.all_of.len() => {}
            0 => found.refuse(path, "validate all the schemas (allOf). None validated"),
            _ => found.refuse(path, "validate all the schemas (allOf)"),
        }
    }
    if let Some(not) = &rules.not
        && found.results(std::slice::from_ref(&**not), value, path).iter().all(Found::is_valid)
        && !found.is_full()
    {
        found.refuse(path, "not validate the schema (not)");
    }
    held
}

/// The index of the first result with the most checks that held.
fn best(results: &[Found]) -> usize {
    let most = results.iter().map(|result| result.held).max();
    results.iter().position(|result| Some(result.held) == most).unwrap_or_default()
}

/// Length, pattern and format of a string. If the length is wrong, the pattern is not checked.
fn of_string(rules: &Rules, text: &str, path: Path<'_>, found: &mut Found) -> usize {
    let length = || text.chars().count();
    let refuse = |why: &str| invalid(path, &json!(text), why);
    found.spend(text.len() / BYTES_PER_CHECK);
    let Count { least, most } = rules.length;
    if let Some(most) = most.filter(|most| length() > *most) {
        found.push(Cause::too_long(&path, most));
    } else if let Some(least) = least.filter(|least| length() < *least) {
        found.push(refuse(&format!("should be at least {least} chars long")));
    } else if let Some(pattern) = &rules.pattern {
        match pattern::matches(pattern, text, &mut found.budget) {
            Ok(true) => {}
            Ok(false) => found.push(refuse(&format!("should match '{pattern}'"))),
            Err(why) => found.push(Cause::invalid(&path, &json!(""), &why)),
        }
    }
    if !formats::is_known(&rules.format) {
        return 1;
    }
    if !formats::fits(&rules.format, text) {
        found.push(mistyped(path, text, &rules.format));
    }
    2
}

fn of_number(rules: &Rules, value: &Value, path: Path<'_>, found: &mut Found) -> usize {
    let fits_format =
        value.as_i64().is_some_and(|whole| rules.format != "int32" || i32::try_from(whole).is_ok());
    if rules.kind == "integer" && !fits_format {
        let format = if rules.format.is_empty() {
            "(default format)".to_owned()
        } else {
            format!("with format {}", rules.format)
        };
        let why = format!("Checked value must be of type integer {format} in {path}");
        found.push(Cause::invalid("<nil>", &json!(""), &why));
    }
    if let Some(step) = rules.multiple_of.filter(|step| !is_multiple(value, *step)) {
        found.push(invalid(path, value, &format!("should be a multiple of {step}")));
    }
    if let Some(Bound { number: least, is_exclusive }) = rules.minimum
        && (if is_exclusive { order(value, least).is_le() } else { order(value, least).is_lt() })
    {
        let or = if is_exclusive { "" } else { "or equal to " };
        found.push(invalid(path, value, &format!("should be greater than {or}{least}")));
    }
    if let Some(Bound { number: most, is_exclusive }) = rules.maximum
        && (if is_exclusive { order(value, most).is_ge() } else { order(value, most).is_gt() })
    {
        let or = if is_exclusive { "" } else { "or equal to " };
        found.push(invalid(path, value, &format!("should be less than {or}{most}")));
    }
    2
}

/// A float as an integer, if it is one.
fn whole(number: f64) -> Option<i64> {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    let is_whole = number.fract() == 0.0 && (-BEYOND..BEYOND).contains(&number);
    #[expect(clippy::cast_possible_truncation, reason = "it is whole")]
    is_whole.then_some(number as i64)
}

/// Compares a number with a limit. Integers are compared as such: not all have a float of their
/// own.
fn order(value: &Value, limit: f64) -> Ordering {
    match (value.as_i64(), whole(limit)) {
        (Some(number), Some(limit)) => number.cmp(&limit),
        _ => {
            value.as_f64().and_then(|number| number.partial_cmp(&limit)).unwrap_or(Ordering::Equal)
        }
    }
}

/// Whether a number is a multiple of a step, as far as floats can show. Any is one of zero.
fn is_multiple(value: &Value, step: f64) -> bool {
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    const TOLERANCE: f64 = 1e-9;
    if let (Some(number), Some(step)) = (value.as_i64(), whole(step)) {
        return number.checked_rem(step).is_none_or(|rest| rest == 0);
    }
    let number = value.as_f64().unwrap_or_default();
    // The inverse of a fraction such as 0.1 is exact more often than the fraction is.
    let times = if step < 1.0 { 1.0 / step * number } else { number / step };
    let rest = times.fract();
    // Servers tolerate a positive number that is a little too large, and nothing else.
    let is_near = times >= 1.0 && rest / (times + times.trunc()) < TOLERANCE;
    times.abs() <= LARGEST && (rest == 0.0 || is_near)
}

fn of_array<S: Checked>(
    (schema, rules): (S, &Rules),
    elements: &[Value],
    old: Option<&Value>,
    path: Path<'_>,
    found: &mut Found,
) -> usize {
    let mut held = 2;
    if let Some(of_elements) = schema.of_elements() {
        let olds = by_key(schema.list_rule(), old);
        for (index, element) in elements.iter().enumerate() {
            let key = schema.list_rule().identity(element).filter(|_| !olds.is_empty());
            let old = key.and_then(|key| olds.get(&key).copied());
            held += check(of_elements, element, old, Path::Index(&path, index), found);
        }
    }
    let count = elements.len();
    let Count { least, most } = rules.elements;
    if let Some(least) = least.filter(|least| count < *least) {
        found.push(invalid(path, &json!(count), &format!("should have at least {least} items")));
    }
    if let Some(most) = most.filter(|most| count > *most) {
        found.push(too_many(path, count, most));
    }
    held
}

/// The elements of an old list by their keys. Only lists of type `map` have keys; in other lists
/// each new element is checked.
fn by_key<'a>(rule: &ListRule, old: Option<&'a Value>) -> HashMap<Value, &'a Value> {
    let mut olds = HashMap::new();
    if rule.list_type == ListType::Map {
        for old in old.and_then(Value::as_array).into_iter().flatten() {
            if let Some(key) = rule.identity(old) {
                olds.entry(key).or_insert(old);
            }
        }
    }
    olds
}

fn too_many(path: Path<'_>, count: usize, most: usize) -> Cause {
    let message = format!("Too many: {count}: must have at most {most} items");
    Cause::new(&path, "FieldValueTooMany", message)
}

/// The members of an object, unless there are too few or too many.
fn of_object<S: Checked>(
    (schema, rules): (S, &Rules),
    members: &Map<String, Value>,
    old: Option<&Value>,
    path: Path<'_>,
    found: &mut Found,
) -> usize {
    let count = members.len();
    let Count { least, most } = rules.members;
    if let Some(least) = least.filter(|least| count < *least) {
        found.push(invalid(
            path,
            &json!(least),
            &format!("should have at least {least} properties"),
        ));
        return 1;
    }
    if let Some(most) = most.filter(|most| count > *most) {
        found.push(too_many(path, count, most));
        return 1;
    }
    let mut held = 1;
    for (name, value) in members {
        if let Some(below) = schema.below(name) {
            // All versions of an object have its kind, whatever is stored.
            let is_own = !matches!((path, &**name), (Path::Start(..), "apiVersion" | "kind"));
            let old = old.and_then(|old| old.get(name)).filter(|_| is_own);
            held += check(below, value, old, Path::Member(&path, name), found);
        }
    }
    for name in rules.required.iter().filter(|name| !members.contains_key(*name)) {
        found.push(Cause::required(&path.member(name), ""));
    }
    held
}

#[cfg(test)]
mod tests {
    use super::{Found, MOST_WORK, Part, check};
    use kapigen_definitions::Path;
    use serde_json::{Value, json};

    /// The number of causes, and the work that was spent of some.
    fn checked(schema: &Value, value: &Value, work: usize) -> (usize, usize) {
        let mut found = Found { budget: work, ..Found::default() };
        check(&Part::read(schema), value, None, Path::ROOT, &mut found);
        (found.causes.len(), work - found.budget)
    }

    #[test]
    fn choices_strings_and_matches_are_paid_for() {
        let choices: Vec<_> = (0..1000).collect();
        let schema = json!({"items": {"enum": choices}});
        let (causes, spent) = checked(&schema, &json!(vec![999; 100]), MOST_WORK);
        assert!(causes == 0 && (100_000..101_000).contains(&spent), "{spent}");
        let schema = json!({"items": {"type": "string", "maxLength": 64_000}});
        let strings = json!(vec!["x".repeat(64_000); 10]);
        let (causes, spent) = checked(&schema, &strings, MOST_WORK);
        assert!(causes == 0 && (10_000..10_100).contains(&spent), "{spent}");
        let schema = json!({"items": {"pattern": "x".repeat(64)}});
        let (causes, spent) = checked(&schema, &strings, MOST_WORK);
        assert!(causes == 0 && (2_570_000..2_571_000).contains(&spent), "{spent}");
    }

    #[test]
    fn work_that_ends_early_refuses_nothing() {
        let integers = json!({"items": {"type": "integer"}});
        let strings = json!({"items": {"type": "string"}});
        let value = json!([1, 1, 1, 1, "a"]);
        for schema in [
            json!({"not": integers}),
            json!({"oneOf": [integers, integers]}),
            json!({"anyOf": [strings, strings]}),
            json!({"allOf": [strings, integers]}),
        ] {
            for work in 1..8 {
                assert_eq!(checked(&schema, &value, work).0, 0, "{schema} {work}");
            }
        }
    }

    /// Definitions state them so already. Documents are taken as they are.
    #[test]
    fn choices_need_no_fraction() {
        let schema = json!({"enum": [0.5, 1.0, [2.0]]});
        for (value, causes) in [(json!(1), 0), (json!([2]), 0), (json!(0.5), 0), (json!(2), 1)] {
            assert_eq!(checked(&schema, &value, MOST_WORK).0, causes, "{value}");
        }
    }
}
