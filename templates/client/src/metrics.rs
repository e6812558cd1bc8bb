//! Requests, queues and informers for subscribers of `tracing`. None of it costs more than a check
//! of the filter unless a subscriber is interested.
//!
//! Metrics are events in the form that the metrics layer of `tracing-opentelemetry` takes: the
//! prefix of a field is the instrument, all other fields are attributes. Each request and each
//! handler of a key has a span.

use http::header::WARNING;
use http::{HeaderMap, StatusCode};
use kapigen_runtime::informer::SyncMethod;
use kapigen_runtime::queue::Counts;
use kapigen_runtime::rbac::Access;
use std::time::Duration;
use tokio::time::Instant;
use tracing::Span;
use tracing::field::Empty;

/// The target of all metrics.
pub(crate) const TARGET: &str = "kapigen::metrics";
/// The time between two reports of values that change while nothing happens.
pub(crate) const EVERY: Duration = Duration::from_secs(10);

/// Whether a subscriber is interested in metrics.
pub(crate) fn are_wanted() -> bool {
    tracing::enabled!(target: TARGET, tracing::Level::DEBUG)
}

/// Traces a response and its warnings, such as of a deprecated version.
pub(crate) fn trace(status: StatusCode, headers: &HeaderMap) {
    tracing::debug!(status = status.as_u16(), "response");
    for warning in headers.get_all(WARNING) {
        tracing::warn!(?warning, "the server warns");
    }
}

/// A request that is measured until its response begins, or until its future is dropped.
pub(crate) struct Measured {
    span: Span,
    /// `None` without a subscriber for metrics.
    metric: Option<Metric>,
    has_ended: bool,
}

struct Metric {
    start: Instant,
    /// `None` for a path that addresses no resource.
    access: Option<Access>,
}

/// The end of a request that is measured.
#[derive(Clone, Copy)]
pub(crate) enum End {
    Head(StatusCode),
    /// The kind of an error.
    Failed(&'static str),
}

impl Measured {
    /// Begins with a request.
    pub(crate) fn begin<B>(request: &http::Request<B>) -> Self {
        let span = tracing::debug_span!(
            "request",
            otel.kind = "client",
            http.request.method = request.method().as_str(),
            url.path = request.uri().path(),
            http.response.status_code = Empty,
            "error.type" = Empty,
        );
        let metric =
            are_wanted().then(|| Metric { start: Instant::now(), access: Access::of(request) });
        Self { span, metric, has_ended: false }
    }

    /// The span of the request.
    pub(crate) fn span(&self) -> &Span {
        &self.span
    }

    /// Ends with the status code of the response, or the kind of an error. A refusal is both.
    pub(crate) fn end(mut self, end: End) {
        self.record(end);
    }

    fn record(&mut self, end: End) {
        self.has_ended = true;
        let code = match &end {
            End::Head(status) => status.as_str(),
            End::Failed(code) => code,
        };
        let is_failure = match &end {
            End::Head(status) => {
                self.span.record("http.response.status_code", status.as_u16());
                status.is_client_error() || status.is_server_error()
            }
            End::Failed(_) => true,
        };
        if is_failure {
            self.span.record("error.type", code);
        }
        let Some(Metric { start, access }) = self.metric.take() else { return };
        let verb = access.as_ref().map_or("other", |access| access.verb.as_str());
        let group = access.as_ref().map_or("", |access| &access.group);
        let resource = access.as_ref().map_or("", |access| &access.resource);
        let seconds = start.elapsed().as_secs_f64();
        tracing::event!(
            target: TARGET, tracing::Level::DEBUG, monotonic_counter.kapigen_requests = 1_u64, histogram.kapigen_request_seconds = seconds,
            verb, group, resource, code,
        );
    }
}

impl Drop for Measured {
    fn drop(&mut self) {
        if !self.has_ended {
            self.record(End::Failed("cancelled"));
        }
    }
}

/// The span of the work on a key.
pub(crate) fn reconcile(queue: &str, key: &dyn std::fmt::Debug) -> Span {
    tracing::debug_span!("reconcile", queue, ?key)
}

/// A key that is handed out of a queue.
pub(crate) fn handed_out(queue: &str, waited: Duration) {
    let seconds = waited.as_secs_f64();
    tracing::event!(target: TARGET, tracing::Level::DEBUG, histogram.kapigen_queue_wait_seconds = seconds, queue);
}

/// The keys of a queue, and how long a handler is at work on the oldest one.
pub(crate) fn counts(queue: &str, counts: Counts, longest: Duration) {
    tracing::event!(
        target: TARGET, tracing::Level::DEBUG, gauge.kapigen_queue_ready = counts.ready as u64,
        gauge.kapigen_queue_delayed = counts.delayed as u64, gauge.kapigen_queue_in_work = counts.in_work as u64,
        gauge.kapigen_queue_longest_seconds = longest.as_secs_f64(), queue,
    );
}

/// A key that was handled.
pub(crate) fn handled(queue: &str, result: &str, worked: Duration) {
    tracing::event!(
        target: TARGET, tracing::Level::DEBUG, monotonic_counter.kapigen_queue_handled = 1_u64,
        histogram.kapigen_queue_work_seconds = worked.as_secs_f64(), queue, result,
    );
}

/// An informer that has all objects: the first time, or after it had lost its place.
pub(crate) fn relisted(kind: &str, method: SyncMethod) {
    let way = method.as_str();
    tracing::event!(target: TARGET, tracing::Level::DEBUG, monotonic_counter.kapigen_relists = 1_u64, kind, way);
}

/// The time by which an informer may be behind the server.
pub(crate) fn lag(kind: &str, lag: Duration) {
    let seconds = lag.as_secs_f64();
    tracing::event!(target: TARGET, tracing::Level::DEBUG, gauge.kapigen_watch_lag_seconds = seconds, kind);
}
