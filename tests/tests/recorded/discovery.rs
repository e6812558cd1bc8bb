//! Discovery, in both forms: the recorded bytes of a server, the fake, and servers with faults.

use crate::recorded::discovery_documents;
use kapigen_fake::{ReplyBody, Server};
use openshift_api::discovery::{Discovered, Discovery, Mapper};
use openshift_api::jiff::Timestamp;
use openshift_api::machine::{Failure, FailureKind};
use openshift_api::{Input, Machine, Step, http};
use serde_json::{Value, json};
use std::time::Duration;

/// Drives a machine to its end. Returns its outcome, and the paths of its requests.
fn run(
    mut respond: impl FnMut(&http::Request<Vec<u8>>) -> (u16, Vec<u8>),
) -> (Result<Mapper, Failure>, Vec<String>) {
    let mut machine = Discovery::new();
    let mut response = None;
    let mut paths = Vec::new();
    let mut now = Duration::ZERO;
    loop {
        match machine.poll(now) {
            Step::Event(outcome) => {
                assert!(matches!(machine.poll(now), Step::Done));
                return (outcome, paths);
            }
            Step::Send(request) => {
                paths.push(request.uri().to_string());
                response = Some(respond(&request));
            }
            Step::Receive { .. } => {
                let (status, body) = response.take().expect("one response for each request");
                let mut headers = http::HeaderMap::new();
                headers.insert("content-type", http::HeaderValue::from_static("application/json"));
                let status = http::StatusCode::from_u16(status).unwrap();
                for input in [Input::Head(status, &headers), Input::Bytes(&body), Input::End] {
                    machine.feed(input, now);
                }
            }
            Step::Wait { until } => {
                assert!(until > now && until < now + Duration::from_secs(5), "{until:?}");
                now = until;
            }
            Step::Done => panic!("discovery ends with an outcome"),
        }
    }
}

/// The outcome for a server with these documents, by path.
fn of(documents: &[(&str, Value)]) -> (Result<Mapper, Failure>, Vec<String>) {
    run(|request| match documents.iter().find(|(path, _)| *path == request.uri().path()) {
        Some((_, document)) => (200, document.to_string().into_bytes()),
        None => (404, b"404 page not found".to_vec()),
    })
}

fn name(found: &Discovered) -> String {
    format!("{} {}", found.resource.plural(), found.resource.api_version())
}

fn found(mapper: &Mapper, wanted: &str) -> String {
    mapper.resource(wanted).map_or_else(|error| error.to_string(), name)
}

/// The resources of the recorded discovery documents.
fn recorded() -> Mapper {
    let documents = discovery_documents("as=APIGroupDiscoveryList");
    let (mapper, paths) = run(|request| match documents.get(request.uri().path()) {
        Some(body) => (200, body.clone()),
        None => (404, Vec::new()),
    });
    assert_eq!(paths, ["/api", "/apis"]);
    mapper.unwrap()
}

#[test]
fn names_are_found_as_kubectl_finds_them() {
    let mapper = recorded();
    for (wanted, expected) in [
        ("pods", "pods v1"),
        ("po", "pods v1"),
        ("pod", "pods v1"),
        ("Pod", "pods v1"),
        ("PODS", "pods v1"),
        ("pods.v1", "the server has no resource `pods.v1`: did you mean `pods`?"),
        ("pods.v1.", "pods v1"),
        ("deploy", "deployments apps/v1"),
        ("Deployment", "deployments apps/v1"),
        ("deployments.apps", "deployments apps/v1"),
        ("deploy.apps", "deployments apps/v1"),
        ("Deployment.v1.apps", "deployments apps/v1"),
        ("deployments.app", "deployments apps/v1"),
        // Of two groups the one that comes first, of two versions the one that the server prefers.
        ("events", "events v1"),
        ("ev", "events v1"),
        ("events.events.k8s.io", "events events.k8s.io/v1"),
        ("hpa", "horizontalpodautoscalers autoscaling/v2"),
        ("hpa.v1.autoscaling", "horizontalpodautoscalers autoscaling/v1"),
        ("horizontalpodautoscalers.v1.autoscaling", "horizontalpodautoscalers autoscaling/v1"),
        ("boats", "boats wire.example.com/v1"),
        ("Boat.wire.example.com", "boats wire.example.com/v1"),
        ("pods.apps", "the server has no resource `pods.apps`: did you mean `pods`?"),
        (
            "deployments.v2.apps",
            "the server has no resource `deployments.v2.apps`: did you mean `deployments`?",
        ),
        ("", "the server has no resource ``"),
        ("pods/status", "the server has no resource `pods/status`"),
    ] {
        assert_eq!(found(&mapper, wanted), expected, "{wanted}");
    }
    let boats = mapper.resource("boats").unwrap();
    assert!(
        boats.resource.is_namespaced() && boats.subresources.iter().any(|name| name == "scale")
    );
    let all: Vec<String> = mapper.category("all").into_iter().map(name).collect();
    assert!(all.contains(&"horizontalpodautoscalers autoscaling/v2".to_owned()), "{all:?}");
    assert!(!all.contains(&"horizontalpodautoscalers autoscaling/v1".to_owned()), "{all:?}");
    assert!(mapper.category("none").is_empty());
}

