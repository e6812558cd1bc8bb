//! Quantities: amounts of resources.

mod canonical;
#[cfg(test)]
mod tests;

use crate::codec::ScalarType;
use crate::codec::builtin::float;
use crate::codec::value::{Expected, Scalar, Slot, Value, View};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

const EXPECTED: &str = "a quantity such as 500m, 2Gi or 1e3";

/// An amount of a resource: bytes of memory, processor cores.
///
/// Stands for the schema `io.k8s.apimachinery.pkg.api.resource.Quantity`.
///
/// It is a number with a suffix, and always keeps the string from which it was parsed:
///
/// | suffix | times |
/// |---|---|
/// | none | 1 |
/// | `n` `u` `m` | 10⁻⁹ 10⁻⁶ 10⁻³ |
/// | `k` `M` `G` `T` `P` `E` | 10³ 10⁶ 10⁹ 10¹² 10¹⁵ 10¹⁸ |
/// | `Ki` `Mi` `Gi` `Ti` `Pi` `Ei` | 1024, 1024² … 1024⁶ |
/// | `e` or `E` and an exponent | 10 to this power |
///
/// On the wire it is a JSON string, and is also decoded from a JSON number. It keeps all digits of
/// a number if it is decoded from JSON, by this crate or by `serde_json`; formats and trees that
/// hold numbers as floats, such as YAML and `serde_json::Value`, give it the digits of a float. A
/// server responds with its own spelling of the same value: `"1.5Gi"` becomes `"1536Mi"`. Therefore
/// `==`, `<` and hashes compare the value, exactly and at any length, and [`as_str`](Self::as_str)
/// returns the string. The default, and the value of `null`, is `0`.
///
/// ```
/// use kapigen_runtime::meta_v1::Quantity;
///
/// let memory: Quantity = "1.5Gi".parse()?;
/// assert_eq!(memory.value(), Some(1_610_612_736));
/// assert_eq!(memory, "1536Mi".parse()?);
/// assert_eq!(memory.as_str(), "1.5Gi");
/// let cores: Quantity = "250m".parse()?;
/// assert_eq!((cores.milli_value(), cores.to_f64()), (Some(250), 0.25));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
// The empty string is `0`, so that a value that is about to be decoded needs no memory.
pub struct Quantity(Box<str>);

impl Quantity {
    /// The string from which it was parsed, without surrounding white space.
    #[must_use]
    pub fn as_str(&self) -> &str {
        if self.0.is_empty() { "0" } else { &self.0 }
    }

    /// The value as a whole number, rounded away from zero. `None` if it does not fit.
    #[must_use]
    #[inline]
    pub fn value(&self) -> Option<i64> {
        self.number().times_ten_to(0)
    }

    /// The value in thousandths, rounded away from zero: 1500 for `1.5`. `None` if it does not fit.
    #[must_use]
    #[inline]
    pub fn milli_value(&self) -> Option<i64> {
        self.number().times_ten_to(3)
    }

    /// The nearest floating point number; infinite if the value is beyond all of them.
    #[must_use]
    #[inline]
    pub fn to_f64(&self) -> f64 {
        self.number().to_f64()
    }

    /// The quantity as servers spell it: with as few digits as possible and no fraction, in powers of
    /// 1024 or with an exponent if this one is. Less than a billionth is rounded away from zero. A
    /// quantity of more than 38 digits keeps its spelling.
    ///
    /// ```
    /// use kapigen_runtime::meta_v1::Quantity;
    ///
    /// let spelled = |text: &str| text.parse().map(|quantity: Quantity| quantity.canonical().to_string());
    /// assert_eq!(spelled("1.5Gi")?, "1536Mi");
    /// assert_eq!(spelled("0.5")?, "500m");
    /// assert_eq!(spelled("1000000")?, "1M");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn canonical(&self) -> Self {
        canonical::canonical(self.as_str()).map_or_else(|| self.clone(), |text| Self(text.into()))
    }

    #[inline]
    fn number(&self) -> Number {
        Number::parse(self.as_str()).expect("a quantity is only made of text that was checked")
    }
}

/// The number zero.
impl Default for Quantity {
    #[inline]
    fn default() -> Self {
        Quantity(Box::default())
    }
}

/// Surrounding white space is dropped.
impl FromStr for Quantity {
    type Err = Expected;

    fn from_str(text: &str) -> Result<Self, Expected> {
        let fits = [text, text.trim()].into_iter().find(|text| is_quantity(text));
        fits.map(|text| Quantity(text.into())).ok_or(Expected(EXPECTED))
    }
}

/// Surrounding white space is dropped.
impl TryFrom<&str> for Quantity {
    type Error = Expected;

    #[inline]
    fn try_from(text: &str) -> Result<Self, Expected> {
        text.parse()
    }
}

