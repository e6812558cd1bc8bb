//! Prose of documents as documentation comments.
//!
//! The prose is anybody's. Outside code spans everything that Markdown or rustdoc could take for markup is escaped, so
//! the words come out as they are and nothing else does.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use std::borrow::Cow;

const WIDTH: usize = 100;

/// Stands between the lines of a comment, so that each comment is one token and not one for each line. Nothing else that
/// is emitted has this character: `visible` takes it out of prose, and literals have it escaped.
pub const LINE: char = '\u{2028}';

/// A `#[doc]` attribute for paragraphs of Markdown that we wrote ourselves or that went through [`escape`]. Names of the
/// document in them may have anything in them, but for what a comment cannot hold. Lines end with [`LINE`].
pub(super) fn attributes(paragraphs: &[String]) -> TokenStream {
    let mut text = String::new();
    for paragraph in paragraphs.iter().filter(|paragraph| !paragraph.is_empty()) {
        if !text.is_empty() {
            text.push(LINE);
        }
        for line in paragraph.lines() {
            wrap(&visible(line), &mut text);
        }
    }
    if text.is_empty() {
        return TokenStream::new();
    }
    // Where it can, as a raw literal: nothing in it is escaped here, to be read again when it is formatted.
    let text: Literal = format!("r#\"{text}\"#").parse().unwrap_or_else(|_| Literal::string(&text));
    quote! { #[doc = #text] }
}

/// Prose as paragraphs of Markdown that say just that.
pub(super) fn escape(prose: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in prose.lines().map(clean) {
        let item = line.strip_prefix("- ").or(line.strip_prefix("* "));
        let last = paragraphs.last_mut().expect("there is always one");
        match item {
            _ if line.is_empty() => paragraphs.push(String::new()),
            Some(item) if last.is_empty() || last.starts_with("- ") => {
                let gap = if last.is_empty() { "" } else { "\n" };
                last.extend([gap, "- ", &inline(item.trim())]);
            }
            Some(item) => paragraphs.push(format!("- {}", inline(item.trim()))),
            None => {
                let gap = if last.is_empty() { "" } else { " " };
                last.extend([gap, &inline(&line)]);
            }
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    for paragraph in &mut paragraphs {
        guard_start(paragraph);
    }
    paragraphs
}

/// Without white space around it, control characters, and characters that change the direction of text: those could
/// make a reader see another text than the compiler.
fn clean(line: &str) -> String {
    visible(line).trim().to_owned()
}

/// Without control characters and characters that change the direction of text. White space of any kind is a space.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let invisible = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let spaced = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    spaced.filter(|c| !invisible(*c)).collect()
}

/// A name as a code span. One that has backticks stands between more of them than it has.
pub(super) fn code(name: &str) -> String {
    let plain = visible(name);
    match plain.matches('`').count() {
        _ if plain.trim().is_empty() => "`\"\"`".to_owned(),
        0 => format!("`{plain}`"),
        ticks => {
            let fence = "`".repeat(ticks + 1);
            format!("{fence} {plain} {fence}")
        }
    }
}

/// Escapes a line outside its code spans.
fn inline(line: &str) -> String {
    let mut output = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        let (before, from) = rest.split_at(start);
        output.push_str(&text(before));
        if let Some(length) = code_span(from) {
            output.push_str(&from[..length]);
            rest = &from[length..];
            continue;
        }
        let run = from.len() - from.trim_start_matches('`').len();
        output.push_str(&"\\`".repeat(run));
        rest = &from[run..];
    }
    output + &text(rest)
}

/// The length of a code span between single backticks at the start of a text.
fn code_span(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('`').filter(|inner| !inner.starts_with('`'))?;
    let end = inner.find('`').filter(|end| !inner[*end..].starts_with("``"))?;
    let content = inner[..end].trim();
    (!content.is_empty()).then_some(end + 2)
}

/// Escapes text that has no code spans, and makes links of addresses.
fn text(text: &str) -> String {
    let mut output = String::new();
    let mut rest = text;
    while let Some(start) = ["https://", "http://"].iter().filter_map(|scheme| rest.find(scheme)).min() {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c: char| c.is_whitespace() || "<>[]()\"'`\\^{|}*".contains(c)).unwrap_or(from.len());
        let address = from[..end].trim_end_matches(['.', ',', ';', ':', '!', '?']);
        output.push_str(&escape_markup(before));
        if address.ends_with("://") {
            output.push_str(&escape_markup(address).replace("://", ":\\//"));
        } else {
            output.extend(["<", address, ">"]);
        }
        rest = &from[address.len()..];
    }
    output + &escape_markup(rest)
}

