//! Tables: the static description of a struct.

#[cfg(feature = "change")]
use super::change::schema::Schema;
use super::identity::Identity;
use super::member_set::MemberSet;
use std::mem::ManuallyDrop;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Name, members and kinds of a struct.
///
/// Tables are statics, which are never dropped. Yet the compiler translates the code to drop them,
/// in each codegen unit with a table, unless their type is known to need none (`ManuallyDrop`).
#[non_exhaustive]
pub struct Table {
    /// Name of the struct, for messages.
    pub name: &'static str,
    /// Wire names of the members.
    pub keys: Keys,
    /// The group-version-kinds that `apiVersion` and `kind` may name. Empty: any.
    pub identities: &'static [Identity],
    /// The members that are not merged in the usual way: their indices in `keys`, in ascending
    /// order.
    pub(crate) merges: &'static [(usize, Merge)],
    /// Whether server-side apply replaces the whole struct, as a member of any other.
    pub(crate) is_atomic: bool,
    /// The schema of the struct, made at first use.
    #[cfg(feature = "change")]
    pub(super) schema: ManuallyDrop<OnceLock<Schema>>,
}

impl Table {
    /// The table of a struct with this name, and with the wire names of its members, as in
    /// `"! path! reason note!!"`: the second character of `members` precedes each name, and the
    /// first character is a mark that follows it. One mark is a required member, two are a nullable
    /// one, and three a member that is both. Neither character may occur in a name.
    ///
    /// It has few arguments, and one string in place of an array, because every program checks them
    /// for each struct.
    #[must_use]
    pub const fn new(name: &'static str, members: &'static str) -> Self {
        Self {
            name,
            keys: Keys { names: members, index: Keys::NO_INDEX },
            identities: &[],
            merges: &[],
            is_atomic: false,
            #[cfg(feature = "change")]
            schema: ManuallyDrop::new(OnceLock::new()),
        }
    }

    /// The same for a struct that may state these group-version-kinds.
    #[must_use]
    pub const fn identities(mut self, identities: &'static [Identity]) -> Self {
        self.identities = identities;
        self
    }

    /// The same with rules for members that are not merged in the usual way: their indices, in
    /// ascending order.
    #[must_use]
    pub const fn merge(mut self, merges: &'static [(usize, Merge)]) -> Self {
        self.merges = merges;
        self
    }

    /// The same for a struct that server-side apply replaces as a whole.
    #[must_use]
    pub const fn atomic(mut self) -> Self {
        self.is_atomic = true;
        self
    }

    /// Whether server-side apply replaces the struct as a whole.
    #[must_use]
    pub fn is_atomic(&self) -> bool {
        self.is_atomic
    }

    /// The merge rule of the member with this index.
    #[must_use]
    pub fn merge_of(&self, index: usize) -> &'static Merge {
        let found = self.merges.binary_search_by_key(&index, |(member, _)| *member);
        found.map_or(&Merge::USUAL, |at| &self.merges[at].1)
    }
}

/// Wire names, with an index to find one of them.
#[allow(missing_debug_implementations)] // a part of tables
pub struct Keys {
    names: &'static str,
    index: ManuallyDrop<OnceLock<Index>>,
}

impl Keys {
    /// The index before its first use. The compiler evaluates a constant once, and the functions
    /// that make this for each table.
    #[expect(clippy::declare_interior_mutable_const, reason = "each table has its own")]
    const NO_INDEX: ManuallyDrop<OnceLock<Index>> = ManuallyDrop::new(OnceLock::new());

    /// The names.
    #[must_use]
    pub fn names(&'static self) -> &'static [&'static str] {
        &self.index().names
    }

    /// The index, which is built on first use. To compile a `match` on strings for every struct, or
    /// to let the compiler build this, would take longer than to compile everything else about it.
    #[inline]
    pub(crate) fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(self.names))
    }
}

