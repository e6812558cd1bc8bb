//! Laws of the values with hand-written Rust, checked against slow and simple references.

use openshift_api::coordination_v1::Lease;
use openshift_api::meta_v1::{
    ByteString, Condition, Int64OrString, IntOrString, MicroTime, Quantity, RawJson, Time,
};
use openshift_api::{from_str, to_string};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use test_support::random;

/// A number with a suffix, and its exact value in units of 10⁻¹².
#[derive(Clone, Debug)]
struct Amount {
    text: String,
    exact: i128,
}

const PICO: i128 = 1_000_000_000_000;

/// Suffixes, and their values in units of 10⁻¹², which are whole numbers.
#[rustfmt::skip]
const SUFFIXES: [(&str, i128); 19] = [
    ("n", 1_000), ("u", 1_000_000), ("m", 1_000_000_000), ("", PICO),
    ("k", PICO * 1_000), ("M", PICO * 1_000_000), ("G", PICO * 1_000_000_000), ("T", PICO * PICO),
    ("P", PICO * PICO * 1_000), ("E", PICO * PICO * 1_000_000),
    ("Ki", PICO << 10), ("Mi", PICO << 20), ("Gi", PICO << 30), ("Ti", PICO << 40), ("Pi", PICO << 50), ("Ei", PICO << 60),
    ("e3", PICO * 1_000), ("E-6", 1_000_000), ("e+0", PICO),
];

/// Few different values, so that equal ones meet.
fn amount() -> impl Strategy<Value = Amount> {
    let number = prop_oneof![select(vec![0, 1, 5, 10, 1000, 1024, 1_024_000]), 0..1_000_000_i128];
    (number, 0..=3_u32, any::<bool>(), select(&SUFFIXES[..])).prop_map(
        |(number, decimals, negative, (suffix, scale))| {
            let unit = 10_i128.pow(decimals);
            let whole = number / unit;
            let fraction = number % unit;
            let sign = if negative { "-" } else { "" };
            let point = if decimals == 0 {
                String::new()
            } else {
                format!(".{fraction:0width$}", width = decimals as usize)
            };
            let exact = number * scale / unit * if negative { -1 } else { 1 };
            Amount { text: format!("{sign}{whole}{point}{suffix}"), exact }
        },
    )
}

impl Amount {
    fn quantity(&self) -> Quantity {
        self.text.parse().unwrap_or_else(|error| panic!("{}: {error}", self.text))
    }

