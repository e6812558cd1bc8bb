//! The spelling of quantities on servers.

use super::{Number, Parts};

/// The suffixes of powers of ten, from 10⁻⁹ in steps of 10³.
const DECIMAL: [&str; 10] = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
/// The suffixes of powers of 1024.
const BINARY: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
/// The smallest power of ten: smaller quantities are rounded up.
const SMALLEST: i128 = -9;
/// The greatest power of ten that has a suffix.
const GREATEST: i128 = 18;

/// The canonical spelling of a quantity. `None` if it has more than 38 digits when it is written
/// out.
#[inline]
pub(super) fn canonical(text: &str) -> Option<String> {
    let (mut digits, mut power) = Number::parse(text)?.in_tens()?;
    if digits == 0 {
        return Some("0".to_owned());
    }
    let Parts { kilo, suffix, .. } = Parts::parse(text)?;
    if kilo > 0
        && let Some(binary) = in_binary(digits, power)
    {
        return Some(binary);
    }
    while power % 3 != 0 || power > GREATEST {
        digits = digits.checked_mul(10)?;
        power -= 1;
    }
    // `E` alone is a suffix.
    let is_exponent = kilo == 0 && suffix.len() > 1;
    Some(match usize::try_from((power - SMALLEST) / 3) {
        _ if is_exponent && power != 0 => format!("{digits}e{power}"),
        Ok(index) => format!("{digits}{}", DECIMAL[index]),
        Err(_) => return None,
    })
}

impl Number {
    /// Whole digits that do not end with zero, and the power of ten that they are multiplied by:
    /// at least the smallest one, to which it is rounded, away from zero.
    #[inline]
    fn in_tens(&self) -> Option<(i128, i128)> {
        if self.digits.is_empty() {
            return Some((0, 0));
        }
        let mut power = self.magnitude - super::wide(self.digits.len());
        let mut digits = if power < SMALLEST {
            power = SMALLEST;
            i128::from(self.times_ten_to(-SMALLEST)?)
        } else {
            let add = |sum: i128, digit: &u8| sum.checked_mul(10)?.checked_add(i128::from(*digit));
            let whole = self.digits.iter().try_fold(0, add)?;
            if self.negative { -whole } else { whole }
        };
        while digits % 10 == 0 {
            digits /= 10;
            power += 1;
        }
        Some((digits, power))
    }
}

/// The spelling with a power of 1024. `None` if the quantity is small, or has a fraction.
#[inline]
fn in_binary(digits: i128, power: i128) -> Option<String> {
    let factor = 10_i128.checked_pow(u32::try_from(power).ok()?)?;
    let mut whole = digits.checked_mul(factor)?;
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
