//! Requests that are sent again after failures, on a clock that jumps to the next timer.

use bytes::Bytes;
use http_body_util::Full;
use kapigen_client::{BoxError, Client, ErrorKind, NotRepeated};
use kapigen_runtime::__private::Builder;
use kapigen_runtime::informer::{Event, FailureKind, Informer};
use kapigen_runtime::meta_v1::{
    PartialObjectMetadata as Thing, PartialObjectMetadataList as Things,
};
use kapigen_runtime::retry::Policy;
use kapigen_runtime::{Operation, Request, Verb, Watch};
use std::collections::VecDeque;
use std::future::{Future, Ready, ready};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Instant;

/// A service with prepared responses: a status code and `Retry-After`. After them connections are
/// refused.
#[derive(Clone, Default)]
struct Prepared {
    responses: Arc<Mutex<VecDeque<(u16, u64)>>>,
    requests: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl tower_service::Service<http::Request<Full<Bytes>>> for Prepared {
    type Response = http::Response<Full<Bytes>>;
    type Error = BoxError;
    type Future = Ready<Result<Self::Response, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Full<Bytes>>) -> Self::Future {
        self.requests.lock().unwrap().push(request.uri().to_string().into_bytes());
        let Some((code, seconds)) =
            self.responses.lock().unwrap().pop_front().filter(|(code, _)| *code > 0)
        else {
            return ready(Err("connection reset".into()));
        };
        let body =
            if code == 200 { r#"{"metadata":{"name":"a","resourceVersion":"5"}}"# } else { "" };
        let response = http::Response::builder().status(code).header("retry-after", seconds);
        ready(response.body(body.into()).map_err(Into::into))
    }
}

static GET: Operation = Operation::new(Verb::Get, "get", "GET", "/things/a");
static LIST: Operation =
    Operation::new(Verb::List, "list", "GET", "/things").parameters(&["watch"]);
static REPLACE: Operation = Operation::new(Verb::Replace, "replace", "PUT", "/things/a");
static CREATE: Operation = Operation::new(Verb::Create, "create", "POST", "/things");

fn request<T>(operation: &'static Operation) -> Request<T> {
    Builder::new(operation, &[]).finish().unwrap()
}

type Prepare = (Client, Prepared);

fn client(responses: &[(u16, u64)]) -> Prepare {
    let service = Prepared {
        responses: Arc::new(Mutex::new(responses.iter().copied().collect())),
        ..Prepared::default()
    };
    (Client::with_bodies(service.clone()).base("http://example.com").unwrap(), service)
}

fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(future)
}

fn sent(service: &Prepared) -> usize {
    service.requests.lock().unwrap().len()
}

#[test]
fn reads_are_repeated_until_they_succeed() {
    block_on(async {
        let (client, service) = client(&[(0, 0), (503, 0), (429, 2), (200, 0)]);
        let begin = Instant::now();
        assert_eq!(
            client.send(request::<Thing>(&GET)).await.unwrap().body.metadata.name.as_deref(),
            Some("a")
        );
        assert_eq!(sent(&service), 4);
        assert!(begin.elapsed() >= Duration::from_secs(2), "the server has asked for it");
        let (client, service) = self::client(&[(0, 0), (200, 0)]);
        assert!(client.open(request::<Watch<Thing>>(&LIST)).await.is_ok());
        assert_eq!(sent(&service), 2);
    });
}

#[test]
fn what_could_act_twice_is_sent_once() {
    block_on(async {
        let (client, service) = client(&[]);
        let error = client.send(request::<Thing>(&CREATE)).await.unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Transport(_)) && sent(&service) == 1);
        let (client, service) = self::client(&[(429, 1), (200, 0)]);
        assert!(client.send(request::<Thing>(&CREATE)).await.is_ok());
        assert_eq!(sent(&service), 2, "the server has not looked at the first");
    });
}

#[test]
fn a_refusal_after_a_lost_response_is_uncertain() {
    block_on(async {
        let (client, _) = client(&[(0, 0), (409, 0)]);
        let error = client.send(request::<Thing>(&REPLACE)).await.unwrap_err();
        assert!(
            matches!(error.kind, ErrorKind::Uncertain { attempts: 2, .. }) && error.is_conflict()
        );
        let expected = "PUT http://example.com/things/a: an earlier one of 2 attempts may have \
                        had its effect: the server responded with 409 Conflict";
        assert_eq!(error.to_string(), expected);
    });
}

