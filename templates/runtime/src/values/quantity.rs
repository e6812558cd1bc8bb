use crate::codec::ScalarType;
use crate::codec::number::float;
use crate::codec::value::{Expected, Scalar, Slot, Value, View};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

pub(super) mod number;

use number::{Number, is_quantity};

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
/// On the wire it is a JSON string, and is also decoded from a JSON number. Of a number it keeps all digits if it is
/// decoded from JSON, by this crate or by `serde_json`; formats and trees that hold numbers as floats, such as YAML and
/// `serde_json::Value`, give it the digits of a float. A server responds with its own spelling of
/// the same value: `"1.5Gi"` becomes `"1536Mi"`. Therefore `==`, `<` and hashes compare the value, exactly and at any
/// length, and [`as_str`](Self::as_str) returns the string. The default, and the value of `null`, is `0`.
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

    #[inline]
    fn number(&self) -> Number {
        Number::of(self.as_str()).expect("a quantity is only made of text that was checked")
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
        // `{:?}` and not `{}`: both are the shortest digits, but this one turns to an exponent before there are
        // hundreds of zeros. A number that is not finite is no quantity either way.
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

#[cfg(test)]
mod tests;
