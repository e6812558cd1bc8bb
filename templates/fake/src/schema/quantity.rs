//! Quantities in strings, checked and written as on servers: with as few digits as possible, and no
//! fraction.

use std::borrow::Cow;

const FORM: &str =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const NUMBER: &str = "unable to parse numeric part of quantity";
const SUFFIX: &str = "unable to parse quantity's suffix";

/// Suffixes with their powers of ten.
const DECIMAL: [(&str, i32); 10] = [
    ("n", -9),
    ("u", -6),
    ("m", -3),
    ("", 0),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
    ("P", 15),
    ("E", 18),
];
/// Suffixes, each 1024 times the one before.
const BINARY: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
/// The smallest power of ten: smaller quantities are rounded up.
const SMALLEST: i32 = -9;
/// The greatest power of ten that has a suffix.
const GREATEST: i32 = 18;

/// The way in which a quantity states its power.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Suffix,
    Binary,
    Exponent,
}

/// A quantity: digits, a power of ten, and the way to write it.
struct Quantity {
    digits: i128,
    power: i32,
    form: Form,
}

/// A quantity in its normal form. A quantity that is too long to be computed is unchanged.
///
/// # Errors
/// When the string is not a quantity, in the words of servers.
pub(super) fn normal(text: &str) -> Result<Cow<'_, str>, &'static str> {
    if is_normal(text) { Ok(text.into()) } else { computed(text) }
}

fn computed(text: &str) -> Result<Cow<'_, str>, &'static str> {
    let text = text.trim();
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let end = unsigned.find(|c| !is_number(c)).unwrap_or(unsigned.len());
    let (number, suffix) = unsigned.split_at(end);
    if number.is_empty() || !has_form(suffix) {
        return Err(FORM);
    }
    if number.matches('.').count() > 1 || number == "." {
        return Err(NUMBER);
    }
    let (power, factor, form) = power(suffix).ok_or(SUFFIX)?;
    let fraction = number.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let digits =
        number.replace('.', "").parse::<i128>().ok().and_then(|digits| digits.checked_mul(factor));
    let (Some(digits), Ok(fraction)) = (digits, i32::try_from(fraction)) else {
        return Ok(text.into());
    };
    let digits = if text.starts_with('-') { -digits } else { digits };
    let quantity = Quantity { digits, power: power.saturating_sub(fraction), form };
    Ok(quantity.written().map_or(text.into(), Cow::Owned))
}

/// Whether a quantity is in its normal form without a sign or an exponent, as most are: no larger
/// suffix would do.
fn is_normal(text: &str) -> bool {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, suffix) = text.split_at(length);
    let is_binary = suffix.ends_with('i');
    let is_known = if is_binary {
        BINARY[1..BINARY.len() - 1].contains(&suffix)
    } else {
        DECIMAL[..DECIMAL.len() - 1].iter().any(|(known, _)| *known == suffix)
    };
    let next = if is_binary { 1024 } else { 1000 };
    is_known
        && !digits.starts_with('0')
        && digits.parse::<u64>().is_ok_and(|digits| digits % next != 0)
}

/// Whether a suffix has the form of one: letters, a sign, digits.
fn has_form(suffix: &str) -> bool {
    let rest = suffix.trim_start_matches(|c: char| "eEinumkKMGTP".contains(c));
    let rest = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    rest.chars().all(|c| c.is_ascii_digit())
}

/// The power of ten of a suffix, another factor, and the way in which it is written.
fn power(suffix: &str) -> Option<(i32, i128, Form)> {
    if let Some((_, power)) = DECIMAL.iter().find(|(known, _)| *known == suffix) {
        return Some((*power, 1, Form::Suffix));
    }
    if let Some(index) = BINARY.iter().position(|known| *known == suffix) {
        return Some((0, 1 << (10 * index), Form::Binary));
    }
    let exponent = suffix.strip_prefix(['e', 'E'])?;
    exponent.parse().ok().map(|power| (power, 1, Form::Exponent))
}

