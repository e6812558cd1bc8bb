//! Paths of members: how messages have them, and how programs write them.
//!
//! `spec.containers[0].image` is a path: names of members, with dots between them. The name of a
//! list may be followed by an index; `[]`, `[*]` or nothing is all of its elements. The name of a
//! map is followed by a key: `labels[app]`, `labels.app`, or as a string `labels["a] b"]`.

use std::borrow::Cow;
use std::fmt;

/// The maximum number of characters of a message.
pub(crate) const MESSAGE: usize = 2000;
/// The maximum number of characters of a path.
const PATH: usize = 1000;
/// The maximum number of characters of a key in a path, or of any other name that an input has
/// chosen.
pub(crate) const KEY: usize = 100;

/// The unknown members of an input.
///
/// It is small for any input: paths have at most 1000 characters, and keys in them 100. Longer ones
/// are cut in the middle, which `…` shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownMembers {
    /// Paths of the first [`LISTED`](Self::LISTED) members, in the order of the input.
    pub paths: Vec<String>,
    /// Number of the members after those.
    pub omitted: usize,
}

impl UnknownMembers {
    /// The maximum number of members that are listed with their paths.
    pub const LISTED: usize = 100;

    /// Whether there are no unknown members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }
}

/// Writes a member's step of a path: `.name`, or just `name` at the start, or `["any other name"]`.
pub(crate) fn write_key(f: &mut fmt::Formatter<'_>, key: &str, is_first: bool) -> fmt::Result {
    let key = &*shortened(key, KEY);
    let plain =
        key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b == b'-');
    match (plain && !key.is_empty(), is_first) {
        (true, true) => f.write_str(key),
        (true, false) => write!(f, ".{key}"),
        (false, _) => write!(f, "[{key:?}]"),
    }
}

/// A member as a step of a path, and whether it is the first.
struct Key<'a>(&'a str, bool);

impl fmt::Display for Key<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_key(f, self.0, self.1)
    }
}

/// Appends a member to a path.
#[inline]
pub(crate) fn push_key(path: &mut String, name: &str) {
    let key = Key(name, path.is_empty()).to_string();
    path.push_str(&key);
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PathStep<'a> {
    /// `name`: a member of an object or an entry of a map; for a list, the member of every element.
    Name(&'a str),
    /// `[app]` or `["3"]`: the entry of a map with this key.
    Key(Cow<'a, str>),
    /// `[3]`: the element of a list with this index.
    Index(usize),
    /// `[]` or `[*]`: all elements of a list, or all entries of a map.
    Each,
}

/// The maximum number of steps of a path.
const STEPS: usize = 100;

/// Parses a path. It is the inverse of [`write_key`] for each key that is short enough.
///
/// # Errors
/// The syntax error, and the character of the path at which it is, from 1. A path has at most 100
/// steps.
pub(crate) fn parse_path(path: &str) -> Result<Vec<PathStep<'_>>, String> {
    let mut steps = Vec::new();
    let mut rest = path;
    while steps.is_empty() || !rest.is_empty() {
        let parsed = match (rest.strip_prefix('['), rest.strip_prefix('.')) {
            (Some(inside), _) => parse_brackets(inside),
            (None, Some(name)) if !steps.is_empty() => parse_name(name),
            (None, _) if steps.is_empty() => parse_name(rest),
            (None, _) => Err(("`.` or `[` is missing", rest)),
        };
        let parsed =
            if steps.len() < STEPS { parsed } else { Err(("there are more than 100 steps", rest)) };
        let (step, after) = parsed.map_err(|(message, at)| {
            let character = path[..path.len() - at.len()].chars().count() + 1;
            format!("{message} at character {character} of the path")
        })?;
        steps.push(step);
        rest = after;
    }
    Ok(steps)
}

/// A step and the path after it, or an error and the path from there.
type Parsed<'a> = Result<(PathStep<'a>, &'a str), (&'static str, &'a str)>;

fn parse_name(path: &str) -> Parsed<'_> {
    let (name, rest) = path.split_at(path.find(['.', '[', ']']).unwrap_or(path.len()));
    if name.is_empty() {
        Err(("the name of a member is missing", path))
    } else {
        Ok((PathStep::Name(name), rest))
    }
}

/// Parses the rest of a step after its `[`.
fn parse_brackets(path: &str) -> Parsed<'_> {
    if let Some(text) = path.strip_prefix('"') {
        let (key, rest) = parse_string(text)?;
        return match rest.strip_prefix(']') {
            Some(rest) => Ok((PathStep::Key(key.into()), rest)),
            None => Err(("`]` is missing", rest)),
        };
    }
    let Some((key, rest)) = path.split_once(']') else { return Err(("`]` is missing", "")) };
    let is_number = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
    let step = match key {
        "" | "*" => PathStep::Each,
        _ if is_number => {
            PathStep::Index(key.parse().map_err(|_| ("the index is too large", path))?)
        }
        key => PathStep::Key(key.into()),
    };
    Ok((step, rest))
}

/// Parses the rest of a string after its `"`, with the escapes that `Debug` of strings writes.
fn parse_string(path: &str) -> Result<(String, &str), (&'static str, &str)> {
    let mut text = String::new();
    let mut rest = path;
    loop {
        let (plain, special) =
            rest.split_at(rest.find(['"', '\\']).ok_or(("`\"` is missing", ""))?);
        text.push_str(plain);
        let Some(escape) = special.strip_prefix('\\') else { return Ok((text, &special[1..])) };
        let mut characters = escape.chars();
        let escaped = match characters.next() {
            Some('0') => Some('\0'),
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some(same @ ('"' | '\'' | '\\')) => Some(same),
            Some('u') => {
                let code = escape[1..].strip_prefix('{').and_then(|code| code.split_once('}'));
                let code = code.filter(|(digits, _)| digits.len() <= 6 && !digits.starts_with('+'));
                code.and_then(|(digits, after)| {
                    characters = after.chars();
                    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
                })
            }
            _ => None,
        };
        text.push(escaped.ok_or(("there is no such escape", special))?);
        rest = characters.as_str();
    }
}

/// Cuts a string that has more characters than this, in the middle: both ends help to find it.
pub(crate) fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    let half = most / 2;
    let head = text.char_indices().nth(half).map_or(text.len(), |(at, _)| at);
    let tail = text.char_indices().rev().nth(half - 1).map_or(0, |(at, _)| at);
    if head < tail {
        format!("{}…{}", &text[..head], &text[tail..]).into()
    } else {
        Cow::Borrowed(text)
    }
}

/// Joins strings, with a separator between them.
pub(crate) fn joined(parts: &[&str], separator: &str) -> String {
    let mut row = String::new();
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            row.push_str(separator);
        }
        row.push_str(part);
    }
    row
}

/// Cuts a path.
pub(crate) fn shortened_path(path: &str) -> Cow<'_, str> {
    shortened(path, PATH)
}
