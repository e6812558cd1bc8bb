use super::*;

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
        assert_eq!(serde_json::to_string(&serde_json::from_str::<Quantity>(&json).unwrap()).unwrap(), json);
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
        assert!(Quantity::try_from(text).is_err() && Quantity::try_from(text.to_owned()).is_err(), "{text}");
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
    assert_eq!(quantities.iter().map(Quantity::as_str).collect::<Vec<_>>(), ["0.5", "18446744073709551615"]);
    for json in ["\"\"", "\"1GB\"", "true", "[]", "{}", "[1]"] {
        let message = serde_json::from_str::<Quantity>(json).unwrap_err().to_string();
        assert!(message.contains("expected a quantity such as 500m, 2Gi or 1e3"), "{json}: {message}");
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
