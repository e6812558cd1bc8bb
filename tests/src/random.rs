//! Random values that more than one test needs.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::Value;

/// Any JSON, but for fractions with many digits: `serde_json` reads those a little off into a tree.
pub fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i16>().prop_map(|number| Value::from(f64::from(number) / 4.0)),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(any::<String>(), inner, 0..4).prop_map(|map| map.into_iter().collect::<Value>()),
        ]
    })
}
