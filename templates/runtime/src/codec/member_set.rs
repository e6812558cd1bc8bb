//! Sets of members.

/// Members of an object, by their indices.
#[derive(Clone, Default)]
pub(crate) struct MemberSet {
    first: u64,
    /// Those from the 64th on, which few objects have.
    rest: Vec<u64>,
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
        let word = if index < 64 { self.first } else { self.rest.get(index / 64 - 1).copied().unwrap_or_default() };
        word & 1 << (index % 64) != 0
    }

    /// Whether all members of the other set are in this one.
    #[inline]
    pub(crate) fn includes(&self, other: &Self) -> bool {
        other.first & !self.first == 0 && (other.rest.is_empty() || other.minus(self).is_empty())
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
        (0..64 * (1 + self.rest.len())).filter(|index| self.contains(*index))
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
