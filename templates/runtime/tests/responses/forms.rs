//! Responses in another form than the document's: tables, metadata alone, free JSON, types of
//! users.

use http::header::ACCEPT;
use http::{HeaderMap, HeaderValue, Response as HttpResponse, StatusCode};
use openshift_api::core_v1::{Pod, PodList, pods};
use openshift_api::meta_v1::{PartialObjectMetadata, PartialObjectMetadataList, RawJson, Table};
use openshift_api::params::{GetParams, ListParams, WatchParams};
use openshift_api::response::{FromResponse, FromStream, Head, Json, Text};
use openshift_api::{DecodeError, Deleted, Error, Items, Request, Watch};
use std::collections::BTreeMap;

fn list() -> Request<PodList> {
    pods::list("default", &ListParams::default()).unwrap()
}

fn accept<T>(request: &Request<T>) -> String {
    request.to_http().headers()[ACCEPT].to_str().unwrap().to_owned()
}

fn whole<T: FromResponse>() -> String {
    accept(&list().decode_as::<T>())
}

fn stream<T: FromStream>() -> String {
    accept(&list().stream_as::<T>())
}

#[test]
fn accepts_the_form_that_is_decoded() {
    let form = |kind: &str| format!("application/json;as={kind};v=v1;g=meta.k8s.io");
    assert_eq!(whole::<Table>(), form("Table"));
    assert_eq!(whole::<PartialObjectMetadata>(), form("PartialObjectMetadata"));
    assert_eq!(whole::<PartialObjectMetadataList>(), form("PartialObjectMetadataList"));
    assert_eq!(stream::<Items<PartialObjectMetadataList>>(), form("PartialObjectMetadataList"));
    assert_eq!(stream::<Watch<Table>>(), form("Table"));
    assert_eq!(stream::<Watch<PartialObjectMetadata>>(), form("PartialObjectMetadata"));
    for plain in
        [whole::<Pod>(), whole::<Deleted<Pod>>(), whole::<RawJson>(), stream::<Watch<Pod>>()]
    {
        assert_eq!(plain, "application/json");
    }
    assert_eq!(whole::<Text>(), "*/*");
}

#[test]
fn accepts_what_the_caller_sets() {
    let yaml = list().decode_as::<Text>().accept(HeaderValue::from_static("application/yaml"));
    assert_eq!(accept(&yaml), "application/yaml");
    let again = yaml.decode_as::<PodList>();
    assert_eq!(accept(&again), "application/json", "the media type of the new form");
}

#[test]
fn keeps_the_query_of_a_watch_in_another_form() {
    let watch = pods::watch("default", &WatchParams::default().resource_version("7")).unwrap();
    let table = watch.clone().stream_as::<Watch<Table>>();
    assert_eq!(table.uri(), watch.uri());
    let mut events = table.open(StatusCode::OK, &HeaderMap::new()).unwrap().body;
    events.push(
        br#"{"type":"ADDED","object":{"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[{"cells":["web"]}]}}"#,
    );
    events.push(b"\n");
    assert!(
        matches!(events.next_event(), Some(Ok(openshift_api::WatchEvent::Added(table))) if table.rows.len() == 1)
    );
}

#[test]
fn decodes_any_json() {
    let body = br#" {"b": 1.50, "a": null} "#;
    let raw = list().decode_as::<RawJson>().decode(&HttpResponse::new(body)).unwrap().body;
    assert_eq!(raw.as_str(), r#"{"b":1.50,"a":null}"#);
    let value = list()
        .decode_as::<Json<serde_json::Value>>()
        .decode(&HttpResponse::new(body))
        .unwrap()
        .body;
    assert_eq!(value.0, serde_json::json!({"a": null, "b": 1.5}));
    let map = list()
        .decode_as::<Json<BTreeMap<String, u8>>>()
        .decode(&HttpResponse::new(body))
        .unwrap_err();
    assert!(map.to_string().contains("invalid type: floating point `1.5`, expected u8"), "{map}");
    assert!(list().decode_as::<RawJson>().decode(&HttpResponse::new("{")).is_err());
}

/// A type of a user, with an error of its own.
#[derive(Debug, PartialEq)]
struct Lines(usize);

impl FromResponse for Lines {
    fn accept() -> HeaderValue {
        HeaderValue::from_static("text/plain")
    }

    fn from_response(head: &Head<'_>, body: &[u8]) -> Result<Self, DecodeError> {
        let text = std::str::from_utf8(body)
            .map_err(|_| DecodeError::custom(format!("{} bytes", body.len())))?;
        assert_eq!(head.status, StatusCode::OK);
        Ok(Self(text.lines().count()))
    }
}

#[test]
fn decodes_types_of_users() {
    let request = pods::get("default", "web", &GetParams::default()).unwrap().decode_as::<Lines>();
    assert_eq!(accept(&request), "text/plain");
    assert_eq!(request.decode(&HttpResponse::new("a\nb")).unwrap().body, Lines(2));
    let error = request.decode(&HttpResponse::new(b"\xFF")).unwrap_err();
    let Error::Decode { error, .. } = error else { panic!("{error}") };
    assert_eq!((error.message(), error.line()), ("1 bytes", 0));
    let refused = HttpResponse::builder().status(404).body("").unwrap();
    assert!(request.decode(&refused).unwrap_err().is_not_found());
    let long = DecodeError::custom("x".repeat(10_000));
    assert!(long.message().chars().count() <= 2001);
}