#[test]
fn kinds_are_found_by_what_objects_state() {
    let mapper = recorded();
    assert_eq!(name(mapper.kind("apps/v1", "Deployment").unwrap()), "deployments apps/v1");
    assert_eq!(name(mapper.kind("v1", "Namespace").unwrap()), "namespaces v1");
    let error = |api_version, kind| mapper.kind(api_version, kind).unwrap_err().to_string();
    assert_eq!(
        error("extensions/v1beta1", "Deployment"),
        "the server has no resource `Deployment of extensions/v1beta1`: did you mean `Deployment \
         of apps/v1`?"
    );
    assert_eq!(
        error("apps/v1", "Deploymnt"),
        "the server has no resource `Deploymnt of apps/v1`: did you mean `Deployment`?"
    );
    assert_eq!(
        error("example.com/v1", "Star"),
        "the server has no resource `Star of example.com/v1`"
    );
}

#[test]
fn older_servers_are_asked_for_each_group_and_version() {
    let mut documents = discovery_documents("application/json");
    documents.insert(
        "/api".to_owned(),
        json!({"kind": "APIVersions", "versions": ["v1"]}).to_string().into(),
    );
    let (mapper, paths) = run(|request| match documents.get(request.uri().path()) {
        Some(body) => (200, body.clone()),
        None => (404, Vec::new()),
    });
    let mapper = mapper.unwrap();
    assert_eq!(paths[..3], ["/api", "/apis", "/api/v1"]);
    let autoscaling: Vec<_> = paths.iter().filter(|path| path.contains("/autoscaling/")).collect();
    assert_eq!(
        autoscaling,
        ["/apis/autoscaling/v2", "/apis/autoscaling/v1"],
        "the preferred one first"
    );
    // The only one that is recorded.
    let boats = mapper.resource("boats").unwrap();
    assert_eq!(boats.subresources, ["status", "scale"]);
    assert_eq!(mapper.resources(), std::slice::from_ref(boats));
    assert_eq!(mapper.unavailable().count(), paths.len() - 3);
    let error = mapper.resource("pods").unwrap_err();
    assert!(
        error.unavailable.contains(&"v1".to_owned())
            && error.to_string().contains("not available now: ")
    );
}

#[test]
fn both_forms_of_a_server_are_the_same() {
    let server = Server::new(&[openshift_api::DOCUMENTS]);
    let respond = |request: http::Request<Vec<u8>>| {
        let response = server.handle(request, Timestamp::UNIX_EPOCH).response;
        let status = response.status().as_u16();
        match response.into_body() {
            ReplyBody::Whole(body) => (status, body.to_vec()),
            body @ ReplyBody::Stream(_) => panic!("discovery is not a stream: {body:?}"),
        }
    };
    let (aggregated, paths) = run(|request| respond(request.clone()));
    assert_eq!(paths.len(), 2, "{paths:?}");
    let (listed, paths) = run(|request| {
        let mut request = request.clone();
        request.headers_mut().insert("accept", http::HeaderValue::from_static("application/json"));
        respond(request)
    });
    assert!(paths.len() > 4, "{paths:?}");
    let aggregated = aggregated.unwrap();
    let listed = listed.unwrap();
    assert_eq!(aggregated, listed);
    assert_eq!(found(&aggregated, "po"), "pods v1");
    assert_eq!(found(&aggregated, "leases.coordination.k8s.io"), "leases coordination.k8s.io/v1");
}

