//! Memory that every plain body needs, kept from one body to the next.

use super::metadata::{Metadata, Stamps};
use std::ops::Range;

/// Memory that every plain body needs. Each part is empty between two bodies.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// A copy of a body.
    pub(super) json: Vec<u8>,
    pub(super) fields: Buffers,
    pub(super) keys: Vec<Option<Range<usize>>>,
    pub(super) metadata: Metadata,
    pub(super) stamps: Stamps,
    /// An object that is put together.
    pub(super) object: Vec<u8>,
}

/// Memory of [`Fields`](super::fields::Fields).
#[derive(Debug, Default)]
pub(super) struct Buffers {
    pub(super) json: Vec<u8>,
    pub(super) parts: Vec<u8>,
    pub(super) spare: Vec<u8>,
}

/// The most memory that is kept of each kind, in bytes. Few bodies need more.
const MOST: usize = 1 << 16;

impl Scratch {
    /// Empties all parts, and frees those that one large body has made large. Stamps are kept: they are of names, which
    /// are short, and of times.
    pub(super) fn clear(&mut self) {
        let Buffers { json, parts, spare } = &mut self.fields;
        for buffer in [&mut self.json, &mut self.object, json, parts, spare] {
            clear(buffer);
        }
        self.stamps.clear();
        clear(&mut self.keys);
        clear(&mut self.metadata.0);
    }
}

fn clear<T>(buffer: &mut Vec<T>) {
    buffer.clear();
    if buffer.capacity() * size_of::<T>() > MOST {
        *buffer = Vec::new();
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, Scratch};

    #[test]
    fn memory_of_large_bodies_is_freed() {
        let mut scratch = Scratch { json: vec![1; MOST + 1], object: vec![1; 10], ..Scratch::default() };
        scratch.keys.resize(MOST, None);
        scratch.clear();
        assert_eq!((scratch.json.capacity(), scratch.keys.capacity()), (0, 0));
        assert!(scratch.object.is_empty() && scratch.object.capacity() >= 10);
    }
}
