//! Machines that run.

use crate::alarm::Alarm;
use crate::body::{Body, Deadline, poll_bytes};
use crate::client::Client;
use crate::error::{BoxError, Error, ErrorKind};
use crate::metrics::{End, Measured, trace};
use crate::transport::Responding;
use kapigen_runtime::jiff::Timestamp;
use kapigen_runtime::machine::FailureKind;
use kapigen_runtime::mask::Observed;
use kapigen_runtime::pages::PageEvent;
use kapigen_runtime::request::is_open_ended;
use kapigen_runtime::{Election, ElectionEvent, Input, Machine, Pages, Step};
use std::fmt;
use std::future::{Future, poll_fn};
use std::mem;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::Instant;
use tracing::Span;

/// A running state machine, such as an informer, as a stream of its events. It does nothing unless
/// polled, and stops when dropped. Its type names the machine, such as `Run<Informer<Pod>>` or
/// `Run<Election>`.
pub struct Run<M> {
    machine: M,
    client: Client,
    start: Instant,
    call: Call,
    /// The deadline of the open request.
    deadline: Option<Deadline>,
    alarm: Alarm,
    measured: Option<Measured>,
}

/// The request that is open.
enum Call {
    None,
    Sent(Responding),
    Body(Body),
}

impl<M: Machine> Run<M> {
    pub(crate) fn new(machine: M, client: Client) -> Self {
        Self {
            machine,
            client,
            start: Instant::now(),
            call: Call::None,
            deadline: None,
            alarm: Alarm::default(),
            measured: None,
        }
    }

    /// The time by the clock of the machine.
    pub fn now(&self) -> Duration {
        self.start.elapsed()
    }

    /// The machine, such as an election, to ask whether it leads.
    pub fn machine(&self) -> &M {
        &self.machine
    }

    /// The machine, for example to release an election. Poll again after a change.
    pub fn machine_mut(&mut self) -> &mut M {
        &mut self.machine
    }

    /// The next event, or `None` when the machine is done. It is cancel safe: no event is lost.
    pub async fn next(&mut self) -> Option<M::Event> {
        poll_fn(|context| self.poll_event(context)).await
    }

    /// The only event of a machine. Ends the measurement of a request that had no response until
    /// then.
    pub(crate) async fn outcome(mut self) -> Option<M::Event> {
        let event = self.next().await;
        self.give_up();
        event
    }

    pub(crate) fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Option<M::Event>> {
        loop {
            let now = self.start.elapsed();
            self.machine.on_wall_time(Timestamp::now(), now);
            match self.machine.poll(now) {
                Step::Event(event) => return Poll::Ready(Some(event)),
                Step::Send(request) => self.send(*request),
                Step::Wait { until } => {
                    self.give_up();
                    ready!(self.alarm.poll(self.start, until, context));
                }
                Step::Receive { until } => {
                    if self.poll_call(context).is_pending()
                        && self.poll_deadline(context).is_pending()
                    {
                        ready!(self.alarm.poll(self.start, until, context));
                    }
                }
                Step::Done => {
                    self.give_up();
                    return Poll::Ready(None);
                }
            }
        }
    }

    fn send(&mut self, request: http::Request<Vec<u8>>) {
        self.deadline = self.client.limits.start(is_open_ended(&request)).deadline();
        self.give_up();
        self.measured = Some(Measured::begin(&request));
        let uri = request.uri().clone();
        match self.client.complete(request) {
            Ok(request) => {
                self.machine.feed(Input::SentTo(request.uri()), self.start.elapsed());
                self.call = Call::Sent(self.client.dispatch(request));
            }
            // Too long for a URL. A machine continues without a token of the server.
            Err(error) if !self.client.is_too_long(&uri) => {
                let cause = error.cause();
                self.fail_with(&error, Input::Disconnected(&cause));
            }
            Err(error) => self.fail(&error),
        }
    }

    /// Feeds the next part of the response.
    fn poll_call(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let span = self.measured.as_ref().map(|measured| measured.span().clone());
        let _entered = span.as_ref().map(Span::enter);
        match &mut self.call {
            Call::None => return Poll::Pending,
            Call::Sent(future) => match ready!(future.as_mut().poll(context)) {
                Ok(response) => {
                    let (head, body) = response.into_parts();
                    trace(head.status, &head.headers);
                    if let Some(measured) = self.measured.take() {
                        measured.end(End::Head(head.status));
                    }
                    self.machine
                        .feed(Input::Head(head.status, &head.headers), self.start.elapsed());
                    self.call = Call::Body(body);
                }
                Err(error) => self.fail_transport(error),
            },
            Call::Body(body) => {
                let machine = &mut self.machine;
                let now = self.start.elapsed();
                match ready!(
                    poll_bytes(body, context, &mut |chunk| machine.feed(Input::Bytes(chunk), now))
                ) {
                    Ok(true) => {}
                    Ok(false) => {
                        self.call = Call::None;
                        self.machine.feed(Input::End, self.start.elapsed());
                    }
                    Err(error) => self.fail(&error),
                }
            }
        }
        Poll::Ready(())
    }

    /// Ends a request that takes too long.
    fn poll_deadline(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let Some(deadline) = &mut self.deadline else { return Poll::Pending };
        let error = ready!(deadline.poll(context));
        self.fail(&error);
        Poll::Ready(())
    }

