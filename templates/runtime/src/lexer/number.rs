//! Numbers.

use super::{Fault, Lexer, Result};

impl<'a> Lexer<'a> {
    pub(crate) fn is_at_number(&mut self) -> bool {
        matches!(self.peek(), b'-' | b'0'..=b'9')
    }

    /// Consumes an integer of at most 18 digits. Consumes nothing and returns nothing where any other number begins,
    /// one that is not valid, or `-0`.
    pub(crate) fn small_integer(&mut self) -> Option<i64> {
        let bytes = &self.bytes()[self.at..];
        let is_negative = bytes.first() == Some(&b'-');
        let digits = &bytes[usize::from(is_negative)..];
        let (mut number, mut count) = (0, 0);
        while let Some(digit @ b'0'..=b'9') = digits.get(count)
            && count < 18
        {
            number = number * 10 + i64::from(digit - b'0');
            count += 1;
        }
        let continues = matches!(digits.get(count), Some(b'0'..=b'9' | b'.' | b'e' | b'E'));
        let is_zero = digits.first() == Some(&b'0');
        if count == 0 || continues || is_zero && (count > 1 || is_negative) {
            return None;
        }
        self.at += usize::from(is_negative) + count;
        Some(if is_negative { -number } else { number })
    }

    /// Consumes a number that begins here, and returns it as it is spelled.
    pub(crate) fn number(&mut self) -> Result<&'a str> {
        let text = &self.text[self.at..];
        let length = length(text);
        self.at += length;
        if text.as_bytes()[length - 1].is_ascii_digit() {
            Ok(&text[..length])
        } else {
            Err(Fault::expected(self.at, "a digit"))
        }
    }
}

/// The number of bytes at the start of a string that belong to a number. If the last one is no digit, it is incomplete.
pub(super) fn length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |at: usize| at + bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is = |at: usize, set: &[u8]| bytes.get(at).is_some_and(|byte| set.contains(byte));
    let first = usize::from(is(0, b"-"));
    let mut end = if is(first, b"0") { first + 1 } else { digits(first) };
    if end == first {
        return end;
    }
    if is(end, b".") {
        end = digits(end + 1);
        if !bytes[end - 1].is_ascii_digit() {
            return end;
        }
    }
    if is(end, b"eE") {
        let sign = usize::from(is(end + 1, b"+-"));
        end = digits(end + 1 + sign);
    }
    end
}

#[cfg(test)]
mod tests {
    use super::Lexer;

    #[test]
    fn small_integers_are_those_that_parse_as_they_are_spelled() {
        let digits = ["", "0", "00", "7", "07", "10", "123456789012345678", "1234567890123456789"];
        let ends = ["", ",", "}", " ", ".", ".5", "e1", "E1", "x"];
        for sign in ["", "-", "+"] {
            for text in digits.iter().flat_map(|digits| ends.map(|end| format!("{sign}{digits}{end}"))) {
                let number = text.trim_end_matches([',', '}', ' ', 'x']);
                let expected =
                    number.parse::<i64>().ok().filter(|value| value.to_string() == number && number.len() < 20);
                let expected = expected.filter(|value| value.unsigned_abs() < 10_u64.pow(18));
                let mut lexer = Lexer::new(&text);
                assert_eq!(lexer.small_integer(), expected, "{text}");
                assert_eq!(lexer.at, expected.map_or(0, |_| number.len()), "{text}");
            }
        }
    }
}
