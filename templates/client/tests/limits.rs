//! Limits of time, and the time of day, by a clock that jumps to the next timer.

use bytes::Bytes;
use http::{Method, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use kapigen_client::{BoxError, Client, Error};
use kapigen_runtime::election::Event;
use kapigen_runtime::jiff::Timestamp;
use std::convert::Infallible;
use std::future::{Future, pending};
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
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>>>>;

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
            let versioned = body.replace(r#""metadata":{"#, r#""metadata":{"resourceVersion":"1","#);
            let repeated = r#""resourceVersion":"1","resourceVersion":"1""#;
            *response.body_mut() = versioned.replace(repeated, r#""resourceVersion":"1""#).into_bytes().into();
            writes.lock().unwrap().push(body);
            Ok(response)
        })
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
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
        let mut election = Client::new(service.clone()).elect("default", "example", "one").unwrap();
        assert!(matches!(election.next().await, Some(Event::Leading)));
        // An hour passes by the timers, and hardly a moment by the clock on the wall.
        let passed = tokio::time::timeout(Duration::from_secs(3600), election.next()).await;
        assert!(passed.is_err() && election.is_leader());
    });
    let writes = service.writes.lock().unwrap();
    assert!(writes.len() > 1000, "{} writes", writes.len());
    let distance = Timestamp::now().duration_since(renewal(writes.last().unwrap())).abs();
    assert!(distance.as_secs() < 60, "{distance:?}");
}

/// A service without an end.
#[derive(Clone)]
struct Silent;

impl Service<http::Request<Body>> for Silent {
    type Response = Response<Body>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, BoxError>>>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: http::Request<Body>) -> Self::Future {
        Box::pin(pending())
    }
}

#[test]
fn requests_have_a_time_limit() {
    let lists = || {
        use kapigen_runtime::{__private::Builder, Operation, Request, Verb, meta_v1::PartialObjectMetadataList};
        static LIST: Operation = Operation::new(Verb::List, "listThings", "GET", "/things");
        let request: Request<PartialObjectMetadataList> = Builder::new(&LIST, &[]).finish().unwrap();
        request
    };
    block_on(async {
        let start = tokio::time::Instant::now();
        let client = Client::new(Silent);
        assert!(matches!(client.send(lists()).await, Err(Error::TimedOut(time)) if time == Duration::from_secs(60)));
        let client = client.timeout(Duration::from_secs(5));
        assert!(matches!(client.send(lists()).await, Err(Error::TimedOut(_))));
        assert!(matches!(client.items(lists()).next().await, Some(Err(Error::TimedOut(_)))));
        assert_eq!(start.elapsed().as_secs(), 70);
    });
}
