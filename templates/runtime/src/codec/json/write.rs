//! Encoding.

use crate::codec::number::whole;
use crate::codec::presence::{is_omitted, visit_unknown};
use crate::codec::table::{EncodedKey, Index};
use crate::codec::{List, Map, Object, Unknown, View};
use crate::lexer;
use std::fmt::{self, Write};
use std::{io, mem};

/// The number of bytes that are buffered before they are passed to the output.
const CHUNK: usize = 64 * 1024;

/// Encodes values one after another.
#[derive(Default)]
pub(super) struct Writer<'a> {
    text: Vec<u8>,
    /// The output that receives the buffer when it is full. None: the buffer grows.
    output: Option<&'a mut dyn io::Write>,
    /// The error of the output, after which nothing more is passed to it.
    failure: Option<io::Error>,
}

/// State that few objects need while they are encoded.
struct Rare<'a> {
    /// The encoded keys. None, if members may have to be omitted.
    encoded: &'a [EncodedKey],
    unknown: Option<&'a Unknown>,
}

impl<'a> Writer<'a> {
    pub(super) fn to(output: &'a mut dyn io::Write) -> Self {
        Self { output: Some(output), ..Self::default() }
    }

    pub(super) fn after(text: Vec<u8>) -> Self {
        Self { text, ..Self::default() }
    }

    pub(super) fn into_text(self) -> Vec<u8> {
        self.text
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.hand_on();
        match (self.failure, self.output) {
            (Some(failure), _) => Err(failure),
            (None, Some(output)) => output.flush(),
            (None, None) => Ok(()),
        }
    }

    #[cold]
    fn hand_on(&mut self) {
        if let (Some(output), None) = (&mut self.output, &self.failure) {
            self.failure = output.write_all(&self.text).err();
            self.text.clear();
        }
    }

    pub(super) fn value(&mut self, view: &View<'_>) {
        match *view {
            View::Absent | View::Null => self.plain("null"),
            View::Bool(value) => self.plain(if value { "true" } else { "false" }),
            View::Int(value) => self.integer(value),
            View::Double(value) => self.double(value),
            View::Str(value) | View::Zero(value) => self.string(value),
            View::Display(value) => self.display(value),
            View::Raw(value) => self.plain(value),
            View::Object(object) => self.object(object),
            View::List(list) => self.list(list),
            View::Map(map) => self.map(map),
            View::Unknown(members) => self.map(members.as_map()),
        }
    }

    fn object(&mut self, object: &dyn Object) {
        let keys = object.table().keys.index();
        let mut separator = b'{';
        let mut rare = Rare { encoded: keys.encoded(), unknown: None };
        object.visit_members(&mut |index, value| {
            match rare.encoded.get(index) {
                Some(key) if key.length() > 0 => self.encoded_key(mem::replace(&mut separator, b','), key),
                _ => return self.rare_member(keys, &mut rare, &mut separator, index, value),
            }
            match value {
                View::Str(value) => self.string(value), // most members
                value => self.value(&value),
            }
        });
        if let Some(unknown) = rare.unknown {
            visit_unknown(object, unknown, &mut |name, value| {
                self.key(mem::replace(&mut separator, b','), name);
                self.value(&value);
            });
        }
        self.close(separator, b'{', b'}');
    }

    /// A member whose key is not encoded, or of an object some of whose members were absent, or all unknown ones.
    #[cold]
    fn rare_member<'v>(
        &mut self,
        keys: &Index,
        rare: &mut Rare<'v>,
        separator: &mut u8,
        index: usize,
        value: View<'v>,
    ) {
        match (keys.name(index), value) {
            (None, View::Unknown(members)) => {
                rare.unknown = Some(members);
                rare.encoded = if members.has_absent() { &[] } else { rare.encoded };
            }
            (Some(name), value) if !is_omitted(rare.unknown, index, &value) => {
                self.key(mem::replace(separator, b','), name);
                self.value(&value);
            }
            _ => {}
        }
    }

    fn list(&mut self, list: &dyn List) {
        let mut separator = b'[';
        for index in 0..list.count() {
            self.text.push(mem::replace(&mut separator, b','));
            self.value(&list.element(index));
            if self.output.is_some() && self.text.len() >= CHUNK {
                self.hand_on();
            }
        }
        self.close(separator, b'[', b']');
    }

    fn map(&mut self, map: &dyn Map) {
        let mut separator = b'{';
        map.visit_entries(&mut |key, value| {
            self.key(mem::replace(&mut separator, b','), key);
            self.value(&value);
        });
        self.close(separator, b'{', b'}');
    }

    /// Ends an object or array. If there was no separator, then it has not begun either.
    fn close(&mut self, separator: u8, opener: u8, closer: u8) {
        if separator == opener {
            self.text.push(opener);
        }
        self.text.push(closer);
    }

    fn plain(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    fn key(&mut self, separator: u8, key: &str) {
        self.text.reserve(key.len() + 4);
        self.text.push(separator);
        self.string(key);
        self.text.push(b':');
    }

    #[inline]
    fn encoded_key(&mut self, separator: u8, key: &EncodedKey) {
        let start = self.text.len();
        self.text.extend_from_slice(&key.block);
        self.text[start] = separator;
        self.text.truncate(start + key.length());
    }

    fn string(&mut self, value: &str) {
        self.text.push(b'"');
        if lexer::is_plain(value.as_bytes()) {
            self.plain(value);
        } else {
            self.escaped(value);
        }
        self.text.push(b'"');
    }

    fn display(&mut self, value: &dyn fmt::Display) {
        self.text.push(b'"');
        write!(Escaped(self), "{value}").expect("values of this crate can be displayed");
        self.text.push(b'"');
    }

    /// Encodes the inside of a string.
    fn escaped(&mut self, value: &str) {
        let mut rest = value.as_bytes();
        loop {
            let (plain, special) = rest.split_at(lexer::plain(rest));
            self.text.extend_from_slice(plain);
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
                let digit = |value: u8| char::from_digit(value.into(), 16).map_or(b'0', |digit| digit as u8);
                return self.text.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 0xf)]);
            }
        };
        self.text.extend_from_slice(&[b'\\', short]);
    }

    fn integer(&mut self, value: i64) {
        // A loop over digits is a quarter of what `write!` costs.
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
            self.text.push(b'-');
        }
        self.text.extend_from_slice(&digits[start..]);
    }

    fn double(&mut self, value: f64) {
        match whole(value) {
            Some(value) => self.integer(value),
            None => serde_json::to_writer(&mut self.text, &value).expect("memory takes everything"),
        }
    }
}

/// A formatter's target that escapes for the inside of a string.
struct Escaped<'a, 'b>(&'a mut Writer<'b>);

impl fmt::Write for Escaped<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.escaped(text);
        Ok(())
    }
}
