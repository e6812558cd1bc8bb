//! The path of a request.

use super::InvalidRequest;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::fmt::Write;

/// The characters that are escaped in a path segment (RFC 3986: all but `pchar`). Colons and at signs are not, and
/// occur in the names of images and image stream tags.
const NOT_IN_SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@');

/// The end of a template whose last parameter is more than one segment: the rest of a proxied path.
const PROXIED: &str = "/proxy/{path}";

/// Puts arguments in place of the parameters of a path template, in their order. The generator lets no other braces
/// stand in a template than those around a whole segment.
pub(super) fn fill(
    template: &'static str,
    subresource: Option<&str>,
    arguments: &[&str],
) -> Result<String, InvalidRequest> {
    let mut path = String::with_capacity(template.len() + 32);
    let mut arguments = arguments.iter();
    // Below a resource that happens to be called `proxy` a `{path}` is the name of an object.
    let is_proxied = subresource == Some("proxy") && template.ends_with(PROXIED);
    for (index, segment) in template.split('/').enumerate() {
        if index > 0 {
            path.push('/');
        }
        match segment.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            None => path.push_str(segment),
            Some(name) => {
                let argument = arguments.next().copied().unwrap_or_default();
                if is_proxied && name == "path" {
                    push_path(&mut path, argument)?;
                } else {
                    push_segment(&mut path, name, argument)?;
                }
            }
        }
    }
    Ok(path)
}

fn push_segment(path: &mut String, name: &'static str, argument: &str) -> Result<(), InvalidRequest> {
    let refuse = |why| Err(InvalidRequest::Argument { name, value: argument.to_owned(), why });
    match argument {
        // The path without it is that of the collection: a delete would delete everything.
        "" => refuse("it is empty"),
        "." | ".." => refuse("it would lead to another path"),
        _ if argument.as_bytes().contains(&b'/') => refuse("it has a slash"),
        _ => {
            push_encoded(path, argument);
            Ok(())
        }
    }
}

fn push_path(path: &mut String, argument: &str) -> Result<(), InvalidRequest> {
    // The template has a slash already.
    for (index, segment) in argument.strip_prefix('/').unwrap_or(argument).split('/').enumerate() {
        if matches!(segment, "." | "..") {
            let why = "it would lead to another path";
            return Err(InvalidRequest::Argument { name: "path", value: argument.to_owned(), why });
        }
        if index > 0 {
            path.push('/');
        }
        push_encoded(path, segment);
    }
    Ok(())
}

fn push_encoded(path: &mut String, text: &str) {
    write!(path, "{}", utf8_percent_encode(text, NOT_IN_SEGMENT)).expect("a string takes everything");
}

#[cfg(test)]
mod tests {
    use super::InvalidRequest;

    fn fill(template: &'static str, arguments: &[&str]) -> Result<String, InvalidRequest> {
        let subresource = template.contains("{name}/proxy/").then_some("proxy");
        super::fill(template, subresource, arguments)
    }

    /// The path without its last argument is that of the collection.
    #[test]
    fn a_path_that_is_not_proxied_is_a_segment() {
        for template in ["/apis/a/v1/files/{path}", "/apis/a/v1/proxy/{path}"] {
            assert!(fill(template, &[""]).is_err(), "{template}");
            assert!(fill(template, &["a/b"]).is_err(), "{template}");
            assert!(fill(template, &["a"]).is_ok(), "{template}");
        }
    }

    #[test]
    fn only_the_last_parameter_below_a_proxy_may_have_slashes() {
        let template = "/api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}";
        let path = fill(template, &["default", "web:80", "/a/b c/"]).unwrap();
        assert_eq!(path, "/api/v1/namespaces/default/pods/web:80/proxy/a/b%20c/");
        for template in ["/api/v1/namespaces/{namespace}/widgets/{path}", "/{proxy}/{path}/status"] {
            for rest in ["", "a/b"] {
                assert!(fill(template, &["default", rest]).is_err(), "{template} with `{rest}`");
            }
        }
    }
}
