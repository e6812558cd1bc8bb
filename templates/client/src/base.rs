//! The base of requests: scheme, host and path before the path of each.

use crate::{BoxError, Error};
use http::Uri;
use http::uri::{Parts, PathAndQuery};

/// Checks a base.
///
/// # Errors
/// When requests to it could not be sent, or something of it would be ignored.
pub(crate) fn check(base: Uri) -> Result<Uri, Error> {
    let (scheme, authority) = (base.scheme_str(), base.authority());
    let problem = match authority {
        // Not quoted: it is a password.
        Some(authority) if authority.as_str().contains('@') => {
            return unsendable("the base has credentials, which the service adds to requests instead".to_owned());
        }
        Some(authority) if scheme.is_none() => format!("has no scheme: is it `http://{authority}`?"),
        Some(authority) if authority.host().is_empty() => "has no host".to_owned(),
        Some(authority) if authority.as_str().len() > authority.host().len() && authority.port().is_none() => {
            "has no valid port".to_owned()
        }
        // Not quoted: it may be a token.
        _ if base.query().is_some() => return unsendable("the base has a query, which belongs to requests".to_owned()),
        _ if base.path() == "*" => "is no URL".to_owned(),
        _ => return Ok(base),
    };
    unsendable(format!("the base `{base}` {problem}"))
}

/// Scheme, host and path of a base, and then path and query of a request.
///
/// # Errors
/// When that is too long for a URL. The runtime has checked path and query, so most of it can be a token of the server,
/// without which a machine goes on.
pub(crate) fn join(base: &Uri, uri: &Uri) -> Result<Uri, Error> {
    let path = base.path().trim_end_matches('/');
    let rest = uri.path_and_query().map_or("/", PathAndQuery::as_str);
    let mut parts = Parts::default();
    parts.scheme = base.scheme().cloned();
    parts.authority = base.authority().cloned();
    parts.path_and_query = Some(format!("{path}{rest}").parse().map_err(too_long)?);
    Uri::from_parts(parts).map_err(too_long)
}

fn too_long(error: impl Into<BoxError>) -> Error {
    Error::Transport(error.into())
}

fn unsendable<T>(cause: String) -> Result<T, Error> {
    Err(Error::Unsendable(cause))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_bases_to_which_nothing_can_be_sent() {
        let refused = |base: &'static str| check(Uri::from_static(base)).unwrap_err().to_string();
        let cannot = "the request cannot be sent: the base";
        assert_eq!(
            refused("localhost:8001"),
            format!("{cannot} `localhost:8001` has no scheme: is it `http://localhost:8001`?")
        );
        assert_eq!(refused("http://a/k8s?token=y"), format!("{cannot} has a query, which belongs to requests"));
        assert_eq!(refused("http://10.0.0.1:80001"), format!("{cannot} `http://10.0.0.1:80001/` has no valid port"));
        assert_eq!(refused("http://:80/"), format!("{cannot} `http://:80/` has no host"));
        assert_eq!(refused("*"), format!("{cannot} `*` is no URL"));
        assert!(!refused("https://user:secret@a").contains("secret"));
    }

    #[test]
    fn joins_paths_and_keeps_queries() {
        let join = |base: &'static str| {
            let base = check(Uri::from_static(base)).unwrap();
            join(&base, &Uri::from_static("/api/v1/pods?limit=5")).unwrap().to_string()
        };
        assert_eq!(join("https://a:6443/k8s/"), "https://a:6443/k8s/api/v1/pods?limit=5");
        assert_eq!(join("http://a"), "http://a/api/v1/pods?limit=5");
        assert_eq!(join("/k8s"), "/k8s/api/v1/pods?limit=5");
    }
}