/// An index of names, with which they are fast to find and to encode.
pub(crate) struct Index {
    names: Box<[&'static str]>,
    /// The names as they are encoded in JSON, and after them one that never occurs.
    encoded: Box<[EncodedKey]>,
    /// A hash table of the names: their indices, each plus one, and 0 for an empty slot. There are
    /// at least twice as many slots as names, so that one of them is empty, and their number is a
    /// power of two.
    places: Box<[u32]>,
    /// The members that are not optional.
    pub(crate) required: MemberSet,
    /// The members of which `null` is a value.
    pub(crate) nullable: MemberSet,
}

impl Index {
    #[cold]
    fn new(members: &'static str) -> Self {
        let mut characters = members.chars();
        let mut names = Vec::new();
        let mut required = MemberSet::default();
        let mut nullable = MemberSet::default();
        // Before the first separator there is the mark alone.
        if let (Some(mark), Some(separator)) = (characters.next(), characters.next()) {
            for (index, member) in members.split(separator).skip(1).enumerate() {
                let name = member.trim_end_matches(mark);
                let marks = (member.len() - name.len()) / mark.len_utf8();
                if marks & 1 != 0 {
                    required.replace(index);
                }
                if marks & 2 != 0 {
                    nullable.replace(index);
                }
                names.push(name);
            }
        }
        let names = names.into_boxed_slice();
        let mut encoded = Vec::with_capacity(names.len() + 1);
        let mut places = vec![0; (2 * names.len() + 1).next_power_of_two()].into_boxed_slice();
        let last = places.len() - 1;
        for (name, number) in names.iter().zip(1..) {
            let mut place = hash(name.as_bytes());
            while places[place & last] != 0 {
                place += 1;
            }
            places[place & last] = number;
            encoded.push(EncodedKey::new(name, number));
        }
        encoded.push(EncodedKey::none(0));
        Self { names, encoded: encoded.into_boxed_slice(), places, required, nullable }
    }

    /// The index of a name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let mut place = hash(name.as_bytes());
        loop {
            let index = (self.places[place & (self.places.len() - 1)] as usize).checked_sub(1)?;
            if self.names[index] == name {
                return Some(index);
            }
            place += 1;
        }
    }

    /// Stands for the start of an object: the first member follows it.
    #[inline]
    pub(crate) fn start(&self) -> &EncodedKey {
        &self.encoded[self.names.len()]
    }

    /// The name with this index as it is encoded in JSON.
    #[inline]
    pub(crate) fn key(&self, index: usize) -> &EncodedKey {
        &self.encoded[index]
    }

    /// The names as they are encoded in JSON, by their indices.
    #[inline]
    pub(crate) fn encoded(&self) -> &[EncodedKey] {
        &self.encoded
    }

    /// The number of names.
    pub(crate) fn count(&self) -> usize {
        self.names.len()
    }

    /// The name with this index. The index after the last has none.
    pub(crate) fn name(&self, index: usize) -> Option<&'static str> {
        self.names.get(index).copied()
    }
}

/// Names of one struct differ in length, or in one of these bytes, almost always.
#[inline]
fn hash(name: &[u8]) -> usize {
    let [first, .., last] = name else { return name.len() };
    let middle = name[name.len() / 2];
    name.len() + usize::from(*first) * 5 + usize::from(middle) * 25 + usize::from(*last) * 3
}

/// A name between quotes, with a comma before it and a colon after it, in a block of fixed size:
/// such a block is copied in one or two instructions, and compared in few. The fields are ordered
/// so that encoding reads adjacent ones, in one or two cache lines.
#[repr(C)]
pub(crate) struct EncodedKey {
    /// See [`length`](Self::length).
    length: u32,
    /// The indices of the last two members that followed this one, the last one in the lower half.
    /// Objects of one origin have their members in one order, but some members are absent. At first
    /// it is the order of the table. Indices are cut to 16 bits: these are only predictions.
    followers: AtomicU32,
    pub(crate) block: [u8; EncodedKey::SIZE],
    /// The bits of the block that are compared: the name, its quotes and the colon.
    pub(crate) mask: [u8; EncodedKey::SIZE],
}

/// The half of the followers that has the last one.
const LAST: u32 = u16::MAX as u32;

impl EncodedKey {
    pub(crate) const SIZE: usize = 32; // of the block

    /// Never occurs: no UTF-8 has such bytes.
    fn none(follower: u32) -> Self {
        Self {
            block: [0xff; Self::SIZE],
            mask: [0xff; Self::SIZE],
            length: 0,
            followers: AtomicU32::new(follower),
        }
    }

    fn new(name: &str, follower: u32) -> Self {
        let mut block = [0; Self::SIZE];
        let mut mask = [0; Self::SIZE];
        let must_be_escaped = name.bytes().any(|byte| matches!(byte, b'"' | b'\\' | ..b' '));
        if name.len() + 4 > block.len() || must_be_escaped {
            return Self::none(follower);
        }
        let text = format!(",\"{name}\":");
        block[..text.len()].copy_from_slice(text.as_bytes());
        mask[1..text.len()].fill(0xff); // in front may be a bracket or space
        #[expect(clippy::cast_possible_truncation, reason = "less than the block")]
        let length = text.len() as u32;
        Self { block, mask, length, followers: AtomicU32::new(follower) }
    }

