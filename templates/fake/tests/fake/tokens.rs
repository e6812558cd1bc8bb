//! Tokens of service accounts.

use crate::replay;
use http::{Method, StatusCode};
use kapigen_fake::{ReplyBody, Server};
use openshift_api::jiff::Timestamp;
use serde_json::{Value, json};
use test_support::places;

const ACCOUNTS: &str = "/api/v1/namespaces/default/serviceaccounts";

fn time(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + seconds).expect("a time")
}

fn send(
    server: &Server,
    path: &str,
    body: &Value,
    token: &str,
    now: Timestamp,
) -> (StatusCode, Value) {
    let method = if body.is_null() { Method::GET } else { Method::POST };
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let request = http::Request::builder()
        .method(method)
        .uri(path)
        .header("authorization", format!("Bearer {token}"));
    let (head, body) =
        server.handle(request.body(body).expect("a request"), now).response.into_parts();
    let ReplyBody::Whole(bytes) = body else { panic!("a stream") };
    (head.status, serde_json::from_slice(&bytes).expect("JSON"))
}

/// A server with the account `a`, which refuses requests without a token.
fn server() -> Server {
    let server = Server::new(&[replay::documents(&places::data("kubernetes-1.34"))]);
    server.set_time(time(0));
    let account = json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "a"}});
    server.create(&account).expect("an account");
    server.require_token("admin");
    server
}

/// A token of the account `a`.
fn issued(server: &Server, spec: &Value) -> String {
    let (code, issued) =
        send(server, &format!("{ACCOUNTS}/a/token"), &json!({"spec": spec}), "admin", time(0));
    assert_eq!(code, StatusCode::CREATED, "{issued}");
    issued["status"]["token"].as_str().expect("a token").to_owned()
}

