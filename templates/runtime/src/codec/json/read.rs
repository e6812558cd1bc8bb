//! Decoding.

use super::error::UnknownStarts;
use crate::codec::builtin::float;
use crate::codec::by_serde::{self, BySerde};
use crate::codec::mask::MaskNode;
use crate::codec::table::{EncodedKey, Index};
use crate::codec::{
    List, Map, MemberSet, MemberVisitor, Object, Scalar, Slot, Table, Target, View, identity,
    keep_text, presence, unknown_of,
};
use crate::lexer::{Fault, KEY, Lexer, Result, STRING};
use std::mem;
use std::sync::Arc;

/// The maximum nesting depth of objects and lists of known types, as in `serde_json`.
const LEVELS: u8 = 127;

/// Decodes a JSON input from its start to its end.
pub(super) struct Reader<'a> {
    lexer: Lexer<'a>,
    /// The number of further levels that are allowed.
    levels: u8,
    /// The unknown members, if they are requested.
    unknown: Option<UnknownStarts>,
    /// The member that cannot be repeated, since its value was returned to the caller.
    closed: Option<usize>,
    /// The index of the member that is being decoded, unless its value is a string.
    member: usize,
    /// Members of the current object whose value may be zero or empty, as bits: the index modulo 64.
    /// A set bit may be wrong; an unset one never is.
    maybe_zero: u64,
    /// The strings to keep of the objects that are being decoded, the inner ones last, and the
    /// indices of their members.
    texts: Vec<(usize, String)>,
}

/// The parts of a value that are decoded: a type for the whole value, so that nothing looks for
/// others there.
trait Selection: Copy {
    /// The parts of the member with this index, or nothing to skip it.
    fn member(self, index: usize) -> Option<Self>;
    /// The same for an unknown member, an entry of a map, or a member of free JSON.
    fn named(self, name: &str) -> Option<Self>;
    /// Decodes `null`.
    fn null(self, slot: Slot<'_>);
    /// Decodes a value that is not `null`.
    fn non_null(self, reader: &mut Reader<'_>, slot: Slot<'_>) -> Result;
    /// Decodes free JSON.
    fn raw(self, reader: &mut Reader<'_>) -> Result<String>;
    /// Ends the decoding of an object in which these members were seen, of which some may be zero.
    fn finish(
        self,
        object: &mut dyn Object,
        required: &MemberSet,
        seen: &MemberSet,
        maybe_zero: u64,
    );
}

/// The whole value.
#[derive(Clone, Copy)]
struct Whole;

#[expect(clippy::inline_always, reason = "replaces the call of another function")]
impl Selection for Whole {
    #[inline]
    fn member(self, _: usize) -> Option<Self> {
        Some(self)
    }
    #[inline]
    fn named(self, _: &str) -> Option<Self> {
        Some(self)
    }
    #[inline(always)]
    fn null(self, slot: Slot<'_>) {
        slot.set_null();
    }
    #[inline(always)]
    fn non_null(self, reader: &mut Reader<'_>, slot: Slot<'_>) -> Result {
        reader.non_null(slot, self)
    }
    #[inline]
    fn raw(self, reader: &mut Reader<'_>) -> Result<String> {
        reader.lexer.raw()
    }
    #[inline]
    fn finish(
        self,
        object: &mut dyn Object,
        required: &MemberSet,
        seen: &MemberSet,
        maybe_zero: u64,
    ) {
        presence::record_absent(object, required, seen);
        if maybe_zero != 0 {
            presence::keep_zeros(object, required, seen, maybe_zero);
        }
    }
}

/// A part of it.
impl Selection for &MaskNode {
    #[inline]
    fn member(self, index: usize) -> Option<Self> {
        MaskNode::member(self, index)
    }
    #[inline]
    fn named(self, name: &str) -> Option<Self> {
        MaskNode::named(self, name)
    }
    #[inline]
    fn null(self, slot: Slot<'_>) {
        match slot {
            Slot::Object(object) if !self.is_whole => {
                presence::reset(object);
                self.mark(object);
            }
            slot => slot.set_null(),
        }
    }
    #[inline]
    fn non_null(self, reader: &mut Reader<'_>, slot: Slot<'_>) -> Result {
        if self.is_whole { reader.non_null(slot, Whole) } else { reader.non_null(slot, self) }
    }
    #[inline]
    fn raw(self, reader: &mut Reader<'_>) -> Result<String> {
        // The object of an event that is not a change is an error or a bookmark.
        if self.is_marked {
            return reader.lexer.raw();
        }
        let mut text = String::new();
        reader.cut(self, &mut text)?;
        Ok(text)
    }
    /// The absent members are not recorded: an object that is not decoded as a whole is not
    /// encoded.
    #[inline]
    fn finish(self, object: &mut dyn Object, _: &MemberSet, _: &MemberSet, _: u64) {
        self.mark(object);
    }
}

impl MaskNode {
    /// Marks an object that was decoded by this mask.
    #[inline]
    fn mark(&self, object: &mut dyn Object) {
        if self.is_marked
            && let Some(unknown) = unknown_of(object)
        {
            unknown.set_masked();
        }
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            lexer: Lexer::new(text),
            levels: LEVELS,
            unknown: None,
            closed: None,
            member: 0,
            maybe_zero: 0,
            texts: Vec::new(),
        }
    }

    pub(super) fn listing_unknown(text: &'a str) -> Self {
        Self { unknown: Some(UnknownStarts::default()), ..Self::new(text) }
    }

    pub(super) fn into_unknown(self) -> UnknownStarts {
        self.unknown.unwrap_or_default()
    }

    /// Consumes the opening bracket of an object or array. Returns whether it has any members or
    /// elements.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "replaces the call of another function")]
    fn open(&mut self, opener: u8, closer: u8) -> Result<bool> {
        debug_assert_eq!(self.lexer.peek(), opener);
        if self.levels == 0 {
            return Err(Fault::message(
                self.lexer.at,
                format!("more than {LEVELS} levels of objects and arrays"),
            ));
        }
        self.levels -= 1;
        self.lexer.at += 1;
        let is_empty = self.lexer.peek() == closer;
        if is_empty {
            self.lexer.at += 1;
            self.note_maybe_zero();
        }
        Ok(!is_empty)
    }

    /// Notes that the current member may be zero or empty.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "replaces the call of another function")]
    fn note_maybe_zero(&mut self) {
        self.maybe_zero |= 1 << (self.member % 64);
    }

    /// Decodes an element or an entry. `slot` is called once it is known whether the value is
    /// `null`. The object, list or map in the slot must be empty.
    #[inline]
    fn value<'s, S: Selection>(
        &mut self,
        slot: impl FnOnce(bool) -> Slot<'s>,
        selection: S,
    ) -> Result {
        if self.null()? {
            selection.null(slot(false));
            return Ok(());
        }
        let member = self.member;
        self.fill(slot(true), selection, member)
    }

