//! The key of a server, which signs its tokens.

use hmac_sha256::HMAC;
use std::fmt;
use std::hash::{BuildHasher, RandomState};

/// The key of signatures. Each server has its own.
#[derive(Clone)]
pub(crate) struct Secret([u8; 32]);

impl Default for Secret {
    fn default() -> Self {
        // The only randomness of the standard library.
        let words = std::array::from_fn::<_, 4, _>(|word| RandomState::new().hash_one(word));
        let mut key = [0; 32];
        for (bytes, word) in key.chunks_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        Self(key)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    /// The signature of a message: its HMAC with SHA-256.
    pub(crate) fn sign(&self, message: &[u8]) -> [u8; 32] {
        HMAC::mac(message, self.0.as_slice())
    }
}
