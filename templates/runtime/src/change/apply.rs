//! Configurations for server-side apply: objects without the required members that are not set.

use super::{ChangeError, Undecided};
use crate::codec::nearest::nearest;
use crate::codec::path::{PathStep, parse_path, push_key, shortened_path};
use crate::codec::{
    self, Identified, List, Map, Merge, Object, Slot, Table, View, VisitEmpty, json, visit_known,
    visit_unknown,
};
use crate::kind::{AnyKind, group_version};
use std::fmt::Write;
use std::iter::Peekable;
use std::mem;
use std::ops::Range;
use std::slice::Iter;

/// An object that can be applied: any kind of a generated crate, or a [`serde_json::Value`], which
/// is sent as it is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be applied",
    label = "not a kind",
    note = "server-side apply takes an object with `apiVersion` and `kind`: a kind of a generated \
            crate, or a `serde_json::Value`"
)]
pub trait Applicable {
    /// Prepares it for [`Patch::apply`](crate::Patch::apply).
    #[doc(hidden)]
    fn configuration(&self) -> Configuration;
}

impl<T: AnyKind> Applicable for T {
    #[inline]
    fn configuration(&self) -> Configuration {
        Configuration::of_object(self.unboxed(), T::visit_without_members, self.api_version())
    }
}

impl Applicable for serde_json::Value {
    #[inline]
    fn configuration(&self) -> Configuration {
        Configuration {
            text: self.to_string().into_bytes(),
            omissible: Vec::new(),
            kind: None,
            keep: Vec::new(),
            omit: Vec::new(),
            fault: None,
        }
    }
}

/// An object to apply, and which of its empty members are left out. The object is encoded already:
/// to keep a copy of it would compile that copy in every program that applies one.
#[doc(hidden)]
#[allow(missing_debug_implementations)] // the object may be a secret
#[derive(Clone)]
pub struct Configuration {
    /// The whole object.
    text: Vec<u8>,
    omissible: Vec<Omissible>,
    /// None: free JSON, of which nothing is left out.
    kind: Option<AppliedKind>,
    keep: Vec<Names>,
    omit: Vec<Names>,
    /// The reason why the object cannot be applied, or a path that does not resolve.
    fault: Option<ChangeError>,
}

/// The names of the members on the path to one. Lists and maps on the way are passed.
type Names = Vec<&'static str>;

/// The kind of an object to apply.
#[derive(Clone)]
struct AppliedKind {
    /// Visits an object of the same type without any member.
    visit_empty: VisitEmpty,
}

impl Configuration {
    /// Not generic, so that it is compiled once.
    fn of_object(object: &dyn Object, visit_empty: VisitEmpty, api_version: &str) -> Self {
        let (group, version) = group_version(api_version);
        let kind = AppliedKind { visit_empty };
        let object = ChangeError::check_whole(object).and_then(|()| {
            Identified::new(object, group, version).map_err(|why| ChangeError::new("", why))
        });
        let (encoded, fault) = match object {
            Ok(object) => (Encoder::encode(&object, visit_empty), None),
            Err(fault) => (<_>::default(), Some(fault)),
        };
        let (text, omissible) = encoded;
        Self { text, omissible, kind: Some(kind), keep: Vec::new(), omit: Vec::new(), fault }
    }

    /// Keeps a required member although it is empty.
    #[inline]
    pub(crate) fn keep(&mut self, path: &str) {
        match self.names(path) {
            Ok(names) => self.keep.push(names),
            Err(fault) => _ = self.fault.get_or_insert(fault),
        }
    }

    /// Leaves out a required member as long as it is empty, and members within it likewise.
    #[inline]
    pub(crate) fn omit(&mut self, path: &str) {
        match self.names(path) {
            Ok(names) => self.omit.push(names),
            Err(fault) => _ = self.fault.get_or_insert(fault),
        }
    }

