//! The requests that were handled, for tests to look at.

use bytes::Bytes;
use http::Request;
use std::collections::VecDeque;

/// The number of requests that are kept, so that a server that runs for days does not grow.
const MOST_REQUESTS: usize = 10_000;
/// The bytes of their bodies that are kept.
const MOST_BYTES: usize = 1 << 28;

/// The latest requests.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    requests: VecDeque<Request<Bytes>>,
    /// The bytes of their bodies.
    bytes: usize,
}

impl Seen {
    /// Adds a request, and drops the oldest ones if there are too many or they are too large.
    pub(crate) fn push(&mut self, request: Request<Bytes>) {
        self.bytes += request.body().len();
        self.requests.push_back(request);
        while self.requests.len() > MOST_REQUESTS || self.bytes > MOST_BYTES {
            let Some(oldest) = self.requests.pop_front() else { return };
            self.bytes -= oldest.body().len();
        }
    }

    /// All of them, in their order.
    pub(crate) fn all(&self) -> Vec<Request<Bytes>> {
        self.requests.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_BYTES, MOST_REQUESTS, Seen};
    use bytes::Bytes;
    use http::Request;

    #[test]
    fn the_oldest_requests_go_first() {
        let mut seen = Seen::default();
        for index in 0..MOST_REQUESTS + 2 {
            seen.push(Request::get(format!("/{index}")).body(Bytes::new()).unwrap());
        }
        let all = seen.all();
        assert_eq!((all.len(), all[0].uri().path()), (MOST_REQUESTS, "/2"));
    }

    #[test]
    fn few_requests_are_kept_if_they_are_large() {
        let mut seen = Seen::default();
        let body = Bytes::from(vec![0; MOST_BYTES / 4]);
        for _ in 0..6 {
            seen.push(Request::new(body.clone()));
        }
        assert_eq!((seen.all().len(), seen.bytes), (4, MOST_BYTES));
        seen.push(Request::new(Bytes::from_static(b"a")));
        assert_eq!((seen.all().len(), seen.bytes), (4, MOST_BYTES / 4 * 3 + 1));
    }
}
