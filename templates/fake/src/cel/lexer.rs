// not vendored
//! Tokens of expressions.

use super::Fault;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A name, which may be a keyword.
    Name(String),
    Int(u64),
    Uint(u64),
    Double(f64),
    String(String),
    Bytes(Vec<u8>),
    /// An operator or a bracket.
    Sign(&'static str),
    End,
}

/// Operators and brackets: longer ones come before their beginnings.
const SIGNS: [&str; 26] = [
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "+", "-", "*", "/", "%", "?", ":", ".", ",",
    "[", "]", "{", "}", "(", ")", "=", "&",
];

/// The longest expression in bytes, as on servers.
const LONGEST: usize = 100_000;

/// Splits an expression into tokens, each with its offset.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, usize)>, Fault> {
    if text.len() > LONGEST {
        let why = format!(
            "expression code point size exceeds limit: size: {}, limit {LONGEST}",
            text.len()
        );
        return Err(Fault { at: 0, why });
    }
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip();
        let at = lexer.at;
        let token = lexer.token()?;
        let is_end = token == Token::End;
        tokens.push((token, at));
        if is_end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn fault(&self, why: impl Into<String>) -> Fault {
        Fault { at: self.at, why: why.into() }
    }

    /// The byte at an offset from here. Zero behind the end.
    fn byte(&self, offset: usize) -> u8 {
        self.rest().as_bytes().get(offset).copied().unwrap_or_default()
    }

    /// Takes what a test accepts.
    fn take_while(&mut self, test: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !test(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        loop {
            self.take_while(|c| matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{c}'));
            if !self.rest().starts_with("//") {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    fn token(&mut self) -> Result<Token, Fault> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(Token::End) };
        if let Some(prefix) = string_prefix(rest) {
            self.at += prefix.len();
            return self.string(&prefix.to_lowercase());
        }
        if first.is_ascii_alphabetic() || first == '_' {
            let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
            return Ok(Token::Name(name.to_owned()));
        }
        let digits = rest.strip_prefix('.').unwrap_or(rest);
        if digits.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number();
        }
        let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
        let Some(sign) = sign else {
            return Err(self.fault(format!("Syntax error: token recognition error at: '{first}'")));
        };
        self.at += sign.len();
        Ok(Token::Sign(sign))
    }

    fn number(&mut self) -> Result<Token, Fault> {
        let start = self.at;
        let rest = self.rest();
        if let Some(digits) = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")) {
            let end = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
            self.at += 2 + end;
            return self.integer(start, u64::from_str_radix(&digits[..end], 16).ok());
        }
        self.take_while(|c| c.is_ascii_digit());
        let mut is_whole = true;
        if self.byte(0) == b'.' && self.byte(1).is_ascii_digit() {
            is_whole = false;
            self.at += 1;
            self.take_while(|c| c.is_ascii_digit());
        }
        let sign = usize::from(matches!(self.byte(1), b'+' | b'-'));
        if matches!(self.byte(0), b'e' | b'E') && self.byte(1 + sign).is_ascii_digit() {
            is_whole = false;
            self.at += 1 + sign;
            self.take_while(|c| c.is_ascii_digit());
        }
        let text = &self.text[start..self.at];
        if is_whole {
            return self.integer(start, text.parse().ok());
        }
        match text.parse() {
            Ok(number) => Ok(Token::Double(number)),
            Err(_) => Err(Fault { at: start, why: "invalid double literal".to_owned() }),
        }
    }

    fn integer(&mut self, start: usize, number: Option<u64>) -> Result<Token, Fault> {
        let is_unsigned = self.rest().starts_with(['u', 'U']);
        self.at += usize::from(is_unsigned);
        match number {
            Some(number) if is_unsigned => Ok(Token::Uint(number)),
            // The negation of the least integer is one more than the greatest.
            Some(number) if number <= 1 << 63 => Ok(Token::Int(number)),
            _ => {
                let kind = if is_unsigned { "uint" } else { "int" };
                Err(Fault { at: start, why: format!("invalid {kind} literal") })
            }
        }
    }

    /// A string or bytes, after the letters before its quotes.
    fn string(&mut self, prefix: &str) -> Result<Token, Fault> {
        let rest = self.rest();
        let quote = &rest[..1];
        let triple = quote.repeat(3);
        let quote = if rest.starts_with(&triple) { &*triple } else { quote };
        let start = self.at;
        self.at += quote.len();
        let [is_raw, is_bytes] = ['r', 'b'].map(|letter| prefix.contains(letter));
        let mut content = Content { bytes: Vec::new(), is_bytes };
        loop {
            let rest = self.rest();
            let next = rest.chars().next();
            if rest.starts_with(quote) {
                self.at += quote.len();
                break;
            }
            match next {
                Some('\n' | '\r') if quote.len() == 1 => return Err(unclosed(start)),
                None => return Err(unclosed(start)),
                Some('\\') if !is_raw => {
                    let used = content.escape(&rest[1..]);
                    let used = used.ok_or_else(|| self.fault("invalid escape sequence"))?;
                    self.at += 1 + used;
                }
                Some(c) => {
                    content.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        if is_bytes {
            return Ok(Token::Bytes(content.bytes));
        }
        String::from_utf8(content.bytes).map(Token::String).map_err(|_| self.fault("invalid UTF-8"))
    }
}

fn unclosed(at: usize) -> Fault {
    Fault { at, why: "Syntax error: token recognition error: the string has no end".to_owned() }
}

/// The letters before the quotes of a string, if a string begins here.
fn string_prefix(text: &str) -> Option<&str> {
    let end = text.bytes().take(3).position(|byte| matches!(byte, b'"' | b'\''))?;
    let prefix = &text[..end];
    ["", "r", "b", "rb", "br"]
        .iter()
        .any(|known| prefix.eq_ignore_ascii_case(known))
        .then_some(prefix)
}

/// The content of a string as it is read.
struct Content {
    bytes: Vec<u8>,
    is_bytes: bool,
}

impl Content {
    fn push(&mut self, c: char) {
        self.bytes.extend(c.encode_utf8(&mut [0; 4]).bytes());
    }

    /// Reads an escape sequence after its backslash. Returns its bytes. `None` if it is none.
    fn escape(&mut self, text: &str) -> Option<usize> {
        let first = text.chars().next()?;
        let plain = match first {
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            '\\' | '?' | '"' | '\'' | '`' => first,
            _ => return self.code(first, text),
        };
        self.push(plain);
        Some(1)
    }

    /// A character by its number, in hexadecimal or in octal.
    fn code(&mut self, first: char, text: &str) -> Option<usize> {
        let (range, radix) = match first {
            'x' | 'X' => (1..3, 16),
            'u' if !self.is_bytes => (1..5, 16),
            'U' if !self.is_bytes => (1..9, 16),
            '0'..='3' => (0..3, 8),
            _ => return None,
        };
        let digits = text.get(range.clone())?;
        let digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(digits)?;
        let code = u32::from_str_radix(digits, radix).ok()?;
        match u8::try_from(code) {
            Ok(byte) if self.is_bytes => self.bytes.push(byte),
            _ => self.push(char::from_u32(code)?),
        }
        Some(range.end)
    }
}
