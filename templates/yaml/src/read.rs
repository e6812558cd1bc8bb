//! The interface of reading: bytes to documents, with lines and columns in place of offsets.

use crate::error::{Error, ErrorKind, Failure, Lines, Position};
use crate::event::{BOM, Event};
use crate::json::JsonParser;
use crate::position::{Offsets, PointerSearch};
use crate::scalar::Rules;
use crate::tree::{ReportLimits, Step, TreeBuilder};
use crate::yaml::{DisputedAt, YamlParser};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A format of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON: one value, or several one after another.
    Json,
    /// YAML: documents separated by `---`.
    Yaml,
}

impl Format {
    /// The format that a text has by its beginning: JSON if that is `{` before a string or the end
    /// of the object, or `[` before a string, a bracket or the end of the list. Everything else is
    /// YAML.
    #[must_use]
    pub fn detect(text: &str) -> Self {
        let mut characters =
            text.chars().filter(|character| ![' ', '\t', '\r', '\n', BOM].contains(character));
        let first = characters.next();
        let second = characters.next();
        match (first, second) {
            (Some('{'), Some('"' | '}')) | (Some('['), Some('"' | '{' | '[' | ']')) => Self::Json,
            _ => Self::Yaml,
        }
    }
}

/// The options of a reader: the format, and the bounds.
#[derive(Clone, Debug)]
pub struct Reader {
    format: Option<Format>,
    rules: Rules,
    size: usize,
    depth: usize,
    unfolded: usize,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            format: None,
            rules: Rules::Kubernetes,
            size: 64 << 20,
            depth: 128,
            unfolded: 1_000_000,
        }
    }
}

impl Reader {
    /// A reader that [detects](Format::detect) the format and has the default bounds.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads everything as this format.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Reads plain scalars of YAML by these rules.
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// Refuses inputs of more bytes. The default is 64 MiB.
    #[must_use]
    pub fn size(mut self, bytes: usize) -> Self {
        self.size = bytes;
        self
    }

    /// Refuses documents with more containers within each other. The default is 128.
    #[must_use]
    pub fn depth(mut self, levels: usize) -> Self {
        self.depth = levels;
        self
    }

    /// Refuses inputs with aliases that repeat more bytes than this and more than four times the
    /// input. The default is a million. Each value counts as 8 bytes plus the bytes of its string.
    #[must_use]
    pub fn unfolded(mut self, bytes: usize) -> Self {
        self.unfolded = bytes;
        self
    }

