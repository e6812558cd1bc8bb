//! Names within JSON pointers (RFC 6901).

/// Puts a name into a JSON pointer.
#[must_use]
pub fn escape(name: &str) -> String {
    // Most have nothing to escape, and pointers are made of every name there is.
    if name.contains(['~', '/']) { name.replace('~', "~0").replace('/', "~1") } else { name.to_owned() }
}

/// Takes a name out of a JSON pointer.
#[must_use]
pub fn unescape(segment: &str) -> String {
    if segment.contains('~') { segment.replace("~1", "/").replace("~0", "~") } else { segment.to_owned() }
}
