//! The events of `tracing`.

use bytes::Bytes;
use http_body_util::Full;
use kapigen_client::{BoxError, Client, WorkQueue};
use kapigen_runtime::__private::Builder;
use kapigen_runtime::meta_v1::{PartialObjectMetadata, PartialObjectMetadataList};
use kapigen_runtime::queue::{Handled, Queue};
use kapigen_runtime::{Operation, Store, Text, Verb};
use std::fmt::{Debug, Write};
use std::future::{Ready, ready};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Responds to everything with a warning.
#[derive(Clone)]
struct Warns;

impl tower_service::Service<http::Request<Full<Bytes>>> for Warns {
    type Response = http::Response<Full<Bytes>>;
    type Error = BoxError;
    type Future = Ready<Result<Self::Response, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: http::Request<Full<Bytes>>) -> Self::Future {
        let response =
            http::Response::builder().header("warning", "299 - \"things are deprecated\"");
        ready(response.body(Full::default()).map_err(Into::into))
    }
}

/// Keeps events as lines, metrics separately, and spans with their recorded fields.
#[derive(Clone, Default)]
struct Events(Arc<Mutex<Vec<String>>>, Arc<Mutex<Vec<String>>>, Arc<Mutex<Vec<String>>>);

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {field}={value:?}").unwrap();
    }
}

impl Subscriber for Events {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut line = Line(attributes.metadata().name().to_owned());
        attributes.record(&mut line);
        let mut spans = self.2.lock().unwrap();
        spans.push(line.0);
        Id::from_u64(spans.len() as u64)
    }
    fn record(&self, id: &Id, record: &Record<'_>) {
        let mut spans = self.2.lock().unwrap();
        let index = usize::try_from(id.into_u64()).unwrap() - 1;
        let name = spans[index].split(' ').next().unwrap().to_owned();
        let mut line = Line(name);
        record.record(&mut line);
        spans.push(line.0);
    }
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut line = Line(event.metadata().level().to_string());
        event.record(&mut line);
        let events =
            if event.metadata().target() == "kapigen::metrics" { &self.1 } else { &self.0 };
        events.lock().unwrap().push(line.0);
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[test]
fn requests_responses_and_warnings_are_events() {
    static READ: Operation =
        Operation::new(Verb::Get, "readThing", "GET", "/thing").parameters(&["watch"]);
    let client = Client::with_bodies(Warns).base("http://example.com").unwrap();
    let events = Events::default();
    tracing::subscriber::with_default(events.clone(), || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        // Nothing of the query, which may be a secret.
        runtime
            .block_on(client.send::<Text>(Builder::new(&READ, &[]).watch().finish().unwrap()))
            .unwrap();
    });
    let expected = [
        "DEBUG message=request method=GET path=\"/thing\"",
        "DEBUG message=response status=200",
        r#"WARN message=the server warns warning="299 - \"things are deprecated\"""#,
    ];
    assert_eq!(*events.0.lock().unwrap(), expected);
}

#[test]
fn requests_and_queues_are_measured() {
    static READ: Operation =
        Operation::new(Verb::Get, "readPod", "GET", "/api/v1/namespaces/default/pods/a");
    let client = Client::with_bodies(Warns).base("http://example.com").unwrap();
    let queue = WorkQueue::named("pods", Queue::new());
    queue.add("a");
    let events = Events::default();
    tracing::subscriber::with_default(events.clone(), || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            client.send::<Text>(Builder::new(&READ, &[]).finish().unwrap()).await.unwrap();
            queue.drain();
            queue.run(async |_| Ok::<_, String>(Handled::Done)).await;
        });
    });
    let metrics = events.1.lock().unwrap();
    let request = "DEBUG monotonic_counter.kapigen_requests=1 \
                   histogram.kapigen_request_seconds=0.0 verb=\"get\" group=\"\" \
                   resource=\"pods\" code=\"200\"";
    assert_eq!(metrics[0], request);
    assert!(
        metrics[1].starts_with("DEBUG histogram.kapigen_queue_wait_seconds="),
        "{}",
        metrics[1]
    );
    let handled = "DEBUG monotonic_counter.kapigen_queue_handled=1 \
                   histogram.kapigen_queue_work_seconds=0.0 queue=\"pods\" result=\"done\"";
    assert_eq!(metrics[2], handled);
    let counts = "DEBUG gauge.kapigen_queue_ready=0 gauge.kapigen_queue_delayed=0 \
                  gauge.kapigen_queue_in_work=0 gauge.kapigen_queue_longest_seconds=0.0 \
                  queue=\"pods\"";
    assert_eq!(metrics[3], counts);
    let spans = events.2.lock().unwrap();
    assert_eq!(
        *spans,
        [
            "request otel.kind=\"client\" http.request.method=\"GET\" \
             url.path=\"/api/v1/namespaces/default/pods/a\"",
            "request http.response.status_code=200",
            "reconcile queue=\"pods\" key=\"a\"",
        ]
    );
}

