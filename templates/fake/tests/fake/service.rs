//! The service for clients in Rust.

use crate::testing::{pod, server};
use http::{Request, StatusCode};
use http_body::{Body, Frame};
use kapigen_fake::{Action, FakeService, Fault};
use std::convert::Infallible;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};
use tower_service::Service;

/// Runs a future on this thread.
fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

/// A body in two pieces.
struct Pieces(Vec<&'static [u8]>);

impl Body for Pieces {
    type Data = &'static [u8];
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<&'static [u8]>, Infallible>>> {
        Poll::Ready((!self.0.is_empty()).then(|| Ok(Frame::data(self.0.remove(0)))))
    }
}

fn call(
    service: &mut FakeService,
    method: &str,
    path: &str,
    body: Vec<&'static [u8]>,
) -> http::Response<kapigen_fake::ServiceBody> {
    let request =
        Request::builder().method(method).uri(path).body(Pieces(body)).expect("a request");
    block_on(service.call(request)).expect("a response")
}

fn frame(body: &mut kapigen_fake::ServiceBody) -> Option<String> {
    let frame = block_on(std::future::poll_fn(|context| Pin::new(&mut *body).poll_frame(context)))?;
    let data = frame.expect("no error").into_data().expect("data");
    Some(String::from_utf8_lossy(&data).into_owned())
}

#[test]
fn bodies_come_in_pieces() {
    let server = server();
    server.built_in_rules(false);
    let mut service = FakeService::new(server);
    let body = vec![&br#"{"metadata": {"name"#[..], br#"": "a"}}"#];
    let created = call(&mut service, "POST", "/api/v1/namespaces/default/pods", body);
    assert_eq!(created.status(), StatusCode::CREATED);
    let text = frame(&mut created.into_body()).expect("a body");
    assert!(text.contains("00000000-0000-4000-8000-000000000001"), "{text}");
}

#[test]
fn streams_wake_when_something_happens() {
    let server = server();
    let mut service = FakeService::new(server.clone());
    let response =
        call(&mut service, "GET", "/api/v1/namespaces/default/pods?watch=true", Vec::new());
    let thread = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        server.create(&pod("late")).expect("a pod");
        server.cut_streams();
    });
    let mut body = response.into_body();
    let event = frame(&mut body).unwrap_or_default();
    // The cut may have come first; it wakes the stream just as well.
    assert!(event.is_empty() || event.contains("late"), "{event}");
    assert_eq!(frame(&mut body), None);
    thread.join().expect("no panic");
}

#[test]
fn latency_is_waited_for() {
    let server = server();
    let delay = Duration::from_millis(100);
    server.inject(Fault::new(Action::Delay(delay)).times(1));
    let mut service = FakeService::new(server);
    let start = Instant::now();
    call(&mut service, "GET", "/version", Vec::new());
    assert!(start.elapsed() >= delay);
}

#[test]
fn slow_bodies_come_in_pieces_with_pauses() {
    let server = server();
    for index in 0..10 {
        server.create(&pod(&format!("pod-{index}"))).expect("a pod");
    }
    let mut service = FakeService::new(server.clone());
    let whole = frame(&mut call(&mut service, "GET", "/api/v1/pods", Vec::new()).into_body())
        .expect("a body");
    server.inject(Fault::new(Action::Trickle(Duration::from_millis(20))).times(1));
    let mut body = call(&mut service, "GET", "/api/v1/pods", Vec::new()).into_body();
    let start = Instant::now();
    let pieces: Vec<_> = std::iter::from_fn(|| frame(&mut body)).collect();
    assert_eq!(pieces.len(), whole.len().div_ceil(1024));
    assert!(pieces.len() > 2 && start.elapsed() >= Duration::from_millis(40), "{}", pieces.len());
    assert_eq!(pieces.concat(), whole);
}
