//! Seeds of random numbers.

use std::hash::{BuildHasher, RandomState};

/// A seed that differs between programs, from the random keys of hash maps.
pub(crate) fn random() -> u64 {
    RandomState::new().hash_one(())
}
