//! Definitions of custom resources: their names, and their end.

use crate::testing::{get, pod, request, send, server, time, types, whole, within};
use http::{Method, StatusCode};
use kapigen_fake::{Events, ReplyBody, Server};
use openshift_api::dynamic::Object;
use serde_json::{Value, json};

pub(crate) const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const GEARS_DEFINITION: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gears.a.io";
/// The finalizer that keeps a definition until its objects are gone.
const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";
const GEARS: &str = "/apis/a.io/v1/gears";

/// A server with the kind of definitions.
pub(crate) fn with_definitions() -> Server {
    let server = server();
    let kind = json!({"group": "apiextensions.k8s.io", "version": "v1", "kind": "CustomResourceDefinition"});
    let operation = json!({"x-kubernetes-group-version-kind": kind});
    let all = json!({"get": operation, "put": operation, "patch": operation, "delete": operation});
    let paths = json!({
        DEFINITIONS: {"get": operation, "post": operation},
        format!("{DEFINITIONS}/{{name}}"): all,
        format!("{DEFINITIONS}/{{name}}/status"): all,
    });
    server.add_document(&json!({"paths": paths}));
    server
}

pub(crate) fn definition(scope: &str) -> Value {
    let version = json!({"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object"}}});
    let names = json!({"plural": "gears", "kind": "Gear"});
    let spec = json!({"group": "a.io", "scope": scope, "names": names, "versions": [version]});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "gears.a.io"}, "spec": spec,
    })
}

/// A server with a definition that a client created.
fn with_definition() -> Server {
    let server = with_definitions();
    server.create(&definition("Cluster")).expect("a definition");
    server
}

fn gear(name: &str, finalizers: &[&str]) -> Value {
    json!({"apiVersion": "a.io/v1", "kind": "Gear", "metadata": {"name": name, "finalizers": finalizers}})
}

/// Removes all finalizers from an object.
fn release(server: &Server, path: &str) {
    let (_, mut object) = get(server, path);
    object["metadata"]["finalizers"] = json!([]);
    assert_eq!(send(server, Method::PUT, path, &object).0, StatusCode::OK, "{path}");
}

#[test]
fn definitions_end_with_their_last_object() {
    let server = with_definition();
    for object in [gear("free", &[]), gear("held", &["a.b/c"])] {
        server.create(&object).expect("a gear");
    }
    let (code, ending) = send(&server, Method::DELETE, GEARS_DEFINITION, &Value::Null);
    assert_eq!((code, &ending["kind"]), (StatusCode::OK, &json!("CustomResourceDefinition")));
    assert_eq!(ending["metadata"]["finalizers"], json!([CLEANUP]));
    let conditions = ending["status"]["conditions"].as_array().expect("conditions");
    assert!(
        conditions
            .iter()
            .any(|condition| condition["type"] == "Terminating" && condition["status"] == "True")
    );
    // A second delete changes nothing.
    let version = server.version();
    let (_, begun) = get(&server, GEARS_DEFINITION);
    assert_eq!(
        send(&server, Method::DELETE, GEARS_DEFINITION, &Value::Null),
        (StatusCode::OK, begun)
    );
    assert_eq!(server.version(), version);
    // It serves the remaining object, and refuses new ones.
    assert_eq!(get(&server, &format!("{GEARS}/free")).0, StatusCode::NOT_FOUND);
    let (code, held) = get(&server, &format!("{GEARS}/held"));
    assert!(code == StatusCode::OK && held["metadata"]["deletionTimestamp"].is_string());
    let (code, refusal) = send(&server, Method::POST, GEARS, &gear("late", &[]));
    let message = "gears.a.io \"late\" is forbidden: create not allowed while custom resource \
                   definition is terminating";
    assert_eq!((code, &refusal["message"]), (StatusCode::FORBIDDEN, &json!(message)));
    release(&server, &format!("{GEARS}/held"));
    for gone in [GEARS_DEFINITION, GEARS] {
        assert_eq!(get(&server, gone).0, StatusCode::NOT_FOUND, "{gone}");
    }
}

