//! Copies of strings that need no escape.

use super::string::{HIGHEST, special_or_not_ascii};

/// The length up to which [`copy_short`] copies strings.
pub(crate) const LONGEST_SHORT: usize = 32;

/// Copies at most [`LONGEST_SHORT`] bytes to a slice of the same length. Returns whether all are ASCII and need no
/// escape in a JSON string.
///
/// Copies and checks at once, so that there is one decision by the length.
#[inline]
#[allow(clippy::many_single_char_names)] // the bytes of a block
pub(crate) fn copy_short(from: &[u8], to: &mut [u8]) -> bool {
    let length = from.len();
    debug_assert!(length <= LONGEST_SHORT && length == to.len());
    // The last block overlaps the one before it, unless they fit.
    let marks = if let (Some(first), Some(last)) = (from.first_chunk::<16>(), from.last_chunk::<16>()) {
        to[..16].copy_from_slice(first);
        to[length - 16..].copy_from_slice(last);
        marks_of(first) | marks_of(last)
    } else if let (Some(first), Some(last)) = (from.first_chunk::<8>(), from.last_chunk::<8>()) {
        to[..8].copy_from_slice(first);
        to[length - 8..].copy_from_slice(last);
        marks_of(first) | marks_of(last)
    } else if let (Some(first), Some(last)) = (from.first_chunk::<4>(), from.last_chunk::<4>()) {
        to[..4].copy_from_slice(first);
        to[length - 4..].copy_from_slice(last);
        let ([a, b, c, d], [e, f, g, h]) = (*first, *last);
        marks_of(&[a, b, c, d, e, f, g, h])
    } else if let (Some(&first), Some(&middle), Some(&last)) = (from.first(), from.get(length / 2), from.last()) {
        to[0] = first;
        to[length / 2] = middle;
        to[length - 1] = last;
        marks_of(&[first, middle, last, first, first, first, first, first])
    } else {
        0
    };
    marks & HIGHEST == 0
}

/// The same for at least 16 bytes.
#[inline]
pub(crate) fn copy_long(from: &[u8], to: &mut [u8]) -> bool {
    debug_assert_eq!(from.len(), to.len());
    let (Some(last), Some(to_last)) = (from.last_chunk::<16>(), to.last_chunk_mut()) else { return false };
    *to_last = *last;
    let blocks = from.as_chunks::<16>().0.iter().zip(to.as_chunks_mut().0);
    let marks = blocks.fold(marks_of(last), |marks, (block, to)| {
        *to = *block;
        marks | marks_of(block)
    });
    marks & HIGHEST == 0
}

/// Marks if any byte is not ASCII or needs an escape in a JSON string. Only the highest bits are marks.
#[inline]
fn marks_of(bytes: &[u8]) -> u64 {
    bytes.as_chunks().0.iter().fold(0, |marks, bytes| {
        let word = u64::from_le_bytes(*bytes);
        marks | special_or_not_ascii(word) | word
    })
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_SHORT, copy_long, copy_short};

    #[test]
    fn copies_all_bytes_and_notices_special_ones_wherever_they_are() {
        for byte in 0..=0xff {
            let is_plain = (b' '..0x80).contains(&byte) && byte != b'"' && byte != b'\\';
            for length in (0..36).chain(46..52) {
                let copy_plain = if length <= LONGEST_SHORT { copy_short } else { copy_long };
                assert!(copy_plain(&vec![b'a'; length], &mut vec![0; length]));
                for at in 0..length {
                    let (mut text, mut copy) = (vec![b'a'; length], vec![0; length]);
                    text[at] = byte;
                    assert_eq!(copy_plain(&text, &mut copy), is_plain, "{text:?}");
                    assert_eq!(copy, text);
                }
            }
        }
    }
}
