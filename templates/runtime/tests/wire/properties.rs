//! Round trips of random values of every type.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use serde_json::Value;
use test_support::compare::differences;
use test_support::documents::Documents;
use test_support::random::value;
use test_support::registry::TYPES;
use test_support::types::{Input, Output, Type};

/// The number of values of every type.
const CASES: u32 = 12;

#[test]
fn any_value_of_any_type_comes_back() {
    let documents = Documents::read();
    let mut failures = Vec::new();
    for ty in TYPES {
        // The same values in every run: a failure can be looked at, and no other run is spoiled by
        // one of bad luck.
        let config = Config { cases: CASES, max_shrink_iters: 2000, ..Config::default() };
        let mut runner =
            TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::XorShift));
        let result = runner
            .run(&value(documents, documents.named(ty.schema)), |value| comes_back(ty, &value));
        failures.extend(result.err().map(|error| format!("{}::{}: {error}", ty.module, ty.name)));
    }
    assert!(failures.is_empty(), "{} types:\n{}", failures.len(), failures.join("\n"));
}

/// `encode(decode(x)) == x` for JSON, and `decode(encode(x)) == x` for values in Rust.
fn comes_back(ty: &Type, value: &Value) -> Result<(), TestCaseError> {
    let decoded = ty.read(Input::Tree(value)).map_err(TestCaseError::fail)?;
    let found = decoded.write(Output::Compact).map_err(TestCaseError::fail)?;
    let lost: Vec<String> = differences(value, &found).iter().map(ToString::to_string).collect();
    prop_assert!(lost.is_empty(), "{}", lost.join("\n"));
    let again = ty
        .read(Input::Text(&decoded.text().map_err(TestCaseError::fail)?))
        .map_err(TestCaseError::fail)?;
    prop_assert!(decoded.equals(&*again), "{decoded:?} is read as {again:?}");
    Ok(())
}
