//! Whole responses of servers, and of proxies between them and a client.

use http::{HeaderMap, HeaderName, HeaderValue, Response as HttpResponse, StatusCode};
use openshift_api::coordination_v1::{Lease, leases};
use openshift_api::core_v1::{Binding, Pod, pods};
use openshift_api::meta_v1::{PartialObjectMetadata, RawJson, Table};
use openshift_api::params::{
    CreateParams, DeleteCollectionParams, DeleteParams, GetParams, ListParams,
};
use openshift_api::policy_v1::Eviction;
use openshift_api::response::FromResponse;
use openshift_api::watch::WatchEvent;
use openshift_api::{Deleted, DeletedCollection, Error, Kind, Request, Response, Watch};
use proptest::prelude::*;
use test_support::calls::CALLS;
use test_support::places;

const POD: &str = r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web"}}"#;

fn get_pod() -> Request<Pod> {
    pods::get("default", "web", &GetParams::default()).unwrap()
}

/// Decodes a body as the response to a request.
fn decode<T: FromResponse>(
    request: &Request<T>,
    code: u16,
    body: &[u8],
) -> Result<Response<T>, Error> {
    request.decode(&HttpResponse::builder().status(code).body(body).unwrap())
}

/// The error of a successful response with a body that cannot be decoded.
fn failure<T: FromResponse>(request: &Request<T>, code: u16, body: &str) -> String {
    let error = decode(request, code, body.as_bytes()).err().expect("it cannot be decoded");
    assert!(matches!(error, Error::Decode { .. }), "{error:?}");
    error.to_string()
}

fn fixture(path: &str) -> String {
    places::text(&places::root().join("tests/fixtures").join(path))
}

#[test]
fn every_status_code_of_success_is_accepted() {
    let create = pods::create("default", &Pod::default(), &CreateParams::default()).unwrap();
    for code in [200, 201, 202] {
        let response = decode(&create, code, POD.as_bytes()).unwrap();
        assert_eq!(
            (response.status.as_u16(), response.body.metadata.name.as_deref()),
            (code, Some("web"))
        );
        assert!(response.warnings.is_empty());
    }
}

#[test]
fn an_empty_log_is_decoded_from_204() {
    let log = pods::get_log("default", "web", &pods::LogParams::default()).unwrap();
    assert_eq!(decode(&log, 204, b"").unwrap().body.0, b"");
    // Logs are bytes.
    assert_eq!(
        decode(&log, 200, b"a\r\n\xFFb\n").unwrap().body.lines().collect::<Vec<_>>(),
        [b"a" as &[u8], b"\xFFb"]
    );
    let expected =
        "the response (204 No Content) cannot be decoded: the body is empty, expected a Pod";
    assert_eq!(failure(&get_pod(), 204, ""), expected);
}

