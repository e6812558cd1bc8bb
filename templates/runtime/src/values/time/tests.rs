//! Times: their strings, and what they refuse.

use super::*;
use std::collections::HashSet;

fn timestamp(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// An RFC 3339 string, and its encodings by `Time` and `MicroTime`.
const READ: [(&str, &str, &str); 24] = [
    ("2001-01-01T01:01:01Z", "2001-01-01T01:01:01Z", "2001-01-01T01:01:01.000000Z"),
    ("2002-01-01T01:01:01.000002Z", "2002-01-01T01:01:01Z", "2002-01-01T01:01:01.000002Z"),
    // fractions of any length, cut and never rounded
    ("2024-05-01T12:00:00.5Z", "2024-05-01T12:00:00Z", "2024-05-01T12:00:00.500000Z"),
    ("2024-05-01T12:00:00.123Z", "2024-05-01T12:00:00Z", "2024-05-01T12:00:00.123000Z"),
    ("2024-05-01T12:00:00.999999999Z", "2024-05-01T12:00:00Z", "2024-05-01T12:00:00.999999Z"),
    (
        "2024-12-31T23:59:59.9999999999999999999999Z",
        "2024-12-31T23:59:59Z",
        "2024-12-31T23:59:59.999999Z",
    ),
    ("2024-05-01T12:00:00.0000009Z", "2024-05-01T12:00:00Z", "2024-05-01T12:00:00.000000Z"),
    ("2024-05-01T12:00:00.0Z", "2024-05-01T12:00:00Z", "2024-05-01T12:00:00.000000Z"),
    // before 1970
    ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.500000Z"),
    ("1969-12-31T23:59:59.9999999Z", "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.999999Z"),
    ("1582-10-10T00:00:00Z", "1582-10-10T00:00:00Z", "1582-10-10T00:00:00.000000Z"),
    // offsets
    ("2024-05-01T12:00:00+00:00", "2024-05-01T12:00:00Z", "2024-05-01T12:00:00.000000Z"),
    ("2024-05-01T12:00:00-00:00", "2024-05-01T12:00:00Z", "2024-05-01T12:00:00.000000Z"),
    ("2024-05-01T00:30:00+02:00", "2024-04-30T22:30:00Z", "2024-04-30T22:30:00.000000Z"),
    ("2024-12-31T20:00:00.25-05:30", "2025-01-01T01:30:00Z", "2025-01-01T01:30:00.250000Z"),
    ("2024-03-01T00:00:00+00:01", "2024-02-29T23:59:00Z", "2024-02-29T23:59:00.000000Z"),
    ("2023-03-01T00:00:00+23:59", "2023-02-28T00:01:00Z", "2023-02-28T00:01:00.000000Z"),
    ("1970-01-01T00:00:00.75+01:00", "1969-12-31T23:00:00Z", "1969-12-31T23:00:00.750000Z"),
    // the ends
    ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000000Z"),
    ("0000-01-01T01:00:00+01:00", "0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000000Z"),
    ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"),
    ("9999-12-30T22:00:00Z", "9999-12-30T22:00:00Z", "9999-12-30T22:00:00.000000Z"),
    ("9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999999Z"),
    ("9999-12-31T22:59:59-01:00", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000000Z"),
];

#[test]
fn reads_and_writes() {
    for (text, seconds, micros) in READ {
        let time = text.parse::<Time>().unwrap();
        let micro = text.parse::<MicroTime>().unwrap();
        assert_eq!(time.to_string(), seconds, "{text}");
        assert_eq!(micro.to_string(), micros, "{text}");
        assert_eq!(seconds.parse(), Ok(time));
        assert_eq!(micros.parse(), Ok(micro));
    }
}

#[test]
fn agrees_with_jiff() {
    for (text, ..) in
        READ.iter().filter(|(text, ..)| !text.starts_with("9999-12-31") && text.len() < 36)
    {
        let nanosecond = timestamp(text).as_nanosecond();
        let seconds = i64::try_from(nanosecond.div_euclid(1_000_000_000)).unwrap();
        let micros = i64::try_from(nanosecond.div_euclid(1_000)).unwrap();
        assert_eq!(
            text.parse::<Time>().unwrap().timestamp(),
            Timestamp::from_second(seconds).unwrap(),
            "{text}"
        );
        let micro = text.parse::<MicroTime>().unwrap();
        assert_eq!(micro.timestamp(), Timestamp::from_microsecond(micros).unwrap(), "{text}");
        assert_eq!(Time::from(timestamp(text)), text.parse().unwrap());
        assert_eq!(MicroTime::from(timestamp(text)), micro);
    }
}

#[test]
fn refuses_what_is_not_rfc_3339() {
    let texts = [
        "",
        "Z",
        "now",
        "2024-05-01",
        "2024-05-01T12:00:00",
        "2024-05-01T12:00Z",
        "2024-05-01 12:00:00Z",
        "2024-05-01t12:00:00Z",
        "2024-05-01T12:00:00z",
        "2024-05-01T12:00:00.Z",
        "2024-05-01T12:00:00.5",
        "2024-05-01T12:00:00,5Z",
        "2024-05-01T12:00:00.5.5Z",
        "2024-05-01T12:00:00 Z",
        " 2024-05-01T12:00:00Z",
        "2024-05-01T12:00:00Z ",
        "2024-05-01T12:00:00ZZ",
        "2024-05-01T12:00:00+02",
        "2024-05-01T12:00:00+0200",
        "2024-05-01T12:00:00+2:00",
        "2024-05-01T12:00:00+02:00:00",
        "2024-05-01T12:00:00+24:00",
        "2024-05-01T12:00:00+23:60",
        "2024-05-01T12:00:00+-2:00",
        "2024-05-01T12:00:00\u{2212}02:00",
        "2024-05-01T12:00:00Z[UTC]",
        "2024-05-01T12:00:00+02:00[Europe/Berlin]",
        "2024-00-01T12:00:00Z",
        "2024-13-01T12:00:00Z",
        "2024-05-00T12:00:00Z",
        "2024-04-31T12:00:00Z",
        "2023-02-29T12:00:00Z",
        "1900-02-29T12:00:00Z",
        "2024-05-01T24:00:00Z",
        "2024-05-01T12:60:00Z",
        "2024-05-01T12:00:60Z",
        "2016-12-31T23:59:60Z",
        "+2024-05-01T12:00:00Z",
        "-001-05-01T12:00:00Z",
        "+002024-05-01T12:00:00Z",
        "20240501T120000Z",
        "2024-05-01T+1:00:00Z",
        "2024-05-01T12:00:0\u{661}Z",
        "\u{e9}024-05-01T12:00:00Z",
        "1714564800",
        // out of the years
        "0000-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
    ];
    for text in texts {
        assert_eq!(text.parse::<Time>(), Err(Expected(EXPECTED)), "{text}");
        assert_eq!(text.parse::<MicroTime>(), Err(Expected(EXPECTED)), "{text}");
    }
}

#[test]
fn timestamps_are_cut_towards_the_past() {
    let half_before = Timestamp::new(-1, 500_000_000).unwrap();
    assert_eq!(Time::from(half_before).to_string(), "1969-12-31T23:59:59Z");
    let nanosecond_before = Timestamp::from_nanosecond(-1).unwrap();
    assert_eq!(Time::from(nanosecond_before).to_string(), "1969-12-31T23:59:59Z");
    assert_eq!(MicroTime::from(nanosecond_before).to_string(), "1969-12-31T23:59:59.999999Z");
    assert_eq!(Time::from(nanosecond_before).timestamp(), Timestamp::from_second(-1).unwrap());
    assert_eq!(
        Timestamp::from(MicroTime::from(nanosecond_before)),
        Timestamp::from_microsecond(-1).unwrap()
    );
}

#[test]
fn the_ends_of_both_ranges() {
    assert_eq!(Time::from(Timestamp::MAX).to_string(), "9999-12-30T22:00:00Z");
    assert_eq!(Time::from(Timestamp::MIN).to_string(), "0000-01-01T00:00:00Z");
    assert_eq!(
        MicroTime::from(timestamp("-000001-12-31T23:59:59.5Z")).to_string(),
        "0000-01-01T00:00:00.000000Z"
    );
    let never: Time = "9999-12-31T23:59:59Z".parse().unwrap();
    assert_eq!(never.timestamp(), Timestamp::MAX);
    assert_eq!(serde_json::to_string(&never).unwrap(), r#""9999-12-31T23:59:59Z""#);
}

#[test]
fn zero_is_null() {
    assert!(Time::default().is_zero() && MicroTime::empty().is_zero());
    assert_eq!(serde_json::to_string(&Time::default()).unwrap(), "null");
    assert_eq!(serde_json::to_string(&MicroTime::default()).unwrap(), "null");
    assert!(serde_json::from_str::<Time>("null").unwrap().is_zero());
    assert!(serde_json::from_str::<MicroTime>("null").unwrap().is_zero());
    assert_eq!(Time::default().to_string(), "0001-01-01T00:00:00Z");
    assert!("0001-01-01T01:00:00+01:00".parse::<Time>().unwrap().is_zero());
    assert!("0001-01-01T00:00:00.9Z".parse::<Time>().unwrap().is_zero());
    assert!(!"0001-01-01T00:00:00.9Z".parse::<MicroTime>().unwrap().is_zero());
    assert!(!Time::from(Timestamp::UNIX_EPOCH).is_zero());
    assert_eq!(
        serde_json::to_string(&Time::from(Timestamp::UNIX_EPOCH)).unwrap(),
        r#""1970-01-01T00:00:00Z""#
    );
}

#[test]
fn json_is_a_string() {
    let json = r#""2002-01-01T01:01:01.000002Z""#;
    assert_eq!(
        serde_json::to_string(&serde_json::from_str::<MicroTime>(json).unwrap()).unwrap(),
        json
    );
    for json in [r#""""#, "0", "1714564800", "1.5", "true", "[]", "{}"] {
        let message = serde_json::from_str::<Time>(json).unwrap_err().to_string();
        assert!(message.contains("expected a time in the form of RFC 3339"), "{json}: {message}");
    }
}

#[test]
fn a_refused_text_changes_nothing() {
    let mut time: Time = "2024-05-01T12:00:00Z".parse().unwrap();
    assert!(
        time.read_text("2024").is_err()
            && time.read_int(1).is_err()
            && time.read_float(1.5).is_err()
    );
    assert_eq!(time.to_string(), "2024-05-01T12:00:00Z");
    time.clear();
    assert!(time.is_zero());
}

#[test]
fn order_equality_hash_and_debug() {
    let mut times: Vec<MicroTime> = READ.iter().map(|(text, ..)| text.parse().unwrap()).collect();
    times.sort();
    assert!(times.windows(2).all(|pair| pair[0].timestamp() <= pair[1].timestamp()));
    assert!(times[0] < MicroTime::default());
    let same = ["2024-05-01T12:00:00Z", "2024-05-01T14:00:00+02:00", "2024-05-01T12:00:00.1Z"];
    let seconds: HashSet<Time> = same.iter().map(|text| text.parse().unwrap()).collect();
    assert_eq!(seconds.len(), 1);
    let micros: HashSet<MicroTime> = same.iter().map(|text| text.parse().unwrap()).collect();
    assert_eq!(micros.len(), 2);
    assert_eq!(format!("{:?}", same[0].parse::<Time>().unwrap()), "Time(2024-05-01T12:00:00Z)");
    assert_eq!(
        format!("{:?}", same[2].parse::<MicroTime>().unwrap()),
        "MicroTime(2024-05-01T12:00:00.100000Z)"
    );
}

#[test]
fn now_is_now() {
    let before = Timestamp::now();
    let now = Time::now().timestamp();
    let micro = MicroTime::now().timestamp();
    let after = Timestamp::now();
    assert!(micro.as_microsecond() >= before.as_microsecond() && micro <= after);
    assert!(now.as_second() >= before.as_second() && now <= after);
    assert_eq!(now.subsec_nanosecond(), 0);
    assert_eq!(micro.subsec_nanosecond() % 1_000, 0);
}

#[test]
fn optional_times_take_eight_bytes() {
    assert_eq!(size_of::<Option<Time>>(), 8);
    assert_eq!(size_of::<Option<MicroTime>>(), 8);
}