fn escape_markup(text: &str) -> String {
    let mut output = String::new();
    for (at, c) in text.char_indices() {
        let is_markup = matches!(c, '\\' | '<' | '>' | '[' | ']' | '*' | '_' | '~' | '|' | '`');
        if is_markup || is_entity(&text[at..]) {
            output.push('\\');
        }
        output.push(c);
    }
    output
}

/// Whether a text starts with `&lt;` or the like.
fn is_entity(text: &str) -> bool {
    let name = text.strip_prefix('&').and_then(|rest| rest.split_once(';')).map_or("", |(name, _)| name);
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '#')
}

/// Keeps the start of a paragraph from being a heading, a list, a quote or a rule.
fn guard_start(paragraph: &mut String) {
    let item = paragraph.starts_with("- ");
    let body = if item { 2 } else { 0 };
    if starts_block(&paragraph[body..]) {
        paragraph.insert(body, '\\');
    }
}

fn starts_block(text: &str) -> bool {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    text.starts_with(['#', '+', '-', '=', '>']) || (digits > 0 && text[digits..].starts_with(['.', ')']))
}

/// Adds a line of Markdown to a comment, broken between words. The lines of a list item are indented below its text.
fn wrap(line: &str, comment: &mut String) {
    let indent = if line.starts_with("- ") { "   " } else { " " };
    let mut width = None;
    for word in line.split(' ').filter(|word| !word.is_empty()) {
        let length = word.chars().count();
        width = match width {
            // A word that would begin a list or a heading stays behind the word before it.
            Some(width) if width + length < WIDTH || starts_block(word) => {
                comment.push(' ');
                Some(width + 1 + length)
            }
            before => {
                let start = if before.is_some() { indent } else { " " };
                if !comment.is_empty() {
                    comment.push(LINE);
                }
                comment.push_str(start);
                Some(start.len() - 1 + length)
            }
        };
        comment.push_str(word);
    }
}

#[cfg(test)]
mod tests {
    use super::{LINE, attributes, escape, wrap};

    fn escaped(prose: &str) -> String {
        escape(prose).join("\n\n")
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
            ("1. one", "\\1. one"),
            ("    indented\n\tcode", "indented code"),
            ("a\nb\n\nc", "a b\n\nc"),
            ("- a\n- b\n  c", "- a\n- b c"),
            ("text:\n- a", "text:\n\n- a"),
            ("right\u{202e}left\u{0}", "rightleft"),
            ("https://k8s.io/docs, and so on", "<https://k8s.io/docs>, and so on"),
            ("(http://x.y/z)", "(<http://x.y/z>)"),
            ("https:// is nothing", "https:\\// is nothing"),
            ("`https://x.y/<z>`", "`https://x.y/<z>`"),
            ("snake_case *bold*", "snake\\_case \\*bold\\*"),
            ("&lt; &#60; a & b; c", "\\&lt; \\&#60; a & b; c"),
            ("next\u{85}line\rreturn\u{2028}end", "next line return end"),
        ];
        for (prose, markdown) in cases {
            assert_eq!(escaped(prose), markdown, "{prose:?}");
        }
    }

    fn wrapped(line: &str) -> Vec<String> {
        let mut comment = String::new();
        wrap(line, &mut comment);
        comment.split(LINE).map(str::to_owned).collect()
    }

    #[test]
    fn lines_break_between_words() {
        let lines = wrapped("word ".repeat(50).trim());
        assert!(lines.len() > 1 && lines.iter().all(|line| line.len() <= 101));
        let item = wrapped(&format!("- {}", "word ".repeat(40)));
        assert!(item[1].starts_with("   word"));
        let numbered = wrapped(&format!("{}1. and more", "x".repeat(99) + " "));
        assert_eq!(numbered.len(), 2, "a number does not begin a line: {numbered:?}");
    }

    #[test]
    fn paragraphs_become_one_attribute() {
        let tokens = |text: &str| attributes(&["One.".to_owned(), String::new(), text.to_owned()]).to_string();
        assert_eq!(tokens("Two\u{2028}words."), "# [doc = r#\" One.\u{2028}\u{2028} Two words.\"#]");
        assert_eq!(tokens("a \"# b"), r##"# [doc = " One.\u{2028}\u{2028} a \"# b"]"##);
        assert!(attributes(&[]).is_empty());
    }
}
