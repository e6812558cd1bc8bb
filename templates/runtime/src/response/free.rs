//! Responses that are JSON of no type of a document.

use super::{FromResponse, Head};
use crate::codec::json::{self, DecodeError};
use crate::codec::{Target, Value};
use crate::meta_v1::RawJson;
use serde::de::DeserializeOwned;

/// A response body of a type that serde deserializes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromResponse for Json<T> {
    #[inline]
    fn from_response(_: &Head<'_>, body: &[u8]) -> Result<Self, DecodeError> {
        serde_json::from_slice(body).map(Self).map_err(DecodeError::custom)
    }
}

/// Any JSON, as its text.
impl FromResponse for RawJson {
    #[inline]
    fn from_response(_: &Head<'_>, body: &[u8]) -> Result<Self, DecodeError> {
        let mut value = RawJson::empty();
        json::read(Target::Value(&mut value), body)?;
        Ok(value)
    }
}
