//! Requests in messages.

use super::Request;
use crate::codec::json;
use crate::codec::path::{KEY, shortened, shortened_path};
use crate::meta_v1::{ObjectMeta, RawJson};
use crate::operation::Verb;
use crate::visible::Visible;
use http::{Method, Uri};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// Method and URL of a request, and the kind that it is about, for messages: credentials and the
/// query are left out, since they may be secrets.
///
/// ```
/// use kapigen_runtime::http;
/// use kapigen_runtime::request::RequestLine;
///
/// let request = http::Request::get("https://user:password@10.0.0.1:6443/api/v1/pods?token=secret").body(())?;
/// assert_eq!(RequestLine::of(&request).to_string(), "GET https://10.0.0.1:6443/api/v1/pods");
/// # Ok::<(), http::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestLine {
    method: Method,
    /// Scheme, host and port, if they are known.
    origin: String,
    path: String,
    kind: String,
    /// The name of an object that is created, which no path has.
    name: String,
}

impl RequestLine {
    /// The line of a request for a client.
    #[must_use]
    pub fn of<B>(request: &http::Request<B>) -> Self {
        Self::new(request.method(), request.uri(), "")
    }

    /// Not generic, so that it is compiled once.
    pub(crate) fn new(method: &Method, uri: &Uri, kind: &str) -> Self {
        let path = uri.path().to_owned();
        let line = Self {
            method: method.clone(),
            origin: String::new(),
            path,
            kind: kind.to_owned(),
            name: String::new(),
        };
        line.at(uri)
    }

    /// The same request, sent to this URL.
    #[must_use]
    pub fn at(mut self, uri: &Uri) -> Self {
        uri.path().clone_into(&mut self.path);
        if let (Some(scheme), Some(host)) = (uri.scheme_str(), uri.host()) {
            self.origin = format!("{scheme}://{host}");
            if let Some(port) = uri.port_u16() {
                self.origin.extend([":", &port.to_string()]);
            }
        }
        self
    }

    /// The HTTP method.
    #[must_use]
    pub fn method(&self) -> &Method {
        &self.method
    }

    /// Scheme, host and port, such as `https://10.0.0.1:6443`. Empty if they are not known.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The path, which has the namespace, the plural of the resource and the name of the object.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The kind of the objects. Empty if it is not known.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }
}

impl<T> Request<T> {
    /// The request as shown in messages. For a create it has the name of the object.
    #[must_use]
    pub fn line(&self) -> RequestLine {
        self.parts.line()
    }
}

impl super::Parts {
    pub(super) fn line(&self) -> RequestLine {
        let operation = self.operation.named();
        let method = Method::from_bytes(operation.method.as_bytes()).unwrap_or_default();
        let mut line = RequestLine::new(&method, &self.uri, operation.kind);
        if operation.verb == Verb::Create {
            line.name = name_in(&self.body).unwrap_or_default();
        }
        line
    }
}

/// The name of an object, or the beginning of one that the server is to make.
fn name_in(body: &[u8]) -> Option<String> {
    let members: BTreeMap<String, RawJson> = json::from_slice(body).ok()?;
    let metadata: ObjectMeta = json::from_str(members.get("metadata")?.as_str()).ok()?;
    metadata.name.or_else(|| Some(metadata.generate_name? + "…"))
}

/// `GET https://10.0.0.1:6443/api/v1/namespaces/default/pods/web (Pod)`.
impl fmt::Display for RequestLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = &mut Visible(f);
        write!(
            f,
            "{} {}{}",
            self.method,
            shortened(&self.origin, 3 * KEY),
            shortened_path(&self.path)
        )?;
        let [kind, name] = [&self.kind, &self.name].map(|text| shortened(text, 3 * KEY));
        match (&*kind, &*name) {
            ("", "") => Ok(()),
            (kind, "") => write!(f, " ({kind})"),
            ("", name) => write!(f, " ({name})"),
            (kind, name) => write!(f, " ({kind} {name})"),
        }
    }
}