    /// The value in units of this many 10⁻¹², rounded away from zero.
    fn rounded(&self, unit: i128) -> Option<i64> {
        let away = (self.exact.abs() + unit - 1) / unit;
        i64::try_from(away * self.exact.signum()).ok()
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn text_of(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("a value is JSON")
}

proptest! {
    #![proptest_config(ProptestConfig { ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn quantities_order_as_their_exact_values(a in amount(), b in amount()) {
        let left = a.quantity();
        let right = b.quantity();
        prop_assert_eq!(left.cmp(&right), a.exact.cmp(&b.exact));
        prop_assert_eq!(left == right, a.exact == b.exact);
        prop_assert!(left != right || hash(&left) == hash(&right));
    }

    #[test]
    fn quantities_round_as_servers_do(a in amount()) {
        prop_assert_eq!(a.quantity().value(), a.rounded(PICO));
        prop_assert_eq!(a.quantity().milli_value(), a.rounded(PICO / 1000));
    }

    #[test]
    fn quantities_keep_their_text(a in amount(), blanks in "[ \t\n]{0,3}") {
        let json = serde_json::json!(format!("{blanks}{}{blanks}", a.text));
        let quantity: Quantity = serde_json::from_value(json).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(quantity.as_str(), &a.text);
        prop_assert_eq!(text_of(&quantity), format!("\"{}\"", a.text));
    }

    #[test]
    fn quantities_of_numbers_have_their_value(number: i64) {
        let read: Quantity = serde_json::from_str(&number.to_string()).expect("a number is a quantity");
        prop_assert_eq!(read.value(), Some(number));
        prop_assert_eq!(read, Quantity::from(number));
    }

    #[test]
    fn numbers_and_strings_stay_what_they_are(small: i32, number: i64, text: String) {
        for number in [i64::from(small), number] {
            let read = serde_json::from_str::<IntOrString>(&number.to_string()).ok();
            prop_assert_eq!(read, i32::try_from(number).ok().map(IntOrString::Int));
            let large = Int64OrString::Int(number);
            prop_assert_eq!(text_of(&large), number.to_string());
            prop_assert_eq!(&serde_json::from_str::<Int64OrString>(&text_of(&large)).expect("it was written"), &large);
        }
        for value in [IntOrString::Int(small), IntOrString::String(small.to_string()), IntOrString::String(text)] {
            prop_assert_eq!(&serde_json::from_str::<IntOrString>(&text_of(&value)).expect("it was written"), &value);
        }
    }

    #[test]
    fn bytes_are_base64(bytes: Vec<u8>) {
        let value = ByteString(bytes);
        prop_assert_eq!(text_of(&value), format!("\"{}\"", base64(&value)));
        prop_assert_eq!(serde_json::from_str::<ByteString>(&text_of(&value)).expect("it was written"), value);
    }

    #[test]
    fn times_compare_by_their_seconds(a in moment(), b in moment()) {
        let (left, right): (Time, Time) = (a.parse(), b.parse());
        prop_assert_eq!(left.timestamp().as_second(), a.micros.div_euclid(1_000_000));
        prop_assert_eq!(left.cmp(&right), a.micros.div_euclid(1_000_000).cmp(&b.micros.div_euclid(1_000_000)));
        prop_assert_eq!(text_of(&left).len(), "\"2024-05-01T12:00:00Z\"".len());
        prop_assert_eq!(serde_json::from_str::<Time>(&text_of(&left)).expect("it was written"), left);
        prop_assert_eq!(Time::from(left.timestamp()), left);
    }

    #[test]
    fn micro_times_compare_by_their_microseconds(a in moment(), b in moment()) {
        let (left, right): (MicroTime, MicroTime) = (a.parse(), b.parse());
        prop_assert_eq!(left.timestamp().as_microsecond(), a.micros);
        prop_assert_eq!(left.cmp(&right), a.micros.cmp(&b.micros));
        prop_assert_eq!(text_of(&left).len(), "\"2024-05-01T12:00:00.000000Z\"".len());
        prop_assert_eq!(serde_json::from_str::<MicroTime>(&text_of(&left)).expect("it was written"), left);
        prop_assert_eq!(MicroTime::from(left.timestamp()), left);
    }

    #[test]
    fn free_json_is_the_same_json(value in random::json()) {
        let compact = value.to_string();
        let pretty = format!("{value:#}");
        let raw = RawJson::from_value(&value);
        prop_assert_eq!(raw.as_str(), &compact);
        prop_assert_eq!(&pretty.parse::<RawJson>().expect("it is JSON"), &raw);
        prop_assert_eq!(&serde_json::from_str::<RawJson>(&pretty).expect("it is JSON"), &raw);
        prop_assert_eq!(&serde_json::from_value::<RawJson>(value.clone()).expect("it is JSON"), &raw);
        prop_assert_eq!(text_of(&raw), compact);
        prop_assert_eq!(serde_json::to_value(&raw).expect("it is JSON"), value.clone());
        let yaml = serde_yaml::to_string(&raw).expect("JSON fits YAML");
        prop_assert_eq!(serde_yaml::from_str::<Value>(&yaml).expect("it was written"), value);
    }
}

/// Bit by bit, by the definition.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bits: Vec<u8> =
        bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1)).collect();
    bits.resize(bits.len().next_multiple_of(6), 0);
    let digit = |six: &[u8]| {
        char::from(ALPHABET[six.iter().fold(0, |sum, bit| sum * 2 + usize::from(*bit))])
    };
    let digits: String = bits.chunks(6).map(digit).collect();
    format!("{digits:=<width$}", width = digits.len().next_multiple_of(4))
}

