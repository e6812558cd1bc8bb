//! The handled requests, for tests.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, USER_AGENT};
use http::{HeaderValue, Request};
use kapigen_runtime::__private::ResourcePath;
use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The number of requests that are kept, so that a server that runs for days does not grow.
const MOST_REQUESTS: usize = 10_000;
/// The largest total size of the requests that are kept, in bytes.
const MOST_BYTES: usize = 1 << 28;

/// The latest requests, and one of each kind.
#[derive(Debug, Default)]
pub(crate) struct RequestLog {
    requests: VecDeque<Request<Bytes>>,
    /// The sum of their sizes.
    bytes: usize,
    /// The hashes of the kinds of requests so far.
    kinds: HashSet<u64>,
    /// The first request of each kind.
    first: Vec<Request<()>>,
}

impl RequestLog {
    /// Adds a request, and drops the oldest ones if there are too many or they are too large.
    pub(crate) fn push(&mut self, request: Request<Bytes>) {
        let kind = kind(&request);
        if self.first.len() < MOST_REQUESTS && !self.kinds.contains(&kind) {
            let (head, _) = request.clone().into_parts();
            self.first.push(Request::from_parts(head, ()));
            self.kinds.insert(kind);
        }
        self.bytes += size(&request);
        self.requests.push_back(request);
        while self.requests.len() > MOST_REQUESTS || self.bytes > MOST_BYTES {
            let Some(oldest) = self.requests.pop_front() else { return };
            self.bytes -= size(&oldest);
        }
    }

    /// The first request of each kind, in their order.
    pub(crate) fn first(&self) -> Vec<Request<()>> {
        self.first.clone()
    }

    /// All of them, in their order.
    pub(crate) fn all(&self) -> Vec<Request<Bytes>> {
        self.requests.iter().cloned().collect()
    }
}

/// The hash of everything that a role depends on, and of the client. Further parts would do no
/// harm.
fn kind(request: &Request<Bytes>) -> u64 {
    let mut hasher = DefaultHasher::new();
    let path = request.uri().path();
    let has_watch = request.uri().query().is_some_and(|query| query.contains("watch"));
    (request.method(), has_watch).hash(&mut hasher);
    match ResourcePath::parse(path) {
        Some(path) => {
            let ResourcePath { group, namespace, plural, name, subresource, is_watch, .. } = path;
            (group, namespace, plural, name.is_some(), subresource, is_watch).hash(&mut hasher);
        }
        None => path.hash(&mut hasher),
    }
    for name in [CONTENT_TYPE, USER_AGENT] {
        request.headers().get(name).map(HeaderValue::as_bytes).hash(&mut hasher);
    }
    hasher.finish()
}

/// The bytes of method, URL, headers and body.
fn size(request: &Request<Bytes>) -> usize {
    let method = request.method().as_str();
    let uri = request.uri();
    let authority = uri.authority().map_or(0, |authority| authority.as_str().len());
    let headers: usize =
        request.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    method.len()
        + authority
        + uri.path().len()
        + uri.query().map_or(0, str::len)
        + headers
        + request.body().len()
}

#[cfg(test)]
mod tests {
    use super::{MOST_BYTES, MOST_REQUESTS, RequestLog, size};
    use bytes::Bytes;
    use http::{HeaderValue, Request};

    #[test]
    fn the_oldest_requests_go_first() {
        let mut log = RequestLog::default();
        for index in 0..MOST_REQUESTS + 2 {
            log.push(Request::get(format!("/{index}")).body(Bytes::new()).unwrap());
        }
        let all = log.all();
        assert_eq!((all.len(), all[0].uri().path()), (MOST_REQUESTS, "/2"));
    }

    #[test]
    fn the_first_request_of_each_kind_is_kept() {
        let mut log = RequestLog::default();
        let mut push =
            |request: http::request::Builder| log.push(request.body(Bytes::from("body")).unwrap());
        push(Request::delete("/api/v1/namespaces/a/pods/web").header("user-agent", "test"));
        push(Request::delete("/api/v1/namespaces/a/pods/web"));
        for index in 0..MOST_REQUESTS + 2 {
            push(Request::get(format!("/api/v1/namespaces/a/pods/web-{index}")));
        }
        push(Request::get("/version"));
        let first = log.first();
        let paths: Vec<_> =
            first.iter().map(|request| request.uri().path().rsplit('/').next().unwrap()).collect();
        assert_eq!(paths, ["web", "web", "web-0", "version"]);
    }

    #[test]
    fn few_requests_are_kept_if_they_are_large() {
        let mut log = RequestLog::default();
        let body = Bytes::from(vec![0; MOST_BYTES / 4]);
        let header = HeaderValue::from_bytes(&vec![b'a'; MOST_BYTES / 4]).unwrap();
        for _ in 0..3 {
            log.push(Request::new(body.clone()));
            log.push(Request::get("/?a").header("a", header.clone()).body(Bytes::new()).unwrap());
        }
        let all = log.all();
        assert_eq!((all.len(), all[0].uri().query()), (3, Some("a")));
        // Beside a body there are `GET` and a path, and beside a large header its name, `GET`, a
        // path and a query.
        assert_eq!(log.bytes, 3 * (MOST_BYTES / 4) + 4 + 2 * 6);
        assert_eq!(log.bytes, all.iter().map(size).sum::<usize>());
    }
}