#[test]
fn gauges_are_reported_once_for_all_keys_of_a_poll() {
    let events = Events::default();
    tracing::subscriber::with_default(events.clone(), || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let queue = WorkQueue::new(Queue::new().concurrency(10));
            (0..10).for_each(|key| queue.add(key));
            let stuck =
                queue.run(async |_| std::future::pending::<Result<Handled, String>>().await);
            assert!(tokio::time::timeout(Duration::from_secs(1), stuck).await.is_err());
        });
    });
    let metrics = events.1.lock().unwrap();
    let gauges: Vec<_> = metrics.iter().filter(|line| line.contains("gauge.")).collect();
    assert!(gauges.len() == 1 && gauges[0].contains("kapigen_queue_in_work=10 "), "{gauges:?}");
}

/// Refuses requests in a namespace, and never responds to others.
#[derive(Clone)]
struct Unhelpful;

impl tower_service::Service<http::Request<Full<Bytes>>> for Unhelpful {
    type Response = http::Response<Full<Bytes>>;
    type Error = BoxError;
    type Future = std::pin::Pin<Box<dyn Future<Output = Result<Self::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Full<Bytes>>) -> Self::Future {
        let is_refused = request.uri().path().contains("/namespaces/");
        Box::pin(async move {
            if !is_refused {
                std::future::pending::<()>().await;
            }
            Ok(http::Response::builder().status(403).body(Full::default())?)
        })
    }
}

/// Metrics and spans of requests that fail.
#[test]
fn failures_are_measured_up_to_their_end() {
    static READ: Operation =
        Operation::new(Verb::Get, "readPod", "GET", "/api/v1/namespaces/default/pods/a");
    static LIST: Operation = Operation::new(Verb::List, "listThings", "GET", "/api/v1/things")
        .parameters(&["allowWatchBookmarks", "resourceVersion", "watch"]);
    let measured = |test: &dyn Fn(&tokio::runtime::Runtime)| {
        let events = Events::default();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        tracing::subscriber::with_default(events.clone(), || test(&runtime));
        let metric = events.1.lock().unwrap()[0].clone();
        let spans = events.2.lock().unwrap();
        let recorded: Vec<_> =
            spans.iter().filter(|line| !line.contains("otel.kind")).cloned().collect();
        (metric, recorded)
    };
    let read = |base: &str, expected: &str, spans: &[&str]| {
        let client = Client::with_bodies(Unhelpful).base(base).unwrap();
        let (metric, recorded) = measured(&|runtime| {
            runtime
                .block_on(client.send::<Text>(Builder::new(&READ, &[]).finish().unwrap()))
                .unwrap_err();
        });
        assert!(metric.ends_with(expected), "{metric}");
        assert_eq!(recorded, spans);
    };
    read(
        "http://example.com",
        "code=\"403\"",
        &["request http.response.status_code=403", "request error.type=\"403\""],
    );
    let long = format!("http://example.com/{}", "a".repeat(65_510));
    read(&long, "code=\"unsendable\"", &["request error.type=\"unsendable\""]);
    // The pause before the next attempt is no part of the request.
    let client = Client::with_bodies(Unhelpful).base("http://example.com").unwrap();
    let (metric, recorded) = measured(&|runtime| {
        runtime.block_on(async {
            let list = Builder::new(&LIST, &[]).finish::<PartialObjectMetadataList>().unwrap();
            let mut informer = client.informer(list).unwrap();
            let failures = async { while informer.next().await.is_some() {} };
            assert!(tokio::time::timeout(Duration::from_secs(100), failures).await.is_err());
        });
    });
    assert!(
        metric.contains("kapigen_request_seconds=60.0") && metric.ends_with("code=\"timeout\""),
        "{metric}"
    );
    assert_eq!(recorded[0], "request error.type=\"timeout\"");
}

/// The metrics of requests, each as its code.
fn codes<F: Future>(test: F) -> Vec<String> {
    let events = Events::default();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    tracing::subscriber::with_default(events.clone(), || drop(runtime.block_on(test)));
    let metrics = events.1.lock().unwrap();
    metrics.iter().map(|line| line.rsplit_once("code=").unwrap().1.to_owned()).collect()
}

#[test]
fn requests_that_nobody_waits_for_any_more_are_measured() {
    static READ: Operation = Operation::new(Verb::Get, "readPod", "GET", "/api/v1/pods/a");
    let client = Client::with_bodies(Unhelpful).base("http://example.com").unwrap();
    let silent = client
        .update(Builder::new(&READ, &[]).finish::<PartialObjectMetadata>().unwrap(), |_| Ok(None));
    assert_eq!(codes(silent), ["\"timeout\""]);
    #[cfg(feature = "dynamic")]
    assert_eq!(codes(client.discover()), ["\"timeout\""]);
    let dropped = client.send::<Text>(Builder::new(&READ, &[]).finish().unwrap());
    assert_eq!(
        codes(async { tokio::time::timeout(Duration::from_secs(1), dropped).await }),
        ["\"cancelled\""]
    );
}

