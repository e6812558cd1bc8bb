//! Strings of documents as Markdown, for documentation comments and READMEs.
//!
//! Documents are untrusted, and rustdoc runs code blocks and passes HTML on to the reader's
//! browser. So a string reaches documentation in one of two ways: as [`prose`], in which all that
//! Markdown or rustdoc could take for markup is escaped, or as [`Markdown::code`]. There is no
//! other way to make [`Markdown`] of a string that is not a literal of kapigen.

use crate::visible::is_unclear;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::fmt::Write as _;

const WIDTH: usize = 100;

/// Stands between the lines of a comment, so that each comment is one token and not one for each
/// line. Nothing else that is emitted has this character: prose has a space instead, and in code
/// and literals it is escaped.
pub(crate) const LINE: char = '\u{2028}';

/// Stands for a space within a code span, at which no line may end: the rest of the span would
/// begin a line, and could begin a block there. Strings do not have it, for the same reasons.
const GAP: char = '\u{2029}';

/// Text within a paragraph. Its lines may be broken at each space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Markdown(String);

/// A paragraph, or another block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    /// A paragraph.
    Paragraph(Markdown),
    /// The items of a list.
    Items(Vec<Markdown>),
    /// A heading, right above the next block.
    Heading(&'static str),
    /// Lines of Rust that is compiled as a test. Names in them come from [`names`](crate::names).
    Example(Vec<String>),
}

impl Markdown {
    /// Markdown that is in our own source.
    pub(crate) fn own(markdown: &'static str) -> Self {
        Self(markdown.to_owned())
    }

    /// A string as a code span. A string with backticks is delimited by more or fewer of them than
    /// it has in a row.
    pub(crate) fn code(string: &str) -> Self {
        let string = on_one_line(string);
        let span = if string.trim().is_empty() {
            format!("`\"{string}\"`")
        } else if string.contains('`') {
            let fence = fence(&string);
            format!("{fence} {string} {fence}")
        } else if string.starts_with(' ') && string.ends_with(' ') {
            format!("` {string} `")
        } else {
            format!("`{string}`")
        };
        Self(span.replace(' ', GAP.encode_utf8(&mut [0; 4])))
    }

    /// A link to an item, by its path, which comes from [`names`](crate::names).
    pub(crate) fn link(path: &str) -> Self {
        debug_assert!(
            path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':')),
            "{path} is not a path"
        );
        let shown = path.rsplit("::").next().unwrap_or(path);
        if shown == path {
            Self(format!("[`{path}`]"))
        } else {
            Self(format!("[`{shown}`]({path})"))
        }
    }

    /// These words as a link to an item, by its path. A name alone is [`link`](Self::link): rustdoc
    /// may resolve it on its own.
    pub(crate) fn linked(self, path: &str) -> Self {
        debug_assert!(
            path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':')),
            "{path} is not a path"
        );
        Self(format!("[{}]({path})", self.0))
    }

    /// A string as a code span in a table. There a bar ends the cell, even within a code span.
    pub(crate) fn cell(string: &str) -> Self {
        Self::code(&string.replace('|', r"\u{7c}"))
    }

    /// Prose of a single paragraph.
    pub(crate) fn line(prose: &str) -> Self {
        Self(escape(&in_prose(prose)))
    }

    /// Each string as a code span, with commas between them.
    pub(crate) fn codes<'a>(strings: impl IntoIterator<Item = &'a String>) -> Self {
        let mut strings = strings.into_iter().map(|string| Self::code(string));
        let first = strings.next().unwrap_or_default();
        strings.fold(first, |all, string| all.and_own(", ").and(&string))
    }

    /// This, followed by more. Two code spans need something between them, or they are not two.
    pub(crate) fn and(mut self, more: &Self) -> Self {
        if self.0.ends_with('`') && more.0.starts_with('`') {
            self.0.push(' ');
        }
        self.0.push_str(&more.0);
        self
    }

    /// This, followed by Markdown that is in our own source.
    pub(crate) fn and_own(self, more: &'static str) -> Self {
        self.and(&Self::own(more))
    }

    /// This, followed by a string as a code span.
    pub(crate) fn and_code(self, string: &str) -> Self {
        self.and(&Self::code(string))
    }

    fn add_line(&mut self, prose: &str) {
        self.0.push(' ');
        self.0.push_str(&escape(prose));
    }
}

