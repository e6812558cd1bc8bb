//! A client over a service in memory.

use bytes::Bytes;
use http::{Response, StatusCode};
use http_body_util::{Full, StreamBody, combinators::UnsyncBoxBody};
use kapigen_client::{BoxError, Client, Error, ErrorKind};
use kapigen_runtime::__private::Builder;
use kapigen_runtime::informer::{Event, Key};
use kapigen_runtime::meta_v1::{PartialObjectMetadata, PartialObjectMetadataList};
use kapigen_runtime::retry::Policy;
use kapigen_runtime::{Informer, Items, Operation, Request, Store, Verb, Watch, WatchEvent};
use std::collections::VecDeque;
use std::future::{Ready, ready};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;
use tower_service::Service;

type Body = UnsyncBoxBody<Bytes, BoxError>;

/// The parts of a body. An error is the end of the connection.
type Chunks = Vec<Result<&'static str, &'static str>>;

/// A service with prepared responses. Without one it fails.
#[derive(Clone, Default)]
struct Prepared {
    responses: Arc<Mutex<VecDeque<(u16, Chunks)>>>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Service<http::Request<Full<Bytes>>> for Prepared {
    type Response = Response<Body>;
    type Error = BoxError;
    type Future = Ready<Result<Response<Body>, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Full<Bytes>>) -> Self::Future {
        self.requests.lock().unwrap().push(request.uri().to_string());
        let Some((status, chunks)) = self.responses.lock().unwrap().pop_front() else {
            return ready(Err("connection refused".into()));
        };
        let frames = chunks.into_iter().map(|chunk| match chunk {
            Ok(text) => Ok(http_body::Frame::data(Bytes::from(text))),
            Err(error) => Err(BoxError::from(error)),
        });
        let mut response =
            Response::new(UnsyncBoxBody::new(StreamBody::new(Chunked(frames.collect()))));
        *response.status_mut() = StatusCode::from_u16(status).unwrap();
        response.headers_mut().insert("warning", "299 - \"deprecated\"".parse().unwrap());
        ready(Ok(response))
    }
}

/// A stream of frames that are ready.
struct Chunked(VecDeque<Result<http_body::Frame<Bytes>, BoxError>>);

impl futures_core::Stream for Chunked {
    type Item = Result<http_body::Frame<Bytes>, BoxError>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.pop_front())
    }
}

static LIST: Operation = Operation::new(Verb::List, "listThings", "GET", "/things").parameters(&[
    "resourceVersion",
    "timeoutSeconds",
    "watch",
]);

fn list<T>() -> Request<T> {
    Builder::new(&LIST, &[]).finish().unwrap()
}

fn client(responses: Vec<(u16, Chunks)>) -> (Client, Prepared) {
    let service =
        Prepared { responses: Arc::new(Mutex::new(responses.into())), ..Prepared::default() };
    let client =
        Client::with_bodies(service.clone()).base("https://example.com:6443/k8s/").unwrap();
    // Each response is for one request.
    (client.retry(Policy::none()), service)
}

/// Runs a future on a clock that jumps to the next timer.
fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(future)
}

const HEAD: &str = r#"{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"10"},"items":["#;
const ADDED: &str =
    "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"b\",\"resourceVersion\":\"11\"}}}\n";

