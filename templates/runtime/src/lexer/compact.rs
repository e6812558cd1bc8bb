//! JSON without white space.

use super::{Lexer, Result, end_of_string, is_space};
use std::borrow::Cow;

/// Removes white space outside of strings. The input must be JSON.
pub(crate) fn compact(text: &str) -> Cow<'_, str> {
    // Servers emit no white space and few strings contain any, so most inputs end here. In blocks,
    // which compilers turn into vector instructions.
    let any = |block: &[u8]| block.iter().fold(false, |any, byte| any | is_space(*byte));
    let bytes = text.as_bytes();
    if !bytes.chunks(64).any(any) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut kept_from = 0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'"' {
            at = end_of_string(bytes, at + 1).unwrap_or(bytes.len());
            continue;
        }
        if is_space(byte) {
            out.push_str(&text[kept_from..at]);
            kept_from = at + 1;
        }
        at += 1;
    }
    if kept_from == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[kept_from..]);
    Cow::Owned(out)
}

/// Checks that a string is one JSON value, and removes white space outside of strings.
pub(crate) fn compacted(text: &str) -> Result<String> {
    let mut lexer = Lexer::new(text);
    let value = lexer.raw()?;
    lexer.end()?;
    Ok(value)
}
