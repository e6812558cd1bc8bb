//! Typed values of indexes.

use super::Index;
use crate::controller::informer::Key;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// A value by which objects are indexed, as a string that no other value has.
pub trait IndexValue {
    /// The string.
    fn index_text(&self) -> Cow<'_, str>;
}

/// Implements it for types with a `Display` that no other value has.
macro_rules! index_values {
    ($($type:ty),+) => {
        $(impl IndexValue for $type {
            fn index_text(&self) -> Cow<'_, str> {
                self.to_string().into()
            }
        })+
    };
}

index_values!(bool, i32, i64, u32, u64);

impl IndexValue for str {
    fn index_text(&self) -> Cow<'_, str> {
        self.into()
    }
}

impl IndexValue for String {
    fn index_text(&self) -> Cow<'_, str> {
        self.as_str().into()
    }
}

impl IndexValue for Key {
    fn index_text(&self) -> Cow<'_, str> {
        self.as_str().into()
    }
}

/// Two values together, such as a namespace and a node.
impl<A: IndexValue, B: IndexValue> IndexValue for (A, B) {
    fn index_text(&self) -> Cow<'_, str> {
        let first = self.0.index_text();
        format!("{} {first}{}", first.len(), self.1.index_text()).into()
    }
}

impl<V: IndexValue + ?Sized> IndexValue for &V {
    fn index_text(&self) -> Cow<'_, str> {
        (**self).index_text()
    }
}

/// A typed index, to look up objects in a [`Snapshot`](super::Snapshot).
///
/// ```
/// use kapigen_runtime::informer::{Event, Key};
/// use kapigen_runtime::meta_v1::PartialObjectMetadata as Thing;
/// use kapigen_runtime::store::{Lookup, Store};
///
/// const BY_OWNER: Lookup<Thing, Key> = Lookup::new("owner");
/// let index = BY_OWNER.index(|thing| {
///     let owners = thing.metadata.owner_references.iter().flatten();
///     owners.map(|owner| Key::new("default", &owner.name)).collect()
/// });
/// let store = Store::with_indexes([index]);
/// assert!(store.snapshot().get_all(&BY_OWNER, &Key::new("default", "web")).is_empty());
/// ```
pub struct Lookup<T, V> {
    pub(super) name: &'static str,
    types: PhantomData<fn(T) -> V>,
}

impl<T: Send + Sync + 'static, V: IndexValue + 'static> Lookup<T, V> {
    /// The index of this name. All of a store have different ones.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self { name, types: PhantomData }
    }

    /// The index, with the function that computes the values of an object in it: none, one, or
    /// several. Like the function of [`Index::new`], it must not use the store.
    pub fn index(&self, values: impl Fn(&T) -> Vec<V> + Send + Sync + 'static) -> Index<T> {
        let text = |value: &V| value.index_text().into_owned();
        Index::new(self.name, move |object| values(object).iter().map(text).collect())
    }
}

impl<T, V> fmt::Debug for Lookup<T, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lookup").field(&self.name).finish()
    }
}
