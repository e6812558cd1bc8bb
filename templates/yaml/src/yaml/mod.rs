//! YAML as events: the nodes that its parser finds, with aliases unfolded, tags applied and keys made
//! strings.

use crate::error::{ErrorKind, Failure};
use crate::event::{BOM, Event};
use crate::scalar::{Rules, Style, Tag};
use granit_parser::{self as parser, BorrowedInput, ScalarStyle, StrInput};
use nodes::{Anchors, Node};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

mod nodes;
#[cfg(test)]
mod tests;

/// A parser of YAML documents, one after another.
pub(crate) struct YamlParser<'a, I: BorrowedInput<'a> = StrInput<'a>> {
    parser: parser::Parser<'a, I>,
    /// The offset of the text in the input.
    base: usize,
    text: &'a str,
    /// The texts that follow, each with its offset.
    rest: std::vec::IntoIter<(I, &'a str, usize)>,
    rules: Rules,
    deepest: usize,
    open: Vec<Open>,
    anchors: Anchors<'a>,
    /// The number of bytes that aliases may still unfold to.
    budget: usize,
    limit: usize,
    /// The plain scalars that readers of YAML 1.2 understand otherwise, in the order of the text.
    pub(crate) disputed: Vec<DisputedAt>,
}

/// A plain scalar that readers of YAML 1.2 understand otherwise.
#[derive(Debug)]
pub(crate) struct DisputedAt {
    pub(crate) offset: usize,
    pub(crate) text: String,
    pub(crate) is_key: bool,
    /// Its value here. The value of a key is a string.
    pub(crate) value: Value,
}

/// The maximum number of these that are kept.
const MOST_DISPUTED: usize = 100;

/// An open container, by the node that it expects next.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Open {
    Array,
    Key,
    Value,
    /// The value of `<<`.
    Merged,
    /// A list that is one.
    MergedList,
}

/// The cost of a value beside its bytes. A short value takes more memory than a text of its length.
const COST: usize = 8;

impl<'a> YamlParser<'a> {
    /// A parser of a text that begins at an offset of the input.
    pub(crate) fn new(
        text: &'a str,
        base: usize,
        rules: Rules,
        deepest: usize,
        unfolded: usize,
    ) -> Self {
        let texts = texts(text).into_iter();
        let inputs = texts.map(|(text, start)| (StrInput::new(text), text, base + start));
        Self::over(inputs.collect(), rules, deepest, unfolded)
    }
}

/// The parts of a text between byte order marks, with their offsets. Joined files have byte order
/// marks at the start of documents. kubectl accepts one after `---`; here, one before `---` is
/// accepted too.
fn texts(text: &str) -> Vec<(&str, usize)> {
    let mut texts = Vec::new();
    let mut start = 0;
    for (end, _) in text.match_indices("\n\u{feff}") {
        let before = text[start..end].rfind('\n').map_or(start, |end| start + end + 1);
        let mark = end + 1;
        let behind = mark + BOM.len_utf8();
        if is_separator(&text[before..end]) {
            texts.push((&text[start..before], start));
        } else if text[behind..].lines().next().is_some_and(is_separator) {
            texts.push((&text[start..mark], start));
        } else {
            continue;
        }
        start = behind;
    }
    texts.push((&text[start..], start));
    texts
}

/// Whether a line has only what is between documents.
fn is_separator(line: &str) -> bool {
    let rest = line.strip_prefix("---").map(str::trim_start);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
}

/// A parser of one of the texts.
fn parser<'a, I: BorrowedInput<'a>>(input: I, deepest: usize) -> parser::Parser<'a, I> {
    let mut options = parser::options! {
        flow_nesting_limit: deepest,
        block_nesting_limit: deepest,
        block_scalar_eof_without_line_feed: true,
    };
    options.set_emit_comments(false);
    parser::Parser::with_options(input, options)
}