    /// Decodes a value that is not `null`. Most values are strings.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "a call for each string costs a hundredth of decoding"
    )]
    fn fill<S: Selection>(&mut self, slot: Slot<'_>, selection: S, member: usize) -> Result {
        match slot {
            Slot::String(value) => self.string(value),
            slot => {
                self.member = member;
                selection.non_null(self, slot)
            }
        }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "replaces the call of another function")]
    #[expect(clippy::assigning_clones, reason = "there is nothing to reuse in an empty string")]
    fn string(&mut self, value: &mut String) -> Result {
        let text = self.lexer.string(STRING)?;
        if text.is_empty() {
            self.maybe_zero = u64::MAX; // some member
        } else {
            *value = text.to_owned();
        }
        Ok(())
    }

    /// Consumes `null`, if it is next.
    #[inline]
    fn null(&mut self) -> Result<bool> {
        let is_null = self.lexer.peek() == b'n';
        if is_null {
            self.lexer.word("null")?;
        }
        Ok(is_null)
    }

    /// As [`fill`](Self::fill), for any value.
    #[inline(never)] // as `members`
    fn non_null<S: Selection>(&mut self, slot: Slot<'_>, selection: S) -> Result {
        match slot {
            Slot::Absent => {
                return Err(Fault::message(self.lexer.at, "there is no place for the value"));
            }
            Slot::Bool(value) => {
                *value = self.boolean()?;
                self.note_maybe_zero();
            }
            Slot::Int32(value) => {
                *value = self.int32()?;
                self.note_maybe_zero();
            }
            Slot::Int64(value) => {
                *value = self.int64()?;
                self.note_maybe_zero();
            }
            Slot::Double(value) => {
                *value = self.float()?;
                self.note_maybe_zero();
            }
            Slot::String(value) => self.string(value)?,
            Slot::Scalar(value) => self.scalar(value)?,
            Slot::Raw(value) => {
                *value = selection.raw(self)?;
                if value.len() <= 2 {
                    self.note_maybe_zero();
                }
            }
            Slot::BySerde(value) => self.by_serde(value)?,
            Slot::Object(object) => self.object(object, selection)?,
            Slot::List(list) => self.list(list, selection)?,
            Slot::Map(map) => self.map(map, selection)?,
            Slot::Unknown(members) => self.map(members.as_map_mut(), selection)?,
        }
        Ok(())
    }

    /// Decodes a value by serde. A mask has all of it or nothing.
    #[cold]
    fn by_serde(&mut self, value: &mut dyn BySerde) -> Result {
        self.lexer.peek();
        let start = self.lexer.at;
        self.lexer.skip()?;
        let text = &self.lexer.text[start..self.lexer.at];
        value.read(text).map_err(|error| {
            let (offset, message) = by_serde::located(&error, text);
            Fault::message(start + offset, message)
        })?;
        self.note_maybe_zero();
        Ok(())
    }

    fn object<S: Selection>(&mut self, object: &mut dyn Object, selection: S) -> Result {
        let table = object.table();
        self.at_object(table)?;
        let start = self.lexer.at;
        let required = &table.keys.index().required;
        let zeros_around = mem::take(&mut self.maybe_zero);
        let texts_around = self.texts.len();
        let done = self.open(b'{', b'}').and_then(|has_more| {
            let mut seen = MemberSet::default();
            self.members(object, &mut seen, has_more, selection)?;
            if !table.identities.is_empty() {
                identity::check(object, table)
                    .map_err(|mismatch| Fault::message(start, mismatch))?;
            }
            selection.finish(object, required, &seen, self.maybe_zero);
            if self.texts.len() > texts_around {
                for (index, text) in self.texts.split_off(texts_around) {
                    keep_text(object, index, text);
                }
            }
            // An object without members is itself noted as empty.
            self.maybe_zero = if has_more { zeros_around } else { zeros_around | self.maybe_zero };
            Ok(())
        });
        done.map_err(|fault| self.other_kind(table, start).unwrap_or(fault))
    }

    fn at_object(&mut self, table: &Table) -> Result {
        match self.lexer.peek() {
            b'{' => Ok(()),
            _ => Err(Fault::expected(self.lexer.at, format!("an object ({})", table.name))),
        }
    }

    /// Decodes members of an object that already has the members in `seen`. Adds them to `seen`,
    /// except members for which `null` means absent.
    #[inline(never)] // with more of the decoder in one function, all of it has more instructions
    fn members<S: Selection>(
        &mut self,
        object: &mut dyn Object,
        seen: &mut MemberSet,
        mut has_more: bool,
        selection: S,
    ) -> Result {
        let keys = object.table().keys.index();
        let mut last = keys.start();
        while has_more {
            if let Some((index, key)) = self.member(keys, last)? {
                last = key;
                match selection.member(index) {
                    Some(part) => self.known(object, index, seen, part)?,
                    None => self.lexer.skip()?,
                }
            } else {
                self.unknown(object, selection)?;
            }
            has_more = self.lexer.comma_or_close(b'}')?;
        }
        self.levels += 1;
        Ok(())
    }

    /// Decodes the value of the member with this index.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "replaces the call of another function")]
    fn known<S: Selection>(
        &mut self,
        object: &mut dyn Object,
        index: usize,
        seen: &mut MemberSet,
        selection: S,
    ) -> Result {
        if seen.replace(index) {
            self.repeated(object, index)?;
        }
        if self.null()? {
            if presence::set_null(object, index) {
                self.maybe_zero |= 1 << (index % 64); // of free JSON that is required
            } else {
                seen.remove(index);
            }
            return Ok(());
        }
        self.fill(object.member_mut(index, true), selection, index)
    }

    /// Consumes a key and the colon after it, given the one before. Returns the index of the member
    /// and its key, or nothing and stays before the key of an unknown one.
    #[inline]
    fn member<'k>(
        &mut self,
        keys: &'k Index,
        last: &EncodedKey,
    ) -> Result<Option<(usize, &'k EncodedKey)>> {
        let index = last.likely_follower();
        let key = keys.key(index);
        if self.lexer.skip_block(&key.block, &key.mask, key.length()) {
            return Ok(Some((index, key)));
        }
        let found = self.other_member(keys, last)?;
        Ok(found.map(|index| (index, keys.key(index))))
    }

    /// As [`member`](Self::member), for a member that is not the most likely one, or that follows
    /// white space.
    #[inline(never)]
    fn other_member(&mut self, keys: &Index, last: &EncodedKey) -> Result<Option<usize>> {
        let before = self.lexer.at;
        self.lexer.peek();
        let start = self.lexer.at;
        // Each is loaded once: other threads may change them.
        let first = last.likely_follower();
        let second = last.second_follower();
        if start != before && self.skip_key(keys, first) {
            return Ok(Some(first));
        }
        if self.skip_key(keys, second) {
            last.learn_follower(second);
            return Ok(Some(second));
        }
        let Some(index) = keys.find(self.lexer.string(KEY)?) else {
            self.lexer.at = start;
            return Ok(None);
        };
        self.lexer.colon()?;
        last.learn_follower(index);
        Ok(Some(index))
    }

    /// Consumes the key with this index and the colon after it, if it is next. Returns whether it
    /// was.
    #[inline]
    fn skip_key(&mut self, keys: &Index, index: usize) -> bool {
        let key = keys.key(index);
        self.lexer.skip_block(&key.block, &key.mask, key.length())
    }

    /// Clears a member that is about to be decoded again: the last of repeated members counts, and
    /// no part of the others remains.
    #[cold]
    fn repeated(&mut self, object: &mut dyn Object, index: usize) -> Result {
        self.refuse_closed(index)?;
        presence::clear(object, index);
        Ok(())
    }

    /// Decodes an unknown member, and keeps it if the object keeps unknown members.
    #[cold]
    fn unknown<S: Selection>(&mut self, object: &mut dyn Object, selection: S) -> Result {
        let key = self.lexer.string(KEY)?.to_owned();
        self.lexer.colon()?;
        self.lexer.peek();
        if let Some(unknown) = &mut self.unknown {
            unknown.add(self.lexer.at);
        }
        match (unknown_of(object), selection.named(&key)) {
            (Some(unknown), Some(part)) => {
                self.value(|is_present| unknown.as_map_mut().insert(key, is_present), part)
            }
            _ => self.lexer.skip(),
        }
    }

    /// The fault of an object that begins here and states another kind, if it does: such an object
    /// fails at the first member that differs, and the type expected of that member is not the
    /// cause.
    #[cold]
    fn other_kind(&self, wanted: &Table, start: usize) -> Option<Box<Fault>> {
        if wanted.identities.is_empty() {
            return None;
        }
        let mut stated = TypeMeta::default();
        Reader::new(&self.lexer.text[start..]).value(|_| Slot::Object(&mut stated), Whole).ok()?;
        stated.mismatch(wanted).map(|mismatch| Fault::message(start, mismatch))
    }

    fn list<S: Selection>(&mut self, list: &mut dyn List, selection: S) -> Result {
        if self.lexer.peek() != b'[' {
            return Err(Fault::expected(self.lexer.at, "an array"));
        }
        let mut has_more = self.open(b'[', b']')?;
        while has_more {
            self.value(|is_present| list.push(is_present), selection)?;
            has_more = self.lexer.comma_or_close(b']')?;
        }
        self.levels += 1;
        list.finish();
        Ok(())
    }

    fn map<S: Selection>(&mut self, map: &mut dyn Map, selection: S) -> Result {
        if self.lexer.peek() != b'{' {
            return Err(Fault::expected(self.lexer.at, "an object"));
        }
        let mut has_more = self.open(b'{', b'}')?;
        while has_more {
            let key = self.lexer.string(KEY)?.to_owned();
            self.lexer.colon()?;
            match selection.named(&key) {
                Some(part) => self.value(|is_present| map.insert(key, is_present), part)?,
                None => self.lexer.skip()?,
            }
            has_more = self.lexer.comma_or_close(b'}')?;
        }
        self.levels += 1;
        Ok(())
    }

    fn boolean(&mut self) -> Result<bool> {
        match self.lexer.peek() {
            b't' => self.lexer.word("true").map(|()| true),
            b'f' => self.lexer.word("false").map(|()| false),
            _ => Err(Fault::expected(self.lexer.at, "a boolean")),
        }
    }

    fn scalar(&mut self, scalar: &mut dyn Scalar) -> Result {
        let start = self.lexer.at;
        let taken = match self.lexer.peek() {
            b'"' => {
                let text = self.lexer.string(STRING)?;
                let taken = scalar.read_text(text);
                if taken.is_ok() && scalar.keeps_text(text) {
                    self.texts.push((self.member, text.to_owned()));
                }
                // A quantity may be "0", and spelled by an escape.
                if self.lexer.at - start < 4 || self.lexer.text.as_bytes()[start + 1] == b'\\' {
                    self.note_maybe_zero();
                }
                taken
            }
            b'-' | b'0'..=b'9' => {
                let taken = scalar.read_number(self.lexer.number()?);
                self.note_maybe_zero();
                taken
            }
            _ => return Err(Fault::expected(start, "a string or a number")),
        };
        taken.map_err(|expected| {
            if scalar.is_secret() {
                Fault::message(start, format!("{expected}, found something else"))
            } else {
                Fault::expected(start, expected.0)
            }
        })
    }
}

