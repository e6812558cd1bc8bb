//! URLs of API servers.

use crate::idn::to_ascii;
use http::Uri;
use http::uri::{Authority, Scheme};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// All characters but the ones that a path of a URL can have.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
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

/// The URL of a server, with the prefix of its paths. `is_secret` is whether anything of TLS or a
/// credential belongs to it.
///
/// # Errors
/// When requests cannot be sent to it, or something of it would be ignored.
pub(crate) fn url(text: &str, is_secret: bool) -> Result<Uri, String> {
    let Some((scheme, rest)) = text.split_once("://") else {
        let scheme = if is_secret { "https" } else { "http" };
        return Err(format!("the server has no scheme: is it `{scheme}://…`?"));
    };
    let scheme = match scheme {
        "https" => Scheme::HTTPS,
        "http" => Scheme::HTTP,
        _ => return Err("the scheme of a server is `https` or `http`".to_owned()),
    };
    // A query is dropped, and a fragment is a part of the path, as kubectl has it.
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let path = path.split('?').next().unwrap_or_default();
    if authority.contains('@') {
        return Err("the server has a user and a password in its URL: use `username` and \
                    `password` of the user"
            .to_owned());
    }
    let authority: Authority = to_ascii(authority)
        .parse()
        .map_err(|_| "the host of the server is not valid".to_owned())?;
    if authority.host().is_empty() {
        return Err("the server has no host".to_owned());
    }
    if authority.as_str().len() > authority.host().len() && authority.port_u16().is_none() {
        return Err("the port of the server is not a number up to 65535".to_owned());
    }
    let uri = Uri::builder().scheme(scheme).authority(authority).path_and_query(prefix(path)?);
    uri.build().map_err(|error| format!("the server is not a URL: {error}"))
}

/// The prefix of paths: decoded, without empty and relative segments, and encoded again.
fn prefix(path: &str) -> Result<String, String> {
    if path.split('%').skip(1).any(|rest| !is_escape(rest)) {
        return Err("the path of the server has a `%` that begins no escape".to_owned());
    }
    let decoded = percent_decode_str(path).decode_utf8_lossy();
    let mut segments: Vec<&str> = Vec::new();
    for segment in decoded.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()),
            segment => segments.push(segment),
        }
    }
    Ok(format!("/{}", utf8_percent_encode(&segments.join("/"), PATH)))
}

/// Whether what follows a `%` makes it an escape.
fn is_escape(rest: &str) -> bool {
    let digits = rest.as_bytes().get(..2);
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

#[cfg(test)]
mod tests {
    use super::url;

    #[test]
    fn prefixes_are_cleaned() {
        let cleaned = |text| url(text, false).unwrap().to_string();
        assert_eq!(cleaned("https://api.test"), "https://api.test/");
        assert_eq!(cleaned("https://api.test//a//b/"), "https://api.test/a/b");
        assert_eq!(cleaned("https://api.test/a/../b?x=1"), "https://api.test/b");
        assert_eq!(cleaned("https://api.test/a%2Fb#x"), "https://api.test/a/b%23x");
        assert_eq!(cleaned("http://[::1]:6443/k8s"), "http://[::1]:6443/k8s");
    }

    #[test]
    fn what_is_no_server_is_refused() {
        let refused = |text| url(text, true).unwrap_err();
        assert_eq!(refused("api.test:6443"), "the server has no scheme: is it `https://…`?");
        assert_eq!(refused("unix:///run/x"), "the scheme of a server is `https` or `http`");
        assert!(!refused("https://me:secret@api.test").contains("secret"));
        for text in ["https://", "https://a:99999", "https://a b", "https://a/%zz"] {
            refused(text);
        }
    }
}
