//! Objects of any kind, and the values in them by path.

use kapigen_yaml::pointer::escape;
use openshift_api::dynamic::Object;
use openshift_api::meta_v1::RawJson;
use openshift_api::prelude::*;
use openshift_api::{from_str, to_string};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Any JSON.
fn tree() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<i32>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        "[a-c.\"\\\\é]{0,3}".prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let map = btree_map("[a-c.\\[\"é]{1,2}", inner.clone(), 0..4).prop_map(|map| json!(map));
        prop_oneof![vec(inner, 0..4).prop_map(Value::from), map]
    })
}

/// All paths in a tree, each with the pointer to the same value.
fn paths(value: &Value, path: &str, pointer: &str, all: &mut Vec<(String, String)>) {
    all.push((path.to_owned(), pointer.to_owned()));
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let token = escape(key);
                paths(value, &format!("{path}[{key:?}]"), &format!("{pointer}/{token}"), all);
            }
        }
        Value::Array(elements) => {
            for (index, value) in elements.iter().enumerate() {
                paths(value, &format!("{path}[{index}]"), &format!("{pointer}/{index}"), all);
            }
        }
        _ => {}
    }
}

fn object(spec: &Value) -> Object {
    serde_json::from_value(
        json!({"apiVersion": "example.com/v1", "kind": "Star", "metadata": {"name": "a"}, "spec": spec}),
    )
    .unwrap()
}

proptest! {
    /// Each value is found by its path; a value that is set there is found there, and nothing else
    /// changes.
    #[test]
    fn what_is_set_is_found_and_the_rest_stays(spec in tree(), choice: prop::sample::Index, new in tree()) {
        let mut tree = serde_json::to_value(object(&spec)).unwrap();
        let mut all = Vec::new();
        paths(&spec, "spec", "/spec", &mut all);
        let (path, pointer) = choice.get(&all);
        let mut object = object(&spec);
        let expected = tree.pointer(pointer).unwrap().clone();
        prop_assert_eq!(object.get::<Value>(path).unwrap(), Some(expected), "{}", path);
        object.set(path, &new).unwrap();
        *tree.pointer_mut(pointer).unwrap() = new.clone();
        prop_assert_eq!(object.get::<Value>(path).unwrap(), Some(new), "{}", path);
        prop_assert_eq!(serde_json::to_value(&object).unwrap(), tree);
    }

    /// A removed value is gone, and nothing else; setting it again brings the object back.
    #[test]
    fn a_member_that_is_removed_and_set_again_changes_nothing(spec in tree(), choice: prop::sample::Index) {
        let mut all = Vec::new();
        paths(&spec, "spec", "/spec", &mut all);
        let (path, _) = choice.get(&all);
        let before = object(&spec);
        let mut after = before.clone();
        let value = before.get::<RawJson>(path).unwrap().unwrap();
        prop_assert!(after.remove(path).unwrap());
        prop_assert_ne!(&after, &before);
        if path.ends_with("\"]") || path == "spec" {
            prop_assert_eq!(after.get::<RawJson>(path).unwrap(), None);
            prop_assert!(!after.remove(path).unwrap());
            after.set(path, value).unwrap();
            prop_assert_eq!(after, before);
        }
    }

    /// Whatever a path is, it is an error or a value, and an error changes nothing.
    #[test]
    fn no_path_does_harm(spec in tree(), path in "[a-c.\\[\\]\"0-9*é]{0,8}") {
        let path = format!("spec{path}");
        let mut object = object(&spec);
        let before = object.clone();
        let _ = object.get::<Value>(&path);
        if object.set(&path, 1).is_err() {
            prop_assert_eq!(object, before);
        } else {
            prop_assert_eq!(object.get::<i32>(&path).unwrap(), Some(1));
        }
    }
}

