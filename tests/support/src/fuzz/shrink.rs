//! Small bodies from large ones.

/// The largest number of bodies to try.
const MOST: usize = 20_000;

/// Removes pieces, large ones first, as long as the body stays of interest.
pub(super) fn shrunk(text: &[u8], is_of_interest: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut text = text.to_vec();
    let mut size = text.len().div_ceil(2);
    let mut tries = 0;
    while size > 0 && tries < MOST {
        let before = text.len();
        let mut at = 0;
        while at < text.len() && tries < MOST {
            let end = (at + size).min(text.len());
            let less = [&text[..at], &text[end..]].concat();
            tries += 1;
            if is_of_interest(&less) {
                text = less;
            } else {
                at += size;
            }
        }
        // A piece that was needed may not be when another one is gone.
        let is_smaller = text.len() < before;
        size = if size == 1 && is_smaller { 1 } else { size / 2 };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::shrunk;

    #[test]
    fn what_is_not_needed_is_gone() {
        let text: Vec<u8> = (0..=255).cycle().take(2000).collect();
        let small = shrunk(&text, |text| [7, 9, 200].iter().all(|byte| text.contains(byte)));
        assert_eq!(small.len(), 3, "{small:?}");
        assert_eq!(shrunk(b"abc", |_| true), b"");
        assert_eq!(shrunk(b"abc", |text| text == b"abc"), b"abc");
    }
}
