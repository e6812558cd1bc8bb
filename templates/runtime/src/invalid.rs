//! Errors of building a request.

use crate::codec::UnknownMembers;
use crate::codec::path::{KEY, MESSAGE, joined, shortened, shortened_path};
use crate::visible::Visible;
use std::collections::BTreeSet;
use std::fmt::{self, Write};

/// An error of building a request. Servers would reject it, or worse, do something else.
///
/// `Display` quotes up to 100 characters of an argument or parameter.
#[derive(Clone, PartialEq, Eq)]
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
    /// A member of the body is of a type that serde encodes, which returns an error: see
    /// [`custom_resource!`](crate::custom_resource).
    Unencodable {
        /// The name of the member.
        member: &'static str,
        /// The error of its `Serialize`.
        error: String,
    },
    /// An apply has required numbers or booleans that may or may not have been set: all of them, in
    /// the order of the object.
    Undecided(Vec<Undecided>),
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
            InvalidRequest::Unencodable { member, error } => {
                write!(f, "the body cannot be encoded: {member}: {error}")
            }
            InvalidRequest::Undecided(members) => {
                let [paths, remedy] = of_undecided(members);
                write!(f, "the patch cannot be sent: {}: {remedy}", shortened_path(&paths))
            }
            InvalidRequest::Mask(why) | InvalidRequest::Parameters(why) => f.write_str(why),
        }
    }
}

__error!(
    InvalidRequest: Argument { name, value, why }, TooLong { length }, Body(why), Masked { name },
    Unencodable { member, error }, Undecided(members), Mask(why), Parameters(why)
);

/// A required number or boolean of an object to [apply](crate::Patch::apply), which is `0` or
/// `false`, so that the type does not show whether it was set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Undecided {
    /// Where it is, such as `spec.rules[2].weight`. A path of more than 1000 characters is cut in
    /// the middle.
    pub path: String,
    /// The path by which [`keep`](crate::Patch::keep) and [`omit`](crate::Patch::omit) decide, such
    /// as `spec.rules[].weight`.
    pub member: String,
}

/// The paths of undecided members, and the remedy.
pub(crate) fn of_undecided(undecided: &[Undecided]) -> [String; 2] {
    let paths: Vec<&str> =
        undecided.iter().map(|member| &*member.path).take(UnknownMembers::LISTED).collect();
    // Elements of a list have one decision.
    let members: BTreeSet<&str> = undecided.iter().map(|member| &*member.member).collect();
    let calls = |name: &str| {
        let calls = members.iter().map(|member| format!(".{name}({member:?})"));
        shortened(&calls.collect::<String>(), MESSAGE / 2).into_owned()
    };
    let remedy = format!(
        "a required 0 or false may have been set or not: call `{}` on the patch to send it, or \
         `{}` to leave it out",
        calls("keep"),
        calls("omit")
    );
    [joined(&paths, ", "), remedy]
}
