//! Bytes, which are base64 on the wire.

use crate::codec::value::{Expected, Scalar, Slot, Value, View};
use crate::codec::{Formatted, ScalarType};
use base64::Engine;
use base64::alphabet;
use base64::display::Base64Display;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use std::fmt;
use std::ops::Deref;

const EXPECTED: &str = "base64 text with padding";

/// `STANDARD`, but like Go it ignores bits after the last byte: a client can decode all that a
/// server accepts.
const ENGINE: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// Bytes, such as a value of a `Secret`.
///
/// Stands for schemas of type `string` and format `byte`.
///
/// On the wire it is a JSON string: base64 with the standard alphabet and padding. In here, and in
/// the conversions, are always the decoded bytes. Line breaks inside the base64 are skipped; any
/// other text is an error. `null` is read as no bytes.
///
/// `Display` writes the base64. `Debug` shows only the length, since the bytes may be a secret, and
/// so does `Debug` of every object that holds them. No error quotes them.
///
/// ```
/// use kapigen_runtime::meta_v1::ByteString;
///
/// let password = ByteString::from(b"secret");
/// assert_eq!(password.len(), 6);
/// assert_eq!(serde_json::to_string(&password).unwrap(), r#""c2VjcmV0""#);
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteString(pub Vec<u8>);

impl From<Vec<u8>> for ByteString {
    fn from(bytes: Vec<u8>) -> Self {
        ByteString(bytes)
    }
}

impl From<&[u8]> for ByteString {
    fn from(bytes: &[u8]) -> Self {
        ByteString(bytes.to_vec())
    }
}

/// For literals: `ByteString::from(b"user")`.
impl<const N: usize> From<&[u8; N]> for ByteString {
    fn from(bytes: &[u8; N]) -> Self {
        ByteString(bytes.to_vec())
    }
}

impl From<ByteString> for Vec<u8> {
    fn from(bytes: ByteString) -> Self {
        bytes.0
    }
}

impl Deref for ByteString {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for ByteString {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// The base64 of the bytes, as on the wire.
impl fmt::Display for ByteString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Base64Display::new(&self.0, &ENGINE).fmt(f)
    }
}

impl fmt::Debug for ByteString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ByteString({} bytes)", self.0.len())
    }
}

impl Scalar for ByteString {
    fn read_text(&mut self, text: &str) -> Result<(), Expected> {
        let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let decoded = if text.as_bytes().iter().any(is_break) {
            ENGINE.decode(text.bytes().filter(|byte| !is_break(byte)).collect::<Vec<u8>>())
        } else {
            ENGINE.decode(text)
        };
        self.0 = decoded.map_err(|_| Expected(EXPECTED))?;
        Ok(())
    }

    fn read_int(&mut self, _: i64) -> Result<(), Expected> {
        Err(Expected(EXPECTED))
    }

    fn read_float(&mut self, _: f64) -> Result<(), Expected> {
        Err(Expected(EXPECTED))
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn is_secret(&self) -> bool {
        true
    }

    fn scalar_type(&self) -> ScalarType {
        ScalarType::Format("byte")
    }
}

impl Formatted for ByteString {}

impl Value for ByteString {
    fn empty() -> Self {
        Self::default()
    }

    fn slot(&mut self, _: bool) -> Slot<'_> {
        Slot::Scalar(self)
    }

    fn view(&self) -> View<'_> {
        View::Display(self)
    }
}

serde_of_scalar!(ByteString, EXPECTED);

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<ByteString, serde_json::Error> {
        serde_json::from_str(json)
    }

    #[test]
    fn round_trip() {
        let cases: [(&str, &[u8]); 6] = [
            (r#""""#, b""),
            (r#""AQ==""#, &[1]),
            (r#""AQI=""#, &[1, 2]),
            (r#""AQID""#, &[1, 2, 3]),
            (r#""+/8=""#, &[0xfb, 0xff]),
            (r#""aHVudGVyMg==""#, b"hunter2"),
        ];
        for (json, bytes) in cases {
            assert_eq!(read(json).unwrap(), ByteString::from(bytes), "{json}");
            assert_eq!(serde_json::to_string(&ByteString::from(bytes)).unwrap(), json);
        }
    }

    #[test]
    fn every_byte_and_length_round_trips() {
        let all: Vec<u8> = (0..=255).collect();
        for length in 0..=all.len() {
            let bytes = ByteString::from(&all[..length]);
            assert_eq!(read(&serde_json::to_string(&bytes).unwrap()).unwrap(), bytes);
        }
    }

    #[test]
    fn takes_what_go_takes() {
        let cases: [(&str, &[u8]); 6] = [
            (r#""AQ\nID""#, &[1, 2, 3]),
            (r#""AQ\r\n==\n""#, &[1]),
            (r#""\n""#, b""),
            (r#""AR==""#, &[1]),
            (r#""AQJ=""#, &[1, 2]),
            ("null", b""),
        ];
        for (json, bytes) in cases {
            assert_eq!(read(json).unwrap(), ByteString::from(bytes), "{json}");
        }
    }

    #[test]
    fn refuses_everything_else() {
        let texts = [
            r#""AQ""#,
            r#""AQ=""#,
            r#""AQ ==""#,
            r#""\tAQ==""#,
            r#""-_8=""#,
            r#""AQ==AQ==""#,
            r#""=""#,
        ];
        for json in texts.into_iter().chain(["1", "1.5", "true", "[1]", "{}"]) {
            let message = read(json).unwrap_err().to_string();
            assert!(message.contains("expected base64 text with padding"), "{json}: {message}");
        }
    }

    #[test]
    fn a_refused_text_changes_nothing() {
        let mut bytes = ByteString::from(b"old");
        assert_eq!(bytes.read_text("?"), Err(Expected(EXPECTED)));
        assert_eq!(*bytes, *b"old");
    }

    #[test]
    fn debug_does_not_tell_secrets() {
        assert_eq!(format!("{:?}", ByteString::from(b"hunter2")), "ByteString(7 bytes)");
        assert_eq!(ByteString::from(b"hunter2").to_string(), "aHVudGVyMg==");
    }
}
