//! Invisible characters.
//!
//! Those that change the direction of what follows, or take up no room, could make a reader see another text than the
//! compiler. They are shown by their numbers.

use crate::visible::is_unclear;
use std::borrow::Cow;
use std::fmt::Write as _;

/// Prose on one line. White space of any kind is a space.
pub(super) fn in_prose(prose: &str) -> Cow<'_, str> {
    replaced(prose, |c, visible| {
        if c.is_whitespace() {
            visible.push(' ');
        } else {
            push(c, visible);
        }
    })
}

/// A name, a value or an expression on one line, with everything in it but spaces shown.
pub(crate) fn on_one_line(string: &str) -> Cow<'_, str> {
    replaced(string, |c, visible| match c {
        '\n' => visible.push_str(r"\n"),
        '\r' => visible.push_str(r"\r"),
        '\t' => visible.push_str(r"\t"),
        c => push(c, visible),
    })
}

fn replaced(string: &str, mut replace: impl FnMut(char, &mut String)) -> Cow<'_, str> {
    if string.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(string);
    }
    let mut visible = String::with_capacity(string.len());
    string.chars().for_each(|c| replace(c, &mut visible));
    Cow::Owned(visible)
}

fn push(c: char, visible: &mut String) {
    if is_unclear(c) {
        // Writing to a string does not fail.
        _ = write!(visible, "\\u{{{:x}}}", u32::from(c));
    } else {
        visible.push(c);
    }
}