#[test]
fn applies_create_nothing_of_a_definition_that_ends() {
    let server = with_definition();
    server.create(&gear("held", &["a.b/c"])).expect("a gear");
    send(&server, Method::DELETE, GEARS_DEFINITION, &Value::Null);
    let apply = |name: &str, labels: &Value| {
        let request = http::Request::patch(format!("{GEARS}/{name}?fieldManager=m"));
        let body = json!({"apiVersion": "a.io/v1", "kind": "Gear", "metadata": {"name": name, "labels": labels}});
        let request = request
            .header("content-type", "application/apply-patch+yaml")
            .body(body.to_string().into_bytes());
        whole(server.handle(request.expect("a request"), time(0)))
    };
    let (code, refusal) = apply("late", &json!({}));
    assert_eq!((code, &refusal["reason"]), (StatusCode::FORBIDDEN, &json!("Forbidden")));
    // Admission comes after validation.
    assert_eq!(apply("late", &json!({"a": "-"})).0, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(apply("held", &json!({})).0, StatusCode::OK);
}

#[test]
fn definitions_without_objects_end_at_once() {
    let server = with_definition();
    server.create(&gear("free", &[])).expect("a gear");
    // A finalizer of someone else holds the definition longer than its objects do.
    let (_, mut definition) = get(&server, GEARS_DEFINITION);
    definition["metadata"]["finalizers"] = json!(["a.b/c"]);
    assert_eq!(send(&server, Method::PUT, GEARS_DEFINITION, &definition).0, StatusCode::OK);
    assert_eq!(send(&server, Method::DELETE, GEARS_DEFINITION, &Value::Null).0, StatusCode::OK);
    let (code, ending) = get(&server, GEARS_DEFINITION);
    assert_eq!((code, &ending["metadata"]["finalizers"]), (StatusCode::OK, &json!(["a.b/c"])));
    release(&server, GEARS_DEFINITION);
    for gone in [GEARS_DEFINITION, GEARS] {
        assert_eq!(get(&server, gone).0, StatusCode::NOT_FOUND, "{gone}");
    }
}

#[test]
fn definitions_have_the_name_of_their_resource() {
    let server = with_definitions();
    let mut other = definition("Cluster");
    other["metadata"]["name"] = json!("wheels.a.io");
    let (code, refusal) = send(&server, Method::POST, DEFINITIONS, &other);
    let message = "Invalid value: \"wheels.a.io\": must be spec.names.plural+\".\"+spec.group";
    let cause =
        json!({"reason": "FieldValueInvalid", "message": message, "field": "metadata.name"});
    assert_eq!(
        (code, &refusal["details"]["causes"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!([cause]))
    );
    let (code, stored) = send(&server, Method::POST, DEFINITIONS, &definition("Cluster"));
    assert_eq!(code, StatusCode::CREATED, "{stored}");
    // The server accepts its names right after that.
    let (_, stored) = get(&server, GEARS_DEFINITION);
    for (pointer, value, fields) in [
        ("/spec/names/plural", json!("wheels"), json!(["spec.names.plural"])),
        ("/spec/group", json!("b.io"), json!(["spec.group"])),
    ] {
        let mut changed = stored.clone();
        *changed.pointer_mut(pointer).expect("a member") = value;
        let (code, refusal) = send(&server, Method::PUT, GEARS_DEFINITION, &changed);
        let causes = refusal["details"]["causes"].as_array().expect("causes");
        let found: Value = causes.iter().map(|cause| cause["field"].clone()).collect();
        assert_eq!((code, found), (StatusCode::UNPROCESSABLE_ENTITY, fields), "{pointer}");
    }
    assert_eq!(get(&server, GEARS).0, StatusCode::OK);
    assert_eq!(send(&server, Method::DELETE, GEARS_DEFINITION, &Value::Null).0, StatusCode::OK);
    for gone in [GEARS_DEFINITION, GEARS] {
        assert_eq!(get(&server, gone).0, StatusCode::NOT_FOUND, "{gone}");
    }
}

/// Visiting all objects for each removed one would take minutes.
#[test]
fn definitions_with_many_objects_end_quickly() {
    let server = with_definition();
    let count = 1_000;
    for index in 0..count {
        server.create(&gear(&format!("gear-{index}"), &["a.b/c"])).expect("a gear");
    }
    assert_eq!(send(&server, Method::DELETE, GEARS_DEFINITION, &Value::Null).0, StatusCode::OK);
    for index in 0..count {
        assert_eq!(get(&server, GEARS_DEFINITION).0, StatusCode::OK);
        release(&server, &format!("{GEARS}/gear-{index}"));
    }
    assert_eq!(get(&server, GEARS_DEFINITION).0, StatusCode::NOT_FOUND);
}

fn watch_gears(server: &Server) -> Events {
    let reply =
        server.handle(request(Method::GET, &format!("{GEARS}?watch=true"), &Value::Null), time(0));
    let ReplyBody::Stream(events) = reply.response.into_body() else { panic!("no stream") };
    *events
}

#[test]
fn watches_end_after_the_last_object_of_a_definition() {
    let server = with_definition();
    for object in [gear("free", &[]), gear("held", &["a.b/c"])] {
        server.create(&object).expect("a gear");
    }
    let mut events = watch_gears(&server);
    assert_eq!(types(&mut events, time(0)), (vec!["ADDED".to_owned(); 2], false));
    send(&server, Method::DELETE, GEARS_DEFINITION, &Value::Null);
    assert_eq!(
        types(&mut events, time(0)),
        (["DELETED", "MODIFIED"].map(str::to_owned).to_vec(), false)
    );
    release(&server, &format!("{GEARS}/held"));
    assert_eq!(types(&mut events, time(0)), (vec!["DELETED".to_owned()], true));
}

#[test]
fn dry_runs_show_the_end_of_a_definition() {
    let server = with_definition();
    server.create(&gear("a", &[])).expect("a gear");
    let (before, (_, live)) = (server.version(), get(&server, GEARS_DEFINITION));
    let (code, ending) =
        send(&server, Method::DELETE, &format!("{GEARS_DEFINITION}?dryRun=All"), &Value::Null);
    assert!(
        code == StatusCode::OK && ending["metadata"]["deletionTimestamp"].is_string(),
        "{ending}"
    );
    assert_eq!(ending["metadata"]["finalizers"], json!([CLEANUP]));
    assert_eq!(
        (server.version(), get(&server, GEARS_DEFINITION)),
        (before, (StatusCode::OK, live))
    );
    assert_eq!(get(&server, &format!("{GEARS}/a")).0, StatusCode::OK);
}

#[test]
fn definitions_wait_for_objects_of_all_namespaces() {
    let server = with_definitions();
    server.create(&definition("Namespaced")).expect("a definition");
    let namespaces = ["first", "second"];
    for namespace in namespaces {
        server.create(&within(namespace, gear("free", &[]))).expect("a gear");
        server.create(&within(namespace, gear("held", &["a.b/c"]))).expect("a gear");
    }
    send(&server, Method::DELETE, GEARS_DEFINITION, &Value::Null);
    for namespace in namespaces {
        assert_eq!(get(&server, GEARS_DEFINITION).0, StatusCode::OK);
        let path = format!("/apis/a.io/v1/namespaces/{namespace}/gears");
        let (_, left) = get(&server, &path);
        assert_eq!(left["items"].as_array().map(Vec::len), Some(1), "{left}");
        release(&server, &format!("{path}/held"));
    }
    assert_eq!(get(&server, GEARS_DEFINITION).0, StatusCode::NOT_FOUND);
}

fn definition_as_owner(name: &str, uid: &Value) -> Value {
    let version = "apiextensions.k8s.io/v1";
    let kind = "CustomResourceDefinition";
    json!({"apiVersion": version, "kind": kind, "name": name, "uid": uid})
}

/// An object with an owner that does not exist.
fn abandoned(mut object: Value) -> Value {
    object["metadata"]["ownerReferences"] =
        json!([definition_as_owner("gone.a.io", &json!("gone"))]);
    object
}

#[test]
fn garbage_definitions_wait_for_their_objects() {
    let server = with_definitions();
    server.create(&abandoned(definition("Cluster"))).expect("a definition");
    for object in [gear("free", &[]), gear("held", &["a.b/c"])] {
        server.create(&object).expect("a gear");
    }
    server.collect_garbage();
    let (code, ending) = get(&server, GEARS_DEFINITION);
    assert_eq!((code, &ending["metadata"]["finalizers"]), (StatusCode::OK, &json!([CLEANUP])));
    assert_eq!(get(&server, &format!("{GEARS}/free")).0, StatusCode::NOT_FOUND);
    let (code, held) = get(&server, &format!("{GEARS}/held"));
    assert!(code == StatusCode::OK && held["metadata"]["deletionTimestamp"].is_string(), "{held}");
    release(&server, &format!("{GEARS}/held"));
    assert_eq!(get(&server, GEARS_DEFINITION).0, StatusCode::NOT_FOUND);
    // A definition without objects is removed at once, together with its dependents.
    let owner = server.create(&abandoned(definition("Cluster"))).expect("a definition");
    let mut dependent = pod("owned");
    let uid = &owner["metadata"]["uid"];
    dependent["metadata"]["ownerReferences"] = json!([definition_as_owner("gears.a.io", uid)]);
    server.create(&dependent).expect("a pod");
    server.collect_garbage();
    assert_eq!(get(&server, GEARS_DEFINITION).0, StatusCode::NOT_FOUND);
    assert!(server.get_json("v1", "Pod", "default", "owned").is_none());
}

#[test]
fn foreground_deletion_of_a_definition_waits_for_its_objects() {
    let server = with_definitions();
    let mut object = definition("Cluster");
    object["metadata"]["finalizers"] = json!(["foregroundDeletion"]);
    server.create(&object).expect("a definition");
    server.create(&gear("held", &["a.b/c"])).expect("a gear");
    send(&server, Method::DELETE, GEARS_DEFINITION, &Value::Null);
    server.collect_garbage();
    assert_eq!(get(&server, GEARS_DEFINITION).1["metadata"]["finalizers"], json!([CLEANUP]));
    release(&server, &format!("{GEARS}/held"));
    assert_eq!(get(&server, GEARS_DEFINITION).0, StatusCode::NOT_FOUND);
}

/// Servers intend to keep the metadata, but copy the new metadata onto itself.
#[test]
fn writes_to_the_status_of_a_definition_change_its_metadata() {
    let server = with_definition();
    let (_, mut definition) = get(&server, GEARS_DEFINITION);
    definition["metadata"]["labels"] = json!({"a": "b"});
    let (code, stored) =
        send(&server, Method::PUT, &format!("{GEARS_DEFINITION}/status"), &definition);
    assert_eq!((code, &stored["metadata"]["labels"]), (StatusCode::OK, &json!({"a": "b"})));
}

#[test]
fn deletes_of_all_kinds_raise_the_generation() {
    let server = with_definition();
    for object in [
        gear("direct", &["a.b/c"]),
        gear("defined", &["a.b/c"]),
        abandoned(gear("abandoned", &["a.b/c"])),
    ] {
        let created = server.create(&object).expect("a gear");
        assert_eq!(created["metadata"]["generation"], 1);
    }
    let generation =
        |name: &str| get(&server, &format!("{GEARS}/{name}")).1["metadata"]["generation"].clone();
    send(&server, Method::DELETE, &format!("{GEARS}/direct"), &Value::Null);
    assert_eq!(["direct", "defined", "abandoned"].map(generation), [2, 1, 1]);
    server.collect_garbage();
    assert_eq!(["direct", "defined", "abandoned"].map(generation), [2, 1, 2]);
    send(&server, Method::DELETE, GEARS_DEFINITION, &Value::Null);
    assert_eq!(["direct", "defined", "abandoned"].map(generation), [2, 2, 2]);
}

/// A definition with two versions. The first one is the storage version.
fn of_two_versions(conversion: &Value) -> Value {
    let version = |name: &str, member: &str, is_stored: bool| {
        let spec = json!({"type": "object", "properties": {"size": {"type": "integer"}, member: {"type": "string", "default": name}}});
        let schema = json!({"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}});
        json!({"name": name, "served": true, "storage": is_stored, "schema": schema})
    };
    json!({"spec": {
        "group": "two.example.com", "scope": "Cluster", "names": {"plural": "things", "kind": "Thing"},
        "conversion": conversion, "versions": [version("v1", "old", true), version("v2", "new", false)],
    }})
}

fn thing(version: &str) -> Value {
    let spec = json!({"size": 1});
    json!({"apiVersion": format!("two.example.com/{version}"), "kind": "Thing", "metadata": {"name": version}, "spec": spec})
}

#[test]
fn each_version_shows_all_objects_as_its_own() {
    let server = server();
    server.add_definition(&of_two_versions(&json!({"strategy": "None"}))).expect("a definition");
    for version in ["v1", "v2"] {
        server.create(&thing(version)).expect("a thing");
    }
    let path = |version: &str| format!("/apis/two.example.com/{version}/things");
    for (version, spec) in
        [("v1", json!({"old": "v1", "size": 1})), ("v2", json!({"new": "v2", "size": 1}))]
    {
        let (_, list) = get(&server, &path(version));
        for item in list["items"].as_array().expect("items") {
            assert_eq!(item["apiVersion"], format!("two.example.com/{version}"));
            assert_eq!(item["spec"], spec);
            let name = item["metadata"]["name"].as_str().expect("a name");
            assert_eq!(get(&server, &format!("{}/{name}", path(version))).1, *item);
        }
    }
    let mut other = get(&server, &format!("{}/v1", path("v2"))).1;
    other["spec"]["size"] = json!(2);
    let (code, changed) = send(&server, Method::PUT, &format!("{}/v1", path("v2")), &other);
    assert_eq!((code, &changed["spec"]["size"]), (StatusCode::OK, &json!(2)));
}

/// A definition with two versions and an unreachable conversion webhook.
fn converted_by_webhook() -> Value {
    let service = json!({"name": "hook", "namespace": "team", "path": "/convert"});
    let webhook = json!({"clientConfig": {"service": service}, "conversionReviewVersions": ["v1"]});
    of_two_versions(&json!({"strategy": "Webhook", "webhook": webhook}))
}

#[test]
fn a_webhook_converts_what_an_apply_creates() {
    let server = server();
    server.add_definition(&converted_by_webhook()).expect("a definition");
    let apply = |name: &str, part: &str| {
        let mut config = thing("v2");
        config["metadata"]["name"] = json!(name);
        let path = format!("/apis/two.example.com/v2/things/{name}{part}?fieldManager=m");
        let request =
            http::Request::patch(path).header("content-type", "application/apply-patch+yaml");
        whole(server.handle(request.body(config.to_string()).expect("a request"), time(0)))
    };
    let (code, refusal) = apply("a", "");
    let failed = |version: &str| {
        format!(
            "conversion webhook for two.example.com/{version}, Kind=Thing failed: \
            Post \"https://hook.team.svc:443/convert?timeout=30s\": service \"hook\" not found"
        )
    };
    assert_eq!(
        (code, &refusal["message"]),
        (StatusCode::INTERNAL_SERVER_ERROR, &json!(failed("v2")))
    );
    server.create(&thing("v1")).expect("a thing");
    assert_eq!(apply("v1", "").1["message"], failed("v1"));
    // Absent and invalid objects need no conversion.
    assert_eq!(apply("a", "/status").0, StatusCode::NOT_FOUND);
    let mut invalid = thing("v2");
    invalid["spec"]["size"] = json!("x");
    let (code, _) = send(&server, Method::POST, "/apis/two.example.com/v2/things", &invalid);
    assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        server
            .create(&thing("v2"))
            .map(drop)
            .map_err(|error| error.to_string().contains(&failed("v2"))),
        Err(true)
    );
}

#[test]
fn a_webhook_converts_the_objects_of_the_namespace() {
    let server = server();
    let mut definition = converted_by_webhook();
    definition["spec"]["scope"] = json!("Namespaced");
    server.add_definition(&definition).expect("a definition");
    server.create(&thing("v1")).expect("a thing");
    let list =
        |namespace: &str| get(&server, &format!("/apis/two.example.com/v2/{namespace}things")).0;
    assert_eq!(list("namespaces/default/"), StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(list(""), StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(list("namespaces/other/"), StatusCode::OK);
}

#[test]
fn a_webhook_that_is_not_there_converts_nothing() {
    let server = server();
    server.add_definition(&converted_by_webhook()).expect("a definition");
    assert_eq!(get(&server, "/apis/two.example.com/v2/things").0, StatusCode::OK);
    server.create(&thing("v1")).expect("a thing");
    let (code, refusal) = get(&server, "/apis/two.example.com/v2/things/v1");
    assert_eq!(code, StatusCode::INTERNAL_SERVER_ERROR);
    let expected = "conversion webhook for two.example.com/v1, Kind=Thing failed: \
        Post \"https://hook.team.svc:443/convert?timeout=30s\": service \"hook\" not found";
    assert_eq!(refusal["message"], expected);
    assert_eq!(get(&server, "/apis/two.example.com/v1/things/v1").0, StatusCode::OK);
}

#[test]
fn a_webhook_that_is_not_there_is_named_by_its_address() {
    for (url, why) in [
        ("https://hook.example.com:9443/c", "dial tcp: lookup hook.example.com: no such host"),
        ("https://[::1]:9443/c", "dial tcp [::1]:9443: connect: connection refused"),
        ("https://[::1]/c", "dial tcp [::1]:443: connect: connection refused"),
        ("https://127.0.0.1/c", "dial tcp 127.0.0.1:443: connect: connection refused"),
    ] {
        let server = server();
        let mut definition = converted_by_webhook();
        definition["spec"]["conversion"]["webhook"]["clientConfig"] = json!({"url": url});
        server.add_definition(&definition).expect("a definition");
        server.create(&thing("v1")).expect("a thing");
        let (_, refusal) = get(&server, "/apis/two.example.com/v2/things/v1");
        let message = refusal["message"].as_str().unwrap_or_default();
        assert!(message.ends_with(&format!("Post \"{url}?timeout=30s\": {why}")), "{message}");
    }
}

/// The status in a file of controller-gen, one from a cluster, and others.
fn statuses() -> [Value; 4] {
    let established = json!({
        "type": "Established", "status": "False", "reason": "a", "message": "b",
        "lastTransitionTime": "2020-01-01T00:00:00Z",
    });
    let names = json!({"kind": "", "plural": ""});
    [
        json!({"acceptedNames": names, "conditions": [], "storedVersions": []}),
        json!({"acceptedNames": {"plural": "x", "kind": "X"}, "conditions": [established], "storedVersions": ["v0"]}),
        json!({"conditions": null}),
        Value::Null,
    ]
}

#[test]
fn the_status_of_a_definition_is_the_servers_own() {
    let with = |status: &Value| {
        let mut definition = definition("Cluster");
        definition["status"] = status.clone();
        definition
    };
    for status in statuses() {
        let [created, seeded, posted, added] = [(); 4].map(|()| with_definitions());
        let stored = created.create(&with(&status)).expect("a definition");
        assert_eq!(stored, get(&created, GEARS_DEFINITION).1, "as it is stored");
        seeded.seed([with(&status), gear("a", &[])]).expect("a definition and a gear");
        assert_eq!(get(&seeded, &format!("{GEARS}/a")).0, StatusCode::OK);
        let (code, _) = send(&posted, Method::POST, DEFINITIONS, &with(&status));
        assert_eq!(code, StatusCode::CREATED);
        added.add_definition(&with(&status)).expect("a definition");
        for server in [&created, &seeded, &posted, &added] {
            assert_eq!(get(server, GEARS).0, StatusCode::OK);
        }
        for server in [created, seeded, posted] {
            let (_, found) = get(&server, GEARS_DEFINITION);
            assert_eq!(found["status"]["storedVersions"], json!(["v1"]));
            assert_eq!(found["status"]["acceptedNames"]["plural"], "gears");
            let conditions = found["status"]["conditions"].as_array().expect("conditions");
            assert!(conditions.iter().all(|own| own["status"] == "True"), "{conditions:?}");
        }
    }
}

/// A server with gears of this schema.
fn gears_of(schema: &Value) -> Server {
    let server = server();
    let mut definition = definition("Cluster");
    definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = schema.clone();
    server.add_definition(&definition).expect("a definition");
    server
}

#[test]
fn schemas_have_rules_for_names() {
    let server = gears_of(&json!({"type": "object", "properties": {"metadata": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "enum": ["csi.a.io", "b"], "maxLength": 8},
            "generateName": {"type": "string", "pattern": "^b"},
        },
    }}}));
    for name in ["csi.a.io", "b"] {
        server.create(&gear(name, &[])).expect("a gear");
    }
    let (code, refusal) = send(&server, Method::POST, GEARS, &gear("c", &[]));
    assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY);
    let message = "Gear.a.io \"c\" is invalid: metadata.name: Unsupported value: \"c\": supported \
                   values: \"csi.a.io\", \"b\"";
    assert_eq!(refusal["message"], message);
    let generated =
        json!({"apiVersion": "a.io/v1", "kind": "Gear", "metadata": {"generateName": "a"}});
    let (code, refusal) = send(&server, Method::POST, GEARS, &generated);
    assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY);
    let fields = refusal["details"]["causes"].as_array().expect("causes").iter();
    let fields: Vec<_> = fields.map(|cause| cause["field"].as_str().expect("a field")).collect();
    assert!(fields.contains(&"metadata.generateName"), "{refusal}");
    assert!(fields.contains(&"metadata.name"), "the rules are those of the new name, too");
}