    /// The object as it is sent.
    ///
    /// # Errors
    /// When it has numbers or booleans that may not have been set.
    pub(crate) fn encode(&self) -> Result<Vec<u8>, ChangeError> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let (text, undecided) = without(&self.text, &self.omissible, |member, _, is_empty| {
            if !is_empty || self.keep.contains(&member.names) {
                return Verdict::Set;
            }
            let is_omitted = || self.omit.iter().any(|names| member.names.starts_with(names));
            match member.number {
                Some(_) if !is_omitted() => Verdict::Undecided,
                _ => Verdict::Unset,
            }
        });
        let undecided = undecided.iter().filter_map(|member| member.number.clone());
        match undecided.collect::<Vec<_>>() {
            undecided if undecided.is_empty() => Ok(text),
            undecided => Err(ChangeError::of_undecided(undecided)),
        }
    }

    /// The names of a path, which must lead to a required member.
    #[inline]
    fn names(&self, path: &str) -> Result<Names, ChangeError> {
        let Some(kind) = &self.kind else {
            let message =
                "nothing is left out of free JSON, so that nothing can be kept or omitted";
            return Err(ChangeError::new(path, message));
        };
        let mut names = Ok(Names::new());
        (kind.visit_empty)(&mut |slot| names = names_of(slot, path));
        names.map_err(|message| ChangeError::new(path, message))
    }
}

/// The names of a path in an empty object.
#[inline]
fn names_of(mut slot: Slot<'_>, path: &str) -> Result<Names, String> {
    let mut names = Names::new();
    let mut is_required = false;
    for step in parse_path(path)? {
        let name = match (step, &slot) {
            (PathStep::Name(name), _) => name.into(),
            (PathStep::Key(name), Slot::Object(_)) => name,
            (PathStep::Each, _) => {
                slot = element(slot);
                continue;
            }
            (PathStep::Key(_) | PathStep::Index(_), _) => {
                return Err("all elements of a list, and all entries of a map, are treated \
                            alike: write `[]`"
                    .to_owned());
            }
        };
        let Slot::Object(object) = inner(slot) else {
            return Err(format!("there is no member `{name}`"));
        };
        let keys = &object.table().keys;
        let Some(index) = keys.index().find(&name) else {
            let meant = nearest(&name, keys.names().iter().copied());
            let meant = meant.map(|name| format!(", did you mean `{name}`?")).unwrap_or_default();
            return Err(format!("there is no member `{name}`{meant}"));
        };
        is_required = required(object).iter().any(|(required, _)| *required == index);
        names.push(keys.names()[index]);
        slot = object.member_mut(index, true);
    }
    if is_required {
        Ok(names)
    } else {
        Err("the member is optional: it is sent if it is `Some`, and left out if it is `None`"
            .to_owned())
    }
}

/// The value inside of lists and maps.
#[inline]
fn inner(slot: Slot<'_>) -> Slot<'_> {
    match slot {
        Slot::List(_) | Slot::Map(_) => inner(element(slot)),
        slot => slot,
    }
}

/// An element of a list, or a value of a map.
#[inline]
fn element(slot: Slot<'_>) -> Slot<'_> {
    match slot {
        Slot::List(list) => list.push(true),
        Slot::Map(map) => map.insert(String::new(), true),
        slot => slot,
    }
}

/// The required members of an empty object, each with the JSON of its empty value if it is a
/// scalar.
fn required(empty: &dyn Object) -> Vec<(usize, Vec<u8>)> {
    let mut required = Vec::new();
    visit_known(empty, |index, view| {
        let is_scalar = !matches!(view, View::Object(_) | View::List(_) | View::Map(_));
        required.push((index, if is_scalar { json::write(&view) } else { Vec::new() }));
    });
    required
}

/// Encodes an object, and finds the required members that may be left out. It walks through an
/// empty object of the same type beside it, which shows the members that are required.
struct Encoder {
    text: Vec<u8>,
    /// The members that may be left out, by their positions.
    omissible: Vec<Omissible>,
    /// The names of the members on the path to the current value.
    names: Names,
    /// The paths of the current value.
    at: Undecided,
}

/// An object that is being encoded.
struct Level<'a> {
    table: &'static Table,
    required: Vec<(usize, Vec<u8>)>,
    /// The members that stay, since they identify the object in a list.
    keys: &'a [&'static str],
    /// Whether its empty members are intended: it was decoded with them, or
    /// [extracted](super::managers).
    is_exact: bool,
    separator: u8,
}

