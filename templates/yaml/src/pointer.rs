//! Tokens of JSON pointers (RFC 6901).
//!
//! ```
//! use kapigen_yaml::pointer::{escape, unescape};
//!
//! assert_eq!(format!("/paths/{}", escape("/api/~v1")), "/paths/~1api~1~0v1");
//! assert_eq!(unescape("~1api~1~0v1"), "/api/~v1");
//! ```

use std::borrow::Cow;

/// Escapes a name as a token of a JSON pointer: `~` becomes `~0`, and `/` becomes `~1`.
#[must_use]
pub fn escape(name: &str) -> Cow<'_, str> {
    // Most names need no escaping, and every name becomes part of a pointer.
    if name.contains(['~', '/']) {
        name.replace('~', "~0").replace('/', "~1").into()
    } else {
        name.into()
    }
}

/// The name that a token of a JSON pointer stands for. `~` before another character than `0` and
/// `1` stays as it is.
#[must_use]
pub fn unescape(token: &str) -> Cow<'_, str> {
    if token.contains('~') {
        token.replace("~1", "/").replace("~0", "~").into()
    } else {
        token.into()
    }
}
