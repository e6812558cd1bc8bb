//! Free JSON, in all formats.

use super::*;
use serde::de::value::MapDeserializer;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

fn raw(text: &str) -> RawJson {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Texts that are compact already.
const COMPACT: [&str; 24] = [
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1.10",
    "1E+2",
    "1e400",
    "-1e-400",
    "123456789012345678901234567890",
    r#""""#,
    r#"" a \" b \\""#,
    r#""\u00e9\n\ud83d\ude00é""#,
    r#""\ud800""#,
    "[]",
    "{}",
    "[[],{},[1,2]]",
    r#"{"b":1,"a":2}"#,
    r#"{"a":1,"a":2,"a":[1.0]}"#,
    r#"{"":{" ":" \t "}}"#,
    r#"{"f:spec":{"k:{\"name\":\"x y\"}":{".":{},"f:image":{}}}}"#,
    r#"{"$serde_json::private::RawValue":"[1, 2]"}"#,
    r#"{"$serde_json::private::Number":"1"}"#,
    r#"{"a":{"$serde_json::private::RawValue":"]"}}"#,
];

/// Texts that every format can hold, and so can a tree.
const SIMPLE: [&str; 9] = [
    "null",
    "true",
    "-7",
    "18446744073709551615",
    "1.5",
    r#""a \"b\"\n\u0001é""#,
    "[[],{},[1,null,[false]]]",
    r#"{"a":1,"b":{"c":[{"d":"e"}],"f":{}}}"#,
    r#"{"f:spec":{"k:{\"name\":\"x y\"}":{".":{},"f:image":{}}}}"#,
];

fn nested(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}

#[test]
fn from_str_drops_white_space_only_between_parts() {
    let cases = [
        (" null\n", "null"),
        ("\t[ 1 ,\r\n 2.50 ] ", "[1,2.50]"),
        ("{ }", "{}"),
        (
            r#"{ "a b" : " c  \" d " , "\\" : [ "\\\\" , " " ] }"#,
            r#"{"a b":" c  \" d ","\\":["\\\\"," "]}"#,
        ),
        ("\"\u{a0} \u{2028}\"", "\"\u{a0} \u{2028}\""),
    ];
    for (text, compacted) in cases {
        assert_eq!(raw(text).as_str(), compacted);
        assert_eq!(compact(text), compacted);
    }
    for text in COMPACT {
        assert_eq!(raw(text).as_str(), text);
        assert!(matches!(compact(text), Cow::Borrowed(_)), "{text}");
    }
}

#[test]
fn from_str_refuses_what_is_not_one_json_value() {
    let texts = [
        "",
        " ",
        "nul",
        "nulll",
        "null null",
        "1 2",
        "[1] x",
        "01",
        "1.",
        ".5",
        "+1",
        "NaN",
        "[1,]",
        "[1 2]",
        "{a:1}",
        "{\"a\"}",
        "{\"a\":1,}",
        "{1:2}",
        "'a'",
        "\"a",
        "\"\\x\"",
        "\"\n\"",
        "[",
        "]",
        "{\"a\":1]",
        "\u{feff}1",
        "\u{a0}1",
        "// a\n1",
    ];
    for text in texts {
        assert!(text.parse::<RawJson>().is_err(), "{text}");
        assert!(serde_json::from_str::<RawJson>(text).is_err(), "{text}");
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Holder {
    name: String,
    value: RawJson,
    maybe: Option<RawJson>,
}

#[test]
fn serde_json_reads_the_text_as_it_is() {
    for text in COMPACT {
        let json = format!("{{ \"name\" : \"n\", \"value\" :\n {text} , \"maybe\" : {text}\t}} ");
        let from_str: Holder = serde_json::from_str(&json).unwrap();
        let from_slice: Holder = serde_json::from_slice(json.as_bytes()).unwrap();
        let from_reader: Holder = serde_json::from_reader(json.as_bytes()).unwrap();
        for holder in [from_str, from_slice, from_reader] {
            assert_eq!(holder.value.as_str(), text);
            assert_eq!(holder.maybe.as_ref().map_or("null", RawJson::as_str), text);
        }
        assert_eq!(serde_json::from_str::<RawJson>(&json).unwrap(), raw(&json));
    }
}

#[test]
fn serde_json_writes_the_text_as_it_is() {
    for text in COMPACT {
        let holder = Holder { name: "n".into(), value: raw(text), maybe: Some(raw(text)) };
        let json = format!(r#"{{"name":"n","value":{text},"maybe":{text}}}"#);
        assert_eq!(serde_json::to_string(&holder).unwrap(), json);
        assert_eq!(serde_json::to_vec(&holder).unwrap(), json.as_bytes());
        let mut written = Vec::new();
        serde_json::to_writer(&mut written, &holder).unwrap();
        assert_eq!(written, json.as_bytes());
        let pretty = serde_json::to_string_pretty(&[raw(text)]).unwrap();
        assert_eq!(pretty, format!("[\n  {text}\n]"));
    }
}

#[test]
fn trees_of_serde_json() {
    for text in SIMPLE {
        let tree: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(
            serde_json::from_value::<RawJson>(tree.clone()).unwrap().to_value().unwrap(),
            tree
        );
        assert_eq!(RawJson::deserialize(&tree).unwrap().to_value().unwrap(), tree);
        assert_eq!(serde_json::to_value(raw(text)).unwrap(), tree);
        assert_eq!(RawJson::from_value(&tree).to_value().unwrap(), tree);
        assert_eq!(raw(text).decode::<serde_json::Value>().unwrap(), tree);
    }
    for text in ["1.10", "1E+2", "123456789012345678901234567890"] {
        // A tree gets the same string, so its spelling of numbers is the same.
        assert_eq!(
            serde_json::to_value(raw(text)).unwrap(),
            serde_json::from_str::<serde_json::Value>(text).unwrap()
        );
    }
    assert_eq!(RawJson::from_value(&json!({"a": [1, "b c"]})).as_str(), r#"{"a":[1,"b c"]}"#);
}

#[test]
fn a_tree_does_not_take_everything() {
    let deep = nested(10_000);
    for text in [r#""\ud800""#, &deep] {
        assert!(raw(text).to_value().is_err());
        assert!(serde_json::to_value(raw(text)).is_err());
        assert_eq!(serde_json::to_string(&raw(text)).unwrap(), text);
    }
}

#[test]
fn decode_and_from_serialize() {
    let map: BTreeMap<&str, Vec<u8>> = [("b", vec![1, 2]), ("a", vec![])].into();
    let text = RawJson::from_serialize(&map).unwrap();
    assert_eq!(text.as_str(), r#"{"a":[],"b":[1,2]}"#);
    assert_eq!(text.decode::<BTreeMap<&str, Vec<u8>>>().unwrap(), map);
    assert!(text.decode::<Vec<u8>>().is_err());
    assert_eq!(RawJson::from_serialize("a b").unwrap().as_str(), r#""a b""#);
    let spaced: Box<serde_json::value::RawValue> = serde_json::from_str("[1, 2]").unwrap();
    assert_eq!(RawJson::from_serialize(&spaced).unwrap().as_str(), "[1,2]");
    assert!(RawJson::from_serialize(&BTreeMap::from([([1, 2], 3)])).is_err());
}

#[test]
fn default_equality_and_hash() {
    assert_eq!(RawJson::default(), raw("null"));
    assert_eq!(serde_json::from_str::<FieldsV1>("null").unwrap(), RawExtension::empty());
    assert_eq!(raw("[ 1 ]"), raw("[1]"));
    assert_eq!(["1", " 1", "2"].iter().map(|text| raw(text)).collect::<HashSet<_>>().len(), 2);
    assert_eq!(raw(r#"{"a":1}"#).to_string(), r#"{"a":1}"#);
    assert_eq!(format!("{:?}", raw(r#"{"a":1}"#)), "RawJson(7 bytes)");
}

/// Texts of one value each, and no two of the same.
const VALUES: [&[&str]; 17] = [
    &["null"],
    &["false"],
    &["0", "-0", "0.0", "0e5"],
    &["1", "1.0", "1e0", "10E-1", "0.1e+1"],
    &["-1", "-1.00"],
    &["1000000000000000000000", "1e21"],
    &["1000000000000000000001"],
    &["1e99999999999999999999"],
    &["\"1\""],
    &["\"a/\u{e4}\"", "\"\\u0061\\/\\u00E4\""],
    &["\"\\n\"", "\"\\u000a\""],
    &["\"\\ud800\""],
    &["[]", " [ ] "],
    &["[[],{}]", "[[],{ }]"],
    &["{}"],
    &[
        "{\"a\":1,\"b\":[{\"c\":{},\"d\":2}]}",
        "{\"b\":[{\"d\":3,\"d\":2.0,\"c\":{}}],\"\\u0061\":1}",
    ],
    &["{\"a\":1,\"b\":[{\"c\":{}},2]}"],
];

#[test]
fn equality_and_hash_go_by_the_value() {
    let hash = |value: &RawJson| {
        let mut hasher = std::hash::DefaultHasher::new();
        value.hash(&mut hasher);
        hasher.finish()
    };
    for (index, texts) in VALUES.iter().enumerate() {
        for text in *texts {
            let value = raw(text);
            for (other_index, others) in VALUES.iter().enumerate() {
                for other in others.iter().map(|text| raw(text)) {
                    assert_eq!(value == other, index == other_index, "{value} and {other}");
                    assert_eq!(
                        hash(&value) == hash(&other),
                        index == other_index,
                        "{value} and {other}"
                    );
                }
            }
        }
    }
}

#[test]
fn large_values_are_compared_in_little_time() {
    for (open, inside, close) in
        [("[", "", "]"), ("{\"a\":", "1", "}"), ("{\"b\":0,\"a\":", "1", "}")]
    {
        let text = |inside: &str| {
            raw(&format!("{}{inside}{}", open.repeat(100_000), close.repeat(100_000)))
        };
        let spelled = inside.replace('1', "1.0");
        assert_eq!(text(inside), text(&spelled));
        assert_ne!(text(inside), text("2"));
    }
    let members = |numbers: &mut dyn Iterator<Item = u32>| {
        let members: Vec<String> = numbers.map(|number| format!("\"a{number}\":{{}}")).collect();
        raw(&format!("{{{}}}", members.join(",")))
    };
    assert_eq!(members(&mut (0..100_000)), members(&mut (0..100_000).rev()));
}

#[test]
fn slot_and_view_are_the_text() {
    let mut value = raw("[1]");
    assert!(matches!(value.view(), View::Raw("[1]")));
    let Slot::Raw(text) = value.slot(true) else { panic!("not the text") };
    *text = "{}".into();
    assert_eq!(value, raw("{}"));
    value.slot(false).clear();
    assert_eq!(value, RawJson::default());
}

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

fn there_and_back<T: Serialize + for<'de> Deserialize<'de> + PartialEq + fmt::Debug>(
    json: &str,
    value: &T,
) {
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
    assert_eq!(
        serde_yaml::to_string(&raw(r#"{"a":[1,{"b":null}]}"#)).unwrap(),
        "a:\n- 1\n- b: null\n"
    );
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
    let arbitrary =
        serde_json::from_str::<serde_json::Number>("1.10").unwrap().to_string() == "1.10";
    assert_eq!(
        number.as_str(),
        if arbitrary { "1.10" } else { r#"{"$serde_json::private::Number":"1.10"}"# }
    );
    for yaml in [".nan", "a: .inf", "[[1]: 2]", "[1", "!tag a"] {
        assert!(serde_yaml::from_str::<RawJson>(yaml).is_err(), "{yaml}");
    }
}

#[test]
fn other_formats_get_values() {
    let yaml =
        |text: &str| serde_yaml::to_string(&raw(text)).map(|yaml| yaml.trim_end().to_owned());
    assert_eq!(yaml("123456789012345678901234567890").unwrap(), "1.2345678901234568e29");
    assert_eq!(yaml("-9223372036854775808").unwrap(), "-9223372036854775808");
    assert_eq!(yaml("1.10").unwrap(), "1.1");
    assert_eq!(
        yaml(r#"{"$serde_json::private::Number":"1"}"#).unwrap(),
        "$serde_json::private::Number: '1'"
    );
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
    let other =
        RawJson::deserialize(MapDeserializer::<_, serde_json::Error>::new(other.into_iter()))
            .unwrap();
    assert_eq!(other.as_str(), r#"{"a":[1,2],"$serde_json::private::RawValue":[]}"#);
}