#[test]
fn sends_a_request_to_the_base_and_decodes_the_response() {
    let (client, service) = client(vec![
        (200, vec![Ok(HEAD), Ok(r#"{"metadata":{"name":"a"}}]}"#)]),
        (404, vec![Ok(r#"{"kind":"Status","reason":"NotFound","code":404}"#)]),
        (200, vec![Ok(HEAD), Err("reset")]),
    ]);
    block_on(async {
        let list = client.send(list::<PartialObjectMetadataList>()).await.unwrap().body;
        assert_eq!(list.items[0].metadata.name.as_deref(), Some("a"));
        let refused = client.send(self::list::<PartialObjectMetadataList>()).await.unwrap_err();
        assert!(
            refused.response().unwrap().is_not_found()
                && refused.is_not_found()
                && !refused.is_conflict()
        );
        for reason in ["reset", "connection refused"] {
            let broken = client.send(self::list::<PartialObjectMetadataList>()).await.unwrap_err();
            let line = "GET https://example.com:6443/k8s/things: the transport failed";
            assert_eq!(broken.to_string(), format!("{line}: {reason}"));
        }
    });
    assert_eq!(service.requests.lock().unwrap()[0], "https://example.com:6443/k8s/things");
}

#[test]
fn streams_items_and_events() {
    let (client, _) = client(vec![
        (
            200,
            vec![
                Ok(HEAD),
                Ok(r#"{"metadata":{"name":"a"}},{"meta"#),
                Ok(r#"data":{"name":"b"}}]}"#),
            ],
        ),
        (200, vec![Ok(&ADDED[..20]), Ok(&ADDED[20..]), Err("reset")]),
        (403, vec![Ok("no")]),
    ]);
    block_on(async {
        let mut items = client.open(list::<Items<PartialObjectMetadataList>>()).await.unwrap();
        let mut names = Vec::new();
        while let Some(item) = items.next().await {
            names.push(item.unwrap().metadata.name.unwrap());
        }
        assert_eq!(names, ["a", "b"]);
        let mut watch = client.open(list::<Watch<PartialObjectMetadata>>()).await.unwrap();
        assert_eq!(watch.warnings()[0].text, "deprecated");
        assert!(
            matches!(watch.next().await, Some(Ok(WatchEvent::Added(thing))) if thing.metadata.name.as_deref() == Some("b"))
        );
        assert!(matches!(
            watch.next().await,
            Some(Err(Error { kind: ErrorKind::Transport(_), .. }))
        ));
        assert!(watch.next().await.is_none());
        let refused = client.open(list::<Watch<PartialObjectMetadata>>()).await.unwrap_err();
        assert!(refused.response().unwrap().is_forbidden());
    });
}

#[test]
fn refusals_count_as_far_as_they_arrive() {
    let (client, _) =
        client(vec![(503, vec![Ok("over"), Err("reset")]), (403, vec![Ok("no"), Err("reset")])]);
    block_on(async {
        let refused = client.send(list::<PartialObjectMetadataList>()).await.unwrap_err();
        assert_eq!(refused.response().unwrap().api().unwrap().text, "over");
        assert!(
            client
                .open(self::list::<Watch<PartialObjectMetadata>>())
                .await
                .unwrap_err()
                .is_forbidden()
        );
    });
}

#[test]
fn runs_an_informer_through_failures() {
    let (client, service) = client(vec![
        (500, vec![Ok("oops")]),
        (200, vec![Ok(HEAD), Ok(r#"{"metadata":{"name":"a","resourceVersion":"5"}}]}"#)]),
        (200, vec![Ok(&ADDED[..30]), Err("reset")]),
        (200, vec![Ok(ADDED)]),
    ]);
    let store = Store::new();
    let mut failures = 0;
    let passed = block_on(async {
        let begin = tokio::time::Instant::now();
        let mut informer = client.run(Informer::new(list::<PartialObjectMetadataList>()).unwrap());
        while store.get(&Key::new("", "b")).is_none() {
            let event = informer.next().await.expect("an informer never ends");
            failures += usize::from(matches!(event, Event::Failed(_)));
            store.apply(&event);
        }
        begin.elapsed()
    });
    assert_eq!((failures, service.requests.lock().unwrap().len()), (2, 4));
    assert!(store.is_ready() && store.snapshot().len() == 2);
    assert!(passed >= Duration::from_millis(1600), "it waits after failures");
}

#[test]
fn clones_keep_the_base_and_fail_as_the_service_does() {
    let (client, service) = client(vec![
        (200, vec![Ok(HEAD), Ok(r#"{"metadata":{"name":"a"}}]}"#)]),
        (200, vec![Ok(ADDED), Err("reset")]),
    ]);
    block_on(async {
        let shared = client.clone();
        let list = shared.send(list::<PartialObjectMetadataList>()).await.unwrap().body;
        assert_eq!(list.items[0].metadata.name.as_deref(), Some("a"));
        let mut watch = shared.watch(self::list::<Watch<PartialObjectMetadata>>()).await.unwrap();
        assert!(matches!(watch.next().await, Some(Ok(WatchEvent::Added(_)))));
        let line = "GET https://example.com:6443/k8s/things: the transport failed";
        assert_eq!(watch.next().await.unwrap().unwrap_err().to_string(), format!("{line}: reset"));
        let refused = shared.send(self::list::<PartialObjectMetadataList>()).await.unwrap_err();
        assert_eq!(refused.to_string(), format!("{line}: connection refused"));
    });
    assert_eq!(service.requests.lock().unwrap()[0], "https://example.com:6443/k8s/things");
}

#[test]
fn clients_can_be_shared_by_threads() {
    fn is_shared<T: Clone + Send + Sync + 'static>(_: &T) {}
    is_shared(&client(Vec::new()).0);
}
