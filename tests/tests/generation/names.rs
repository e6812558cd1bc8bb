//! Names that clash are decided on in the same way whatever the order of properties, schemas and
//! documents.

use kapigen::Sources;
use kapigen::input::Source;
use kapigen::model::Api;
use kapigen::model::wellknown::META;
use proptest::collection::btree_map;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use test_support::random::Random;

/// Properties, many of which would be the same field or have types of the same name.
const PROPERTIES: [&str; 9] = [
    "proxyURL",
    "proxyUrl",
    "proxy_url",
    "proxy-url",
    "proxy_url_2",
    "spec",
    "Spec",
    "specProxy",
    "spec2",
];

/// Schemas, many of which would be the same type.
const SCHEMAS: [&str; 8] =
    ["Pod", "pod", "PodSpec", "pod-spec", "Pod2", "a.v1.Pod", "a.v1.pod", "PodSpecProxyUrl"];

/// Groups, some of which would be the same module.
const GROUPS: [&str; 5] = ["autoscaling", "autoscaling.k8s.io", "a.b", "a-b", "a_b"];

#[test]
fn order_decides_no_names() {
    let config = Config { cases: 32, ..Config::default() };
    let mut runner = TestRunner::new(config);
    let result = runner.run(&(documents(), any::<u64>()), |(documents, seed)| {
        let names = names(&documents).map_err(TestCaseError::fail)?;
        let other = self::names(&permuted(&documents, seed)).map_err(TestCaseError::fail)?;
        let distinct: BTreeSet<&String> = names.values().collect();
        prop_assert_eq!(distinct.len(), names.len(), "two have one name: {:#?}", names);
        prop_assert_eq!(names, other);
        Ok(())
    });
    assert!(result.is_ok(), "{}", result.unwrap_err());
}

/// A schema in many others, with this name at each level.
fn nested(names: &[String], inner: Value) -> Value {
    let wrap = |inner: Value, name: &String| json!({"type": "object", "properties": {name: inner}});
    names.iter().rev().fold(inner, wrap)
}

#[test]
fn long_names_of_nested_types_are_shortened_each_by_itself() {
    let level = |index: usize| format!("aRatherLongPropertyNumber{index}");
    let levels: Vec<String> = (0..12).map(level).collect();
    let leaf = json!({"type": "object", "properties": {"x": {"type": "string"}}});
    let pod = |inner: Value| nested(&levels, inner);
    let of = |pod: Value| {
        let schemas = json!({"a.v1.Pod": pod, "a.v1.Podium": nested(&levels, leaf.clone())});
        let document = json!({"openapi": "3.0.3", "info": {"title": "", "version": ""}, "paths": {}, "components": {"schemas": schemas}});
        names(&json!({"a": document})).unwrap()
    };
    let plain = of(pod(leaf.clone()));
    let types: BTreeSet<&str> =
        plain.values().filter(|name| !name.contains('.')).map(String::as_str).collect();
    let shortened: Vec<_> = types
        .iter()
        .map(|name| name.rsplit("::").next().unwrap())
        .filter(|name| name.len() > 150)
        .collect();
    assert!(shortened.len() > 4, "{types:?}");
    for name in shortened {
        assert!(name.len() <= 200 && name.starts_with("Pod"), "{name}");
    }
    // Nothing that is not around it changes the name of a type: neither below it, nor beside it at
    // any level.
    let other = json!({"type": "object", "properties": {"y": {"type": "string"}}});
    let mut wider = leaf.clone();
    wider["properties"]["another"] = other.clone();
    let mut changed = vec![pod(wider)];
    for depth in 0..levels.len() {
        let mut wider = pod(leaf.clone());
        let pointer: String =
            levels[..depth].iter().flat_map(|level| ["/properties/", level]).collect();
        wider.pointer_mut(&pointer).expect("it is nested")["properties"]["another"] = other.clone();
        changed.push(wider);
    }
    for wider in changed {
        let with_another = of(wider);
        for (schema, name) in &plain {
            assert_eq!(with_another.get(schema), Some(name), "{schema}");
        }
    }
}

