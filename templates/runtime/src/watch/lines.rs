//! Splitting of bytes into lines.

use crate::lexer::{Buffer, is_blank};
use std::fmt;
use std::io::BufRead;

/// Splits bytes into lines, incrementally.
#[derive(Default)]
pub(crate) struct Lines {
    buffer: Buffer,
    /// The number of unread bytes that were searched for the end of a line.
    scanned: usize,
}

impl Lines {
    /// Adds a chunk.
    pub(crate) fn push(&mut self, chunk: &[u8]) {
        self.buffer.push(chunk);
    }

    /// The number of unread bytes.
    pub(crate) fn pending(&self) -> usize {
        self.buffer.pending()
    }

    /// The next line that is not blank, without its end.
    pub(crate) fn next(&mut self) -> Option<&[u8]> {
        loop {
            let mut rest = &self.buffer.unread()[self.scanned..];
            // The search of the standard library takes many bytes at once. Slices have no errors.
            self.scanned += rest.skip_until(b'\n').unwrap_or(rest.len());
            if !self.buffer.unread()[..self.scanned].ends_with(b"\n") {
                return None;
            }
            let line = self.buffer.consume(self.scanned);
            self.scanned = 0;
            let line = line.start..line.end - 1;
            if !is_blank(self.buffer.piece(line.clone())) {
                return Some(self.buffer.piece(line));
            }
        }
    }

    /// The bytes after the last line.
    pub(crate) fn take_rest(&mut self) -> Vec<u8> {
        let rest = std::mem::take(self).buffer.unread().to_vec();
        if is_blank(&rest) { Vec::new() } else { rest }
    }
}

/// Shows nothing of the input.
impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lines({} bytes)", self.pending())
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    /// The lines of these chunks, and the rest.
    fn lines(chunks: &[&str]) -> (Vec<String>, String) {
        let (mut lines, mut found) = (Lines::default(), Vec::new());
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        for chunk in chunks {
            lines.push(chunk.as_bytes());
            while let Some(line) = lines.next() {
                found.push(text(line));
            }
        }
        (found, text(&lines.take_rest()))
    }

    #[test]
    fn lines_are_found_however_the_bytes_are_cut() {
        let whole = "one\n\ntwo\r\n \t\nthree";
        let expected = (vec!["one".to_owned(), "two\r".to_owned()], "three".to_owned());
        assert_eq!(lines(&[whole]), expected);
        for cut in 0..=whole.len() {
            assert_eq!(lines(&[&whole[..cut], "", &whole[cut..]]), expected, "{cut}");
        }
        let bytes: Vec<&str> = (0..whole.len()).map(|at| &whole[at..=at]).collect();
        assert_eq!(lines(&bytes), expected);
    }

    #[test]
    fn blanks_are_no_rest() {
        assert_eq!(lines(&[]), (vec![], String::new()));
        assert_eq!(lines(&["\n \r\n", " "]), (vec![], String::new()));
        assert_eq!(lines(&["a"]), (vec![], "a".to_owned()));
        assert_eq!(lines(&["\u{c}\n\u{b}"]), (vec!["\u{c}".to_owned()], "\u{b}".to_owned()), "no white space of JSON");
    }
}
