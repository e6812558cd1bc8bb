//! Strings of documents for a terminal: without characters that control it, and of limited length.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::{MAIN_SEPARATOR, Path};

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
    let start: String = text.chars().take(KEPT).collect();
    let end: String = text.chars().skip(count - KEPT).collect();
    format!("{start}[… {} characters …]{end}", count - 2 * KEPT)
}

/// A path as messages have it, with `/` on every system, as names of documents are.
#[must_use]
pub fn shown(path: &Path) -> String {
    path.to_string_lossy().replace(MAIN_SEPARATOR, "/")
}

/// Escapes characters that would control a terminal or make a reader see another string: control
/// characters, characters that change the direction of text, characters without a shape, and spaces
/// other than the usual one. They are escaped as in errors of `kapigen-runtime`.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |c, shown| write!(shown, "{}", c.escape_default()))
}

/// The same for JSON, where such characters are in strings alone. Line breaks stay.
#[must_use]
pub fn visible_json(text: &str) -> Cow<'_, str> {
    escaped(text, |c, shown| {
        let mut units = [0; 2];
        c.encode_utf16(&mut units).iter().try_for_each(|unit| match c {
            '\n' => shown.write_char(c),
            _ => write!(shown, "\\u{unit:04x}"),
        })
    })
}

/// The same for YAML, where such characters are in double quotes alone. Line breaks stay.
#[must_use]
pub fn visible_yaml(text: &str) -> Cow<'_, str> {
    escaped(text, |c, shown| {
        if c == '\n' { shown.write_char(c) } else { write!(shown, "\\U{:08x}", u32::from(c)) }
    })
}

/// The same for a line of a file. Tabs stay.
#[must_use]
pub fn visible_line(line: &str) -> Cow<'_, str> {
    escaped(line, |c, shown| {
        if c == '\t' { shown.write_char(c) } else { write!(shown, "{}", c.escape_default()) }
    })
}

/// The same in backticks.
pub(crate) fn quoted(text: &str) -> String {
    format!("`{}`", visible(text))
}

fn escaped(text: &str, escape: impl Fn(char, &mut String) -> std::fmt::Result) -> Cow<'_, str> {
    if !text.chars().any(is_unclear) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        let written = if is_unclear(c) { escape(c, &mut shown) } else { shown.write_char(c) };
        written.expect("writing to a string does not fail");
    }
    Cow::Owned(shown)
}

/// Whether a character controls its surroundings, looks like a space, or is not visible.
pub(crate) fn is_unclear(c: char) -> bool {
    match c {
        ' '..='~' => false,
        c => c.is_control() || c.is_whitespace() || is_invisible(c),
    }
}

/// Whether a character has no shape of its own, by Unicode's lists of format characters and of
/// ignorable ones. The two selectors of emoji are left out: they change only how the character
/// before them looks.
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
        assert_eq!(visible(hostile), r"a\u{1b}[2J\r\u{9b}31m\u{202e}\u{2066}\u{7f}b\u{2028}\n\tc");
        assert_eq!(visible_line("\ta\u{1b}"), "\ta\\u{1b}");
        assert_eq!(visible_json("{\n\"a\u{9b}\"}"), "{\n\"a\\u009b\"}");
        assert!(matches!(visible("naïve 名前"), Cow::Borrowed(_)));
    }

    #[test]
    fn invisible_characters_are_escaped() {
        let hostile = "type\u{feff} a\u{200b}b\u{a0}c\u{e0041}";
        assert_eq!(visible(hostile), r"type\u{feff} a\u{200b}b\u{a0}c\u{e0041}");
    }

    #[test]
    fn escapes_of_json_keep_the_string() {
        for hostile in ["a\u{feff}b", "\u{e0041}", "\u{202e}\u{2028}\u{9b}", "é\u{1f600}\u{a0}"] {
            let quoted = serde_json::Value::from(hostile).to_string();
            let json: String = serde_json::from_str(&visible_json(&quoted)).expect("JSON");
            assert_eq!(json, hostile);
        }
    }
}
