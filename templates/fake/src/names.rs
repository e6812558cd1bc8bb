//! Names, identifiers and times that a server generates. They are the same in every run.

use kapigen_runtime::__private::random;
use kapigen_runtime::jiff::Timestamp;
use kapigen_runtime::meta_v1::Time;

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
        let mut bits = random(0, self.suffixes);
        let mut name: String = prefix.chars().take(LONGEST_PREFIX).collect();
        for _ in 0..5 {
            let length = ALPHABET.len() as u64;
            name.push(char::from(ALPHABET[usize::try_from(bits % length).unwrap_or_default()]));
            bits /= length;
        }
        name
    }
}

/// The time, rounded down to a second.
pub(crate) fn whole_second(now: Timestamp) -> Timestamp {
    Time::from(now).timestamp()
}

/// A time as metadata has it: whole seconds in UTC.
pub(crate) fn time(now: Timestamp) -> String {
    Time::from(now).to_string()
}