#[test]
fn null_becomes_the_default_wherever_there_is_one() {
    let number = json!({"type": "integer", "default": 3});
    let nullable = json!({"type": "integer", "default": 3, "nullable": true});
    let plain = json!({"type": "integer"});
    let map = |entry: &Value| json!({"type": "object", "additionalProperties": entry});
    let list = |items: &Value| json!({"type": "array", "items": items});
    let object = json!({"type": "object", "default": {}, "properties": {"deep": number}});
    let server = gears_of(&json!({"type": "object", "properties": {
        "map": map(&number), "nullableMap": map(&nullable), "plainMap": map(&plain),
        "list": list(&number), "nullableList": list(&nullable), "objects": list(&object),
        "anyMap": {"type": "object", "additionalProperties": true},
        "lists": map(&list(&number)),
    }}));
    let mut sent = gear("a", &[]);
    for (name, value) in [
        ("map", json!({"x": null, "y": 1})),
        ("nullableMap", json!({"x": null})),
        ("plainMap", json!({"x": null, "y": 1})),
        ("list", json!([null, 1])),
        ("nullableList", json!([null])),
        ("objects", json!([null, {"deep": null}])),
        ("anyMap", json!({"x": null, "y": {"z": null}})),
        ("lists", json!({"x": [null]})),
    ] {
        sent[name] = value;
    }
    let (code, stored) = send(&server, Method::POST, GEARS, &sent);
    assert_eq!(code, StatusCode::CREATED, "{stored}");
    for (name, expected) in [
        ("map", json!({"x": 3, "y": 1})),
        ("nullableMap", json!({"x": null})),
        ("plainMap", json!({"y": 1})),
        ("list", json!([3, 1])),
        ("nullableList", json!([null])),
        ("objects", json!([{"deep": 3}, {"deep": 3}])),
        ("anyMap", json!({"x": null, "y": {"z": null}})),
        ("lists", json!({"x": [3]})),
    ] {
        assert_eq!(stored[name], expected, "{name}");
    }
}

