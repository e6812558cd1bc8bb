//! Lines and columns of JSON pointers in YAML and JSON.

use crate::pointer::escape;
use saphyr_parser::{Event, Parser};
use std::collections::{BTreeMap, BTreeSet};

/// The position of each pointer that the source has, by line and column from 1: that of the key of a value, or
/// of an element. Of a source that cannot be parsed, those before the error.
#[must_use]
pub fn positions(text: &str, pointers: &BTreeSet<&str>) -> BTreeMap<String, (usize, usize)> {
    let mut found = BTreeMap::new();
    let mut walk = Walk { pointers, open: Vec::new(), pointer: String::new(), lengths: Vec::new() };
    for event in Parser::new_from_str(text) {
        let Ok((event, span)) = event else { break };
        let at = (span.start.line(), span.start.col() + 1);
        let begun = walk.step(&event, at).filter(|(pointer, _)| pointers.contains(pointer.as_str()));
        if let Some((pointer, at)) = begun {
            found.entry(pointer).or_insert(at);
        }
        if found.len() == pointers.len() {
            break;
        }
    }
    found
}

/// A container that is open.
enum Open {
    /// An object, and the member that is next: its name and the position of that, or none if a name comes next.
    Object(Option<(String, (usize, usize))>),
    /// An array, and the index of the next element.
    Array(usize),
    /// A container whose contents no pointer has.
    Skipped,
}

/// The way from the root to the next value.
struct Walk<'a> {
    pointers: &'a BTreeSet<&'a str>,
    open: Vec<Open>,
    /// The pointer of the innermost container.
    pointer: String,
    /// The lengths of the pointers of those around it.
    lengths: Vec<usize>,
}

impl Walk<'_> {
    /// Takes an event, and returns the pointer and the position of the value that begins with it.
    fn step(&mut self, event: &Event<'_>, at: (usize, usize)) -> Option<(String, (usize, usize))> {
        match event {
            Event::Scalar(text, ..) => {
                if let Some(Open::Object(next @ None)) = self.open.last_mut() {
                    *next = Some((text.to_string(), at));
                    return None;
                }
                self.begin(at)
            }
            Event::Alias(_) => self.begin(at),
            Event::MappingStart(..) => self.enter(Open::Object(None), at),
            Event::SequenceStart(..) => self.enter(Open::Array(0), at),
            Event::MappingEnd | Event::SequenceEnd => {
                self.open.pop();
                self.pointer.truncate(self.lengths.pop().unwrap_or_default());
                None
            }
            _ => None,
        }
    }

    /// The next value of the innermost container.
    fn begin(&mut self, at: (usize, usize)) -> Option<(String, (usize, usize))> {
        match self.open.last_mut() {
            None => Some((String::new(), at)),
            Some(Open::Object(next)) => {
                let (name, at) = next.take()?;
                Some((format!("{}/{}", self.pointer, escape(&name)), at))
            }
            Some(Open::Array(index)) => {
                let pointer = format!("{}/{index}", self.pointer);
                *index += 1;
                Some((pointer, at))
            }
            Some(Open::Skipped) => None,
        }
    }

    fn enter(&mut self, container: Open, at: (usize, usize)) -> Option<(String, (usize, usize))> {
        self.lengths.push(self.pointer.len());
        if let Some(Open::Object(next @ None)) = self.open.last_mut() {
            // A key that is no string.
            *next = Some((String::new(), at));
            self.open.push(Open::Skipped);
            return None;
        }
        let begun = self.begin(at);
        let leads_on = |(pointer, _): &&(String, _)| {
            let mut others = self.pointers.range(pointer.as_str()..);
            others.next().is_some_and(|other| other.starts_with(pointer.as_str()))
        };
        match begun.as_ref().filter(leads_on) {
            Some((pointer, _)) => {
                self.pointer.clone_from(pointer);
                self.open.push(container);
            }
            None => self.open.push(Open::Skipped),
        }
        begun
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const YAML: &str =
        "a:\n  b~/c: 1\n  list:\n    - x\n    - {y: 2, z: [3]}\n? [1, 2]\n: odd\nlast: &anchor 4\nalias: *anchor\n";

    fn position(text: &str, pointer: &str) -> Option<(usize, usize)> {
        positions(text, &BTreeSet::from([pointer])).remove(pointer)
    }

    #[test]
    fn pointers_lead_to_keys_and_elements() {
        let cases = [
            ("", (1, 1)),
            ("/a", (1, 1)),
            ("/a/b~0~1c", (2, 3)),
            ("/a/list", (3, 3)),
            ("/a/list/0", (4, 7)),
            ("/a/list/1", (5, 7)),
            ("/a/list/1/z", (5, 14)),
            ("/a/list/1/z/0", (5, 18)),
            ("/last", (8, 1)),
            ("/alias", (9, 1)),
        ];
        for (pointer, expected) in cases {
            assert_eq!(position(YAML, pointer), Some(expected), "{pointer}");
        }
        assert_eq!(position(YAML, "/a/list/2"), None);
        assert_eq!(position("{\n  \"a\": {\"b\": [true]}\n}", "/a/b/0"), Some((2, 15)));
    }

    #[test]
    fn a_text_that_cannot_be_parsed_has_the_positions_before_the_error() {
        assert_eq!(position("a: 1\nb: [\n", "/a"), Some((1, 1)));
    }
}
