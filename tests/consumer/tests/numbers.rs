//! Numbers, from other formats than JSON text and in a program that has `serde_json`'s feature
//! `arbitrary_precision`.

use openshift_api::codec::serde::deserialize_strict;
use openshift_api::core_v1::Pod;
use openshift_api::meta_v1::{Int64OrString, IntOrString, Quantity};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

/// Members of the schema type `number`.
#[derive(Debug, PartialEq)]
struct Floats(Vec<f64>);

impl<'de> Deserialize<'de> for Floats {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_strict(deserializer).map(|(floats, _)| Self(floats))
    }
}

const POD: &str = r#"{"spec":{"containers":[{"resources":{"limits":{"a":0.5,"b":5,"c":1e3,"d":18446744073709551615}}}]}}"#;

fn limits(pod: Pod) -> Vec<String> {
    let resources = pod.spec.unwrap().containers.remove(0).resources.unwrap();
    resources.limits.unwrap().values().map(|quantity| quantity.as_str().to_owned()).collect()
}

/// Decodes a value of JSON by way of CBOR.
fn cbor<T: DeserializeOwned>(value: &impl serde::Serialize) -> Result<T, String> {
    let mut bytes = Vec::new();
    ciborium::into_writer(value, &mut bytes).unwrap();
    ciborium::from_reader(bytes.as_slice()).map_err(|error| error.to_string())
}

#[test]
fn the_feature_is_on() {
    assert_eq!("1.10".parse::<Value>().unwrap().to_string(), "1.10");
}

#[test]
fn quantities_are_read_from_numbers() {
    let spelled = ["0.5", "5", "1e3", "18446744073709551615"];
    assert_eq!(limits(openshift_api::from_str(POD).unwrap()), spelled);
    assert_eq!(limits(serde_json::from_str(POD).unwrap()), spelled);
    let tree: Value = POD.parse().unwrap();
    assert_eq!(
        limits(Pod::deserialize(&tree).unwrap()),
        ["0.5", "5", "1e+3", "18446744073709551615"]
    );
    let error = serde_json::from_str::<Pod>(&POD.replace("0.5", "1e400")).unwrap_err().to_string();
    assert!(
        error.starts_with("spec.containers[0].resources.limits.a: invalid value: number `1e400`"),
        "{error}"
    );
    // CBOR has floats and integers of its own.
    let floats: Vec<Quantity> = cbor(&(0.5, 5, -5, u64::MAX, u128::from(u64::MAX) + 1)).unwrap();
    let floats: Vec<_> = floats.iter().map(Quantity::as_str).collect();
    assert_eq!(floats, ["0.5", "5", "-5", "18446744073709551615", "18446744073709551616"]);
}

#[test]
fn floats_are_read_from_any_number() {
    let expected = Floats(vec![1.0, -1.0, 0.5, 1000.0, 18_446_744_073_709_551_615.0]);
    let text = "[1, -1, 0.5, 1e3, 18446744073709551615]";
    assert_eq!(serde_json::from_str::<Floats>(text).unwrap(), expected);
    assert_eq!(Floats::deserialize(&text.parse::<Value>().unwrap()).unwrap(), expected);
    assert_eq!(cbor(&(1, -1, 0.5, 1000, u64::MAX)), Ok(expected));
    assert!(cbor::<Floats>(&["1"]).unwrap_err().contains("expected a number"));
}

#[test]
fn ports_are_read_from_whole_numbers_only() {
    for (value, expected) in
        [(json!(80), Some(80)), (json!(80.5), None), (json!("1e3".parse::<Value>().unwrap()), None)]
    {
        let expected = expected.map(IntOrString::Int);
        assert_eq!(IntOrString::deserialize(&value).ok(), expected, "{value}");
        assert_eq!(
            serde_json::from_str::<IntOrString>(&value.to_string()).ok(),
            expected,
            "{value}"
        );
    }
    assert_eq!(cbor(&80), Ok(IntOrString::Int(80)));
    for (text, expected) in [
        ("8589934592", Some(1 << 33)),
        ("9007199254740991.0", Some((1 << 53) - 1)),
        ("1e3", Some(1000)),
        ("0.5", None),
        ("9223372036854775808", None),
    ] {
        let expected = expected.map(Int64OrString::Int);
        assert_eq!(serde_json::from_str(text).ok(), expected, "{text}");
        let tree: Value = text.parse().unwrap();
        assert_eq!(Int64OrString::deserialize(&tree).ok(), expected, "{text}");
    }
    assert_eq!(cbor(&i64::MIN), Ok(Int64OrString::Int(i64::MIN)));
}
