//! A set of members of an object.

use std::iter;

/// Members of an object, by their indices.
#[derive(Clone, Default)]
pub(crate) struct MemberSet {
    pub(super) first: u64,
    /// Members from the 64th on, which few objects have.
    pub(super) rest: Vec<u64>,
}

impl MemberSet {
    /// Adds a member. Returns whether it was added already.
    #[inline]
    pub(crate) fn replace(&mut self, index: usize) -> bool {
        let word = if index < 64 { &mut self.first } else { self.far_word(index) };
        let bit = 1 << (index % 64);
        let before = *word;
        *word |= bit;
        before & bit != 0
    }

    /// Removes a member.
    pub(crate) fn remove(&mut self, index: usize) {
        let word = if index < 64 { &mut self.first } else { self.far_word(index) };
        *word &= !(1 << (index % 64));
    }

    #[cold]
    fn far_word(&mut self, index: usize) -> &mut u64 {
        let word = index / 64 - 1;
        if self.rest.len() <= word {
            self.rest.resize(word + 1, 0);
        }
        &mut self.rest[word]
    }

    pub(crate) fn contains(&self, index: usize) -> bool {
        let word = if index < 64 {
            self.first
        } else {
            self.rest.get(index / 64 - 1).copied().unwrap_or_default()
        };
        word & 1 << (index % 64) != 0
    }

    /// Whether all members of the other set are in this one.
    #[inline]
    pub(crate) fn includes(&self, other: &Self) -> bool {
        other.first & !self.first == 0 && self.includes_far(other)
    }

    /// The same of the members from the 64th on.
    #[inline]
    fn includes_far(&self, other: &Self) -> bool {
        let words = self.rest.iter().copied().chain(iter::repeat(0));
        other.rest.iter().zip(words).all(|(other, word)| other & !word == 0)
    }

    /// Whether the sets have a member from the 64th on in common.
    #[inline]
    pub(super) fn meets_far(&self, other: &Self) -> bool {
        self.rest.iter().zip(&other.rest).any(|(word, other)| word & other != 0)
    }

    /// Removes the first member, if its index is below this one. Returns it.
    #[inline]
    pub(super) fn take_below(&mut self, index: usize) -> Option<usize> {
        if self.first == 0 && self.rest.is_empty() {
            return None;
        }
        let first = self.next(0).filter(|first| *first < index)?;
        self.remove(first);
        Some(first)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.first == 0 && self.rest.iter().all(|word| *word == 0)
    }

    /// The members of this set that are not in the other one.
    pub(crate) fn minus(&self, other: &Self) -> Self {
        let mut rest = self.rest.clone();
        for (word, other) in rest.iter_mut().zip(&other.rest) {
            *word &= !other;
        }
        Self { first: self.first & !other.first, rest }
    }

    /// The indices, in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        let mut from = 0;
        iter::from_fn(move || {
            let index = self.next(from)?;
            from = index + 1;
            Some(index)
        })
    }

    /// The first index from this one on.
    fn next(&self, from: usize) -> Option<usize> {
        let mut at = from / 64;
        let mut word = self.word(at)? & (u64::MAX << (from % 64));
        while word == 0 {
            at += 1;
            word = self.word(at)?;
        }
        Some(64 * at + word.trailing_zeros() as usize)
    }

    fn word(&self, at: usize) -> Option<u64> {
        if at == 0 { Some(self.first) } else { self.rest.get(at - 1).copied() }
    }
}

impl FromIterator<usize> for MemberSet {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> Self {
        let mut set = Self::default();
        for index in indices {
            set.replace(index);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::MemberSet;

    #[test]
    fn members_beyond_the_64th_count_as_those_before() {
        let all = [0, 5, 63, 64, 100, 127, 128, 300];
        let mut set: MemberSet = all.into_iter().collect();
        assert!(set.iter().eq(all));
        for index in 0..400 {
            assert_eq!(set.contains(index), all.contains(&index), "{index}");
            let one = MemberSet::from_iter([index]);
            assert_eq!(set.includes(&one), all.contains(&index), "{index}");
            assert_eq!(one.minus(&set).is_empty(), all.contains(&index), "{index}");
        }
        for index in all {
            assert!(set.replace(index));
            set.remove(index);
            assert!(!set.replace(index));
            set.remove(index);
        }
        assert!(set.is_empty() && MemberSet::default().includes(&set));
    }
}