#[test]
fn all_else_keeps_its_spelling() {
    let text = r#"{"kind":"Star","metadata":{"name":"sun"},"spec":{"a":1.50,"b":[1e400,"\u0041"],"c":{}}}"#;
    let mut star: Object = from_str(text).unwrap();
    star.set("spec.c.d[0].e", "x").unwrap();
    assert_eq!(to_string(&star), text.replace(r#""c":{}"#, r#""c":{"d":[{"e":"x"}]}"#));
    star.remove("spec.c").unwrap();
    assert_eq!(to_string(&star), text.replace(r#","c":{}"#, ""));
}

#[test]
fn metadata_stays_typed() {
    let mut star = Object::new("example.com/v1", "Star").named("sun").within("space");
    star.set("metadata.labels[\"app.kubernetes.io/name\"]", "sun").unwrap();
    assert_eq!(star.metadata.labels.as_ref().unwrap()["app.kubernetes.io/name"], "sun");
    assert_eq!(star.get::<String>("metadata.namespace").unwrap().as_deref(), Some("space"));
    assert_eq!(star.get::<String>("kind").unwrap().as_deref(), Some("Star"));
    assert!(star.remove("metadata.namespace").unwrap());
    assert_eq!((star.name(), star.namespace()), ("sun", ""));
    let before = star.clone();
    let error = star.set("metadata.generation", "x").unwrap_err().to_string();
    assert!(
        error.starts_with("`metadata.generation`: ") && error.contains("generation"),
        "{error}"
    );
    assert_eq!(star, before);
}

#[test]
fn errors_name_the_path() {
    let mut star = object(&json!({"size": 3, "tags": ["hot"]}));
    let error = |result: Result<Option<Value>, openshift_api::dynamic::PathError>| {
        result.unwrap_err().to_string()
    };
    assert_eq!(
        error(star.get("spec.size.x")),
        "`spec.size.x`: `spec.size` is a number, not an object"
    );
    assert_eq!(
        error(star.get("spec.tags.x")),
        "`spec.tags.x`: `spec.tags` is a list, not an object"
    );
    assert_eq!(
        error(star.get("spec.tags[]")),
        "`spec.tags[]`: a single value is needed: give an index instead of `[]`"
    );
    assert_eq!(error(star.get("spec[0]")), "`spec[0]`: `spec` is an object, not a list");
    assert_eq!(error(star.get("[0]")), "`[0]`: it begins with no member");
    assert_eq!(
        error(star.get("a.")),
        "`a.`: the name of a member is missing at character 3 of the path"
    );
    let wrong = star.get::<String>("spec.size").unwrap_err().to_string();
    assert_eq!(wrong, "`spec.size`: expected a string, found an integer");
    let far = star.set("spec.tags[2]", "x").unwrap_err().to_string();
    assert_eq!(far, "`spec.tags[2]`: `spec.tags` has 1 elements: the next one is `[1]`");
    star.set("spec.tags[1]", "bright").unwrap();
    assert_eq!(star.get::<Vec<String>>("spec.tags").unwrap().unwrap(), ["hot", "bright"]);
    assert_eq!(star.get::<Value>("spec.none.at[3].all").unwrap(), None);
    assert_eq!(star.status_as::<Value>().unwrap_err().to_string(), "`status`: it is absent");
}

/// A part of a star in a program's own words.
#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[allow(dead_code)] // decoded only
struct Spec {
    size: u8,
    #[serde(default)]
    parts: Vec<Part>,
    #[serde(default)]
    phase: Option<Phase>,
    #[serde(default)]
    host: Option<std::net::IpAddr>,
}

#[derive(Debug, serde::Deserialize)]
#[allow(dead_code)]
struct Part {
    name: String,
}

#[derive(Debug, serde::Deserialize)]
enum Phase {
    Bright,
    Dark,
}

#[test]
fn errors_of_types_have_the_whole_path_and_no_value() {
    let error = |spec: Value| object(&spec).spec_as::<Spec>().unwrap_err().to_string();
    for (spec, expected) in [
        (json!({"size": "hunter2, expected hunter2"}), "`spec.size`: expected u8, found a string"),
        (json!({"size": 1777}), "`spec.size`: expected u8, found an integer"),
        (
            json!({"size": 1, "parts": [{"name": "a"}, {"name": 1777}]}),
            "`spec.parts[1].name`: expected a string, found an integer",
        ),
        (json!({"size": 1, "parts": [{}]}), "`spec.parts[0]`: missing field `name`"),
        (
            json!({"size": 1, "phase": "hunter2"}),
            "`spec.phase`: expected `Bright` or `Dark`, found another string",
        ),
        (json!({"size": 1, "host": "hunter2"}), "`spec.host`: it is not of the requested type"),
        (json!({}), "`spec`: missing field `size`"),
    ] {
        assert_eq!(error(spec), expected);
    }
    let secret: Object =
        from_str(r#"{"apiVersion":"v1","kind":"Secret","data":{"a":"hunter2"},"spec":7}"#).unwrap();
    assert_eq!(
        secret.get::<u8>("data.a").unwrap_err().to_string(),
        "`data.a`: expected u8, found a string"
    );
}

#[test]
fn errors_of_kinds_quote_no_value() {
    let pod: Object =
        from_str(r#"{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"name":1777}]}}"#)
            .unwrap();
    let error = pod.decode::<openshift_api::core_v1::Pod>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "spec.containers[0].name: expected a string, found something else"
    );
    let mut star = object(&json!({}));
    let error = star.set("metadata.labels.a", 1777).unwrap_err().to_string();
    assert_eq!(error, "`metadata.labels.a`: labels.a: expected a string, found something else");
    // A key in the path is not part of the message.
    let error = star.set(r#"metadata.labels["a, found kind `"]"#, 1777).unwrap_err();
    assert!(error.message.ends_with(": expected a string, found something else"), "{error}");
}

#[test]
fn of_repeated_members_the_last_one_is_found() {
    let star: Object = from_str(r#"{"spec":{"a":1,"a":{"b":2},"c":[3,4]}}"#).unwrap();
    assert_eq!(star.get::<u8>("spec.a.b").unwrap(), Some(2));
    assert_eq!(star.get::<u8>("spec.c[1]").unwrap(), Some(4));
    assert_eq!(star.get::<u8>("spec.c[2]").unwrap(), None);
}
