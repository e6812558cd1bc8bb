//! Rules of all scalars: they can be fields of any struct that derives serde's traits, in any
//! format.

use super::*;
use crate::codec::serde::deserialize_strict;
use serde::de::IntoDeserializer;
use serde::{Deserialize, Serialize};

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct All {
    time: Time,
    micro: MicroTime,
    quantity: Quantity,
    port: IntOrString,
    bytes: ByteString,
    raw: RawJson,
    maybe: Option<Time>,
}

const FULL: &str = concat!(
    r#"{"time":"2024-05-01T12:00:00Z","micro":"2024-05-01T12:00:00.000001Z","quantity":"1.50Gi","port":80,"#,
    r#""bytes":"AQID","raw":{"b":[1.10]},"maybe":"2024-05-01T12:00:00Z"}"#
);

const NULLS: &str = r#"{"time":null,"micro":null,"quantity":null,"port":null,"bytes":null,"raw":null,"maybe":null}"#;

#[test]
fn members_of_a_struct() {
    let all: All = serde_json::from_str(FULL).unwrap();
    assert_eq!(serde_json::to_string(&all).unwrap(), FULL);
    assert_eq!(all.port, 80.into());
    assert_eq!(*all.bytes, [1, 2, 3]);
    assert_eq!(all.maybe, Some(all.time));
}

#[test]
fn null_is_the_default() {
    assert_eq!(serde_json::from_str::<All>(NULLS).unwrap(), All::default());
    assert_eq!(serde_json::from_str::<All>("{}").unwrap(), All::default());
    let written =
        r#"{"time":null,"micro":null,"quantity":"0","port":0,"bytes":"","raw":null,"maybe":null}"#;
    assert_eq!(serde_json::to_string(&All::default()).unwrap(), written);
}

#[test]
fn other_formats() {
    let all: All = serde_json::from_str(FULL).unwrap();
    let yaml = serde_yaml::to_string(&all).unwrap();
    let again: All = serde_yaml::from_str(&yaml).unwrap();
    assert_eq!(again.raw.as_str(), r#"{"b":[1.1]}"#);
    assert_eq!(All { raw: all.raw.clone(), ..again }, all);
    let yaml = "{quantity: 1.5, port: http, time: 2024-05-01T12:00:00Z, bytes: AQ==, maybe: ~}";
    let all: All = serde_yaml::from_str(yaml).unwrap();
    assert_eq!((all.quantity.as_str(), &all.port, &*all.bytes), ("1.5", &"http".into(), &[1][..]));
    assert_eq!((all.time.to_string(), all.maybe), ("2024-05-01T12:00:00Z".to_owned(), None));
    assert_eq!(serde_yaml::from_str::<Quantity>("7").unwrap().as_str(), "7");
}

#[test]
fn inside_of_serdes_own_buffers() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Either {
        Time(Time),
        Number(Quantity),
        Any(IntOrString),
    }
    let cases = [
        (r#""2024-05-01T12:00:00Z""#, Either::Time("2024-05-01T12:00:00Z".parse().unwrap())),
        ("5", Either::Number(5.into())),
        ("0.5", Either::Number("0.5".parse().unwrap())),
        (r#""5x""#, Either::Any("5x".into())),
    ];
    for (json, value) in cases {
        assert_eq!(serde_json::from_str::<Either>(json).unwrap(), value, "{json}");
        assert_eq!(
            serde_json::from_value::<Either>(serde_json::from_str(json).unwrap()).unwrap(),
            value,
            "{json}"
        );
    }
}

#[test]
fn reads_any_number_from_any_format() {
    let yaml: Vec<Quantity> = serde_yaml::from_str("[9223372036854775808, 0.50, 7, -7]").unwrap();
    assert_eq!(
        yaml.iter().map(Quantity::as_str).collect::<Vec<_>>(),
        ["9223372036854775808", "0.5", "7", "-7"]
    );
    assert!(serde_yaml::from_str::<Quantity>(".inf").is_err());
    let large = IntoDeserializer::<serde::de::value::Error>::into_deserializer(1_u128 << 100);
    assert_eq!(Quantity::deserialize(large).unwrap().as_str(), "1267650600228229401496703205376");
    let (floats, _): (Vec<f64>, _) = deserialize_strict(serde_yaml::Deserializer::from_str(
        "[1, -1, 0.5, 1e3, 18446744073709551615]",
    ))
    .unwrap();
    assert_eq!(floats, [1.0, -1.0, 0.5, 1000.0, 18_446_744_073_709_551_616.0]);
    let error =
        deserialize_strict::<f64, _>(serde_yaml::Deserializer::from_str("\"1\"")).unwrap_err();
    assert_eq!(error.to_string(), "invalid value: string \"1\", expected a number");
}

#[test]
fn no_error_quotes_bytes() {
    let secrets = ["\"hunter2\"", "\"hunter2\\n\"", "77777"];
    for json in secrets {
        let errors = [
            serde_json::from_str::<ByteString>(json).unwrap_err().to_string(),
            crate::from_str::<ByteString>(json).unwrap_err().to_string(),
            serde_json::from_str::<All>(&format!("{{\"bytes\":{json}}}")).unwrap_err().to_string(),
        ];
        for error in errors {
            assert!(!error.contains("hunter") && !error.contains("777"), "{json}: {error}");
            assert!(error.contains("expected base64 text with padding"), "{json}: {error}");
        }
    }
}

#[test]
fn errors_say_what_was_there_and_what_was_expected() {
    let message = |json: &str| serde_json::from_str::<All>(json).unwrap_err().to_string();
    assert!(
        message(r#"{"quantity":"1GB"}"#)
            .starts_with(r#"invalid value: string "1GB", expected a quantity"#)
    );
    assert!(
        message(r#"{"port":3000000000}"#)
            .contains("`3000000000`, expected a number of 32 bits or a string")
    );
    assert!(message(r#"{"port":1.5}"#).contains("`1.5`, expected a number of 32 bits or a string"));
    assert!(message(r#"{"time":5}"#).contains("`5`, expected a time"));
    assert!(message(r#"{"bytes":{"a":1}}"#).starts_with("invalid type: map, expected base64"));
    assert!(
        message(r#"{"bytes":true}"#).starts_with("invalid type: boolean `true`, expected base64")
    );
}
