//! Values within JSON, by path. All other JSON keeps its spelling.

use crate::codec::json::path_at;
use crate::codec::path::{MESSAGE, PathStep, parse_path, shortened, shortened_path, write_key};
use crate::codec::{View, json};
use crate::lexer::{self, Lexer};
use crate::visible::Visible;
use std::fmt::{self, Write};
use std::ops::Range;

/// An error of a path in an object: no such path can be there, or the value is of another type.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PathError {
    /// The path, such as `spec.replicas`.
    pub path: String,
    /// The error.
    pub message: String,
}

impl PathError {
    pub(super) fn new(path: &str, message: impl fmt::Display) -> Self {
        let message = shortened(&message.to_string(), MESSAGE).into_owned();
        Self { path: shortened_path(path).into_owned(), message }
    }
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Visible(f), "`{}`: {}", self.path, self.message)
    }
}

__error!(PathError { path, message });

/// A path to one value of an object: the name of a member, and the steps within it.
pub(super) struct Path<'p> {
    text: &'p str,
    pub(super) name: String,
    steps: Vec<PathStep<'p>>,
}

impl<'p> Path<'p> {
    pub(super) fn parse(text: &'p str) -> Result<Self, PathError> {
        let mut steps = parse_path(text).map_err(|error| PathError::new(text, error))?;
        let name = match steps.remove(0) {
            PathStep::Name(name) => name.to_owned(),
            PathStep::Key(key) => key.into_owned(),
            PathStep::Index(_) | PathStep::Each => {
                return Err(PathError::new(text, "it begins with no member"));
            }
        };
        Ok(Self { text, name, steps })
    }

    pub(super) fn error(&self, message: impl fmt::Display) -> PathError {
        PathError::new(self.text, message)
    }

    /// The error of a value that is of another type. It has the path within the value.
    pub(super) fn wrong_type(&self, value: &str, error: &serde_json::Error) -> PathError {
        let inner = path_at(value, error.column());
        let separator = if inner.is_empty() || inner.starts_with('[') { "" } else { "." };
        PathError::new(&[self.text, separator, &inner].concat(), unquoted(error))
    }

    /// The value in the member with this JSON. `None` if it is absent or `null`.
    pub(super) fn find<'t>(&self, member: &'t str) -> Result<Option<&'t str>, PathError> {
        Ok(match self.resolve_steps(member, &self.steps)? {
            Resolved::Value(range) => Some(&member[range]).filter(|value| *value != "null"),
            Resolved::Absent { .. } => None,
        })
    }

    /// The JSON of the member with this value in it. Objects on the way are made where they are
    /// absent.
    pub(super) fn replaced(&self, member: &str, value: &str) -> Result<String, PathError> {
        let (range, text) = match self.resolve_steps(member, &self.steps)? {
            Resolved::Value(range) => (range, value.to_owned()),
            Resolved::Absent { depth, parent } => {
                let mut inner = value.to_owned();
                for index in (depth + 1..self.steps.len()).rev() {
                    inner = self.inserted("null", index, &inner)?;
                }
                let text = self.inserted(&member[parent.clone()], depth, &inner)?;
                (parent, text)
            }
        };
        Ok([&member[..range.start], &text, &member[range.end..]].concat())
    }

    /// The JSON of the member without the value. `None` if it is absent.
    pub(super) fn removed(&self, member: &str) -> Result<Option<String>, PathError> {
        let Some((last, parents)) = self.steps.split_last() else {
            return Ok(Some("null".to_owned()));
        };
        let Resolved::Value(parent) = self.resolve_steps(member, parents)? else { return Ok(None) };
        let text = &member[parent.clone()];
        if self.step(text, self.steps.len() - 1)?.is_none() {
            return Ok(None);
        }
        let is_object = text.starts_with('{');
        let mut kept = Vec::new();
        self.each_child(text, last, &mut |child| {
            if !child.is_meant {
                kept.push(&text[child.whole]);
            }
            true
        })?;
        let kept = kept.join(",");
        let text = if is_object { format!("{{{kept}}}") } else { format!("[{kept}]") };
        Ok(Some([&member[..parent.start], &text, &member[parent.end..]].concat()))
    }

    /// Follows steps from a value, as far as they resolve.
    fn resolve_steps(&self, text: &str, steps: &[PathStep<'_>]) -> Result<Resolved, PathError> {
        let mut parent = 0..text.len();
        for depth in 0..steps.len() {
            match self.step(&text[parent.clone()], depth)? {
                Some(range) => parent = parent.start + range.start..parent.start + range.end,
                None => return Ok(Resolved::Absent { depth, parent }),
            }
        }
        Ok(Resolved::Value(parent))
    }

    /// The position of the value to which the step with this index leads from a value.
    fn step(&self, text: &str, index: usize) -> Result<Option<Range<usize>>, PathError> {
        let step = &self.steps[index];
        let is_possible = match (text.as_bytes().first(), step) {
            (_, PathStep::Each) => {
                return Err(self.error("a single value is needed: give an index instead of `[]`"));
            }
            (Some(b'n'), _) => return Ok(None),
            (Some(b'{'), PathStep::Name(_) | PathStep::Key(_))
            | (Some(b'['), PathStep::Index(_)) => true,
            _ => false,
        };
        if !is_possible {
            let expected = if matches!(step, PathStep::Index(_)) { "a list" } else { "an object" };
            return Err(self.error(format!(
                "`{}` is {}, not {expected}",
                self.start(index),
                type_of(text)
            )));
        }
        // The last of repeated members counts.
        let mut found = None;
        self.each_child(text, step, &mut |child| {
            if child.is_meant {
                found = Some(child.value);
            }
            !child.is_meant || !matches!(step, PathStep::Index(_))
        })?;
        Ok(found)
    }

    /// Visits the children of an object or a list, until the function returns false.
    fn each_child(
        &self,
        text: &str,
        step: &PathStep<'_>,
        visit: &mut dyn FnMut(Child) -> bool,
    ) -> Result<(), PathError> {
        each_child(text, step, visit).map_err(|fault| self.error(fault.describe(text)))
    }

    /// A value in which nothing is at the step with this index, with the value there.
    fn inserted(&self, parent: &str, depth: usize, value: &str) -> Result<String, PathError> {
        let step = &self.steps[depth];
        let Some(key) = key_of(step) else {
            let mut count = 0;
            if parent != "null" {
                self.each_child(parent, step, &mut |_| {
                    count += 1;
                    true
                })?;
            }
            if !matches!(step, PathStep::Index(index) if *index == count) {
                let list = self.start(depth);
                return Err(self
                    .error(format!("`{list}` has {count} elements: the next one is `[{count}]`")));
            }
            return Ok(extended(parent, ['[', ']'], value));
        };
        let mut member = String::from_utf8_lossy(&json::write(&View::Str(key))).into_owned();
        member.push(':');
        member.push_str(value);
        Ok(extended(parent, ['{', '}'], &member))
    }

    /// The path up to the step with this index.
    fn start(&self, index: usize) -> impl fmt::Display {
        let mut text = String::new();
        let _ = write!(text, "{}", Shown(&self.name, true));
        for step in &self.steps[..index] {
            let _ = match step {
                PathStep::Index(index) => write!(text, "[{index}]"),
                step => write!(text, "{}", Shown(key_of(step).unwrap_or_default(), false)),
            };
        }
        text
    }
}

