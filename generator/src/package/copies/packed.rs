//! The files of a crate as one text, as the package of kapigen has them: a folder with a manifest
//! in it would be left out.

use std::fmt::Write as _;

/// Packs files by path: a line with the path and the length in bytes before each text.
#[must_use]
pub fn pack(files: &[(&str, &str)]) -> String {
    let mut packed = String::new();
    for (path, text) in files {
        // A string takes everything.
        let _ = writeln!(packed, "{path} {}\n{text}", text.len());
    }
    packed
}

/// Unpacks the output of [`pack`]. `None` for any other input.
#[must_use]
pub fn unpack(mut packed: &str) -> Option<Vec<(&str, &str)>> {
    let mut files = Vec::new();
    while !packed.is_empty() {
        let (head, rest) = packed.split_once('\n')?;
        let (path, length) = head.rsplit_once(' ')?;
        let (text, rest) = rest.split_at_checked(length.parse().ok()?)?;
        files.push((path, text));
        packed = rest.strip_prefix('\n')?;
    }
    Some(files)
}
