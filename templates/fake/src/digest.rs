//! SHA-256 (FIPS 180-4), for the hashes in discovery and for signatures.

use std::fmt;
use std::hash::{BuildHasher, RandomState};

/// The first 32 bits of the fractional parts of the square roots of the first 8 primes.
const START: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
const ROUNDS: [u32; 64] = [
    0x428a_2f98,
    0x7137_4491,
    0xb5c0_fbcf,
    0xe9b5_dba5,
    0x3956_c25b,
    0x59f1_11f1,
    0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98,
    0x1283_5b01,
    0x2431_85be,
    0x550c_7dc3,
    0x72be_5d74,
    0x80de_b1fe,
    0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1,
    0xefbe_4786,
    0x0fc1_9dc6,
    0x240c_a1cc,
    0x2de9_2c6f,
    0x4a74_84aa,
    0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152,
    0xa831_c66d,
    0xb003_27c8,
    0xbf59_7fc7,
    0xc6e0_0bf3,
    0xd5a7_9147,
    0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85,
    0x2e1b_2138,
    0x4d2c_6dfc,
    0x5338_0d13,
    0x650a_7354,
    0x766a_0abb,
    0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1,
    0xa81a_664b,
    0xc24b_8b70,
    0xc76c_51a3,
    0xd192_e819,
    0xd699_0624,
    0xf40e_3585,
    0x106a_a070,
    0x19a4_c116,
    0x1e37_6c08,
    0x2748_774c,
    0x34b0_bcb5,
    0x391c_0cb3,
    0x4ed8_aa4a,
    0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee,
    0x78a5_636f,
    0x84c8_7814,
    0x8cc7_0208,
    0x90be_fffa,
    0xa450_6ceb,
    0xbef9_a3f7,
    0xc671_78f2,
];

/// The digest of a text.
pub(crate) fn sha256(text: &[u8]) -> [u8; 32] {
    let mut padded = text.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend_from_slice(&(8 * text.len() as u64).to_be_bytes());
    let mut state = START;
    for block in padded.chunks_exact(64) {
        compress(&mut state, block);
    }
    let mut digest = [0; 32];
    for (bytes, word) in digest.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

fn compress(state: &mut [u32; 8], block: &[u8]) {
    let mut words = [0; 64];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    for index in 16..64 {
        let old = words[index - 15];
        let new = words[index - 2];
        let old = u32::rotate_right(old, 7) ^ u32::rotate_right(old, 18) ^ (old >> 3);
        let new = u32::rotate_right(new, 17) ^ u32::rotate_right(new, 19) ^ (new >> 10);
        words[index] =
            words[index - 16].wrapping_add(old).wrapping_add(words[index - 7]).wrapping_add(new);
    }
    let mut work = *state;
    for (round, word) in ROUNDS.iter().zip(words) {
        let mixed = work[4].rotate_right(6) ^ work[4].rotate_right(11) ^ work[4].rotate_right(25);
        let chosen = (work[4] & work[5]) ^ (!work[4] & work[6]);
        let first = work[7]
            .wrapping_add(mixed)
            .wrapping_add(chosen)
            .wrapping_add(*round)
            .wrapping_add(word);
        let mixed = work[0].rotate_right(2) ^ work[0].rotate_right(13) ^ work[0].rotate_right(22);
        let majority = (work[0] & work[1]) ^ (work[0] & work[2]) ^ (work[1] & work[2]);
        work.rotate_right(1);
        work[4] = work[4].wrapping_add(first);
        work[0] = first.wrapping_add(mixed).wrapping_add(majority);
    }
    for (sum, value) in state.iter_mut().zip(work) {
        *sum = sum.wrapping_add(value);
    }
}

/// The bytes of a block that is hashed.
const BLOCK: usize = 64;

/// The key of signatures. Each server has its own.
#[derive(Clone)]
pub(crate) struct Secret([u8; BLOCK]);

impl Default for Secret {
    fn default() -> Self {
        // The only randomness of the standard library.
        let words = std::array::from_fn::<_, 4, _>(|word| RandomState::new().hash_one(word));
        let mut key = [0; BLOCK];
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
    /// The signature of a message: its HMAC (RFC 2104).
    pub(crate) fn sign(&self, message: &[u8]) -> [u8; 32] {
        let padded = |pad: u8| self.0.map(|byte| byte ^ pad);
        let inner = sha256(&[&padded(0x36), message].concat());
        sha256(&[&padded(0x5c)[..], &inner].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::sha256;

    #[test]
    fn digests_are_those_of_the_standard() {
        let hex = |text: &[u8]| {
            sha256(text).iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"))
        };
        assert_eq!(hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let two_blocks = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(
            hex(two_blocks),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
    }
}
