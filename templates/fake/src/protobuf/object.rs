// not vendored
//! Decodes messages to the members that JSON has for them.

use super::table::{Field, Kind, Repeats, TABLE};
use super::wire::{Error, Fields, WireValue, varint};
use crate::tree::from_json;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use kapigen_runtime::jiff::Timestamp;
use serde_json::{Map, Number, Value, json};

/// The greatest depth of messages.
const DEEPEST: usize = 100;

/// Adds the members of a message with this number in the table.
pub(super) fn decode(
    number: usize,
    message: &[u8],
    members: &mut Map<String, Value>,
) -> Result<(), Error> {
    fields(number, message, members, DEEPEST)
}

fn fields(
    number: usize,
    message: &[u8],
    members: &mut Map<String, Value>,
    left: usize,
) -> Result<(), Error> {
    let left = left.checked_sub(1).ok_or(Error::TooDeep)?;
    let known = TABLE.message(number);
    for read in Fields::new(message) {
        let (number, part) = read?;
        let Some(field) = known.field(number) else { continue };
        match (field.repeats, field.kind) {
            (Repeats::No, Kind::Inline(number)) => {
                fields(number, part.bytes_of(field.name)?, members, left)?;
            }
            (Repeats::No, Kind::Message(number)) if !TABLE.message(number).is_wrapper => {
                let bytes = part.bytes_of(field.name)?;
                // Of a repeated message, the fields count together.
                let value = members.entry(field.name).or_insert_with(|| json!({}));
                if let Value::Object(members) = value {
                    fields(number, bytes, members, left)?;
                }
            }
            (Repeats::No, _) => match value(field, Some(&part), left)? {
                value if is_left_out(field.kind, &value) => _ = members.shift_remove(field.name),
                value => _ = members.insert(field.name.to_owned(), value),
            },
            (Repeats::List, _) => {
                let list = members.entry(field.name).or_insert_with(|| json!([]));
                if let Value::Array(list) = list {
                    elements(field, &part, list, left)?;
                }
            }
            (Repeats::Map, _) => {
                let (key, value) = entry(field, part.bytes_of(field.name)?, left)?;
                let map = members.entry(field.name).or_insert_with(|| json!({}));
                map[key] = value;
            }
        }
    }
    Ok(())
}

/// Adds an element to a list, or several numbers that are packed.
fn elements(
    field: &Field,
    part: &WireValue<'_>,
    list: &mut Vec<Value>,
    left: usize,
) -> Result<(), Error> {
    let is_packable = matches!(field.kind, Kind::Boolean { .. } | Kind::Integer { .. });
    if let (true, &WireValue::Bytes(mut packed)) = (is_packable, part) {
        while !packed.is_empty() {
            let part = WireValue::Varint(varint(&mut packed)?);
            list.push(value(field, Some(&part), left)?);
        }
        return Ok(());
    }
    list.push(value(field, Some(part), left)?);
    Ok(())
}

/// The key and the value of an entry of a map.
fn entry(field: &Field, message: &[u8], left: usize) -> Result<(String, Value), Error> {
    let mut key: &[u8] = &[];
    let mut found = None;
    for read in Fields::new(message) {
        match read? {
            (1, part) => key = part.bytes_of(field.name)?,
            (2, part) => found = Some(part),
            _ => {}
        }
    }
    let value = value(field, found.as_ref(), left)?;
    Ok((String::from_utf8_lossy(key).into_owned(), value))
}

/// The value of a field or of an element. Without a part, it is the zero of its type.
fn value(field: &Field, part: Option<&WireValue<'_>>, left: usize) -> Result<Value, Error> {
    Ok(match field.kind {
        Kind::Boolean { .. } => json!(number(field, part)? != 0),
        Kind::Bytes { .. } => json!(BASE64_STANDARD.encode(content(field, part)?)),
        Kind::Double { .. } => match part {
            None => json!(0),
            Some(WireValue::Fixed64(bits)) => double(f64::from_bits(*bits))?,
            Some(other) => return Err(Error::WireType(other.wire_type(), field.name)),
        },
        Kind::Integer { .. } => json!(number(field, part)?.cast_signed()),
        Kind::Text { .. } => json!(String::from_utf8_lossy(content(field, part)?)),
        Kind::Message(number) | Kind::Inline(number) => {
            let mut members = Map::new();
            fields(number, content(field, part)?, &mut members, left)?;
            let message = TABLE.message(number);
            if message.is_wrapper { wrapped(message.fields(), members) } else { members.into() }
        }
        Kind::IntOrString => int_or_string(content(field, part)?)?,
        Kind::Json => json_of(content(field, part)?)?,
        Kind::MicroTime => time(content(field, part)?, true)?,
        Kind::Quantity => {
            let text = single(content(field, part)?, field.name)?;
            json!(if text.is_empty() { "0".into() } else { String::from_utf8_lossy(text) })
        }
        Kind::Time => time(content(field, part)?, false)?,
    })
}

