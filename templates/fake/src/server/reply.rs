//! Streams of events and of lines, pulled by their carrier.

#[cfg(feature = "streams")]
use super::session::Session;
use super::shared::{Moment, Shared};
use crate::http::Rendering;
use crate::state::State;
use crate::verbs::{Over, Plan, Reading};
use bytes::Bytes;
use kapigen_runtime::jiff::Timestamp;
use std::fmt;
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

/// The events of a watch, or the lines of a log. The carrier asks for the next one whenever the
/// server changed, or the time has come.
pub struct Events {
    shared: Arc<Shared>,
    /// The ID among the streams that wait.
    stream: u64,
    source: StreamSource,
    /// Events until the stream is cut.
    left: Option<usize>,
    /// Streams that began before the last cut are over.
    generation: u64,
    /// The state of the server when the stream was last polled.
    seen: Moment,
}

/// The origin of a stream.
#[derive(Debug)]
pub(super) enum StreamSource {
    Watch(Plan, Rendering),
    Log(Reading),
}

/// The next step of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextEvent {
    /// An event, which is a line of JSON, or a line of a log.
    Event(Vec<u8>),
    /// Nothing until the server changes or this time comes.
    Wait(Timestamp),
    /// The stream is over.
    End,
}

impl StreamSource {
    fn next(&mut self, state: &State, now: Timestamp) -> Result<Option<Vec<u8>>, Over> {
        match self {
            StreamSource::Watch(plan, rendering) => {
                let event = plan.next(state, now)?;
                Ok(event.map(|event| rendering.event(plan.resource(), &event, now)))
            }
            StreamSource::Log(reading) => reading.next(state),
        }
    }

    /// The next time at which something happens without a change.
    fn due_at(&self) -> Timestamp {
        match self {
            StreamSource::Watch(plan, _) => plan.due_at(),
            StreamSource::Log(_) => Timestamp::MAX,
        }
    }
}

impl Events {
    pub(super) fn new(
        shared: Arc<Shared>,
        source: StreamSource,
        left: Option<usize>,
        generation: u64,
    ) -> Self {
        let stream = shared.wakers.register();
        Self { shared, stream, source, left, generation, seen: Moment::default() }
    }

    /// The next event, if there is one already.
    pub fn next(&mut self, now: Timestamp) -> NextEvent {
        let inner = self.shared.lock();
        self.seen = inner.moment();
        if self.left == Some(0) || inner.cuts != self.generation {
            return NextEvent::End;
        }
        match self.source.next(&inner.state, now) {
            Ok(Some(event)) => {
                self.left = self.left.map(|left| left - 1);
                NextEvent::Event(event)
            }
            Ok(None) => NextEvent::Wait(self.source.due_at()),
            Err(Over) => NextEvent::End,
        }
    }

    /// As [`next`](Self::next). When there is nothing, `waker` is woken once the server changes.
    pub fn poll_next(&mut self, now: Timestamp, waker: &Waker) -> NextEvent {
        // Registered first: a change in between wakes it at once.
        self.shared.wakers.set(self.stream, waker);
        self.next(now)
    }

    /// Blocks until the server has changed since the last call of [`next`](Self::next), at most for
    /// this long.
    pub fn wait(&self, at_most: std::time::Duration) {
        self.shared.wait(self.seen, at_most);
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.shared.wakers.remove(self.stream);
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events")
            .field("source", &self.source)
            .field("left", &self.left)
            .finish_non_exhaustive()
    }
}

/// The reply to a request.
#[derive(Debug)]
#[non_exhaustive]
pub struct Reply {
    /// Status and headers, and the body.
    pub response: http::Response<ReplyBody>,
    /// The time that the carrier should wait before it sends them: zero, but for an injected
    /// latency.
    pub delay: Duration,
    /// The time that the carrier should wait before each piece of the body, an event or 1,024
    /// bytes: zero, but for an injected failure.
    pub pause: Duration,
    /// The session after a response that switches protocols: the carrier runs it over the
    /// connection.
    #[cfg(feature = "streams")]
    pub session: Option<Session>,
}

impl Reply {
    /// A response at once.
    pub(super) fn new(response: http::Response<ReplyBody>) -> Self {
        Self {
            response,
            delay: Duration::ZERO,
            pause: Duration::ZERO,
            #[cfg(feature = "streams")]
            session: None,
        }
    }
}

/// The body of a response.
#[derive(Debug)]
pub enum ReplyBody {
    /// All of it.
    Whole(Bytes),
    /// Events, as they happen.
    Stream(Box<Events>),
}

impl ReplyBody {
    /// The bytes of a whole body. `None` for a stream.
    #[must_use]
    pub fn into_whole(self) -> Option<Bytes> {
        match self {
            Self::Whole(bytes) => Some(bytes),
            Self::Stream(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Events, NextEvent};
    use crate::server::{ReplyBody, Server};
    use kapigen_runtime::jiff::Timestamp;
    use serde_json::json;
    use std::task::Waker;

    fn watch(server: &Server) -> Events {
        let request =
            http::Request::get("/apis/example.com/v1/widgets?watch=true").body(Vec::new()).unwrap();
        match server.handle(request, Timestamp::UNIX_EPOCH).response.into_body() {
            ReplyBody::Stream(events) => *events,
            ReplyBody::Whole(body) => panic!("{}", String::from_utf8_lossy(&body)),
        }
    }

    #[test]
    fn dropped_streams_leave_nothing_behind() {
        let server = Server::default();
        let names = json!({"plural": "widgets", "kind": "Widget"});
        let versions = json!([{"name": "v1", "served": true, "schema": {}}]);
        let spec = json!({"group": "example.com", "scope": "Cluster", "names": names, "versions": versions});
        server.add_definition(&json!({"spec": spec})).unwrap();
        let mut kept = watch(&server);
        for _ in 0..5000 {
            let mut events = watch(&server);
            assert!(matches!(
                events.poll_next(Timestamp::UNIX_EPOCH, Waker::noop()),
                NextEvent::Wait(_)
            ));
        }
        assert_eq!(kept.shared.wakers.len(), 0);
        assert!(matches!(kept.poll_next(Timestamp::UNIX_EPOCH, Waker::noop()), NextEvent::Wait(_)));
        assert_eq!(kept.shared.wakers.len(), 1);
    }
}
