// not vendored
//! The fields of the messages of built-in kinds, read from `fields.table`.
//!
//! A line that contains `: ` has the kinds of a group and version, each with the number of its
//! message; `*` stands for any version. Each other line is a message; the first one has the number
//! 0. Its fields are separated by spaces, and their numbers begin at 1. A field is
//!
//! - the name of the member in JSON;
//! - `*` if it is a list, `%` if it is a map with keys of strings;
//! - its type: `?` or `!` a boolean, `=` or `&` bytes, `~` or `^` a double, `#` or `+` an integer,
//!   `.` or `,` a string, of which the second keeps zeros in JSON, and the first leaves them out;
//!   `>` a message, and its number or the letter of its form; `<` a message with members that JSON
//!   has in the message around it;
//! - `@` and its number, if that is not the one after the field before it.
//!
//! Forms are `i` (`IntOrString`), `j` (JSON as bytes), `m` (`MicroTime`), `q` (`Quantity`) and `t`
//! (`Time`). A message that begins with `|` has the form of the last of its members.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// All messages and kinds.
pub(super) static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::read(include_str!("fields.table")));

#[derive(Debug)]
pub(super) struct Table {
    messages: Vec<Message>,
    /// The number of the message of each kind, by version and name.
    kinds: BTreeMap<(&'static str, &'static str), usize>,
}

#[derive(Debug, Default)]
pub(super) struct Message {
    /// Whether JSON has one of its members in its place.
    pub(super) is_wrapper: bool,
    /// Sorted by number.
    fields: Vec<Field>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) number: u32,
    pub(super) name: &'static str,
    pub(super) repeats: Repeats,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repeats {
    No,
    List,
    Map,
}

/// The type of a field, or of its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Boolean {
        keeps_zero: bool,
    },
    Bytes {
        keeps_zero: bool,
    },
    Double {
        keeps_zero: bool,
    },
    Integer {
        keeps_zero: bool,
    },
    Text {
        keeps_zero: bool,
    },
    Message(usize),
    /// A message with members that are the ones of the message around it.
    Inline(usize),
    IntOrString,
    Json,
    MicroTime,
    Quantity,
    Time,
}

impl Table {
    fn read(text: &'static str) -> Self {
        let mut table = Self { messages: Vec::new(), kinds: BTreeMap::new() };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some((version, kinds)) = line.split_once(": ") {
                let kinds = kinds.split(' ').filter_map(|kind| kind.split_once('>'));
                let kinds = kinds
                    .filter_map(|(kind, number)| Some(((version, kind), number.parse().ok()?)));
                table.kinds.extend(kinds);
            } else {
                table.messages.push(Message::read(line));
            }
        }
        table
    }

    /// The number of the message of a kind.
    pub(super) fn number(&self, api_version: &str, kind: &str) -> Option<usize> {
        self.kinds.get(&(api_version, kind)).or_else(|| self.kinds.get(&("*", kind))).copied()
    }

    pub(super) fn message(&self, number: usize) -> &Message {
        &self.messages[number]
    }
}

impl Message {
    fn read(line: &'static str) -> Self {
        let (is_wrapper, fields) = match line.strip_prefix('|') {
            Some(fields) => (true, fields),
            None => (false, line),
        };
        let mut message = Self { is_wrapper, fields: Vec::new() };
        for text in fields.split(' ').filter(|text| !text.is_empty()) {
            let next = message.fields.last().map_or(1, |field| field.number + 1);
            message.fields.extend(Field::read(text, next));
        }
        message
    }

    pub(super) fn field(&self, number: u32) -> Option<&Field> {
        let index = self.fields.binary_search_by_key(&number, |field| field.number);
        index.ok().map(|index| &self.fields[index])
    }

    pub(super) fn fields(&self) -> &[Field] {
        &self.fields
    }
}

impl Field {
    fn read(text: &'static str, next: u32) -> Option<Self> {
        let (text, number) = match text.split_once('@') {
            Some((text, number)) => (text, number.parse().ok()?),
            None => (text, next),
        };
        let (name, mut kind) = text.split_at(text.find(|c: char| SYMBOLS.contains(c))?);
        let repeats = match kind.as_bytes()[0] {
            b'*' => Repeats::List,
            b'%' => Repeats::Map,
            _ => Repeats::No,
        };
        if repeats != Repeats::No {
            kind = &kind[1..];
        }
        Some(Self { number, name, repeats, kind: Kind::read(kind)? })
    }
}

/// The characters that can follow a name.
const SYMBOLS: &str = "*%?!=&~^#+.,><";

impl Kind {
    fn read(text: &str) -> Option<Self> {
        Some(match text {
            "?" | "!" => Self::Boolean { keeps_zero: text == "!" },
            "=" | "&" => Self::Bytes { keeps_zero: text == "&" },
            "~" | "^" => Self::Double { keeps_zero: text == "^" },
            "#" | "+" => Self::Integer { keeps_zero: text == "+" },
            "." | "," => Self::Text { keeps_zero: text == "," },
            ">i" => Self::IntOrString,
            ">j" => Self::Json,
            ">m" => Self::MicroTime,
            ">q" => Self::Quantity,
            ">t" => Self::Time,
            _ => match text.split_at_checked(1)? {
                (">", number) => Self::Message(number.parse().ok()?),
                ("<", number) => Self::Inline(number.parse().ok()?),
                _ => return None,
            },
        })
    }
}