/// On one line.
impl fmt::Display for Markdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.replace(GAP, " "))
    }
}

impl From<Markdown> for Block {
    fn from(paragraph: Markdown) -> Self {
        Self::Paragraph(paragraph)
    }
}

impl Block {
    /// A paragraph that is in our own source.
    pub(crate) fn own(markdown: &'static str) -> Self {
        Self::Paragraph(Markdown::own(markdown))
    }
}

/// The shortest row of backticks that the string does not have.
fn fence(string: &str) -> String {
    let rows: BTreeSet<usize> = string.split(|c| c != '`').map(str::len).collect();
    let mut fence = "`".to_owned();
    while rows.contains(&fence.len()) {
        fence.push('`');
    }
    fence
}

/// Paragraphs and lists of prose, without markup.
pub(crate) fn prose(prose: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut continues = false;
    for line in prose.lines().map(in_prose) {
        let line = line.trim();
        let item = line.strip_prefix("- ").or(line.strip_prefix("* ")).map(Markdown::line);
        match (item, blocks.last_mut().filter(|_| continues)) {
            _ if line.is_empty() => {}
            (Some(item), Some(Block::Items(items))) => items.push(item),
            (Some(item), _) => blocks.push(Block::Items(vec![item])),
            (None, Some(Block::Items(items))) => {
                items.last_mut().into_iter().for_each(|item| item.add_line(line));
            }
            (None, Some(Block::Paragraph(paragraph))) => paragraph.add_line(line),
            (None, _) => blocks.push(Markdown::line(line).into()),
        }
        continues = !line.is_empty();
    }
    blocks
}

/// The lines of a comment, each with a space before it and [`LINE`] between them.
pub(crate) fn comment(blocks: &[Block]) -> String {
    let mut comment = String::new();
    let mut below_heading = true;
    for block in blocks {
        if !below_heading {
            comment.push(LINE);
        }
        below_heading = matches!(block, Block::Heading(_));
        match block {
            Block::Heading(heading) => start_line(&["# ", heading], &mut comment),
            Block::Paragraph(paragraph) => wrap("", paragraph, &mut comment),
            Block::Items(items) => items.iter().for_each(|item| wrap("- ", item, &mut comment)),
            Block::Example(lines) => {
                start_line(&["```"], &mut comment);
                for line in lines {
                    if line.is_empty() {
                        comment.push(LINE);
                    } else {
                        start_line(&[line], &mut comment);
                    }
                }
                start_line(&["```"], &mut comment);
            }
        }
    }
    comment
}

fn start_line(parts: &[&str], comment: &mut String) {
    if !comment.is_empty() {
        comment.push(LINE);
    }
    comment.push(' ');
    comment.extend(parts.iter().copied());
}

/// Adds text to a comment, broken between words. Lines after the first one are indented like its
/// text.
fn wrap(marker: &str, text: &Markdown, comment: &mut String) {
    let indent = " ".repeat(marker.len());
    let mut width = None;
    for word in text.0.split(' ').filter(|word| !word.is_empty()) {
        let word = word.replace(GAP, " ");
        let length = word.chars().count();
        width = match width {
            None => {
                start_line(&[marker, &guarded(&word)], comment);
                Some(marker.len() + length)
            }
            // A word that would begin a list or a heading stays after the word before it.
            Some(width) if width + length < WIDTH || block_marker(&word).is_some() => {
                comment.extend([" ", &word]);
                Some(width + 1 + length)
            }
            Some(_) => {
                start_line(&[&indent, &word], comment);
                Some(indent.len() + length)
            }
        };
    }
}