    /// Drops a request that is still open: the machine continues without its response, which did
    /// not arrive in time.
    fn give_up(&mut self) {
        self.call = Call::None;
        self.measure("timeout");
    }

    /// Ends the measurement of a request that has no response.
    fn measure(&mut self, code: &'static str) {
        if let Some(measured) = self.measured.take() {
            measured.end(End::Failed(code));
        }
    }

    fn fail_transport(&mut self, error: impl Into<BoxError>) {
        self.fail(&ErrorKind::transport(error));
    }

    fn fail(&mut self, error: &ErrorKind) {
        let cause = error.cause();
        let input = match error {
            ErrorKind::Unsendable(_) => Input::Unsendable(&cause),
            _ => Input::Disconnected(&cause),
        };
        self.fail_with(error, input);
    }

    /// Ends the request that is open, of which the machine is fed this.
    fn fail_with(&mut self, error: &ErrorKind, input: Input<'_>) {
        self.measure(error.code());
        tracing::warn!(%error, "request failed");
        self.call = Call::None;
        self.deadline = None;
        self.machine.feed(input, self.start.elapsed());
    }
}

impl Run<Election> {
    /// Whether this candidate leads now. Ask right before each act that only a leader may do.
    pub fn is_leader(&self) -> bool {
        self.machine.is_leader(Timestamp::now(), self.start.elapsed())
    }

    /// Withdraws from the election, and releases the lease so that another candidate can lead at
    /// once. Keep polling until there are no more events.
    pub fn release(&mut self) {
        self.machine.release(self.start.elapsed());
    }

    /// Runs `work` whenever this candidate leads, and cancels it as soon as leadership is lost.
    /// Returns the output of `work`, or `None` after `shutdown`, such as a signal of
    /// `tokio::signal`. In both cases the lease is released, for at most five seconds. Failures of
    /// requests are logged.
    ///
    /// # Errors
    /// When the requests of the election cannot be sent at all.
    pub async fn lead<W: Future>(
        mut self,
        mut work: impl FnMut() -> W,
        shutdown: impl Future,
    ) -> Result<Option<W::Output>, Error> {
        let mut shutdown = pin!(shutdown);
        let mut working: Option<Pin<Box<W>>> = None;
        let mut unsendable = String::new();
        let output = poll_fn(|context| {
            if shutdown.as_mut().poll(context).is_ready() {
                return Poll::Ready(Ok(None));
            }
            while let Poll::Ready(event) = self.poll_event(context) {
                match event {
                    Some(ElectionEvent::Leading) => {
                        tracing::info!("leading");
                        working = Some(Box::pin(work()));
                    }
                    Some(ElectionEvent::Lost) => {
                        tracing::info!("leadership is lost");
                        working = None;
                    }
                    Some(ElectionEvent::Leader(leader)) => {
                        tracing::info!(%leader, "waiting for the lease");
                    }
                    Some(ElectionEvent::Failed(failure)) => {
                        tracing::warn!(%failure, "election");
                        if let FailureKind::Unsendable(cause) = failure.kind {
                            unsendable = cause;
                        }
                    }
                    Some(_) => {}
                    None => {
                        return Poll::Ready(Err(
                            ErrorKind::Unsendable(mem::take(&mut unsendable)).into()
                        ));
                    }
                }
            }
            match &mut working {
                Some(working) => working.as_mut().poll(context).map(|output| Ok(Some(output))),
                None => Poll::Pending,
            }
        });
        let output = output.await;
        drop(working);
        self.release();
        // A process ends even if the server does not respond.
        drop(tokio::time::timeout(RELEASE, async { while self.next().await.is_some() {} }).await);
        output
    }
}

/// The time for the release of a lease.
const RELEASE: Duration = Duration::from_secs(5);

impl<M> Unpin for Run<M> {}

impl<M: Machine> futures_core::Stream for Run<M> {
    type Item = M::Event;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<M::Event>> {
        self.get_mut().poll_event(context)
    }
}

impl<M: fmt::Debug> fmt::Debug for Run<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("machine", &self.machine).finish_non_exhaustive()
    }
}

/// All items of a list, one by one while the bytes arrive, and page by page.
///
/// An item that cannot be decoded is an error, after which others may follow. After all other
/// errors there are none.
pub struct ItemStream<T> {
    pages: Run<Pages<T>>,
}

impl<T: Observed> ItemStream<T> {
    pub(crate) fn new(pages: Run<Pages<T>>) -> Self {
        Self { pages }
    }

    /// The next item, or `None` at the end of the list. It can be cancelled without losing one.
    pub async fn next(&mut self) -> Option<Result<Box<T>, Error>> {
        poll_fn(|context| self.poll_item(context)).await
    }

    fn poll_item(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Box<T>, Error>>> {
        Poll::Ready(match ready!(self.pages.poll_event(context)) {
            Some(PageEvent::Item(item)) => Some(Ok(item)),
            Some(PageEvent::Undecodable(error)) => {
                Some(Err(ErrorKind::Failed(FailureKind::Decode(error)).into()))
            }
            Some(PageEvent::Failed(failure)) => Some(Err(failure.into())),
            // The end of the list is the last event.
            Some(_) | None => None,
        })
    }
}

impl<T: Observed> futures_core::Stream for ItemStream<T> {
    type Item = Result<Box<T>, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_item(context)
    }
}

impl<T> fmt::Debug for ItemStream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ItemStream").finish_non_exhaustive()
    }
}