#[test]
fn only_resources_of_other_groups_survive_a_missing_one() {
    let groups = |names: &[&str]| {
        let group = |name: &&str| json!({"name": name, "versions": [{"groupVersion": format!("{name}/v1"), "version": "v1"}]});
        json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": names.iter().map(group).collect::<Vec<_>>()})
    };
    let stars = json!({"kind": "APIResourceList", "groupVersion": "a.example.com/v1", "resources": [
        {"name": "stars", "singularName": "", "namespaced": false, "kind": "Star", "verbs": ["get"]}
    ]});
    let hostile = ["a.example.com", "b.example.com", "..", "c/../..", "d?watch=1", "e f"];
    let (mapper, paths) =
        of(&[("/apis", groups(&hostile)), ("/apis/a.example.com/v1", stars.clone())]);
    let mapper = mapper.unwrap();
    assert_eq!(paths, ["/api", "/apis", "/apis/a.example.com/v1", "/apis/b.example.com/v1"]);
    assert_eq!(
        found(&mapper, "star"),
        "stars a.example.com/v1",
        "a server that states no singular name"
    );
    assert_eq!(mapper.unavailable().count(), 5);
    // The resources of another version than that which was asked for.
    let (mapper, _) =
        of(&[("/apis", groups(&["b.example.com"])), ("/apis/b.example.com/v1", stars)]);
    let failure = mapper.unwrap_err().to_string();
    assert!(
        failure.ends_with("groupVersion: expected `b.example.com/v1`, found `a.example.com/v1`"),
        "{failure}"
    );
}

/// A group is unavailable when its server is, and not when the client may not read it or reads too
/// much.
#[test]
fn refusals_of_the_client_make_no_group_unavailable() {
    let group = json!({"name": "a.example.com", "versions": [{"groupVersion": "a.example.com/v1", "version": "v1"}]});
    let groups = json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": [group]}).to_string();
    let stars =
        json!({"kind": "APIResourceList", "groupVersion": "a.example.com/v1", "resources": []})
            .to_string();
    // The responses for the group. The last one is repeated.
    let discover = |responses: &[u16]| {
        let mut responses = responses.iter();
        let mut last = 404;
        run(|request| match request.uri().path() {
            "/apis" => (200, groups.clone().into_bytes()),
            "/apis/a.example.com/v1" => {
                last = responses.next().copied().unwrap_or(last);
                (last, if last == 200 { stars.clone().into_bytes() } else { Vec::new() })
            }
            _ => (404, Vec::new()),
        })
    };
    for code in [401, 403, 429] {
        let failure = discover(&[code]).0.unwrap_err();
        assert!(
            matches!(&failure.kind, FailureKind::Api(error) if error.code.as_u16() == code),
            "{failure}"
        );
    }
    assert_eq!(discover(&[429, 429, 200]).0.unwrap().unavailable().count(), 0);
    // After `/api` and `/apis`, a temporary failure is retried four times.
    for (code, requests) in [(404, 1), (500, 1), (502, 5), (503, 5), (504, 5)] {
        let (mapper, paths) = discover(&[code]);
        assert_eq!(
            (mapper.unwrap().unavailable().count(), paths.len() - 2),
            (1, requests),
            "{code}"
        );
    }
    assert_eq!(
        discover(&[503, 200]).0.unwrap().unavailable().count(),
        0,
        "it was unavailable for a moment"
    );
}

#[test]
fn what_is_no_discovery_is_no_server_without_resources() {
    for body in [json!({}), json!({"kind": "Status"}), json!({"items": []}), json!([])] {
        for path in ["/api", "/apis"] {
            let (outcome, _) = of(&[(path, body.clone())]);
            assert!(
                matches!(outcome, Err(Failure { kind: FailureKind::Decode(_), .. })),
                "{path} {body}"
            );
        }
    }
    let (outcome, paths) = run(|_| (403, Vec::new()));
    assert!(matches!(outcome, Err(Failure { kind: FailureKind::Api(_), .. })));
    assert_eq!(paths, ["/api"]);
    let (outcome, paths) = run(|_| (503, Vec::new()));
    assert!(matches!(outcome, Err(Failure { kind: FailureKind::Api(_), .. })));
    assert_eq!(paths, ["/api"; 5], "reads are repeated");
    let (outcome, _) = run(|_| (404, Vec::new()));
    assert!(outcome.unwrap().resources().is_empty());
    let stale = json!({"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": [
        {"metadata": {"name": "metrics.k8s.io"}, "versions": [{"version": "v1beta1", "freshness": "Stale"}]}
    ]});
    let mapper = of(&[("/apis", stale)]).0.unwrap();
    assert_eq!(mapper.unavailable().collect::<Vec<_>>(), ["metrics.k8s.io/v1beta1"]);
    let error = mapper.resource("nodes").unwrap_err().to_string();
    assert_eq!(
        error,
        "the server has no resource `nodes` (these are not available now: metrics.k8s.io/v1beta1)"
    );
}

