//! Errors of strings that are no quantities, in the words of servers.

use kapigen_runtime::meta_v1::Quantity;

const FORM: &str =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const NUMBER: &str = "unable to parse numeric part of quantity";
const SUFFIX: &str = "unable to parse quantity's suffix";

/// Checks a quantity.
///
/// # Errors
/// When the string is not one.
pub(crate) fn check(text: &str) -> Result<(), &'static str> {
    text.parse::<Quantity>().map(drop).map_err(|_| refusal(text.trim()))
}

fn refusal(text: &str) -> &'static str {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let end = unsigned.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(unsigned.len());
    let (number, suffix) = unsigned.split_at(end);
    if number.is_empty() || !has_form(suffix) {
        FORM
    } else if number.matches('.').count() > 1 || number == "." {
        NUMBER
    } else {
        SUFFIX
    }
}

/// Whether a suffix has the form of one: letters, a sign, digits.
fn has_form(suffix: &str) -> bool {
    let rest = suffix.trim_start_matches(|c: char| "eEinumkKMGTP".contains(c));
    let rest = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    rest.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{FORM, NUMBER, SUFFIX, check};

    #[test]
    fn other_strings_are_refused() {
        for (text, error) in [
            ("", FORM),
            ("x", FORM),
            ("1 Gi", FORM),
            ("1.2.3", NUMBER),
            ("1Kii", SUFFIX),
            ("1kk", SUFFIX),
            ("1e", SUFFIX),
        ] {
            assert_eq!(check(text), Err(error), "{text}");
        }
    }

    #[test]
    fn long_quantities_cost_little() {
        for text in ["9".repeat(100_000), "1e999999999".to_owned(), "1e-999999999".to_owned()] {
            assert_eq!(check(&text), Ok(()));
        }
    }
}