    /// Reads documents one by one, as the iterator advances. The first error is its last item.
    #[must_use]
    pub fn documents<'a>(&self, bytes: &'a [u8]) -> Documents<'a> {
        match self.events(bytes) {
            Ok((text, events)) => {
                Documents { lines: Lines::new(text), events: Ok(events), number: 0 }
            }
            Err(error) => Documents { lines: Lines::new(""), events: Err(Some(error)), number: 0 },
        }
    }

    /// Reads an input of exactly one document.
    ///
    /// # Errors
    /// When the input is invalid, exceeds a bound, or has no document or several.
    pub fn document(&self, bytes: &[u8]) -> Result<Document, Error> {
        let mut documents = self.documents(bytes);
        let Some(document) = documents.next() else {
            return Err(Error::new(ErrorKind::Empty, "there is no document"));
        };
        let document = document?;
        match documents.next() {
            None => Ok(document),
            Some(Err(error)) => Err(error),
            Some(Ok(second)) => {
                let error = Error::new(ErrorKind::Several, "there is more than one document");
                Err(error.at(second.number, second.position))
            }
        }
    }

    /// Finds the positions of the JSON pointers that a document has, by its number. In an invalid
    /// document, only pointers before the error are found. One pass over the input serves all
    /// pointers.
    #[must_use]
    pub fn positions(
        &self,
        bytes: &[u8],
        document: usize,
        pointers: &BTreeSet<&str>,
    ) -> BTreeMap<String, Place> {
        let mut found = self.positions_in(bytes, &BTreeMap::from([(document, pointers.clone())]));
        found.remove(&document).unwrap_or_default()
    }

    /// As [`positions`](Self::positions), of several documents, each with its pointers.
    pub(crate) fn positions_in(
        &self,
        bytes: &[u8],
        pointers: &BTreeMap<usize, BTreeSet<&str>>,
    ) -> BTreeMap<usize, BTreeMap<String, Place>> {
        let Ok((text, mut events)) = self.events(bytes) else { return BTreeMap::new() };
        let mut open = pointers
            .iter()
            .map(|(document, pointers)| (*document, PointerSearch::new(pointers)))
            .peekable();
        let mut searches: Vec<(usize, PointerSearch<'_>)> = Vec::new();
        let mut number = 0;
        while let Ok(Some((event, offset))) = events.next() {
            number += usize::from(event == Event::Document);
            searches.extend(open.next_if(|(document, _)| *document == number));
            let current = searches.last_mut().filter(|(document, _)| *document == number);
            if let Some((_, search)) = current.filter(|(_, search)| !search.is_done()) {
                search.take(&event, offset);
            } else if open.peek().is_none() {
                break;
            }
        }
        let mut offsets = Vec::new();
        for found in searches.iter().flat_map(|(_, search)| search.found.values()) {
            offsets.extend(found.key);
            offsets.push(found.value);
        }
        let positions = positions(Lines::new(text), &mut offsets);
        let mut places = BTreeMap::new();
        for (document, search) in searches {
            let found = search.found.into_iter();
            let found = found.map(|(pointer, offsets)| (pointer, place(offsets, &positions)));
            places.insert(document, found.collect());
        }
        places
    }

    fn events<'a>(&self, bytes: &'a [u8]) -> Result<(&'a str, Events<'a>), Error> {
        if bytes.len() > self.size {
            let message = format!(
                "the input has {} bytes, more than the limit of {}",
                bytes.len(),
                self.size
            );
            return Err(Error::new(ErrorKind::Limit, message));
        }
        let text = text(bytes)?;
        let start = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
        let events = match self.format.unwrap_or_else(|| Format::detect(text)) {
            Format::Json => Events::Json(JsonParser::new(text, start, self.depth)),
            Format::Yaml => {
                let unfolded = self.unfolded.max(bytes.len().saturating_mul(UNFOLDED_TO_LENGTH));
                Events::Yaml(Box::new(YamlParser::new(
                    &text[start..],
                    start,
                    self.rules,
                    self.depth,
                    unfolded,
                )))
            }
        };
        Ok((text, events))
    }
}

/// The most that aliases may repeat, as a multiple of the length of the input.
const UNFOLDED_TO_LENGTH: usize = 4;

const START: Position = Position { line: 1, column: 1 };

/// The text of an input.
fn text(bytes: &[u8]) -> Result<&str, Error> {
    let is_wide = matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..]);
    if is_wide {
        let message = "this is UTF-16 or UTF-32, or no text at all; write it in UTF-8";
        return Err(Error::new(ErrorKind::Encoding, message));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
        let position = Lines::new(valid).position(valid.len());
        Error::new(ErrorKind::Encoding, "this is not UTF-8").at(1, position)
    })
}

/// The positions of offsets. None of them may be before the current position of `lines`.
fn positions(mut lines: Lines<'_>, offsets: &mut [usize]) -> BTreeMap<usize, Position> {
    offsets.sort_unstable();
    offsets.iter().map(|offset| (*offset, lines.position(*offset))).collect()
}

fn place(offsets: Offsets, positions: &BTreeMap<usize, Position>) -> Place {
    Place {
        key: offsets.key.and_then(|key| positions.get(&key).copied()),
        value: positions.get(&offsets.value).copied().unwrap_or(START),
    }
}

