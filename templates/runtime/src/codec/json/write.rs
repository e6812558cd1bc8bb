//! Encoding.

use super::output::Output;
use crate::codec::number::whole;
use crate::codec::presence::{is_omitted, visit_unknown};
use crate::codec::table::{EncodedKey, Index};
use crate::codec::{List, Map, Object, Printed, Unknown, View};
use std::fmt::{self, Write};
use std::io;

/// The number of elements after which the length of a list is estimated for the first time.
const SAMPLE: usize = 8;

/// Encodes values one after another.
pub(super) struct Writer<'a> {
    output: Output<'a>,
    /// The byte before the next member, element or entry: a comma, or the bracket of the object or array that begins.
    separator: u8,
}

/// An object that is being encoded.
struct Members<'w, 'o, 'v> {
    writer: &'w mut Writer<'o>,
    /// The encoded keys. Empty if members may have to be omitted.
    encoded: &'v [EncodedKey],
    keys: &'v Index,
    unknown: Option<&'v Unknown>,
}

impl<'a> Writer<'a> {
    pub(super) fn to(output: &'a mut dyn io::Write) -> Self {
        Self { output: Output::to(output), separator: b',' }
    }

    pub(super) fn after(text: Vec<u8>) -> Self {
        Self { output: Output::after(text), separator: b',' }
    }

    pub(super) fn into_text(self) -> Vec<u8> {
        self.output.into_text()
    }

    pub(super) fn finish(self) -> io::Result<()> {
        self.output.finish()
    }

    /// Each kind of value has a function of its own, so that this one needs neither registers nor a stack.
    pub(super) fn value(&mut self, view: &View<'_>) {
        match *view {
            View::Absent | View::Null => self.output.bytes(b"null"),
            View::Bool(value) => self.bool(value),
            View::Int(value) => self.output.integer(value),
            View::Double(value) => self.double(value),
            View::Str(value) | View::Zero(value) => self.string(value),
            View::Display(value) => self.display(value),
            View::Raw(value) => self.output.bytes(value.as_bytes()),
            View::Object(object) => self.object(object),
            View::List(list) => self.list(list),
            View::Map(map) => self.map(map),
            View::Unknown(members) => self.map(members.as_map()),
        }
    }

    #[inline(never)]
    fn object(&mut self, object: &dyn Object) {
        let keys = object.table().keys.index();
        self.separator = b'{';
        let mut members = Members { writer: self, encoded: keys.encoded(), keys, unknown: None };
        object.visit_members(&mut |index, value| members.member(index, &value));
        if let Some(unknown) = members.unknown {
            visit_unknown(object, unknown, &mut |name, value| self.entry(name, &value));
        }
        self.close(b'{', b'}');
    }

    #[inline(never)]
    fn list(&mut self, list: &dyn List) {
        self.separator = b'[';
        let (start, count, mut next) = (self.output.len(), list.count(), SAMPLE);
        for index in 0..count {
            if index == next {
                self.output.expect(start, index, count - index);
                next *= 2;
            }
            self.output.byte(self.separator);
            self.separator = b',';
            self.value(&list.element(index));
        }
        self.close(b'[', b']');
    }

    #[inline(never)]
    fn map(&mut self, map: &dyn Map) {
        self.separator = b'{';
        map.visit_entries(&mut |key, value| self.entry(key, &value));
        self.close(b'{', b'}');
    }

    fn entry(&mut self, key: &str, value: &View<'_>) {
        self.output.byte(self.separator);
        self.separator = b',';
        self.output.string(key.as_bytes());
        self.output.byte(b':');
        self.value(value);
    }

    /// Ends an object or array. If there was no separator, then it has not begun either.
    #[inline]
    fn close(&mut self, opener: u8, closer: u8) {
        if self.separator == opener {
            self.output.byte(opener);
        }
        self.output.byte(closer);
        self.separator = b',';
    }

    #[inline(never)]
    fn string(&mut self, value: &str) {
        self.output.string(value.as_bytes());
    }

    #[inline]
    fn bool(&mut self, value: bool) {
        let (text, length) = if value { (*b"true\0\0\0\0", 4) } else { (*b"false\0\0\0", 5) };
        self.output.prefix(text, length);
    }

