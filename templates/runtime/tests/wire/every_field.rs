//! Round trips of values with every member set, made from the documents and not from the model. So
//! a member that the generator lost or mistook is noticed.

use serde_json::Value;
use std::collections::BTreeSet;
use test_support::compare::differences;
use test_support::documents::{Documents, Leaf, Shape};
use test_support::filler::{Filler, SEEDS, examples};
use test_support::places::log;
use test_support::registry::TYPES;
use test_support::types::{Input, Output, Type};

/// Packages of `spec/` with types that are not in the list of types, with the tests that cover
/// them.
const ELSEWHERE: [(&str, &str); 3] = [
    ("io.k8s.api.admission.v1.", "reviews: `changes::reviews`"),
    ("io.k8s.api.apidiscovery.v2.", "internal to `discovery`: `responses::discovery`"),
    ("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.", "reviews: `changes::reviews`"),
];

#[test]
fn every_schema_with_properties_has_a_type() {
    let documents = Documents::read();
    let mut in_documents: BTreeSet<&str> = documents.objects().map(|(name, _)| name).collect();
    for (package, reason) in ELSEWHERE {
        let count = in_documents.len();
        in_documents.retain(|name| !name.starts_with(package));
        assert!(in_documents.len() < count, "{package} is not an exception any more: {reason}");
    }
    let in_crate: BTreeSet<&str> = TYPES.iter().map(|ty| ty.schema).collect();
    assert_eq!(in_documents, in_crate, "spec/ (left) and openshift-api (right)");
}

#[test]
fn every_field_comes_back() {
    let documents = Documents::read();
    let mut failures = Vec::new();
    let mut members = 0;
    for ty in TYPES {
        let shape = documents.named(ty.schema);
        for seed in 0..SEEDS {
            let value = Filler::new(documents, seed).fill(shape);
            // Every way in and out needs one value of a type; other values of it need one way only.
            let ways: &[Output] = if seed == 0 { &Output::ALL } else { &[Output::Tree] };
            let lost = ways.iter().flat_map(|way| through(ty, *way, &value));
            failures.extend(lost.map(|failure| format!("seed {seed}: {failure}")));
        }
        if let Shape::Object(object) = shape {
            members += object.members().count();
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    log(&format!("every field: {} types, {members} members, {SEEDS} values of each", TYPES.len()));
}

/// The differences after decoding and encoding.
fn through(ty: &Type, way: Output, value: &Value) -> Vec<String> {
    let place = format!("{}::{} by {way:?}", ty.module, ty.name);
    let json = value.to_string();
    let yaml = if way == Output::Yaml {
        serde_yaml::to_string(value).expect("JSON fits YAML")
    } else {
        String::new()
    };
    let mut cbor = Vec::new();
    ciborium::into_writer(value, &mut cbor).expect("JSON fits CBOR");
    let input = match way {
        Output::Compact => Input::Slice(json.as_bytes()),
        Output::Pretty => Input::Reader(json.as_bytes()),
        Output::Tree => Input::Tree(value),
        Output::Yaml => Input::Yaml(&yaml),
        Output::Cbor => Input::Cbor(&cbor),
        Output::Own => Input::Own(json.as_bytes()),
    };
    match ty.read(input).and_then(|decoded| decoded.write(way)) {
        Ok(found) => differences(value, &found)
            .iter()
            .map(|difference| format!("{place}: {difference}"))
            .collect(),
        Err(error) => vec![format!("{place}: {error}")],
    }
}

#[test]
fn the_values_have_every_member_and_every_example() {
    let documents = Documents::read();
    let Shape::Object(lease) = documents.named("io.k8s.api.coordination.v1.LeaseSpec") else {
        panic!("an object")
    };
    let members: Vec<&str> = lease.members().map(|member| member.key).collect();
    let mut holders = BTreeSet::new();
    for seed in 0..SEEDS {
        let value = Filler::new(documents, seed)
            .fill(documents.named("io.k8s.api.coordination.v1.LeaseSpec"));
        assert_eq!(value.as_object().expect("an object").keys().collect::<Vec<_>>(), members);
        holders.insert(value["holderIdentity"].to_string());
    }
    let texts = examples(Leaf::Text).iter().map(Value::to_string).collect();
    assert_eq!(holders, texts);
}
