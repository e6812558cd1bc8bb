//! One pass over a body: its values are checked, copied, and listed as fields.

use super::cursor::Cursor;
use super::fields::Fields;
use super::metadata::Metadata;
use super::scratch::Scratch;
use crate::schema::{Scalar, SchemaId, Schemas, Shape};
use crate::write::times;
use serde_json::{Number, Value};
use std::mem;
use std::ops::Range;

/// A body that is copied without white space, and its fields.
///
/// Methods return `None` when the body is not plain.
#[derive(Debug)]
pub(super) struct Scan<'a> {
    pub(super) schemas: &'a Schemas,
    pub(super) input: Cursor<'a>,
    pub(super) fields: Fields<'a>,
    /// The values of members that identify elements, as ranges of the copy, of all elements that are open.
    pub(super) keys: Vec<Option<Range<usize>>>,
    /// The members of metadata.
    pub(super) metadata: Metadata,
}

/// A member of an object: its name without quotes and its value, as ranges of JSON.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) name: Range<usize>,
    pub(super) value: Range<usize>,
}

/// A value that comes next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next<'a> {
    pub(super) schema: SchemaId,
    /// The value in an object without content, which no manager owns.
    pub(super) blank: Option<&'a Value>,
    /// Whether it is listed: as a field, or as the path to others. Parts of an atomic value are not.
    pub(super) is_listed: bool,
    pub(super) is_metadata: bool,
    /// The members that identify it among the elements of its list.
    pub(super) keys: &'a [String],
    pub(super) nulls: Nulls,
    /// The levels that may still follow.
    pub(super) depth: usize,
}

/// The treatment of `null` and of an empty list or map, which mean absent where a struct of Go has the member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nulls {
    /// It is a value or an error.
    Declined,
    /// The member is left out.
    Dropped,
    /// The member is left out later. Until then it keeps its place.
    Kept,
}

impl Nulls {
    /// The result of reading a value that means absent, and that is copied already.
    pub(super) fn absent(self) -> Option<Scanned> {
        match self {
            Self::Declined => None,
            Self::Dropped => Some(Scanned { is_dropped: true, ..Scanned::default() }),
            Self::Kept => Some(Scanned::default()),
        }
    }
}

/// The result of reading a value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scanned {
    /// Whether there are fields in it.
    pub(super) has_field: bool,
    /// Whether it is left out.
    pub(super) is_dropped: bool,
}

impl<'a> Scan<'a> {
    pub(super) fn new(schemas: &'a Schemas, text: &'a str, scratch: &mut Scratch) -> Self {
        let Scratch { json, fields, keys, metadata, .. } = scratch;
        Self {
            schemas,
            input: Cursor::new(text, mem::take(json)),
            fields: Fields::new(mem::take(fields)),
            keys: mem::take(keys),
            metadata: mem::take(metadata),
        }
    }

    /// Reads a value.
    pub(super) fn value(&mut self, next: &Next<'a>) -> Option<Scanned> {
        match self.input.peek() {
            b'{' => self.members(next),
            b'[' => self.elements(next),
            b'"' => self.string(next),
            b'-' | b'0'..=b'9' => self.number(next),
            _ => self.word(next),
        }
    }

    fn string(&mut self, next: &Next<'a>) -> Option<Scanned> {
        let start = self.input.length();
        let found = self.input.string()?;
        let decoded;
        let shape = self.schemas.shape(next.schema);
        let layout = match shape {
            Shape::Scalar(Scalar::Time) => Some(times::TIME),
            Shape::Scalar(Scalar::MicroTime) => Some(times::MICRO_TIME),
            _ => None,
        };
        let text = if found.has_escapes {
            decoded = serde_json::from_str::<String>(found.raw()).ok()?;
            let encoded = serde_json::to_string(&decoded).ok()?;
            if encoded != found.raw() {
                self.input.replace(start, encoded.as_bytes());
            }
            &decoded
        } else if layout.is_some() {
            found.inner()
        } else {
            ""
        };
        if layout.is_some_and(|layout| times::check(text, layout).is_err()) {
            return None;
        }
        self.scalar(next, |scalar| !matches!(scalar, Scalar::Integer | Scalar::Number | Scalar::Boolean))
    }

    fn number(&mut self, next: &Next<'a>) -> Option<Scanned> {
        let start = self.input.length();
        let word = self.input.word();
        let digits = word.strip_prefix('-').unwrap_or(word).as_bytes();
        let is_short = digits.len() < 19 && digits.iter().all(u8::is_ascii_digit);
        let is_integer = if is_short && matches!(digits, [b'1'..=b'9', ..]) || word == "0" {
            true
        } else {
            let number: Number = serde_json::from_str(word).ok()?;
            self.input.replace(start, number.to_string().as_bytes());
            number.is_i64()
        };
        self.scalar(next, |scalar| match scalar {
            Scalar::Integer => is_integer,
            scalar => matches!(scalar, Scalar::Number | Scalar::Either),
        })
    }

    /// `null` or a Boolean.
    fn word(&mut self, next: &Next<'a>) -> Option<Scanned> {
        match self.input.word() {
            "true" | "false" => self.scalar(next, |scalar| scalar == Scalar::Boolean),
            "null" => next.nulls.absent(),
            _ => None,
        }
    }

    /// Ends a value without parts, which is copied already.
    #[inline]
    fn scalar(&mut self, next: &Next<'a>, fits: impl Fn(Scalar) -> bool) -> Option<Scanned> {
        let is_fit = match self.schemas.shape(next.schema) {
            Shape::Any => true,
            Shape::Scalar(scalar) => fits(*scalar),
            _ => false,
        };
        if !is_fit || next.blank.is_some() {
            return None;
        }
        if next.is_listed {
            self.fields.leaf();
        }
        Some(Scanned { has_field: true, ..Scanned::default() })
    }
}
