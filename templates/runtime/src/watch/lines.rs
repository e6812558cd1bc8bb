//! Bytes, cut into lines.

use crate::json::is_blank;

/// Takes bytes and gives lines. The work grows with the bytes, however they come.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    buffer: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// How far there is no end of a line.
    searched: usize,
}

impl Lines {
    /// Takes the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        // What was read is thrown away here and not at every line, since a chunk may hold thousands, and only when there
        // is less to move than to throw away.
        if self.start >= self.pending() {
            self.buffer.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// How many bytes were not read yet.
    pub(super) fn pending(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// The next line that is not blank, without its end.
    pub(super) fn next(&mut self) -> Option<&[u8]> {
        loop {
            let end = self.buffer[self.searched..].iter().position(|byte| *byte == b'\n');
            let Some(end) = end.map(|offset| self.searched + offset) else {
                self.searched = self.buffer.len();
                return None;
            };
            let line = self.start..end;
            self.start = end + 1;
            self.searched = self.start;
            if !is_blank(&self.buffer[line.clone()]) {
                return Some(&self.buffer[line]);
            }
        }
    }

    /// What stands behind the last line.
    pub(super) fn take_rest(&mut self) -> Vec<u8> {
        let rest = self.buffer.split_off(self.start);
        *self = Self::default();
        if is_blank(&rest) { Vec::new() } else { rest }
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    /// The lines that come out when these bytes go in, and the rest.
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

    #[test]
    fn what_was_read_is_not_kept() {
        let mut lines = Lines::default();
        lines.push(b"one\ntwo\nthr");
        assert_eq!(lines.pending(), 11);
        assert_eq!(lines.next(), Some(b"one" as &[u8]));
        assert_eq!((lines.pending(), lines.buffer.len()), (7, 11));
        lines.push(b"e");
        assert_eq!((lines.pending(), lines.buffer.len()), (8, 12));
        assert_eq!(lines.next(), Some(b"two" as &[u8]));
        lines.push(b"e\n");
        assert_eq!((lines.pending(), lines.buffer.len()), (6, 6));
        assert_eq!(lines.next(), Some(b"three" as &[u8]));
        assert_eq!(lines.next(), None);
        assert_eq!(lines.pending(), 0);
    }
}