#[test]
fn warnings_come_with_the_response() {
    let response = HttpResponse::builder()
        .header("warning", r#"299 - "unknown field \"spec.x\"""#)
        .header("warning", r#"299 kube "v1 Endpoints is deprecated in v1.33+""#)
        .body(POD)
        .unwrap();
    let expected = [
        (299, "-", r#"unknown field "spec.x""#),
        (299, "kube", "v1 Endpoints is deprecated in v1.33+"),
    ];
    let pod = get_pod().decode(&response).unwrap();
    let warnings =
        pod.warnings.iter().map(|warning| (warning.code, &*warning.agent, &*warning.text));
    assert_eq!(warnings.collect::<Vec<_>>(), expected);
    assert_eq!(&pod.headers, response.headers());
    // Values of headers may be cookies.
    assert!(format!("{pod:?}").contains(r#"headers: ["warning"]"#), "{pod:?}");
}

#[test]
fn a_binding_and_an_eviction_return_a_status() {
    let status = fixture("statuses/success-created-201.json");
    let bind =
        pods::create_binding("default", "web", &Binding::default(), &CreateParams::default())
            .unwrap();
    assert_eq!(
        decode(&bind, 201, status.as_bytes()).unwrap().body.status.as_deref(),
        Some("Success")
    );
    let evict =
        pods::create_eviction("default", "web", &Eviction::default(), &CreateParams::default())
            .unwrap();
    assert_eq!(decode(&evict, 201, status.as_bytes()).unwrap().body.code, Some(201));
}

#[test]
fn a_switched_connection_has_its_protocol() {
    let exec =
        pods::get_exec("default", "web", &pods::ExecParams::default().command(["ls"])).unwrap();
    let switched = HttpResponse::builder()
        .status(101)
        .header("sec-websocket-protocol", "v5.channel.k8s.io")
        .body(());
    let protocol = Some("v5.channel.k8s.io".to_owned());
    let (head, ()) = switched.unwrap().into_parts();
    let decode = |code: u16, headers: &HeaderMap, body: &[u8]| {
        exec.decode_upgrade(StatusCode::from_u16(code).unwrap(), headers, body)
    };
    assert_eq!(decode(101, &head.headers, b"").unwrap().body.protocol, protocol);
    assert_eq!(decode(101, &HeaderMap::new(), b"").unwrap().body.protocol, None);
    let refused = decode(200, &head.headers, b"not switched").unwrap_err();
    assert_eq!(refused.to_string(), "the server responded with 200 OK: not switched");
}

#[test]
fn a_delete_returns_the_object_or_a_status() {
    let delete = leases::delete("shop", "price-updater", &DeleteParams::default()).unwrap();
    let status =
        decode(&delete, 200, fixture("statuses/success-delete.json").as_bytes()).unwrap().body;
    let Deleted::Status(status) = status else { panic!("{status:?}") };
    assert_eq!(status.details.unwrap().name.as_deref(), Some("price-updater"));
    let lease =
        decode(&delete, 202, fixture("leases/node-heartbeat.json").as_bytes()).unwrap().body;
    assert!(
        matches!(lease, Deleted::Object(lease) if lease.metadata.namespace.as_deref() == Some("kube-node-lease"))
    );
    let expected = "the response (200 OK) cannot be decoded: expected kind `Lease` of \
                    `coordination.k8s.io/v1`, found kind `Pod` of `v1` at line 1 column 1";
    assert_eq!(failure(&delete, 200, POD), expected);
    assert!(failure(&delete, 200, "").ends_with("the body is empty, expected a Lease"));
}

#[test]
fn the_delete_of_a_collection_returns_a_list_or_a_status() {
    let delete = leases::delete_collection("shop", &DeleteCollectionParams::default()).unwrap();
    let list = decode(&delete, 200, fixture("leases/list-items-without-kind.json").as_bytes())
        .unwrap()
        .body;
    assert!(matches!(list, DeletedCollection::List(list) if !list.items.is_empty()));
    let status =
        decode(&delete, 200, fixture("statuses/success-delete.json").as_bytes()).unwrap().body;
    assert!(matches!(status, DeletedCollection::Status(_)));
}

#[test]
fn a_status_of_failure_is_a_refusal_whatever_the_code() {
    let status = fixture("statuses/conflict-409.json");
    let delete = leases::delete("shop", "price-updater", &DeleteParams::default()).unwrap();
    let list = leases::delete_collection("shop", &DeleteCollectionParams::default()).unwrap();
    let errors = [
        decode(&get_pod(), 200, status.as_bytes()).unwrap_err(),
        decode(&delete, 200, status.as_bytes()).unwrap_err(),
        decode(&list, 200, status.as_bytes()).unwrap_err(),
    ];
    for error in errors {
        assert!(error.is_conflict(), "{error}");
        assert_eq!(error.api().unwrap().reason(), "Conflict");
    }
}

#[test]
fn an_object_of_another_kind_is_refused() {
    let expected = |kind: &str| {
        format!(
            "the response (200 OK) cannot be decoded: expected kind `Pod` of `v1`, found kind \
             `{kind}` of `v1` at line 1 column 1"
        )
    };
    assert_eq!(
        failure(&get_pod(), 200, &fixture("statuses/success-delete.json")),
        expected("Status")
    );
    assert_eq!(
        failure(&get_pod(), 200, r#"{"spec":5,"kind":"PodList","apiVersion":"v1"}"#),
        expected("PodList")
    );
    let list = pods::list("default", &ListParams::default()).unwrap();
    let expected = "the response (200 OK) cannot be decoded: expected kind `PodList` of `v1`, \
                    found kind `Pod` of `v1` at line 1 column 1";
    assert_eq!(failure(&list, 200, POD), expected);
    let lease: Request<Lease> = leases::get("default", "web", &GetParams::default()).unwrap();
    let expected = "the response (200 OK) cannot be decoded: expected kind `Lease` of \
                    `coordination.k8s.io/v1`, found kind `Lease` of `coordination.k8s.io/v2` at \
                    line 1 column 1";
    assert_eq!(
        failure(&lease, 200, r#"{"kind":"Lease","apiVersion":"coordination.k8s.io/v2"}"#),
        expected
    );
}

#[test]
fn errors_of_a_body_have_their_path_and_position() {
    let read = |body: &str| {
        failure(&get_pod(), 200, body).replace("the response (200 OK) cannot be decoded: ", "")
    };
    let wrong = r#"{"kind":"Pod","spec":{"containers":[{"ports":[{"containerPort":"80"}]}]}}"#;
    let expected = "spec.containers[0].ports[0].containerPort: expected an integer of 32 bits, \
                    found \"80\" at line 1 column 64";
    assert_eq!(read(wrong), expected);
    assert_eq!(
        read(r#"{"kind":"Pod","metadata":{"name":"we"#),
        "metadata.name: expected `\"` at the end of a string, found the end of the text at line 1 \
         column 37"
    );
    assert_eq!(read("5"), "expected an object (Pod), found 5 at line 1 column 1");
    assert_eq!(
        read(&format!("{POD} x")),
        "expected the end of the text, found x at line 1 column 60"
    );
    // Only bodies of JSON are decoded; the error names any other content type.
    let page = HttpResponse::builder()
        .header("content-type", "text/html; charset=utf-8")
        .body("<html>")
        .unwrap();
    let expected = "the response (200 OK) cannot be decoded: expected an object (Pod), found `<` \
                    at line 1 column 1, in a body of the type `text/html; charset=utf-8`";
    assert_eq!(get_pod().decode(&page).unwrap_err().to_string(), expected);
}

#[test]
fn text_that_is_not_utf_8_is_an_error_in_json() {
    let error = decode(&get_pod(), 200, b"{\"metadata\":{\"name\":\"\xFF\"}}").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the response (200 OK) cannot be decoded: metadata.name: expected UTF-8, found bytes that \
         are not UTF-8 at line 1 column 22"
    );
}

/// Bytes that are often nearly a body: cut, or with a byte changed.
fn body() -> impl Strategy<Value = Vec<u8>> {
    let whole = prop::sample::select(vec![
        POD.to_owned(),
        fixture("statuses/invalid-causes-422.json"),
        fixture("leases/list-items-without-kind.json"),
        fixture("watch/pods-lifecycle-bookmarks.jsonl"),
        "null".to_owned(),
    ]);
    let near = (whole, any::<prop::sample::Index>(), any::<u8>(), any::<bool>()).prop_map(
        |(text, index, byte, cut)| {
            let mut bytes = text.into_bytes();
            let index = index.index(bytes.len());
            bytes[index] = byte;
            bytes.truncate(if cut { index } else { usize::MAX });
            bytes
        },
    );
    prop_oneof![any::<Vec<u8>>(), near]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn nothing_makes_decoding_panic(
        call in prop::sample::select(CALLS),
        code in 100u16..1000,
        headers in prop::collection::vec((0usize..4, any::<Vec<u8>>()), 0..4),
        body in body(),
    ) {
        let names = ["content-type", "retry-after", "warning", "sec-websocket-protocol"].map(HeaderName::from_static);
        let values = headers.into_iter().filter_map(|(name, bytes)| Some((name, HeaderValue::from_bytes(&bytes).ok()?)));
        let headers: HeaderMap = values.map(|(name, value)| (names[name].clone(), value)).collect();
        let sent = call.sent();
        let status = StatusCode::from_u16(code).expect("it has three digits");
        match (sent.decode)(status, &headers, &body) {
            Ok(shown) => prop_assert_eq!(
                if sent.response.starts_with("Upgrade<") { code == 101 } else { status.is_success() },
                true,
                "{} is {}", status, shown
            ),
            Err(error) => {
                prop_assert!(!error.to_string().is_empty());
                prop_assert!(status.is_success() || error.api().is_some_and(|error| error.code == status));
            }
        }
    }
}

/// The only event of a line.
fn event<T: Kind>(line: &str) -> WatchEvent<T> {
    let mut watch = Watch::<T>::default();
    watch.push(line.as_bytes());
    watch.next_event().expect("the line is complete").unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn watches_metadata_and_tables_of_any_kind() {
    const OBJECT: &str = r#"{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"web-0"}}"#;
    let WatchEvent::Added(object) =
        event::<PartialObjectMetadata>(&format!("{{\"type\":\"ADDED\",\"object\":{OBJECT}}}\n"))
    else {
        panic!("it was added")
    };
    assert_eq!(object.metadata.name.as_deref(), Some("web-0"));
    let table = format!(
        r#"{{"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[{{"cells":[1],"object":{OBJECT}}}]}}"#
    );
    let WatchEvent::Modified(table) =
        event::<Table>(&format!("{{\"type\":\"MODIFIED\",\"object\":{table}}}\n"))
    else {
        panic!("it was modified")
    };
    assert_eq!(table.rows[0].object.as_ref().map(RawJson::as_str), Some(OBJECT));
}
