//! The numeric value of a quantity.

use std::cmp::Ordering;
use std::fmt;

/// Whether a string follows the grammar. It is the documented one: Go's code also accepts strings without any digit.
pub(super) fn is_quantity(text: &str) -> bool {
    Parts::of(text).is_some()
}

/// The parts of a quantity: ±`whole`.`fraction` · 1024^`kilo` · 10^`exponent`.
struct Parts<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    kilo: u32,
    exponent: i64,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let negative = text.starts_with('-');
        let (whole, rest) = digits(text.strip_prefix(['+', '-']).unwrap_or(text));
        let (fraction, suffix) = rest.strip_prefix('.').map_or(("", rest), digits);
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let (kilo, exponent) = scale(suffix)?;
        Some(Parts { negative, whole, fraction, kilo, exponent })
    }
}

fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

/// The powers of 1024 and of 10 that a suffix denotes.
fn scale(suffix: &str) -> Option<(u32, i64)> {
    Some(match suffix {
        "n" => (0, -9),
        "u" => (0, -6),
        "m" => (0, -3),
        "" => (0, 0),
        "k" => (0, 3),
        "M" => (0, 6),
        "G" => (0, 9),
        "T" => (0, 12),
        "P" => (0, 15),
        "E" => (0, 18),
        "Ki" => (1, 0),
        "Mi" => (2, 0),
        "Gi" => (3, 0),
        "Ti" => (4, 0),
        "Pi" => (5, 0),
        "Ei" => (6, 0),
        _ => (0, suffix.strip_prefix(['e', 'E'])?.parse().ok()?),
    })
}

/// A value in the one form it has: ±0.`digits` · 10^`magnitude`, with no zero at either end of the digits. The
/// exponent is never multiplied out, so a large one costs nothing.
#[derive(PartialEq, Eq, Hash)]
pub(in crate::values) struct Number {
    negative: bool,
    /// The least there is for zero, which has no digits, so that it is below everything else.
    magnitude: i128,
    /// Each 0 to 9.
    digits: Vec<u8>,
}

impl Number {
    pub(in crate::values) fn of(text: &str) -> Option<Self> {
        let Parts { negative, whole, fraction, kilo, exponent } = Parts::of(text)?;
        let mut digits = [whole.as_bytes(), fraction.as_bytes()].concat();
        for digit in &mut digits {
            *digit -= b'0';
        }
        let grown = multiply(&mut digits, 1024_u64.pow(kilo));
        let zeros = digits.iter().take_while(|&&digit| digit == 0).count();
        digits.drain(..zeros);
        digits.truncate(digits.iter().rposition(|&digit| digit != 0).map_or(0, |last| last + 1));
        if digits.is_empty() {
            return Some(Number { negative: false, magnitude: i128::MIN, digits });
        }
        let magnitude = i128::from(exponent) + wide(whole.len()) + wide(grown) - wide(zeros);
        Some(Number { negative, magnitude, digits })
    }

    /// This times a power of ten, rounded away from zero. `None` if it does not fit.
    #[inline]
    pub(super) fn times_ten_to(&self, power: i128) -> Option<i64> {
        if self.digits.is_empty() {
            return Some(0);
        }
        // No i64 has more than 19 digits before the point, and 20 of them are far from an overflow below.
        let point = usize::try_from((self.magnitude + power).clamp(0, 20)).ok()?;
        let digit = |index| self.digits.get(index).copied().unwrap_or(0);
        let whole = (0..point).fold(0, |sum: i128, index| sum * 10 + i128::from(digit(index)));
        let away = whole + i128::from(self.digits.len() > point);
        i64::try_from(if self.negative { -away } else { away }).ok()
    }

    /// The nearest, or an infinity.
    #[inline]
    pub(super) fn to_f64(&self) -> f64 {
        self.to_string().parse().expect("written in the form of a float")
    }
}

/// Its one form, which is also one of floats.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.digits.is_empty() {
            return f.write_str("0");
        }
        let sign = if self.negative { "-" } else { "" };
        let digits: String = self.digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        write!(f, "{sign}0.{digits}e{}", self.magnitude)
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        // Digits compare like strings: of two with a common beginning, the longer fraction is larger.
        let size = self.magnitude.cmp(&other.magnitude).then_with(|| self.digits.cmp(&other.digits));
        match (self.negative, other.negative) {
            (false, false) => size,
            (true, true) => size.reverse(),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn wide(count: usize) -> i128 {
    i128::try_from(count).expect("a length fits 127 bits")
}

/// Multiplies in place. Returns the number of digits that were added.
fn multiply(digits: &mut Vec<u8>, factor: u64) -> usize {
    let before = digits.len();
    let mut carry = 0;
    // At most 9 · 1024⁶ and a carry of less than 1024⁶, which fits.
    for digit in digits.iter_mut().rev() {
        let product = u64::from(*digit) * factor + carry;
        *digit = low_digit(product);
        carry = product / 10;
    }
    while carry > 0 {
        digits.insert(0, low_digit(carry));
        carry /= 10;
    }
    digits.len() - before
}

fn low_digit(number: u64) -> u8 {
    u8::try_from(number % 10).expect("less than ten")
}

#[cfg(test)]
mod tests;
