//! Label and field selectors, and the terms by which objects are found.

use crate::failure::Failure;
use crate::kinds::events;
use crate::object::{Tree, owners};
use crate::registry::Resource;
use crate::request::Incoming;
use crate::validate::{label_key_errors, label_value_errors};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

#[cfg(test)]
thread_local! {
    /// The number of objects that selections visited.
    pub(crate) static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// A selection of objects in a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    labels: LabelSelector,
    fields: FieldSelector,
}

impl Selection {
    pub(crate) fn from_request(
        request: &Incoming<'_>,
        resource: &Resource,
    ) -> Result<Self, Failure> {
        let labels =
            LabelSelector::parse(request.get("labelSelector")).map_err(Failure::bad_request)?;
        let fields = FieldSelector::parse(request.get("fieldSelector"), resource)
            .map_err(Failure::bad_request)?;
        Ok(Self { labels, fields })
    }

    /// Requires that a field has a value, too.
    pub(crate) fn and_field(self, path: &str, value: &str) -> Self {
        Self { fields: self.fields.and(path, value), ..self }
    }

    /// Requires that a label has a value, too.
    #[cfg(test)]
    pub(crate) fn and_label(self, key: &str, value: &str) -> Self {
        Self {
            labels: LabelSelector::parse(&format!("{key}={value}")).expect("a selector"),
            ..self
        }
    }

    /// Whether all objects are selected.
    pub(crate) fn is_everything(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the object at a path is selected: its namespace, a slash and its name, or a name
    /// alone.
    pub(crate) fn selects(&self, path: &str, terms: &Terms) -> bool {
        #[cfg(test)]
        LOOKED_AT.with(|count| count.set(count.get() + 1));
        self.labels.selects(terms) && self.fields.matches(path, terms)
    }

    /// The conditions that the index can evaluate, each as the terms of which a selected object has
    /// at least one.
    pub(crate) fn alternatives(&self) -> impl Iterator<Item = Vec<String>> {
        self.labels.alternatives().chain(self.fields.alternatives())
    }
}

/// Whether a label selector of an object, with `matchLabels` and `matchExpressions`, selects
/// another object.
pub(crate) fn selects_labels(selector: &Value, object: &Value) -> bool {
    let label = |key: &str| object.metadata("labels").and_then(|labels| labels.get(key)?.as_str());
    LabelSelector::from_value(selector).is_some_and(|selector| selector.matches(label))
}

/// A label selector of an object as a query parameter has it. Empty if it selects everything, or is
/// invalid.
pub(crate) fn selector_text(selector: &Value) -> String {
    LabelSelector::from_value(selector).map(|selector| selector.to_string()).unwrap_or_default()
}

/// The labels and selectable fields of an object, each with its value, and its owners. Fields
/// without a value are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Terms(Box<[Arc<str>]>);

/// The term of a label.
fn of_label(key: &str, value: &str) -> String {
    ["label ", key, "=", value].concat()
}

/// The term of a field.
fn of_field(path: &str, value: &str) -> String {
    ["field ", path, "=", value].concat()
}

/// The prefixes of owner terms: for owners that the object blocks from deletion, and for others.
const OWNERS: [&str; 2] = ["blocked owner ", "owner "];

/// The term of an owner, by its ID, and by whether the object blocks its deletion.
pub(crate) fn of_owner(uid: &str, is_blocked: bool) -> String {
    [OWNERS[usize::from(!is_blocked)], uid].concat()
}

impl Terms {
    /// The terms of an object with these selectable fields. Equal terms of several objects are
    /// shared by `intern`.
    pub(crate) fn new(
        object: &Value,
        selectable: &[String],
        intern: impl Fn(String) -> Arc<str>,
    ) -> Self {
        let labels = object.metadata("labels").and_then(Value::as_object).into_iter().flatten();
        let labels = labels.filter_map(|(key, value)| Some(of_label(key, value.as_str()?)));
        let fields = selectable.iter().filter_map(|path| {
            let value = field_value(object, path);
            (!value.is_empty()).then(|| of_field(path, &value))
        });
        let owners = owners(object).map(|owner| {
            let uid = owner["uid"].as_str().unwrap_or_default();
            of_owner(uid, owner["blockOwnerDeletion"] == true)
        });
        Self(labels.chain(fields).chain(owners).map(intern).collect())
    }

    /// Whether the object has owners.
    pub(crate) fn has_owners(&self) -> bool {
        self.0.iter().any(|term| OWNERS.iter().any(|start| term.starts_with(start)))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<str>> {
        self.0.iter()
    }

    /// The labels, each with its value.
    fn labels(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|term| term.strip_prefix("label ")?.split_once('='))
    }

