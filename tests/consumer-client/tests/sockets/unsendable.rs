//! Requests that can never be sent: the error states a remedy, and machines end with it. The
//! messages come from real clients, which have no error type for this.

use crate::{block_on, hyper, server};
use hyper_util::client::legacy::Client as Hyper;
use hyper_util::rt::TokioExecutor;
use kapigen_client::{BoxError, Client, ErrorKind};
use openshift_api::core_v1::pods;
use openshift_api::http::{Request, Response};
use openshift_api::{
    election, informer, log,
    machine::{Failure, FailureKind},
    params::ListParams,
};

/// Every method reports this, and every stream ends with it.
async fn exercise(client: Client, cause: &str) {
    let list = || pods::list("default", &ListParams::default()).unwrap();
    let expected = format!("the request cannot be sent: {cause}");
    let sent = client.send(list()).await.unwrap_err();
    assert!(
        matches!(sent.kind, ErrorKind::Unsendable(_)) && sent.to_string().ends_with(&expected),
        "{sent}"
    );
    let item = client.items(list()).next().await.unwrap().unwrap_err();
    assert!(
        matches!(item.kind, ErrorKind::Unsendable(_)) && item.to_string().ends_with(&expected),
        "{item}"
    );

    let mut events = client.informer(list()).unwrap();
    assert!(matches!(events.next().await, Some(informer::Event::Init)));
    let Some(informer::Event::Failed(failure)) = events.next().await else { panic!("a failure") };
    assert!(
        matches!(failure.kind, FailureKind::Unsendable(_))
            && failure.to_string().ends_with(&expected),
        "{failure}"
    );
    assert!(events.next().await.is_none());
    let mut log = client
        .follow_log(pods::get_log("default", "a", &pods::LogParams::default()).unwrap())
        .unwrap();
    assert!(matches!(
        log.next().await,
        Some(log::LogEvent::Failed(Failure { kind: FailureKind::Unsendable(_), .. }))
    ));
    assert!(log.next().await.is_none());
    let mut election = client.elect("default", "example", "one").unwrap();
    assert!(matches!(
        election.next().await,
        Some(election::ElectionEvent::Failed(Failure { kind: FailureKind::Unsendable(_), .. }))
    ));
    assert!(election.next().await.is_none());
}

#[test]
fn hyper_util_needs_a_host() {
    let service = Hyper::builder(TokioExecutor::new()).build_http();
    let cause = "client error (UserAbsoluteUriRequired): it has no host: see `Client::base`";
    block_on(exercise(Client::new(service), cause));
}

#[test]
fn hyper_util_without_tls_needs_http() {
    let cause = "client error (Connect): invalid URL, scheme is not http: the service has no TLS";
    block_on(exercise(hyper("https://127.0.0.1:1"), cause));
}

#[test]
fn reqwest_needs_a_host() {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let service = tower::service_fn(move |request: Request<reqwest::Body>| {
        let response = reqwest::Request::try_from(request).map(|request| http.execute(request));
        async { Ok::<_, BoxError>(Response::<reqwest::Body>::from(response?.await?)) }
    });
    block_on(exercise(
        Client::with_bodies(service),
        "builder error: relative URL without a base: it has no host: see `Client::base`",
    ));
}

/// Another attempt may find the server.
#[test]
fn a_server_that_does_not_listen_ends_nothing() {
    let (_, listening) = server();
    let url = listening.url();
    drop(listening);
    block_on(async {
        let client = hyper(&url);
        let mut events =
            client.informer(pods::list("default", &ListParams::default()).unwrap()).unwrap();
        assert!(matches!(events.next().await, Some(informer::Event::Init)));
        for _ in 0..2 {
            let event = events.next().await;
            assert!(
                matches!(
                    event,
                    Some(informer::Event::Failed(Failure {
                        kind: FailureKind::Disconnected(_),
                        ..
                    }))
                ),
                "{event:?}"
            );
        }
    });
}
