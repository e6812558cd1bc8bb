//! A `tower::Service` over a server.

#[cfg(feature = "streams")]
mod switch;
mod timer;

use crate::http::LARGEST_BODY;
use crate::server::{Events, NextEvent, Reply, ReplyBody, Server};
use bytes::{Buf, BufMut, Bytes, BytesMut};
use http_body::{Frame, SizeHint};
use kapigen_runtime::jiff::SignedDuration;
use std::error::Error;
use std::future::{self, Future};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use timer::{Alarm, Timer};

type BoxError = Box<dyn Error + Send + Sync>;

/// A `tower::Service` over a [`Server`], for clients that take one, such as kube's:
/// `Client::new(service, "default")`.
///
/// It needs no runtime: a thread of its own waits for the ends of watches and for injected latency.
#[doc(alias = "mock service")]
#[derive(Clone, Debug)]
pub struct FakeService {
    server: Server,
    timer: Timer,
}

impl FakeService {
    /// Serves with the [time](Server::now) of the server.
    #[must_use]
    pub fn new(server: Server) -> Self {
        Self { server, timer: Timer::default() }
    }
}

impl<B> tower_service::Service<http::Request<B>> for FakeService
where
    B: http_body::Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<BoxError>,
{
    type Response = http::Response<ServiceBody>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<B>) -> Self::Future {
        let Self { server, timer } = self.clone();
        Box::pin(async move {
            #[cfg_attr(not(feature = "streams"), allow(unused_mut))]
            let (mut head, body) = request.into_parts();
            #[cfg(feature = "streams")]
            let connection = switch::Connection::take_from(&mut head.extensions);
            // A client that is gone reads no response, but a client that sent an unreadable body
            // does.
            let Ok(body) = collect(body).await else { return Ok(unreadable(server, timer)) };
            let reply = server.handle(http::Request::from_parts(head, body), server.now());
            #[cfg_attr(not(feature = "streams"), allow(unused_mut))]
            let Reply { mut response, delay, pause, .. } = reply;
            sleep(&timer, delay).await;
            #[cfg(feature = "streams")]
            if let Some(session) = reply.session {
                connection.carry(session, response.extensions_mut())?;
            }
            let pause = Pause { time: pause, since: None };
            Ok(response.map(|body| ServiceBody {
                body: Some(body),
                server,
                pause,
                timer,
                alarm: None,
            }))
        })
    }
}

/// 400 for a request with an unreadable body.
fn unreadable(server: Server, timer: Timer) -> http::Response<ServiceBody> {
    let body = ReplyBody::Whole(Bytes::from_static(b"400 Bad Request: the body cannot be read\n"));
    let pause = Pause { time: Duration::ZERO, since: None };
    let mut response =
        http::Response::new(ServiceBody { body: Some(body), server, pause, timer, alarm: None });
    *response.status_mut() = http::StatusCode::BAD_REQUEST;
    response
}

/// The whole body of a request. A body that is too large is truncated, but stays longer than the
/// limit. A body in one piece is not copied.
async fn collect<B>(body: B) -> Result<Bytes, BoxError>
where
    B: http_body::Body,
    B::Error: Into<BoxError>,
{
    let mut body = std::pin::pin!(body);
    let mut first = Bytes::new();
    let mut more = BytesMut::new();
    while let Some(frame) = future::poll_fn(|context| body.as_mut().poll_frame(context)).await {
        let Ok(mut data) = frame.map_err(Into::into)?.into_data() else { continue };
        if first.is_empty() {
            first = data.copy_to_bytes(data.remaining());
        } else if first.len().max(more.len()) <= LARGEST_BODY {
            if more.is_empty() {
                more.extend_from_slice(&first);
            }
            more.put(data);
        }
    }
    Ok(if more.is_empty() { first } else { more.freeze() })
}

/// Waits for this time.
async fn sleep(timer: &Timer, time: Duration) {
    if time.is_zero() {
        return;
    }
    let start = Instant::now();
    let mut alarm = None;
    future::poll_fn(|context| {
        let left = time.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Poll::Ready(());
        }
        alarm = timer.after(left, context.waker());
        Poll::Pending
    })
    .await;
    drop(alarm);
}

/// The body of a response: all at once, or event by event.
#[derive(Debug)]
pub struct ServiceBody {
    /// The rest of the body.
    body: Option<ReplyBody>,
    /// For its clock.
    server: Server,
    pause: Pause,
    timer: Timer,
    /// The alarm of the task that waits for the next event.
    alarm: Option<Alarm>,
}

/// The time before each piece of a body.
#[derive(Debug)]
struct Pause {
    time: Duration,
    /// The start of the current pause.
    since: Option<Instant>,
}

impl Pause {
    /// The rest of the pause before the next piece.
    fn left(&mut self) -> Duration {
        if self.time.is_zero() {
            return Duration::ZERO;
        }
        let since = *self.since.get_or_insert_with(Instant::now);
        self.time.saturating_sub(since.elapsed())
    }
}

/// The bytes of a piece, where there are pauses between them.
const PIECE: usize = 1024;

impl ServiceBody {
    fn poll_events(&mut self, events: &mut Events, context: &Context<'_>) -> Poll<Option<Bytes>> {
        let now = self.server.now();
        match events.poll_next(now, context.waker()) {
            NextEvent::Event(line) => Poll::Ready(Some(line.into())),
            NextEvent::End => Poll::Ready(None),
            NextEvent::Wait(until) => {
                let left = until.duration_since(now).max(SignedDuration::ZERO);
                self.alarm = self.timer.after(left.unsigned_abs(), context.waker());
                Poll::Pending
            }
        }
    }
}

impl http_body::Body for ServiceBody {
    type Data = Bytes;
    type Error = BoxError;

    fn is_end_stream(&self) -> bool {
        match &self.body {
            None => true,
            Some(ReplyBody::Whole(bytes)) => bytes.is_empty(),
            Some(ReplyBody::Stream(_)) => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.body {
            None => SizeHint::with_exact(0),
            Some(ReplyBody::Whole(bytes)) => SizeHint::with_exact(bytes.len() as u64),
            Some(ReplyBody::Stream(_)) => SizeHint::default(),
        }
    }

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let left = self.pause.left();
        if !left.is_zero() && !self.is_end_stream() {
            self.alarm = self.timer.after(left, context.waker());
            return Poll::Pending;
        }
        match self.body.take() {
            None => Poll::Ready(None),
            Some(ReplyBody::Whole(bytes)) if bytes.is_empty() => Poll::Ready(None),
            Some(ReplyBody::Whole(mut bytes)) => {
                let is_slow = !self.pause.time.is_zero();
                let piece =
                    bytes.split_to(if is_slow { PIECE.min(bytes.len()) } else { bytes.len() });
                self.body = is_slow.then_some(ReplyBody::Whole(bytes));
                self.pause.since = None;
                Poll::Ready(Some(Ok(Frame::data(piece))))
            }
            Some(ReplyBody::Stream(mut events)) => {
                let polled = self.poll_events(&mut events, context);
                if !matches!(polled, Poll::Ready(None)) {
                    self.body = Some(ReplyBody::Stream(events));
                }
                if polled.is_ready() {
                    self.pause.since = None;
                }
                polled.map(|event| event.map(|bytes| Ok(Frame::data(bytes))))
            }
        }
    }
}
