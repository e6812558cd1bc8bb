//! Strings of documents as Markdown, for documentation comments and READMEs.
//!
//! Documents are untrusted, and rustdoc runs code blocks and passes HTML on to the reader's browser.
//! So a string reaches documentation in one of two ways: as [`prose`], in which all that Markdown or rustdoc could take
//! for markup is escaped, or as [`Markdown::code`]. There is no other way to make [`Markdown`] of a string that is not
//! a literal of kapigen.

mod inline;
mod visible;

use std::collections::BTreeSet;
use std::fmt;
pub(crate) use visible::on_one_line;

const WIDTH: usize = 100;

/// Stands between the lines of a comment, so that each comment is one token and not one for each line. Nothing else
/// that is emitted has this character: prose has a space instead, and in code and literals it is escaped.
pub(crate) const LINE: char = '\u{2028}';

/// Stands for a space within a code span, at which no line may end: the rest of the span would begin a line, and could
/// begin a block there. Strings do not have it, for the same reasons.
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

    /// A string as a code span. One that has backticks is put between more or fewer of them than it has in a row.
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
        debug_assert!(path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':')), "{path} is no path");
        let shown = path.rsplit("::").next().unwrap_or(path);
        if shown == path { Self(format!("[`{path}`]")) } else { Self(format!("[`{shown}`]({path})")) }
    }

    /// A string as a code span in a table. There a bar ends the cell, even within a code span.
    pub(crate) fn cell(string: &str) -> Self {
        Self::code(&string.replace('|', r"\u{7c}"))
    }

    /// Prose of a single paragraph.
    pub(crate) fn line(prose: &str) -> Self {
        Self(inline::escape(&visible::in_prose(prose)))
    }

    /// Each string as a code span, with commas between them.
    pub(crate) fn codes<'a>(strings: impl IntoIterator<Item = &'a String>) -> Self {
        let mut strings = strings.into_iter().map(|string| Self::code(string));
        let first = strings.next().unwrap_or_default();
        strings.fold(first, |all, string| all.and_own(", ").and(&string))
    }

    /// This, and more behind it. Two code spans need something between them, or they are none.
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

    /// This, and a string as a code span behind it.
    pub(crate) fn and_code(self, string: &str) -> Self {
        self.and(&Self::code(string))
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
    for line in prose.lines().map(visible::in_prose) {
        let line = line.trim();
        let item = line.strip_prefix("- ").or(line.strip_prefix("* ")).map(Markdown::line);
        match (item, blocks.last_mut().filter(|_| continues)) {
            _ if line.is_empty() => {}
            (Some(item), Some(Block::Items(items))) => items.push(item),
            (Some(item), _) => blocks.push(Block::Items(vec![item])),
            (None, Some(Block::Items(items))) => items.last_mut().into_iter().for_each(|item| item.add_line(line)),
            (None, Some(Block::Paragraph(paragraph))) => paragraph.add_line(line),
            (None, _) => blocks.push(Markdown::line(line).into()),
        }
        continues = !line.is_empty();
    }
    blocks
}

impl Markdown {
    fn add_line(&mut self, prose: &str) {
        self.0.push(' ');
        self.0.push_str(&inline::escape(prose));
    }
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
                    if line.is_empty() { comment.push(LINE) } else { start_line(&[line], &mut comment) }
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

/// Adds text to a comment, broken between words. Lines behind the first one are indented like the text of that.
fn wrap(marker: &str, text: &Markdown, comment: &mut String) {
    let indent = " ".repeat(marker.len());
    let mut width = None;
    for word in text.0.split(' ').filter(|word| !word.is_empty()) {
        let word = word.replace(GAP, " ");
        let length = word.chars().count();
        width = match width {
            None => {
                start_line(&[marker, &inline::guarded(&word)], comment);
                Some(marker.len() + length)
            }
            // A word that would begin a list or a heading stays behind the word before it.
            Some(width) if width + length < WIDTH || inline::block_marker(&word).is_some() => {
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

#[cfg(test)]
mod tests;
