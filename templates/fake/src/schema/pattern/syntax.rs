//! From the syntax of Go, which servers read, to the syntax of the library that matches.
//!
//! Both are linear in time. Go has `\Q`, octal escapes and `[` within classes, its classes of
//! letters and digits are ASCII, and it limits repetitions.

use regex::Regex;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The deepest nesting of groups.
const DEEPEST: usize = 100;
/// The most copies of an expression.
const MOST_COPIES: u64 = 1000;

const BAD_CLASS: &str = "invalid character class range";
const BAD_ESCAPE: &str = "invalid escape sequence";
const BAD_NAME: &str = "invalid named capture";
const BAD_FLAGS: &str = "invalid or unsupported Perl syntax";
const BAD_REPEAT: &str = "invalid nested repetition operator";
const BAD_COUNT: &str = "invalid repeat count";
const NO_BRACKET: &str = "missing closing ]";
const NO_PAREN: &str = "missing closing )";
const NO_ARGUMENT: &str = "missing argument to repetition operator";
const NO_CHARACTER: &str = "trailing backslash at end of expression";
const ODD_PAREN: &str = "unexpected )";
const TOO_DEEP: &str = "expression nests too deeply";

const POSIX: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
    "space", "upper", "word", "xdigit",
];

/// The weight of a class of Unicode, in which a character has up to four bytes.
const UNICODE_CLASS: usize = 400;
/// The greatest weight of a class.
const LARGEST_CLASS: usize = 500;
/// The weight of a class with few ranges beyond ASCII.
const SMALL_CLASS: usize = 20;

const ANYTHING: &str = r"\x{0}-\x{10FFFF}";

pub(super) struct Translated {
    pub(super) expression: String,
    pub(super) weight: usize,
}

pub(super) fn translate(pattern: &str) -> Result<Translated, String> {
    let mut reader = Reader {
        text: pattern,
        at: 0,
        out: String::with_capacity(pattern.len()),
        flags: Flags::default(),
        own: Group::default(),
        groups: Vec::new(),
        atom: None,
        last_repeat: None,
        known: BTreeSet::new(),
    };
    while let Some(c) = reader.peek() {
        let repeat = reader.token(c)?;
        reader.last_repeat = repeat;
    }
    if !reader.groups.is_empty() {
        return Err(error(NO_PAREN, pattern));
    }
    Ok(Translated { expression: reader.out, weight: reader.own.weight })
}

/// The refusal of a pattern that is too large.
pub(super) fn too_large(pattern: &str) -> String {
    error("expression too large", pattern)
}

fn error(code: &str, part: &str) -> String {
    format!("error parsing regexp: {code}: `{part}`")
}

/// Which flags are set, at these indexes.
type Flags = [bool; 4];
const FOLDS_CASE: usize = 0;
const MULTI_LINE: usize = 1;
const DOT_IS_ANYTHING: usize = 2;
const SWAPS_GREED: usize = 3;

/// A group that is not closed yet, or the whole expression.
#[derive(Default)]
struct Group {
    /// The flags before it.
    flags: Flags,
    /// Its offset in the output.
    start: usize,
    weight: usize,
    /// The most copies of an expression in it.
    copies: u64,
}

/// The expression that a repetition would repeat.
struct Atom {
    /// Its offset in the output.
    start: usize,
    weight: usize,
    copies: u64,
    /// The number of repetitions that it has.
    repeats: usize,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    out: String,
    flags: Flags,
    own: Group,
    groups: Vec<Group>,
    atom: Option<Atom>,
    /// The offset of a repetition directly before.
    last_repeat: Option<usize>,
    /// Known names of classes of Unicode.
    known: BTreeSet<String>,
}

