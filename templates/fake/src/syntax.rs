//! Errors of malformed JSON, in the words of the parser that servers use. The runtime and
//! kapigen-yaml, which read JSON, have words of their own.

/// The maximum nesting depth.
const DEEPEST: usize = 10_000;

/// The first syntax error of a text that should be one value. `None` if it is valid.
pub(crate) fn error(text: &[u8]) -> Option<String> {
    let mut scanner = Scanner { text, position: 0, open: Vec::new() };
    scanner.document().err().map(|unfit| match unfit {
        Unfit::End => "unexpected end of JSON input".to_owned(),
        Unfit::Depth => "exceeded max depth".to_owned(),
        Unfit::Byte(byte, context) => format!("invalid character {} {context}", quoted(byte)),
    })
}

/// The reason for which a text is not JSON.
enum Unfit {
    End,
    Depth,
    Byte(u8, String),
}

fn unfit(byte: u8, context: &str) -> Unfit {
    Unfit::Byte(byte, context.to_owned())
}

type Result<T = ()> = std::result::Result<T, Unfit>;

/// A container that is not closed yet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Object,
    Array,
}

struct Scanner<'a> {
    text: &'a [u8],
    position: usize,
    open: Vec<Open>,
}

impl Scanner<'_> {
    fn document(&mut self) -> Result {
        self.value()?;
        while let Some(inside) = self.open.last().copied() {
            self.next_in(inside)?;
        }
        self.skip_space();
        match self.text.get(self.position) {
            None => Ok(()),
            Some(byte) => Err(unfit(*byte, "after top-level value")),
        }
    }

    /// Continues after a value in a container: with the next one, or after the container.
    fn next_in(&mut self, inside: Open) -> Result {
        let (close, context) = match inside {
            Open::Object => (b'}', "after object key:value pair"),
            Open::Array => (b']', "after array element"),
        };
        self.skip_space();
        let byte = self.take()?;
        if byte == close {
            self.open.pop();
            return Ok(());
        }
        if byte != b',' {
            return Err(unfit(byte, context));
        }
        match inside {
            Open::Object => {
                self.key()?;
                self.value()
            }
            Open::Array => self.value(),
        }
    }

    /// A key and its colon.
    fn key(&mut self) -> Result {
        self.skip_space();
        match self.take()? {
            b'"' => self.string()?,
            other => return Err(unfit(other, "looking for beginning of object key string")),
        }
        self.skip_space();
        match self.take()? {
            b':' => Ok(()),
            other => Err(unfit(other, "after object key")),
        }
    }

    /// Enters a value down to its innermost first one, container by container, without recursion.
    fn value(&mut self) -> Result {
        loop {
            self.skip_space();
            let is_entered = match self.take()? {
                b'{' => self.enter(Open::Object, b'}')?,
                b'[' => self.enter(Open::Array, b']')?,
                first => {
                    self.scalar(first)?;
                    false
                }
            };
            match self.open.last().filter(|_| is_entered) {
                None => return Ok(()),
                Some(Open::Array) => {}
                Some(Open::Object) => self.key()?,
            }
        }
    }

    fn scalar(&mut self, first: u8) -> Result {
        match first {
            b'"' => self.string(),
            b't' => self.literal("true"),
            b'f' => self.literal("false"),
            b'n' => self.literal("null"),
            b'-' => match self.take()? {
                first @ b'0'..=b'9' => self.number(first),
                other => Err(unfit(other, "in numeric literal")),
            },
            first @ b'0'..=b'9' => self.number(first),
            other => Err(unfit(other, "looking for beginning of value")),
        }
    }

    /// Enters a container, unless it is empty and closed at once.
    fn enter(&mut self, container: Open, close: u8) -> Result<bool> {
        if self.open.len() == DEEPEST {
            return Err(Unfit::Depth);
        }
        self.skip_space();
        if self.text.get(self.position) == Some(&close) {
            self.position += 1;
            return Ok(false);
        }
        self.open.push(container);
        Ok(true)
    }

    fn string(&mut self) -> Result {
        loop {
            match self.take()? {
                b'"' => return Ok(()),
                b'\\' => match self.take()? {
                    b'b' | b'f' | b'n' | b'r' | b't' | b'\\' | b'/' | b'"' => {}
                    b'u' => {
                        for _ in 0..4 {
                            let byte = self.take()?;
                            if !byte.is_ascii_hexdigit() {
                                return Err(unfit(byte, "in \\u hexadecimal character escape"));
                            }
                        }
                    }
                    other => return Err(unfit(other, "in string escape code")),
                },
                control @ 0..b' ' => return Err(unfit(control, "in string literal")),
                _ => {}
            }
        }
    }

    fn literal(&mut self, word: &str) -> Result {
        for expected in word.bytes().skip(1) {
            let byte = self.take()?;
            if byte != expected {
                let context = format!("in literal {word} (expecting '{}')", char::from(expected));
                return Err(Unfit::Byte(byte, context));
            }
        }
        Ok(())
    }

    /// The rest of a number after its first digit.
    fn number(&mut self, first: u8) -> Result {
        if first != b'0' {
            self.skip_digits();
        }
        if self.text.get(self.position) == Some(&b'.') {
            self.position += 1;
            self.digit("after decimal point in numeric literal")?;
            self.skip_digits();
        }
        if matches!(self.text.get(self.position), Some(b'e' | b'E')) {
            self.position += 1;
            if matches!(self.text.get(self.position), Some(b'+' | b'-')) {
                self.position += 1;
            }
            self.digit("in exponent of numeric literal")?;
            self.skip_digits();
        }
        Ok(())
    }

    fn digit(&mut self, context: &str) -> Result {
        let byte = self.take()?;
        if byte.is_ascii_digit() { Ok(()) } else { Err(unfit(byte, context)) }
    }

    fn skip_digits(&mut self) {
        while self.text.get(self.position).is_some_and(u8::is_ascii_digit) {
            self.position += 1;
        }
    }

    fn skip_space(&mut self) {
        while matches!(self.text.get(self.position), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.position += 1;
        }
    }

    fn take(&mut self) -> Result<u8> {
        let byte = self.text.get(self.position).copied().ok_or(Unfit::End)?;
        self.position += 1;
        Ok(byte)
    }
}

