//! The work of reading hostile documents: twice the input is at most two and a half times the work.

use super::YamlParser;
use crate::error::Failure;
use crate::scalar::Rules;
use granit_parser::{BorrowedInput, Input, StrInput};
use std::cell::Cell;
use std::rc::Rc;

/// An input that counts how often the parser looks at a character.
struct Counting<'a> {
    input: StrInput<'a>,
    looks: Rc<Cell<usize>>,
}

impl Counting<'_> {
    fn count(&self, looks: usize) {
        self.looks.set(self.looks.get() + looks);
    }
}

impl Input for Counting<'_> {
    fn lookahead(&mut self, count: usize) {
        self.input.lookahead(count);
    }

    fn buflen(&self) -> usize {
        self.input.buflen()
    }

    fn bufmaxlen(&self) -> usize {
        self.input.bufmaxlen()
    }

    fn raw_read_ch(&mut self) -> char {
        self.count(1);
        self.input.raw_read_ch()
    }

    fn raw_read_non_breakz_ch(&mut self) -> Option<char> {
        self.count(1);
        self.input.raw_read_non_breakz_ch()
    }

    fn skip(&mut self) {
        self.count(1);
        self.input.skip();
    }

    fn skip_n(&mut self, count: usize) {
        self.count(count);
        self.input.skip_n(count);
    }

    fn peek(&self) -> char {
        self.count(1);
        self.input.peek()
    }

    fn peek_nth(&self, index: usize) -> char {
        self.count(1);
        self.input.peek_nth(index)
    }

    fn byte_offset(&self) -> Option<usize> {
        self.input.byte_offset()
    }

    fn slice_bytes(&self, start: usize, end: usize) -> Option<&str> {
        self.count(end.saturating_sub(start));
        self.input.slice_bytes(start, end)
    }
}

impl<'a> BorrowedInput<'a> for Counting<'a> {
    fn slice_borrowed(&self, start: usize, end: usize) -> Option<&'a str> {
        self.input.slice_borrowed(start, end)
    }
}

/// The looks at characters and the events of reading a text, to its end or to an error.
fn work(text: &str) -> usize {
    let looks = Rc::new(Cell::new(0));
    let input = Counting { input: StrInput::new(text), looks: Rc::clone(&looks) };
    let unfolded = text.len() * 4;
    let mut yaml = YamlParser::over(vec![(input, text, 0)], Rules::Kubernetes, 128, unfolded);
    let mut events = 0;
    while let Ok::<_, Failure>(Some(_)) = yaml.next() {
        events += 1;
    }
    looks.get() + events
}

/// A document of about this length.
type Document = fn(usize) -> String;

fn repeated(piece: &str, length: usize) -> String {
    piece.repeat(length / piece.len())
}

fn numbered(length: usize, line: impl Fn(usize) -> String) -> String {
    (0..length / line(10_000).len()).map(line).collect::<Vec<_>>().concat()
}

const HOSTILE: &[(&str, Document)] = &[
    ("nested lists", |length| repeated("[", length)),
    ("nested mappings", |length| repeated("{a: ", length)),
    ("nested lists on lines", |length| repeated("[\n ", length)),
    ("nested keys", |length| repeated("? ", length)),
    ("nested elements", |length| repeated("- ", length)),
    ("closed nests in a list", |length| {
        format!("[{}]", repeated(&format!("{}{},", "[".repeat(100), "]".repeat(100)), length))
    }),
    ("closed nests on lines", |length| {
        repeated(&format!("- {}{}\n", "[".repeat(120), "]".repeat(120)), length)
    }),
    ("elements within nests", |length| {
        format!("{}{}{}", "[".repeat(120), repeated("a, ", length), "]".repeat(120))
    }),
    ("pairs in a list", |length| format!("[{}]", repeated("a: b, ", length))),
    ("tag directives", |length| {
        numbered(length, |index| format!("%TAG !a{index}! tag:a,2000:\n")) + "---\na\n"
    }),
    ("other directives", |length| repeated("%FOO bar\n", length) + "---\na\n"),
    ("documents with directives", |length| repeated("%TAG !a! tag:a,2000:\n---\na\n...\n", length)),
    ("quote without end", |length| format!("\"{}", repeated("a\n ", length))),
    ("quotes without end", |length| repeated("- 'a\n ", length)),
    ("blank lines in quotes", |length| format!("'a{}b'", repeated("\n", length))),
    ("spaces in quotes", |length| format!("'a{}b'", repeated(" ", length))),
    ("long plain scalar", |length| repeated("a ", length)),
    ("long plain lines", |length| repeated("a\n ", length)),
    ("blank lines in a plain scalar", |length| format!("a{}b", repeated("\n ", length))),
    ("block of blank lines", |length| format!("a: |\n{}b: 1", repeated("\n", length))),
    ("block of lines", |length| format!(">\n{}", repeated(" a\n", length))),
    ("deep indentation", |length| {
        (0..length.isqrt()).map(|index| " ".repeat(index) + "a:\n").collect::<Vec<_>>().concat()
    }),
    ("wide indentation", |length| {
        format!("a:\n{}", repeated(&format!("{}b: c\n", " ".repeat(1000)), length))
    }),
    ("long anchor", |length| format!("&{} a", repeated("a", length))),
    ("many anchors", |length| numbered(length, |index| format!("- &a{index} x\n"))),
    ("anchors around everything", |length| {
        let open: String =
            (0..100).map(|index| format!("&a{index} [")).collect::<Vec<_>>().concat();
        format!("{open}{}{}", repeated("a, ", length), "]".repeat(100))
    }),
    ("many aliases", |length| format!("- &a b\n{}", repeated("- *a\n", length))),
    ("aliases of aliases", |length| {
        format!(
            "- &a0 [x, x]\n{}",
            numbered(length, |index| format!("- &a{} [*a{index}, *a{index}]\n", index + 1))
        )
    }),
    ("merged mappings", |length| {
        format!("- &a {{b: c}}\n{}", repeated("- <<: [*a, *a]\n", length))
    }),
    ("long tag", |length| format!("!{} a", repeated("a", length))),
    ("long key", |length| format!("{}: 1", repeated("k", length))),
    ("long comment", |length| format!("a: b #{}", repeated("x", length))),
    ("comments", |length| repeated("#\n", length)),
    ("empty documents", |length| repeated("---\n", length)),
    ("ends of documents", |length| repeated("...\n", length)),
    ("keys on one line", |length| repeated("a: ", length)),
];

#[test]
fn work_grows_with_the_length_of_the_document() {
    for (name, document) in HOSTILE {
        let single = document(30_000);
        let double = document(60_000);
        let works = [work(&single), work(&double)];
        assert!(works[1] * 2 <= works[0] * 5, "{name}: {works:?}");
        // A constant number of looks for each character.
        assert!(works[1] <= 60 * double.len(), "{name}: {} for {}", works[1], double.len());
    }
}
