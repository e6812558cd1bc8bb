//! Reads YAML and JSON as Kubernetes API servers and kubectl do, and writes JSON trees as YAML.
//!
//! A [`Reader`] parses bytes into [`Document`]s: [`Reader::documents`] one after another,
//! [`Reader::document`] exactly one. Each has a [`serde_json::Value`] with members in their
//! original order, its number and its position, and lists duplicate keys. [`Document::each_object`]
//! opens lists. [`Reader::positions`] finds the lines and columns of JSON pointers. [`write()`]
//! writes a tree as YAML.
//!
//! ```
//! use kapigen_yaml::{Reader, write};
//!
//! let document = Reader::new().document(b"kind: Pod\nspec: {hostNetwork: yes}")?;
//! assert_eq!(document.value["spec"]["hostNetwork"], true);
//! assert_eq!(write(&document.value), "kind: Pod\nspec:\n  hostNetwork: true\n");
//!
//! let error = Reader::new().document(b"kind: Pod\nspec: [\n").unwrap_err();
//! assert_eq!(error.position().map(|position| position.line), Some(2));
//! # Ok::<(), kapigen_yaml::Error>(())
//! ```
//!
//! # Formats
//!
//! Input that begins with `{` or `[` as only JSON does is JSON, unless [`Reader::format`] decides.
//! JSON has none of the rules below: numbers are exact within 64 bits, and otherwise the nearest
//! floating-point number; several values may follow each other. Both formats are UTF-8, and may
//! begin with a byte order mark.
//!
//! # Plain scalars of YAML
//!
//! [`Rules::Kubernetes`] are the rules of sigs.k8s.io/yaml, which kubectl and servers use for
//! everything: YAML 1.1 as the Go library `yaml.v2` has it, converted to JSON. [`Rules::Core`] are
//! the rules of OpenAPI documents.
//!
//! | scalar | `Kubernetes` | `Core` |
//! |---|---|---|
//! | `true`, `True`, `TRUE`, `false`, … | boolean | boolean |
//! | `y`, `Y`, `yes`, `Yes`, `YES`, `on`, `n`, `no`, `off`, … | boolean | string |
//! | nothing, `~`, `null`, `Null`, `NULL` | null | null |
//! | `12`, `+12`, `-12` | number | number |
//! | `0x1F`, `0o17` | 31, 15 | 31, 15 |
//! | `017`, `08` | 15, 8 | 17, 8 |
//! | `0b101`, `1_000`, `0x_1F`, `-0x1F` | 5, 1000, 31, -31 | string |
//! | `1.0`, `1e3` | 1, 1000: integers, as in the JSON of Go | 1.0, 1000.0 |
//! | `.5`, `5.`, `1.5e-7` | number | number |
//! | a whole decimal number beyond 64 bits | nearest number | nearest number |
//! | a hexadecimal, octal or binary one beyond 64 bits | string, or decimal if it begins with `0` and a digit | the same |
//! | `1e400` | string | string |
//! | `.inf`, `-.inf`, `.nan` | error, since JSON has none | error |
//! | `190:20:30`, `1:30` | string | string |
//! | `2001-12-14`, `2001-12-14T21:59:43Z` | string | string |
//! | `=`, `1.2.3`, everything else | string | string |
//! | `1`, `yes`, `1.5` as a key | `"1"`, `"true"`, `"1.5"` | `"1"`, `"yes"`, `"1.5"` |
//! | `~`, or a whole number from 2⁶³ to 2⁶⁴ as a key | error | the string |
//! | `<<` as a key | merges, in order: later members replace earlier ones | the same |
//! | `!!str 1`, `!!int "1"`, `!!float`, `!!bool`, `!!null` | of that type, or an error | the same |
//! | `!!timestamp` | the string of a time, or an error | the same |
//! | `!!binary` | the decoded string; an error if that is not UTF-8 | the same |
//! | `!name` and other tags, also at lists and mappings | ignored: a scalar is a string | error |
//! | a list or mapping as a key | error | error |
//! | an alias of a list after `<<` | error | error |
//! | `"\ud83d\ude00"` | error | `😀` |
//!
//! [`Document::disputed`] lists the scalars that the rules of Kubernetes and the core schema read
//! differently.
//!
//! # Differences from servers
//!
//! `Rules::Kubernetes` differs from sigs.k8s.io/yaml in these points. A test covers each:
//!
//! | input | servers | here | reason |
//! |---|---|---|---|
//! | `[-]`, `{a: -}` | the string `-` | error | YAML has no such scalar; it is most often an element without a value |
//! | U+2028, U+2029 in plain scalars, and U+0085 | the end of a line | a character | YAML 1.2, and editors, end no line there; in quotes U+2028 is a character to servers, too |
//! | `!!binary /w==` | U+FFFD | error | bytes would be lost |
//! | `[!a, b]` | a tag `!a,` | a tag `!a` | YAML 1.2 allows no comma in it |
//! | `! <<` as a key | merges | the string `<<` | `!` makes strings everywhere else |
//! | `.inf`, `.nan` | error, of the encoder | error, with a position | |
//! | U+FEFF before the `---` of another document | error | not read | files are joined so |
//!
//! # Bounds
//!
//! Time and memory are proportional to the length of any input. Beyond that, [`Reader::size`],
//! [`Reader::depth`] and [`Reader::unfolded`] limit the input; depth is checked as the parser
//! advances.
#![forbid(unsafe_code)]

// From bytes to objects, in layers:
// 1. `json` and `yaml` parse text into events. `scalar` has the rules of YAML's plain scalars.
// 2. `tree` makes a value of the events of a document, and `position` finds JSON pointers in them.
// 3. `read` turns bytes into documents, and offsets into lines and columns.
// 4. `objects` opens the lists of documents, and finds pointers in all documents of a file.
// `write` goes from a value to text.
mod error;
mod event;
mod json;
mod objects;
pub mod pointer;
mod position;
mod read;
mod scalar;
mod tree;
mod write;
mod yaml;

pub use error::{Error, ErrorKind, Position};
pub use objects::{Object, Places, described};
pub use read::{Disputed, Document, Documents, Format, Place, Reader, Repeated};
pub use scalar::Rules;
pub use tree::Step;
pub use write::write;

// The README. Its examples are tests. // not vendored
#[cfg(doc)] // not vendored
#[doc = include_str!("../README.md")] // not vendored
pub mod _documentation {} // not vendored
