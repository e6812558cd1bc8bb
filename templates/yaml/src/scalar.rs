//! Scalars of YAML, as kubectl and servers read them.

use crate::event::Event;
use serde_json::Number;
use std::borrow::Cow;
use std::ops::RangeInclusive;

/// The rules for plain scalars of YAML: which are numbers, booleans and null, and which are
/// strings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rules {
    /// As kubectl and API servers read manifests and request bodies: YAML 1.1, converted to JSON.
    #[default]
    Kubernetes,
    /// As OpenAPI documents are read: the core schema of YAML 1.2, in which every key is a string.
    Core,
}

/// The style in which a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    /// In quotes, as a block, or with the tag `!`.
    String,
    Tagged(Tag),
}

/// The value of a scalar that is not a string.
#[derive(Clone, Debug, PartialEq)]
enum Scalar {
    Null,
    Bool(bool),
    Integer(Number),
    /// A number with a fraction or an exponent, or an infinite one.
    Float(f64),
    Merge,
}

/// Tags of the YAML standard that a scalar can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    String,
    Bool,
    Integer,
    Float,
    Null,
    Timestamp,
    Binary,
    Merge,
}

impl Tag {
    /// All tags, with their names after `!!`.
    const NAMES: [(&str, Self); 8] = [
        ("str", Self::String),
        ("bool", Self::Bool),
        ("int", Self::Integer),
        ("float", Self::Float),
        ("null", Self::Null),
        ("timestamp", Self::Timestamp),
        ("binary", Self::Binary),
        ("merge", Self::Merge),
    ];

    /// The tag with a name after `!!`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, tag)| *tag)
    }

    fn mistyped(self) -> String {
        let name = Self::NAMES.iter().find(|(_, tag)| *tag == self).map_or("", |(name, _)| name);
        format!("the value of the tag `!!{name}` is none of that type")
    }
}

impl Rules {
    /// The value of a scalar.
    pub(crate) fn value(self, text: Cow<'_, str>, style: Style) -> Result<Event<'_>, String> {
        Ok(match self.scalar(&text, style)? {
            None | Some(Scalar::Merge) => Event::String(string(text, style)?),
            Some(Scalar::Null) => Event::Null,
            Some(Scalar::Bool(value)) => Event::Bool(value),
            Some(Scalar::Integer(number)) => Event::Number(number),
            Some(Scalar::Float(number)) => Event::Number(self.number(number).ok_or_else(|| {
                "JSON has no infinite numbers; write it in quotes if it is a string".to_owned()
            })?),
        })
    }

    /// The key that a scalar is, or none for a plain `<<`.
    pub(crate) fn key(
        self,
        text: Cow<'_, str>,
        style: Style,
    ) -> Result<Option<Cow<'_, str>>, String> {
        let scalar = self.scalar(&text, style)?;
        if scalar == Some(Scalar::Merge) {
            return Ok(None);
        }
        if self == Self::Core {
            return string(text, style).map(Some);
        }
        Ok(Some(match scalar {
            None => string(text, style)?,
            Some(Scalar::Null) => return Err("a key is null; write it in quotes".to_owned()),
            Some(Scalar::Bool(value)) => Cow::Borrowed(if value { "true" } else { "false" }),
            Some(Scalar::Integer(number)) if !number.is_i64() => {
                return Err("a key is a number of more than 63 bits; write it in quotes".to_owned());
            }
            Some(Scalar::Integer(number)) => number.to_string().into(),
            Some(Scalar::Float(number)) => float_key(number).into(),
            Some(Scalar::Merge) => return Ok(None),
        }))
    }

    /// The value of a scalar, or none for a string.
    fn scalar(self, text: &str, style: Style) -> Result<Option<Scalar>, String> {
        let tag = match style {
            Style::Plain => return Ok(self.plain(text)),
            Style::String | Style::Tagged(Tag::String | Tag::Binary) => return Ok(None),
            Style::Tagged(tag) => tag,
        };
        match (tag, self.plain(text)) {
            (Tag::Float, Some(Scalar::Integer(number)))
                if self == Self::Core || number.is_i64() =>
            {
                Ok(number.as_f64().map(Scalar::Float))
            }
            (Tag::Bool, scalar @ Some(Scalar::Bool(_)))
            | (Tag::Integer, scalar @ Some(Scalar::Integer(_)))
            | (Tag::Float, scalar @ Some(Scalar::Float(_)))
            | (Tag::Null, scalar @ Some(Scalar::Null))
            | (Tag::Merge, scalar @ Some(Scalar::Merge)) => Ok(scalar),
            (Tag::Merge, _) => Ok(None),
            (Tag::Timestamp, None) if is_timestamp(text) => Ok(None),
            _ => Err(tag.mistyped()),
        }
    }