impl Quantity {
    /// The normal form, unless it is beyond all powers.
    fn written(mut self) -> Option<String> {
        self.round();
        if self.digits == 0 {
            return Some("0".to_owned());
        }
        if self.form == Form::Binary {
            if let Some(text) = self.in_binary() {
                return Some(text);
            }
            self.form = Form::Suffix;
        }
        while self.digits % 10 == 0 {
            self.digits /= 10;
            self.power += 1;
        }
        while self.power % 3 != 0 || self.power > GREATEST {
            self.digits = self.digits.checked_mul(10)?;
            self.power -= 1;
        }
        let Self { digits, power, form } = self;
        if form == Form::Exponent && power != 0 {
            return Some(format!("{digits}e{power}"));
        }
        let (suffix, _) = DECIMAL.iter().find(|(_, known)| *known == power)?;
        Some(format!("{digits}{suffix}"))
    }

    /// Rounds away from zero to the smallest power.
    fn round(&mut self) {
        // No more digits than there can be are left.
        if self.power < SMALLEST - 40 {
            (self.digits, self.power) = (self.digits.signum(), SMALLEST);
        }
        while self.power < SMALLEST {
            let rest = self.digits % 10;
            let sign = self.digits.signum();
            self.digits /= 10;
            if rest != 0 {
                self.digits += sign;
            }
            self.power += 1;
            if self.digits == 0 {
                return;
            }
        }
    }

    /// The form with a power of 1024. `None` if the quantity is small, or has a fraction.
    fn in_binary(&self) -> Option<String> {
        let factor = 10i128.checked_pow(self.power.unsigned_abs())?;
        let mut whole = if self.power < 0 {
            (self.digits % factor == 0).then_some(self.digits / factor)?
        } else {
            self.digits.checked_mul(factor)?
        };
        if whole.abs() < 1024 {
            return None;
        }
        let mut index = 0;
        while whole % 1024 == 0 && index + 1 < BINARY.len() {
            whole /= 1024;
            index += 1;
        }
        Some(format!("{whole}{}", BINARY[index]))
    }
}

#[cfg(test)]
mod tests {
    use super::{BINARY, DECIMAL, FORM, NUMBER, SUFFIX, computed, is_normal, normal};

    #[test]
    fn quantities_are_written_as_servers_do() {
        for (text, expected) in [
            ("1", "1"),
            ("1024Mi", "1Gi"),
            ("1.5Gi", "1536Mi"),
            ("0.5Ki", "512"),
            ("1000m", "1"),
            ("1500m", "1500m"),
            ("0.5", "500m"),
            ("2.50", "2500m"),
            ("100M", "100M"),
            ("1000000", "1M"),
            ("1e3", "1e3"),
            ("1E6", "1e6"),
            ("12e-1", "1200e-3"),
            ("-1000", "-1k"),
            ("+5", "5"),
            ("0", "0"),
            ("0Gi", "0"),
            ("0.0000000001", "1n"),
            (" 1k ", "1k"),
            ("1025", "1025"),
            ("2048Ki", "2Mi"),
            ("1Ki", "1Ki"),
        ] {
            assert_eq!(normal(text).as_deref(), Ok(expected), "{text}");
            assert_eq!(normal(expected).as_deref(), Ok(expected), "{expected}");
        }
    }

    #[test]
    fn what_looks_normal_is() {
        let suffixes = DECIMAL.iter().map(|(suffix, _)| suffix).chain(&BINARY);
        let numbers = [
            "", "0", "1", "01", "10", "999", "1000", "1001", "1023", "1024", "1500", "2048",
            "3072001",
        ];
        let texts = suffixes.flat_map(|suffix| numbers.map(|number| format!("{number}{suffix}")));
        let normal: Vec<_> = texts.filter(|text| is_normal(text)).collect();
        for text in &normal {
            assert_eq!(computed(text).as_deref(), Ok(&**text));
        }
        assert!(
            ["1", "10", "999m", "1500", "1Gi", "1000Ki", "1024k"]
                .iter()
                .all(|text| normal.iter().any(|n| n == text))
        );
    }

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
            assert_eq!(normal(text), Err(error), "{text}");
        }
    }

    #[test]
    fn long_quantities_cost_little() {
        for text in ["9".repeat(100_000), "1e999999999".to_owned(), "1e-999999999".to_owned()] {
            assert!(normal(&text).is_ok());
        }
    }
}