    /// Its length in the block. 0, which is rare: it does not fit, or has characters that must be
    /// escaped.
    #[inline]
    pub(crate) fn length(&self) -> usize {
        self.length as usize
    }

    /// The index of the member that is likely to follow.
    #[inline]
    pub(crate) fn likely_follower(&self) -> usize {
        (self.followers.load(Ordering::Relaxed) & LAST) as usize
    }

    /// The index of the second member that is likely to follow.
    pub(crate) fn second_follower(&self) -> usize {
        (self.followers.load(Ordering::Relaxed) >> 16) as usize
    }

    /// Records that this member followed. It is only a prediction, so threads may overwrite each
    /// other's.
    #[expect(clippy::cast_possible_truncation, reason = "see `followers`")]
    pub(crate) fn learn_follower(&self, index: usize) {
        let followers = self.followers.load(Ordering::Relaxed);
        let index = index as u32 & LAST;
        // Storing the same value again would invalidate the cache line of other threads.
        if followers & LAST != index {
            self.followers.store(followers << 16 | index, Ordering::Relaxed);
        }
    }
}

/// The rule by which servers merge a member that is applied or patched, where it is not the usual
/// one.
///
/// The usual way replaces a list as a whole, and merges objects and maps entry by entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merge {
    /// The rule of server-side apply.
    pub list: ListType,
    /// The rule of a strategic merge patch.
    pub patch: PatchStrategy,
    /// Whether a strategic merge patch may name the members to retain.
    pub retains_keys: bool,
}

/// The rule by which server-side apply merges a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListType {
    /// As usual for its type.
    Usual,
    /// As one value.
    Atomic,
    /// As a map of atomic values.
    AtomicValues,
    /// As a set of scalars.
    Set,
    /// As objects that are identified by these members, each with its default as JSON; `""` is not
    /// a default.
    Map(&'static [(&'static str, &'static str)]),
}

/// The rule by which a strategic merge patch changes a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchStrategy {
    /// As usual for its type.
    Usual,
    /// Replaces an object as a whole.
    Replace,
    /// Merges the elements of a list: objects by this member, scalars as a set if it is empty.
    Merge(&'static str),
}

impl Merge {
    /// The usual way.
    pub const USUAL: Self =
        Self { list: ListType::Usual, patch: PatchStrategy::Usual, retains_keys: false };

    /// The members that identify the elements of a list, by either rule.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &'static str> {
        let several: &[_] = if let ListType::Map(keys) = self.list { keys } else { &[] };
        let one = if let PatchStrategy::Merge(key) = self.patch { key } else { "" };
        several.iter().map(|(key, _)| *key).chain([one].into_iter().filter(|key| !key.is_empty()))
    }

    /// Apply replaces the whole value.
    #[must_use]
    pub const fn atomic(self) -> Self {
        Self { list: ListType::Atomic, ..self }
    }

    /// Apply replaces each value of the map as a whole.
    #[must_use]
    pub const fn atomic_values(self) -> Self {
        Self { list: ListType::AtomicValues, ..self }
    }

    /// Apply merges the elements as a set.
    #[must_use]
    pub const fn set(self) -> Self {
        Self { list: ListType::Set, ..self }
    }

    /// Apply merges the elements by these members. Each has its default as JSON, or `""`.
    #[must_use]
    pub const fn map(self, keys: &'static [(&'static str, &'static str)]) -> Self {
        Self { list: ListType::Map(keys), ..self }
    }

    /// A strategic merge patch merges the elements by this member, or as a set of scalars if it is
    /// `""`.
    #[must_use]
    pub const fn patch_by(self, key: &'static str) -> Self {
        Self { patch: PatchStrategy::Merge(key), ..self }
    }

    /// A strategic merge patch replaces the whole object.
    #[must_use]
    pub const fn patch_replaces(self) -> Self {
        Self { patch: PatchStrategy::Replace, ..self }
    }

    /// A strategic merge patch may name the members to retain.
    #[must_use]
    pub const fn retains_keys(self) -> Self {
        Self { retains_keys: true, ..self }
    }
}
