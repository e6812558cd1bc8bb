//! The corner cases of RFC 8259: what is JSON and what is not, at any position.

use super::texts::{BAD, GOOD, HALVES};
use openshift_api::core_v1::Pod;
use openshift_api::meta_v1::{ObjectMeta, RawJson};
use openshift_api::{from_slice, from_slice_strict, from_str, to_vec};
use proptest::prelude::*;
use serde::de::IgnoredAny;

/// The document as free-form JSON, and as an unknown member.
fn places(text: &str) -> [(bool, String); 4] {
    let is_read = |text: String| (from_str::<Pod>(&text).is_ok(), text);
    [
        (from_str::<RawJson>(text).is_ok(), text.to_owned()),
        is_read(format!(r#"{{"unknown":{text}}}"#)),
        is_read(format!(r#"{{"metadata":{{"managedFields":[{{"fieldsV1":{text}}}]}}}}"#)),
        is_read(format!(r#"{{"metadata":{{"x":[[],{{"y":{text},"z":{{}}}}],"name":"a"}}}}"#)),
    ]
}

#[test]
fn json_is_accepted_in_every_position() {
    assert!(GOOD.len() + BAD.len() > 150, "{} texts", GOOD.len() + BAD.len());
    for text in GOOD.iter().chain(HALVES) {
        assert!(serde_json::from_str::<IgnoredAny>(text).is_ok(), "{text:?}");
        for (is_read, whole) in places(text) {
            assert!(is_read, "{whole:?} is refused");
        }
        let value: RawJson = from_str(text).unwrap();
        let again: RawJson = from_slice(&to_vec(&value)).unwrap();
        assert_eq!(value, again, "{text:?}");
        assert_eq!(value, text.parse().unwrap(), "{text:?}");
    }
}

#[test]
fn other_texts_are_refused_in_every_position() {
    for text in BAD {
        assert!(serde_json::from_str::<IgnoredAny>(text).is_err(), "{text:?}");
        for (is_read, whole) in places(text) {
            // Inside of an object, the bytes that follow the value may make sense of it.
            assert!(
                !is_read || serde_json::from_str::<IgnoredAny>(&whole).is_ok(),
                "{whole:?} is read"
            );
        }
        assert!(from_str::<RawJson>(text).is_err(), "{text:?} is read");
    }
}

#[test]
fn strings_are_unescaped() {
    for text in GOOD.iter().filter(|text| text.starts_with('"')) {
        let expected: String = serde_json::from_str(text).unwrap();
        assert_eq!(from_str::<String>(text).as_ref(), Ok(&expected), "{text}");
        let keyed = format!("{{{text}:{text}}}");
        let map: std::collections::BTreeMap<String, String> = from_str(&keyed).unwrap();
        assert_eq!(map.first_key_value(), Some((&expected, &expected)), "{keyed}");
    }
    for text in BAD.iter().chain(HALVES).filter(|text| text.starts_with('"')) {
        assert!(from_str::<String>(text).is_err(), "{text}");
        assert!(from_str::<ObjectMeta>(&format!("{{{text}:1}}")).is_err(), "{text}");
    }
}

#[test]
fn numbers_fit_their_type_or_are_refused() {
    let integers = [
        "0",
        "7",
        "-7",
        "2147483647",
        "-2147483648",
        "9223372036854775807",
        "-9223372036854775808",
    ];
    let others = [
        "-0",
        "0.0",
        "5.0",
        "1e3",
        "-1.5",
        "1e400",
        "9223372036854775808",
        "-9223372036854775809",
        "1e-400",
    ];
    for text in integers.iter().chain(&others) {
        let wide: Option<i64> = serde_json::from_str(text).ok();
        assert_eq!(from_str::<i64>(text).ok(), wide, "{text}");
        assert_eq!(wide.is_some(), integers.contains(text), "{text}");
        assert_eq!(from_str::<i32>(text).ok(), serde_json::from_str(text).ok(), "{text}");
        let float: Option<f64> = serde_json::from_str(text).ok();
        assert_eq!(from_str::<f64>(text).ok().map(f64::to_bits), float.map(f64::to_bits), "{text}");
    }
    // The nearest of all floats, always.
    for text in [
        "0.1",
        "123456.789e-30",
        "9007199254740993",
        "1.7976931348623157e308",
        "2.2250738585072011e-308",
    ] {
        assert_eq!(from_str::<f64>(text).ok(), text.parse().ok(), "{text}");
    }
}

#[test]
fn every_beginning_of_a_text_is_refused() {
    let text = r#" {"metadata":{"name":"\u00fc\n","labels":{"a":"b"},"x":[1.5e-3,true,null,{"y":"\ud83d\ude00"}]},"spec":{}}"#;
    assert!(from_str::<Pod>(text).is_ok());
    for end in 0..text.len() {
        let error = from_slice::<Pod>(&text.as_bytes()[..end]).expect_err("it is not all there");
        assert!(error.line() == 1 && (1..=end + 1).contains(&error.column()), "{error}");
    }
    let wide = r#"{"metadata":{"name":"ü🦀"}}"#.as_bytes();
    assert!((0..wide.len()).all(|end| from_slice::<Pod>(&wide[..end]).is_err()));
}

/// Bytes of which JSON is made, and some others.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let token = prop_oneof![
        8 => "[\\[\\]{}:,\" \\\\a0-9.eE+-]".prop_map(String::into_bytes),
        2 => r#""(metadata|spec|name|containers|kind|items|\\u[0-9a-f]{4}|\\n)":?"#.prop_map(String::into_bytes),
        1 => "null|true|false|\\{\"|\"\\}".prop_map(String::into_bytes),
        1 => proptest::collection::vec(any::<u8>(), 1..3),
    ];
    proptest::collection::vec(token, 0..24).prop_map(|tokens| tokens.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn no_bytes_make_it_panic(bytes in bytes()) {
        let raw = from_slice::<RawJson>(&bytes);
        // serde_json looks at the encoding of no string that it passes over.
        let is_json = str::from_utf8(&bytes).is_ok() && serde_json::from_slice::<IgnoredAny>(&bytes).is_ok();
        prop_assert_eq!(raw.is_ok(), is_json);
        prop_assert_eq!(from_slice::<Pod>(&bytes).is_ok(), from_slice_strict::<Pod>(&bytes).is_ok());
        if let Err(error) = raw {
            prop_assert!(error.line() > 0 && error.column() > 0 && error.column() <= bytes.len() + 1);
        }
    }
}