#[test]
fn only_schemas_with_expressions_have_rules_that_were_not_checked() {
    let rules = json!([{"rule": "self >= 0"}]);
    let size = |rules: &Value| json!({"type": "integer", "x-kubernetes-validations": rules});
    for (rules, expected) in [(&rules, 2), (&Value::Null, 1)] {
        let server = gears_of(&json!({"type": "object", "properties": {
            "size": size(&Value::Null),
            "list": {"type": "array", "items": {"type": "object", "properties": {"n": size(rules)}}},
        }}));
        let mut odd = gear("a", &[]);
        odd["size"] = json!("a");
        let (code, refusal) = send(&server, Method::POST, GEARS, &odd);
        assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY);
        let causes = refusal["details"]["causes"].as_array().expect("causes");
        assert_eq!(causes.len(), expected, "{refusal}");
    }
}

#[test]
fn each_value_that_a_list_repeats_is_reported_once() {
    let items = json!({"type": "string"});
    let object = json!({"type": "object", "required": ["k"], "properties": {"k": items}});
    let server = gears_of(&json!({"type": "object", "properties": {
        "set": {"type": "array", "items": items, "x-kubernetes-list-type": "set"},
        "map": {
            "type": "array", "items": object, "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["k"],
        },
    }}));
    let mut odd = gear("a", &[]);
    odd["set"] = json!(["x", "x", "y", "x", "y"]);
    odd["map"] = json!([{"k": "x"}, {"k": "x"}, {"k": "x"}]);
    let (_, refusal) = send(&server, Method::POST, GEARS, &odd);
    let causes = refusal["details"]["causes"].as_array().expect("causes").iter();
    let mut causes: Vec<_> =
        causes.map(|cause| format!("{} {}", cause["field"], cause["message"])).collect();
    causes.sort();
    assert_eq!(
        causes,
        [
            r#""map[1]" "Duplicate value: {\"k\":\"x\"}""#,
            r#""set[1]" "Duplicate value: \"x\"""#,
            r#""set[4]" "Duplicate value: \"y\"""#,
        ]
    );
}

