//! Patterns of strings in the syntax of servers, which is the one of Go.

mod syntax;

use regex::{Regex, RegexBuilder};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The greatest weight of a pattern: a class of Unicode may be repeated 1,000 times. Those that are
/// kept are no heavier together.
pub(crate) const MOST_WEIGHT: usize = 1 << 19;
/// The most bytes of a compiled pattern: what the greatest weight takes.
const LARGEST: usize = 64 << 20;
/// The states that are visited for a byte in the time of a check.
const STATES_PER_CHECK: usize = 16;
/// The checks in the time of compiling a state.
const CHECKS_PER_STATE: usize = 8;

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
    let syntax::Translated { expression, weight } = translate(pattern, most)?;
    let regex = RegexBuilder::new(&expression).size_limit(LARGEST).build();
    Ok(Compiled { regex: regex.map_err(|_| syntax::too_large(pattern))?, weight })
}

/// Checks a pattern without compiling it.
///
/// # Errors
/// As [`compile`] has.
pub(crate) fn check(pattern: &str, most: usize) -> Result<(), String> {
    translate(pattern, most).map(drop)
}

fn translate(pattern: &str, most: usize) -> Result<syntax::Translated, String> {
    let translated = syntax::translate(pattern)?;
    if translated.weight > most { Err(syntax::too_large(pattern)) } else { Ok(translated) }
}

/// The patterns that schemas needed last. Versions of a definition repeat most of theirs.
static CACHE: Mutex<PatternCache> =
    Mutex::new(PatternCache { patterns: BTreeMap::new(), weight: 0 });

struct PatternCache {
    patterns: BTreeMap<String, Arc<Compiled>>,
    /// The weight of the patterns, and the bytes of their texts.
    weight: usize,
}

impl PatternCache {
    /// Keeps a pattern: in place of all others if they are too heavy together.
    fn keep(&mut self, pattern: &str, compiled: Arc<Compiled>) {
        let weight = pattern.len() + compiled.weight;
        if self.weight + weight > MOST_WEIGHT {
            self.patterns.clear();
            self.weight = 0;
        }
        self.weight += weight;
        self.patterns.insert(pattern.to_owned(), compiled);
    }
}

/// Whether a string matches the pattern of a schema. The work is taken from what is left.
///
/// # Errors
/// When the pattern is none, and when the work is more than what is left.
pub(super) fn matches(pattern: &str, text: &str, left: &mut usize) -> Result<bool, String> {
    let known = cache().patterns.get(pattern).cloned();
    let compiled = if let Some(compiled) = known {
        compiled
    } else {
        *left = left.saturating_sub(pattern.len());
        let compiled = Arc::new(compile(pattern, MOST_WEIGHT)?);
        *left = left.saturating_sub(compiled.weight * CHECKS_PER_STATE);
        cache().keep(pattern, compiled.clone());
        compiled
    };
    let work = compiled.weight.saturating_mul(text.len()) / STATES_PER_CHECK;
    *left = left
        .checked_sub(work)
        .ok_or_else(|| format!("it is too long here to be matched with '{pattern}'"))?;
    Ok(compiled.regex.is_match(text))
}

fn cache() -> MutexGuard<'static, PatternCache> {
    CACHE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{CACHE, MOST_WEIGHT, compile, matches};

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
        for large in ["(".repeat(1000) + &")".repeat(1000), r"(\pL{500}\pN{500}){2}".to_owned()] {
            assert!(compile(&large, MOST_WEIGHT).is_err(), "{large}");
        }
    }

    /// Servers take classes of Unicode, which are heavy here, in any number of schemas.
    #[test]
    fn heavy_patterns_are_taken_and_few_are_kept() {
        for labels in 1..6 {
            let pattern = format!(r"^([\p{{L}}0-9]{{1,63}}\.){{{labels}}}\p{{L}}{{2,63}}$");
            let domain = "éa1.".repeat(labels) + "dé";
            for (text, expected) in [(domain.as_str(), true), ("é.1", false)] {
                assert_eq!(matches(&pattern, text, &mut { usize::MAX }), Ok(expected), "{pattern}");
            }
        }
        let cache = CACHE.lock().expect("no panic");
        assert!(cache.weight <= MOST_WEIGHT && !cache.patterns.is_empty());
    }
}
