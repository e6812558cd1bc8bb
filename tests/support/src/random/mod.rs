//! Random values that more than one test needs.

mod numbers;

pub use numbers::Random;

use crate::documents::{Documents, Leaf, Member, Object, Shape};
use crate::filler::examples;
use proptest::collection::{btree_map, vec};
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value};

impl Random {
    /// Begins with the seed of property tests, see `.cargo/config.toml`.
    #[must_use]
    pub fn seeded() -> Self {
        let seed = std::env::var("PROPTEST_RNG_SEED").ok().and_then(|seed| seed.parse().ok());
        Self::new(seed.unwrap_or(1))
    }

    /// One of these.
    pub fn of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}

/// The probability of an optional member. Objects hold objects, so a value with most of them is a
/// huge one.
const PRESENT: f64 = 0.4;

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
            btree_map(any::<String>(), inner, 0..4)
                .prop_map(|map| map.into_iter().collect::<Value>()),
        ]
    })
}

/// Values of a shape, as servers could write them.
pub fn value(documents: &Documents, shape: Shape<'_>) -> BoxedStrategy<Value> {
    let below = |schema| value(documents, documents.shape(schema));
    match shape {
        Shape::Leaf(leaf) => prop_oneof![select(examples(leaf)), leaf_strategy(leaf)].boxed(),
        Shape::List(elements) => vec(below(elements), 0..3).prop_map(Value::from).boxed(),
        Shape::Map(values) => btree_map(".{0,12}", below(values), 0..3)
            .prop_map(|entries| entries.into_iter().collect())
            .boxed(),
        Shape::Object(object) => object_strategy(documents, object),
    }
}

/// Required members are always present, others by chance. An object with a kind has one of its own
/// kinds.
fn object_strategy(documents: &Documents, object: Object<'_>) -> BoxedStrategy<Value> {
    let member = |member: Member<'_>| {
        let key = member.key.to_owned();
        let value = value(documents, documents.shape(member.schema))
            .prop_map(move |value| (key.clone(), value));
        if member.required {
            value.prop_map(Some).boxed()
        } else {
            weighted(PRESENT, value).boxed()
        }
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
        Leaf::Time => text(
            "[1-9][0-9]{3}-(0[1-9]|1[0-2])-([01][1-9]|2[0-8])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}Z",
        ),
        Leaf::MicroTime => text(
            "[1-9][0-9]{3}-(0[1-9]|1[0-2])-([01][1-9]|2[0-8])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\\\
             .[0-9]{6}Z",
        ),
        Leaf::Quantity => {
            text("[+-]?[0-9]{1,20}(\\.[0-9]{0,9})?([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,3})?")
        }
        Leaf::IntOrString => {
            prop_oneof![leaf_strategy(Leaf::Int32), leaf_strategy(Leaf::Text)].boxed()
        }
        Leaf::Fields => btree_map(any::<String>(), json(), 0..4)
            .prop_map(|map| map.into_iter().collect())
            .boxed(),
        Leaf::Any => json().prop_filter("null is nothing", |value| !value.is_null()).boxed(),
    }
}
