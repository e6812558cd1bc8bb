//! Values of which only the syntax matters.

use super::string::run_length;
use super::{Fault, KEY, Lexer, Result, compact};

impl Lexer<'_> {
    /// Skips a value after checking its syntax, and returns its JSON without white space between the tokens.
    pub(crate) fn raw(&mut self) -> Result<String> {
        self.peek();
        let start = self.at;
        self.has_space = false;
        self.skip()?;
        let text = &self.text[start..self.at];
        Ok(if self.has_space { compact(text).as_ref().into() } else { text.into() })
    }

    /// Skips a value of any kind after checking its syntax.
    ///
    /// Free JSON may have any depth: open objects and arrays are kept in a list, not on the stack.
    pub(crate) fn skip(&mut self) -> Result {
        loop {
            match self.peek() {
                b'"' => self.skip_open_string()?,
                opener @ (b'{' | b'[') => {
                    self.at += 1;
                    if self.peek() != opener + 2 {
                        self.nesting.open(opener == b'{');
                        self.skip_keys()?;
                        continue;
                    }
                    self.at += 1;
                }
                b'-' | b'0'..=b'9' => _ = self.number()?,
                b't' => self.word("true")?,
                b'f' => self.word("false")?,
                b'n' => self.word("null")?,
                _ => return Err(Fault::expected(self.at, "a value")),
            }
            // Closes the objects and arrays that end here.
            while !self.nesting.is_empty() {
                if self.comma_or_close(if self.nesting.is_in_object() { b'}' } else { b']' })? {
                    break;
                }
                self.nesting.close();
            }
            if self.nesting.is_empty() {
                return Ok(());
            }
            self.skip_keys()?;
        }
    }

    /// Advances to the next value. In an object, skips its key.
    ///
    /// Also skips members whose value is `{}`, and opens objects that begin with a key. Records of managed fields
    /// consist of these, and are up to half of an object.
    fn skip_keys(&mut self) -> Result {
        if !self.nesting.is_in_object() {
            return Ok(());
        }
        if self.peek() != b'"' {
            return Err(Fault::expected(self.at, KEY));
        }
        let mut rest = &self.bytes()[self.at + 1..];
        loop {
            rest = &rest[run_length(rest)..];
            let next = rest.first_chunk().map_or(0, |next| u64::from_le_bytes(*next));
            if next << 16 == u64::from_le_bytes(*b"\0\0\":{},\"") {
                rest = &rest[6..];
            } else if next << 32 == u64::from_le_bytes(*b"\0\0\0\0\":{\"") {
                self.nesting.open(true);
                rest = &rest[4..];
            } else if next << 48 == u64::from_le_bytes(*b"\0\0\0\0\0\0\\\"") {
                rest = &rest[2..];
            } else {
                break;
            }
        }
        self.at = self.text.len() - rest.len();
        self.end_string()?;
        self.colon()
    }
}