/// A class with a name, such as `\d`, or nothing.
type Class = Option<String>;

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn takes(&mut self, prefix: &str) -> bool {
        let takes = self.rest().starts_with(prefix);
        self.at += if takes { prefix.len() } else { 0 };
        takes
    }

    fn refuse<T>(&self, code: &str, start: usize) -> Result<T, String> {
        Err(error(code, &self.text[start..self.at]))
    }

    /// Reads a part. Returns the offset of a repetition.
    fn token(&mut self, c: char) -> Result<Option<usize>, String> {
        let start = self.at;
        match c {
            '*' | '+' | '?' => {
                self.at += 1;
                let most = if c == '?' { Some(1) } else { None };
                self.repeat(start, (u64::from(c == '+'), most))?;
                return Ok(Some(start));
            }
            '{' => {
                if let Some(counts) = self.counts() {
                    let (least, most) = counts;
                    if least > MOST_COPIES
                        || most.is_some_and(|most| most > MOST_COPIES || least > most)
                    {
                        return self.refuse(BAD_COUNT, start);
                    }
                    self.repeat(start, counts)?;
                    return Ok(Some(start));
                }
                self.at = start + 1;
                self.literal('{');
            }
            '(' if self.rest().starts_with("(?") => self.flags_or_group()?,
            '(' => {
                self.at += 1;
                self.open("(")?;
            }
            '|' => {
                self.at += 1;
                self.out.push('|');
                self.atom = None;
            }
            ')' => self.close()?,
            '[' => self.bracketed()?,
            '\\' => self.escape()?,
            _ => {
                self.at += c.len_utf8();
                match c {
                    '^' if self.flags[MULTI_LINE] => self.emit("(?m:^)", 1),
                    '^' => self.emit(r"\A", 1),
                    '$' if self.flags[MULTI_LINE] => self.emit("(?m:$)", 1),
                    '$' => self.emit(r"\z", 1),
                    '.' if self.flags[DOT_IS_ANYTHING] => self.emit("(?s:.)", SMALL_CLASS),
                    '.' => self.emit(".", SMALL_CLASS),
                    c => self.literal(c),
                }
            }
        }
        Ok(None)
    }

    fn emit(&mut self, text: &str, weight: usize) {
        self.atom = Some(Atom { start: self.out.len(), weight, copies: 1, repeats: 0 });
        self.own.weight = self.own.weight.saturating_add(weight);
        self.own.copies = self.own.copies.max(1);
        self.out.push_str(text);
    }

    fn literal(&mut self, c: char) {
        let mut text = String::new();
        if c.is_alphanumeric() {
            text.push(c);
        } else {
            let _ = write!(text, r"\x{{{:X}}}", u32::from(c));
        }
        if self.flags[FOLDS_CASE] {
            text = format!("(?i:{text})");
        }
        let forms = if self.flags[FOLDS_CASE] { 4 } else { 1 };
        self.emit(&text, c.len_utf8() * forms);
    }

    fn open(&mut self, text: &str) -> Result<(), String> {
        if self.groups.len() == DEEPEST {
            return Err(error(TOO_DEEP, self.text));
        }
        let group = Group { flags: self.flags, start: self.out.len(), weight: 2, copies: 1 };
        self.groups.push(std::mem::replace(&mut self.own, group));
        self.out.push_str(text);
        self.atom = None;
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        let Some(outer) = self.groups.pop() else { return Err(error(ODD_PAREN, self.text)) };
        self.at += 1;
        self.out.push(')');
        let Group { flags, start, weight, copies } = std::mem::replace(&mut self.own, outer);
        self.flags = flags;
        self.atom = Some(Atom { start, weight, copies, repeats: 0 });
        self.own.weight = self.own.weight.saturating_add(weight);
        self.own.copies = self.own.copies.max(copies);
        Ok(())
    }

    /// Repeats what is before, with the operator that was read.
    fn repeat(&mut self, start: usize, (least, most): (u64, Option<u64>)) -> Result<(), String> {
        let operator = &self.text[start..self.at];
        let is_lazy = self.takes("?") != self.flags[SWAPS_GREED];
        if let Some(last) = self.last_repeat {
            return self.refuse(BAD_REPEAT, last);
        }
        let Some(atom) = &mut self.atom else { return self.refuse(NO_ARGUMENT, start) };
        if atom.repeats > 0 {
            // Only flags are in between. The operators do not belong together.
            self.out.insert_str(atom.start, "(?:");
            self.out.push(')');
        }
        atom.repeats += 1;
        self.out.push_str(operator);
        if is_lazy {
            self.out.push('?');
        }
        let before = atom.weight;
        let times = most.unwrap_or(least).max(1);
        let copies = usize::try_from(times).unwrap_or(usize::MAX);
        atom.weight = before.saturating_mul(copies).saturating_add(copies + 1);
        self.own.weight = self.own.weight.saturating_add(atom.weight - before);
        if operator.starts_with('{') && most != Some(0) {
            atom.copies *= times;
            self.own.copies = self.own.copies.max(atom.copies);
        }
        let [copies, repeats] = [atom.copies, atom.repeats as u64];
        if copies > MOST_COPIES && (least >= 2 || most.is_some_and(|most| most >= 2)) {
            return self.refuse(BAD_COUNT, start);
        }
        if repeats > DEEPEST as u64 { Err(error(TOO_DEEP, self.text)) } else { Ok(()) }
    }

    /// Reads `{2}`, `{2,}` or `{2,3}`. Anything else is a brace.
    fn counts(&mut self) -> Option<(u64, Option<u64>)> {
        self.at += 1;
        let least = self.count()?;
        let most = if self.takes(",") {
            if self.takes("}") {
                return Some((least, None));
            }
            self.count()?
        } else {
            least
        };
        self.takes("}").then_some((least, Some(most)))
    }

    /// A number without leading zeros. A greater one than any that is allowed is as good.
    fn count(&mut self) -> Option<u64> {
        let rest = self.rest();
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let text = &rest[..digits];
        if text.is_empty() || text.len() > 1 && text.starts_with('0') {
            return None;
        }
        self.at += digits;
        Some(text.parse().unwrap_or(u64::MAX))
    }

    /// Reads `(?:`, `(?i)`, `(?i:` and `(?P<name>`.
    fn flags_or_group(&mut self) -> Result<(), String> {
        let start = self.at;
        for (prefix, shortest) in [("(?P<", 5), ("(?<", 4)] {
            if self.rest().starts_with(prefix) && self.rest().len() >= shortest {
                return self.named_group(prefix);
            }
        }
        self.at += 2;
        let mut flags = self.flags;
        let (mut is_set, mut is_flagged) = (true, false);
        while let Some(c) = self.next() {
            match c {
                'i' => flags[FOLDS_CASE] = is_set,
                'm' => flags[MULTI_LINE] = is_set,
                's' => flags[DOT_IS_ANYTHING] = is_set,
                'U' => flags[SWAPS_GREED] = is_set,
                '-' if is_set => {
                    (is_set, is_flagged) = (false, false);
                    continue;
                }
                ':' | ')' if is_set || is_flagged => {
                    if c == ':' {
                        self.open("(?:")?;
                    }
                    self.flags = flags;
                    return Ok(());
                }
                _ => break,
            }
            is_flagged = true;
        }
        self.refuse(BAD_FLAGS, start)
    }

    /// Reads the beginning of a group with a name, which matches do not need.
    fn named_group(&mut self, prefix: &str) -> Result<(), String> {
        let start = self.at;
        let Some(end) = self.rest().find('>') else { return Err(error(BAD_NAME, self.rest())) };
        let name = &self.rest()[prefix.len()..end];
        self.at += end + 1;
        if name.is_empty() || name.contains(|c: char| c != '_' && !c.is_ascii_alphanumeric()) {
            return self.refuse(BAD_NAME, start);
        }
        self.open("(")
    }

    /// Reads what begins with a backslash, outside of classes.
    fn escape(&mut self) -> Result<(), String> {
        let start = self.at;
        if self.takes(r"\Q") {
            let (literal, behind) = self.rest().split_once(r"\E").unwrap_or((self.rest(), ""));
            literal.chars().for_each(|c| self.literal(c));
            self.at = self.text.len() - behind.len();
            return Ok(());
        }
        for (known, text) in
            [(r"\A", r"\A"), (r"\b", r"(?-u:\b)"), (r"\B", r"(?-u:\B)"), (r"\z", r"\z")]
        {
            if self.takes(known) {
                self.emit(text, 1);
                return Ok(());
            }
        }
        if self.takes(r"\C") {
            return self.refuse(BAD_ESCAPE, start);
        }
        if let Some(class) = self.named_class()? {
            let weight = if class.contains('p') || class.contains('P') { UNICODE_CLASS } else { 1 };
            self.class(&class, false, weight);
            return Ok(());
        }
        match char::from_u32(self.character()?) {
            Some(c) => self.literal(c),
            // No string has it.
            None => self.class("", false, 1),
        }
        Ok(())
    }

    /// Reads `\d` and its like, or a class of Unicode such as `\pL` or `\p{Greek}`.
    fn named_class(&mut self) -> Result<Class, String> {
        let start = self.at;
        for (known, ranges) in [
            (r"\d", "0-9"),
            (r"\D", "[^0-9]"),
            (r"\s", r"\t\n\x{C}\r\x{20}"),
            (r"\S", r"[^\t\n\x{C}\r\x{20}]"),
            (r"\w", "0-9A-Za-z_"),
            (r"\W", "[^0-9A-Za-z_]"),
        ] {
            if self.takes(known) {
                return Ok(Some(ranges.to_owned()));
            }
        }
        let mut is_negated = self.rest().starts_with(r"\P");
        if !self.takes(r"\p") && !self.takes(r"\P") {
            return Ok(None);
        }
        let name = match self.next() {
            Some('{') => {
                let end = self.rest().find('}').map_or(self.text.len(), |end| self.at + end + 1);
                let name = self.text[self.at..end].strip_suffix('}');
                self.at = end;
                name.unwrap_or_default()
            }
            Some(c) => &self.text[self.at - c.len_utf8()..self.at],
            None => "",
        };
        let inner = name.strip_prefix('^');
        is_negated ^= inner.is_some();
        let Some(class) = self.unicode(inner.unwrap_or(name), is_negated) else {
            return self.refuse(BAD_CLASS, start);
        };
        Ok(Some(class))
    }

    /// The ranges of a class of Unicode.
    fn unicode(&mut self, name: &str, is_negated: bool) -> Class {
        let plain = name.to_lowercase().replace([' ', '_', '-'], "");
        if ["cs", "surrogate"].contains(&&*plain) {
            return Some(if is_negated { ANYTHING } else { "" }.to_owned());
        }
        if !self.known.contains(&plain) {
            let is_class = name.chars().all(|c| c.is_ascii_alphanumeric() || " _-".contains(c));
            if !is_class || plain.is_empty() || Regex::new(&format!(r"\p{{{plain}}}")).is_err() {
                return None;
            }
            self.known.insert(plain.clone());
        }
        Some(format!(r"\{}{{{plain}}}", if is_negated { 'P' } else { 'p' }))
    }

    /// Reads a class in brackets.
    fn bracketed(&mut self) -> Result<(), String> {
        let whole = self.rest();
        self.at += 1;
        let is_negated = self.takes("^");
        let (mut ranges, mut is_first) = (String::new(), true);
        let mut weight = if is_negated { SMALL_CLASS } else { 1 };
        while is_first || self.peek() != Some(']') {
            is_first = false;
            if let Some(name) = self.posix()? {
                ranges.push_str(name);
                continue;
            }
            if let Some(class) = self.named_class()? {
                weight += UNICODE_CLASS * usize::from(class.contains(['p', 'P']));
                ranges.push_str(&class);
                continue;
            }
            let start = self.at;
            let low = self.class_character(whole)?;
            let mut high = low;
            if self.rest().len() >= 2 && !self.rest().starts_with("-]") && self.takes("-") {
                high = self.class_character(whole)?;
            }
            if high < low {
                return self.refuse(BAD_CLASS, start);
            }
            weight += if high < 0x80 { 0 } else { SMALL_CLASS };
            push_range(&mut ranges, low, high);
        }
        self.at += 1;
        self.class(&ranges, is_negated, weight.min(LARGEST_CLASS));
        Ok(())
    }

    /// Reads `[:alpha:]` or `[:^alpha:]`.
    fn posix(&mut self) -> Result<Option<&'a str>, String> {
        let rest = self.rest();
        let Some(end) = rest.strip_prefix("[:").and_then(|inner| inner.find(":]")) else {
            return Ok(None);
        };
        let (start, name) = (self.at, &rest[2..end + 2]);
        self.at += end + 4;
        if POSIX.contains(&name.strip_prefix('^').unwrap_or(name)) {
            Ok(Some(&rest[..end + 4]))
        } else {
            self.refuse(BAD_CLASS, start)
        }
    }

    fn class_character(&mut self, class: &str) -> Result<u32, String> {
        if self.rest().starts_with('\\') {
            return self.character();
        }
        self.next().map(u32::from).ok_or_else(|| error(NO_BRACKET, class))
    }

    fn class(&mut self, ranges: &str, is_negated: bool, weight: usize) {
        let (mark, ranges) = match (ranges, is_negated) {
            ("", is_negated) => (if is_negated { "" } else { "^" }, ANYTHING),
            (ranges, is_negated) => (if is_negated { "^" } else { "" }, ranges),
        };
        let fold = if self.flags[FOLDS_CASE] { "(?i:" } else { "(?:" };
        self.emit(&format!("{fold}[{mark}{ranges}])"), weight);
    }

    /// Reads the escape of a single character.
    fn character(&mut self) -> Result<u32, String> {
        let start = self.at;
        self.at += 1;
        let Some(c) = self.next() else { return Err(error(NO_CHARACTER, "")) };
        let known = match c {
            'a' => Some(7),
            'f' => Some(0xc),
            'n' => Some(0xa),
            'r' => Some(0xd),
            't' => Some(9),
            'v' => Some(0xb),
            'x' => self.hexadecimal(),
            '0' => Some(self.octal(c)),
            '1'..='7' if self.rest().starts_with(|c| matches!(c, '0'..='7')) => Some(self.octal(c)),
            c if c.is_ascii() && !c.is_ascii_alphanumeric() => Some(u32::from(c)),
            _ => None,
        };
        known.map_or_else(|| self.refuse(BAD_ESCAPE, start), Ok)
    }

    /// Up to three octal digits, the first of which was read.
    fn octal(&mut self, first: char) -> u32 {
        let mut number = first.to_digit(8).unwrap_or_default();
        for _ in 0..2 {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(8)) else { break };
            self.at += 1;
            number = number * 8 + digit;
        }
        number
    }

    /// Two hexadecimal digits, or any number of them in braces.
    fn hexadecimal(&mut self) -> Option<u32> {
        let first = self.next()?;
        if first != '{' {
            let second = self.next()?;
            return Some(first.to_digit(16)? * 16 + second.to_digit(16)?);
        }
        let mut number = None;
        loop {
            match self.next()? {
                '}' => return number,
                c => {
                    let next = number.unwrap_or(0) * 16 + c.to_digit(16)?;
                    number = Some(next).filter(|number| *number <= u32::from(char::MAX));
                    number?;
                }
            }
        }
    }
}

/// Adds a range of characters, without surrogates, which no string has.
fn push_range(ranges: &mut String, low: u32, high: u32) {
    let low = if (0xd800..0xe000).contains(&low) { 0xe000 } else { low };
    let high = if (0xd800..0xe000).contains(&high) { 0xd7ff } else { high };
    if low <= high {
        let _ = write!(ranges, r"\x{{{low:X}}}-\x{{{high:X}}}");
    }
}