impl Reader<'_> {
    /// Decodes the whole input as one value.
    pub(super) fn document(&mut self, target: Target<'_>, mask: Option<&Mask>) -> Result {
        self.target(target, mask)?;
        self.lexer.end()
    }

    /// Decodes an item of a list, and consumes the comma or bracket after it.
    #[inline]
    pub(super) fn element(&mut self, target: Target<'_>, mask: Option<&Mask>) -> Result {
        self.levels -= 2; // the list, and the array in it
        self.target(target, mask)?;
        self.lexer.comma_or_close(b']')?;
        self.lexer.end()
    }

    #[inline]
    fn target(&mut self, target: Target<'_>, mask: Option<&Mask>) -> Result {
        match mask {
            None => self.value(|is_present| target.slot(is_present), Whole),
            Some(mask) => (mask.decode)(self, target, &mask.part),
        }
    }

    /// Skips an item of a list, and the comma or bracket after it.
    #[inline]
    pub(super) fn skip_element(&mut self) -> Result {
        self.lexer.skip()?;
        self.lexer.comma_or_close(b']')?;
        self.lexer.end()
    }

    /// Decodes the first members of an object, and the end that replaces the others in the input.
    /// Returns the members. The caller checks the kind of the object.
    #[inline]
    pub(super) fn first_members(&mut self, object: &mut dyn Object) -> Result<MemberSet> {
        let table = object.table();
        self.at_object(table)?;
        let start = self.lexer.at;
        let has_more = self.open(b'{', b'}')?;
        let mut seen = MemberSet::default();
        let done = self.members(object, &mut seen, has_more, Whole);
        done.map_err(|fault| self.other_kind(table, start).unwrap_or(fault))?;
        self.lexer.end()?;
        Ok(seen)
    }

    /// Decodes the other members of the object, up to its end. One of the first members may be
    /// closed.
    #[inline]
    pub(super) fn other_members(
        &mut self,
        object: &mut dyn Object,
        mut seen: MemberSet,
        closed: Option<usize>,
    ) -> Result {
        self.levels -= 1;
        self.closed = closed;
        let has_more = self.lexer.comma_or_close(b'}')?;
        self.members(object, &mut seen, has_more, Whole)?;
        let required = &object.table().keys.index().required;
        presence::record_absent(object, required, &seen);
        self.lexer.end()
    }

    /// Only members of the outermost object are closed.
    #[inline]
    fn refuse_closed(&mut self, index: usize) -> Result {
        if self.closed != Some(index) || self.levels != LEVELS - 1 {
            return Ok(());
        }
        self.lexer.peek();
        Err(Fault::message(self.lexer.at, "repeated, after its elements were returned"))
    }

    /// Decodes a number that has neither fraction nor exponent and fits 32 bits.
    fn int32(&mut self) -> Result<i32> {
        const EXPECTED: &str = "an integer of 32 bits";
        let (start, number) = self.integer(EXPECTED)?;
        i32::try_from(number).map_err(|_| Fault::expected(start, EXPECTED))
    }

    /// Decodes a number that has neither fraction nor exponent and fits 64 bits.
    fn int64(&mut self) -> Result<i64> {
        self.integer("an integer of 64 bits").map(|(_, number)| number)
    }

    /// Decodes an integer. Returns its offset, too.
    #[inline]
    fn integer(&mut self, expected: &'static str) -> Result<(usize, i64)> {
        let start = self.lexer.at;
        match self.lexer.small_integer() {
            Some(number) => Ok((start, number)),
            None => self.long_integer(expected),
        }
    }

    /// Decodes an integer that is long, or follows white space.
    fn long_integer(&mut self, expected: &'static str) -> Result<(usize, i64)> {
        if !self.lexer.is_at_number() {
            return Err(Fault::expected(self.lexer.at, expected));
        }
        let start = self.lexer.at;
        let digits = self.lexer.number()?;
        match digits.parse() {
            Ok(number) if digits != "-0" => Ok((start, number)),
            _ => Err(Fault::expected(start, expected)),
        }
    }

    /// Decodes any number that is not beyond the range of floats.
    fn float(&mut self) -> Result<f64> {
        if !self.lexer.is_at_number() {
            return Err(Fault::expected(self.lexer.at, "a number"));
        }
        let start = self.lexer.at;
        float(self.lexer.number()?).map_err(|expected| Fault::expected(start, expected.0))
    }

    /// Skips free JSON after checking its syntax, and appends the selected parts of it, without
    /// white space.
    ///
    /// Members of arrays in arrays are selected, too, so their depth is limited here.
    #[inline]
    fn cut(&mut self, part: &MaskNode, text: &mut String) -> Result {
        match self.lexer.peek() {
            b'{' if !part.is_whole => self.cut_object(part, text),
            b'[' if !part.is_whole => self.cut_array(part, text),
            _ => {
                text.push_str(&self.lexer.raw()?);
                Ok(())
            }
        }
    }

    #[inline]
    fn cut_object(&mut self, part: &MaskNode, text: &mut String) -> Result {
        let mut has_more = self.open(b'{', b'}')?;
        text.push('{');
        while has_more {
            self.lexer.peek();
            let start = self.lexer.at;
            let part = part.named(self.lexer.string(KEY)?);
            let key = &self.lexer.text[start..self.lexer.at];
            self.lexer.colon()?;
            match part {
                None => self.lexer.skip()?,
                Some(part) => {
                    text.push_str(if text.ends_with('{') { "" } else { "," });
                    text.push_str(key);
                    text.push(':');
                    self.cut(part, text)?;
                }
            }
            has_more = self.lexer.comma_or_close(b'}')?;
        }
        text.push('}');
        self.levels += 1;
        Ok(())
    }

    #[inline]
    fn cut_array(&mut self, part: &MaskNode, text: &mut String) -> Result {
        let mut has_more = self.open(b'[', b']')?;
        text.push('[');
        while has_more {
            self.cut(part, text)?;
            has_more = self.lexer.comma_or_close(b']')?;
            text.push_str(if has_more { "," } else { "" });
        }
        text.push(']');
        self.levels += 1;
        Ok(())
    }
}

