//! The pairs of a query, as API servers read them.

use percent_encoding::percent_decode_str;
use std::borrow::Cow;

/// Splits a query at its ampersands, and decodes names and values: `+` is a space. Bytes that are
/// not UTF-8 are replaced.
#[inline]
pub fn pairs(query: &str) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
    query.split('&').filter(|pair| !pair.is_empty()).map(pair)
}

/// The name and the value of a pair. A pair without `=` has an empty value.
#[inline]
pub(super) fn pair(spelled: &str) -> (Cow<'_, str>, Cow<'_, str>) {
    let (name, value) = spelled.split_once('=').unwrap_or((spelled, ""));
    (decoded(name), decoded(value))
}

#[inline]
fn decoded(text: &str) -> Cow<'_, str> {
    // Nearly always there is nothing to decode.
    if text.contains(['%', '+']) {
        percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned().into()
    } else {
        text.into()
    }
}