/// The events of either format.
#[derive(Debug)]
enum Events<'a> {
    Json(JsonParser<'a>),
    Yaml(Box<YamlParser<'a>>),
}

impl<'a> Events<'a> {
    fn next(&mut self) -> Result<Option<(Event<'a>, usize)>, Failure> {
        match self {
            Self::Json(json) => json.next(),
            Self::Yaml(yaml) => yaml.next(),
        }
    }

    /// The scalars of the document so far that have another meaning in YAML 1.2.
    fn take_disputed(&mut self) -> Vec<DisputedAt> {
        match self {
            Self::Json(_) => Vec::new(),
            Self::Yaml(yaml) => std::mem::take(&mut yaml.disputed),
        }
    }
}

/// A document.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Its number in the input, from 1.
    pub number: usize,
    /// Where it begins. Before that there are only comments, separators and space.
    pub position: Position,
    /// Its content. An empty document is null. Of several equal members, it has the last one.
    pub value: Value,
    /// The members that a mapping has more than once. At most 100 are reported, and their names and
    /// paths are together at most as long as the input.
    pub repeated: Vec<Repeated>,
    /// The plain scalars that have another meaning under [`Rules::Core`], if the rules are the ones
    /// of Kubernetes: at most 100.
    pub disputed: Vec<Disputed>,
}

/// A plain scalar that has another meaning in YAML 1.2, such as `on`.
#[derive(Clone, Debug, PartialEq)]
pub struct Disputed {
    /// The scalar, as it is written.
    pub text: String,
    /// Its value by the rules of Kubernetes. The value of a key is a string.
    pub value: Value,
    /// Whether it is a key.
    pub is_key: bool,
    /// Its position.
    pub position: Position,
}

/// A member that its mapping has already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// The path of the mapping.
    pub path: Arc<[Step]>,
    /// The name of the member.
    pub name: String,
    /// The position of the repetition.
    pub place: Place,
}

/// The positions of a value and of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The position of the key. Elements and whole documents have none.
    pub key: Option<Position>,
    /// The position of the value.
    pub value: Position,
}

impl Place {
    /// The position of the key, or of the value if there is no key.
    #[must_use]
    pub fn start(&self) -> Position {
        self.key.unwrap_or(self.value)
    }
}

/// The maximum number of repetitions that are reported.
const MOST_REPEATED: usize = 100;

/// The documents of an input, which are read as the iterator advances.
#[derive(Debug)]
pub struct Documents<'a> {
    /// The lines up to the last document.
    lines: Lines<'a>,
    /// The events, or the error that comes next.
    events: Result<Events<'a>, Option<Error>>,
    /// The number of documents that were begun.
    number: usize,
}

impl Iterator for Documents<'_> {
    type Item = Result<Document, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let events = match &mut self.events {
            Ok(events) => events,
            Err(error) => return error.take().map(Err),
        };
        let read = read(events, &mut self.lines, &mut self.number);
        if !matches!(read, Ok(Some(_))) {
            self.events = Err(None);
        }
        read.map_err(|failure| {
            let position = self.lines.position(failure.offset);
            Error::new(failure.kind, failure.message).at(self.number.max(1), position)
        })
        .transpose()
    }
}

/// Reads the next document.
fn read(
    events: &mut Events<'_>,
    lines: &mut Lines<'_>,
    number: &mut usize,
) -> Result<Option<Document>, Failure> {
    let mut builder = TreeBuilder::new(ReportLimits { most: MOST_REPEATED, bytes: lines.length() });
    if events.next()?.is_none() {
        return Ok(None);
    }
    *number += 1;
    let mut start = None;
    while builder.root.is_none() {
        let Some((event, offset)) = events.next()? else { break };
        start.get_or_insert(offset);
        builder.take(event, offset)?;
    }
    let position = lines.position(start.unwrap_or_default());
    let disputed = events.take_disputed();
    let of_repeated = builder.repeated.iter().flat_map(|found| [found.key, found.value]);
    let mut offsets: Vec<usize> =
        of_repeated.chain(disputed.iter().map(|found| found.offset)).collect();
    let positions = positions(lines.clone(), &mut offsets);
    let place = |offset: usize| positions.get(&offset).copied().unwrap_or(position);
    let repeated = builder.repeated.into_iter().map(|found| Repeated {
        path: found.path,
        name: found.name,
        place: Place { key: Some(place(found.key)), value: place(found.value) },
    });
    let disputed = disputed.into_iter().map(|found| Disputed {
        text: found.text,
        value: found.value,
        is_key: found.is_key,
        position: place(found.offset),
    });
    Ok(Some(Document {
        number: *number,
        position,
        repeated: repeated.collect(),
        disputed: disputed.collect(),
        value: builder.root.unwrap_or_default(),
    }))
}