/// A byte as a character of Go.
fn quoted(byte: u8) -> String {
    match byte {
        b'\'' => "'\\''".to_owned(),
        b'"' => "'\"'".to_owned(),
        b'\\' => "'\\\\'".to_owned(),
        b'\n' => "'\\n'".to_owned(),
        b'\r' => "'\\r'".to_owned(),
        b'\t' => "'\\t'".to_owned(),
        7 => "'\\a'".to_owned(),
        8 => "'\\b'".to_owned(),
        11 => "'\\v'".to_owned(),
        12 => "'\\f'".to_owned(),
        0..b' ' | 0x7f => format!("'\\x{byte:02x}'"),
        0x80..=0xa0 | 0xad => format!("'\\u{byte:04x}'"),
        _ => format!("'{}'", char::from(byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::error;

    #[test]
    fn errors_are_those_of_go() {
        for (text, expected) in [
            ("", "unexpected end of JSON input"),
            ("{", "unexpected end of JSON input"),
            ("{\"a\":1", "unexpected end of JSON input"),
            ("nul", "unexpected end of JSON input"),
            ("-", "unexpected end of JSON input"),
            ("not json", "invalid character 'o' in literal null (expecting 'u')"),
            ("{} trailing", "invalid character 't' after top-level value"),
            ("{'a':1}", "invalid character '\\'' looking for beginning of object key string"),
            (
                "{\"a\":{\"b\":1,}}",
                "invalid character '}' looking for beginning of object key string",
            ),
            ("[1,]", "invalid character ']' looking for beginning of value"),
            ("[1 2]", "invalid character '2' after array element"),
            ("{\"a\" 1}", "invalid character '1' after object key"),
            ("{\"a\":1 \"b\":2}", "invalid character '\"' after object key:value pair"),
            ("\"a\nb\"", "invalid character '\\n' in string literal"),
            ("\"\\x\"", "invalid character 'x' in string escape code"),
            ("\"\\u12g4\"", "invalid character 'g' in \\u hexadecimal character escape"),
            ("01", "invalid character '1' after top-level value"),
            ("-a", "invalid character 'a' in numeric literal"),
            ("1.x", "invalid character 'x' after decimal point in numeric literal"),
            ("1e+", "unexpected end of JSON input"),
            ("1ex", "invalid character 'x' in exponent of numeric literal"),
            ("hello", "invalid character 'h' looking for beginning of value"),
            ("apiVersion: v1", "invalid character 'a' looking for beginning of value"),
        ] {
            assert_eq!(error(text.as_bytes()).as_deref(), Some(expected), "{text}");
        }
        for text in
            ["null", " {\"a\":[{},[],[1.5e-3,\"\\u00e4\",true,false]]} ", "0", "-0.1", "[[[]],[]]"]
        {
            assert_eq!(error(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn deep_texts_are_refused() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let deep = |depth: usize| format!("{}1{}", open.repeat(depth), close.repeat(depth));
            assert_eq!(error(deep(9_999).as_bytes()), None);
            assert_eq!(error(deep(10_001).as_bytes()).as_deref(), Some("exceeded max depth"));
        }
    }
}
