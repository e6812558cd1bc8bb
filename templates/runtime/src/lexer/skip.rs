//! Values of which only the syntax matters.

use super::{Fault, KEY, Lexer, Result, compact};
use std::mem;

impl Lexer<'_> {
    /// Skips a value after checking its syntax, and returns its JSON without white space between the tokens.
    pub(crate) fn raw(&mut self) -> Result<Box<str>> {
        self.peek();
        let start = self.at;
        self.has_space = false;
        self.skip()?;
        let text = &self.text[start..self.at];
        Ok(if self.has_space { compact(text).into() } else { text.into() })
    }

    /// Skips a value of any kind after checking its syntax.
    ///
    /// Free JSON may have any depth: open brackets are kept in a list, not on the stack.
    pub(crate) fn skip(&mut self) -> Result {
        // The closing bracket of the innermost object or array that is open, or 0. Those around it are in the list.
        let mut closer = 0;
        loop {
            if closer == b'}' {
                self.skip_key()?;
            }
            match self.peek() {
                b'"' => self.skip_open_string()?,
                opener @ (b'{' | b'[') => {
                    self.at += 1;
                    let own_closer = opener + 2;
                    if self.peek() != own_closer {
                        self.closers.push(mem::replace(&mut closer, own_closer));
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
            // Closes whatever ends here.
            while closer != 0 && !self.comma_or_close(closer)? {
                closer = self.closers.pop().unwrap_or_default();
            }
            if closer == 0 {
                return Ok(());
            }
        }
    }

    #[inline]
    fn skip_key(&mut self) -> Result {
        if self.peek() != b'"' {
            return Err(Fault::expected(self.at, KEY));
        }
        self.skip_open_string()?;
        self.colon()
    }
}