/// The number of a field, which is zero if it is absent.
fn number(field: &Field, part: Option<&WireValue<'_>>) -> Result<u64, Error> {
    match part {
        None => Ok(0),
        Some(WireValue::Varint(number)) => Ok(*number),
        Some(other) => Err(Error::WireType(other.wire_type(), field.name)),
    }
}

/// The bytes of a field, which are none if it is absent.
fn content<'a>(field: &Field, part: Option<&WireValue<'a>>) -> Result<&'a [u8], Error> {
    part.map_or(Ok(&[]), |part| part.bytes_of(field.name))
}

/// Whether JSON has no member for a value: Go omits zeros, unless they are behind a pointer.
fn is_left_out(kind: Kind, value: &Value) -> bool {
    match kind {
        Kind::Boolean { keeps_zero } => !keeps_zero && value == false,
        Kind::Bytes { keeps_zero } | Kind::Text { keeps_zero } => !keeps_zero && value == "",
        Kind::Double { keeps_zero } | Kind::Integer { keeps_zero } => !keeps_zero && value == 0,
        _ => value.is_null(),
    }
}

/// The last member that a wrapper has, or the zero of its first one.
fn wrapped(fields: &[Field], mut members: Map<String, Value>) -> Value {
    let last = fields.iter().rev().find_map(|field| members.shift_remove(field.name));
    match (last, fields) {
        (Some(last), _) => last,
        (None, [Field { kind: Kind::Boolean { .. }, .. }, ..]) => json!(false),
        (None, _) => Value::Null,
    }
}

/// A number as Go writes it to JSON.
fn double(number: f64) -> Result<Value, Error> {
    /// Up to here, each whole number has a double.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() <= EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole, and small enough")]
        return Ok(json!(number as i64));
    }
    match Number::from_f64(number) {
        Some(number) => Ok(Value::Number(number)),
        None => Err(Error::Value(format!("json: unsupported value: {number}"))),
    }
}

fn int_or_string(message: &[u8]) -> Result<Value, Error> {
    let (mut is_text, mut number, mut text) = (false, 0, &[][..]);
    for read in Fields::new(message) {
        match read? {
            (1, WireValue::Varint(kind)) => is_text = kind == 1,
            (2, WireValue::Varint(found)) => number = found.cast_signed(),
            (3, WireValue::Bytes(found)) => text = found,
            (1..=3, part) => return Err(Error::WireType(part.wire_type(), "IntOrString")),
            _ => {}
        }
    }
    Ok(if is_text { json!(String::from_utf8_lossy(text)) } else { json!(number) })
}

/// JSON in the only field of a message.
fn json_of(message: &[u8]) -> Result<Value, Error> {
    match single(message, "Raw")? {
        [] => Ok(Value::Null),
        raw => from_json(raw).map(|body| body.tree).map_err(Error::Value),
    }
}

/// The bytes in the first field of a message.
fn single<'a>(message: &'a [u8], name: &'static str) -> Result<&'a [u8], Error> {
    let mut found: &[u8] = &[];
    for read in Fields::new(message) {
        if let (1, part) = read? {
            found = part.bytes_of(name)?;
        }
    }
    Ok(found)
}

/// A time as a string. `null` for the zero of Go, which has no bytes.
fn time(message: &[u8], has_fraction: bool) -> Result<Value, Error> {
    /// The zero of Go: the beginning of the first year.
    const ZERO: i64 = -62_135_596_800;
    let (mut seconds, mut nanoseconds) = (0, 0);
    for read in Fields::new(message) {
        match read? {
            (1, WireValue::Varint(number)) => seconds = number.cast_signed(),
            (2, WireValue::Varint(number)) => nanoseconds = number.cast_signed(),
            (1 | 2, part) => return Err(Error::WireType(part.wire_type(), "Time")),
            _ => {}
        }
    }
    if message.is_empty() || seconds == ZERO && nanoseconds == 0 {
        return Ok(Value::Null);
    }
    // Only the form with a fraction has parts of seconds.
    let nanoseconds = if has_fraction { nanoseconds } else { 0 };
    let time = i32::try_from(nanoseconds).ok().and_then(|rest| Timestamp::new(seconds, rest).ok());
    let time = time.ok_or_else(|| Error::Value("Time: year outside of range [0,9999]".into()))?;
    Ok(json!(if has_fraction { format!("{time:.6}") } else { time.to_string() }))
}
