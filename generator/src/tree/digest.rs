//! Whether a file is still as it was written.

use crate::hash::fnv;

/// A digest of a file, to detect changes. It need not resist attackers, who could change the
/// digest, too. Line endings do not count, since git may change them.
pub(super) fn digest(bytes: &[u8]) -> String {
    format!("{:016x}", fnv(with_line_feeds(bytes)))
}

/// Whether two files are equal apart from line endings.
pub(super) fn is_same(one: &[u8], other: &[u8]) -> bool {
    one == other || with_line_feeds(one).eq(with_line_feeds(other))
}

/// The bytes without the carriage returns of line endings.
fn with_line_feeds(bytes: &[u8]) -> impl Iterator<Item = u8> {
    let kept = bytes
        .iter()
        .enumerate()
        .filter(|(at, byte)| **byte != b'\r' || bytes.get(at + 1) != Some(&b'\n'));
    kept.map(|(_, byte)| *byte)
}

#[cfg(test)]
mod tests {
    use super::{digest, is_same};

    /// The values that the authors of the function publish.
    #[test]
    fn digests_are_those_of_fnv_1a() {
        for (text, expected) in
            [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")]
        {
            assert_eq!(digest(text.as_bytes()), expected);
        }
    }

    #[test]
    fn line_endings_do_not_count() {
        assert_eq!(digest(b"a\r\nb\r\n"), digest(b"a\nb\n"));
        assert_ne!(digest(b"a\rb"), digest(b"ab"));
        assert!(
            is_same(b"a\r\nb\r\n", b"a\nb\n") && !is_same(b"a\rb", b"ab") && !is_same(b"a\n", b"a")
        );
    }
}
