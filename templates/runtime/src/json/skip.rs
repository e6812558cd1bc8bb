//! Values that nobody wants to know in detail.

use super::error::Fault;
use super::read::{Reader, Result};
use super::text::{KEY, STRING};

impl Reader<'_> {
    /// Passes over a value of any kind, and checks that it is JSON.
    ///
    /// Free-form JSON may be as deep as it likes: what has begun is kept in a list, not on the stack.
    pub(super) fn skip(&mut self) -> Result {
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

    /// Passes over everything between two values. Tells whether there is another one inside of what is skipped.
    fn skip_closers(&mut self, outside: usize) -> Result<bool> {
        while self.closers.len() > outside {
            let closer = self.closers[self.closers.len() - 1];
            if self.goes_on(closer)? {
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