#[test]
fn queues_are_measured_while_all_handlers_are_stuck() {
    let events = Events::default();
    tracing::subscriber::with_default(events.clone(), || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let queue = WorkQueue::named("pods", Queue::new());
            queue.add(0);
            let stuck = queue.run(async |_| {
                queue.add(1);
                queue.add(2);
                tokio::time::sleep(Duration::from_secs(3600)).await;
                Ok::<_, String>(Handled::Done)
            });
            assert!(tokio::time::timeout(Duration::from_secs(35), stuck).await.is_err());
        });
    });
    let metrics = events.1.lock().unwrap();
    let gauges: Vec<_> = metrics.iter().filter(|line| line.contains("gauge.")).collect();
    let expected = |seconds: u32| {
        format!(
            "DEBUG gauge.kapigen_queue_ready=2 gauge.kapigen_queue_delayed=0 \
             gauge.kapigen_queue_in_work=1 gauge.kapigen_queue_longest_seconds={seconds}.0 \
             queue=\"pods\""
        )
    };
    assert_eq!(gauges[1..], [&expected(10), &expected(20), &expected(30)]);
}

/// Sends one object as the first of a watch, and then nothing.
#[derive(Clone)]
struct Watched;

/// A body that stays silent after its bytes.
struct Silent(Option<&'static str>);

impl http_body::Body for Silent {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, BoxError>>> {
        self.0.take().map_or(Poll::Pending, |text| {
            Poll::Ready(Some(Ok(http_body::Frame::data(text.into()))))
        })
    }
}

impl tower_service::Service<http::Request<Full<Bytes>>> for Watched {
    type Response = http::Response<Silent>;
    type Error = BoxError;
    type Future = Ready<Result<Self::Response, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: http::Request<Full<Bytes>>) -> Self::Future {
        let events = concat!(
            r#"{"type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"1"}}}"#,
            "\n",
            r#"{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"2","annotations":{"k8s.io/initial-events-end":"true"}}}}"#,
            "\n"
        );
        ready(Ok(http::Response::new(Silent(Some(events)))))
    }
}

#[test]
fn informers_are_measured_while_nothing_happens() {
    static LIST: Operation = Operation::new(Verb::List, "listThings", "GET", "/things")
        .parameters(&["allowWatchBookmarks", "resourceVersion", "sendInitialEvents", "watch"]);
    let events = Events::default();
    tracing::subscriber::with_default(events.clone(), || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            let client = Client::with_bodies(Watched).base("http://example.com").unwrap();
            let list = Builder::new(&LIST, &[]).finish::<PartialObjectMetadataList>().unwrap();
            let queue = WorkQueue::new(Queue::new());
            let store = Store::new();
            let follow = queue.follow(client.informer(list).unwrap(), &store);
            assert!(tokio::time::timeout(Duration::from_secs(25), follow).await.is_err());
        });
    });
    let metrics = events.1.lock().unwrap();
    let own: Vec<_> = metrics.iter().filter(|line| line.contains(" kind=")).collect();
    let kind =
        "kind=\"kapigen_runtime::meta_v1::types::partial_object_metadata::PartialObjectMetadata\"";
    let expected = [
        format!("DEBUG monotonic_counter.kapigen_relists=1 {kind} way=\"stream\""),
        format!("DEBUG gauge.kapigen_watch_lag_seconds=10.0 {kind}"),
        format!("DEBUG gauge.kapigen_watch_lag_seconds=20.0 {kind}"),
    ];
    assert_eq!(own, expected.iter().collect::<Vec<_>>());
}

/// Wants nothing, and fails where it is given something.
struct Nothing;

impl Subscriber for Nothing {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        false
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        panic!("a span that nobody wants")
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        panic!("an event that nobody wants: {event:?}")
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[test]
fn nothing_is_made_for_a_subscriber_that_wants_nothing() {
    /// A key that cannot be formatted.
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct Silent;

    impl Debug for Silent {
        fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            panic!("it is formatted for nobody")
        }
    }
    static READ: Operation =
        Operation::new(Verb::Get, "readPod", "GET", "/api/v1/namespaces/default/pods/a");
    let client = Client::with_bodies(Warns).base("http://example.com").unwrap();
    tracing::subscriber::with_default(Nothing, || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        runtime.block_on(async {
            client.send::<Text>(Builder::new(&READ, &[]).finish().unwrap()).await.unwrap();
            let queue = WorkQueue::new(Queue::new());
            queue.add(Silent);
            queue.drain();
            queue.run(async |_| Ok::<_, String>(Handled::Done)).await;
        });
    });
}
