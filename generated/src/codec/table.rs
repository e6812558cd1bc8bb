//! What is known of a struct without an instance of it.

/// Name, members and kinds of a struct.
#[derive(Debug)]
pub struct Table {
    /// Name of the struct, for messages.
    pub name: &'static str,
    /// Wire names of the members.
    pub keys: Keys,
    /// The group-version-kinds that `apiVersion` and `kind` may name. Empty: any.
    pub identities: &'static [Identity],
}

/// A group-version-kind as it stands in an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// `group/version`, or just `version` in the core group.
    pub api_version: &'static str,
    /// The kind.
    pub kind: &'static str,
}

/// Wire names, made by the macro `keys`, and the way to find one of them. All of it is data that is ready when a
/// program starts: a `match` on strings for every struct would take longer to compile than everything else about it.
#[derive(Clone, Copy, Debug)]
pub struct Keys {
    pub(crate) names: &'static [&'static str],
    /// The names as they stand in JSON.
    pub(crate) ready: &'static [Ready],
    /// A hash table of the names: their indices, each plus one, and 0 where there is none.
    places: &'static [u16],
}

impl Keys {
    /// These names, in this order; the same, ready to be written; and [`places`] of them.
    #[must_use]
    pub const fn new(names: &'static [&'static str], ready: &'static [Ready], places: &'static [u16]) -> Self {
        Self { names, ready, places }
    }

    /// The index of a name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        let mut place = hash(name.as_bytes());
        loop {
            // There are twice as many places as names, so that one of them is free.
            let index = usize::from(self.places[place & (self.places.len() - 1)]).checked_sub(1)?;
            if self.names[index] == name {
                return Some(index);
            }
            place += 1;
        }
    }
}

/// How many places a hash table of so many names has: a power of two.
#[must_use]
pub const fn count_places(names: usize) -> usize {
    (2 * names + 1).next_power_of_two()
}

/// A hash table of names.
#[must_use]
pub const fn places<const N: usize>(names: &[&str]) -> [u16; N] {
    assert!(names.len() < 0xffff, "a struct has at most 65534 members");
    let mut places = [0; N];
    let mut index = 0;
    while index < names.len() {
        let mut place = hash(names[index].as_bytes());
        while places[place & (N - 1)] != 0 {
            place += 1;
        }
        index += 1;
        #[allow(clippy::cast_possible_truncation)] // see above
        {
            places[place & (N - 1)] = index as u16;
        }
    }
    places
}

/// Names of one struct differ in length, or in one of these bytes, almost always.
#[inline]
const fn hash(name: &[u8]) -> usize {
    let [first, .., last] = name else { return name.len() };
    let middle = name[name.len() / 2];
    name.len() + *first as usize * 5 + middle as usize * 25 + *last as usize * 3
}

/// A name between quotes, with a comma before it and a colon behind, in a block of fixed size: such a block is copied
/// in one or two instructions.
#[derive(Clone, Copy, Debug)]
pub struct Ready {
    pub(crate) block: [u8; 32],
    /// How much of the block it is. 0: it does not fit, or has characters that must be escaped. Few are so.
    pub(crate) length: usize,
}

impl Ready {
    /// This name. Runs when a crate is compiled, where there are no iterators.
    #[must_use]
    pub const fn new(name: &str) -> Self {
        let name = name.as_bytes();
        let mut block = [0; 32];
        if name.len() + 4 > block.len() {
            return Self { block, length: 0 };
        }
        (block[0], block[1]) = (b',', b'"');
        let mut at = 0;
        while at < name.len() {
            if matches!(name[at], b'"' | b'\\' | ..b' ') {
                return Self { block, length: 0 };
            }
            block[2 + at] = name[at];
            at += 1;
        }
        (block[2 + at], block[3 + at]) = (b'"', b':');
        Self { block, length: at + 4 }
    }
}

/// Which members of an object were read already.
#[derive(Debug, Default)]
pub(crate) struct Seen(u64);

impl Seen {
    /// As if every member had been read.
    pub(crate) const ALL: Self = Self(u64::MAX);

    /// Whether this member may have been read before. Of those behind the 64th nobody keeps count.
    #[inline]
    pub(crate) fn again(&mut self, index: usize) -> bool {
        let bit = u32::try_from(index).ok().and_then(|index| 1_u64.checked_shl(index));
        let again = bit.is_none_or(|bit| self.0 & bit != 0);
        self.0 |= bit.unwrap_or_default();
        again
    }
}