/// A time as a string, and its microseconds since 1970.
#[derive(Clone, Debug)]
struct Moment {
    text: String,
    micros: i64,
}

impl Moment {
    fn parse<T: std::str::FromStr<Err: std::fmt::Display>>(&self) -> T {
        self.text.parse().unwrap_or_else(|error| panic!("{}: {error}", self.text))
    }
}

/// Years that no offset moves out of the range of the format, any fraction, any offset.
fn moment() -> impl Strategy<Value = Moment> {
    let date = (1..9999_i64, 1..=12_usize, 1..=31_i64)
        .prop_filter("a day of the month", |(year, month, day)| {
            *day <= month_lengths(*year)[*month - 1]
        });
    let clock = (0..24_i64, 0..60_i64, 0..60_i64, "(\\.[0-9]{1,12})?");
    let offset = prop_oneof![Just(None), (any::<bool>(), 0..24_i64, 0..60_i64).prop_map(Some)];
    (date, clock, offset).prop_map(
        |((year, month, day), (hour, minute, second, fraction), offset)| {
            let (zone, shift) = match offset {
                None => ("Z".to_owned(), 0),
                Some((true, hours, minutes)) => {
                    (format!("+{hours:02}:{minutes:02}"), hours * 60 + minutes)
                }
                Some((false, hours, minutes)) => {
                    (format!("-{hours:02}:{minutes:02}"), -(hours * 60 + minutes))
                }
            };
            let text = format!(
                "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}{zone}"
            );
            let months: i64 = month_lengths(year)[..month - 1].iter().sum();
            let days = days_before(year) - days_before(1970) + months + day - 1;
            let seconds = ((days * 24 + hour) * 60 + minute - shift) * 60 + second;
            let digits: String = fraction.chars().skip(1).chain("000000".chars()).take(6).collect();
            Moment {
                text,
                micros: seconds * 1_000_000 + digits.parse::<i64>().expect("six digits"),
            }
        },
    )
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn month_lengths(year: i64) -> [i64; 12] {
    [31, if is_leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
}

/// The days from the year 1 to this one.
fn days_before(year: i64) -> i64 {
    (1..year).map(|year| 365 + i64::from(is_leap(year))).sum()
}

/// Servers write the times of built-in kinds in one form, and keep others in custom resources.
#[test]
fn times_are_encoded_as_they_came_until_they_change() {
    let with = |time: &str| {
        let members = r#""message":"","reason":"Up","status":"True","type":"Ready""#;
        format!(r#"{{"lastTransitionTime":"{time}",{members}}}"#)
    };
    let usual = with("2024-05-01T12:00:00Z");
    for time in ["2024-05-01T14:00:00+02:00", "2024-05-01T12:00:00.50Z", "2024-05-01T12:00:00.0Z"] {
        let text = with(time);
        let mut condition: Condition = from_str(&text).unwrap();
        assert_eq!(to_string(&condition), text);
        assert_eq!(serde_json::to_string(&condition).unwrap(), text);
        let by_serde: Condition = serde_json::from_str(&text).unwrap();
        assert_eq!(to_string(&by_serde), text);
        assert_eq!(
            to_string(&vec![condition.clone(), condition.clone()]),
            format!("[{text},{text}]")
        );
        assert_eq!(condition, from_str(&usual).unwrap(), "it is the same time");
        assert!(condition.unknown_.is_empty());
        condition.last_transition_time = "2024-05-01T13:00:00Z".parse().unwrap();
        assert_eq!(to_string(&condition), with("2024-05-01T13:00:00Z"));
    }
    // A required member that is absent beside it.
    let text = r#"{"lastTransitionTime":"2024-05-01T14:00:00+02:00","type":"Ready"}"#;
    assert_eq!(to_string(&from_str::<Condition>(text).unwrap()), text);
    // Servers want all digits of such a time.
    let lease: Lease = from_str(r#"{"spec":{"renewTime":"2024-05-01T12:00:00Z"}}"#).unwrap();
    assert!(to_string(&lease).contains("2024-05-01T12:00:00.000000Z"));
}
