//! Metrics as events of `tracing`, in the form that the metrics layer of `tracing-opentelemetry` takes: the prefix of a
//! field is the instrument, all other fields are attributes. They cost nothing unless a subscriber wants them.

use kapigen_runtime::queue::Counts;
use kapigen_runtime::rbac::Access;
use std::time::Duration;
use tokio::time::Instant;

/// The target of all of them.
pub(crate) const TARGET: &str = "kapigen::metrics";

/// A request that is measured until its response begins.
pub(crate) struct Measured {
    start: Instant,
    /// `None` for a path that is not that of a resource.
    access: Option<Access>,
}

impl Measured {
    /// Begins with a request, if anybody wants to know.
    pub(crate) fn begin<B>(request: &http::Request<B>) -> Option<Self> {
        let is_wanted = tracing::enabled!(target: TARGET, tracing::Level::DEBUG);
        is_wanted.then(|| Self { start: Instant::now(), access: Access::of(request) })
    }

    /// Ends with the status code of the response, or the kind of an error.
    pub(crate) fn end(self, code: &str) {
        let access = self.access.as_ref();
        let verb = access.map_or("other", |access| access.verb);
        let group = access.map_or("", |access| &access.group);
        let resource = access.map_or("", |access| &access.resource);
        let seconds = self.start.elapsed().as_secs_f64();
        tracing::event!(
            target: TARGET, tracing::Level::DEBUG, monotonic_counter.kapigen_requests = 1_u64, histogram.kapigen_request_seconds = seconds,
            verb, group, resource, code,
        );
    }
}

/// A key that is handed out of a queue.
pub(crate) fn handed_out(queue: &str, waited: Duration, counts: impl FnOnce() -> Counts) {
    if !tracing::enabled!(target: TARGET, tracing::Level::DEBUG) {
        return;
    }
    let counts = counts();
    tracing::event!(
        target: TARGET, tracing::Level::DEBUG, histogram.kapigen_queue_wait_seconds = waited.as_secs_f64(),
        gauge.kapigen_queue_ready = counts.ready as u64, gauge.kapigen_queue_delayed = counts.delayed as u64,
        gauge.kapigen_queue_in_work = counts.in_work as u64, queue,
    );
}

/// A key that was handled.
pub(crate) fn handled(queue: &str, result: &str) {
    tracing::event!(target: TARGET, tracing::Level::DEBUG, monotonic_counter.kapigen_queue_handled = 1_u64, queue, result);
}

/// An informer that begins with all objects: the first time, or after it has lost its place.
pub(crate) fn relisted(kind: &str) {
    tracing::event!(target: TARGET, tracing::Level::DEBUG, monotonic_counter.kapigen_relists = 1_u64, kind);
}