    #[inline(never)]
    fn display(&mut self, value: &dyn Printed) {
        if let Some(short) = value.short(&mut [0; 32]) {
            return self.output.string(short);
        }
        self.output.byte(b'"');
        write!(Escaped(&mut self.output), "{value}").expect("values of this crate can be displayed");
        self.output.byte(b'"');
    }

    #[inline(never)]
    fn double(&mut self, value: f64) {
        match whole(value) {
            Some(value) => self.output.integer(value),
            None => self.output.bytes(&serde_json::to_vec(&value).expect("memory takes everything")),
        }
    }
}

impl<'v> Members<'_, '_, 'v> {
    #[inline]
    fn member(&mut self, index: usize, value: &View<'v>) {
        let writer = &mut *self.writer;
        match self.encoded.get(index) {
            Some(key) if key.length() > 0 => {
                if !writer.output.encoded_key(writer.separator, key) {
                    return self.member_after_flush(index, value);
                }
                writer.separator = b',';
            }
            _ => return self.rare_member(index, value),
        }
        match *value {
            View::Str(value) => writer.string(value), // most members
            _ => writer.value(value),
        }
    }

    /// Not inlined, so that other members need few registers.
    #[cold]
    #[inline(never)]
    fn member_after_flush(&mut self, index: usize, value: &View<'v>) {
        self.writer.output.flush();
        self.member(index, value);
    }

    /// A member whose key is not encoded, or of an object some of whose members were absent, or all unknown ones.
    #[cold]
    fn rare_member(&mut self, index: usize, value: &View<'v>) {
        match (self.keys.name(index), value) {
            (None, View::Unknown(members)) => {
                self.unknown = Some(members);
                self.encoded = if members.has_absent() { &[] } else { self.encoded };
            }
            (Some(name), value) if !is_omitted(self.unknown, index, value) => self.writer.entry(name, value),
            _ => {}
        }
    }
}

/// A formatter's target that escapes for the inside of a string.
struct Escaped<'a, 'b>(&'a mut Output<'b>);

impl fmt::Write for Escaped<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.escaped(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::codec::View;
    use crate::codec::json::{append, to_vec, to_writer};
    use crate::meta_v1::ObjectMeta;

    /// A value before them fills the block up to each of its last bytes.
    #[test]
    fn keys_and_values_are_whole_wherever_the_block_ends() {
        let text = |text: &str| Some(text.to_owned());
        for length in 900..1100 {
            let filler = "a".repeat(length % 2) + &"ä".repeat(length / 2);
            let metadata = ObjectMeta {
                annotations: Some([("a".to_owned(), filler)].into()),
                generation: Some(1_234_567),
                labels: Some([("b".to_owned(), "c".to_owned())].into()),
                name: text("name"),
                namespace: text("namespace"),
                uid: text("7d1c\n"),
                ..ObjectMeta::default()
            };
            let expected = serde_json::to_vec(&metadata).unwrap();
            assert_eq!(to_vec(&metadata), expected, "{length}");
            let mut written = Vec::new();
            to_writer(&mut written, &metadata).unwrap();
            assert_eq!(written, expected, "{length}");
        }
    }

    #[test]
    fn appends_the_same_with_and_without_a_block() {
        let long = "long ".repeat(400);
        let strings = ["", "a", "ä", "a\"b", "\n", &long].map(|text| (View::Str(text), serde_json::json!(text)));
        let others = [
            (View::Absent, ().into()),
            (View::Null, ().into()),
            (View::Zero("0"), "0".into()),
            (View::Bool(true), true.into()),
            (View::Bool(false), false.into()),
            (View::Int(-5), (-5).into()),
            (View::Double(0.5), 0.5.into()),
            (View::Raw("[null]"), serde_json::json!([null])),
        ];
        for (view, expected) in strings.into_iter().chain(others) {
            let mut text = b"[".to_vec();
            append(&mut text, &view);
            assert_eq!(String::from_utf8(text).unwrap(), format!("[{expected}"));
        }
    }

    #[test]
    fn integers_have_all_their_digits() {
        let powers = (0..19).flat_map(|power| [10_i64.pow(power) - 1, 10_i64.pow(power)]);
        for number in (-20..12_000).chain(powers).chain([i64::MIN, i64::MAX]) {
            let mut text = Vec::new();
            append(&mut text, &View::Int(number));
            assert_eq!(text, number.to_string().into_bytes());
        }
    }
}