impl Encoder {
    fn encode(object: &dyn Object, visit_empty: VisitEmpty) -> (Vec<u8>, Vec<Omissible>) {
        let mut encoder = Self {
            text: Vec::new(),
            omissible: Vec::new(),
            names: Names::new(),
            at: Undecided::default(),
        };
        visit_empty(&mut |empty| {
            if let Slot::Object(empty) = empty {
                encoder.object(object, empty, &[]);
            }
        });
        (encoder.text, encoder.omissible)
    }

    /// Encodes an object. Resets the optional members of the empty one; its lists and maps may keep
    /// an empty element.
    fn object(&mut self, object: &dyn Object, empty: &mut dyn Object, keys: &[&'static str]) {
        let required = required(empty);
        let is_exact = codec::is_exact(object);
        let mut level = Level { table: object.table(), required, keys, is_exact, separator: b'{' };
        let unknown =
            visit_known(object, |index, view| self.member(&mut level, empty, index, view));
        if let Some(unknown) = unknown {
            visit_unknown(object, unknown, &mut |name, view| {
                if !self.is_managed_fields(name) {
                    self.key(&mut level, name);
                    json::append(&mut self.text, &view);
                }
            });
        }
        self.close(level.separator, b'{', b'}');
    }

    fn member(
        &mut self,
        level: &mut Level<'_>,
        empty: &mut dyn Object,
        index: usize,
        view: View<'_>,
    ) {
        let name = level.table.keys.names()[index];
        let is_unset = match view {
            View::Null => !level.is_exact && level.required.iter().any(|(at, _)| *at == index),
            view => view.is_absent(),
        };
        if is_unset || self.is_managed_fields(name) {
            return;
        }
        let start = self.text.len();
        let inner = self.omissible.len();
        self.names.push(name);
        self.key(level, name);
        let value = self.text.len();
        let before = self.at.enter(name);
        self.value(view, empty.member_mut(index, true), level.table.merge_of(index));
        empty.member_mut(index, false);
        if !level.keys.contains(&name) && !level.is_exact {
            self.note_omissible(level, index, [start, value], inner);
        }
        self.at.leave(before);
        self.names.pop();
    }

    /// Notes the current member, which has just been encoded, if it may be left out: if it is
    /// required, and is empty or has members that have been noted, without which it may be empty.
    fn note_omissible(
        &mut self,
        level: &Level<'_>,
        index: usize,
        [start, value]: [usize; 2],
        inner: usize,
    ) {
        let Some((_, empty)) = level.required.iter().find(|(required, _)| *required == index)
        else {
            return;
        };
        let text = &self.text[value..];
        let position = start..self.text.len();
        let is_empty_scalar = text == empty;
        if is_empty_scalar || matches!(text, b"{}" | b"[]") || inner < self.omissible.len() {
            // The default of a value of serde's may be an object with members.
            let is_number = is_empty_scalar && !matches!(text[0], b'"' | b'{' | b'[');
            let member = Omissible {
                names: self.names.clone(),
                position,
                value,
                is_empty_scalar,
                number: is_number.then(|| self.at.shortened()),
            };
            self.omissible.insert(inner, member);
        }
    }

    fn value(&mut self, view: View<'_>, empty: Slot<'_>, merge: &Merge) {
        match (view, empty) {
            (View::Object(object), Slot::Object(empty)) => self.object(object, empty, &[]),
            (View::List(list), Slot::List(empty)) => self.list(list, empty, merge),
            (View::Map(map), Slot::Map(empty)) => self.map(map, empty),
            (view, _) => json::append(&mut self.text, &view),
        }
    }

    fn list(&mut self, list: &dyn List, empty: &mut dyn List, merge: &Merge) {
        let keys = merge.keys().collect::<Names>();
        let mut separator = b'[';
        for index in 0..list.count() {
            self.text.push(mem::replace(&mut separator, b','));
            let before = self.at.enter_element(index);
            let empty =
                if empty.count() == 0 { empty.push(true) } else { empty.element_mut(0, true) };
            match (list.element(index), empty) {
                (View::Object(object), Slot::Object(empty)) => self.object(object, empty, &keys),
                (view, empty) => self.value(view, empty, &Merge::USUAL),
            }
            self.at.leave(before);
        }
        self.close(separator, b'[', b']');
    }

    fn map(&mut self, map: &dyn Map, empty: &mut dyn Map) {
        let mut separator = b'{';
        map.visit_entries(&mut |key, view| {
            self.text.push(mem::replace(&mut separator, b','));
            json::append(&mut self.text, &View::Str(key));
            self.text.push(b':');
            let before = self.at.enter_entry(key);
            self.value(view, empty.insert(String::new(), true), &Merge::USUAL);
            self.at.leave(before);
        });
        self.close(separator, b'{', b'}');
    }

    fn key(&mut self, level: &mut Level<'_>, name: &str) {
        self.text.push(mem::replace(&mut level.separator, b','));
        json::append(&mut self.text, &View::Str(name));
        self.text.push(b':');
    }

    /// Ends an object or array. If there was no separator, then it has not begun either.
    fn close(&mut self, separator: u8, opener: u8, closer: u8) {
        if separator == opener {
            self.text.push(opener);
        }
        self.text.push(closer);
    }

    /// Whether this member of the current object belongs to the server alone.
    fn is_managed_fields(&self, name: &str) -> bool {
        name == "managedFields" && self.names == ["metadata"]
    }
}

impl Undecided {
    /// Goes to a member. Returns the lengths of the paths before it.
    fn enter(&mut self, name: &str) -> [usize; 2] {
        let before = [self.path.len(), self.member.len()];
        push_key(&mut self.path, name);
        push_key(&mut self.member, name);
        before
    }