/// A group of aggregated discovery: its versions, each with resources of a plural, a kind and a
/// short name.
fn group(name: &str, versions: &[(&str, &[[&str; 3]])]) -> Value {
    let resource = |[plural, kind, short]: &[&str; 3]| {
        json!({"resource": plural, "responseKind": {"group": "", "version": "", "kind": kind}, "scope": "Cluster",
            "singularResource": kind.to_lowercase(), "shortNames": [short], "categories": ["all"], "verbs": ["list"]})
    };
    let version = |(version, resources): &(&str, &[[&str; 3]])| json!({"version": version, "resources": resources.iter().map(resource).collect::<Vec<_>>()});
    json!({"metadata": {"name": name}, "versions": versions.iter().map(version).collect::<Vec<_>>()})
}

fn groups(version: &str, items: &[Value]) -> Value {
    json!({"kind": "APIGroupDiscoveryList", "apiVersion": format!("apidiscovery.k8s.io/{version}"), "items": items})
}

#[test]
fn the_form_of_servers_before_1_30_is_the_same() {
    let items = [group("example.com", &[("v1", &[["stars", "Star", "st"]])])];
    let of_version = |version: &str| of(&[("/apis", groups(version, &items))]);
    let (beta, paths) = of_version("v2beta1");
    assert_eq!(
        (beta.unwrap(), &paths[..]),
        (of_version("v2").0.unwrap(), &["/api".to_owned(), "/apis".to_owned()][..])
    );
    let failure = of_version("v3").0.unwrap_err().to_string();
    assert!(
        failure.starts_with("GET /apis: ") && failure.contains("apidiscovery.k8s.io/v3"),
        "{failure}"
    );
    let mut accepted = String::new();
    let _ = run(|request| {
        request.headers()["accept"].to_str().unwrap().clone_into(&mut accepted);
        (404, Vec::new())
    });
    let forms: Vec<&str> = accepted.split(',').collect();
    assert!(
        forms.len() == 3 && forms[0].contains(";v=v2;") && forms[1].contains(";v=v2beta1;"),
        "{accepted}"
    );
    assert_eq!(forms[2], "application/json");
}

#[test]
fn of_several_resources_with_a_name_the_preferred_one_is_found() {
    let items = [
        group(
            "a.example.com",
            &[
                ("v1", &[["stars", "Star", "s"]]),
                ("v1beta1", &[["stars", "Star", "s"], ["moons", "Moon", "m"]]),
            ],
        ),
        group(
            "b.example.com",
            &[
                ("v2", &[["suns", "Sun", "s"], ["s", "Letter", "l"]]),
                ("v1", &[["stars", "Star", "x"]]),
            ],
        ),
        group("b.example.com.org", &[("v1", &[["suns", "Sun", "y"]])]),
    ];
    let mapper = of(&[("/apis", groups("v2", &items))]).0.unwrap();
    for (wanted, expected) in [
        // The first group, and in it the first version that has it.
        ("stars", "stars a.example.com/v1"),
        ("moons", "moons a.example.com/v1beta1"),
        ("m", "moons a.example.com/v1beta1"),
        ("stars.b.example.com", "stars b.example.com/v1"),
        ("stars.v1beta1.a.example.com", "stars a.example.com/v1beta1"),
        // A full name comes before a short one, and a whole group before one that begins with it.
        ("s", "s b.example.com/v2"),
        ("s.a.example.com", "stars a.example.com/v1"),
        ("x", "stars b.example.com/v1"),
        ("suns", "suns b.example.com/v2"),
        ("suns.b.example.com", "suns b.example.com/v2"),
        ("suns.b.example.com.org", "suns b.example.com.org/v1"),
    ] {
        assert_eq!(found(&mapper, wanted), expected, "{wanted}");
    }
    let all: Vec<String> = mapper.category("all").into_iter().map(name).collect();
    let preferred = [
        "stars a.example.com/v1",
        "moons a.example.com/v1beta1",
        "suns b.example.com/v2",
        "s b.example.com/v2",
        "stars b.example.com/v1",
        "suns b.example.com.org/v1",
    ];
    assert_eq!(all, preferred);
}
