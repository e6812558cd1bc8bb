//! Rules for every member of every type, whatever it is called: zeros survive, `null` is absent and
//! absent members stay absent, the last of two counts, and a value of another type is an error that
//! starts with its path.

use serde_json::{Map, Value, json};
use test_support::compare::differences;
use test_support::documents::{Documents, Leaf, Member, Shape};
use test_support::filler::Filler;
use test_support::registry::TYPES;
use test_support::types::{Input, Output, Type};

/// A rule for one member. The error has the difference.
type Law = fn(&Subject<'_>) -> Result<(), String>;

/// A member of a type.
struct Subject<'a> {
    documents: &'a Documents,
    ty: &'static Type,
    member: Member<'a>,
    shape: Shape<'a>,
    /// A value of the type with its required members only.
    least: &'a Map<String, Value>,
    /// A value of the member with everything.
    full: Value,
}

/// Holds a law against every member of every type.
fn every_member(law: Law) {
    let documents = Documents::read();
    let mut failures = Vec::new();
    let mut members = 0;
    for ty in TYPES {
        let Shape::Object(object) = documents.named(ty.schema) else { continue };
        let Some(Value::Object(least)) = documents.empty(Shape::Object(object)) else {
            panic!("an object is one")
        };
        for member in object.members() {
            let shape = documents.shape(member.schema);
            let full = match identity(&object.kinds(), member.key) {
                Some(stated) => stated,
                None => Filler::new(documents, 0).fill(shape),
            };
            let subject = Subject { documents, ty, member, shape, least: &least, full };
            members += 1;
            failures.extend(
                law(&subject).err().map(|failure| format!("{} {}: {failure}", ty.name, member.key)),
            );
        }
    }
    assert!(members > 500, "only {members} members were looked at");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// The value of a member that states the kind.
fn identity(kinds: &[(String, String)], key: &str) -> Option<Value> {
    let (api_version, kind) = kinds.first()?;
    match key {
        "apiVersion" => Some(api_version.as_str().into()),
        "kind" => Some(kind.as_str().into()),
        _ => None,
    }
}

impl Subject<'_> {
    /// The least value, and the member with these values after each other.
    fn text(&self, values: &[&Value]) -> String {
        let others = self.least.iter().filter(|(key, _)| *key != self.member.key);
        let own = values.iter().map(|value| (self.member.key, *value));
        let members = others.map(|(key, value)| (key.as_str(), value)).chain(own);
        let members: Vec<String> = members.map(|(key, value)| format!("{key:?}:{value}")).collect();
        format!("{{{}}}", members.join(","))
    }

    fn read(&self, values: &[&Value]) -> Result<Value, String> {
        self.ty.read(Input::Text(&self.text(values)))?.write(Output::Compact)
    }

    /// Checks that these values of the member come back as one, or as nothing.
    fn comes_back(&self, values: &[&Value], expected: Option<&Value>) -> Result<(), String> {
        let mut whole = self.least.clone();
        match expected {
            Some(expected) => _ = whole.insert(self.member.key.to_owned(), expected.clone()),
            None => _ = whole.remove(self.member.key),
        }
        let found = self.read(values)?;
        let clean =
            self.documents.without_null_members(self.documents.named(self.ty.schema), &found);
        let lost = differences(&whole.into(), &clean);
        if lost.is_empty() {
            Ok(())
        } else {
            Err(lost.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
        }
    }
}

#[test]
fn zeros_survive() {
    every_member(|subject| match subject.documents.empty(subject.shape) {
        Some(zero) => subject.comes_back(&[&zero], Some(&zero)),
        None => Ok(()),
    });
}

#[test]
fn null_is_the_same_as_absent() {
    every_member(|subject| {
        subject.comes_back(&[], None)?;
        subject.comes_back(&[&Value::Null], None)
    });
}

#[test]
fn the_last_of_two_members_counts_and_nothing_is_merged() {
    every_member(|subject| {
        let full = &subject.full;
        subject.comes_back(&[full, &Value::Null], None)?;
        subject.comes_back(&[&Value::Null, full], Some(full))?;
        if let Some(zero) = subject.documents.empty(subject.shape) {
            subject.comes_back(&[full, &zero], Some(&zero))?;
            subject.comes_back(&[&zero, full], Some(full))?;
        }
        Ok(())
    });
}

#[test]
fn values_of_other_types_are_errors_with_their_path() {
    every_member(|subject| {
        for (path, wrong) in misfits(subject.documents, subject.shape) {
            let text = subject.text(&[&wrong]);
            let tree = serde_json::from_str(&text).map_err(|error| error.to_string())?;
            let expected = format!("{}{path}: ", subject.member.key);
            for input in [Input::Text(&text), Input::Tree(&tree)] {
                match subject.ty.read(input) {
                    Ok(value) => return Err(format!("{wrong} is taken for {value:?}")),
                    Err(error) if error.starts_with(&expected) => {}
                    Err(error) => {
                        return Err(format!("{wrong}: `{error}` does not start with `{expected}`"));
                    }
                }
            }
        }
        Ok(())
    });
}

/// Values that do not fit, and where in the value the misfit is.
fn misfits(documents: &Documents, shape: Shape<'_>) -> Vec<(String, Value)> {
    let here = |values: Value| match values {
        Value::Array(values) => values.into_iter().map(|value| (String::new(), value)).collect(),
        value => panic!("{value} is not a list"),
    };
    let below = |schema, step: &str, wrap: fn(Value) -> Value| {
        let inner = misfits(documents, documents.shape(schema)).into_iter();
        inner.map(|(path, value)| (format!("{step}{path}"), wrap(value))).collect::<Vec<_>>()
    };
    let mut all: Vec<(String, Value)> = match shape {
        Shape::Leaf(leaf) => here(misfits_of(leaf)),
        Shape::List(_) => here(json!([true, 1, 1.5, "[]", {}])),
        Shape::Map(_) | Shape::Object(_) => here(json!([false, -1, 1.5, "{}", []])),
    };
    match shape {
        Shape::List(elements) => all.extend(below(elements, "[0]", |value| json!([value]))),
        Shape::Map(values) => all.extend(below(values, "[\"a b\"]", |value| json!({"a b": value}))),
        Shape::Leaf(_) | Shape::Object(_) => {}
    }
    all
}

fn misfits_of(leaf: Leaf) -> Value {
    match leaf {
        Leaf::Bool => json!([0, 1, 1.5, "true", [], {}]),
        Leaf::Int32 => {
            json!([true, "1", 5.0, 1.5, 1e3, 2_147_483_648_i64, -2_147_483_649_i64, [], {}])
        }
        Leaf::Int64 => {
            json!([true, "1", 5.0, 1.5, 1e3, 9_223_372_036_854_775_808_u64, 1e30, [], {}])
        }
        Leaf::Text => json!([true, 1, 1.5, [], {}]),
        Leaf::Bytes => json!([true, 1, 1.5, "A", "AA", "A===", "AA==A", "A-_A", " AA==", [], {}]),
        Leaf::Time | Leaf::MicroTime => {
            json!([true, 1, 1.5, "", "now", "2024-05-01", "2024-05-01T12:00:00", [], {}])
        }
        Leaf::Quantity => json!([true, "", "many", "1 Gi", "1KI", "0x1", "e3", "--1", [], {}]),
        Leaf::IntOrString => json!([true, 1.5, 5.0, 2_147_483_648_i64, -2_147_483_649_i64, [], {}]),
        Leaf::Fields | Leaf::Any => json!([]),
    }
}
