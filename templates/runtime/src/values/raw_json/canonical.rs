//! A canonical form of JSON, to compare values.

use crate::codec::{View, json};
use crate::lexer::{Lexer, Result, STRING};
use crate::values::quantity::number::Number;
use std::borrow::Cow;
use std::collections::BinaryHeap;
use std::mem;
use std::ops::Range;

/// Returns a text that is the same for all texts of this JSON value, whatever the order of members and the spelling of
/// strings and numbers. Half of a surrogate pair and an exponent beyond 64 bits have no value, and keep their spelling.
///
/// Pending work is kept in lists, so that no depth exhausts the stack.
pub(super) fn canonical(text: &str) -> Cow<'_, str> {
    objects(text).map_or(Cow::Borrowed(text), |objects| ordered(text, &objects).into())
}

/// An object, and its position.
struct Object<'a> {
    place: Range<usize>,
    /// In the order of the keys, each once.
    members: Vec<Member<'a>>,
}

/// A key in canonical form, and the range of its value. Ordered by these.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Member<'a> {
    key: Cow<'a, str>,
    start: usize,
    end: usize,
}

impl Object<'_> {
    fn end(&mut self, at: usize) {
        self.place.end = at;
        // Compiled in a fraction of the time that the other ways to sort take.
        self.members = BinaryHeap::from(mem::take(&mut self.members)).into_sorted_vec();
        // Of repeated members the last one stays.
        self.members.dedup_by(|later, earlier| {
            let is_repeated = later.key == earlier.key;
            if is_repeated {
                mem::swap(later, earlier);
            }
            is_repeated
        });
    }
}

/// Finds all objects, in the order in which they begin.
fn objects(text: &str) -> Result<Vec<Object<'_>>> {
    let mut lexer = Lexer::new(text);
    let mut objects: Vec<Object<'_>> = Vec::new();
    // Open objects and arrays. Objects have an index.
    let mut open: Vec<Option<usize>> = Vec::new();
    loop {
        if let Some(Some(object)) = open.last() {
            let key = key(&mut lexer)?;
            objects[*object].members.push(Member { key, start: lexer.at, end: lexer.at });
        }
        match lexer.peek() {
            opener @ (b'{' | b'[') => {
                let place = lexer.at..lexer.at;
                lexer.at += 1;
                let is_empty = lexer.peek() == opener + 2;
                if opener == b'{' {
                    objects.push(Object { place, members: Vec::new() });
                }
                if !is_empty {
                    open.push((opener == b'{').then(|| objects.len() - 1));
                    continue;
                }
                lexer.at += 1;
                if let Some(object) = objects.last_mut().filter(|_| opener == b'{') {
                    object.end(lexer.at);
                }
            }
            _ => lexer.skip()?,
        }
        close(&mut lexer, &mut objects, &mut open)?;
        if open.is_empty() {
            return Ok(objects);
        }
    }
}

/// Consumes the commas and brackets after a value, up to the next value.
fn close(lexer: &mut Lexer<'_>, objects: &mut [Object<'_>], open: &mut Vec<Option<usize>>) -> Result {
    while let Some(container) = open.last() {
        let mut object = container.map(|index| &mut objects[index]);
        if let Some(member) = object.as_mut().and_then(|object| object.members.last_mut()) {
            member.end = lexer.at;
        }
        if lexer.comma_or_close(if object.is_some() { b'}' } else { b']' })? {
            break;
        }
        if let Some(object) = object {
            object.end(lexer.at);
        }
        open.pop();
    }
    Ok(())
}

fn key<'a>(lexer: &mut Lexer<'a>) -> Result<Cow<'a, str>> {
    let start = lexer.at;
    lexer.skip()?;
    let key = string(&lexer.text[start..lexer.at]);
    lexer.colon()?;
    Ok(key)
}

/// The JSON, with the members of objects in order.
fn ordered(text: &str, objects: &[Object<'_>]) -> String {
    let mut out = String::with_capacity(text.len());
    // The pieces that are still to be added, from the last to the first.
    let mut pieces = vec![("", 0..text.len())];
    while let Some((before, piece)) = pieces.pop() {
        out.push_str(before);
        let mut at = piece.start;
        while at < piece.end {
            let rest = &text[at..piece.end];
            let length = match rest.as_bytes()[0] {
                b'{' => {
                    let object = objects.partition_point(|object| object.place.start < at);
                    let Object { place, members } = &objects[object];
                    out.push('{');
                    pieces.push(("}", place.end..piece.end));
                    pieces.extend(members.iter().rev().map(|member| (&*member.key, member.start..member.end)));
                    break;
                }
                b'"' => token(rest, &mut out, string),
                b'-' | b'0'..=b'9' => token(rest, &mut out, number),
                _ => {
                    out.push_str(&rest[..1]);
                    1
                }
            };
            at += length;
        }
    }
    out
}

/// Adds the token at the start of the input. Returns its length.
fn token(text: &str, out: &mut String, canonical: fn(&str) -> Cow<'_, str>) -> usize {
    let mut lexer = Lexer::new(text);
    // It was skipped before.
    let length = if lexer.skip().is_ok() { lexer.at } else { text.len() };
    out.push_str(&canonical(&text[..length]));
    length
}

fn string(spelled: &str) -> Cow<'_, str> {
    if !spelled.as_bytes().contains(&b'\\') {
        return spelled.into();
    }
    match Lexer::new(spelled).string(STRING) {
        Ok(string) => String::from_utf8_lossy(&json::write(&View::Str(string))).into_owned().into(),
        Err(_) => spelled.into(),
    }
}

fn number(spelled: &str) -> Cow<'_, str> {
    Number::of(spelled).map_or(spelled.into(), |number| number.to_string().into())
}
