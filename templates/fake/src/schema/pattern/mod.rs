//! Patterns of strings in the syntax of servers, which is the one of Go.

mod syntax;

use regex::{Regex, RegexBuilder};
use std::sync::OnceLock;

/// The greatest weight of the patterns of a definition together.
pub(crate) const MOST_WEIGHT: usize = 1 << 17;
/// The most bytes of a compiled pattern: what the greatest weight takes.
const LARGEST: usize = 16 << 20;
/// The states that are visited for a byte in the time of a check.
const STATES_PER_CHECK: usize = 16;

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub(crate) regex: Regex,
    /// About the number of its states. The time of a match grows with it and with the string.
    pub(crate) weight: usize,
}

/// Compiles a pattern.
///
/// # Errors
/// When a server refuses it, in the words of Go, and when its weight is greater than `most`.
pub(crate) fn compile(pattern: &str, most: usize) -> Result<Compiled, String> {
    let syntax::Translated { expression, weight } = syntax::translate(pattern)?;
    let regex = RegexBuilder::new(&expression).size_limit(LARGEST).build().ok();
    let regex = regex.filter(|_| weight <= most);
    Ok(Compiled { regex: regex.ok_or_else(|| syntax::too_large(pattern))?, weight })
}

/// Checks a pattern without compiling it, and takes its weight from what is left.
///
/// # Errors
/// As [`compile`] has.
pub(crate) fn check(pattern: &str, left: &mut usize) -> Result<(), String> {
    let weight = syntax::translate(pattern)?.weight;
    *left = left.checked_sub(weight).ok_or_else(|| syntax::too_large(pattern))?;
    Ok(())
}

/// The pattern of a schema. It is compiled when it is first needed.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) text: String,
    compiled: OnceLock<Result<Compiled, String>>,
}

impl Pattern {
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), compiled: OnceLock::new() }
    }

    /// Whether a string has a match, the work of which is taken from what is left.
    ///
    /// # Errors
    /// When the pattern is none, and when the work is more than what is left.
    pub(super) fn matches(&self, text: &str, left: &mut usize) -> Result<bool, String> {
        let mut new = 0;
        let compiled = self.compiled.get_or_init(|| {
            let compiled = compile(&self.text, MOST_WEIGHT);
            new = compiled.as_ref().map_or(0, |compiled| compiled.weight);
            compiled
        });
        let compiled = compiled.as_ref().map_err(Clone::clone)?;
        let work = new + compiled.weight.saturating_mul(text.len()) / STATES_PER_CHECK;
        let too_long = || format!("it is too long here to be matched with '{}'", self.text);
        *left = left.checked_sub(work).ok_or_else(too_long)?;
        Ok(compiled.regex.is_match(text))
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_WEIGHT, compile};

    /// Whether a string has a match, as Go 1.19 finds.
    #[test]
    fn patterns_match_as_in_go() {
        for (pattern, matched, others) in [
            (r"^[-_[A-Za-z0-9]+$", &["a[b", "-_"][..], &["a]", ""][..]),
            (r"^\p{L}\pN$", &["é1", "aⅷ"], &["1a", "_1"]),
            (r"^\Q[a.b]*\E\.$", &["[a.b]*."], &["a.", "[a.b]."]),
            (r"^\d\s\w$", &["1 a"], &["٣ a", "1\u{a0}a", "1\u{b}a", "1 é"]),
            (r"(?i)^k$", &["K", "\u{212a}"], &["kk"]),
            (r"(?i:a)b", &["Ab"], &["aB"]),
            (r"a$", &["a"], &["a\n", "a\nb"]),
            (r"(?m)a$", &["a", "a\nb"], &["ab"]),
            (r"^.$", &["é", "\r"], &["\n"]),
            (r"(?s)^.\z", &["\n"], &["ab"]),
            (r"a{,2}", &["a{,2}"], &["aa"]),
            (r"\x41\x{e9}\101\_\<", &["AéA_<"], &["A"]),
            (r"^[[:^alpha:]\W]$", &["1", "é"], &["a"]),
            (r"^[^\P{Greek}]$", &["λ"], &["l"]),
            (r"^(?P<first>a)(|b)$", &["a", "ab"], &["b"]),
            (r"^a*(?i)?$", &["", "aa"], &["A"]),
            (r"^[\x{d800}-\x{dfff}]?$", &[""], &["a"]),
        ] {
            let compiled = compile(pattern, MOST_WEIGHT).unwrap_or_else(|why| panic!("{why}"));
            assert!(matched.iter().all(|text| compiled.regex.is_match(text)), "{pattern}");
            assert!(others.iter().all(|text| !compiled.regex.is_match(text)), "{pattern}");
        }
    }

    #[test]
    fn patterns_are_refused_in_the_words_of_go() {
        for (pattern, why) in [
            ("[", "missing closing ]: `[`"),
            ("a(b", "missing closing ): `a(b`"),
            ("a)b", "unexpected ): `a)b`"),
            ("^(?!x)a", "invalid or unsupported Perl syntax: `(?!`"),
            ("(?P<a", "invalid named capture: `(?P<a`"),
            (r"(a)\1", r"invalid escape sequence: `\1`"),
            (r"a\", "trailing backslash at end of expression: ``"),
            ("a{1,1001}", "invalid repeat count: `{1,1001}`"),
            ("(a{100}){11}", "invalid repeat count: `{11}`"),
            ("a**", "invalid nested repetition operator: `**`"),
            ("a|*?", "missing argument to repetition operator: `*?`"),
            ("[b-a]", "invalid character class range: `b-a`"),
            (r"\p{Klingon}", r"invalid character class range: `\p{Klingon}`"),
            (r"\p{sc=Greek}", r"invalid character class range: `\p{sc=Greek}`"),
            ("[[:letter:]]", "invalid character class range: `[:letter:]`"),
        ] {
            let found = compile(pattern, MOST_WEIGHT).expect_err(pattern);
            assert_eq!(found, format!("error parsing regexp: {why}"));
        }
        for large in ["(".repeat(1000) + &")".repeat(1000), r"(\pL{300}\pN{300}){2}".to_owned()] {
            assert!(compile(&large, MOST_WEIGHT).is_err(), "{large}");
        }
    }
}
