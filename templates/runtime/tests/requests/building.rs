//! Queries, headers, bodies and patches of requests, and refused requests.

use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE};
use openshift_api::change::PatchOperation;
use openshift_api::core_v1::pods::{ExecParams, LogParams, PortForwardParams};
use openshift_api::core_v1::{Binding, Pod, pods};
use openshift_api::image_v1::Image;
use openshift_api::meta_v1::ObjectMeta;
use openshift_api::params::{
    CreateParams, GetParams, ListParams, PatchParams, ReplaceParams, WatchParams,
};
use openshift_api::policy_v1::Eviction;
use openshift_api::prelude::*;
use openshift_api::request::{Builder, InvalidRequest, Request};
use openshift_api::scope::Cluster;
use openshift_api::{Error, Operation, Patch, Text, Verb};
use percent_encoding::percent_decode_str;
use proptest::prelude::*;
use serde_json::json;
use test_support::call::Call;
use test_support::calls::CALLS;

/// The reason of a refusal that is made before anything is sent.
pub(crate) fn reason<T>(result: Result<Request<T>, Error>) -> String {
    result.expect_err("this cannot be sent").to_string()
}

pub(crate) fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8().expect("it is UTF-8").into_owned()
}

/// The pairs of a query as a server reads them.
fn pairs<T>(request: &Request<T>) -> Vec<(String, String)> {
    let query = request.uri().query().unwrap_or_default();
    let form = query.replace('+', " ");
    let pair =
        |text: &str| text.split_once('=').map(|(name, value)| (decoded(name), decoded(value)));
    form.split('&')
        .filter(|text| !text.is_empty())
        .map(|text| pair(text).expect("a name has a value"))
        .collect()
}

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

proptest! {
    #[test]
    fn a_query_holds_what_was_set(
        continue_ in any::<Option<String>>(),
        field_selector in any::<Option<String>>(),
        label_selector in any::<Option<String>>(),
        limit in any::<Option<i64>>(),
        resource_version in any::<Option<String>>(),
    ) {
        let params = ListParams { continue_, field_selector, label_selector, limit, resource_version, ..Default::default() };
        let sent = pairs(&pods::list("default", &params).expect("it is short"));
        let set = [
            ("continue", params.continue_),
            ("fieldSelector", params.field_selector),
            ("labelSelector", params.label_selector),
            ("limit", params.limit.map(|limit| limit.to_string())),
            ("resourceVersion", params.resource_version),
        ];
        let set: Vec<_> = set.into_iter().filter_map(|(name, value)| Some(pair(name, &value?))).collect();
        prop_assert_eq!(sent, set);
    }

    #[test]
    fn a_list_is_repeated(command in any::<Vec<String>>(), ports in any::<Vec<i64>>()) {
        let request = pods::get_exec("default", "web", &ExecParams::default().command(command.clone())).expect("it is short");
        let expected: Vec<_> = command.iter().map(|word| pair("command", word)).collect();
        prop_assert_eq!(pairs(&request), expected);
        let request = pods::get_port_forward("default", "web", &PortForwardParams::default().ports(ports.clone()));
        let expected: Vec<_> = ports.iter().map(|port| pair("ports", &port.to_string())).collect();
        prop_assert_eq!(pairs(&request.expect("it is short")), expected);
    }
}

#[test]
fn values_are_encoded_for_queries() {
    let params = WatchParams::default()
        .allow_watch_bookmarks(true)
        .label_selector("app=web,tier in (a,b)&x+y")
        .send_initial_events(false)
        .timeout_seconds(-9_223_372_036_854_775_808);
    let request = pods::watch("default", &params).unwrap();
    let expected = "/api/v1/namespaces/default/pods?allowWatchBookmarks=true&labelSelector=app%\
                    3Dweb%2Ctier%20in%20%28a%2Cb%29%26x%2By&sendInitialEvents=false&\
                    timeoutSeconds=-9223372036854775808&watch=true";
    assert_eq!(request.uri(), expected);
}

#[test]
fn parameters_that_are_not_set_are_not_sent() {
    let request = pods::list("default", &ListParams::default()).unwrap();
    assert_eq!(request.uri(), "/api/v1/namespaces/default/pods");
    let request = pods::watch_all_namespaces(&WatchParams::default()).unwrap();
    assert_eq!(request.uri(), "/api/v1/pods?watch=true");
    // An empty string is sent, a flag that is not set is not.
    let params = CreateParams::default().field_manager("").dry_run(false);
    let request = pods::create("default", &Pod::default(), &params).unwrap();
    assert_eq!(request.uri(), "/api/v1/namespaces/default/pods?fieldManager=");
}