    /// The value of a label.
    fn label(&self, key: &str) -> Option<&str> {
        self.value("label ", key)
    }

    /// The value of a field. Empty if it is absent.
    fn field(&self, path: &str) -> &str {
        self.value("field ", path).unwrap_or_default()
    }

    fn value(&self, kind: &str, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find_map(|term| term.strip_prefix(kind)?.strip_prefix(name)?.strip_prefix('='))
    }
}

/// Conditions on labels. All must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct LabelSelector(Vec<Requirement>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Requirement {
    key: String,
    operator: Operator,
    /// Sorted.
    values: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Operator {
    Exists,
    Absent,
    /// `In` with one value.
    Equals,
    In,
    NotIn,
    Greater,
    Less,
}

impl LabelSelector {
    /// The selector that an object states: labels alone, or `matchLabels` and `matchExpressions`.
    /// `None` if an operator is unknown.
    fn from_value(selector: &Value) -> Option<Self> {
        let expressions = selector.get("matchExpressions").and_then(Value::as_array);
        let has_members =
            expressions.is_some() || selector.get("matchLabels").is_some_and(Value::is_object);
        let labels = if has_members { selector.get("matchLabels") } else { Some(selector) };
        let mut requirements = Vec::new();
        for (key, value) in labels.and_then(Value::as_object).into_iter().flatten() {
            let values = vec![value.as_str()?.to_owned()];
            requirements.push(Requirement { key: key.clone(), operator: Operator::Equals, values });
        }
        for expression in expressions.into_iter().flatten() {
            let operator = match expression["operator"].as_str()? {
                "In" => Operator::In,
                "NotIn" => Operator::NotIn,
                "Exists" => Operator::Exists,
                "DoesNotExist" => Operator::Absent,
                _ => return None,
            };
            let key = expression["key"].as_str()?.to_owned();
            let values =
                expression["values"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let mut values: Vec<_> = values.map(str::to_owned).collect();
            values.sort();
            requirements.push(Requirement { key, operator, values });
        }
        Some(Self(requirements))
    }

    /// Whether an object with these terms is selected by a query.
    fn selects(&self, terms: &Terms) -> bool {
        let end = self.0.partition_point(|requirement| !requirement.holds_without());
        let (required, others) = self.0.split_at(end);
        // Objects have few labels, and selectors may have many conditions.
        let is_free = |(key, value): (&str, &str)| {
            let start = others.partition_point(|requirement| *requirement.key < *key);
            let of_key = others[start..].iter().take_while(|requirement| requirement.key == key);
            of_key.into_iter().all(|requirement| requirement.matches(Some(value)))
        };
        required.iter().all(|requirement| requirement.matches(terms.label(&requirement.key)))
            && (others.is_empty() || terms.labels().all(is_free))
    }

    /// Whether an object with these labels is selected.
    fn matches<'a>(&self, label: impl Fn(&str) -> Option<&'a str>) -> bool {
        self.0.iter().all(|requirement| requirement.matches(label(&requirement.key)))
    }

    /// For each label that must have one of several values, their terms.
    fn alternatives(&self) -> impl Iterator<Item = Vec<String>> {
        let is_listed = |requirement: &&Requirement| {
            matches!(requirement.operator, Operator::Equals | Operator::In)
        };
        let listed = self.0.iter().filter(is_listed);
        listed.map(|requirement| {
            requirement.values.iter().map(|value| of_label(&requirement.key, value)).collect()
        })
    }

    /// Parses a selector. Errors are worded as by a server.
    fn parse(text: &str) -> Result<Self, String> {
        let tokens = tokens(text);
        let mut parser = Parser { tokens: &tokens, position: 0 };
        let mut requirements = Vec::new();
        loop {
            match parser.peek() {
                "" => break,
                "!" => requirements.push(parser.requirement()?),
                token if is_word(token) => requirements.push(parser.requirement()?),
                other => {
                    return Err(format!(
                        "found '{other}', expected: !, identifier, or 'end of string'"
                    ));
                }
            }
            match parser.next() {
                "" => break,
                "," => {
                    let after = parser.peek();
                    if after != "!" && !is_word(after) {
                        return Err(format!("found '{after}', expected: identifier after ','"));
                    }
                }
                other => return Err(format!("found '{other}', expected: ',' or 'end of string'")),
            }
        }
        requirements
            .sort_by(|one, other| (one.holds_without(), one).cmp(&(other.holds_without(), other)));
        requirements.dedup();
        Ok(Self(requirements))
    }
}

impl Requirement {
    /// Whether it holds for an object without the label.
    fn holds_without(&self) -> bool {
        matches!(self.operator, Operator::Absent | Operator::NotIn)
    }