/// Escapes a line outside its code spans, in which spaces become [`GAP`](GAP).
fn escape(line: &str) -> String {
    let mut output = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        let (before, from) = rest.split_at(start);
        text(before, &mut output);
        let length = if let Some(length) = code_span(from) {
            output.push_str(&from[..length].replace(' ', GAP.encode_utf8(&mut [0; 4])));
            length
        } else {
            let row = from.len() - from.trim_start_matches('`').len();
            output.push_str(&"\\`".repeat(row));
            row
        };
        rest = &from[length..];
    }
    text(rest, &mut output);
    output
}

/// The length of a code span between single backticks at the start of a string.
fn code_span(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('`').filter(|inner| !inner.starts_with('`'))?;
    let end = inner.find('`').filter(|end| !inner[*end..].starts_with("``"))?;
    let content = inner[..end].trim();
    (!content.is_empty()).then_some(end + 2)
}

/// Escapes text that has no code spans, and makes links of addresses.
fn text(text: &str, output: &mut String) {
    let mut rest = text;
    while let Some(start) = address(rest) {
        let (before, from) = rest.split_at(start);
        let end = from
            .find(|c: char| c.is_whitespace() || "<>[]()\"'`\\^{|}*".contains(c))
            .unwrap_or(from.len());
        let address = from[..end].trim_end_matches(['.', ',', ';', ':', '!', '?']);
        markup(before, output);
        if address.ends_with("://") {
            let mut scheme = String::new();
            markup(address, &mut scheme);
            output.push_str(&scheme.replace("://", ":\\//"));
        } else {
            output.extend(["<", address, ">"]);
        }
        rest = &from[address.len()..];
    }
    markup(rest, output);
}

/// Where the first address begins.
fn address(text: &str) -> Option<usize> {
    let mut starts = text.match_indices("http").map(|(at, _)| at);
    starts.find(|at| ["http://", "https://"].iter().any(|scheme| text[*at..].starts_with(scheme)))
}

fn markup(text: &str, output: &mut String) {
    for (at, c) in text.char_indices() {
        let rest = &text[at..];
        let is_markup = matches!(c, '\\' | '<' | '>' | '[' | ']' | '*' | '_' | '~' | '|');
        // Punctuation that rustdoc replaces: the words of a command line would change.
        let is_smart = rest.starts_with("--") || rest.starts_with("...");
        if is_markup || is_smart || is_entity(rest) {
            output.push('\\');
        }
        output.push(c);
    }
}

/// Whether a string starts with `&lt;` or the like. The longest name of an entity has 31 letters.
fn is_entity(text: &str) -> bool {
    let Some(name) = text.strip_prefix('&') else { return false };
    let length = name
        .bytes()
        .take(40)
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#')
        .count();
    length > 0 && name[length..].starts_with(';')
}

/// Where a backslash keeps a word at the start of a line from being a heading, a list, a rule or
/// the like, if it would.
fn block_marker(word: &str) -> Option<usize> {
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 {
        return word[digits..].starts_with(['.', ')']).then_some(digits);
    }
    word.starts_with(['#', '+', '-', '=', ':']).then_some(0)
}

/// A word that begins no block.
fn guarded(word: &str) -> String {
    let (before, after) = word.split_at(block_marker(word).unwrap_or_default());
    let escape = if block_marker(word).is_some() { "\\" } else { "" };
    format!("{before}{escape}{after}")
}

/// Prose on one line. White space of any kind is a space.
fn in_prose(prose: &str) -> Cow<'_, str> {
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

#[cfg(test)]
mod tests {
    use super::{Block, LINE, Markdown, comment, prose};

    fn shown(blocks: &[Block]) -> String {
        comment(blocks)
            .replace(LINE, "\n")
            .lines()
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .fold(String::new(), |text, line| {
                if text.is_empty() { line.to_owned() } else { format!("{text}\n{line}") }
            })
    }