/// They were optional when the crate was made, so that its struct does not demand them.
#[test]
fn parameters_that_servers_require_are_demanded_by_name() {
    const READ: Operation = Operation::new(Verb::Get, "readThing", "GET", "/api/v1/things/{name}")
        .parameters(&["pretty", "resourceVersion"])
        .required_parameters(&["pretty", "resourceVersion"]);
    let read = |params: &GetParams| {
        Builder::new(&READ, &["a"])
            .params(params)
            .finish::<Text>()
            .map(|request| request.uri().clone())
    };
    let refused = |params: GetParams| read(&params).unwrap_err().to_string();
    let text = "the request cannot be made: `readThing` requires `pretty`, `resourceVersion` now, \
                which are not set";
    assert_eq!(refused(GetParams::default()), text);
    let text =
        "the request cannot be made: `readThing` requires `resourceVersion` now, which is not set";
    assert_eq!(refused(GetParams::default().pretty("true")), text);
    let params = GetParams::default().pretty("").resource_version("7");
    assert_eq!(read(&params).unwrap(), "/api/v1/things/a?pretty=&resourceVersion=7");
}

#[test]
fn requests_longer_than_a_url_are_refused() {
    let long = "x".repeat(70_000);
    let request = pods::list("default", &ListParams::default().label_selector(&long));
    let text =
        "the request cannot be made: path and query have 70046 bytes, more than a URL may have";
    assert_eq!(reason(request), text);
    assert!(matches!(
        pods::get("default", &long, &GetParams::default()),
        Err(Error::Invalid(InvalidRequest::TooLong { length: 70_032 }))
    ));
    // The longest one that fits, and the next.
    let sized = |bytes: usize| {
        pods::get_log("default", "web", &LogParams::default().container("x".repeat(bytes)))
    };
    let room = 65_534 - "/api/v1/namespaces/default/pods/web/log?container=".len();
    assert_eq!(sized(room).unwrap().uri().to_string().len(), 65_534);
    assert!(sized(room + 1).is_err());
}

#[test]
fn headers_have_the_types_of_both_bodies() {
    for call in CALLS {
        let sent = call.sent();
        let header = |name| sent.http.headers().get(name).map(|value| value.to_str().unwrap());
        let wanted = if sent.response == "Text" { "*/*" } else { "application/json" };
        assert_eq!(header(ACCEPT), Some(wanted), "{}", call.path());
        assert_eq!(header(CONTENT_TYPE), content_type(call, sent.http.body()), "{}", call.path());
        // All parameters are set, so that the log is followed.
        let is_stream = sent.response.starts_with("Watch<") || call.function == "get_log";
        assert_eq!(header(ACCEPT_ENCODING), is_stream.then_some("identity"), "{}", call.path());
        let others = [CONTENT_TYPE, ACCEPT_ENCODING]
            .into_iter()
            .filter(|name| header(name.clone()).is_some());
        assert_eq!(sent.http.headers().len(), 1 + others.count(), "{}", call.path());
    }
}

fn content_type(call: &Call, body: &[u8]) -> Option<&'static str> {
    match call.function {
        _ if body.is_empty() => None,
        function if function.starts_with("patch") => Some("application/apply-patch+yaml"),
        _ => Some("application/json"),
    }
}