/// The status of the review of a token for these audiences.
fn reviewed(server: &Server, token: &str, audiences: &Value, now: Timestamp) -> Value {
    let spec = json!({"token": token, "audiences": audiences});
    let review =
        json!({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": spec});
    send(server, "/apis/authentication.k8s.io/v1/tokenreviews", &review, "admin", now).1["status"]
        .clone()
}

/// The response of the server to a read with this token.
fn read(server: &Server, token: &str, now: Timestamp) -> StatusCode {
    send(server, &format!("{ACCOUNTS}/a"), &Value::Null, token, now).0
}

#[test]
fn issued_tokens_are_valid_until_they_expire() {
    let server = server();
    let wanted = json!({"spec": {"expirationSeconds": 600}});
    let (_, response) = send(&server, &format!("{ACCOUNTS}/a/token"), &wanted, "admin", time(0));
    assert_eq!(response["status"]["expirationTimestamp"], "2023-11-14T22:23:20Z");
    let token = response["status"]["token"].as_str().expect("a token");
    let status = reviewed(&server, token, &Value::Null, time(599));
    assert_eq!(
        (&status["authenticated"], &status["user"]["username"]),
        (&json!(true), &json!("system:serviceaccount:default:a"))
    );
    // Servers allow for clocks that differ by a minute.
    assert_eq!(read(&server, token, time(660)), StatusCode::OK);
    assert_eq!(read(&server, token, time(661)), StatusCode::UNAUTHORIZED);
    let expired = reviewed(&server, token, &Value::Null, time(661));
    assert_eq!(expired["error"], "[invalid bearer token, service account token has expired]");
}

#[test]
fn tokens_are_valid_for_their_audiences() {
    const SERVER: &str = "https://kubernetes.default.svc";
    let server = server();
    let token = issued(&server, &json!({"audiences": ["vault", "bank"]}));
    let review = |audiences: Value| reviewed(&server, &token, &audiences, time(1));
    let status = review(json!(["shop", "bank", "vault"]));
    assert_eq!(
        (&status["authenticated"], &status["audiences"]),
        (&json!(true), &json!(["vault", "bank"]))
    );
    assert_eq!(review(json!(["bank"]))["audiences"], json!(["bank"]));
    for (audiences, target) in
        [(json!(["shop", "mall"]), r#""shop" "mall""#), (json!([]), &*format!("{SERVER:?}"))]
    {
        let refused = review(audiences);
        let why = format!(
            r#"token audiences ["vault" "bank"] is invalid for the target audiences [{target}]"#
        );
        assert_eq!(refused, json!({"user": {}, "error": format!("[invalid bearer token, {why}]")}));
    }
    assert_eq!(read(&server, &token, time(1)), StatusCode::UNAUTHORIZED);
    let own = issued(&server, &json!({}));
    assert_eq!(reviewed(&server, &own, &Value::Null, time(1))["audiences"], json!([SERVER]));
    assert_eq!(reviewed(&server, &own, &json!(["vault"]), time(1))["authenticated"], Value::Null);
}

#[test]
fn reviews_need_a_token() {
    let review = json!({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": {"token": ""}});
    let path = "/apis/authentication.k8s.io/v1/tokenreviews";
    let (code, refusal) = send(&server(), path, &review, "admin", time(0));
    let expected = json!("token is required for TokenReview in authentication");
    assert_eq!((code, &refusal["message"]), (StatusCode::BAD_REQUEST, &expected));
}

/// Pods and accounts with finalizers are found for as long as something holds them.
#[test]
fn tokens_outlive_the_end_of_what_is_held_by_a_minute() {
    let server = server();
    let held = |kind: &str| json!({"apiVersion": "v1", "kind": kind, "metadata": {"name": "b", "finalizers": ["a.io/b"]}});
    server.create(&held("Secret")).expect("a secret");
    let reference = json!({"apiVersion": "v1", "kind": "Secret", "name": "b"});
    let token = issued(&server, &json!({"boundObjectRef": reference}));
    let path = "/api/v1/namespaces/default/secrets/b";
    let delete =
        http::Request::delete(path).header("authorization", "Bearer admin").body(Vec::new());
    let deleted = server.handle(delete.expect("a request"), time(10)).response;
    assert_eq!(deleted.status(), StatusCode::OK);
    assert_eq!(read(&server, &token, time(70)), StatusCode::OK);
    assert_eq!(read(&server, &token, time(71)), StatusCode::UNAUTHORIZED);
}

#[test]
fn tokens_end_with_the_object_that_they_are_bound_to() {
    let server = server();
    for (kind, path, spec) in [
        ("Pod", "/api/v1/namespaces/default/pods", json!({"serviceAccountName": "a"})),
        ("Secret", "/api/v1/namespaces/default/secrets", Value::Null),
        ("Node", "/api/v1/nodes", Value::Null),
    ] {
        let mut object = json!({"apiVersion": "v1", "kind": kind, "metadata": {"name": "b"}});
        if !spec.is_null() {
            object["spec"] = spec;
        }
        server.create(&object).expect("an object");
        let reference = json!({"apiVersion": "v1", "kind": kind, "name": "b"});
        let token = issued(&server, &json!({"boundObjectRef": reference}));
        assert_eq!(read(&server, &token, time(1)), StatusCode::OK, "{kind}");
        let delete =
            http::Request::delete(format!("{path}/b")).header("authorization", "Bearer admin");
        let deleted = server.handle(delete.body(Vec::new()).expect("a request"), time(1)).response;
        assert_eq!(deleted.status(), StatusCode::OK, "{kind}");
        assert_eq!(read(&server, &token, time(1)), StatusCode::UNAUTHORIZED, "{kind}");
        let error = || reviewed(&server, &token, &Value::Null, time(1))["error"].clone();
        assert_eq!(
            error(),
            "[invalid bearer token, service account token has been invalidated]",
            "{kind}"
        );
        // Another object has the same name.
        let other = server.create(&object).expect("an object");
        let claim = kind.to_lowercase();
        let known = other["metadata"]["uid"].as_str().expect("an ID");
        let why =
            format!("{claim} UID ({known}) does not match service account {claim} ref claim (");
        assert!(error().as_str().is_some_and(|error| error.contains(&why)), "{}", error());
    }
}

/// A deleted account can be held for long, and tokens of an earlier account are not valid for it.
#[test]
fn accounts_that_have_ended_say_so_whatever_their_id_is() {
    let server = server();
    let token = issued(&server, &json!({}));
    let delete = |now: i64| {
        let request =
            http::Request::delete(format!("{ACCOUNTS}/a")).header("authorization", "Bearer admin");
        server.handle(request.body(Vec::new()).expect("a request"), time(now)).response.status()
    };
    assert_eq!(delete(1), StatusCode::OK);
    let metadata = json!({"name": "a", "finalizers": ["a.io/b"]});
    let other = json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata});
    server.create(&other).expect("an account");
    let error = |now: i64| reviewed(&server, &token, &Value::Null, time(now))["error"].to_string();
    assert!(error(2).contains("does not match claim"), "{}", error(2));
    assert_eq!(delete(10), StatusCode::OK);
    assert!(error(71).contains("service account default/a has been deleted"), "{}", error(71));
}

/// A server that knows accounts and their tokens from paths alone.
fn small_server() -> Server {
    let server = Server::default();
    let operation = |kind: &str| json!({"x-kubernetes-group-version-kind": {"group": "", "version": "v1", "kind": kind}});
    let account = operation("ServiceAccount");
    let accounts = "/api/v1/namespaces/{namespace}/serviceaccounts";
    let paths = json!({
        accounts: {"get": account, "post": account},
        format!("{accounts}/{{name}}"): {"get": account},
        format!("{accounts}/{{name}}/token"): {"post": operation("TokenRequest")},
    });
    server.add_document(&json!({"openapi": "3.0.0", "paths": paths}));
    server.set_time(time(0));
    let account = json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "a"}});
    server.create(&account).expect("an account");
    server.require_token("admin");
    server
}

#[test]
fn only_tokens_that_the_server_has_signed_are_valid() {
    let server = small_server();
    let token = issued(&server, &json!({}));
    assert_eq!(read(&server, &token, time(1)), StatusCode::OK);
    // Another server knows the same account, with the same ID.
    let other = small_server();
    assert_eq!(read(&other, &token, time(1)), StatusCode::UNAUTHORIZED);
    assert_eq!(read(&other, &issued(&other, &json!({})), time(1)), StatusCode::OK);
    // A snapshot knows the tokens, too.
    let again = server.snapshot().server();
    again.require_token("admin");
    assert_eq!(read(&again, &token, time(1)), StatusCode::OK);
    let parts: Vec<_> = token.split('.').collect();
    let [header, claims, signature] = parts[..] else { panic!("{token}") };
    // `{"alg":"none","typ":"JWT"}`, and below `{"iss":"a"}`.
    let none = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0";
    let forged = [
        format!("{none}.{claims}."),
        format!("{header}.{claims}."),
        format!("{none}.{claims}.{signature}"),
        format!("{header}.eyJpc3MiOiJhIn0.{signature}"),
        format!("{claims}.{signature}"),
        format!("{token}.{signature}"),
        format!("{token}A"),
    ];
    for token in forged {
        assert_eq!(read(&server, &token, time(1)), StatusCode::UNAUTHORIZED, "{token}");
    }
}

#[test]
fn requests_for_tokens_have_the_types_of_their_members() {
    let server = small_server();
    for (spec, found) in [
        (
            json!({"expirationSeconds": 1000.5}),
            "number 1000.5 into Go struct field TokenRequestSpec.spec.expirationSeconds of type int64",
        ),
        (
            json!({"expirationSeconds": "600"}),
            "string into Go struct field TokenRequestSpec.spec.expirationSeconds of type int64",
        ),
        (
            json!({"audiences": "a"}),
            "string into Go struct field TokenRequestSpec.spec.audiences of type []string",
        ),
        (
            json!({"boundObjectRef": {"name": 1}}),
            "number into Go struct field BoundObjectReference.spec.boundObjectRef.name of type string",
        ),
        (json!([]), "array into Go struct field TokenRequest.spec of type v1.TokenRequestSpec"),
    ] {
        let path = format!("{ACCOUNTS}/a/token");
        let (code, refusal) = send(&server, &path, &json!({"spec": spec}), "admin", time(0));
        let message = format!(
            "TokenRequest in version \"v1\" cannot be handled as a TokenRequest: json: cannot \
             unmarshal {found}"
        );
        assert_eq!((code, &refusal["message"]), (StatusCode::BAD_REQUEST, &json!(message)));
    }
    issued(&server, &json!({"expirationSeconds": null, "audiences": null}));
}
