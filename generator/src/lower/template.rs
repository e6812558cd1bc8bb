//! Checks path templates. Arguments are encoded when a request is made; everything else is sent as the
//! document has it.

use super::operations::{FoundOperation, Operations};
use super::origin::Origin;
use crate::names;
use std::collections::BTreeSet;

/// The characters of a path that need no escape, beside ASCII letters and digits (RFC 3986: `pchar` without percent
/// signs, which a server decodes).
const PLAIN: &str = "-._~!$&'()*+,;=:@";

const SPELLED_OUT: &str = "API servers serve fixed groups and versions; write them out";
const WHOLE: &str = "a parameter is a whole segment, as in `/pods/{name}`";
const ENCODED: &str = "paths have ASCII letters, digits and `-._~!$&'()*+,;=:@`; a query is declared as parameters";
const RESOLVED: &str = "clients and servers resolve it before they look at the path; write the path that is meant";
const SHORTER: &str = "names of resources and subresources have at most 63 characters on API servers";
const SEGMENTS: &str = "begin it with a slash, and put one slash between segments";

impl Operations<'_, '_> {
    /// Checks the path of an operation. None: it has an error.
    pub(super) fn check_path(&mut self, found: &FoundOperation<'_>, origin: &Origin) -> Option<()> {
        let version = &found.resource.group_version;
        let resource = &found.resource;
        let below = [&resource.subresource, &resource.below].map(|part| part.as_deref().unwrap_or_default()).join("_");
        let (message, help) = if let Some(message) = too_long("resource", &resource.plural) {
            (message, SHORTER)
        } else if let Some(message) = too_long("subresource", &below) {
            (message, SHORTER)
        } else if [&version.group, &version.version].iter().any(|part| part.contains(['{', '}'])) {
            ("group or version of the path is a parameter".to_owned(), SPELLED_OUT)
        } else {
            match mistake(found.path) {
                None => return Some(()),
                Some(mistake) => mistake,
            }
        };
        let at = self.path_location(found);
        self.types.context.fail_at(at, message, help, origin);
        None
    }
}

/// The error of a resource or subresource whose Rust name is too long.
fn too_long(part: &str, name: &str) -> Option<String> {
    let length = names::module(name)?.len();
    let most = names::LONGEST_RESOURCE;
    (length > most)
        .then(|| format!("the {part} of the path makes a Rust name of {length} characters; it can have {most}"))
}

/// The error of a path template, and the way to correct it.
fn mistake(path: &str) -> Option<(String, &'static str)> {
    let Some(path) = path.strip_prefix('/') else {
        return Some(("the path does not begin with a slash".to_owned(), SEGMENTS));
    };
    let mut names = BTreeSet::new();
    // A slash may end a path.
    path.strip_suffix('/').unwrap_or(path).split('/').find_map(|segment| match parameter(segment) {
        Some(name) if !names.insert(name) => Some((format!("the path has `{{{name}}}` twice"), "rename one of them")),
        Some(_) => None,
        None => literal_mistake(segment),
    })
}

/// The name of the parameter that a segment is.
fn parameter(segment: &str) -> Option<&str> {
    let name = segment.strip_prefix('{')?.strip_suffix('}')?;
    (!name.is_empty() && !name.contains(['{', '}'])).then_some(name)
}

fn literal_mistake(segment: &str) -> Option<(String, &'static str)> {
    match segment {
        "" => Some(("the path has an empty segment".to_owned(), SEGMENTS)),
        "." | ".." => Some((format!("the path has `{segment}`, which leads to another path"), RESOLVED)),
        _ if segment.contains(['{', '}']) => {
            Some((format!("a parameter is part of the segment `{}`", segment.escape_debug()), WHOLE))
        }
        _ => {
            let odd = segment.chars().find(|c| !c.is_ascii_alphanumeric() && !PLAIN.contains(*c))?;
            Some((format!("the path has `{}`, which a path cannot have", odd.escape_default()), ENCODED))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::mistake;

    #[test]
    fn segments_are_plain_or_parameters() {
        for path in ["/api/v1/pods", "/api/v1/pods/{name}/proxy/{path}", "/api/v1/pods/", "/apis/a.b/v1/x:y@z/{a b}"] {
            assert_eq!(mistake(path), None, "{path}");
        }
        let bad = [
            "api/v1/pods",
            "//api/v1/pods",
            "/api/v1//pods",
            "/api/v1/pods//",
            "/api/v1/./pods",
            "/api/v1/../pods",
            "/api/v1/pods?dryRun=All",
            "/api/v1/pods#a",
            "/api/v1/po ds",
            "/api/v1/pods\r\nHost: a",
            "/api/v1/p%6Fds",
            "/api/v1/pods\\a",
            "/api/v1/pöds",
            "/api/v1/pods/{name}.json",
            "/api/v1/pods/{a}{b}",
            "/api/v1/pods/x{foo}",
            "/api/v1/pods/{}",
            "/api/v1/pods/{a",
            "/api/v1/pods/{name}/{name}",
        ];
        for path in bad {
            assert!(mistake(path).is_some(), "{path}");
        }
    }
}
