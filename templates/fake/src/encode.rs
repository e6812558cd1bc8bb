//! Trees as JSON, as servers write them.

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};
use std::io;

/// A tree as JSON, with its members in their order.
pub(crate) fn encode(tree: &Value) -> Vec<u8> {
    let mut json = Vec::with_capacity(1024);
    let written = tree.serialize(&mut Serializer::with_formatter(&mut json, GoFormatter));
    debug_assert!(written.is_ok(), "memory takes all bytes, and names are strings");
    json
}

/// Compact JSON with numbers as Go writes them.
struct GoFormatter;

impl Formatter for GoFormatter {
    /// Writes a number without a fraction if it has none, and with an exponent if it is very large
    /// or small.
    fn write_f64<W: io::Write + ?Sized>(&mut self, writer: &mut W, float: f64) -> io::Result<()> {
        let size = float.abs();
        if size == 0.0 || (1e-6..1e21).contains(&size) {
            return write!(writer, "{float}");
        }
        let text = format!("{float:e}");
        let exponent = if size >= 1e21 { "e+" } else { "e" };
        writer.write_all(text.replace('e', exponent).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::encode;
    use serde_json::json;

    #[test]
    fn floats_are_encoded_as_go_does() {
        let numbers = json!([1.0, 1.5e300, -0.0, 1e-7, 1e20, 1e21, 123_456.789, 0.000_001]);
        let expected = "[1,1.5e+300,-0,1e-7,100000000000000000000,1e+21,123456.789,0.000001]";
        assert_eq!(String::from_utf8(encode(&numbers)).unwrap(), expected);
    }
}