#[test]
fn an_object_is_sent_as_json() {
    let metadata = ObjectMeta { name: Some("web".to_owned()), ..Default::default() };
    let pod = Pod { metadata, ..Default::default() };
    let request = pods::create("default", &pod, &CreateParams::default()).unwrap();
    assert_eq!(request.body(), openshift_api::to_vec(&pod));
    assert_eq!(request.body(), br#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"}}"#);
    assert_eq!(request.operation().verb, Verb::Create);
    assert_eq!(request.to_http().method(), "POST");
}

/// The items of lists do not state their kind, and servers refuse custom resources without.
#[test]
fn states_the_kind_of_an_object_that_was_decoded_without_it() {
    let body = |text: &str| {
        let pod: Pod = openshift_api::from_str(text).unwrap();
        let created =
            Pod::create("default", &pod, &CreateParams::default()).unwrap().body().to_vec();
        let replaced = pods::replace("default", "web", &pod, &ReplaceParams::default())
            .unwrap()
            .body()
            .to_vec();
        let status = Pod::replace_status("default", "web", &pod, &ReplaceParams::default())
            .unwrap()
            .body()
            .to_vec();
        assert!(created == replaced && created == status);
        let applied = Patch::apply(&pod).body().to_vec();
        assert_eq!(applied, created);
        String::from_utf8(created).unwrap()
    };
    let whole = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"x":1}"#;
    for stated in ["", r#""kind":"Pod","#, r#""apiVersion":"v1","#, r#""apiVersion":"","kind":"","#]
    {
        assert_eq!(
            body(&format!(r#"{{{stated}"metadata":{{"name":"web"}},"x":1}}"#)),
            whole,
            "{stated}"
        );
    }
    assert_eq!(body(r#"{"x":1}"#), r#"{"apiVersion":"v1","kind":"Pod","x":1}"#);
    // Of several identities, the one of the path.
    let image: Image = openshift_api::from_str(r#"{"metadata":{}}"#).unwrap();
    let request = Image::create(Cluster, &image, &CreateParams::default()).unwrap();
    assert_eq!(
        request.body(),
        br#"{"apiVersion":"image.openshift.io/v1","kind":"Image","metadata":{}}"#
    );
    let image: Image = openshift_api::from_str(r#"{"apiVersion":"v1"}"#).unwrap();
    let request = Image::create(Cluster, &image, &CreateParams::default()).unwrap();
    assert_eq!(request.body(), br#"{"apiVersion":"v1","kind":"Image"}"#);
}

/// The body of a subresource has a type of its own, which the group of the path says nothing about.
#[test]
fn states_the_kind_of_a_body_and_not_that_of_its_path() {
    let eviction: Eviction = openshift_api::from_str(r#"{"metadata":{"name":"web"}}"#).unwrap();
    let request =
        pods::create_eviction("default", "web", &eviction, &CreateParams::default()).unwrap();
    assert_eq!(
        request.body(),
        br#"{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"web"}}"#
    );
    let binding: Binding = openshift_api::from_str(r#"{"target":{"name":"node"}}"#).unwrap();
    let request =
        pods::create_binding("default", "web", &binding, &CreateParams::default()).unwrap();
    assert_eq!(request.body(), br#"{"apiVersion":"v1","kind":"Binding","target":{"name":"node"}}"#);
}

#[test]
fn refuses_an_object_that_states_another_kind() {
    let found = "expected kind `Pod` of `v1`, found";
    for (api_version, kind, shown) in [
        (Some("v1"), Some("Secret"), "kind `Secret` of `v1`"),
        (Some("apps/v1"), None, "apiVersion `apps/v1`"),
        (None, Some("pod"), "kind `pod`"),
    ] {
        let [api_version, kind] = [api_version, kind].map(|text| text.map(str::to_owned));
        let pod = Pod { api_version, kind, ..Default::default() };
        let refused =
            format!("the request cannot be made: the body is of another kind: {found} {shown}");
        let create = pods::create("default", &pod, &CreateParams::default());
        assert!(matches!(create, Err(Error::Invalid(InvalidRequest::Body(_)))));
        assert_eq!(reason(create), refused);
        assert_eq!(
            reason(Pod::replace("default", "web", &pod, &ReplaceParams::default())),
            refused
        );
        let apply = pods::patch(
            "default",
            "web",
            &Patch::apply(&pod),
            &PatchParams::default().field_manager("me"),
        );
        let refused =
            format!("the request cannot be made: the patch cannot be sent: {found} {shown}");
        assert_eq!(reason(apply), refused);
    }
}

#[test]
fn a_response_can_be_decoded_as_another_type() {
    let request = pods::list("default", &ListParams::default().limit(1)).unwrap();
    let shown = format!("{:?}", request.clone());
    assert_eq!(
        shown,
        r#"Request { method: "GET", uri: /api/v1/namespaces/default/pods?limit=1, content_type: None, body: 0 bytes }"#
    );
    let table = request.decode_as::<Text>();
    let response = table.decode(&http::Response::new("| web | 1/1 |")).unwrap();
    assert_eq!(response.body.to_str_lossy(), "| web | 1/1 |");
}

#[test]
fn debug_shows_no_body() {
    let secret = json!({"data": {"password": "aHVudGVyMg=="}});
    let patch = Patch::merge(&secret);
    let shown = r#"Patch { media_type: "application/merge-patch+json", body: 36 bytes }"#;
    assert_eq!(format!("{patch:?}"), shown);
    let request = pods::patch("default", "web", &patch, &PatchParams::default()).unwrap();
    let shown = format!("{request:?}");
    assert!(
        shown
            .starts_with("Request { method: \"PATCH\", uri: /api/v1/namespaces/default/pods/web, "),
        "{shown}"
    );
    assert!(
        shown.ends_with("content_type: Some(\"application/merge-patch+json\"), body: 36 bytes }"),
        "{shown}"
    );
    let response = http::Response::new("hunter2");
    let log = request.decode_as::<Text>().decode(&response).unwrap();
    assert!(format!("{log:?}").ends_with("body: Text(7 bytes) }"), "{log:?}");
    let truncated = Error::Truncated { rest: b"hunter2".to_vec() };
    assert_eq!(format!("{truncated:#?}"), "Truncated(7 bytes)");
}

#[test]
fn every_form_of_patch_has_its_media_type() {
    let change = json!({"metadata": {"labels": {"app": null}}});
    let manager = PatchParams::default().field_manager("test");
    let sent = |patch: Patch| {
        let http = pods::patch("default", "web", &patch, &manager).unwrap().to_http();
        (
            http.headers()[CONTENT_TYPE].to_str().unwrap().to_owned(),
            String::from_utf8(http.into_body()).unwrap(),
        )
    };
    let text = r#"{"metadata":{"labels":{"app":null}}}"#;
    let pair = |media_type: &str, text: &str| (media_type.to_owned(), text.to_owned());
    assert_eq!(sent(Patch::merge(&change)), pair("application/merge-patch+json", text));
    assert_eq!(
        sent(Patch::strategic(&change)),
        pair("application/strategic-merge-patch+json", text)
    );
    assert_eq!(sent(Patch::apply(&change)), pair("application/apply-patch+yaml", text));
    let operations = json!([{"op": "remove", "path": "/metadata/labels/app"}]);
    let text = r#"[{"op":"remove","path":"/metadata/labels/app"}]"#;
    assert_eq!(
        sent(Patch::json(&PatchOperation::parse_list(&operations).unwrap())),
        pair("application/json-patch+json", text)
    );
}

#[test]
fn patches_that_servers_would_refuse_are_refused() {
    let refusal =
        |patch: Patch, params: PatchParams| reason(pods::patch("default", "web", &patch, &params));
    let apply = || Patch::apply(&Pod::default());
    let merge = || Patch::merge(&Pod::default());
    let manager = "the request cannot be made: an apply needs the parameter `fieldManager`: set \
                   `PatchParams::field_manager`";
    assert_eq!(refusal(apply(), PatchParams::default()), manager);
    assert_eq!(refusal(apply(), PatchParams::default().field_manager("").force(true)), manager);
    let force = "the request cannot be made: only an apply can have the parameter `force`";
    assert_eq!(refusal(merge(), PatchParams::default().force(true).field_manager("test")), force);
    assert_eq!(refusal(merge(), PatchParams::default().force(false)), force);
    let params = PatchParams::default().field_manager("test").force(true);
    let request = pods::patch("default", "web", &apply(), &params).unwrap();
    assert_eq!(pairs(&request), [pair("fieldManager", "test"), pair("force", "true")]);
}

#[test]
fn a_patch_that_an_operation_does_not_take_is_refused() {
    static OPERATION: Operation =
        Operation::new(Verb::Patch, "patchThing", "PATCH", "/apis/example.com/v1/things/{name}")
            .media_types(&["application/json-patch+json", "application/merge-patch+json"]);
    let build = |patch: Patch| Builder::new(&OPERATION, &["one"]).patch(&patch).finish::<Pod>();
    let text = "the request cannot be made: `patchThing` takes no patch of the type \
                application/strategic-merge-patch+json, only application/json-patch+json, \
                application/merge-patch+json";
    assert_eq!(reason(build(Patch::strategic(&json!({})))), text);
    assert_eq!(build(Patch::merge(&json!({}))).unwrap().uri(), "/apis/example.com/v1/things/one");
}
