//! Requests and responses as a client handles them, in the types of `http`.

use http::header::ACCEPT_ENCODING;
use openshift_api::Response;
use openshift_api::core_v1::pods::LogParams;
use openshift_api::core_v1::{Pod, pods};
use openshift_api::params::{CreateParams, ListParams};

#[test]
fn only_streams_must_not_be_compressed() {
    let has = |params: LogParams| {
        pods::get_log("default", "web", &params).unwrap().to_http().headers().contains_key(ACCEPT_ENCODING)
    };
    let followed = [LogParams::default(), LogParams::default().follow(false), LogParams::default().follow(true)];
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
    assert_eq!((http.method(), http.uri(), http.headers()), (copy.method(), copy.uri(), copy.headers()));
    let response = http::Response::new(http.into_body());
    assert_eq!(Response::<Pod>::decode(&response).unwrap().body, Pod::default());
}