    fn matches(&self, value: Option<&str>) -> bool {
        let is_listed =
            |value: &str| self.values.binary_search_by(|known| (**known).cmp(value)).is_ok();
        let number = |text: &str| text.parse::<i64>().ok();
        let bound = self.values.first().and_then(|value| number(value));
        match (self.operator, value) {
            (Operator::Exists, value) => value.is_some(),
            (Operator::Absent, value) => value.is_none(),
            (Operator::Equals | Operator::In, value) => value.is_some_and(is_listed),
            (Operator::NotIn, value) => !value.is_some_and(is_listed),
            (Operator::Greater, value) => {
                value.and_then(number).zip(bound).is_some_and(|(value, bound)| value > bound)
            }
            (Operator::Less, value) => {
                value.and_then(number).zip(bound).is_some_and(|(value, bound)| value < bound)
            }
        }
    }

    fn checked(mut self) -> Result<Self, String> {
        let errors = label_key_errors(&self.key);
        if !errors.is_empty() {
            return Err(format!("<nil>: Invalid value: \"{}\": {}", self.key, errors.join("; ")));
        }
        for (index, value) in self.values.iter().enumerate() {
            if matches!(self.operator, Operator::Greater | Operator::Less) {
                let why = "for 'Gt', 'Lt' operators, the value must be an integer";
                value
                    .parse::<i64>()
                    .map_err(|_| format!("values[{index}]: Invalid value: \"{value}\": {why}"))?;
            }
            let errors = label_value_errors(value);
            if !errors.is_empty() {
                let why = errors.join("; ");
                return Err(format!(
                    "values[{index}][{}]: Invalid value: \"{value}\": {why}",
                    self.key
                ));
            }
        }
        self.values.sort();
        Ok(self)
    }
}

impl fmt::Display for LabelSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all: Vec<_> = self.0.iter().collect();
        all.sort_by_key(|requirement| &requirement.key);
        for (index, requirement) in all.into_iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{requirement}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = &self.key;
        let values = self.values.join(",");
        match self.operator {
            Operator::Exists => f.write_str(key),
            Operator::Absent => write!(f, "!{key}"),
            Operator::Equals => write!(f, "{key}={values}"),
            Operator::In => write!(f, "{key} in ({values})"),
            Operator::NotIn => write!(f, "{key} notin ({values})"),
            Operator::Greater => write!(f, "{key}>{values}"),
            Operator::Less => write!(f, "{key}<{values}"),
        }
    }
}

struct Parser<'a> {
    tokens: &'a [&'a str],
    position: usize,
}

impl<'a> Parser<'a> {
    /// The next token. Empty at the end.
    fn peek(&self) -> &'a str {
        self.tokens.get(self.position).copied().unwrap_or_default()
    }

    fn next(&mut self) -> &'a str {
        let token = self.peek();
        self.position += 1;
        token
    }

    fn requirement(&mut self) -> Result<Requirement, String> {
        self.unchecked()
            .and_then(Requirement::checked)
            .map_err(|error| format!("unable to parse requirement: {error}"))
    }

    fn unchecked(&mut self) -> Result<Requirement, String> {
        let is_negated = self.peek() == "!";
        if is_negated {
            self.next();
        }
        let key = self.next();
        if !is_word(key) {
            return Err(format!("found '{key}', expected: identifier"));
        }
        let requirement = |operator, values| Requirement { key: key.to_owned(), operator, values };
        if is_negated {
            return Ok(requirement(Operator::Absent, Vec::new()));
        }
        if matches!(self.peek(), "" | ",") {
            return Ok(requirement(Operator::Exists, Vec::new()));
        }
        let operator = match self.next() {
            "=" | "==" => (Operator::Equals, false),
            "in" => (Operator::In, true),
            "!=" => (Operator::NotIn, false),
            "notin" => (Operator::NotIn, true),
            ">" => (Operator::Greater, false),
            "<" => (Operator::Less, false),
            other => {
                return Err(format!("found '{other}', expected: in, notin, =, ==, !=, gt, lt"));
            }
        };
        let values = if operator.1 { self.values()? } else { vec![self.value()?] };
        Ok(requirement(operator.0, values))
    }

    /// A value after an operator. None is the empty one.
    fn value(&mut self) -> Result<String, String> {
        match self.peek() {
            "" | "," => Ok(String::new()),
            token if is_word(token) => Ok(self.next().to_owned()),
            other => Err(format!("found '{other}', expected: identifier")),
        }
    }

    fn values(&mut self) -> Result<Vec<String>, String> {
        let open = self.next();
        if open != "(" {
            return Err(format!("found '{open}' expected: '('"));
        }
        let mut values = Vec::new();
        let mut value = String::new();
        loop {
            match self.next() {
                ")" => break,
                "," => values.push(std::mem::take(&mut value)),
                "" => return Err("found '', expected: ',', or identifier".to_owned()),
                token => token.clone_into(&mut value),
            }
        }
        values.push(value);
        Ok(values)
    }
}

