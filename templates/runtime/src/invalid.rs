//! Errors of building a request.

use crate::codec::path::{KEY, shortened};
use crate::visible::Visible;
use std::fmt::{self, Write};

/// An error of building a request. Servers would reject it, or worse, do something else.
///
/// `Display` quotes up to 100 characters of an argument or parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidRequest {
    /// An argument is not valid in the path.
    Argument {
        /// Name of the parameter.
        name: &'static str,
        /// The argument.
        value: String,
        /// The reason why it is rejected.
        why: &'static str,
    },
    /// Path and query are longer than a URL may be.
    TooLong {
        /// Length in bytes.
        length: usize,
    },
    /// The body is an object of another kind than its type: it states another `apiVersion` or
    /// `kind`.
    Body(String),
    /// The body, or a patch, is made of an object of which a mask left members out: writing it
    /// would remove them from the server. Read the object in whole first, by a request without a
    /// mask. See [`mask`](crate::mask).
    Masked {
        /// The type of the object.
        name: &'static str,
    },
    /// A mask does not fit its type: the problems of its paths.
    Mask(String),
    /// Parameters, or a parameter and the body, contradict each other or need each other.
    Parameters(String),
}

impl fmt::Display for InvalidRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = &mut Visible(f);
        match self {
            InvalidRequest::Argument { name, value, why } => {
                write!(f, "`{}` cannot be the {name} in a path: {why}", shortened(value, KEY))
            }
            InvalidRequest::TooLong { length } => {
                write!(f, "path and query have {length} bytes, more than a URL may have")
            }
            InvalidRequest::Body(why) => write!(f, "the body is of another kind: {why}"),
            InvalidRequest::Masked { name } => {
                write!(
                    f,
                    "the {name} was decoded by a mask, so to write it would remove what the mask \
                     left out: "
                )?;
                f.write_str("read it without a mask first")
            }
            InvalidRequest::Mask(why) | InvalidRequest::Parameters(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for InvalidRequest {}
