//! Reading.

use super::error::Fault;
use super::place::Unknown;
use super::text::{KEY, STRING, is_space};
use crate::codec::table::Seen;
use crate::codec::{List, Map, Object, Scalar, Slot, Table, identity};
use crate::values::raw_json;

/// A fault is large and rare.
pub(super) type Result<T = ()> = std::result::Result<T, Box<Fault>>;

/// How deep objects and lists of known types may be in each other, as in `serde_json`.
pub(super) const LEVELS: u8 = 127;

/// Reads a text from its start to its end.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    /// How far it is read.
    pub(super) at: usize,
    /// How many more levels there may be.
    pub(super) levels: u8,
    /// The last string that had escapes.
    pub(super) scratch: String,
    /// How the objects and arrays end that are being skipped.
    pub(super) closers: Vec<u8>,
    /// Whether there was white space since this was last set to false.
    has_space: bool,
    /// The unknown members, if somebody asked for them.
    unknown: Option<Unknown>,
    /// The member that cannot be repeated, since what it held was handed out.
    pub(super) closed: Option<usize>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            levels: LEVELS,
            scratch: String::new(),
            closers: Vec::new(),
            has_space: false,
            unknown: None,
            closed: None,
        }
    }

    pub(super) fn listing_unknown(text: &'a str) -> Self {
        Self { unknown: Some(Unknown::default()), ..Self::new(text) }
    }

    pub(super) fn into_unknown(self) -> Unknown {
        self.unknown.unwrap_or_default()
    }

    #[inline]
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// Passes over white space and tells the next byte, or 0 at the end. No JSON has a byte 0 between its parts.
    #[inline]
    pub(super) fn peek(&mut self) -> u8 {
        match self.bytes().get(self.at) {
            Some(&byte) if byte > b' ' => byte,
            _ => self.peek_behind_space(),
        }
    }

    fn peek_behind_space(&mut self) -> u8 {
        while let Some(&byte) = self.bytes().get(self.at) {
            if !is_space(byte) {
                return byte;
            }
            self.has_space = true;
            self.at += 1;
        }
        0
    }

    pub(super) fn word(&mut self, word: &'static str) -> Result {
        if !self.bytes()[self.at..].starts_with(word.as_bytes()) {
            return Err(Fault::expected(self.at, word));
        }
        self.at += word.len();
        Ok(())
    }

    #[inline]
    pub(super) fn colon(&mut self) -> Result {
        if self.peek() != b':' {
            return Err(Fault::expected(self.at, "`:`"));
        }
        self.at += 1;
        Ok(())
    }

    /// Whether there is a comma, or the end of an object or array.
    #[inline]
    pub(super) fn goes_on(&mut self, closer: u8) -> Result<bool> {
        let byte = self.peek();
        if byte != b',' && byte != closer {
            return Err(Fault::expected(self.at, if closer == b'}' { "`,` or `}`" } else { "`,` or `]`" }));
        }
        self.at += 1;
        Ok(byte == b',')
    }

    /// Goes into an object or array. Tells whether there is anything in it.
    pub(super) fn open(&mut self, opener: u8, closer: u8) -> Result<bool> {
        debug_assert_eq!(self.peek(), opener);
        if self.levels == 0 {
            return Err(Fault::says(self.at, format!("more than {LEVELS} levels of objects and arrays")));
        }
        self.levels -= 1;
        self.at += 1;
        let is_empty = self.peek() == closer;
        self.at += usize::from(is_empty);
        Ok(!is_empty)
    }

    /// Reads a value. Asks for its slot when it is known whether there is anything. Objects, lists and maps must be
    /// empty.
    #[inline]
    pub(super) fn value<'s>(&mut self, slot: impl FnOnce(bool) -> Slot<'s>) -> Result {
        if self.peek() == b'n' {
            self.word("null")?;
            slot(false).clear();
            return Ok(());
        }
        self.present(slot(true))
    }

    /// Reads a value that is not `null`.
    fn present(&mut self, slot: Slot<'_>) -> Result {
        match slot {
            Slot::Absent => return Err(Fault::says(self.at, "there is no place for the value")),
            Slot::Bool(value) => *value = self.boolean()?,
            Slot::Int32(value) => *value = self.integer("an integer of 32 bits")?,
            Slot::Int64(value) => *value = self.integer("an integer of 64 bits")?,
            Slot::Double(value) => *value = self.float()?,
            #[allow(clippy::assigning_clones)] // there is nothing to reuse in an empty string
            Slot::String(value) => *value = self.string(STRING)?.to_owned(),
            Slot::Scalar(value) => self.scalar(value)?,
            Slot::Raw(value) => *value = self.raw()?,
            Slot::Object(object) => self.object(object)?,
            Slot::List(list) => self.list(list)?,
            Slot::Map(map) => self.map(map)?,
        }
        Ok(())
    }

    fn object(&mut self, object: &mut dyn Object) -> Result {
        let table = object.table();
        self.at_object(table)?;
        let start = self.at;
        let done = self
            .open(b'{', b'}')
            .and_then(|goes_on| self.members(object, Seen::default(), goes_on))
            .and_then(|()| identity::check(object, table).map_err(|wrong| Fault::says(start, wrong)));
        done.map_err(|fault| self.other_kind(table, start).unwrap_or(fault))
    }

    pub(super) fn at_object(&mut self, table: &Table) -> Result {
        match self.peek() {
            b'{' => Ok(()),
            _ => Err(Fault::expected(self.at, format!("an object ({})", table.name))),
        }
    }

    pub(super) fn members(&mut self, object: &mut dyn Object, mut seen: Seen, mut goes_on: bool) -> Result {
        let keys = object.table().keys.index();
        while goes_on {
            let index = keys.find(self.string(KEY)?);
            self.colon()?;
            match index {
                Some(index) => {
                    // Of repeated members the last one counts, and nothing of the others stays.
                    if seen.again(index) {
                        self.refuse_closed(index)?;
                        object.member_mut(index, false).clear();
                    }
                    self.value(|is_present| object.member_mut(index, is_present))?;
                }
                None => self.unknown()?,
            }
            goes_on = self.goes_on(b'}')?;
        }
        self.levels += 1;
        Ok(())
    }

    /// Says so if the object that begins here states that it is of another kind: such an object fails at the first
    /// member that differs, and what that member should have been helps nobody.
    #[cold]
    pub(super) fn other_kind(&self, wanted: &Table, start: usize) -> Option<Box<Fault>> {
        if wanted.identities.is_empty() {
            return None;
        }
        let mut stated = identity::Stated::default();
        Reader::new(&self.text[start..]).value(|_| Slot::Object(&mut stated)).ok()?;
        stated.other_than(wanted).map(|wrong| Fault::says(start, wrong))
    }

    fn unknown(&mut self) -> Result {
        self.peek();
        if let Some(unknown) = &mut self.unknown {
            unknown.add(self.at);
        }
        self.skip()
    }

    fn list(&mut self, list: &mut dyn List) -> Result {
        if self.peek() != b'[' {
            return Err(Fault::expected(self.at, "an array"));
        }
        let mut goes_on = self.open(b'[', b']')?;
        while goes_on {
            self.value(|is_present| list.push(is_present))?;
            goes_on = self.goes_on(b']')?;
        }
        self.levels += 1;
        list.finish(true);
        Ok(())
    }

    fn map(&mut self, map: &mut dyn Map) -> Result {
        if self.peek() != b'{' {
            return Err(Fault::expected(self.at, "an object"));
        }
        let mut goes_on = self.open(b'{', b'}')?;
        while goes_on {
            let key = self.string(KEY)?.to_owned();
            self.colon()?;
            self.value(|is_present| map.insert(key, is_present))?;
            goes_on = self.goes_on(b'}')?;
        }
        self.levels += 1;
        Ok(())
    }

    fn boolean(&mut self) -> Result<bool> {
        match self.peek() {
            b't' => self.word("true").map(|()| true),
            b'f' => self.word("false").map(|()| false),
            _ => Err(Fault::expected(self.at, "a boolean")),
        }
    }

    fn scalar(&mut self, scalar: &mut dyn Scalar) -> Result {
        let start = self.at;
        let taken = match self.peek() {
            b'"' => scalar.read_text(self.string(STRING)?),
            b'-' | b'0'..=b'9' => scalar.read_number(self.number()?),
            _ => return Err(Fault::expected(start, "a string or a number")),
        };
        taken.map_err(|expected| match scalar.is_secret() {
            true => Fault::says(start, format!("{expected}, found something else")),
            false => Fault::expected(start, expected.0),
        })
    }

    /// Reads anything as its text, without white space between the parts.
    fn raw(&mut self) -> Result<Box<str>> {
        self.peek();
        let start = self.at;
        self.has_space = false;
        self.skip()?;
        let text = &self.text[start..self.at];
        Ok(if self.has_space { raw_json::compact(text).into() } else { text.into() })
    }
}