#[test]
fn clashing_names_are_numbered() {
    let strings = json!({"type": "object", "properties": {"proxyURL": {"type": "string"}, "proxyUrl": {"type": "string"}}});
    let schemas = json!({"pod": {"type": "object"}, "Pod": strings});
    let names =
        names(&json!({"a.json": document(vec!["a.b", "a-b"], &schemas)})).expect("it is accepted");
    let expected = [
        ("Pod", "a_b_v1_2::Pod"),
        ("Pod.proxyURL", "a_b_v1_2::Pod.proxy_url_2"),
        ("Pod.proxyUrl", "a_b_v1_2::Pod.proxy_url"),
        ("a-b/v1", "a_b_v1"),
        ("a.b/v1", "a_b_v1_2"),
        ("pod", "a_b_v1_2::Pod2"),
    ];
    assert_eq!(names, expected.map(|(from, to)| (from.to_owned(), to.to_owned())).into());
}

/// Documents by name. All copies of a schema are the same.
fn documents() -> impl Strategy<Value = Value> {
    let schemas = btree_map(select(&SCHEMAS[..]), schema(), 1..6);
    let groups = proptest::sample::subsequence(GROUPS.to_vec(), 0..=3);
    (schemas, groups, any::<[u8; 3]>()).prop_map(|(schemas, groups, split)| {
        let documents = ["a.json", "b.json", "c.json"].into_iter().zip(split).enumerate();
        let all = documents.map(|(index, (name, split))| {
            // The first has all schemas, and the others some copies.
            let some =
                schemas.iter().enumerate().filter(|(at, _)| index == 0 || split >> at & 1 == 1);
            let some: Map<String, Value> =
                some.map(|(_, (name, schema))| ((*name).to_owned(), schema.clone())).collect();
            let groups = groups.iter().copied().skip(index).step_by(3).collect();
            (name.to_owned(), document(groups, &some.into()))
        });
        all.collect::<Map<_, _>>().into()
    })
}

fn document(groups: Vec<&str>, schemas: &Value) -> Value {
    let response = json!({"200": {"description": "OK", "content": {"application/json": {"schema": {"type": "string"}}}}});
    let path =
        |group: &str| (format!("/apis/{group}/v1/things"), json!({"get": {"responses": response}}));
    let paths: Map<String, Value> = groups.into_iter().map(path).collect();
    json!({"openapi": "3.0.3", "info": {"title": "names", "version": "v1"}, "paths": paths,
        "components": {"schemas": schemas}})
}

/// An object with strings, enums and objects as properties.
fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "string"})),
        Just(json!({"type": "string", "enum": ["A", "B"]}))
    ];
    let object = |property: BoxedStrategy<Value>| {
        let properties = btree_map(select(&PROPERTIES[..]), property, 1..5);
        properties
            .prop_map(|properties| json!({"type": "object", "properties": properties}))
            .boxed()
    };
    object(leaf.prop_recursive(2, 12, 4, object).boxed())
}

/// The same documents in another order, with everything in them.
fn permuted(value: &Value, seed: u64) -> Value {
    match value {
        Value::Object(members) => {
            let mut random = Random::new(seed);
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            members.sort_by_cached_key(|_| random.number());
            members
                .into_iter()
                .map(|(key, member)| (key.clone(), permuted(member, seed)))
                .collect::<Map<_, _>>()
                .into()
        }
        other => other.clone(),
    }
}

/// The Rust name of every schema and property.
fn names(documents: &Value) -> Result<BTreeMap<String, String>, String> {
    let documents: Vec<(&String, &Value)> = documents.as_object().into_iter().flatten().collect();
    let keys = |pointer: &str| -> BTreeSet<&String> {
        let members =
            documents.iter().filter_map(|(_, document)| document.pointer(pointer)?.as_object());
        members.flatten().map(|(key, _)| key).collect()
    };
    let paths = keys("/paths");
    let group = |path: &&String| Some(json!({"group": path.split('/').nth(2)?, "version": "v1"}));
    let groups: Vec<Value> = paths.iter().filter_map(group).collect();
    let groups = json!({"groups": groups, "types": keys("/components/schemas")}).to_string();
    let sources = Sources {
        documents: documents
            .iter()
            .map(|(name, document)| Source::new(*name, document.to_string()))
            .collect(),
        groups: Some(Source::new("groups.yaml", groups)),
        ..Sources::default()
    };
    let modelled = kapigen::model(&sources).map_err(|errors| errors.to_string())?;
    Ok(named(&modelled.api))
}

fn named(api: &Api) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for (module, content) in api.modules.iter().filter(|(_, content)| !content.resources.is_empty())
    {
        names.insert(content.group_version.api_version(), module.clone());
    }
    for (id, def) in api.types().filter(|(id, _)| id.module != META) {
        for field in def.fields() {
            names.insert(format!("{}.{}", def.schema, field.wire), format!("{id}.{}", field.name));
        }
        names.insert(def.schema.clone(), id.to_string());
    }
    names
}
