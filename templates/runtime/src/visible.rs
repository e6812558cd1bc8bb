//! Strings of servers for logs and terminals: without characters that control them.

use std::fmt::{self, Write};

/// Writes to a formatter, and escapes characters that would control a terminal, begin another line
/// of a log, or make a reader see another string: control characters, characters that change the
/// direction of text, characters without a shape, and spaces other than the usual one. The command
/// `kapigen`, which does not link this crate, escapes the same ones; a test compares them.
///
/// Every error and warning that may quote a server is displayed through it. Its output is unchanged
/// if it is written once more, so that an error can display another one.
#[allow(missing_debug_implementations)] // a borrow of a formatter
pub struct Visible<'f, 'w>(pub &'f mut fmt::Formatter<'w>);

impl Write for Visible<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| is_unclear(*c)) {
            self.0.write_str(&rest[..at])?;
            write!(self.0, "{}", c.escape_default())?;
            rest = &rest[at + c.len_utf8()..];
        }
        self.0.write_str(rest)
    }
}

/// Whether a character controls its surroundings, looks like a space, or is not visible.
pub(crate) fn is_unclear(c: char) -> bool {
    let is_shapeless = || SHAPELESS.iter().any(|[first, last]| (*first..=*last).contains(&c));
    !matches!(c, ' '..='~') && (c.is_control() || c.is_whitespace() || is_shapeless())
}

/// The first and the last of characters that format text or may be ignored, by Unicode's lists. The
/// two selectors of emoji are left out: they change only how the character before them looks.
const SHAPELESS: [[char; 2]; 19] = [
    ['\u{ad}', '\u{ad}'],
    ['\u{34f}', '\u{34f}'],
    ['\u{61c}', '\u{61c}'],
    ['\u{115f}', '\u{1160}'],
    ['\u{17b4}', '\u{17b5}'],
    ['\u{180b}', '\u{180f}'],
    ['\u{200b}', '\u{200f}'],
    ['\u{202a}', '\u{202e}'],
    ['\u{2060}', '\u{206f}'],
    ['\u{2800}', '\u{2800}'],
    ['\u{3164}', '\u{3164}'],
    ['\u{fe00}', '\u{fe0d}'],
    ['\u{feff}', '\u{feff}'],
    ['\u{ffa0}', '\u{ffa0}'],
    ['\u{fff0}', '\u{fffb}'],
    ['\u{13430}', '\u{1343f}'],
    ['\u{1bca0}', '\u{1bca3}'],
    ['\u{1d173}', '\u{1d17a}'],
    ['\u{e0000}', '\u{e0fff}'],
];

#[cfg(test)]
mod tests {
    use super::Visible;
    use std::fmt::{self, Write};

    struct Shown<'a>(&'a str);

    impl fmt::Display for Shown<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(Visible(f), "<{}>", self.0)
        }
    }

    #[test]
    fn escapes_what_controls_a_reader() {
        let hostile = "a\u{1b}[2J\r\n\t\u{9b}31m\u{202e}\u{2066}\u{2028}\u{7f}\0b\u{200b}\u{e0041}";
        let escaped =
            r"<a\u{1b}[2J\r\n\t\u{9b}31m\u{202e}\u{2066}\u{2028}\u{7f}\u{0}b\u{200b}\u{e0041}>";
        assert_eq!(Shown(hostile).to_string(), escaped);
        assert_eq!(Shown(escaped).to_string(), format!("<{escaped}>"), "it stays the same");
        assert_eq!(
            Shown("na\u{ef}ve \u{540d}\u{524d} \u{2764}\u{fe0f} \\ \"").to_string(),
            "<na\u{ef}ve \u{540d}\u{524d} \u{2764}\u{fe0f} \\ \">"
        );
    }
}