/// A key as a step of a path.
struct Shown<'a>(&'a str, bool);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_key(f, self.0, self.1)
    }
}

/// The end of a path in a value.
enum Resolved {
    /// The position of the value.
    Value(Range<usize>),
    /// The position of the last value on the way, and the index of the step that does not resolve.
    Absent { depth: usize, parent: Range<usize> },
}

/// A member of an object, or an element of a list.
struct Child {
    /// Whether a step selects it.
    is_meant: bool,
    value: Range<usize>,
    /// With the key.
    whole: Range<usize>,
}

/// Visits the children of an object or a list, until the function returns false.
fn each_child(
    text: &str,
    step: &PathStep<'_>,
    visit: &mut dyn FnMut(Child) -> bool,
) -> lexer::Result {
    let closer = if text.starts_with('{') { b'}' } else { b']' };
    let mut lexer = Lexer::new(text);
    lexer.at = 1;
    if lexer.peek() == closer {
        return Ok(());
    }
    for index in 0.. {
        lexer.peek();
        let start = lexer.at;
        let mut is_meant = matches!(step, PathStep::Index(meant) if *meant == index);
        if closer == b'}' {
            is_meant = Some(lexer.string("a key")?) == key_of(step);
            lexer.colon()?;
            lexer.peek();
        }
        let value = lexer.at;
        lexer.skip()?;
        let has_more = visit(Child { is_meant, value: value..lexer.at, whole: start..lexer.at });
        if !has_more || !lexer.comma_or_close(closer)? {
            break;
        }
    }
    Ok(())
}

/// An object or a list, or `null`, with another part at its end.
fn extended(text: &str, [opener, closer]: [char; 2], part: &str) -> String {
    match text.strip_suffix(closer) {
        Some(start) if start.len() > 1 => format!("{start},{part}{closer}"),
        _ => format!("{opener}{part}{closer}"),
    }
}

fn key_of<'s>(step: &'s PathStep<'_>) -> Option<&'s str> {
    match step {
        PathStep::Name(name) => Some(name),
        PathStep::Key(key) => Some(key),
        PathStep::Index(_) | PathStep::Each => None,
    }
}

/// The words of serde for values, and ours.
const FOUND: [(&str, &str); 12] = [
    ("Option value", "an option"),
    ("boolean", "a boolean"),
    ("byte array", "bytes"),
    ("character", "a character"),
    ("enum", "a variant"),
    ("floating point", "a number"),
    ("integer", "an integer"),
    ("map", "an object"),
    ("null", "`null`"),
    ("sequence", "a list"),
    ("string", "a string"),
    ("unit value", "`null`"),
];

/// The message of an error of serde without the value that it quotes, which may be a secret. A
/// message in the words of a type's own is left out, since it may quote anything.
fn unquoted(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let message = message.rfind(" at line ").map_or(&*message, |end| &message[..end]);
    let expected =
        message.rsplit_once(", expected ").map_or("another value", |(_, expected)| expected);
    if let Some(found) =
        ["invalid type: ", "invalid value: "].iter().find_map(|start| message.strip_prefix(start))
    {
        let found = found.split(['`', '"', ',']).next().unwrap_or_default().trim_end();
        if let Some((_, found)) = FOUND.iter().find(|(name, _)| *name == found) {
            return format!("expected {expected}, found {found}");
        }
    }
    if message.starts_with("unknown variant ") {
        return format!("expected {expected}, found another string");
    }
    let names = ["missing field ", "unknown field ", "duplicate field ", "invalid length "];
    let is_of_serde = names.iter().any(|start| message.starts_with(start));
    if is_of_serde { message.to_owned() } else { "it is not of the requested type".to_owned() }
}

fn type_of(text: &str) -> &'static str {
    match text.as_bytes().first() {
        Some(b'{') => "an object",
        Some(b'[') => "a list",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "`null`",
        _ => "a number",
    }
}
