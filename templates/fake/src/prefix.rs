//! Prefixes of strings as numbers, which compare faster.

/// The first eight bytes of a string as a number, in the order of strings. A shorter one is filled up with zeros.
///
/// It decides most comparisons, and does not have to be read from elsewhere in memory.
#[inline]
pub(crate) fn prefix(bytes: &[u8]) -> u64 {
    if let Some(chunk) = bytes.first_chunk() {
        return u64::from_be_bytes(*chunk);
    }
    let mut chunk = [0; 8];
    for (to, byte) in chunk.iter_mut().zip(bytes) {
        *to = *byte;
    }
    u64::from_be_bytes(chunk)
}

#[cfg(test)]
mod tests {
    use super::prefix;

    #[test]
    fn prefixes_are_in_the_order_of_their_strings() {
        let sorted = ["", "\u{1}", "a", "a-b", "a.b", "aa", "abcdefgh", "abcdefgi", "b", "\u{e9}"];
        assert!(sorted.map(|text| prefix(text.as_bytes())).windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(prefix(b"abcdefgh"), prefix(b"abcdefgh-1"));
    }
}
