//! Tokens of service accounts.

use crate::replay;
use http::{Method, StatusCode};
use kapigen_fake::{Body, Server};
use kapigen_tests::places;
use openshift_api::jiff::Timestamp;
use serde_json::{Value, json};

const ACCOUNTS: &str = "/api/v1/namespaces/default/serviceaccounts";

fn time(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + seconds).expect("a time")
}

fn send(server: &Server, path: &str, body: &Value, token: &str, now: Timestamp) -> (StatusCode, Value) {
    let method = if body.is_null() { Method::GET } else { Method::POST };
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let request = http::Request::builder().method(method).uri(path).header("authorization", format!("Bearer {token}"));
    let (head, body) = server.handle(request.body(body).expect("a request"), now).response.into_parts();
    let Body::Whole(bytes) = body else { panic!("a stream") };
    (head.status, serde_json::from_slice(&bytes).expect("JSON"))
}

#[test]
#[cfg_attr(not(shared), ignore = "needs ../shared")]
fn issued_tokens_are_valid_until_they_expire() {
    let server = Server::new(&[replay::documents(&places::shared("specs/kubernetes/1.34"))]);
    server.set_time(time(0));
    let account = json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "a"}});
    server.create(&account).expect("an account");
    server.require_token("admin");
    let wanted = json!({"spec": {"expirationSeconds": 600}});
    let (code, issued) = send(&server, &format!("{ACCOUNTS}/a/token"), &wanted, "admin", time(0));
    assert_eq!(code, StatusCode::CREATED, "{issued}");
    assert_eq!(issued["status"]["expirationTimestamp"], "2023-11-14T22:23:20Z");
    let token = issued["status"]["token"].as_str().expect("a token");
    let review = |now| {
        let review = json!({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": {"token": token}});
        send(&server, "/apis/authentication.k8s.io/v1/tokenreviews", &review, "admin", now).1["status"].clone()
    };
    let reviewed = review(time(599));
    assert_eq!(
        (&reviewed["authenticated"], &reviewed["user"]["username"]),
        (&json!(true), &json!("system:serviceaccount:default:a"))
    );
    let read = |token: &str, now| send(&server, &format!("{ACCOUNTS}/a"), &Value::Null, token, now).0;
    assert_eq!(read(token, time(599)), StatusCode::OK);
    assert_eq!(read(token, time(600)), StatusCode::UNAUTHORIZED);
    assert_eq!(review(time(600))["error"], "[invalid bearer token, service account token has expired]");
    // That of another audience is not for the server.
    let foreign = json!({"spec": {"audiences": ["vault"]}});
    let (_, issued) = send(&server, &format!("{ACCOUNTS}/a/token"), &foreign, "admin", time(0));
    assert_eq!(read(issued["status"]["token"].as_str().expect("a token"), time(1)), StatusCode::UNAUTHORIZED);
}
