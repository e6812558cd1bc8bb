//! Values of which only the syntax matters.

use super::{Fault, KEY, Lexer, Result, STRING, compact};

impl Lexer<'_> {
    /// Skips a value after checking its syntax, and returns its text without white space between the tokens.
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
    /// Free-form JSON may be as deep as it likes: open brackets are kept in a list, not on the stack.
    pub(crate) fn skip(&mut self) -> Result {
        let outside = self.closers.len();
        loop {
            match self.peek() {
                b'"' => self.skip_string(STRING)?,
                b'{' => {
                    self.at += 1;
                    if self.peek() != b'}' {
                        self.closers.push(b'}');
                        self.skip_key()?;
                        continue;
                    }
                    self.at += 1;
                }
                b'[' => {
                    self.at += 1;
                    if self.peek() != b']' {
                        self.closers.push(b']');
                        continue;
                    }
                    self.at += 1;
                }
                b't' => self.word("true")?,
                b'f' => self.word("false")?,
                b'n' => self.word("null")?,
                b'-' | b'0'..=b'9' => _ = self.number()?,
                _ => return Err(Fault::expected(self.at, "a value")),
            }
            if !self.skip_closers(outside)? {
                return Ok(());
            }
        }
    }

    /// Skips everything between two values. Returns whether there is another one inside of what is skipped.
    fn skip_closers(&mut self, outside: usize) -> Result<bool> {
        while self.closers.len() > outside {
            let closer = self.closers[self.closers.len() - 1];
            if self.comma_or_close(closer)? {
                if closer == b'}' {
                    self.skip_key()?;
                }
                return Ok(true);
            }
            self.closers.pop();
        }
        Ok(false)
    }

    fn skip_key(&mut self) -> Result {
        self.skip_string(KEY)?;
        self.colon()
    }
}
