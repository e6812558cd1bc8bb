//! The positions of values, members and strings in a JSON body.

use std::ops::Range;

/// Positions in a body.
#[derive(Debug, Default)]
pub(super) struct Spots {
    /// All values, also those inside of others.
    pub(super) values: Vec<Range<usize>>,
    /// All members, from the key to the end of the value.
    pub(super) members: Vec<Range<usize>>,
    /// All strings, keys among them, without quotes.
    pub(super) strings: Vec<Range<usize>>,
}

impl Spots {
    /// Finds them in a body that is JSON.
    pub(super) fn find(text: &[u8]) -> Self {
        let mut spots = Self::default();
        let end = spots.value(text, 0);
        assert_eq!(space(text, end), text.len(), "the text is JSON");
        spots
    }

    /// Skips the value behind this position, and returns its end.
    fn value(&mut self, text: &[u8], at: usize) -> usize {
        let start = space(text, at);
        let end = match text[start] {
            b'{' => self.parts(text, start, b'}'),
            b'[' => self.parts(text, start, b']'),
            b'"' => self.string(text, start),
            _ => text[start..]
                .iter()
                .position(|byte| b",]} \n\r\t".contains(byte))
                .map_or(text.len(), |end| start + end),
        };
        self.values.push(start..end);
        end
    }

    fn parts(&mut self, text: &[u8], start: usize, closer: u8) -> usize {
        let mut at = space(text, start + 1);
        while text[at] != closer {
            at = space(text, at + usize::from(text[at] == b','));
            let key = at;
            if closer == b'}' {
                at = space(text, self.string(text, key)) + 1;
            }
            at = self.value(text, at);
            if closer == b'}' {
                self.members.push(key..at);
            }
            at = space(text, at);
        }
        at + 1
    }

    fn string(&mut self, text: &[u8], start: usize) -> usize {
        let mut at = start + 1;
        while text[at] != b'"' {
            at += if text[at] == b'\\' { 2 } else { 1 };
        }
        self.strings.push(start + 1..at);
        at + 1
    }
}

/// Behind the white space that begins here.
fn space(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().take_while(|byte| b" \n\r\t".contains(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::Spots;

    #[test]
    fn parts_are_found() {
        let text = r#" {"a" : [1, "x\"" ],"b":{},"c":[] } "#;
        let spots = Spots::find(text.as_bytes());
        let texts = |ranges: &[std::ops::Range<usize>]| -> Vec<&str> {
            ranges.iter().map(|range| &text[range.clone()]).collect()
        };
        assert_eq!(texts(&spots.members), [r#""a" : [1, "x\"" ]"#, r#""b":{}"#, r#""c":[]"#]);
        assert_eq!(
            texts(&spots.values),
            ["1", r#""x\"""#, r#"[1, "x\"" ]"#, "{}", "[]", text.trim()]
        );
        assert_eq!(texts(&spots.strings), ["a", r#"x\""#, "b", "c"]);
    }
}
