//! Values that are the same in every run.

#[path = "../../support/src/random/numbers.rs"]
mod numbers;

pub use numbers::Random;

impl Random {
    /// So many hexadecimal digits.
    pub fn hex(&mut self, digits: usize) -> String {
        let blocks = (0..digits.div_ceil(16)).map(|_| format!("{:016x}", self.number()));
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