/// Surrounding white space is dropped.
impl TryFrom<String> for Quantity {
    type Error = Expected;

    #[inline]
    fn try_from(text: String) -> Result<Self, Expected> {
        if is_quantity(&text) { Ok(Quantity(text.into())) } else { text.parse() }
    }
}

impl From<i64> for Quantity {
    #[inline]
    fn from(number: i64) -> Self {
        Quantity(number.to_string().into())
    }
}

impl From<i32> for Quantity {
    #[inline]
    fn from(number: i32) -> Self {
        i64::from(number).into()
    }
}

impl From<u32> for Quantity {
    #[inline]
    fn from(number: u32) -> Self {
        i64::from(number).into()
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Quantity({})", self.as_str())
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Quantity {}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.0 == other.0 { Ordering::Equal } else { self.number().cmp(&other.number()) }
    }
}

impl Hash for Quantity {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number().hash(state);
    }
}

impl Scalar for Quantity {
    fn read_text(&mut self, text: &str) -> Result<(), Expected> {
        *self = text.parse()?;
        Ok(())
    }

    fn read_int(&mut self, number: i64) -> Result<(), Expected> {
        *self = number.into();
        Ok(())
    }

    fn read_float(&mut self, number: f64) -> Result<(), Expected> {
        // `{:?}` and not `{}`: both are the shortest digits, but this one turns to an exponent
        // before there are hundreds of zeros. A number that is not finite is not a quantity either
        // way.
        *self = format!("{number:?}").parse()?;
        Ok(())
    }

    fn read_number(&mut self, literal: &str) -> Result<(), Expected> {
        // The same limit as for all numbers: most formats have none beyond it.
        float(literal)?;
        *self = literal.parse()?;
        Ok(())
    }

    fn clear(&mut self) {
        *self = Self::default();
    }

    fn keeps_spelling(&self) -> bool {
        true
    }

    fn is_stated_empty(&self) -> bool {
        &*self.0 == "0"
    }

    fn scalar_type(&self) -> ScalarType {
        ScalarType::IntOrString
    }
}

impl Value for Quantity {
    fn empty() -> Self {
        Self::default()
    }

    fn slot(&mut self, _: bool) -> Slot<'_> {
        Slot::Scalar(self)
    }

    fn view(&self) -> View<'_> {
        if self.0.is_empty() { View::Zero("0") } else { View::Str(&self.0) }
    }
}

serde_of_scalar!(Quantity, EXPECTED);

/// Whether a string follows the grammar. It is the documented one: Go's code also accepts strings
/// without any digit.
fn is_quantity(text: &str) -> bool {
    Parts::parse(text).is_some()
}

/// The parts of a quantity: ±`whole`.`fraction` · 1024^`kilo` · 10^`exponent`, of which the suffix
/// states the powers.
struct Parts<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    kilo: u32,
    exponent: i64,
    suffix: &'a str,
}

impl<'a> Parts<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let negative = text.starts_with('-');
        let (whole, rest) = digits(text.strip_prefix(['+', '-']).unwrap_or(text));
        let (fraction, suffix) = rest.strip_prefix('.').map_or(("", rest), digits);
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let (kilo, exponent) = scale(suffix)?;
        Some(Parts { negative, whole, fraction, kilo, exponent, suffix })
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

/// A value in the one form it has: ±0.`digits` · 10^`magnitude`, with no zero at either end of the
/// digits. The exponent is never multiplied out, so a large one costs nothing.
#[derive(PartialEq, Eq, Hash)]
pub(in crate::values) struct Number {
    negative: bool,
    /// The least there is for zero, which has no digits, so that it is below everything else.
    magnitude: i128,
    /// Each 0 to 9.
    digits: Vec<u8>,
}

impl Number {
    pub(in crate::values) fn parse(text: &str) -> Option<Self> {
        let Parts { negative, whole, fraction, kilo, exponent, .. } = Parts::parse(text)?;
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
    fn times_ten_to(&self, power: i128) -> Option<i64> {
        if self.digits.is_empty() {
            return Some(0);
        }
        // No i64 has more than 19 digits before the point, and 20 of them are far from an overflow
        // below.
        let point = usize::try_from((self.magnitude + power).clamp(0, 20)).ok()?;
        let digit = |index| self.digits.get(index).copied().unwrap_or(0);
        let whole = (0..point).fold(0, |sum: i128, index| sum * 10 + i128::from(digit(index)));
        let away = whole + i128::from(self.digits.len() > point);
        i64::try_from(if self.negative { -away } else { away }).ok()
    }

    /// The nearest, or an infinity.
    #[inline]
    fn to_f64(&self) -> f64 {
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
        // Digits compare like strings: of two with a common beginning, the longer fraction is
        // larger.
        let size =
            self.magnitude.cmp(&other.magnitude).then_with(|| self.digits.cmp(&other.digits));
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
