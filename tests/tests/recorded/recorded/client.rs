//! Recorded responses as the client takes them from a service.

use super::All;
use super::exchange::{Exchange, decoded};
use bytes::Bytes;
use http_body::Frame;
use kapigen_client::{BoxError, Client};
use openshift_api::informer::Event;
use openshift_api::response::FromResponse;
use openshift_api::retry::Policy;
use openshift_api::{Request, ResourceList};
use std::collections::VecDeque;
use std::future::{Ready, ready};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

/// A service that responds with an exchange, and then no more.
#[derive(Clone)]
struct Service(Arc<Mutex<Option<Exchange>>>);

/// A body in pieces.
struct Pieces(VecDeque<Bytes>);

impl http_body::Body for Pieces {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        Poll::Ready(self.0.pop_front().map(|piece| Ok(Frame::data(piece))))
    }
}

impl tower_service::Service<http::Request<Vec<u8>>> for Service {
    type Response = http::Response<Pieces>;
    type Error = BoxError;
    type Future = Ready<Result<http::Response<Pieces>, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: http::Request<Vec<u8>>) -> Self::Future {
        let Some(exchange) = self.0.lock().unwrap().take() else {
            return ready(Err("nothing more is recorded".into()));
        };
        let pieces = exchange.body.chunks(50).map(Bytes::copy_from_slice).collect();
        let mut response = http::Response::new(Pieces(pieces));
        *response.status_mut() = exchange.status();
        *response.headers_mut() = exchange.headers();
        ready(Ok(response))
    }
}

fn client(exchange: &Exchange) -> Client {
    let client = Client::with_bodies(Service(Arc::new(Mutex::new(Some(exchange.clone())))));
    client.base("https://example.com").expect("a base").retry(Policy::none())
}

fn run<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime")
        .block_on(future)
}

pub(super) fn sends<T: FromResponse>(exchange: &Exchange, request: Request<T>) -> usize {
    let response = run(client(exchange).send(request));
    assert!(response.is_ok(), "{}", exchange.name);
    1
}

/// The items of a list, and the first events of an informer over it.
pub(super) fn lists<T: All>(exchange: &Exchange, request: &Request<T::List>) -> usize {
    let mut list: T::List = decoded(&exchange.body);
    let wanted = list.take_items();
    let mut items = client(exchange).items(request.clone());
    let found = run(async {
        let mut found = Vec::new();
        while found.len() < wanted.len() {
            found.push(*items.next().await.expect("an item").expect("it can be decoded"));
        }
        found
    });
    assert_eq!(found, wanted, "{}", exchange.name);
    let is_last = list.metadata().continue_.as_deref().unwrap_or_default().is_empty();
    let informer =
        openshift_api::Informer::<T>::new(request.clone()).expect("it can watch").lists();
    let mut events = client(exchange).run(informer);
    let count = run(async {
        let mut count = 0;
        loop {
            match events.next().await.expect("an informer never ends") {
                Event::Init => {}
                Event::Applied { .. } => count += 1,
                Event::InitDone => return (count, true),
                // There is no second page.
                _ => return (count, false),
            }
        }
    });
    assert_eq!(count, (wanted.len(), is_last), "{}", exchange.name);
    2
}
