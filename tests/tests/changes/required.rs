//! The rule of `Patch::apply`, for random objects of every kind: members that were set are sent,
//! and nothing else. Where a required zero may have been set or not, it is an error that names it.

use openshift_api::Patch;
use openshift_api::change::Undecided;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, Ordering};
use test_support::compare::differences;
use test_support::documents::{Documents, Leaf, Member, Object, Shape};
use test_support::random::{Random, value};
use test_support::registry::TYPES;
use test_support::types::{Decision, Origin, Type};

/// The number of objects of every kind.
const CASES: u32 = 8;

type Check = fn(&Documents, &Type, &Value, &mut Random) -> Result<(), String>;

/// Checks a law with random objects of every kind. Random required members are empty or absent.
fn every_kind(check: Check) {
    let documents = Documents::read();
    let mut failures = Vec::new();
    for ty in TYPES {
        let Shape::Object(object) = documents.named(ty.schema) else { continue };
        let shape = Shape::Object(object);
        let mut runner = TestRunner::new(Config { cases: CASES, ..Config::default() });
        let result = runner.run(&(value(documents, shape), any::<u64>()), |(mut tree, seed)| {
            let mut random = Random::new(seed);
            empty_some(documents, shape, &mut tree, &mut random);
            if let Some((api_version, kind)) = object.kinds().first().cloned() {
                tree["apiVersion"] = api_version.into();
                tree["kind"] = kind.into();
            }
            if let Some(metadata) = tree.get_mut("metadata").and_then(Value::as_object_mut) {
                metadata.remove("managedFields");
            }
            check(documents, ty, &tree, &mut random).map_err(TestCaseError::fail)
        });
        failures.extend(result.err().map(|error| format!("{}::{}: {error}", ty.module, ty.name)));
    }
    assert!(failures.is_empty(), "{} kinds:\n{}", failures.len(), failures.join("\n"));
}

/// Empties or removes random required members.
fn empty_some(documents: &Documents, shape: Shape<'_>, tree: &mut Value, random: &mut Random) {
    match (shape, tree) {
        (Shape::Object(object), Value::Object(members)) => {
            for member in object.members() {
                let shape = documents.shape(member.schema);
                let chance = random.below(if is_number(shape) { 3 } else { 6 });
                match (member.required, chance, documents.empty(shape)) {
                    (true, 0, _) => _ = members.remove(member.key),
                    (true, 1, Some(empty)) => _ = members.insert(member.key.to_owned(), empty),
                    _ => {
                        let member = members.get_mut(member.key).into_iter();
                        member.for_each(|tree| empty_some(documents, shape, tree, random));
                    }
                }
            }
        }
        (Shape::List(inner), Value::Array(values)) => values
            .iter_mut()
            .for_each(|tree| empty_some(documents, documents.shape(inner), tree, random)),
        (Shape::Map(inner), Value::Object(entries)) => entries
            .values_mut()
            .for_each(|tree| empty_some(documents, documents.shape(inner), tree, random)),
        _ => {}
    }
}

fn same(expected: &Value, patch: &Patch) -> Result<(), String> {
    let found = serde_json::from_slice(patch.body()).map_err(|error| error.to_string())?;
    let differences = differences(expected, &found);
    if differences.is_empty() {
        return Ok(());
    }
    Err(differences.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

#[test]
fn objects_are_sent_as_they_were_decoded() {
    every_kind(|documents, ty, tree, _| {
        let Some(patch) = ty.applied(tree, Origin::Decoded, &[]) else { return Ok(()) };
        same(&documents.without_null_members(documents.named(ty.schema), tree), &patch)
    });
}

#[test]
fn members_that_may_be_set_or_not_are_an_error_until_they_are_decided() {
    static UNDECIDED: AtomicU32 = AtomicU32::new(0);
    every_kind(|documents, ty, tree, random| {
        let Some(patch) = ty.applied(tree, Origin::Literal, &[]) else { return Ok(()) };
        let expected = Applied::new(documents, ty, tree, &[]);
        let named =
            patch.error().map(openshift_api::change::ChangeError::undecided).unwrap_or_default();
        let named: BTreeMap<_, _> =
            named.iter().map(|Undecided { path, member, .. }| (&**path, &**member)).collect();
        if !named
            .iter()
            .map(|(path, member)| (*path, *member))
            .eq(expected.undecided.iter().map(|(path, member)| (&**path, &**member)))
        {
            return Err(format!("{named:?} instead of {:?}", expected.undecided));
        }
        if named.is_empty() {
            return same(&expected.value, &patch);
        }
        UNDECIDED.fetch_add(1, Ordering::Relaxed);
        let members: BTreeSet<&str> = named.into_values().collect();
        let decisions: Vec<Decision> =
            members.iter().map(|member| ((*member).to_owned(), random.below(2) == 0)).collect();
        let expected = Applied::new(documents, ty, tree, &decisions);
        let patch = ty.applied(tree, Origin::Literal, &decisions).ok_or("no kind")?;
        match patch.error() {
            Some(error) => Err(format!("{decisions:?}: {error}")),
            None => same(&expected.value, &patch),
        }
    });
    let undecided = UNDECIDED.load(Ordering::Relaxed);
    assert!(undecided >= CASES, "only {undecided} objects of {CASES} for each kind");
}

/// The configuration of an object, by the rule.
struct Applied<'a> {
    documents: &'a Documents,
    decisions: &'a [Decision],
    value: Value,
    /// The paths of the members that may not have been set, and the ones that decide.
    undecided: BTreeMap<String, String>,
}

/// The path of a value, and the one that decides about it.
#[derive(Clone, Default)]
struct At(String, String);

impl At {
    fn member(&self, key: &str) -> Self {
        Self(joined(&self.0, key), joined(&self.1, key))
    }

    fn element(&self, index: usize) -> Self {
        Self(format!("{}[{index}]", self.0), format!("{}[]", self.1))
    }

    fn entry(&self, key: &str) -> Self {
        Self(joined(&self.0, key), format!("{}[]", self.1))
    }
}

fn joined(path: &str, key: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '-');
    match (!key.is_empty() && key.chars().all(is_plain), path.is_empty()) {
        (true, true) => key.to_owned(),
        (true, false) => format!("{path}.{key}"),
        (false, _) => format!("{path}[{key:?}]"),
    }
}

