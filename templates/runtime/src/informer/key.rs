//! The names of objects, and what an informer remembers of each.

use crate::kind::Resource;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

/// Namespace and name of an object. A clone shares its memory.
///
/// `Display` is `namespace/name`, or the name alone for an object without a namespace. So is the order.
///
/// ```
/// use kapigen_runtime::informer::Key;
///
/// assert_eq!(Key::new("default", "web").to_string(), "default/web");
/// assert_eq!(Key::new("", "node-1").name(), "node-1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Arc<str>);

impl Key {
    /// The key of an object with this name, and this namespace unless it is empty.
    ///
    /// Servers allow no slash in either. With one they cannot be told apart: `Key::new("", "a/b")` is
    /// `Key::new("a", "b")`.
    #[must_use]
    pub fn new(namespace: &str, name: &str) -> Self {
        let mut text = String::new();
        write(&mut text, namespace, name);
        Self(text.into())
    }

    /// The key of this object.
    ///
    /// ```
    /// use kapigen_runtime::informer::Key;
    /// use kapigen_runtime::{Resource, Store};
    ///
    /// /// Whether a store has this object in another version.
    /// fn is_outdated<T: Resource>(object: &T, store: &Store<T>) -> bool {
    ///     let version = |object: &T| object.metadata().resource_version.clone();
    ///     store.get(&Key::of(object)).is_some_and(|stored| version(&stored) != version(object))
    /// }
    /// ```
    #[must_use]
    pub fn of<T: Resource>(object: &T) -> Self {
        Self::new(object.namespace(), object.name())
    }

    /// The namespace. Empty for an object without one.
    #[must_use]
    pub fn namespace(&self) -> &str {
        self.0.split_once('/').map_or("", |(namespace, _)| namespace)
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.split_once('/').map_or(&*self.0, |(_, name)| name)
    }

    /// Namespace and name as in `Display`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Borrow<str> for Key {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// Neither namespaces nor names contain a slash.
pub(crate) fn write(text: &mut String, namespace: &str, name: &str) {
    text.clear();
    if !namespace.is_empty() {
        text.push_str(namespace);
        text.push('/');
    }
    text.push_str(name);
}

/// Namespace, name and resource version of an object, as far as they are stated.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reference<'a> {
    pub(super) namespace: &'a str,
    pub(super) name: &'a str,
    pub(super) version: &'a str,
}

impl Reference<'_> {
    /// Whether the name makes a key. With a slash in it, or in the namespace, it would make that of another object.
    pub(super) fn is_key(&self) -> bool {
        !self.name.is_empty() && !self.name.contains('/') && !self.namespace.contains('/')
    }
}

/// A resource version as a number, if it is one. Versions are opaque, so nothing may depend on their order: it is a
/// reason to look again, never to believe or reject an object.
pub(super) fn order(version: &str) -> Option<u64> {
    version.parse().ok().filter(|number| *number < 1 << 63 && !version.starts_with(['+', '0']))
}

/// The objects that an informer has reported: of each only its key, and its version in eight bytes.
#[derive(Debug, Default)]
pub(super) struct Known {
    marks: HashMap<Key, Mark>,
    /// The number of the current relist.
    generation: u32,
    /// The number of objects that the current relist has had so far.
    seen: usize,
    hasher: RandomState,
    scratch: String,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    version: u64,
    /// The last relist that had the object.
    generation: u32,
    /// Whether it was reported as an object.
    is_applied: bool,
    /// Whether this version of it can be decoded.
    is_decodable: bool,
}

impl Known {
    /// Begins a relist. Objects that are not seen until its end have vanished.
    pub(super) fn begin(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        self.seen = 0;
    }

    /// The number of objects that the current relist has had so far.
    pub(super) fn seen(&self) -> usize {
        self.seen
    }

    /// Ends a relist, and returns the objects that have vanished and were reported before. They are in order, the last
    /// one first: hash maps have another order in each run, and a run must be the same for the same seed.
    pub(super) fn finish(&mut self) -> Vec<Key> {
        let mut vanished = Vec::new();
        let generation = self.generation;
        self.marks.retain(|key, mark| {
            let is_there = mark.generation == generation;
            if !is_there && mark.is_applied {
                vanished.push(key.clone());
            }
            is_there
        });
        vanished.sort_unstable_by(|one, other| other.cmp(one));
        vanished
    }

    /// Remembers an object. Returns its key if this version of it has not been reported.
    pub(super) fn see(&mut self, name: Reference<'_>, is_decodable: bool) -> Option<Key> {
        let version = self.version(name.version);
        write(&mut self.scratch, name.namespace, name.name);
        let mark = Mark { version, generation: self.generation, is_applied: is_decodable, is_decodable };
        let Some(known) = self.marks.get_mut(self.scratch.as_str()) else {
            let key = Key(self.scratch.as_str().into());
            self.marks.insert(key.clone(), mark);
            self.seen += 1;
            return Some(key);
        };
        self.seen += usize::from(known.generation != self.generation);
        let is_same = known.version == version && known.is_decodable == is_decodable && !name.version.is_empty();
        *known = Mark { is_applied: known.is_applied || is_decodable, ..mark };
        if is_same {
            return None;
        }
        self.marks.get_key_value(self.scratch.as_str()).map(|(key, _)| key.clone())
    }

    /// Forgets an object. Returns its key if it was reported.
    pub(super) fn remove(&mut self, name: Reference<'_>) -> Option<Key> {
        write(&mut self.scratch, name.namespace, name.name);
        let (key, mark) = self.marks.remove_entry(self.scratch.as_str())?;
        mark.is_applied.then_some(key)
    }

    /// A name for an object whose own name cannot be decoded, which is the same for the same text.
    pub(super) fn nameless(&self, text: &[u8]) -> String {
        format!("\0{:x}", self.hasher.hash_one(text))
    }

    /// A number for a version: the version itself where it is a number, so that two never share one.
    fn version(&self, version: &str) -> u64 {
        order(version).unwrap_or_else(|| self.hasher.hash_one(version) | 1 << 63)
    }
}
