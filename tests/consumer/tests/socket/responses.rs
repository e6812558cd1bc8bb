//! Unexpected responses, and responses without a body of JSON.

use crate::server::{Reply, Server, json, stream, text, with};
use crate::{recorded, recorded_json};
use openshift_api::core_v1::{Pod, pods};
use openshift_api::params::{CreateParams, GetParams, ListParams};
use openshift_api::policy_v1::Eviction;
use openshift_api::response::FromResponse;
use openshift_api::{ApiError, Error, Request, Response};
use podwatch::{Cluster, Failure};
use serde_json::{Value, json};
use std::time::Duration;

fn get() -> Request<Pod> {
    pods::get("shop", "cart-7", &GetParams::default()).unwrap()
}

fn send<T: FromResponse>(request: &Request<T>, reply: Reply) -> Result<Response<T>, Failure> {
    let server = Server::start();
    server.will(reply);
    Cluster::new(&server.url).send(request)
}

fn refused<T: FromResponse>(request: &Request<T>, reply: Reply) -> ApiError {
    match send(request, reply) {
        Err(Failure::Api(Error::Api(refusal))) => *refusal,
        Err(other) => panic!("not a refusal: {other}"),
        Ok(response) => panic!("a response with the status {}", response.status),
    }
}

#[test]
fn a_status_says_why() {
    for (code, name, reason) in [
        (401, "statuses/unauthorized-401.json", "Unauthorized"),
        (403, "statuses/forbidden-403.json", "Forbidden"),
        (404, "statuses/not-found-404.json", "NotFound"),
        (409, "statuses/conflict-409.json", "Conflict"),
        (409, "statuses/already-exists-409.json", "AlreadyExists"),
        (410, "statuses/gone-too-old-410.json", "Expired"),
        (422, "statuses/invalid-causes-422.json", "Invalid"),
        (500, "statuses/server-timeout-retry-500.json", "ServerTimeout"),
    ] {
        let status = recorded_json(name);
        let refusal = refused(&get(), json(code, &status));
        assert_eq!((refusal.code.as_u16(), refusal.reason()), (code, reason), "{name}");
        assert_eq!(serde_json::to_value(&refusal.status).unwrap(), status, "{name}");
        let message = status["message"].as_str().unwrap();
        assert_eq!(refusal.message(), message, "{name}");
        assert!(
            refusal.to_string().starts_with(&format!("the server responded with {code} ")),
            "{refusal}"
        );
        assert!(message.starts_with(refusal.to_string().split_once(": ").unwrap().1), "{refusal}");
        let error = Error::Api(Box::new(refusal));
        let is = (
            error.is_not_found(),
            error.is_conflict() || error.is_already_exists(),
            error.is_gone(),
        );
        assert_eq!(is, (code == 404, code == 409, code == 410), "{name}");
    }
}

#[test]
fn a_server_says_when_to_try_again() {
    let wait = |reply| refused(&get(), reply).retry_after.map(|wait| wait.as_secs());
    // A server that has too much to do does not find the time for a status.
    let busy =
        || text(429, "text/plain; charset=utf-8", "Too many requests, please try again later.\n");
    assert_eq!(wait(with("retry-after", "1", busy())), Some(1));
    assert_eq!(wait(busy()), None);
    assert_eq!(wait(with("retry-after", "Wed, 21 Oct 2026 07:28:00 GMT", busy())), None);
    let status = recorded_json("statuses/too-many-requests-429.json");
    assert_eq!(wait(json(429, &status)), Some(10));
    assert_eq!(wait(with("retry-after", "12", json(429, &status))), Some(12));
    assert_eq!(wait(with("retry-after", "120", text(503, "text/html", ""))), Some(120));
}

#[test]
fn an_eviction_is_refused_for_a_budget() {
    let eviction =
        pods::create_eviction("shop", "cart-7", &Eviction::default(), &CreateParams::default())
            .unwrap();
    let status = recorded_json("statuses/too-many-requests-429.json");
    let refusal = refused(&eviction, with("retry-after", "10", json(429, &status)));
    assert_eq!(refusal.retry_after, Some(Duration::from_secs(10)));
    let causes = refusal.status.unwrap().details.unwrap().causes.unwrap();
    assert_eq!(causes[0].reason.as_deref(), Some("DisruptionBudget"));
}