/// A server with a definition that has nullable members, elements and values.
fn with_nullable() -> Server {
    let server = with_definitions();
    let mut definition = definition("Cluster");
    let text = json!({"type": "string", "nullable": true});
    let with_default = json!({"type": "string", "nullable": true, "default": "x"});
    let properties = json!({
        "mode": text, "color": with_default, "plain": {"type": "string", "default": "y"},
        "list": {"type": "array", "items": text},
        "map": {"type": "object", "additionalProperties": text},
    });
    let spec = json!({"type": "object", "required": ["mode"], "properties": properties});
    let schema = json!({"type": "object", "properties": {"spec": spec}});
    definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = schema;
    server.create(&definition).expect("a definition");
    server
}

#[test]
fn null_is_a_value_of_what_is_nullable() {
    let server = with_nullable();
    let path = format!("{GEARS}/a");
    let nulls = json!({"mode": null, "color": null, "list": [null, "a"], "map": {"a": null}});
    let mut gear = gear("a", &[]);
    gear["spec"] = nulls.clone();
    gear["spec"]["plain"] = Value::Null;
    let mut expected = nulls;
    expected["plain"] = json!("y");
    let (code, made) = send(&server, Method::POST, GEARS, &gear);
    assert_eq!((code, &made["spec"]), (StatusCode::CREATED, &expected));
    // An object that was read can be replaced.
    let (_, mut read) = get(&server, &path);
    read["metadata"]["labels"] = json!({"a": "b"});
    let (code, replaced) = send(&server, Method::PUT, &path, &read);
    assert_eq!((code, &replaced["spec"]), (StatusCode::OK, &expected));
    read["spec"].as_object_mut().expect("a spec").remove("mode");
    read["metadata"]["resourceVersion"] = replaced["metadata"]["resourceVersion"].clone();
    let (code, refused) = send(&server, Method::PUT, &path, &read);
    assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY, "{refused}");
    let object: Object = serde_json::from_value(replaced).expect("an object");
    assert_eq!(object.members.get("spec").expect("a spec").to_value().expect("JSON"), expected);
}

