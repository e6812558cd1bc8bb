//! Limits of time, and the time of day, by a clock that jumps to the next timer.

use bytes::Bytes;
use http::{Method, Response, StatusCode};
use http_body::Frame;
use http_body_util::{BodyExt, Full};
use kapigen_client::{BoxError, Client, Error, ErrorKind};
use kapigen_runtime::__private::Builder;
use kapigen_runtime::election::ElectionEvent;
use kapigen_runtime::jiff::Timestamp;
use kapigen_runtime::machine::{Failure, FailureKind};
use kapigen_runtime::meta_v1::{
    PartialObjectMetadata as Thing, PartialObjectMetadataList as Things,
};
use kapigen_runtime::{Operation, Request, Text, Verb, Watch, informer, log};
use std::convert::Infallible;
use std::future::{Future, pending, ready};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use tower_service::Service;

type Body = Full<Bytes>;

/// A server of one Lease. It returns each write, with a version.
#[derive(Clone, Default)]
struct Leases {
    writes: Arc<Mutex<Vec<String>>>,
}

impl Service<http::Request<Body>> for Leases {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let writes = Arc::clone(&self.writes);
        Box::pin(async move {
            let mut response = Response::new(Body::default());
            if request.method() == Method::GET {
                *response.status_mut() = StatusCode::NOT_FOUND;
                return Ok(response);
            }
            let body = request.into_body().collect().await?.to_bytes();
            let body = String::from_utf8(body.to_vec()).expect("JSON");
            let versioned =
                body.replace(r#""metadata":{"#, r#""metadata":{"resourceVersion":"1","#);
            let repeated = r#""resourceVersion":"1","resourceVersion":"1""#;
            *response.body_mut() =
                versioned.replace(repeated, r#""resourceVersion":"1""#).into_bytes().into();
            writes.lock().unwrap().push(body);
            Ok(response)
        })
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(future)
}

fn renewal(body: &str) -> Timestamp {
    let (_, rest) = body.split_once(r#""renewTime":""#).expect("a time");
    rest.split('"').next().unwrap().parse().expect("a time")
}

#[test]
fn elections_write_the_time_of_day() {
    let service = Leases::default();
    block_on(async {
        let mut election =
            Client::with_bodies(service.clone()).elect("default", "example", "one").unwrap();
        assert!(matches!(election.next().await, Some(ElectionEvent::Leading)));
        // An hour passes by the timers, and hardly a moment by the clock on the wall.
        let passed = tokio::time::timeout(Duration::from_secs(3600), election.next()).await;
        assert!(passed.is_err() && election.is_leader());
    });
    let writes = service.writes.lock().unwrap();
    assert!(writes.len() > 1000, "{} writes", writes.len());
    let distance = Timestamp::now().duration_since(renewal(writes.last().unwrap())).abs();
    assert!(distance.as_secs() < 60, "{distance:?}");
}

/// A service that responds with this body, or never.
#[derive(Clone)]
struct Prepared(Option<&'static str>);

/// A body that stays silent after its bytes.
struct Silent(Option<&'static str>);

impl http_body::Body for Silent {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.take().map_or(Poll::Pending, |text| Poll::Ready(Some(Ok(Frame::data(text.into())))))
    }
}

impl Service<http::Request<Body>> for Prepared {
    type Response = Response<Silent>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Silent>, BoxError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: http::Request<Body>) -> Self::Future {
        match self.0 {
            Some(text) => Box::pin(ready(Ok(Response::new(Silent(Some(text)))))),
            None => Box::pin(pending()),
        }
    }
}

static LIST: Operation = Operation::new(Verb::List, "listThings", "GET", "/things")
    .parameters(&["resourceVersion", "watch"]);
static LOG: Operation = Operation::new(Verb::Get, "readLog", "GET", "/log").parameters(&[
    "follow",
    "sinceTime",
    "timestamps",
]);

fn list<T>() -> Request<T> {
    Builder::new(&LIST, &[]).finish().expect("a list of things")
}

/// A future that ends after this many seconds.
async fn takes<F: Future>(seconds: u64, future: F) -> F::Output {
    let start = tokio::time::Instant::now();
    let output = future.await;
    assert_eq!(start.elapsed().as_secs(), seconds);
    output
}

/// Every wait of this client ends after this many seconds.
async fn waits(client: Client, seconds: u64) {
    let limit = Duration::from_secs(seconds);
    assert!(
        matches!(takes(seconds, client.send(list::<Things>())).await, Err(Error { kind: ErrorKind::TimedOut(time), .. }) if time == limit)
    );
    assert!(matches!(
        takes(seconds, client.items(list::<Things>()).next()).await,
        Some(Err(Error { kind: ErrorKind::TimedOut(_), .. }))
    ));
    let update = client.update(list::<Thing>(), |_| Ok(None));
    assert!(
        matches!(takes(seconds, update).await, Err(Error { kind: ErrorKind::TimedOut(time), .. }) if time == limit)
    );
    let mut events = client.informer(list::<Things>()).expect("an informer");
    assert!(matches!(events.next().await, Some(informer::Event::Init)));
    let silent = takes(seconds, events.next()).await;
    assert!(
        matches!(silent, Some(informer::Event::Failed(Failure { kind: FailureKind::Silent(time), .. })) if time == limit)
    );
}

#[test]
fn requests_have_a_time_limit() {
    let limited = |service| Client::with_bodies(service).timeout(Duration::from_secs(5));
    block_on(async {
        waits(Client::with_bodies(Prepared(None)), 60).await;
        waits(limited(Prepared(None)), 5).await;
        waits(limited(Prepared(Some("{"))), 5).await;
        let open = limited(Prepared(None));
        let log: Request<Text> = Builder::new(&LOG, &[]).finish().expect("a log");
        let mut log = open.follow_log(log).expect("a log that can be followed");
        assert!(matches!(
            takes(5, log.next()).await,
            Some(log::LogEvent::Failed(Failure { kind: FailureKind::Silent(_), .. }))
        ));
        assert!(matches!(
            takes(5, open.open(list::<Watch<Thing>>())).await,
            Err(Error { kind: ErrorKind::TimedOut(_), .. })
        ));
        // Once it is open, a watch may be silent for any time.
        let mut watch =
            limited(Prepared(Some("{"))).open(list::<Watch<Thing>>()).await.expect("a watch");
        assert!(tokio::time::timeout(Duration::from_secs(3600), watch.next()).await.is_err());
    });
}

#[test]
fn responses_have_a_limit_of_bytes() {
    async fn exceeds(client: Client) {
        assert!(matches!(
            client.send(list::<Things>()).await,
            Err(Error { kind: ErrorKind::TooLarge(4), .. })
        ));
        let mut watch = client.open(list::<Watch<Thing>>()).await.expect("a watch");
        assert!(matches!(
            watch.next().await,
            Some(Err(Error { kind: ErrorKind::TooLarge(4), .. }))
        ));
        assert!(watch.next().await.is_none());
    }
    let limited = || Client::with_bodies(Prepared(Some(r#"{"a":"#))).largest_response(4);
    block_on(async {
        exceeds(limited()).await;
    });
}

/// A service that responds with these bytes each second, without end.
#[derive(Clone)]
struct Trickle(&'static [u8]);

struct Slow(&'static [u8], Pin<Box<tokio::time::Sleep>>);

impl http_body::Body for Slow {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.1.as_mut().poll(context).map(|()| {
            self.1 = Box::pin(tokio::time::sleep(Duration::from_secs(1)));
            Some(Ok(Frame::data(Bytes::from_static(self.0))))
        })
    }
}

impl Service<http::Request<Body>> for Trickle {
    type Response = Response<Slow>;
    type Error = Infallible;
    type Future = std::future::Ready<Result<Response<Slow>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: http::Request<Body>) -> Self::Future {
        ready(Ok(Response::new(Slow(self.0, Box::pin(tokio::time::sleep(Duration::from_secs(1)))))))
    }
}

#[test]
fn requests_have_a_deadline() {
    let slow = || Client::with_bodies(Trickle(b" "));
    let never = Duration::from_secs(3600);
    block_on(async {
        assert!(
            tokio::time::timeout(never, slow().send(list::<Things>())).await.is_err(),
            "there is none by default"
        );
        let client = slow().deadline(Duration::from_secs(90));
        let error = takes(90, client.send(list::<Things>())).await.unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Deadline(time) if time == Duration::from_secs(90)));
        assert_eq!(
            error.to_string(),
            "GET /things: the response was not complete after 90s: see `Client::deadline`"
        );
        let mut stream =
            client.open(list::<kapigen_runtime::Items<Things>>()).await.expect("a stream");
        assert!(matches!(
            takes(90, stream.next()).await,
            Some(Err(Error { kind: ErrorKind::Deadline(_), .. }))
        ));
        assert!(stream.next().await.is_none());
        let item = takes(90, client.items(list::<Things>()).next()).await;
        assert!(item.unwrap().unwrap_err().to_string().contains("not complete after 90s"));
        let update = takes(90, client.update(list::<Thing>(), |_| Ok(None))).await;
        assert!(update.unwrap_err().to_string().contains("not complete after 90s"));
        // Each request has its own.
        let mut informer = client.informer(list::<Things>()).expect("an informer");
        assert!(matches!(informer.next().await, Some(informer::Event::Init)));
        for _ in 0..3 {
            assert!(matches!(
                informer.next().await,
                Some(informer::Event::Failed(Failure { kind: FailureKind::Disconnected(_), .. }))
            ));
        }
    });
}

#[test]
fn open_ended_requests_have_no_deadline() {
    let hour = Duration::from_secs(3600);
    let client = |bytes| Client::with_bodies(Trickle(bytes)).deadline(Duration::from_secs(90));
    block_on(async {
        let watch = Builder::new(&LIST, &[]).watch().finish::<Watch<Thing>>().expect("a watch");
        let mut watch = client(b"\n").open(watch).await.expect("a stream");
        assert!(tokio::time::timeout(hour, watch.next()).await.is_err());
        let log: Request<Text> = Builder::new(&LOG, &[]).finish().expect("a log");
        let mut log = client(b"line\n").follow_log(log).expect("a log that can be followed");
        let line = tokio::time::timeout(hour, log.next()).await;
        assert!(matches!(line, Ok(Some(log::LogEvent::Line(_)))), "{line:?}");
        for _ in 0..200 {
            assert!(matches!(log.next().await, Some(log::LogEvent::Line(_))));
        }
        // A deadline beyond the clock's range.
        let client = Client::with_bodies(Trickle(b" ")).deadline(Duration::MAX);
        assert!(tokio::time::timeout(hour, client.send(list::<Things>())).await.is_err());
    });
}
