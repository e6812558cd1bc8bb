//! Quantities: their strings, and their values through the public type.

use super::*;
use std::collections::hash_map::DefaultHasher;

fn quantity(text: &str) -> Quantity {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn keeps_its_text() {
    let texts = [
        "0",
        "00",
        "-0",
        "+1",
        "1.",
        ".5",
        "1.50",
        "-.5m",
        "007",
        "1.Gi",
        "1n",
        "1u",
        "1m",
        "1k",
        "1M",
        "1G",
        "1T",
        "1P",
        "1E",
        "1Ki",
        "1Mi",
        "1Gi",
        "1Ti",
        "1Pi",
        "1Ei",
        "1e3",
        "1E3",
        "1e+3",
        "1e-3",
        "1e03",
        "1E-0",
        ".5e1",
        "1e9223372036854775807",
        "1e-9223372036854775808",
        "123456789012345678901234567890.123456789012345678901234",
    ];
    for text in texts {
        assert_eq!(quantity(text).as_str(), text);
        assert_eq!(quantity(text).to_string(), text);
        let json = format!("\"{text}\"");
        assert_eq!(
            serde_json::to_string(&serde_json::from_str::<Quantity>(&json).unwrap()).unwrap(),
            json
        );
    }
}

#[test]
fn drops_blanks_around() {
    assert_eq!(quantity(" 1Gi ").as_str(), "1Gi");
    assert_eq!(Quantity::try_from("\t1\n").unwrap().as_str(), "1");
    assert_eq!(Quantity::try_from(" 1".to_owned()).unwrap().as_str(), "1");
    assert_eq!(Quantity::try_from("1k".to_owned()).unwrap().as_str(), "1k");
}

#[test]
fn refuses_what_is_not_a_quantity() {
    let texts = [
        "",
        " ",
        "+",
        "-",
        ".",
        "-.",
        "m",
        "Ki",
        "e3",
        ".Ki",
        "1 Gi",
        "1. 5",
        "- 1",
        "--1",
        "+-1",
        "1..5",
        "1.5.5",
        "1,5",
        "1_000",
        "0x10",
        "1K",
        "1g",
        "1ki",
        "1KI",
        "1mi",
        "1ni",
        "1Zi",
        "1mm",
        "1Kim",
        "1GiB",
        "1GB",
        "1B",
        "1Ee3",
        "1e3k",
        "1ke3",
        "1e",
        "1e+",
        "1e-",
        "1e1.5",
        "1e 3",
        "1e+-3",
        "1e9223372036854775808",
        "NaN",
        "inf",
        "Infinity",
        "-inf",
        "null",
        "\u{661}",
        "1\u{b5}",
        "1\0",
    ];
    for text in texts {
        assert_eq!(text.parse::<Quantity>().unwrap_err(), Expected(EXPECTED), "{text}");
        assert!(
            Quantity::try_from(text).is_err() && Quantity::try_from(text.to_owned()).is_err(),
            "{text}"
        );
    }
}

#[test]
fn from_numbers() {
    assert_eq!(Quantity::from(i64::MIN).as_str(), "-9223372036854775808");
    assert_eq!(Quantity::from(-5_i32).as_str(), "-5");
    assert_eq!(Quantity::from(u32::MAX).as_str(), "4294967295");
    assert_eq!(Quantity::default().as_str(), "0");
}

#[test]
fn json_numbers_become_their_text() {
    let cases = [
        ("null", "0"),
        ("0", "0"),
        ("5", "5"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("0.5", "0.5"),
        ("0.50", "0.50"),
        ("1e3", "1e3"),
        ("-2.5e-9", "-2.5e-9"),
        ("4889e-30", "4889e-30"),
        ("0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("1E+300", "1E+300"),
        ("\" 1Gi \"", "1Gi"),
    ];
    for (json, text) in cases {
        let quantity: Quantity = serde_json::from_str(json).unwrap();
        assert_eq!(quantity.as_str(), text, "{json}");
        assert_eq!(crate::from_str::<Quantity>(json).unwrap().as_str(), text, "{json}");
        assert_eq!(serde_json::to_string(&quantity).unwrap(), format!("\"{text}\""));
    }
    for json in ["1e400", "-1e400"] {
        assert!(serde_json::from_str::<Quantity>(json).is_err());
        assert!(crate::from_str::<Quantity>(json).is_err());
    }
    // A tree that holds numbers as floats gives the digits of a float.
    let tree: serde_json::Value = serde_json::from_str("[0.50, 18446744073709551615]").unwrap();
    let quantities: Vec<Quantity> = serde_json::from_value(tree).unwrap();
    assert_eq!(
        quantities.iter().map(Quantity::as_str).collect::<Vec<_>>(),
        ["0.5", "18446744073709551615"]
    );
    for json in ["\"\"", "\"1GB\"", "true", "[]", "{}", "[1]"] {
        let message = serde_json::from_str::<Quantity>(json).unwrap_err().to_string();
        assert!(
            message.contains("expected a quantity such as 500m, 2Gi or 1e3"),
            "{json}: {message}"
        );
    }
}

#[test]
fn a_refused_text_changes_nothing() {
    let mut value = quantity("1Gi");
    assert!(value.read_text("1GB").is_err());
    assert!(value.read_float(f64::NAN).is_err() && value.read_float(f64::NEG_INFINITY).is_err());
    assert_eq!(value.as_str(), "1Gi");
    value.clear();
    assert_eq!(value.as_str(), "0");
}

#[test]
fn debug_shows_the_text() {
    assert_eq!(format!("{:?}", quantity("1.50Gi")), "Quantity(1.50Gi)");
}

fn hash(quantity: &Quantity) -> u64 {
    let mut hasher = DefaultHasher::new();
    quantity.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn compares_by_value() {
    let same: [&[&str]; 12] = [
        &["0", "-0", "+0", "0.000", ".0", "0Ki", "0Ei", "0e999999999", "-0m", "00"],
        &["500m", "0.5", ".5", "+.50", "5e-1", "0.0005k", "500000u", "500000000n", "05E-1"],
        &[
            "1Gi",
            "1024Mi",
            "1048576Ki",
            "1073741824",
            "0.0009765625Ti",
            "1.073741824G",
            "1073741824000m",
        ],
        &["1e3", "1k", "1000", "1E3", "0.001M", "1000000m", "10e2", "100e+1", "1000.000"],
        &["1E", "1e18", "1000P", "1E18"],
        &["1Ei", "1152921504606846976", "1024Pi", "1.152921504606846976E"],
        &["0.0000001Ki", "0.0001024", "102.4u", "102400n"],
        &["-1.5Gi", "-1536Mi", "-1610612736"],
        &["9Ei", "10376293541461622784"],
        &["1e999999999", "10e999999998", "0.1e1000000000", "1000e999999996"],
        &["1e9223372036854775807", "10e9223372036854775806", "100e9223372036854775805"],
        &["1e-9223372036854775808", "0.1e-9223372036854775807", ".01e-9223372036854775806"],
    ];
    for (index, texts) in same.iter().enumerate() {
        for (left, right) in
            texts.iter().flat_map(|left| texts.iter().map(move |right| (left, right)))
        {
            assert_eq!(quantity(left), quantity(right));
            assert_eq!(hash(&quantity(left)), hash(&quantity(right)), "{left} {right}");
        }
        for other in &same[index + 1..] {
            assert_ne!(quantity(texts[0]), quantity(other[0]));
        }
    }
}

#[test]
fn is_ordered_by_value() {
    let ascending = [
        "-1e9223372036854775807",
        "-1e999999999",
        "-1Ei",
        "-1E",
        "-2k",
        "-1001",
        "-1k",
        "-1.5",
        "-1",
        "-1m",
        "-1e-999999999",
        "0",
        "1e-9223372036854775808",
        "1e-999999999",
        "1n",
        "999n",
        "1u",
        "0.0001Ki",
        "0.2",
        "0.21",
        "0.3",
        "1",
        "1.0000000000000000000000000000000001",
        "1.1",
        "9",
        "10",
        "99",
        "100",
        "1k",
        "1Ki",
        "1025",
        "999k",
        "1M",
        "1Mi",
        "1G",
        "1Gi",
        "1T",
        "1Ti",
        "1P",
        "1Pi",
        "9223372036854775807",
        "1e30",
        "1e999999999",
        "1.1e999999999",
        "1e9223372036854775807",
    ];
    for (low, left) in ascending.iter().enumerate() {
        for (high, right) in ascending.iter().enumerate() {
            assert_eq!(quantity(left).cmp(&quantity(right)), low.cmp(&high), "{left} {right}");
        }
    }
}

#[test]
fn whole_and_thousandths() {
    let cases = [
        ("0", Some(0), Some(0)),
        ("-0", Some(0), Some(0)),
        ("1", Some(1), Some(1000)),
        ("007", Some(7), Some(7000)),
        ("1.5", Some(2), Some(1500)),
        ("-1.5", Some(-2), Some(-1500)),
        ("1m", Some(1), Some(1)),
        ("-1n", Some(-1), Some(-1)),
        ("1000m", Some(1), Some(1000)),
        ("1001m", Some(2), Some(1001)),
        ("1.0000000000000000000001", Some(2), Some(1001)),
        ("1e-999999999", Some(1), Some(1)),
        ("1e-9223372036854775808", Some(1), Some(1)),
        ("0e999999999", Some(0), Some(0)),
        ("1Ki", Some(1024), Some(1_024_000)),
        ("0.1Ki", Some(103), Some(102_400)),
        ("1.5Gi", Some(1_610_612_736), Some(1_610_612_736_000)),
        ("1e3", Some(1000), Some(1_000_000)),
        ("1E", Some(1_000_000_000_000_000_000), None),
        ("9223372036854775807", Some(i64::MAX), None),
        ("9223372036854775.807", Some(9_223_372_036_854_776), Some(i64::MAX)),
        ("9223372036854775.8071", Some(9_223_372_036_854_776), None),
        ("9223372036854775807.1", None, None),
        ("9223372036854775808", None, None),
        ("-9223372036854775808", Some(i64::MIN), None),
        ("-9223372036854775808.1", None, None),
        ("7Ei", Some(8_070_450_532_247_928_832), None),
        ("8Ei", None, None),
        ("-8Ei", Some(i64::MIN), None),
        ("99999999999999999999", None, None),
        ("1e20", None, None),
        ("1e999999999", None, None),
        ("-1e9223372036854775807", None, None),
    ];
    for (text, value, milli) in cases {
        assert_eq!(
            (quantity(text).value(), quantity(text).milli_value()),
            (value, milli),
            "{text}"
        );
    }
}

#[test]
fn floating_point() {
    let cases = [
        ("0", 0.0),
        ("-0", 0.0),
        ("0.1", 0.1),
        ("100m", 0.1),
        ("-1.5Gi", -1_610_612_736.0),
        ("1n", 1e-9),
        ("1Ei", 1_152_921_504_606_846_976.0),
        ("9007199254740993", 9_007_199_254_740_992.0),
        ("9007199254740993.0000000000000000000000001", 9_007_199_254_740_994.0),
        ("1e308", 1e308),
        ("1e309", f64::INFINITY),
        ("-1e9223372036854775807", f64::NEG_INFINITY),
        ("1e-999999999", 0.0),
        ("1e-9223372036854775808", 0.0),
    ];
    for (text, float) in cases {
        assert_eq!(
            quantity(text).to_f64().total_cmp(&float),
            Ordering::Equal,
            "{text}: {}",
            quantity(text).to_f64()
        );
    }
}

#[test]
fn a_long_text_is_exact() {
    let nines = "9".repeat(5_000);
    let zeros = "0".repeat(5_000);
    assert_eq!(quantity(&format!("1{zeros}")), quantity("1e5000"));
    assert_eq!(quantity(&format!("0.{zeros}1Ki")), quantity("1024e-5001"));
    assert!(quantity(&format!("0.{nines}")) < quantity("1"));
    assert!(quantity(&format!("0.{nines}Ei")) > quantity("1152921504606846975"));
    assert_eq!(quantity(&format!("0.{nines}")).value(), Some(1));
    assert_eq!(quantity(&nines).value(), None);
}

#[test]
fn spells_quantities_as_servers_do() {
    for (text, expected) in [
        ("1", "1"),
        ("1024Mi", "1Gi"),
        ("1.5Gi", "1536Mi"),
        ("0.5Ki", "512"),
        ("0.3Ki", "307200m"),
        ("1000m", "1"),
        ("1500m", "1500m"),
        ("0.5", "500m"),
        ("2.50", "2500m"),
        ("100M", "100M"),
        ("1000000", "1M"),
        ("1e3", "1e3"),
        ("1E6", "1e6"),
        ("1E", "1E"),
        ("1000E", "1000E"),
        ("1024Ei", "1024Ei"),
        ("12e-1", "1200e-3"),
        ("-1000", "-1k"),
        ("-1.5Gi", "-1536Mi"),
        ("+5", "5"),
        ("0", "0"),
        ("-0", "0"),
        ("0Gi", "0"),
        ("0.0000000001", "1n"),
        ("-0.0000000011", "-2n"),
        ("1e-999999999", "1e-9"),
        (" 1k ", "1k"),
        ("1025", "1025"),
        ("2048Ki", "2Mi"),
        ("1Ki", "1Ki"),
    ] {
        assert_eq!(quantity(text).canonical().as_str(), expected, "{text}");
        assert_eq!(quantity(expected).canonical().as_str(), expected, "{expected}");
    }
    for text in ["9".repeat(100_000), "1e999999999".to_owned()] {
        assert_eq!(quantity(&text).canonical().as_str(), text, "it is too long");
    }
}