#[test]
fn patches_set_null_and_applies_own_it() {
    let server = with_nullable();
    let patch = |media: &str, query: &str, body: &Value| {
        let path = format!("{GEARS}/a{query}");
        let mut request = request(Method::PATCH, &path, body);
        let media = format!("application/{media}").parse().expect("a media type");
        request.headers_mut().insert("content-type", media);
        whole(server.handle(request, time(0)))
    };
    let apply = |spec: Value| {
        let mut object = gear("a", &[]);
        object["spec"] = spec;
        patch("apply-patch+yaml", "?fieldManager=me", &object)
    };
    let spec = json!({"mode": null, "color": null, "list": [null], "map": {"a": null}});
    let mut expected = spec.clone();
    expected["plain"] = json!("y");
    let (code, applied) = apply(spec);
    assert_eq!((code, &applied["spec"]), (StatusCode::CREATED, &expected));
    let fields = &applied["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"];
    assert_eq!((&fields["f:mode"], &fields["f:map"]["f:a"]), (&json!({}), &json!({})));
    let step =
        |op: &str, path: &str, value: Value| json!([{"op": op, "path": path, "value": value}]);
    let (_, patched) = patch("json-patch+json", "", &step("replace", "/spec/mode", json!("a")));
    assert_eq!(patched["spec"]["mode"], "a");
    let (_, patched) = patch("json-patch+json", "", &step("replace", "/spec/mode", Value::Null));
    assert_eq!(patched["spec"], expected);
    // A merge patch removes the member.
    let (_, merged) = patch("merge-patch+json", "", &json!({"spec": {"color": null}}));
    assert_eq!(merged["spec"]["color"], "x");
    let (code, _) = patch("merge-patch+json", "", &json!({"spec": {"mode": null}}));
    assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY);
}
