//! Requests, responses and operations as a client handles them.

use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE};
use openshift_api::core_v1::pods::{LogParams, ProxyParams};
use openshift_api::core_v1::{Pod, pods};
use openshift_api::params::{CreateParams, GetParams, ListParams};
use openshift_api::{OPERATIONS, Response, Text, Verb};

#[test]
fn only_streams_refuse_compression() {
    let has = |params: LogParams| {
        pods::get_log("default", "web", &params)
            .unwrap()
            .to_http()
            .headers()
            .contains_key(ACCEPT_ENCODING)
    };
    let followed = [
        LogParams::default(),
        LogParams::default().follow(false),
        LogParams::default().follow(true),
    ];
    assert_eq!(followed.map(has), [false, false, true]);
    let list = pods::list("default", &ListParams::default()).unwrap();
    assert!(!list.into_http().headers().contains_key(ACCEPT_ENCODING));
}

#[test]
fn a_request_becomes_one_of_http_without_a_copy() {
    let request = pods::create("default", &Pod::default(), &CreateParams::default()).unwrap();
    let copy = request.to_http();
    let body = request.body().as_ptr();
    let http: http::Request<Vec<u8>> = request.into();
    assert_eq!((http.body().as_ptr(), http.body()), (body, copy.body()));
    assert_eq!(
        (http.method(), http.uri(), http.headers()),
        (copy.method(), copy.uri(), copy.headers())
    );
    let response = http::Response::new(http.into_body());
    assert_eq!(Response::<Pod>::decode(&response).unwrap().body, Pod::default());
}

#[test]
fn rbac_verbs_are_those_that_servers_check() {
    for operation in OPERATIONS {
        let stream = matches!(operation.subresource, Some("exec" | "attach" | "portforward"));
        let expected: &[&str] = match (operation.verb, operation.method) {
            (Verb::Connect, "GET") if stream => &["get", "create"],
            (Verb::Connect, "OPTIONS") => &["*"],
            (Verb::List, _) => &["list"],
            (Verb::Watch, _) => &["watch"],
            (Verb::DeleteCollection, _) => &["deletecollection"],
            (_, "GET" | "HEAD") => &["get"],
            (_, "POST") => &["create"],
            (_, "PUT") => &["update"],
            (_, "PATCH") => &["patch"],
            (_, "DELETE") => &["delete"],
            other => panic!("{other:?}"),
        };
        assert_eq!(operation.rbac_verbs, expected, "{}", operation.id);
    }
}

#[test]
fn proxies_pass_bodies_on() {
    let params = ProxyParams::default();
    let requests = [
        pods::post_proxy("default", "web", &params),
        pods::put_proxy("default", "web", &params),
        pods::patch_proxy("default", "web", &params),
        pods::post_proxy_path("default", "web", "a/b", &params),
        pods::put_proxy_path("default", "web", "a/b", &params),
        pods::patch_proxy_path("default", "web", "a/b", &params),
    ];
    for request in requests {
        let http =
            request.unwrap().payload("text/plain; charset=utf-8", "caf\u{e9}").unwrap().into_http();
        assert_eq!(http.headers()[CONTENT_TYPE], "text/plain; charset=utf-8");
        assert_eq!(
            (&http.headers()[ACCEPT], http.body().as_slice()),
            (&"*/*".parse().unwrap(), "caf\u{e9}".as_bytes())
        );
    }
}

#[test]
fn only_proxies_take_a_payload() {
    let get = pods::get_proxy("default", "web", &ProxyParams::default()).unwrap();
    let pod = pods::get("default", "web", &GetParams::default()).unwrap().decode_as::<Text>();
    for (request, id) in
        [(get, "connectCoreV1GetNamespacedPodProxy"), (pod, "readCoreV1NamespacedPod")]
    {
        let expected = format!(
            "the request cannot be made: `{id}` takes no payload, only POST, PUT and PATCH of \
             proxies"
        );
        assert_eq!(request.payload("text/plain", "x").unwrap_err().to_string(), expected);
    }
    for (media_type, shown) in [("", ""), ("text/plain\r\nx: y", r"text/plain\r\nx: y")] {
        let post = pods::post_proxy("default", "web", &ProxyParams::default()).unwrap();
        let expected = format!("the request cannot be made: `{shown}` is not a media type");
        assert_eq!(post.payload(media_type, "x").unwrap_err().to_string(), expected);
    }
}
