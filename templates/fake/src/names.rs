//! Names, identifiers and times that a server generates. They are the same in every run.

use kapigen_runtime::jiff::Timestamp;
use kapigen_runtime::jiff::tz::Offset;

/// Characters of generated names: no vowels, so that they form no words.
const ALPHABET: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";

/// The longest prefix of a generated name.
const LONGEST_PREFIX: usize = 58;

/// Generates names and identifiers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    uids: u64,
    suffixes: u64,
}

impl Names {
    /// The next identifier, `00000000-0000-4000-8000-000000000001` and so on.
    pub(crate) fn uid(&mut self) -> String {
        self.uids += 1;
        format!("00000000-0000-4000-8000-{:012x}", self.uids)
    }

    /// The prefix, truncated if it is too long, and five characters.
    pub(crate) fn generate(&mut self, prefix: &str) -> String {
        self.suffixes += 1;
        let mut bits = mix(self.suffixes);
        let mut name: String = prefix.chars().take(LONGEST_PREFIX).collect();
        for _ in 0..5 {
            let length = ALPHABET.len() as u64;
            name.push(char::from(ALPHABET[usize::try_from(bits % length).unwrap_or_default()]));
            bits /= length;
        }
        name
    }
}

/// Spreads a counter over all bits (splitmix64).
pub(crate) fn mix(counter: u64) -> u64 {
    let z = counter.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The time, rounded down to a second.
pub(crate) fn whole_second(now: Timestamp) -> Timestamp {
    Timestamp::from_second(now.as_second() - i64::from(now.subsec_nanosecond() < 0)).unwrap_or(now)
}

/// A time as metadata has it: whole seconds in UTC.
pub(crate) fn time(now: Timestamp) -> String {
    let time = Offset::UTC.to_datetime(now);
    let date = time.date();
    let hour = time.hour();
    let minute = time.minute();
    let second = time.second();
    format!(
        "{:04}-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z",
        date.year(),
        date.month(),
        date.day()
    )
}
