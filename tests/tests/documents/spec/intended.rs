//! Intended differences.

use test_support::compare::Difference;

/// An intended difference, and the reason.
pub(crate) struct Intended {
    /// Its path. `*` matches anything.
    pub(crate) place: &'static str,
    pub(crate) reason: &'static str,
}

/// Fails for every unintended difference, and for every intended one that does not occur. Returns
/// the number of each.
pub(crate) fn assert_only(intended: &[Intended], differences: &[Difference]) -> Vec<String> {
    let is = |difference: &Difference, intended: &Intended| fits(intended.place, &difference.path);
    let unknown = differences
        .iter()
        .filter(|difference| !intended.iter().any(|intended| is(difference, intended)));
    let unknown: Vec<String> = unknown.map(ToString::to_string).collect();
    assert!(
        unknown.is_empty(),
        "{} differences that are not meant:\n{}",
        unknown.len(),
        unknown.join("\n")
    );
    let count =
        |one: &Intended| differences.iter().filter(|difference| is(difference, one)).count();
    let gone: Vec<_> = intended.iter().filter(|one| count(one) == 0).map(|one| one.place).collect();
    assert!(gone.is_empty(), "no difference any more; strike it from the list: {gone:?}");
    intended
        .iter()
        .map(|one| format!("  {:>4} × {}: {}", count(one), one.place, one.reason))
        .collect()
}

/// Whether a string has the parts of a pattern between its `*`, in their order.
fn fits(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => {
            let Some(text) = text.strip_prefix(start) else { return false };
            text.char_indices()
                .map(|(index, _)| index)
                .chain([text.len()])
                .any(|index| fits(rest, &text[index..]))
        }
    }
}

#[test]
fn patterns() {
    for (pattern, text) in
        [("a", "a"), ("*", ""), ("*", "ab"), ("a*c", "abbc"), ("a*c*", "abcbc"), ("*c", "cc")]
    {
        assert!(fits(pattern, text), "{pattern} {text}");
    }
    for (pattern, text) in [("a", "ab"), ("a*c", "abcb"), ("a*a", "a"), ("", "a")] {
        assert!(!fits(pattern, text), "{pattern} {text}");
    }
}