impl<'a, I: BorrowedInput<'a>> YamlParser<'a, I> {
    /// A parser of at least one text.
    fn over(
        texts: Vec<(I, &'a str, usize)>,
        rules: Rules,
        deepest: usize,
        unfolded: usize,
    ) -> Self {
        let mut rest = texts.into_iter();
        let (input, text, base) = rest.next().expect("there is one");
        Self {
            parser: parser(input, deepest),
            base,
            text,
            rest,
            rules,
            deepest,
            open: Vec::new(),
            anchors: Anchors::default(),
            budget: unfolded,
            limit: unfolded,
            disputed: Vec::new(),
        }
    }

    /// The next event and its offset, or none after the last document.
    pub(crate) fn next(&mut self) -> Result<Option<(Event<'a>, usize)>, Failure> {
        loop {
            let (node, offset) = if let Some(next) = self.anchors.next() {
                self.charge(&next.0, next.1)?;
                next
            } else {
                let Some(next) = self.parse()? else { return Ok(None) };
                next
            };
            if let Node::Alias(anchor) = node {
                self.alias(anchor)
                    .map_err(|message| Failure::new(ErrorKind::Value, message, offset))?;
                continue;
            }
            return self.event(node, offset).map(|event| Some((event, offset)));
        }
    }

    /// Lets the nodes of an anchor come next.
    fn alias(&mut self, anchor: usize) -> Result<(), &'static str> {
        let first = self.anchors.repeat(anchor)?;
        match self.open.last() {
            // An alias of `<<` is a key like any other.
            Some(Open::Key) if matches!(first, Node::Scalar(text, Style::Plain) if text == "<<") => {
                *first = Node::Scalar("<<".into(), Style::String);
            }
            Some(Open::Merged | Open::MergedList) if !matches!(first, Node::Object) => {
                return Err("only mappings can be merged by `<<`");
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes the cost of a value that an alias repeats.
    fn charge(&mut self, node: &Node, offset: usize) -> Result<(), Failure> {
        let cost = COST + if let Node::Scalar(text, _) = node { text.len() } else { 0 };
        let Some(left) = self.budget.checked_sub(cost) else {
            let message = format!("the aliases unfold to more than {} bytes", self.limit);
            return Err(Failure::new(ErrorKind::Limit, message, offset));
        };
        self.budget = left;
        Ok(())
    }

    /// The next node of the text.
    fn parse(&mut self) -> Result<Option<(Node<'a>, usize)>, Failure> {
        loop {
            let Some(next) = self.parser.next_event() else {
                let Some((input, text, base)) = self.rest.next() else { return Ok(None) };
                (self.text, self.base) = (text, base);
                self.parser = parser(input, self.deepest);
                continue;
            };
            let (event, span) = next.map_err(|error| self.syntax(&error))?;
            let offset = self.offset(span.start);
            let tagged = span.tag_start().map_or(offset, |start| self.offset(start));
            let (node, anchor) = match event {
                parser::Event::DocumentStart(..) => {
                    self.anchors = Anchors::default();
                    (Node::Document, 0)
                }
                parser::Event::Scalar(text, style, anchor, tag) => {
                    if style == ScalarStyle::DoubleQuoted {
                        self.check_escapes(offset, self.offset(span.end))?;
                    }
                    let style = match tag.as_deref() {
                        None if style == ScalarStyle::Plain => Style::Plain,
                        None => Style::String,
                        Some(tag) => self.scalar_tag(tag, tagged)?,
                    };
                    (Node::Scalar(text, style), anchor)
                }
                parser::Event::SequenceStart(_, anchor, tag) => {
                    tag.as_deref().map_or(Ok(()), |tag| self.check_tag(tag, tagged))?;
                    (Node::Array, anchor)
                }
                parser::Event::MappingStart(_, anchor, tag) => {
                    tag.as_deref().map_or(Ok(()), |tag| self.check_tag(tag, tagged))?;
                    (Node::Object, anchor)
                }
                parser::Event::SequenceEnd | parser::Event::MappingEnd => (Node::End, 0),
                parser::Event::Alias(anchor) => (Node::Alias(anchor), 0),
                _ => continue,
            };
            self.anchors.note(&node, offset, anchor);
            return Ok(Some((node, offset)));
        }
    }

    /// Refuses the escapes of surrogates in a string between two offsets, as Go does: elsewhere two
    /// of them are one character.
    fn check_escapes(&self, start: usize, end: usize) -> Result<(), Failure> {
        let text = self.text.get(start - self.base..end - self.base).unwrap_or_default();
        let mut rest = text.match_indices('\\');
        while let Some((at, _)) = rest.next() {
            let digits = text[at + 1..].strip_prefix('u').and_then(|digits| digits.get(..4));
            let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
            if self.rules == Rules::Kubernetes
                && code.is_some_and(|c| (0xd800..0xe000).contains(&c))
            {
                let message = "the escape of half a character; write the character itself";
                return Err(Failure::new(ErrorKind::Value, message, start + at));
            }
            // The character that is escaped, which may be the same.
            if text[at + 1..].starts_with('\\') {
                rest.next();
            }
        }
        Ok(())
    }

    /// The offset of a place in the input.
    fn offset(&self, marker: parser::Marker) -> usize {
        self.base + marker.byte_offset().unwrap_or(self.text.len())
    }

    fn syntax(&self, error: &parser::ScanError) -> Failure {
        let offset = self.offset(*error.marker());
        match error.kind() {
            parser::ErrorKind::RecursionLimitExceeded => Failure::too_deep(self.deepest, offset),
            kind => Failure::new(
                ErrorKind::Yaml,
                self.words(kind).unwrap_or_else(|| error.info()),
                offset,
            ),
        }
    }

    /// An error in the words of kubectl, where they are known.
    fn words(&self, kind: &parser::ErrorKind) -> Option<String> {
        let close = match kind {
            parser::ErrorKind::ExpectedFlowMappingSeparator => '}',
            parser::ErrorKind::ExpectedFlowSequenceSeparator => ']',
            parser::ErrorKind::InvalidColonPlacement
                if matches!(self.open.last(), Some(Open::Array | Open::MergedList)) =>
            {
                ']'
            }
            parser::ErrorKind::UnclosedFlowCollection { open } => {
                // kubectl stops at the first missing content, be it before or at the end.
                let inner = self.text.rsplit(*open).next().unwrap_or_default();
                if inner.trim_start().starts_with([':', ','])
                    || self.text.trim_end().ends_with(['{', '[', ',', ':'])
                {
                    return Some("did not find expected node content".to_owned());
                }
                if *open == '{' { '}' } else { ']' }
            }
            _ => return None,
        };
        Some(format!("did not find expected ',' or '{close}'"))
    }

    /// The event of a node, by its place in the container around it.
    fn event(&mut self, node: Node<'a>, offset: usize) -> Result<Event<'a>, Failure> {
        let is_key = self.open.last() == Some(&Open::Key);
        match node {
            Node::Document => Ok(Event::Document),
            Node::End => {
                self.open.pop();
                Ok(Event::End)
            }
            Node::Scalar(text, style) if is_key => {
                let key = self.rules.key(text.clone(), style);
                let event =
                    match key.map_err(|message| Failure::new(ErrorKind::Value, message, offset))? {
                        Some(key) => Event::Key(key),
                        None => Event::Merge,
                    };
                if event == Event::Merge {
                    self.open.pop();
                    self.open.push(Open::Merged);
                } else {
                    self.advance();
                }
                self.dispute(&text, style, &event, offset);
                Ok(event)
            }
            Node::Array | Node::Object if is_key => {
                let message = "a key is a list or a mapping, and not a string";
                Err(Failure::new(ErrorKind::Value, message, offset))
            }
            Node::Scalar(text, style) => {
                self.advance();
                let event = self
                    .rules
                    .value(text.clone(), style)
                    .map_err(|message| Failure::new(ErrorKind::Value, message, offset))?;
                self.dispute(&text, style, &event, offset);
                Ok(event)
            }
            Node::Array | Node::Object => {
                if self.open.len() >= self.deepest {
                    return Err(Failure::too_deep(self.deepest, offset));
                }
                let is_merged = self.open.last() == Some(&Open::Merged);
                self.advance();
                let is_array = matches!(node, Node::Array);
                self.open.push(match (is_array, is_merged) {
                    (true, true) => Open::MergedList,
                    (true, false) => Open::Array,
                    (false, _) => Open::Key,
                });
                Ok(if is_array { Event::Array } else { Event::Object })
            }
            // They are unfolded before.
            Node::Alias(_) => {
                Err(Failure::new(ErrorKind::Value, "an alias in place of a value", offset))
            }
        }
    }

    /// Notes a key or value of the innermost container.
    fn advance(&mut self) {
        match self.open.last_mut() {
            Some(open @ Open::Key) => *open = Open::Value,
            Some(open @ (Open::Value | Open::Merged)) => *open = Open::Key,
            Some(Open::Array | Open::MergedList) | None => {}
        }
    }

    /// Notes a scalar that readers of YAML 1.2 understand otherwise, with its offset in the text.
    fn dispute(&mut self, text: &str, style: Style, event: &Event<'_>, offset: usize) {
        let is_new = self.disputed.last().is_none_or(|last| last.offset < offset);
        let is_disputed = style == Style::Plain && self.rules.is_disputed(text, event);
        if !is_disputed || !is_new || self.disputed.len() >= MOST_DISPUTED {
            return;
        }
        let (is_key, value) = match event.clone() {
            Event::Key(key) => (true, Value::String(key.into_owned())),
            event => (false, event.into_scalar().unwrap_or_default()),
        };
        self.disputed.push(DisputedAt { offset, text: text.to_owned(), is_key, value });
    }

    /// The style of a scalar with a tag. Under the rules of Kubernetes, unknown tags leave a
    /// string.
    fn scalar_tag(&self, tag: &parser::Tag, offset: usize) -> Result<Style, Failure> {
        let known = standard(tag).and_then(|name| Tag::named(&name)).map(Style::Tagged);
        match known {
            Some(style) if !is_string(tag) => Ok(style),
            None if !is_string(tag) && self.rules == Rules::Core => Err(unknown(tag, offset)),
            _ => Ok(Style::String),
        }
    }

    /// Refuses tags of containers that are not of the standard. Kubernetes ignores all of them.
    fn check_tag(&self, tag: &parser::Tag, offset: usize) -> Result<(), Failure> {
        let is_known = self.rules == Rules::Kubernetes
            || is_string(tag)
            || standard(tag).is_some_and(|name| CONTAINERS.contains(&name.as_ref()));
        if is_known { Ok(()) } else { Err(unknown(tag, offset)) }
    }
}

impl<'a, I: BorrowedInput<'a>> fmt::Debug for YamlParser<'a, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("YamlParser").field("open", &self.open).finish_non_exhaustive()
    }
}

/// The tags of lists and mappings. None of them changes how they are read.
const CONTAINERS: [&str; 5] = ["map", "seq", "set", "omap", "pairs"];

fn is_string(tag: &parser::Tag) -> bool {
    matches!(tag.parts(), ("", "!") | ("!", ""))
}

/// The name of a standard tag, after `!!`.
fn standard(tag: &parser::Tag) -> Option<Cow<'_, str>> {
    tag.suffix_in_namespace("tag:yaml.org,2002:")
}

fn unknown(tag: &parser::Tag, offset: usize) -> Failure {
    let shown: String = tag.original().chars().take(40).collect();
    Failure::new(
        ErrorKind::Value,
        format!("the tag `{shown}` has no meaning in JSON; remove it"),
        offset,
    )
}