    /// Goes to an element of a list.
    fn enter_element(&mut self, index: usize) -> [usize; 2] {
        let before = [self.path.len(), self.member.len()];
        write!(self.path, "[{index}]").expect("a string takes everything");
        self.member.push_str("[]");
        before
    }

    /// Goes to an entry of a map.
    fn enter_entry(&mut self, key: &str) -> [usize; 2] {
        let before = [self.path.len(), self.member.len()];
        push_key(&mut self.path, key);
        self.member.push_str("[]");
        before
    }

    /// Goes back to where the paths had these lengths.
    fn leave(&mut self, [path, member]: [usize; 2]) {
        self.path.truncate(path);
        self.member.truncate(member);
    }

    fn shortened(&self) -> Self {
        Self { path: shortened_path(&self.path).into_owned(), member: self.member.clone() }
    }
}

/// A member of an encoded object that is left out as long as it is empty.
#[derive(Clone)]
struct Omissible {
    /// The names of the members on the path to it.
    names: Names,
    /// Its position, from the separator before it.
    position: Range<usize>,
    /// The position where its value begins.
    value: usize,
    /// Whether it is a scalar with the value that it has when it is not set.
    is_empty_scalar: bool,
    /// Where it is, if that is a number or a boolean.
    number: Option<Undecided>,
}

/// Whether a member that may be left out is sent.
#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    /// It is sent.
    Set,
    /// It is an empty number or boolean. It may have been set if anything else of its object is, or
    /// the object itself is set.
    Undecided,
    /// It is left out.
    Unset,
}

/// The text without those members that are unset, and the undecided ones in it. The function gets
/// the rest of their values, and whether the rest is empty except for undecided ones. Members are
/// in the order of their positions.
fn without<'a>(
    text: &'a [u8],
    members: &'a [Omissible],
    judge: impl Fn(&Omissible, &[u8], bool) -> Verdict,
) -> (Vec<u8>, Vec<&'a Omissible>) {
    let output = Vec::with_capacity(text.len());
    let mut copier = Copier {
        text,
        members: members.iter().peekable(),
        judge: &judge,
        output,
        undecided: Vec::new(),
        lacks_opener: false,
    };
    copier.range(0..text.len());
    (copier.output, copier.undecided)
}

struct Copier<'a, 'j> {
    text: &'a [u8],
    members: Peekable<Iter<'a, Omissible>>,
    judge: &'j dyn Fn(&Omissible, &[u8], bool) -> Verdict,
    output: Vec<u8>,
    undecided: Vec<&'a Omissible>,
    /// Whether the brace that opens the current object went with its first member.
    lacks_opener: bool,
}

