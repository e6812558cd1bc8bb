//! Paths of values, while a walk goes through them.

use super::pairs::Keys;
use crate::codec::View;
use crate::codec::path::{shortened_path, write_key};
use std::fmt::{self, Write};

/// A path: the way from the root to a value. Each step borrows the one before, so that a walk
/// allocates nothing.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    segment: Segment<'a>,
}

#[derive(Clone, Copy)]
enum Segment<'a> {
    Root,
    Key(&'a str),
    Index(usize),
    /// An element that is identified by members: `name="app"`.
    Element(usize, Keys, View<'a>),
}

impl<'a> Path<'a> {
    pub(super) const ROOT: Path<'static> = Path { parent: None, segment: Segment::Root };

    pub(super) fn key(&'a self, key: &'a str) -> Path<'a> {
        Path { parent: Some(self), segment: Segment::Key(key) }
    }

    pub(super) fn index(&'a self, index: usize) -> Path<'a> {
        Path { parent: Some(self), segment: Segment::Index(index) }
    }

    /// An element of a list, which may be identified by members.
    pub(super) fn element(&'a self, index: usize, keys: Keys, element: View<'a>) -> Path<'a> {
        Path { parent: Some(self), segment: Segment::Element(index, keys, element) }
    }

    pub(super) fn is_root(&self) -> bool {
        matches!(self.segment, Segment::Root)
    }

    /// Whether this is the member of the object's metadata with this name.
    pub(super) fn is_metadata(&self, name: &str) -> bool {
        let is =
            |path: &Path<'_>, name: &str| matches!(path.segment, Segment::Key(key) if key == name);
        is(self, name)
            && self.parent.is_some_and(|parent| {
                is(parent, "metadata") && parent.parent.is_some_and(Path::is_root)
            })
    }

    /// The path as a JSON pointer (RFC 6901).
    pub(super) fn pointer(&self) -> String {
        let mut text = String::with_capacity(64);
        self.write_pointer(&mut text);
        text
    }

    fn write_pointer(&self, text: &mut String) {
        if let Some(parent) = self.parent {
            parent.write_pointer(text);
        }
        match self.segment {
            Segment::Root => {}
            Segment::Key(key) => {
                text.push('/');
                if key.contains(['~', '/']) {
                    text.push_str(&escaped(key));
                } else {
                    text.push_str(key);
                }
            }
            Segment::Index(index) | Segment::Element(index, ..) => {
                write!(text, "/{index}").expect("a string takes everything");
            }
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.write(f)?;
        }
        match self.segment {
            Segment::Root => Ok(()),
            Segment::Key(key) => write_key(f, key, self.parent.is_none_or(Path::is_root)),
            Segment::Index(index) => write!(f, "[{index}]"),
            Segment::Element(index, keys, element) => keys.write(f, index, element),
        }
    }
}

/// A key as a token of a JSON pointer. kapigen-yaml has the same, on which the runtime does not
/// depend.
pub(super) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        struct Whole<'a>(&'a Path<'a>);
        impl fmt::Display for Whole<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.write(f)
            }
        }
        f.write_str(&shortened_path(&Whole(self).to_string()))
    }
}
