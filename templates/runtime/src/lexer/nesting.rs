//! The objects and arrays around a value.

/// The open objects and arrays, of any number: a stack of which each entry takes one bit.
pub(super) struct Nesting {
    /// The innermost ones, below a bit that marks the end: 1 for an object, 0 for an array.
    innermost: u64,
    /// Full words of those around them.
    outer: Vec<u64>,
}

/// A word without entries.
const EMPTY: u64 = 1;

impl Default for Nesting {
    fn default() -> Self {
        Self { innermost: EMPTY, outer: Vec::new() }
    }
}

impl Nesting {
    /// Opens an object or an array.
    #[inline]
    pub(super) fn open(&mut self, is_object: bool) {
        if self.innermost >> 63 != 0 {
            self.outer.push(self.innermost);
            self.innermost = EMPTY;
        }
        self.innermost = self.innermost << 1 | u64::from(is_object);
    }

    /// Closes the innermost one.
    #[inline]
    pub(super) fn close(&mut self) {
        self.innermost >>= 1;
        if self.innermost == EMPTY {
            self.innermost = self.outer.pop().unwrap_or(EMPTY);
        }
    }

    /// Whether nothing is open.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.innermost == EMPTY
    }

    /// Whether the innermost one is an object. Something must be open.
    #[inline]
    pub(super) fn is_in_object(&self) -> bool {
        self.innermost & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::Nesting;

    #[test]
    fn closes_in_reverse_order_at_any_depth() {
        let is_object = |level: usize| matches!(level % 7, 0 | 2 | 3);
        for depth in 0..200 {
            let mut nesting = Nesting::default();
            (0..depth).for_each(|level| nesting.open(is_object(level)));
            for level in (0..depth).rev() {
                assert!(!nesting.is_empty(), "{level} of {depth}");
                assert_eq!(nesting.is_in_object(), is_object(level), "{level} of {depth}");
                nesting.close();
            }
            assert!(nesting.is_empty(), "{depth}");
        }
    }
}
