//! Encoding.

use crate::codec::builtin::whole;
use crate::codec::by_serde::BySerde;
use crate::codec::presence::{is_omitted, nulls, visit_unknown};
use crate::codec::table::{EncodedKey, Index};
use crate::codec::{List, Map, Object, Printed, Unknown, View};
use crate::lexer;
use std::fmt::{self, Write};
use std::io;

/// The number of elements after which the length of a list is estimated for the first time.
const SAMPLE: usize = 8;

/// Encodes values one after another.
pub(super) struct Writer<'a> {
    output: Output<'a>,
    /// The byte before the next member, element or entry: a comma, or the bracket of the object or
    /// array that begins.
    separator: u8,
}

/// An object that is being encoded.
struct Members<'w, 'o, 'v> {
    writer: &'w mut Writer<'o>,
    /// The encoded keys. Empty if members may have to be omitted, or written as they came.
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

    /// Each kind of value has a function of its own, so that this one needs neither registers nor a
    /// stack.
    pub(super) fn value(&mut self, view: &View<'_>) {
        match *view {
            View::Absent | View::Null => self.output.bytes(b"null"),
            View::Bool(value) => self.bool(value),
            View::Int(value) => self.output.integer(value),
            View::Double(value) => self.double(value),
            View::Str(value) | View::Zero(value) => self.string(value),
            View::Display(value) => self.display(value),
            View::Raw(value) => self.output.bytes(value.as_bytes()),
            View::BySerde(value) => self.by_serde(value),
            View::Object(object) => self.object(object),
            View::List(list) => self.list(list),
            View::Map(map) => self.map(map),
            View::Unknown(members) => self.map(members.as_map()),
        }
    }

    #[cold]
    fn by_serde(&mut self, value: &dyn BySerde) {
        match value.text() {
            Ok(text) => self.output.bytes(text.as_bytes()),
            Err(error) => _ = self.output.failure.get_or_insert(error.into()),
        }
    }

    #[inline(never)]
    fn object(&mut self, object: &dyn Object) {
        let keys = object.table().keys.index();
        self.separator = b'{';
        let mut members = Members { writer: self, encoded: keys.encoded(), keys, unknown: None };
        object.visit_members(&mut |index, value| members.member(index, &value));
        if let Some(unknown) = members.unknown {
            for name in nulls(object, keys, unknown).iter().filter_map(|index| keys.name(index)) {
                self.entry(name, &View::Null);
            }
            visit_unknown(object, unknown, &mut |name, value| self.entry(name, &value));
        }
        self.close(b'{', b'}');
    }

    #[inline(never)]
    fn list(&mut self, list: &dyn List) {
        self.separator = b'[';
        let start = self.output.len();
        let count = list.count();
        let mut next = SAMPLE;
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
        write!(Escaped(&mut self.output), "{value}")
            .expect("values of this crate can be displayed");
        self.output.byte(b'"');
    }

    #[inline(never)]
    fn double(&mut self, value: f64) {
        match whole(value) {
            Some(value) => self.output.integer(value),
            None => {
                self.output.bytes(&serde_json::to_vec(&value).expect("memory takes everything"));
            }
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

    /// A member without an encoded key, a member of an object with absent required members or with
    /// strings to keep, or all unknown members.
    #[cold]
    fn rare_member(&mut self, index: usize, value: &View<'v>) {
        match (self.keys.name(index), value) {
            (None, View::Unknown(members)) => {
                self.unknown = Some(members);
                let is_usual = !members.has_absent() && !members.has_texts();
                self.encoded = if is_usual { self.encoded } else { &[] };
            }
            (Some(name), value) if !is_omitted(self.unknown, index, value) => {
                let spelled = |unknown: &'v Unknown| unknown.spelled(name, *value);
                self.writer.entry(name, &self.unknown.map_or(*value, spelled));
            }
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

/// The number of bytes that are buffered before they are passed to a writer.
const CHUNK: usize = 64 * 1024;
/// The length of the block in which bytes are put together.
const BLOCK: usize = 1024;
/// The factor by which the text may grow at once, if so much is expected.
const GROWTH: usize = 4;

/// Encoded bytes.
///
/// Most values are a few bytes. They are put together in a block of a length that the compiler
/// knows; its bytes from `at` on may have any value. So a key is copied by two instructions,
/// whatever its length.
struct Output<'a> {
    block: [u8; BLOCK],
    /// The number of bytes in the block.
    at: usize,
    /// The bytes before the block.
    text: Vec<u8>,
    /// The expected length of the whole text, as far as it is known.
    expected: usize,
    /// The writer that receives the text when it is long. None: the text grows.
    writer: Option<&'a mut dyn io::Write>,
    /// The error of the writer, or of a value that serde does not encode. Nothing more is passed to
    /// the writer after it.
    failure: Option<io::Error>,
}

impl<'a> Output<'a> {
    /// Appends to bytes.
    fn after(text: Vec<u8>) -> Self {
        Self { block: [0; BLOCK], at: 0, text, expected: 0, writer: None, failure: None }
    }

    /// Passes the bytes to a writer.
    fn to(writer: &'a mut dyn io::Write) -> Self {
        Self { writer: Some(writer), ..Self::after(Vec::new()) }
    }

    /// All bytes, if there is no writer.
    ///
    /// # Panics
    /// When serde did not encode a value.
    fn into_text(mut self) -> Vec<u8> {
        if let Some(error) = &self.failure {
            panic!("a value that is to be JSON returns an error from `Serialize`: {error}");
        }
        self.flush();
        // The first elements of a list may have been far longer than the others.
        self.text.shrink_to(2 * self.text.len());
        self.text
    }

    /// Passes the last bytes to the writer, and flushes it.
    ///
    /// # Errors
    /// The first one of the writer.
    fn finish(mut self) -> io::Result<()> {
        self.flush();
        self.hand_on();
        match (self.failure, self.writer) {
            (Some(failure), _) => Err(failure),
            (None, Some(writer)) => writer.flush(),
            (None, None) => Ok(()),
        }
    }

    /// The number of bytes so far, if there is no writer.
    fn len(&self) -> usize {
        self.text.len() + self.at
    }

    /// Expects this many more elements, of the average length so far: `count` that began at
    /// `start`.
    #[cold]
    fn expect(&mut self, start: usize, count: usize, more: usize) {
        let length = self.len();
        let rest = (length.saturating_sub(start) / count).saturating_mul(more);
        self.expected = self.expected.max(length.saturating_add(rest).saturating_add(rest / 8));
    }

    /// Reserves room for this many bytes, and for the expected ones: growing step by step copies
    /// all bytes again. Never reserves more than a multiple of the present length, because other
    /// elements may be shorter.
    #[inline]
    fn reserve(&mut self, count: usize) {
        if self.text.capacity() - self.text.len() < count {
            let length = self.text.len() + count;
            let expected = if self.writer.is_some() {
                0
            } else {
                self.expected.min(length.saturating_mul(GROWTH))
            };
            self.text.reserve(expected.max(length) - self.text.len());
        }
    }

    /// Empties the block.
    #[cold]
    fn flush(&mut self) {
        self.reserve(self.at);
        self.text.extend_from_slice(&self.block[..self.at]);
        self.at = 0;
        if self.writer.is_some() && self.text.len() >= CHUNK {
            self.hand_on();
        }
    }

    fn hand_on(&mut self) {
        if let (Some(writer), None) = (&mut self.writer, &self.failure) {
            self.failure = writer.write_all(&self.text).err();
        }
        self.text.clear();
    }

    #[inline]
    fn byte(&mut self, byte: u8) {
        if self.at >= BLOCK {
            self.flush();
        }
        self.block[self.at] = byte;
        self.at += 1;
    }

    fn bytes(&mut self, bytes: &[u8]) {
        match self.block.get_mut(self.at..self.at + bytes.len()) {
            Some(target) => {
                target.copy_from_slice(bytes);
                self.at += bytes.len();
            }
            None => self.many_bytes(bytes),
        }
    }

    #[cold]
    fn many_bytes(&mut self, bytes: &[u8]) {
        self.flush();
        if let Some(target) = self.block.get_mut(..bytes.len()) {
            target.copy_from_slice(bytes);
            self.at = bytes.len();
        } else {
            self.reserve(bytes.len());
            self.text.extend_from_slice(bytes);
        }
    }

    /// Appends the first `length` of these bytes. Copies all of them, since a copy of fixed size is
    /// fast.
    #[inline]
    fn prefix<const N: usize>(&mut self, bytes: [u8; N], length: usize) {
        if self.at > BLOCK - N {
            self.flush();
        }
        self.block[self.at..][..N].copy_from_slice(&bytes);
        self.at += length;
    }

    /// Appends a key, with this byte in place of the comma before it. False if there is no room in
    /// the block, which must be flushed first.
    #[inline]
    fn encoded_key(&mut self, separator: u8, key: &EncodedKey) -> bool {
        if self.at > BLOCK - EncodedKey::SIZE {
            return false;
        }
        let target = &mut self.block[self.at..][..EncodedKey::SIZE];
        target.copy_from_slice(&key.block);
        target[0] = separator;
        self.at += key.length();
        true
    }

    /// Appends a string between quotes.
    #[inline]
    fn string(&mut self, value: &[u8]) {
        if value.len() > lexer::LONGEST_SHORT {
            return self.long_string(value);
        }
        self.quoted(value, lexer::copy_short);
    }

    /// Not inlined, so that the usual string needs few registers.
    #[inline(never)]
    fn long_string(&mut self, value: &[u8]) {
        self.quoted(value, lexer::copy_long);
    }

    #[inline]
    fn quoted(&mut self, value: &[u8], copy: impl FnOnce(&[u8], &mut [u8]) -> bool) {
        let end = self.at + value.len() + 2;
        if let Some([first, inside @ .., last]) = self.block.get_mut(self.at..end)
            && copy(value, inside)
        {
            (*first, *last) = (b'"', b'"');
            self.at = end;
            return;
        }
        self.unusual_string(value);
    }

    /// Appends a string that does not fit the block, is not ASCII, or has characters that must be
    /// escaped.
    #[inline(never)]
    fn unusual_string(&mut self, value: &[u8]) {
        self.byte(b'"');
        self.escaped(value);
        self.byte(b'"');
    }

    /// Appends the inside of a string.
    fn escaped(&mut self, value: &[u8]) {
        let mut rest = value;
        loop {
            let (plain, special) = rest.split_at(lexer::plain(rest));
            self.bytes(plain);
            let Some((byte, after)) = special.split_first() else { return };
            self.escape(*byte);
            rest = after;
        }
    }

    fn escape(&mut self, byte: u8) {
        let short = match byte {
            b'"' | b'\\' => byte,
            0x08 => b'b',
            b'\t' => b't',
            b'\n' => b'n',
            0x0c => b'f',
            b'\r' => b'r',
            _ => {
                let digit = |value: u8| {
                    char::from_digit(value.into(), 16).map_or(b'0', |digit| digit as u8)
                };
                return self.bytes(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 0xf)]);
            }
        };
        self.bytes(&[b'\\', short]);
    }

    #[inline(never)]
    #[expect(clippy::cast_possible_truncation, reason = "a digit")]
    fn integer(&mut self, value: i64) {
        match u32::try_from(value) {
            Ok(value @ 0..10) => self.byte(b'0' + value as u8),
            Ok(value @ 10..10_000) => self.small_integer(value),
            _ => self.large_integer(value),
        }
    }

    /// A loop over digits is a quarter of what `write!` costs.
    #[inline(never)]
    fn large_integer(&mut self, value: i64) {
        let mut digits = [0; 20];
        let mut start = digits.len();
        let mut rest = value.unsigned_abs();
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if value < 0 {
            self.byte(b'-');
        }
        self.bytes(&digits[start..]);
    }

    /// Appends an integer of at most four digits: all four, without the zeros in front.
    #[inline]
    fn small_integer(&mut self, value: u32) {
        let digit = |value: u32| b'0' + (value % 10) as u8;
        let digits = [digit(value / 1000), digit(value / 100), digit(value / 10), digit(value)];
        let zeros = u32::from(value < 1000) + u32::from(value < 100) + u32::from(value < 10);
        let digits = u32::from_le_bytes(digits) >> (8 * zeros);
        self.prefix(digits.to_le_bytes(), 4 - zeros as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, GROWTH, Output};
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
        let strings = ["", "a", "ä", "a\"b", "\n", &long]
            .map(|text| (View::Str(text), serde_json::json!(text)));
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

    #[test]
    fn encodes_the_same_at_any_offset_of_the_block() {
        let strings = [
            "",
            "a",
            "abcd",
            "12345678",
            "a\"b\\c\u{1}\n",
            "ä",
            &"long ".repeat(12),
            &"longer".repeat(400),
        ];
        for offset in (0..4).chain(BLOCK - 70..BLOCK + 4) {
            for string in strings {
                let mut output = Output::after(b"before".to_vec());
                output.bytes(&vec![b' '; offset]);
                output.string(string.as_bytes());
                output.integer(1234);
                output.prefix(*b"true\0\0\0\0", 4);
                let expected =
                    format!("before{}{}1234true", " ".repeat(offset), serde_json::json!(string));
                assert_eq!(String::from_utf8(output.into_text()).unwrap(), expected, "{offset}");
            }
        }
    }

    #[test]
    fn grows_to_the_expected_length_at_once_but_not_without_limit() {
        let capacity = |more| {
            let mut output = Output::after(Vec::new());
            output.bytes(&[b' '; BLOCK]);
            output.expect(0, 1, more);
            output.flush();
            output.text.capacity()
        };
        assert!(capacity(2) >= 3 * BLOCK);
        assert!((GROWTH * BLOCK..2 * GROWTH * BLOCK).contains(&capacity(usize::MAX)));
    }
}
