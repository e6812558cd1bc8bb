//! A JSON string as a tree, for formats that are not JSON.

use crate::lexer::{self, Fault, Lexer, STRING};
use std::borrow::Cow;

/// The maximum depth of objects and arrays, as in `serde_json`.
const DEPTH: u8 = 128;

/// The values of a JSON string, which borrow their tokens from it.
///
/// Made in one pass, so that its time does not grow with the depth. It can be serialized twice, as some formats do to
/// get the size of a value.
pub(super) enum Tree<'a> {
    /// `null`, a boolean, a number or a string, as it is spelled.
    Leaf(&'a str),
    List(Vec<Tree<'a>>),
    /// The members in their order, with those that occur twice. Keys are spelled as in the string.
    Map(Vec<(&'a str, Tree<'a>)>),
}

impl<'a> Tree<'a> {
    /// The tree of a text that is JSON. It is not checked again whether keys are strings.
    pub(super) fn of(text: &'a str) -> Result<Self, String> {
        let mut lexer = Lexer::new(text);
        let tree = Self::parse(&mut lexer, DEPTH).and_then(|tree| lexer.end().map(|()| tree));
        tree.map_err(|fault| fault.describe(text).into_owned())
    }

    fn parse(lexer: &mut Lexer<'a>, levels: u8) -> lexer::Result<Self> {
        let opener = lexer.peek();
        if !matches!(opener, b'{' | b'[') {
            return token(lexer).map(Tree::Leaf);
        }
        let Some(levels) = levels.checked_sub(1) else {
            return Err(Fault::message(lexer.at, "JSON has too many levels"));
        };
        lexer.at += 1;
        if opener == b'[' {
            let mut elements = Vec::new();
            let mut has_more = !closes(lexer, b']');
            while has_more {
                elements.push(Self::parse(lexer, levels)?);
                has_more = lexer.comma_or_close(b']')?;
            }
            return Ok(Tree::List(elements));
        }
        let mut members = Vec::new();
        let mut has_more = !closes(lexer, b'}');
        while has_more {
            lexer.peek();
            let key = token(lexer)?;
            lexer.colon()?;
            members.push((key, Self::parse(lexer, levels)?));
            has_more = lexer.comma_or_close(b'}')?;
        }
        Ok(Tree::Map(members))
    }
}

/// Consumes the closing bracket of an empty object or array, if it is next.
fn closes(lexer: &mut Lexer<'_>, closer: u8) -> bool {
    let is_closer = lexer.peek() == closer;
    lexer.at += usize::from(is_closer);
    is_closer
}

/// Consumes a token that is no bracket.
fn token<'a>(lexer: &mut Lexer<'a>) -> lexer::Result<&'a str> {
    let start = lexer.at;
    lexer.skip()?;
    Ok(&lexer.text[start..lexer.at])
}

/// The string that a token spells.
pub(super) fn unquoted(token: &str) -> Result<Cow<'_, str>, String> {
    let plain = token.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    if let Some(plain) = plain.filter(|plain| !plain.contains('\\')) {
        return Ok(plain.into());
    }
    match Lexer::new(token).string(STRING) {
        Ok(string) => Ok(string.to_owned().into()),
        Err(fault) => Err(fault.describe(token).into_owned()),
    }
}
