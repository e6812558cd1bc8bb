//! JSON as bytes: tokens, values that are skipped, and the chunks in which they arrive. Depends on no types and no
//! other module.

mod buffer;
mod compact;
mod copy;
mod fault;
mod nesting;
mod number;
mod skip;
mod string;

use nesting::Nesting;

pub(crate) use buffer::Buffer;
pub(crate) use compact::{compact, compacted};
pub(crate) use copy::{LONGEST_SHORT, copy_long, copy_short};
pub(crate) use fault::{Fault, Result};
pub(crate) use string::{end_of_string, plain};

/// The expected token at the start of any string.
pub(crate) const STRING: &str = "a string";
/// The expected token at the start of a key.
pub(crate) const KEY: &str = "the name of a member";

/// A tokenizer of JSON.
pub(crate) struct Lexer<'a> {
    pub(crate) text: &'a str,
    /// The offset of the next byte.
    pub(crate) at: usize,
    /// The last string that had escapes.
    scratch: String,
    /// The open objects and arrays of the value that is being skipped.
    nesting: Nesting,
    /// Whether there was white space since this was last set to false.
    has_space: bool,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, scratch: String::new(), nesting: Nesting::default(), has_space: false }
    }

    #[inline]
    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// Skips white space and returns the next byte, or 0 at the end. No JSON has a byte 0 between its tokens.
    #[inline]
    pub(crate) fn peek(&mut self) -> u8 {
        match self.bytes().get(self.at) {
            Some(&byte) if byte > b' ' => byte,
            _ => self.peek_behind_space(),
        }
    }

    fn peek_behind_space(&mut self) -> u8 {
        while let Some(&byte) = self.bytes().get(self.at) {
            if !is_space(byte) {
                return byte;
            }
            self.has_space = true;
            self.at += 1;
        }
        0
    }

    /// Consumes a literal such as `null`.
    pub(crate) fn word(&mut self, word: &'static str) -> Result {
        if !self.bytes()[self.at..].starts_with(word.as_bytes()) {
            return Err(Fault::expected(self.at, word));
        }
        self.at += word.len();
        Ok(())
    }

    #[inline]
    pub(crate) fn colon(&mut self) -> Result {
        if self.peek() != b':' {
            return Err(Fault::expected(self.at, "`:`"));
        }
        self.at += 1;
        Ok(())
    }

    /// Skips the token that a block holds after its first byte, if it is next and at least as many bytes remain as a
    /// block has. Returns whether it did. Only the bits of the mask are compared.
    #[inline]
    pub(crate) fn skip_block(&mut self, block: &[u8; 32], mask: &[u8; 32], length: usize) -> bool {
        let start = self.at.wrapping_sub(1);
        let Some(here) = self.bytes().get(start..).and_then(|rest| rest.first_chunk::<32>()) else {
            return false;
        };
        let word = |bytes: &[u8; 32], index: usize| u64::from_ne_bytes(bytes.as_chunks().0[index]);
        let difference = |index| (word(here, index) ^ word(block, index)) & word(mask, index);
        let differs = difference(0) | difference(1) | difference(2) | difference(3);
        if differs == 0 {
            self.at += length - 1;
        }
        differs == 0
    }

    /// Consumes a comma or the closing bracket of an object or array. Returns whether it was a comma.
    #[inline]
    pub(crate) fn comma_or_close(&mut self, closer: u8) -> Result<bool> {
        let byte = self.peek();
        if byte != b',' && byte != closer {
            return Err(Fault::expected(self.at, if closer == b'}' { "`,` or `}`" } else { "`,` or `]`" }));
        }
        self.at += 1;
        Ok(byte == b',')
    }

    /// Checks that only white space remains.
    pub(crate) fn end(&mut self) -> Result {
        match self.peek() {
            0 if self.at == self.text.len() => Ok(()),
            _ => Err(Fault::expected(self.at, "the end of the text")),
        }
    }
}

/// Whether this byte is white space in JSON.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether all bytes are white space.
pub(crate) fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|byte| is_space(*byte))
}
