//! Invisible characters.
//!
//! Those that change the direction of what follows, or take up no room, could make a reader see another text than the
//! compiler. They are shown by their numbers.

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
    if c == ' ' || !(c.is_control() || c.is_whitespace() || is_invisible(c)) {
        visible.push(c);
    } else {
        // Writing to a string does not fail.
        _ = write!(visible, "\\u{{{:x}}}", u32::from(c));
    }
}

/// Whether a character has no shape of its own, by Unicode's lists of what formats text and of what may be ignored. The
/// two selectors of emoji are left out: they change nothing but how the character before them looks.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0d}'
            | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}
