//! Random numbers that are the same in every run.

/// The random number of a seed with this position, which counts from 1: `SplitMix64`.
#[must_use]
#[inline]
pub fn random(seed: u64, position: u64) -> u64 {
    let bits = seed.wrapping_add(position.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
