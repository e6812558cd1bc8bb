//! One pass over a body: its values are checked, copied, and listed as fields.

use super::fields::Fields;
use crate::schema::{Scalar, SchemaId, Schemas, Shape};
use crate::write::times;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// The most keys that identify the elements of a list.
pub(super) const MOST_KEYS: usize = 4;

/// The copy of a body without white space, and its fields.
#[derive(Debug)]
pub(super) struct Scan<'s, 'b> {
    pub(super) schemas: &'s Schemas,
    pub(super) json: Vec<u8>,
    pub(super) fields: Fields<'b>,
}

/// Reads a value.
#[derive(Debug)]
pub(super) struct Seed<'x, 's, 'b> {
    pub(super) scan: &'x mut Scan<'s, 'b>,
    pub(super) schema: SchemaId,
    /// The value in an object without content, which no manager owns.
    pub(super) blank: Option<&'s Value>,
    /// Whether it is listed: as a field, or as the path to others. Parts of an atomic value are not.
    pub(super) is_listed: bool,
    /// Members that nobody owns.
    pub(super) unowned: &'static [&'static str],
    /// The members whose values are to be noted.
    pub(super) keys: &'s [String],
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
    pub(super) fn absent<E: de::Error>(self) -> Result<Scanned, E> {
        match self {
            Self::Declined => Err(decline()),
            Self::Dropped => Ok(Scanned { is_dropped: true, ..Scanned::default() }),
            Self::Kept => Ok(Scanned::default()),
        }
    }
}

/// The result of reading a value.
#[derive(Debug, Default)]
pub(super) struct Scanned {
    /// Whether there are fields in it.
    pub(super) has_field: bool,
    /// Whether it is left out.
    pub(super) is_dropped: bool,
    /// The positions of the members that were to be noted.
    pub(super) keys: [Option<(usize, usize)>; MOST_KEYS],
}

/// The end of the pass: the body is not plain. It is read again in the usual way, so nobody sees a reason.
pub(super) fn decline<E: de::Error>() -> E {
    E::custom("")
}

/// Reads the name of a member.
pub(super) struct Name;

impl<'b> DeserializeSeed<'b> for Name {
    type Value = &'b str;

    fn deserialize<D: Deserializer<'b>>(self, deserializer: D) -> Result<&'b str, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'b> Visitor<'b> for Name {
    type Value = &'b str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name without escapes")
    }

    fn visit_borrowed_str<E>(self, name: &'b str) -> Result<&'b str, E> {
        Ok(name)
    }
}

impl<'s> Seed<'_, 's, '_> {
    pub(super) fn shape(&self) -> &'s Shape {
        self.scan.schemas.shape(self.schema)
    }

    /// A value without parts, once it is copied.
    fn scalar<E: de::Error>(self, fits: fn(Scalar) -> bool) -> Result<Scanned, E> {
        let is_fit = match self.shape() {
            Shape::Any => true,
            Shape::Scalar(scalar) => fits(*scalar),
            _ => false,
        };
        if !is_fit || self.blank.is_some() {
            return Err(decline());
        }
        if self.is_listed {
            self.scan.fields.leaf();
        }
        Ok(Scanned { has_field: true, ..Scanned::default() })
    }

    fn string<E: de::Error>(self, text: &str) -> Result<Scanned, E> {
        let layout = match self.shape() {
            Shape::Scalar(Scalar::Time) => Some(times::TIME),
            Shape::Scalar(Scalar::MicroTime) => Some(times::MICRO_TIME),
            _ => None,
        };
        if layout.is_some_and(|layout| times::check(text, layout).is_err()) {
            return Err(decline());
        }
        self.scalar(|scalar| !matches!(scalar, Scalar::Integer | Scalar::Number | Scalar::Boolean))
    }

    /// The value of an object without content, if that is an object, too.
    pub(super) fn blank_members<E: de::Error>(&self) -> Result<Option<&'s serde_json::Map<String, Value>>, E> {
        match self.blank {
            None => Ok(None),
            Some(Value::Object(members)) => Ok(Some(members)),
            Some(_) => Err(decline()),
        }
    }
}

impl<'b> DeserializeSeed<'b> for Seed<'_, '_, 'b> {
    type Value = Scanned;

    fn deserialize<D: Deserializer<'b>>(self, deserializer: D) -> Result<Scanned, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'b> Visitor<'b> for Seed<'_, '_, 'b> {
    type Value = Scanned;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a plain value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Scanned, E> {
        self.scan.json.extend_from_slice(b"null");
        self.nulls.absent()
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Scanned, E> {
        self.scan.json.extend_from_slice(if value { b"true" } else { b"false" });
        self.scalar(|scalar| scalar == Scalar::Boolean)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Scanned, E> {
        write(&mut self.scan.json, &value)?;
        self.scalar(|scalar| matches!(scalar, Scalar::Integer | Scalar::Number | Scalar::Either))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Scanned, E> {
        if let Ok(value) = i64::try_from(value) {
            return self.visit_i64(value);
        }
        write(&mut self.scan.json, &value)?;
        self.scalar(|scalar| matches!(scalar, Scalar::Number | Scalar::Either))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Scanned, E> {
        write(&mut self.scan.json, &value)?;
        self.scalar(|scalar| matches!(scalar, Scalar::Number | Scalar::Either))
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'b str) -> Result<Scanned, E> {
        // There was no escape, so none is needed.
        let json = &mut self.scan.json;
        json.push(b'"');
        json.extend_from_slice(text.as_bytes());
        json.push(b'"');
        self.string(text)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Scanned, E> {
        write(&mut self.scan.json, text)?;
        self.string(text)
    }

    fn visit_seq<A: SeqAccess<'b>>(self, elements: A) -> Result<Scanned, A::Error> {
        self.elements(elements)
    }

    fn visit_map<A: MapAccess<'b>>(self, entries: A) -> Result<Scanned, A::Error> {
        self.members(entries)
    }
}

fn write<E: de::Error>(json: &mut Vec<u8>, value: &(impl serde::Serialize + ?Sized)) -> Result<(), E> {
    serde_json::to_writer(json, value).map_err(|_| decline())
}

/// Writes the name of a member, which needs no escapes. Its value is next.
pub(super) fn begin_member(json: &mut Vec<u8>, name: impl AsRef<[u8]>) {
    json.push(b'"');
    json.extend_from_slice(name.as_ref());
    json.extend_from_slice(b"\":");
}

/// Ends an object or an array. Returns whether there was something in it.
pub(super) fn close(json: &mut Vec<u8>, bracket: u8) -> bool {
    let has_content = json.last() == Some(&b',');
    if has_content {
        json.pop();
    }
    json.push(bracket);
    has_content
}