impl Copier<'_, '_> {
    /// Copies a range of the text without the members in it that are left out. Returns the length
    /// of the undecided ones, with the brace or comma before each.
    fn range(&mut self, Range { mut start, end }: Range<usize>) -> usize {
        let mut length = 0;
        while let Some(member) = self.members.next_if(|member| member.position.start < end) {
            self.push(start..member.position.start);
            let from = self.output.len();
            self.push(member.position.start..member.value);
            let value = self.output.len();
            let undecided = self.undecided.len();
            let within = self.range(member.value..member.position.end);
            let left = &self.output[value..];
            // The closing brace follows the undecided members.
            let is_undecided = within > 0 && within + 1 == left.len();
            let is_empty = matches!(left, b"{}" | b"[]") || is_undecided || member.is_empty_scalar;
            match (self.judge)(member, left, is_empty) {
                Verdict::Set => {}
                Verdict::Undecided => {
                    length += self.output.len() - from;
                    self.undecided.push(member);
                }
                Verdict::Unset => {
                    self.lacks_opener = self.output[from] == b'{';
                    self.output.truncate(from);
                    self.undecided.truncate(undecided);
                }
            }
            start = member.position.end;
        }
        self.push(start..end);
        length
    }

    /// Copies a range as it is. After a first member that was left out, it begins with a comma or
    /// the closing brace.
    fn push(&mut self, range: Range<usize>) {
        let text = &self.text[range];
        let text = match text {
            [first, rest @ ..] if mem::take(&mut self.lacks_opener) => {
                self.output.push(b'{');
                if *first == b',' { rest } else { text }
            }
            text => text,
        };
        self.output.extend_from_slice(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The member with this name, with a value that ends before `end`.
    fn member(text: &str, name: &'static str, end: &str) -> Omissible {
        let start = text.find(&format!("\"{name}\":")).unwrap() - 1;
        let value = start + name.len() + 4;
        let position = start..value + text[value..].find(end).unwrap();
        Omissible { names: vec![name], position, value, is_empty_scalar: false, number: None }
    }

    #[test]
    fn objects_stay_well_formed_whichever_members_are_left_out() {
        let text = r#"{"a":"","b":{"c":"","d":""},"e":[{"f":""}],"g":""}"#;
        let members =
            [("a", ","), ("b", r#","e""#), ("c", ","), ("d", "}"), ("f", "}"), ("g", "}")];
        let members = members.map(|(name, end)| member(text, name, end));
        for omitted in 0_usize..64 {
            let number =
                |name: &str| members.iter().position(|member| member.names == [name]).unwrap();
            let judge = |member: &Omissible, _: &[u8], _: bool| match omitted
                >> number(member.names[0])
                & 1
            {
                0 => Verdict::Set,
                _ => Verdict::Unset,
            };
            let mut expected: serde_json::Value = serde_json::from_str(text).unwrap();
            for (pointer, name) in
                [("/e/0", "f"), ("/b", "c"), ("/b", "d"), ("", "a"), ("", "b"), ("", "g")]
            {
                if omitted >> number(name) & 1 == 1 {
                    expected.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(name);
                }
            }
            let (left, _) = without(text.as_bytes(), &members, judge);
            assert_eq!(
                serde_json::from_slice::<serde_json::Value>(&left).unwrap(),
                expected,
                "{omitted:b}"
            );
        }
    }

    #[test]
    fn members_are_judged_by_what_is_left_of_them() {
        let text = r#"{"b":{"c":{"d":""}},"g":1}"#;
        let members = [("b", r#","g""#), ("c", r#"},"g""#), ("d", "}")]
            .map(|(name, end)| member(text, name, end));
        let (left, _) = without(text.as_bytes(), &members, |_, value, _| match value {
            b"{}" | b"\"\"" => Verdict::Unset,
            _ => Verdict::Set,
        });
        assert_eq!(String::from_utf8(left).unwrap(), r#"{"g":1}"#);
    }
}
