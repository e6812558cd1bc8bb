//! Numbers as JSON spells them, and as values of Rust.

use super::value::Expected;

/// The integer of 64 bits that a JSON number is, if it is one. Only a float can hold the sign of `-0`.
#[inline(never)]
pub(crate) fn integer(literal: &str) -> Option<i64> {
    literal.parse().ok().filter(|_| literal != "-0")
}

/// The nearest float to a JSON number.
#[inline(never)]
pub(crate) fn float(literal: &str) -> Result<f64, Expected> {
    literal.parse().ok().filter(|number| f64::is_finite(*number)).ok_or(Expected("a number of 64 bits"))
}

/// The whole number that a float is, to encode it as `1` and not `1.0`: servers do so, and `1.0` is not the same in
/// every comparison of JSON.
pub(crate) fn whole(value: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
    let is_whole = value.fract() == 0.0 && value.abs() <= EXACT && !(value == 0.0 && value.is_sign_negative());
    #[allow(clippy::cast_possible_truncation)] // whole and below 2^53
    is_whole.then_some(value as i64)
}
