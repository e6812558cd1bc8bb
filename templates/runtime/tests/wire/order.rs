//! The order of members: no decoder depends on it. Servers sort the members of custom resources and
//! of their lists, and send members of built-in kinds as their types declare them.

use serde_json::Value;
use test_support::documents::Documents;
use test_support::order::Order;
use test_support::samples::{self, Sample};
use test_support::types::{Input, Output, Type};

#[test]
fn objects_are_the_same_in_any_order_of_members() {
    let orders = || Order::ALL.into_iter().chain((0..4).map(Order::Shuffled));
    let pairs = samples::fixtures()
        .into_iter()
        .flat_map(|sample| orders().map(move |order| (sample.clone(), order)));
    are_the_same(pairs);
}

#[test]
fn recorded_objects_are_the_same_in_any_order_of_members() {
    // They are many: each is decoded in one order.
    let orders = (0..).flat_map(|seed| [Order::Sorted, Order::Reversed, Order::Shuffled(seed)]);
    are_the_same(samples::recorded().into_iter().zip(orders));
}

fn are_the_same(samples: impl Iterator<Item = (Sample, Order)>) {
    let documents = Documents::read();
    for (sample, order) in samples {
        let (api_version, kind) = sample.kind();
        let schema = documents
            .of_kind(api_version, kind)
            .unwrap_or_else(|| panic!("{}: {kind}", sample.file));
        let ty = Type::by_schema(schema).unwrap_or_else(|| panic!("{schema} has no type"));
        let text = sample.value.to_string();
        let wanted = decoded(ty, Input::Slice(text.as_bytes()), &sample.file);
        let other = order.of(&text);
        let bytes = other.as_bytes();
        let tree: Value = serde_json::from_str(&other).expect("JSON");
        let inputs = [
            Input::Slice(bytes),
            Input::Reader(bytes),
            Input::Tree(&tree),
            Input::Own(bytes),
            Input::OwnReader(bytes),
        ];
        for input in inputs {
            assert!(
                decoded(ty, input, &sample.file) == wanted,
                "{} with members {order:?}",
                sample.file
            );
        }
    }
}

/// The object as JSON, to compare without the order of members.
fn decoded(ty: &Type, input: Input<'_>, file: &str) -> Value {
    let object = ty.read(input).unwrap_or_else(|error| panic!("{file}: {error}"));
    object.write(Output::Own).unwrap_or_else(|error| panic!("{file}: {error}"))
}