    /// Whether a reader of YAML 1.2 takes a plain scalar for something else than the event that
    /// these rules make of it.
    pub(crate) fn is_disputed(self, text: &str, event: &Event<'_>) -> bool {
        self == Self::Kubernetes
            && match event {
                Event::Key(key) => key != text,
                Event::Bool(_) => !matches!(core(text), Some(Scalar::Bool(_))),
                Event::Number(number) => match core(text) {
                    Some(Scalar::Integer(other)) => other.as_f64() != number.as_f64(),
                    Some(Scalar::Float(other)) => Some(other) != number.as_f64(),
                    _ => true,
                },
                // No more is a string by these rules.
                _ => false,
            }
    }

    /// The value of a plain scalar, or none for a string.
    fn plain(self, text: &str) -> Option<Scalar> {
        match self {
            Self::Kubernetes => kubernetes(text),
            Self::Core => core(text),
        }
    }

    /// Converts a float to a number of JSON, unless it is not finite. Go writes a float without a
    /// fraction as an integer.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
    fn number(self, number: f64) -> Option<Number> {
        const I64: f64 = 9_223_372_036_854_775_808.0;
        if self == Self::Kubernetes && number.fract() == 0.0 {
            if (-I64..I64).contains(&number) {
                return Some((number as i64).into());
            }
            if (0.0..2.0 * I64).contains(&number) {
                return Some((number as u64).into());
            }
        }
        Number::from_f64(number)
    }
}

/// Whether a string would be something else to some reader of YAML if it were written without
/// quotes.
pub(crate) fn is_ambiguous(text: &str) -> bool {
    let is_known = kubernetes(text).is_some() || core(text).is_some();
    let is_integer = digits(&text.replace('_', "")).is_some();
    is_known || is_integer || text == "=" || is_sexagesimal(text) || is_like_timestamp(text)
}

/// The value of a plain scalar to kubectl and API servers, or none for a string.
fn kubernetes(text: &str) -> Option<Scalar> {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => return Some(Scalar::Bool(true)),
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => return Some(Scalar::Bool(false)),
        _ => {}
    }
    word(text).or_else(|| match text.bytes().next()? {
        // Underscores separate digits, but not in a number that begins with its point.
        b'.' => float(text),
        b'+' | b'-' | b'0'..=b'9' => {
            let plain: Cow<str> =
                if text.contains('_') { text.replace('_', "").into() } else { text.into() };
            integer(&plain).or_else(|| float(&plain))
        }
        _ => None,
    })
}

/// The value of a plain scalar in the core schema of YAML 1.2, or none for a string.
fn core(text: &str) -> Option<Scalar> {
    if let Some(word) = word(text) {
        return Some(word);
    }
    let radix = match text.as_bytes() {
        [b'0', b'o', ..] => 8,
        [b'0', b'x', ..] => 16,
        [b'+' | b'-' | b'.' | b'0'..=b'9', ..] => {
            let digits = text.strip_prefix('+').unwrap_or(text);
            let integer = digits
                .parse::<i64>()
                .map(Number::from)
                .or_else(|_| digits.parse::<u64>().map(Number::from));
            return integer
                .ok()
                .filter(|_| !digits.starts_with('+'))
                .map(Scalar::Integer)
                .or_else(|| float(text));
        }
        _ => return None,
    };
    let digits =
        text.get(2..).filter(|digits| digits.chars().all(|digit| digit.is_digit(radix)))?;
    u64::from_str_radix(digits, radix).ok().map(|number| Scalar::Integer(number.into()))
}

/// The value of a plain scalar that has no digits, in any version of YAML.
fn word(text: &str) -> Option<Scalar> {
    Some(match text {
        "" | "~" | "null" | "Null" | "NULL" => Scalar::Null,
        "true" | "True" | "TRUE" => Scalar::Bool(true),
        "false" | "False" | "FALSE" => Scalar::Bool(false),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Scalar::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Scalar::Float(f64::NEG_INFINITY),
        ".nan" | ".NaN" | ".NAN" => Scalar::Float(f64::NAN),
        "<<" => Scalar::Merge,
        _ => return None,
    })
}

/// An integer of 64 bits in one of Go's notations.
fn integer(text: &str) -> Option<Scalar> {
    let (radix, digits) = digits(text)?;
    let number = u64::from_str_radix(digits, radix).ok()?;
    let signed = if text.starts_with('-') {
        0_i64.checked_sub_unsigned(number)?.into()
    } else {
        number.into()
    };
    Some(Scalar::Integer(signed))
}