fn is_word(token: &str) -> bool {
    !token.is_empty() && !token.starts_with(['!', '=', '<', '>', '(', ')', ','])
}

/// The words and operators of a selector.
fn tokens(text: &str) -> Vec<&str> {
    let is_special = |c: char| "!=<>(),".contains(c);
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if ["==", "!="].iter().any(|operator| rest.starts_with(operator)) {
            2
        } else if is_special(first) {
            1
        } else {
            rest.find(|c: char| is_special(c) || c.is_whitespace()).unwrap_or(rest.len())
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

/// Conditions on members. All must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct FieldSelector(Vec<Term>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    path: String,
    value: String,
    is_equal: bool,
}

impl FieldSelector {
    fn parse(text: &str, resource: &Resource) -> Result<Self, String> {
        let mut terms = Vec::new();
        for part in split_terms(text).into_iter().filter(|part| !part.is_empty()) {
            let (path, is_equal, value) = split(part)
                .ok_or_else(|| format!("invalid selector: '{text}'; can't understand '{part}'"))?;
            let value = unescaped(value)?;
            if path.is_empty() && value.is_empty() {
                continue;
            }
            let path = if path == "spec.host" && resource.key().as_ref() == "pods." {
                "spec.nodeName"
            } else {
                path
            };
            check(path, resource)?;
            let is_event = resource.is_event_of_core();
            let path = if is_event { events::core_path(path) } else { path.to_owned() };
            terms.push(Term { path, value, is_equal });
        }
        Ok(Self(terms))
    }

    /// Requires that a field has a value, too.
    fn and(mut self, path: &str, value: &str) -> Self {
        self.0.push(Term { path: path.to_owned(), value: value.to_owned(), is_equal: true });
        self
    }

    /// Whether the object at a path has the fields.
    fn matches(&self, path: &str, terms: &Terms) -> bool {
        let (namespace, name) = path.split_once('/').unwrap_or(("", path));
        self.0.iter().all(|term| {
            let found = match &*term.path {
                "metadata.name" => name,
                "metadata.namespace" => namespace,
                path => terms.field(path),
            };
            (found == term.value) == term.is_equal
        })
    }

    /// The terms that objects must have.
    fn alternatives(&self) -> impl Iterator<Item = Vec<String>> {
        let is_indexed =
            |term: &&Term| term.is_equal && !term.value.is_empty() && !is_common(&term.path);
        self.0.iter().filter(is_indexed).map(|term| vec![of_field(&term.path, &term.value)])
    }
}

/// The terms of a field selector, between commas that no backslash escapes.
fn split_terms(text: &str) -> Vec<&str> {
    let mut is_escaped = false;
    let is_comma = |c: char| {
        let is_free = !std::mem::take(&mut is_escaped);
        is_escaped = is_free && c == '\\';
        is_free && c == ','
    };
    text.split(is_comma).collect()
}

/// A value without backslashes before the characters that need one.
fn unescaped(value: &str) -> Result<String, String> {
    let refuse = |why: String| Err(format!("invalid field selector: {why}"));
    let mut plain = String::with_capacity(value.len());
    let mut characters = value.chars();
    while let Some(c) = characters.next() {
        match (c, if c == '\\' { characters.next() } else { None }) {
            ('\\', Some(escaped @ ('\\' | ',' | '='))) => plain.push(escaped),
            ('\\', escaped) => {
                let escaped = escaped.map(String::from).unwrap_or_default();
                return refuse(format!("invalid escape sequence: \\{escaped}"));
            }
            // Go prints the number of a character.
            (',' | '=', _) => {
                return refuse(format!("unescaped character in value: {}", u32::from(c)));
            }
            _ => plain.push(c),
        }
    }
    Ok(plain)
}

fn split(part: &str) -> Option<(&str, bool, &str)> {
    let index = part.find('=')?;
    let path = &part[..index];
    let value = &part[index + 1..];
    if let Some(path) = path.strip_suffix('!') {
        return Some((path, false, value));
    }
    Some((path, true, value.strip_prefix('=').unwrap_or(value)))
}

/// Whether objects of all kinds can be selected by a member.
fn is_common(path: &str) -> bool {
    matches!(path, "metadata.name" | "metadata.namespace")
}

/// Names the members that can be selected by, in the words of the kind's implementation.
fn check(path: &str, resource: &Resource) -> Result<(), String> {
    let custom = resource.custom.as_deref();
    let is_known = resource.facts.selectable.contains(&path)
        || custom.is_some_and(|custom| custom.selectable.iter().any(|known| known == path));
    if is_common(path) || is_known {
        return Ok(());
    }
    if custom.is_some() || !resource.facts.selectable.is_empty() {
        let kind = &resource.kind;
        return Err(match &*resource.group {
            "batch" => format!("field label {path:?} not supported for {kind:?}"),
            "resource.k8s.io" => {
                format!(
                    "field label not supported for {}, Kind={kind}: {path}",
                    resource.api_version()
                )
            }
            _ => format!("field label not supported: {path}"),
        });
    }
    Err(format!(
        "\"{path}\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
    ))
}

/// The component that an event is from, in the group `events.k8s.io` or in the core group.
fn source(event: &Value) -> String {
    let paths = [
        "source.component",
        "deprecatedSource.component",
        "reportingComponent",
        "reportingController",
    ];
    let mut components = paths.iter().filter_map(|path| event.at(path).and_then(Value::as_str));
    components.find(|component| !component.is_empty()).unwrap_or_default().to_owned()
}

/// A member as a string. Absent members have the zero values of Go.
fn field_value(object: &Value, path: &str) -> String {
    match (object.at(path), path) {
        (Some(Value::String(text)), _) => text.clone(),
        (_, "source") => source(object),
        (None | Some(Value::Null), "spec.hostNetwork" | "spec.unschedulable") => "false".to_owned(),
        (None | Some(Value::Null), "spec.schedulerName") => "default-scheduler".to_owned(),
        // Servers know the label of the list, and no pod has the field.
        (_, "status.podIPs") | (None | Some(Value::Null), _) => String::new(),
        (Some(other), _) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{LabelSelector, Terms, selector_text, selects_labels};
    use serde_json::json;

    #[test]
    fn selectors_of_objects_are_those_of_queries() {
        let selector = json!({
            "matchLabels": {"b": "2", "a": "1"},
            "matchExpressions": [
                {"key": "c", "operator": "In", "values": ["y", "x"]},
                {"key": "d", "operator": "Exists"},
                {"key": "f", "operator": "NotIn", "values": ["z"]},
                {"key": "e", "operator": "DoesNotExist"},
            ],
        });
        let text = "a=1,b=2,c in (x,y),d,!e,f notin (z)";
        assert_eq!(selector_text(&selector), text);
        assert_eq!(LabelSelector::parse(text).unwrap().to_string(), text);
        let expressions = json!({"matchExpressions": [{"key": "d", "operator": "Exists"}]});
        assert_eq!(selector_text(&expressions), "d");
        assert_eq!(selector_text(&json!({"app": "web", "a": "1"})), "a=1,app=web");
        assert_eq!([selector_text(&json!({})), selector_text(&json!(null))], [""; 2]);
        let is_selected =
            |labels| selects_labels(&selector, &json!({"metadata": {"labels": labels}}));
        assert!(is_selected(json!({"a": "1", "b": "2", "c": "x", "d": ""})));
        assert!(!is_selected(json!({"a": "1", "b": "2", "c": "z", "d": ""})));
        assert!(!is_selected(json!({"a": "1", "b": "2", "c": "x", "d": "", "e": ""})));
        let unknown =
            json!({"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1"]}]});
        assert!(!selects_labels(&unknown, &json!({"metadata": {"labels": {"a": "2"}}})));
        assert!(selects_labels(&json!({}), &json!({})));
    }

    #[test]
    fn selects_by_all_operators() {
        let object = json!({"metadata": {"labels": {"app": "web", "n": "3"}}});
        let terms = Terms::new(&object, &[], Into::into);
        for selector in [
            "",
            "app",
            "!nope",
            "app=web",
            "app==web",
            "app in (db, web)",
            "app notin (db)",
            "nope notin (x)",
            "n>2",
            "n<4",
            "app=web,n=3",
            " app = web ",
            "nope!=x",
        ] {
            assert!(LabelSelector::parse(selector).unwrap().selects(&terms), "{selector}");
        }
        for selector in [
            "nope",
            "!app",
            "app=db",
            "app!=web",
            "app in (db)",
            "app notin (web)",
            "n>3",
            "n<3",
            "app=",
        ] {
            assert!(!LabelSelector::parse(selector).unwrap().selects(&terms), "{selector}");
        }
    }
}
