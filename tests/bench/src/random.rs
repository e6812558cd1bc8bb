//! Numbers that are the same in every run.

/// `SplitMix64`: a few lines, and good enough to make inputs differ.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below this one.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// So many hexadecimal digits.
    pub fn hex(&mut self, digits: usize) -> String {
        let blocks = (0..digits.div_ceil(16)).map(|_| format!("{:016x}", self.next()));
        blocks.collect::<String>()[..digits].to_owned()
    }

    pub fn uid(&mut self) -> String {
        [8, 4, 4, 4, 12].map(|digits| self.hex(digits)).join("-")
    }

    pub fn time(&mut self) -> String {
        let mut two = |first: u64, end: u64| format!("{:02}", first + self.below(end));
        format!("2026-{}-{}T{}:{}:{}Z", two(1, 12), two(1, 28), two(0, 24), two(0, 60), two(0, 60))
    }
}