/// The radix and the digits of an integer in one of Go's notations: `0x`, `0b`, `0o`, and `0` before
/// octal digits.
fn digits(text: &str) -> Option<(u32, &str)> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &digits[2..]),
        [b'0', b'b' | b'B', ..] => (2, &digits[2..]),
        [b'0', b'o' | b'O', ..] => (8, &digits[2..]),
        [b'0', _, ..] => (8, digits.get(1..)?),
        _ => (10, digits),
    };
    let are_digits = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    are_digits.then_some((radix, digits))
}

/// A decimal number with a fraction, an exponent or too many digits.
fn float(text: &str) -> Option<Scalar> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_decimal = unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && unsigned
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    let number = is_decimal.then(|| text.parse::<f64>().ok())??;
    number.is_finite().then_some(Scalar::Float(number))
}

/// Whether other readers of YAML take a string for a number of base 60.
fn is_sexagesimal(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let Some((first, others)) = text.split_once(':') else { return false };
    first.starts_with(|first: char| first.is_ascii_digit())
        && first.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
        && others.split(':').all(|part| {
            part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'_')) && !part.is_empty()
        })
}

/// Whether a string begins as a date, which other readers of YAML take for a time.
fn is_like_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() > 4 && bytes[..4].iter().all(u8::is_ascii_digit) && bytes[4] == b'-'
}

/// The string of a scalar that is one by its style or tag.
fn string(text: Cow<'_, str>, style: Style) -> Result<Cow<'_, str>, String> {
    match style {
        Style::Tagged(tag @ Tag::Binary) => {
            binary(&text).map(Cow::Owned).ok_or_else(|| tag.mistyped())
        }
        _ => Ok(text),
    }
}

/// Whether a string is a date, or a date and a time, as Go parses them.
fn is_timestamp(text: &str) -> bool {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
    if !is_plain || !is_like_timestamp(text) {
        return false;
    }
    if let Some((date, time)) = text.split_once(' ') {
        return is_date(date) && is_time(time.trim_start());
    }
    let Some((date, time)) = text.split_once(['T', 't']) else { return is_date(text) };
    let local = time.strip_suffix('Z').or_else(|| {
        let (local, zone) = time.split_at_checked(time.len().checked_sub(6)?)?;
        let (hour, minute) = zone.strip_prefix(['+', '-'])?.split_once(':')?;
        let is_zone = hour.len() == 2 && within(hour, 0..=24).is_some();
        (is_zone && minute.len() == 2 && within(minute, 0..=60).is_some()).then_some(local)
    });
    is_date(date) && local.is_some_and(is_time)
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let numbers = (year.parse::<u32>(), within(month, 1..=12), within(day, 1..=31));
    let (Ok(year), Some(month), Some(day)) = numbers else { return false };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = [31, 28 + u32::from(is_leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    day <= days[month as usize - 1]
}

fn is_time(text: &str) -> bool {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let parts: Vec<&str> = whole.split(':').collect();
    let [hour, minute, second] = parts.as_slice() else { return false };
    let are_within = within(hour, 0..=23).is_some()
        && [minute, second].into_iter().all(|part| within(part, 0..=59).is_some());
    are_within && !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number of one or two digits, if it is within a range.
fn within(text: &str, range: RangeInclusive<u32>) -> Option<u32> {
    let is_short = text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| is_short && range.contains(number))
}

/// The string that base64 decodes to. None if it is not base64, or not a string.
fn binary(text: &str) -> Option<String> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\n' | b'\r')).collect();
    if !digits.len().is_multiple_of(4) {
        return None;
    }
    let padding = digits.iter().rev().take_while(|byte| **byte == b'=').count();
    if padding > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3);
    for group in digits[..digits.len() - padding].chunks(4) {
        let mut bits = 0_u32;
        for byte in group {
            bits = bits << 6 | u32::from(digit(*byte)?);
        }
        bits <<= 6 * (4 - group.len());
        bytes.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    String::from_utf8(bytes).ok()
}

/// The value of a digit of base64.
fn digit(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

/// A number as Go writes it with as few digits as 32 bits need, and with an exponent from a million
/// on.
#[expect(clippy::cast_possible_truncation, reason = "as servers do")]
fn float_key(number: f64) -> String {
    let short = number as f32;
    if number.is_nan() {
        return ".nan".to_owned();
    }
    if short.is_infinite() {
        return if short > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let scientific = format!("{short:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        return short.to_string();
    }
    format!("{digits}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}