impl<'a> Applied<'a> {
    fn new(documents: &'a Documents, ty: &Type, tree: &Value, decisions: &'a [Decision]) -> Self {
        let undecided = BTreeMap::new();
        let mut applied = Self { documents, decisions, value: Value::Null, undecided };
        (applied.value, _) = applied.sent(documents.named(ty.schema), tree, &[], &At::default());
        applied
    }

    /// The part of a value that is sent, and whether anything in it is set. The members with these
    /// keys identify the value.
    fn sent(&mut self, shape: Shape<'_>, tree: &Value, keys: &[&str], at: &At) -> (Value, bool) {
        match (shape, tree) {
            (Shape::Object(object), Value::Object(members)) => {
                self.members(object, members, keys, at)
            }
            (Shape::List(inner), Value::Array(values)) => {
                let shape = self.documents.shape(inner);
                let sent = values
                    .iter()
                    .enumerate()
                    .map(|(index, tree)| self.sent(shape, tree, keys, &at.element(index)).0);
                (sent.collect(), !values.is_empty())
            }
            (Shape::Map(inner), Value::Object(entries)) => {
                let shape = self.documents.shape(inner);
                let sent = entries.iter().map(|(key, tree)| {
                    (key.clone(), self.sent(shape, tree, &[], &at.entry(key)).0)
                });
                (Value::Object(sent.collect()), !entries.is_empty())
            }
            (shape, tree) => {
                let is_empty = Some(tree) == self.documents.empty(shape).as_ref()
                    || ["{}", "[]"].contains(&&*tree.to_string());
                (tree.clone(), !is_empty)
            }
        }
    }

    fn members(
        &mut self,
        object: Object<'_>,
        members: &Map<String, Value>,
        keys: &[&str],
        at: &At,
    ) -> (Value, bool) {
        let mut sent = Map::new();
        let mut is_set = false;
        for member in object.members() {
            let shape = self.documents.shape(member.schema);
            let stated = members.get(member.key).filter(|value| !value.is_null()).cloned();
            let unset = || self.documents.empty(shape).filter(|_| member.required);
            let Some(tree) = stated.or_else(unset) else { continue };
            let at = at.member(member.key);
            let mut inner = BTreeMap::new();
            std::mem::swap(&mut inner, &mut self.undecided);
            let (tree, is_member_set) = self.sent(shape, &tree, &keys_of(member), &at);
            std::mem::swap(&mut inner, &mut self.undecided);
            let decision = self.decisions.iter().find(|(path, _)| *path == at.1);
            let must_be_set = member.required && !keys.contains(&member.key);
            match decision {
                _ if is_member_set || !must_be_set => {}
                Some((_, true)) => {}
                None if is_number(shape) => {
                    self.undecided.insert(at.0, at.1);
                    continue;
                }
                _ => continue,
            }
            is_set = true;
            self.undecided.extend(inner);
            sent.insert(member.key.to_owned(), tree);
        }
        (sent.into(), is_set)
    }
}

/// The members that identify the elements of a list.
fn keys_of(member: Member<'_>) -> Vec<&str> {
    let keys = member.schema["x-kubernetes-list-map-keys"].as_array().into_iter().flatten();
    keys.chain([&member.schema["x-kubernetes-patch-merge-key"]]).filter_map(Value::as_str).collect()
}

fn is_number(shape: Shape<'_>) -> bool {
    matches!(shape, Shape::Leaf(Leaf::Bool | Leaf::Int32 | Leaf::Int64 | Leaf::IntOrString))
}
