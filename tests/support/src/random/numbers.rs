//! Random numbers.

/// Random numbers that are the same for the same seed: `SplitMix64`.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Begins with a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, or 0 if there is none.
    pub fn below<N: TryFrom<u64> + Default>(&mut self, end: N) -> N
    where
        u64: TryFrom<N>,
    {
        let end = u64::try_from(end).unwrap_or_default().max(1);
        N::try_from(self.number() % end).unwrap_or_default()
    }
}