#[test]
fn what_stands_in_between_answers_with_anything() {
    let page = "<html>\n<head><title>502 Bad Gateway</title></head>\n<body>nginx</body>\n</html>\n";
    let refusal = refused(&get(), text(502, "text/html", page));
    assert_eq!((refusal.code.as_u16(), refusal.text.as_str(), refusal.reason()), (502, page, ""));
    assert!(refusal.status.is_none());
    let missing = refused(&get(), text(404, "text/plain; charset=utf-8", "404 page not found\n"));
    assert_eq!(missing.to_string(), "the server responded with 404 Not Found: 404 page not found");
    let login = with("location", "/login", text(302, "text/html", ""));
    assert_eq!(refused(&get(), login).to_string(), "the server responded with 302 Found");
    let half = refused(&get(), text(500, "application/json", r#"{"kind":"Status","mess"#));
    assert_eq!(half.text, r#"{"kind":"Status","mess"#);
    let other = refused(&get(), json(403, &json!({"error": "denied by policy"})));
    assert_eq!((other.status, other.text.trim()), (None, r#"{"error":"denied by policy"}"#));
}

/// The server responds with 200, but the body is no pod.
#[test]
fn success_is_not_taken_on_trust() {
    let message = |reply| match send(&get(), reply) {
        Err(Failure::Api(error @ Error::Decode { .. })) => error.to_string(),
        other => panic!("read: {:?}", other.map(|response| response.body)),
    };
    let page = message(text(200, "text/html", "<html>Please log in</html>"));
    assert!(
        page.starts_with(
            "the response (200 OK) cannot be decoded: expected an object (Pod), found `<` at line \
             1 column 1"
        ),
        "{page}"
    );
    let nothing = message(text(200, "application/json", ""));
    assert_eq!(
        nothing,
        "the response (200 OK) cannot be decoded: the body is empty, expected a Pod"
    );
    let half = message(text(
        200,
        "application/json",
        r#"{"kind":"Pod","apiVersion":"v1","metadata":{"na"#,
    ));
    assert!(half.contains("at the end of a string, found the end of the text"), "{half}");
    let lease = message(json(200, &recorded_json("leases/leader-election.json")));
    assert!(lease.contains("Lease") && lease.contains("Pod"), "{lease}");
    let image: Value = json!({"kind": "Pod", "apiVersion": "v1", "spec": {"containers": [{"name": "a", "image": 3}]}});
    let image = message(json(200, &image));
    assert!(image.contains("spec.containers[0].image: expected a string, found 3"), "{image}");
}

#[test]
fn a_connection_that_breaks_is_the_transports_business() {
    let (reply, tap) = stream();
    tap.send(r#"{"kind":"Pod","apiVer"#);
    tap.break_off();
    assert!(matches!(send(&get(), reply), Err(Failure::Transport(_))));
}

#[test]
fn warnings_come_with_the_answer() {
    let pod = json!({"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "cart-7"}});
    let reply = with("warning", r#"299 - "unknown field \"spec.x\"""#, json(201, &pod));
    let reply = with("warning", r#"299 - "spec.nodeName: deprecated""#, reply);
    let body = Pod::default();
    let request =
        pods::create("shop", &body, &CreateParams::default().field_validation("Warn")).unwrap();
    let response = send(&request, reply).unwrap();
    assert_eq!(
        (response.status.as_u16(), response.body.metadata.name.as_deref()),
        (201, Some("cart-7"))
    );
    let texts = response.warnings.iter().map(|warning| warning.text.as_str()).collect::<Vec<_>>();
    assert_eq!(texts, [r#"unknown field "spec.x""#, "spec.nodeName: deprecated"]);
}

#[test]
fn logs_are_bytes() {
    let log = pods::get_log("shop", "cart-7", &pods::LogParams::default().tail_lines(2)).unwrap();
    let text = |reply| send(&log, reply).unwrap();
    let lines = text(text_reply(200, b"one\r\nna\xc3\xafve \xff\n")).body;
    assert_eq!(lines.lines().collect::<Vec<_>>(), [&b"one"[..], b"na\xc3\xafve \xff"]);
    assert_eq!(lines.to_str_lossy(), "one\r\nnaïve \u{fffd}\n");
    // A pod that no node runs yet has no log; servers respond so.
    let none = text(text_reply(204, b""));
    assert_eq!((none.status.as_u16(), none.body.lines().count()), (204, 0));
    let waiting = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 400,
        "message": "container \"cart\" in pod \"cart-7\" is waiting to start: ContainerCreating", "reason": "BadRequest"});
    let refusal = refused(&log, json(400, &waiting));
    assert_eq!(refusal.reason(), "BadRequest");
}

fn text_reply(status: u16, body: &[u8]) -> Reply {
    text(status, "text/plain", body)
}

#[test]
fn a_list_comes_in_pages() {
    let server = Server::start();
    let cluster = Cluster::new(&format!("{}/k8s/clusters/c-1", server.url));
    let page = |name: &str, token: Option<&str>| {
        let metadata = json!({"resourceVersion": "900", "continue": token.unwrap_or("")});
        json(
            200,
            &json!({"kind": "PodList", "apiVersion": "v1", "metadata": metadata,
            "items": [{"metadata": {"name": name}, "spec": {"containers": []}}]}),
        )
    };
    server.will(page("cart-0", Some("p2/+=")));
    server.will(json(410, &recorded_json("statuses/expired-continue-410.json")));
    server.will(page("cart-1", Some("p3")));
    server.will(page("till-0", None));

    let params = ListParams::default().limit(1).resource_version("0").label_selector("app");
    let mut next = Some(pods::list("shop", &params).unwrap());
    let mut names = Vec::new();
    while let Some(request) = next {
        next = match cluster.send(&request) {
            Ok(page) => {
                names.extend(page.body.items.iter().filter_map(|pod| pod.metadata.name.clone()));
                request.next_page(&page.body).unwrap()
            }
            Err(failure) => request.resume(failure.api().unwrap()).unwrap(),
        };
    }
    assert_eq!(names, ["cart-0", "cart-1", "till-0"]);
    let list = "GET /k8s/clusters/c-1/api/v1/namespaces/shop/pods?labelSelector=app&limit=1";
    let token = recorded_json("statuses/expired-continue-410.json")["metadata"]["continue"].clone();
    assert_eq!(
        server.lines(),
        [
            format!("{list}&resourceVersion=0"),
            format!("{list}&continue=p2%2F%2B%3D"),
            format!("{list}&continue={}", token.as_str().unwrap()),
            format!("{list}&continue=p3"),
        ]
    );
}

#[test]
fn an_expired_version_offers_no_place_to_go_on() {
    let list = pods::list("shop", &ListParams::default().limit(1)).unwrap();
    let gone = Error::Api(Box::new(refused(
        &list,
        text(410, "application/json", recorded("statuses/gone-too-old-410.json")),
    )));
    assert!(gone.is_gone());
    assert!(list.resume(&gone).unwrap().is_none());
}
