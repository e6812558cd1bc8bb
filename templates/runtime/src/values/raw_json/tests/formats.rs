//! Other formats, and serde's own buffers, to which all formats are one.

use super::{Holder, SIMPLE, nested, raw};
use crate::values::RawJson;
use serde::de::value::MapDeserializer;
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Tagged {
    Held { value: RawJson },
    Inner(Inner),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Inner {
    value: RawJson,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Raw(RawJson),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Never(std::num::NonZeroI8, String),
    Raw(RawJson),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    name: String,
    #[serde(flatten)]
    rest: RawJson,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct FlatInner {
    #[serde(flatten)]
    inner: Inner,
}

fn there_and_back<T: Serialize + for<'de> Deserialize<'de> + PartialEq + fmt::Debug>(json: &str, value: &T) {
    let tree: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(&serde_json::from_str::<T>(json).unwrap(), value, "{json}");
    assert_eq!(&serde_json::from_value::<T>(tree.clone()).unwrap(), value, "{json}");
    let written = serde_json::to_string(value).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&written).unwrap(), tree, "{written}");
    assert_eq!(serde_json::to_value(value).unwrap(), tree);
}

#[test]
fn inside_of_serdes_own_buffers() {
    for text in SIMPLE {
        // serde's buffers are of plain values: escapes are spelled as serde_json does
        let value = RawJson::from_value(&raw(text).to_value().unwrap());
        let held = format!(r#"{{"type":"Held","value":{text}}}"#);
        there_and_back(&held, &Tagged::Held { value: value.clone() });
        let inner = format!(r#"{{"type":"Inner","value":{text}}}"#);
        there_and_back(&inner, &Tagged::Inner(Inner { value: value.clone() }));
        let late = format!(r#"{{"value":{text},"type":"Held"}}"#);
        there_and_back(&late, &Tagged::Held { value: value.clone() });
        there_and_back(&format!(r#"{{"c":{text},"t":"Raw"}}"#), &Adjacent::Raw(value.clone()));
        there_and_back(text, &Untagged::Raw(value.clone()));
        there_and_back(&format!(r#"{{"value":{text}}}"#), &FlatInner { inner: Inner { value } });
    }
}

#[test]
fn flattened_itself() {
    let json = r#"{"name":"n","a":1.5,"b":[{"c":"d"}]}"#;
    there_and_back(json, &Flat { name: "n".into(), rest: raw(r#"{"a":1.5,"b":[{"c":"d"}]}"#) });
    there_and_back(r#"{"name":"n"}"#, &Flat { name: "n".into(), rest: raw("{}") });
    assert!(serde_json::to_string(&Flat { name: "n".into(), rest: raw("[1]") }).is_err());
}

#[test]
fn an_internally_tagged_variant_is_the_object_itself() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Direct {
        Raw(RawJson),
    }
    there_and_back(r#"{"type":"Raw","a":[1]}"#, &Direct::Raw(raw(r#"{"a":[1]}"#)));
}

#[test]
fn yaml() {
    for text in SIMPLE {
        let value = RawJson::from_value(&raw(text).to_value().unwrap());
        let holder = Holder { name: "n".into(), value: value.clone(), maybe: None };
        let yaml = serde_yaml::to_string(&holder).unwrap();
        assert!(!yaml.contains("RawValue"), "{yaml}");
        assert_eq!(serde_yaml::from_str::<Holder>(&yaml).unwrap(), holder);
        let tree = serde_yaml::to_value(&holder).unwrap();
        assert_eq!(serde_yaml::from_value::<Holder>(tree).unwrap(), holder);
        // JSON is YAML
        assert_eq!(serde_yaml::from_str::<RawJson>(text).unwrap(), value);
    }
    assert_eq!(serde_yaml::to_string(&raw(r#"{"a":[1,{"b":null}]}"#)).unwrap(), "a:\n- 1\n- b: null\n");
}

#[test]
fn yaml_that_json_does_not_have() {
    let cases = [
        ("1: a", r#"{"1":"a"}"#),
        ("-1: a\n2.5: b\ntrue: c", r#"{"-1":"a","2.5":"b","true":"c"}"#),
        ("a: &x [1]\nb: *x", r#"{"a":[1],"b":[1]}"#),
        ("a: ~\nb:", r#"{"a":null,"b":null}"#),
        ("|\n a\n b", r#""a\nb""#),
        ("0x10", "16"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        (r"{$serde_json::private::RawValue: ']'}", r#"{"$serde_json::private::RawValue":"]"}"#),
    ];
    for (yaml, json) in cases {
        assert_eq!(serde_yaml::from_str::<RawJson>(yaml).unwrap().as_str(), json, "{yaml}");
    }
    // The feature `arbitrary_precision` makes a number of this in all of `serde_json`.
    let number = serde_yaml::from_str::<RawJson>("{$serde_json::private::Number: '1.10'}").unwrap();
    let arbitrary = serde_json::from_str::<serde_json::Number>("1.10").unwrap().to_string() == "1.10";
    assert_eq!(number.as_str(), if arbitrary { "1.10" } else { r#"{"$serde_json::private::Number":"1.10"}"# });
    for yaml in [".nan", "a: .inf", "[[1]: 2]", "[1", "!tag a"] {
        assert!(serde_yaml::from_str::<RawJson>(yaml).is_err(), "{yaml}");
    }
}

#[test]
fn other_formats_get_values() {
    let yaml = |text: &str| serde_yaml::to_string(&raw(text)).map(|yaml| yaml.trim_end().to_owned());
    assert_eq!(yaml("123456789012345678901234567890").unwrap(), "1.2345678901234568e29");
    assert_eq!(yaml("-9223372036854775808").unwrap(), "-9223372036854775808");
    assert_eq!(yaml("1.10").unwrap(), "1.1");
    assert_eq!(yaml(r#"{"$serde_json::private::Number":"1"}"#).unwrap(), "$serde_json::private::Number: '1'");
    for text in ["1e400", r#""\ud800""#, &nested(129), &nested(10_000)] {
        assert!(yaml(text).is_err());
    }
    assert!(yaml(&nested(128)).is_ok());
}

#[test]
fn a_key_that_looks_like_the_protocol_is_only_data() {
    let text = r#"{"$serde_json::private::RawValue":"]"}"#;
    // A buffer of serde asks for any value, not for text.
    assert_eq!(serde_json::from_str::<Untagged>(text).unwrap(), Untagged::Raw(raw(text)));
    // This format treats the request for the protocol as any other, so the string must be JSON.
    let decode = |text: &str| {
        let members = [("$serde_json::private::RawValue", text)];
        RawJson::deserialize(MapDeserializer::<_, serde_json::Error>::new(members.into_iter()))
    };
    assert!(decode("]").is_err() && decode("1,2").is_err() && decode("").is_err());
    assert_eq!(decode("[ 1 ]").unwrap(), raw("[1]"));
    let other = [("a", vec![1, 2]), ("$serde_json::private::RawValue", vec![])];
    let other = RawJson::deserialize(MapDeserializer::<_, serde_json::Error>::new(other.into_iter())).unwrap();
    assert_eq!(other.as_str(), r#"{"a":[1,2],"$serde_json::private::RawValue":[]}"#);
}