/// A mask, and the decoder of values by masks. Only a program that makes masks has its code, since
/// nothing else names it.
#[derive(Clone)]
pub(crate) struct Mask {
    part: Arc<MaskNode>,
    decode: fn(&mut Reader<'_>, Target<'_>, &MaskNode) -> Result,
}

impl Mask {
    #[inline]
    pub(crate) fn new(part: Arc<MaskNode>) -> Self {
        Self { part, decode: decode_part }
    }

    /// The decoded parts of a value.
    #[inline]
    pub(crate) fn part(&self) -> &Arc<MaskNode> {
        &self.part
    }
}

/// Decodes a part of a value.
#[inline]
fn decode_part(reader: &mut Reader<'_>, target: Target<'_>, part: &MaskNode) -> Result {
    reader.value(|is_present| target.slot(is_present), part)
}

/// `apiVersion` and `kind` of an object as JSON of any type. Ignores all other members.
#[derive(Default)]
struct TypeMeta {
    api_version: String,
    kind: String,
}

impl TypeMeta {
    /// The difference between the identity and the identities of the table.
    fn mismatch(&self, wanted: &Table) -> Option<String> {
        let string = |value: &str| super::from_str::<String>(value).unwrap_or_default();
        identity::mismatch(wanted, &string(&self.api_version), &string(&self.kind))
    }
}

impl Object for TypeMeta {
    fn table(&self) -> &'static Table {
        static TABLE: Table = Table::new("object", "! apiVersion kind");
        &TABLE
    }
    fn accept<'a>(&'a self, visitor: &mut MemberVisitor<'_, 'a>) {
        visitor.visit(0, View::Raw(&self.api_version));
        visitor.visit(1, View::Raw(&self.kind));
    }
    fn member_mut(&mut self, index: usize, _: bool) -> Slot<'_> {
        match index {
            0 => Slot::Raw(&mut self.api_version),
            1 => Slot::Raw(&mut self.kind),
            _ => Slot::Absent,
        }
    }
}
