//! Strings of documents for a terminal: without characters that control it, and of limited length.

use std::borrow::Cow;
use std::fmt::Write;

/// The longest message, in characters.
const LONGEST: usize = 2000;

/// The length of the start and of the end that is left of a longer one.
const KEPT: usize = 950;

/// Replaces the middle of a string that is too long by a note.
#[must_use]
pub fn cut(text: impl Into<String>) -> String {
    let text = text.into();
    // No string has more characters than bytes.
    let count = if text.len() > LONGEST { text.chars().count() } else { 0 };
    if count <= LONGEST {
        return text;
    }
    let at = |character: usize| text.char_indices().nth(character).map_or(text.len(), |(at, _)| at);
    let (start, end) = (&text[..at(KEPT)], &text[at(count - KEPT)..]);
    format!("{start}[… {} characters …]{end}", count - 2 * KEPT)
}

/// Escapes characters that would control a terminal: control characters, and those that change the direction of text.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |c, shown| write!(shown, "\\u{{{:x}}}", u32::from(c)))
}

/// The same for JSON or YAML, where such characters are in strings alone. Line breaks stay.
#[must_use]
pub fn visible_json(text: &str) -> Cow<'_, str> {
    escaped(text, |c, shown| if c == '\n' { shown.write_char(c) } else { write!(shown, "\\u{:04x}", u32::from(c)) })
}

/// The same for a line of a file. Tabs stay.
#[must_use]
pub fn visible_line(line: &str) -> Cow<'_, str> {
    escaped(line, |c, shown| if c == '\t' { shown.write_char(c) } else { write!(shown, "\\u{{{:x}}}", u32::from(c)) })
}

fn escaped(text: &str, escape: impl Fn(char, &mut String) -> std::fmt::Result) -> Cow<'_, str> {
    if !text.chars().any(steers) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        let written = if steers(c) { escape(c, &mut shown) } else { shown.write_char(c) };
        written.expect("writing to a string does not fail");
    }
    Cow::Owned(shown)
}

fn steers(c: char) -> bool {
    let turns = ['\u{61c}', '\u{200e}', '\u{200f}'].contains(&c)
        || ('\u{202a}'..='\u{202e}').contains(&c)
        || ('\u{2066}'..='\u{2069}').contains(&c);
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_strings_lose_their_middle() {
        let short = "é".repeat(LONGEST);
        assert_eq!(cut(short.clone()), short);
        let long = cut(format!("begin{}end", "é".repeat(200_000)));
        assert!(long.starts_with("beginé") && long.ends_with("éend"), "{long}");
        assert!(long.contains("é[… 198108 characters …]é"), "{long}");
        assert_eq!(cut(long.clone()), long, "what was cut is not cut again");
    }

    #[test]
    fn control_characters_are_escaped() {
        let hostile = "a\u{1b}[2J\r\u{9b}31m\u{202e}\u{2066}\u{7f}b\u{2028}\n\tc";
        assert_eq!(visible(hostile), r"a\u{1b}[2J\u{d}\u{9b}31m\u{202e}\u{2066}\u{7f}b\u{2028}\u{a}\u{9}c");
        assert_eq!(visible_line("\ta\u{1b}"), "\ta\\u{1b}");
        assert_eq!(visible_json("{\n\"a\u{9b}\"}"), "{\n\"a\\u009b\"}");
        assert!(matches!(visible("naïve 名前"), Cow::Borrowed(_)));
    }
}
