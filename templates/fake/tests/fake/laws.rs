//! Random definitions and objects, which hold the laws of defaults and pruning.

use crate::definitions::{DEFINITIONS, definition, with_definitions};
use crate::testing::send;
use http::{Method, StatusCode};
use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use proptest::prop_assert_eq;
use serde_json::{Map, Value, json};

const GEARS: &str = "/apis/a.io/v1/gears";

/// Names of members. An object also has some that its schema does not have.
const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// Small values of any type.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2_i64..3).prop_map(Value::from),
        Just(json!(1.5)),
        "[ab1]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::btree_map(proptest::sample::select(&NAMES[..]), inner, 0..3)
                .prop_map(|members| {
                    let own = |(name, value): (&str, Value)| (name.to_owned(), value);
                    Value::Object(members.into_iter().map(own).collect())
                }),
        ]
    })
}

/// Keywords that any schema of a type may have, right or wrong for it.
fn keywords() -> impl Strategy<Value = Value> {
    let choices = proptest::collection::vec(value(), 1..3);
    let pattern = proptest::sample::select(&["^a", "b$", r"^\pL*$", "[", "^(a|1){1,2}$"][..]);
    prop_oneof![
        4 => Just(json!({})),
        2 => value().prop_map(|default| json!({"default": default})),
        1 => Just(json!({"nullable": true})),
        1 => value().prop_map(|default| json!({"nullable": true, "default": default})),
        1 => choices.prop_map(|choices| json!({"enum": choices})),
        1 => pattern.prop_map(|pattern| json!({"pattern": pattern})),
        1 => (0_u8..3).prop_map(|most| json!({"maximum": most, "maxLength": most})),
        1 => proptest::sample::select(&["date", "ipv4", "hostname", "int32", "odd"][..])
            .prop_map(|format| json!({"format": format})),
    ]
}

fn schema() -> impl Strategy<Value = Value> {
    let scalar = proptest::sample::select(&["boolean", "integer", "number", "string"][..])
        .prop_map(|kind| json!({"type": kind}));
    let leaf = prop_oneof![
        4 => scalar,
        1 => Just(json!({"x-kubernetes-int-or-string": true})),
        1 => Just(json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true})),
    ];
    let with = |(schema, more): (Value, Value)| {
        let mut schema = schema;
        let more = more.as_object().cloned().unwrap_or_default();
        schema.as_object_mut().expect("a schema").extend(more);
        schema
    };
    let leaf = (leaf, keywords()).prop_map(with);
    leaf.prop_recursive(3, 16, 3, move |inner| {
        let object = proptest::collection::btree_map(
            proptest::sample::select(&NAMES[..3]),
            inner.clone(),
            1..3,
        );
        let object = object.prop_map(|properties| {
            let properties: Map<_, _> =
                properties.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
            json!({"type": "object", "properties": properties})
        });
        let array = inner.clone().prop_map(|items| json!({"type": "array", "items": items}));
        let map = inner.prop_map(|entry| json!({"type": "object", "additionalProperties": entry}));
        (prop_oneof![3 => object, 1 => array, 1 => map], keywords()).prop_map(with)
    })
}

proptest! {
    /// A definition is made or refused with causes. An object is stored or refused with causes,
    /// and what is stored is taken as it is, and stays as it is.
    #[test]
    fn what_is_stored_is_a_fixed_point(schema in schema(), values in proptest::collection::vec(value(), 1..5)) {
        let server = with_definitions();
        let mut gears = definition("Cluster");
        let schema = json!({"type": "object", "properties": {"spec": schema}});
        gears["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = schema.clone();
        let (code, body) = send(&server, Method::POST, DEFINITIONS, &gears);
        if code != StatusCode::CREATED {
            prop_assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY, "{} {}", schema, body);
            return Ok(());
        }
        for (index, value) in values.into_iter().enumerate() {
            let name = format!("a{index}");
            let object = json!({"apiVersion": "a.io/v1", "kind": "Gear", "metadata": {"name": name}, "spec": value});
            let (code, stored) = send(&server, Method::POST, GEARS, &object);
            if code != StatusCode::CREATED {
                prop_assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY, "{} {}", schema, stored);
                continue;
            }
            let mut again = object;
            again["metadata"]["name"] = json!(format!("b{index}"));
            again["spec"] = stored["spec"].clone();
            let path = format!("{GEARS}?fieldValidation=Strict");
            let (code, fixed) = send(&server, Method::POST, &path, &again);
            prop_assert_eq!(code, StatusCode::CREATED, "{} {}", schema, fixed);
            prop_assert_eq!(&fixed["spec"], &stored["spec"], "{}", schema);
            let (code, replaced) = send(&server, Method::PUT, &format!("{GEARS}/{name}"), &stored);
            prop_assert_eq!(code, StatusCode::OK, "{} {}", schema, replaced);
            prop_assert_eq!(&replaced, &stored, "{}", schema);
        }
    }
}
