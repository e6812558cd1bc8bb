//! What holds for any value of any type, tried with random ones.

use kapigen_tests::compare::differences;
use kapigen_tests::documents::{Documents, Leaf, Member, Object, Shape};
use kapigen_tests::filler::examples;
use kapigen_tests::random::json;
use kapigen_tests::registry::TYPES;
use kapigen_tests::types::{Input, Output, Type};
use proptest::collection::{btree_map, vec};
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use serde_json::{Map, Value};

/// How many values of every type are tried.
const CASES: u32 = 32;

/// How often an optional member is there. Objects hold objects, so a value with most of them is a huge one.
const PRESENT: f64 = 0.4;

#[test]
fn any_value_of_any_type_comes_back() {
    let documents = Documents::read();
    let mut faults = Vec::new();
    for ty in TYPES {
        // The same values in every run: a failure can be looked at, and no other run is spoiled by one of bad luck.
        let config = Config { cases: CASES, failure_persistence: None, max_shrink_iters: 2000, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
        let result = runner.run(&strategy(&documents, documents.named(ty.schema)), |value| comes_back(ty, &value));
        faults.extend(result.err().map(|error| format!("{}::{}: {error}", ty.module, ty.name)));
    }
    assert!(faults.is_empty(), "{} types:\n{}", faults.len(), faults.join("\n"));
}

/// `encode(decode(x)) == x` for JSON, and `decode(encode(x)) == x` for values in Rust.
fn comes_back(ty: &Type, value: &Value) -> Result<(), TestCaseError> {
    let decoded = ty.read(Input::Tree(value)).map_err(TestCaseError::fail)?;
    let found = decoded.write(Output::Compact).map_err(TestCaseError::fail)?;
    let lost: Vec<String> = differences(value, &found).iter().map(ToString::to_string).collect();
    prop_assert!(lost.is_empty(), "{}", lost.join("\n"));
    let again = ty.read(Input::Text(&decoded.text().map_err(TestCaseError::fail)?)).map_err(TestCaseError::fail)?;
    prop_assert!(decoded.equals(&*again), "{decoded:?} is read as {again:?}");
    Ok(())
}

/// Values of a shape.
fn strategy(documents: &Documents, shape: Shape<'_>) -> BoxedStrategy<Value> {
    let below = |schema| strategy(documents, documents.shape(schema));
    match shape {
        Shape::Leaf(leaf) => prop_oneof![select(examples(leaf)), leaf_strategy(leaf)].boxed(),
        Shape::List(elements) => vec(below(elements), 0..3).prop_map(Value::from).boxed(),
        Shape::Map(values) => {
            btree_map(".{0,12}", below(values), 0..3).prop_map(|entries| entries.into_iter().collect()).boxed()
        }
        Shape::Object(object) => object_strategy(documents, object),
    }
}

/// Required members are always there, others by chance. What states its kind states one that it may.
fn object_strategy(documents: &Documents, object: Object<'_>) -> BoxedStrategy<Value> {
    let member = |member: Member<'_>| {
        let key = member.key.to_owned();
        let value = strategy(documents, documents.shape(member.schema)).prop_map(move |value| (key.clone(), value));
        if member.required { value.prop_map(Some).boxed() } else { weighted(PRESENT, value).boxed() }
    };
    let members: Vec<_> = object.members().map(member).collect();
    let members = members.prop_map(|members| members.into_iter().flatten().collect::<Map<_, _>>());
    if !object.states_kind() {
        return members.prop_map(Value::from).boxed();
    }
    let stated = |(mut members, (api_version, kind)): (Map<String, Value>, (String, String))| {
        for (key, stated) in [("apiVersion", api_version), ("kind", kind)] {
            members.entry(key).and_modify(|text| *text = stated.into());
        }
        Value::from(members)
    };
    (members, select(object.kinds())).prop_map(stated).boxed()
}

/// Random values as servers could write them.
fn leaf_strategy(leaf: Leaf) -> BoxedStrategy<Value> {
    let text = |pattern: &'static str| pattern.prop_map(Value::from).boxed();
    match leaf {
        Leaf::Bool => any::<bool>().prop_map(Value::from).boxed(),
        Leaf::Int32 => any::<i32>().prop_map(Value::from).boxed(),
        Leaf::Int64 => any::<i64>().prop_map(Value::from).boxed(),
        Leaf::Text => any::<String>().prop_map(Value::from).boxed(),
        Leaf::Bytes => text("([A-Za-z0-9+/]{4}){0,8}"),
        Leaf::Time => text("[1-9][0-9]{3}-(0[1-9]|1[0-2])-([01][1-9]|2[0-8])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}Z"),
        Leaf::MicroTime => {
            text("[1-9][0-9]{3}-(0[1-9]|1[0-2])-([01][1-9]|2[0-8])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\\.[0-9]{6}Z")
        }
        Leaf::Quantity => text("[+-]?[0-9]{1,20}(\\.[0-9]{0,9})?([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,3})?"),
        Leaf::IntOrString => prop_oneof![leaf_strategy(Leaf::Int32), leaf_strategy(Leaf::Text)].boxed(),
        Leaf::Fields => btree_map(any::<String>(), json(), 0..4).prop_map(|map| map.into_iter().collect()).boxed(),
        Leaf::Any => json().prop_filter("null is nothing", |value| !value.is_null()).boxed(),
    }
}
