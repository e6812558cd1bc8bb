//! The path to a value, as errors and warnings state it.

use std::fmt;

/// The path to a value, from the value up to the object. It costs nothing until it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Path<'a> {
    /// The object itself.
    Root,
    /// A member or an entry.
    Member(&'a Path<'a>, &'a str),
    /// An element of an array.
    Element(&'a Path<'a>, usize),
}

impl<'a> Path<'a> {
    /// The path to a member or an entry.
    pub(crate) fn key(&'a self, name: &'a str) -> Path<'a> {
        Path::Member(self, name)
    }

    /// The path to an element.
    pub(crate) fn index(&'a self, index: usize) -> Path<'a> {
        Path::Element(self, index)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Root => Ok(()),
            Path::Member(Path::Root, name) => f.write_str(name),
            Path::Member(parent, name) => write!(f, "{parent}.{name}"),
            Path::Element(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Path;

    #[test]
    fn members_have_dots_and_elements_have_brackets() {
        let spec = Path::Member(&Path::Root, "spec");
        let list = Path::Member(&spec, "containers");
        let element = Path::Element(&list, 2);
        assert_eq!(Path::Member(&element, "image").to_string(), "spec.containers[2].image");
        assert_eq!(Path::Root.to_string(), "");
    }
}