    #[test]
    fn prose_stays_prose() {
        let cases = [
            ("One of `Always`, `Never`.", "One of `Always`, `Never`."),
            ("a <b> c", "a \\<b\\> c"),
            ("see [x] and [y](z)", "see \\[x\\] and \\[y\\](z)"),
            ("\\<script>", "\\\\\\<script\\>"),
            ("odd ` tick", "odd \\` tick"),
            ("``` fence\ncode", "\\`\\`\\` fence code"),
            ("# heading", "\\# heading"),
            ("1. one", "1\\. one"),
            ("    indented\n\tcode", "indented code"),
            ("a\nb\n\nc", "a b\n\nc"),
            ("- a\n- b\n  c", "- a\n- b c"),
            ("- a\n- # b\n- 1) c\n- - d", "- a\n- \\# b\n- 1\\) c\n- \\- d"),
            ("text:\n- a", "text:\n\n- a"),
            ("right\u{202e}left\u{0}", "right\\\\u{202e}left\\\\u{0}"),
            ("\u{61c}\u{200d}", "\\\\u{61c}\\\\u{200d}"),
            ("https://k8s.io/docs, and so on", "<https://k8s.io/docs>, and so on"),
            ("(http://x.y/z)", "(<http://x.y/z>)"),
            ("https:// is nothing", "https:\\// is nothing"),
            ("https://a_b&lt;http:// neither", "https:\\//a\\_b\\&lt;http:\\// neither"),
            ("`https://x.y/<z>`", "`https://x.y/<z>`"),
            ("snake_case *bold*", "snake\\_case \\*bold\\*"),
            ("&lt; &#60; a & b; c", "\\&lt; \\&#60; a & b; c"),
            ("--flag --- a... -", "\\--flag \\-\\-- a\\... -"),
            ("next\u{85}line\rreturn\u{2028}end", "next line return end"),
        ];
        for (words, markdown) in cases {
            assert_eq!(shown(&prose(words)), markdown, "{words:?}");
        }
    }

    #[test]
    fn strings_are_code_on_one_line() {
        let cases = [
            ("name", "`name`"),
            ("", "`\"\"`"),
            ("  ", "`\"  \"`"),
            (" a ", "`  a  `"),
            ("a`b", "`` a`b ``"),
            ("``", "` `` `"),
            ("` ``", "``` ` `` ```"),
            ("a\r\n\tb\u{2028}\u{61c}", r"`a\r\n\tb\u{2028}\u{61c}`"),
        ];
        for (string, markdown) in cases {
            assert_eq!(Markdown::code(string).to_string(), markdown, "{string:?}");
        }
        assert_eq!(Markdown::cell("a|b").to_string(), r"`a\u{7c}b`");
    }

    fn wrapped(words: &str) -> Vec<String> {
        shown(&prose(words)).lines().map(str::to_owned).collect()
    }

    #[test]
    fn lines_break_between_words() {
        let lines = wrapped(&"word ".repeat(50));
        assert!(lines.len() > 1 && lines.iter().all(|line| line.len() <= 100));
        let item = wrapped(&format!("- {}", "word ".repeat(40)));
        assert!(item[1].starts_with("  word"));
        let numbered = wrapped(&format!("{} 1. and more", "x".repeat(99)));
        assert_eq!(numbered.len(), 2, "a number does not begin a line: {numbered:?}");
    }

    #[test]
    fn lines_do_not_break_within_code() {
        let code = format!("`{} ~~~ {}`", "x".repeat(98), "y".repeat(98));
        assert_eq!(wrapped(&code), [code]);
    }

    /// Each of these begins something at each of its positions that never ends.
    #[test]
    fn long_strings_grow_little() {
        for piece in [
            "& ",
            "&a",
            "`",
            "` ",
            "``a",
            "http://a ",
            "https://",
            "http",
            "1. ",
            "- ",
            "-",
            ".",
            "*",
        ] {
            let text = piece.repeat(30_000 / piece.len());
            assert!(comment(&prose(&text)).len() < 4 * text.len(), "{piece:?}");
            assert!(comment(&[Markdown::code(&text).into()]).len() < 4 * text.len(), "{piece:?}");
        }
    }
}
