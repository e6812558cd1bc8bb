//! Whether a file is still as it was written.

/// A digest of a file: FNV-1a of 64 bits. It shows that somebody changed a file, which needs no protection from people
/// who mean harm: they could change the digest, too. Line endings do not count, since git may change those.
pub(super) fn digest(bytes: &[u8]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut bytes = bytes.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if byte == b'\r' && bytes.peek() == Some(&b'\n') {
            continue;
        }
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::digest;

    /// The values that the authors of the function publish.
    #[test]
    fn digests_are_those_of_fnv_1a() {
        for (text, expected) in [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")] {
            assert_eq!(digest(text.as_bytes()), expected);
        }
    }

    #[test]
    fn line_endings_do_not_count() {
        assert_eq!(digest(b"a\r\nb\r\n"), digest(b"a\nb\n"));
        assert_ne!(digest(b"a\rb"), digest(b"ab"));
    }
}