#[test]
fn policies_budgets_and_deadlines_end_repeats() {
    block_on(async {
        let (client, service) = client(&[]);
        assert!(client.clone().retry(Policy::none()).send(request::<Thing>(&GET)).await.is_err());
        assert_eq!(sent(&service), 1);
        // A clone shares the budget, of which there are ten repeats.
        let mut errors = Vec::new();
        for _ in 0..5 {
            errors.push(client.clone().send(request::<Thing>(&GET)).await.unwrap_err());
        }
        assert_eq!(sent(&service), 1 + 5 + 10);
        assert_eq!(errors[0].not_repeated(), None, "all attempts were made");
        assert_eq!(errors[4].not_repeated(), Some(NotRepeated::Budget));
        assert_eq!(
            errors[4].to_string(),
            "GET http://example.com/things/a: the transport failed: connection reset (not \
             repeated: the budget of repeats, a tenth of what succeeds, is used up)"
        );
        let error = client.open(request::<Watch<Thing>>(&LIST)).await.err();
        assert_eq!(error.and_then(|error| error.not_repeated()), Some(NotRepeated::Budget));
        // A pause that would end after the deadline does not begin.
        let (client, service) = self::client(&[(503, 20), (200, 0)]);
        let begin = Instant::now();
        let error = client
            .deadline(Duration::from_secs(10))
            .send(request::<Thing>(&GET))
            .await
            .unwrap_err();
        assert!(error.response().unwrap().is_service_unavailable());
        assert_eq!(error.not_repeated(), Some(NotRepeated::Deadline));
        assert_eq!((sent(&service), begin.elapsed()), (1, Duration::ZERO));
    });
}

#[test]
fn a_write_of_an_update_that_is_lost_fails_and_is_repeated_as_one_that_is_sent() {
    let update = |responses: &[(u16, u64)]| {
        let (client, service) = client(responses);
        let change = |thing: &Thing| Builder::new(&REPLACE, &[]).body(thing).finish().map(Some);
        let outcome = block_on(client.update(request::<Thing>(&GET), change));
        (outcome, sent(&service))
    };
    let (outcome, requests) = update(&[(200, 0), (0, 0), (200, 0), (200, 0)]);
    assert_eq!((outcome.unwrap().metadata.name.as_deref(), requests), (Some("a"), 4));
    let (outcome, _) = update(&[(200, 0)]);
    let sent = block_on(client(&[]).0.send(request::<Thing>(&REPLACE))).unwrap_err();
    let error = outcome.unwrap_err();
    assert!(matches!(
        (&error.kind, &sent.kind),
        (ErrorKind::Transport(_), ErrorKind::Transport(_))
    ));
    let (outcome, _) = update(&[(200, 0), (0, 0), (404, 0)]);
    let error = outcome.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Uncertain { attempts: 1, .. }), "{error}");
    assert!(error.is_not_found());
    let expected = "the write may have had its effect: GET http://example.com/things/a: the \
                    server responded with 404 Not Found";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_url_that_is_too_long_is_never_sent() {
    block_on(async {
        let (client, service) = client(&[]);
        let client = client.base(format!("http://example.com/{}", "a".repeat(65_000))).unwrap();
        let path: &'static str = format!("/{}", "b".repeat(1000)).leak();
        let operation = Box::leak(Box::new(Operation::new(Verb::Get, "get", "GET", path)));
        let begin = Instant::now();
        let error = client.send(request::<Thing>(operation)).await.unwrap_err();
        assert!(
            error
                .kind
                .to_string()
                .starts_with("the request cannot be sent: path and query with the base: "),
            "{error}"
        );
        let update = client.update(request::<Thing>(operation), |_| Ok(None)).await.unwrap_err();
        assert!(matches!(update.kind, ErrorKind::Unsendable(_)), "{update}");
        assert_eq!((sent(&service), begin.elapsed()), (0, Duration::ZERO));
    });
}

/// Lists no things, and then more of them by a token of so many characters.
#[derive(Clone)]
struct Paged(usize);

impl tower_service::Service<http::Request<Full<Bytes>>> for Paged {
    type Response = http::Response<Full<Bytes>>;
    type Error = BoxError;
    type Future = Ready<Result<Self::Response, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: http::Request<Full<Bytes>>) -> Self::Future {
        let metadata = format!(r#"{{"resourceVersion":"1","continue":"{}"}}"#, "t".repeat(self.0));
        let item = r#"{"metadata":{"name":"a","resourceVersion":"1"}}"#;
        let kind = r#""apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadataList""#;
        ready(Ok(http::Response::new(
            format!("{{{kind},\"metadata\":{metadata},\"items\":[{item}]}}").into(),
        )))
    }
}

#[test]
fn informers_go_on_without_a_token_that_is_too_long() {
    static LIST: Operation = Operation::new(Verb::List, "list", "GET", "/api/v1/things")
        .parameters(&["continue", "limit", "resourceVersion", "resourceVersionMatch", "watch"]);
    let failure = |length: usize| async move {
        let client = Client::with_bodies(Paged(200))
            .base(format!("http://example.com/{}", "a".repeat(length)))
            .unwrap();
        let mut informer = client.run(Informer::new(request::<Things>(&LIST)).unwrap().lists());
        while let Some(event) = informer.next().await {
            if let Event::Failed(failure) = event {
                let next = informer.next().await;
                return (failure.kind, next.is_some());
            }
        }
        panic!("it ends without a failure")
    };
    block_on(async {
        let of_token = failure(65_400).await;
        assert!(matches!(of_token, (FailureKind::Disconnected(_), true)), "{of_token:?}");
        let of_path = failure(65_510).await;
        assert!(matches!(of_path, (FailureKind::Unsendable(_), false)), "{of_path:?}");
    });
}
