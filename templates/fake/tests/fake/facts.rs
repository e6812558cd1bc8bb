//! Facts about built-in kinds that documents do not state.

use crate::testing::{PODS, get, pod, send, server, time, whole};
use http::{Method, Request, StatusCode};
use kapigen_fake::Server;
use serde_json::{Value, json};

/// A server with a kind of this group and plural that has a status, as a document has it, and the
/// path of the kind.
fn server_of(group: &str, plural: &str) -> (Server, String) {
    let server = Server::default();
    server.set_time(time(0));
    server.add_document(&document_of(group, plural));
    // Its kinds have nothing of those but their names.
    server.built_in_rules(false);
    (server, path_of(group, plural))
}

fn path_of(group: &str, plural: &str) -> String {
    if group.is_empty() {
        format!("/api/v1/{plural}")
    } else {
        format!("/apis/{group}/v1/{plural}")
    }
}

fn document_of(group: &str, plural: &str) -> Value {
    let named = json!({"x-kubernetes-group-version-kind": {"group": group, "version": "v1", "kind": "Thing"}});
    let path = path_of(group, plural);
    let any = json!({"type": "object"});
    json!({
        "paths": {
            &path: {"get": named, "post": named},
            format!("{path}/{{name}}"): {"get": named, "put": named, "delete": named},
            format!("{path}/{{name}}/status"): {"get": named, "put": named, "patch": named},
        },
        "components": {"schemas": {"Thing": {
            "type": "object", "properties": {"spec": any, "status": any},
            "x-kubernetes-preserve-unknown-fields": true,
            "x-kubernetes-group-version-kind": [{"group": group, "version": "v1", "kind": "Thing"}],
        }}},
    })
}

fn thing(group: &str) -> Value {
    let version = if group.is_empty() { "v1".to_owned() } else { format!("{group}/v1") };
    let mut thing = json!({"apiVersion": version, "kind": "Thing", "metadata": {"name": "a"}});
    if group == "image.openshift.io" {
        thing["dockerImageReference"] = json!("registry.example.com/a/b");
    }
    thing
}

const REGISTRATION: &str = "admissionregistration.k8s.io";
const CERTIFICATES: &str = "certificates.k8s.io";
const COORDINATION: &str = "coordination.k8s.io";
const FLOWS: &str = "flowcontrol.apiserver.k8s.io";
const STORAGE: &str = "storage.k8s.io";

/// Kinds, whether a PUT has to state their version, and whether it creates them.
const UPDATES: &[(&str, &str, bool, bool)] = &[
    ("", "limitranges", false, true),
    ("", "pods", false, false),
    ("", "resourcequotas", false, false),
    ("", "serviceaccounts", false, false),
    (REGISTRATION, "mutatingadmissionpolicies", true, false),
    (REGISTRATION, "mutatingadmissionpolicybindings", true, false),
    (REGISTRATION, "validatingadmissionpolicies", true, false),
    (REGISTRATION, "validatingadmissionpolicybindings", true, false),
    (CERTIFICATES, "clustertrustbundles", true, false),
    (CERTIFICATES, "podcertificaterequests", true, false),
    ("config.openshift.io", "images", false, false),
    (COORDINATION, "leasecandidates", true, true),
    (COORDINATION, "leases", true, true),
    ("discovery.k8s.io", "endpointslices", false, false),
    ("example.com", "leases", false, false),
    (FLOWS, "flowschemas", false, false),
    (FLOWS, "prioritylevelconfigurations", false, false),
    ("image.openshift.io", "images", true, false),
    ("internal.apiserver.k8s.io", "storageversions", true, false),
    ("networking.k8s.io", "servicecidrs", false, false),
    ("node.k8s.io", "runtimeclasses", true, true),
    (STORAGE, "csistoragecapacities", true, false),
    (STORAGE, "volumeattributesclasses", false, false),
    ("storagemigration.k8s.io", "storageversionmigrations", true, false),
];

#[test]
fn kinds_decide_what_an_update_states_and_creates() {
    for (group, plural, is_stated, is_created) in UPDATES {
        let ((server, path), thing) = (server_of(group, plural), thing(group));
        let update = || send(&server, Method::PUT, &format!("{path}/a"), &thing).0;
        let expected = if *is_created { StatusCode::CREATED } else { StatusCode::NOT_FOUND };
        assert_eq!(update(), expected, "{group} {plural}");
        if !is_created {
            server.create(&thing).expect("an object");
        }
        let expected = if *is_stated { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
        assert_eq!(update(), expected, "{group} {plural}");
    }
}

#[test]
fn refusals_of_updates_name_the_version_that_they_lack() {
    let server = server();
    let lease =
        json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "a"}});
    server.create(&lease).expect("a lease");
    let path = "/apis/coordination.k8s.io/v1/namespaces/default/leases/a";
    let (code, refusal) = send(&server, Method::PUT, path, &lease);
    let message = "leases.coordination.k8s.io \"a\" is invalid: metadata.resourceVersion: Invalid \
                   value: 0: must be specified for an update";
    assert_eq!((code, &refusal["message"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!(message)));
    let (_, stored) = get(&server, path);
    assert_eq!(send(&server, Method::PUT, path, &stored).0, StatusCode::OK);
    let mut blind = server.create(&pod("a")).expect("a pod");
    blind["metadata"]["resourceVersion"] = json!("");
    assert_eq!(send(&server, Method::PUT, &format!("{PODS}/a"), &blind).0, StatusCode::OK);
}

/// Kinds, and the values of a label and of an annotation after a write to the status.
const STATUSES: &[(&str, &str, &str, &str)] = &[
    ("apps", "deployments", "old", "new"),
    ("apps", "replicasets", "new", "new"),
    ("example.com", "deployments", "new", "new"),
    (REGISTRATION, "validatingadmissionpolicies", "old", "old"),
    ("apiregistration.k8s.io", "apiservices", "old", "old"),
    (CERTIFICATES, "podcertificaterequests", "old", "old"),
    (FLOWS, "flowschemas", "old", "old"),
    (FLOWS, "prioritylevelconfigurations", "old", "old"),
    ("internal.apiserver.k8s.io", "storageversions", "old", "old"),
    ("networking.k8s.io", "servicecidrs", "old", "old"),
    ("resource.k8s.io", "devicetaintrules", "old", "old"),
    ("resource.k8s.io", "resourceclaims", "old", "old"),
    ("scheduling.k8s.io", "podgroups", "old", "old"),
    (STORAGE, "volumeattachments", "old", "old"),
    ("storagemigration.k8s.io", "storageversionmigrations", "old", "old"),
];

#[test]
fn kinds_decide_which_metadata_a_status_changes() {
    for (group, plural, label, annotation) in STATUSES {
        let (server, path) = server_of(group, plural);
        let mut thing = thing(group);
        let mut write = |value: &str, method: Method, path: &str| {
            thing["metadata"]["labels"] = json!({"a": value});
            thing["metadata"]["annotations"] = json!({"a": value});
            let (code, stored) = send(&server, method, path, &thing);
            thing["metadata"]["resourceVersion"] = stored["metadata"]["resourceVersion"].clone();
            (code, stored)
        };
        assert_eq!(write("old", Method::POST, &path).0, StatusCode::CREATED);
        let (code, stored) = write("new", Method::PUT, &format!("{path}/a/status"));
        let found = [&stored["metadata"]["labels"]["a"], &stored["metadata"]["annotations"]["a"]];
        assert_eq!(
            (code, found),
            (StatusCode::OK, [&json!(label), &json!(annotation)]),
            "{group} {plural}"
        );
    }
}

#[test]
fn managers_of_a_status_own_metadata_unless_it_is_reset() {
    for (group, plural, is_owned) in [
        ("resource.k8s.io", "resourceclaims", true),
        (STORAGE, "volumeattachments", false),
        ("apps", "replicasets", true),
    ] {
        let (server, path) = server_of(group, plural);
        let mut thing = thing(group);
        thing["metadata"]["labels"] = json!({"a": "old"});
        let mut thing = server.create(&thing).expect("an object");
        thing["metadata"]["labels"] = json!({"a": "new"});
        thing["status"] = json!({"ready": true});
        let (_, stored) =
            send(&server, Method::PUT, &format!("{path}/a/status?fieldManager=m"), &thing);
        let records =
            stored["metadata"]["managedFields"].as_array().unwrap_or_else(|| panic!("{stored}"));
        let record = records.iter().find(|record| record["manager"] == "m").expect("a record");
        let is_found = record["fieldsV1"].get("f:metadata").is_some();
        assert_eq!(
            (is_found, record["fieldsV1"].get("f:status").is_some()),
            (is_owned, true),
            "{plural}: {stored}"
        );
    }
}

/// Documents state it of all kinds but namespaces.
#[test]
fn documents_state_what_a_delete_returns() {
    for (plural, schema, kind) in [
        ("things", "Thing", "Thing"),
        ("things", "Status", "Status"),
        ("namespaces", "Status", "Thing"),
    ] {
        let path = path_of("", plural);
        let mut document = document_of("", plural);
        let content = json!({"application/json": {"schema": {"$ref": format!("#/components/schemas/{schema}")}}});
        document["components"]["responses"] = json!({"Deleted": {"content": content}});
        document["paths"][format!("{path}/{{name}}")]["delete"]["responses"] =
            json!({"200": {"$ref": "#/components/responses/Deleted"}});
        let server = Server::default();
        server.add_document(&document);
        server.create(&thing("")).expect("an object");
        let (code, deleted) = send(&server, Method::DELETE, &format!("{path}/a"), &Value::Null);
        assert_eq!((code, &deleted["kind"]), (StatusCode::OK, &json!(kind)), "{plural} {schema}");
    }
}

#[test]
fn events_are_selected_by_the_names_of_their_group() {
    let reference = json!({"kind": "Pod", "name": "p"});
    for (group, object, component) in [
        ("", "involvedObject", json!({"reportingComponent": "c"})),
        ("", "involvedObject", json!({"source": {"component": "c"}})),
        ("events.k8s.io", "regarding", json!({"reportingController": "c"})),
        ("events.k8s.io", "regarding", json!({"deprecatedSource": {"component": "c"}})),
    ] {
        let (server, path) = server_of(group, "events");
        let mut event = thing(group);
        event[object] = reference.clone();
        event
            .as_object_mut()
            .expect("an object")
            .extend(component.as_object().expect("an object").clone());
        server.create(&event).expect("an event");
        let count = |selector: &str| {
            let (code, list) = get(&server, &format!("{path}?fieldSelector={selector}"));
            (code == StatusCode::OK).then(|| list["items"].as_array().expect("items").len())
        };
        let other = if object == "regarding" { "involvedObject" } else { "regarding" };
        assert_eq!(count(&format!("{object}.name%3Dp")), Some(1), "{group}");
        assert_eq!(count(&format!("{object}.name%3Dq")), Some(0), "{group}");
        assert_eq!(count(&format!("{other}.name%3Dp")), None, "{group}");
        assert_eq!((count("source%3Dc"), count("source%3Dd")), (Some(1), Some(0)), "{event}");
    }
}

#[test]
fn kinds_of_other_groups_have_no_facts_of_the_same_plural() {
    let (server, path) = server_of("metrics.k8s.io", "pods");
    let mut thing = thing("metrics.k8s.io");
    thing["spec"] = json!({"nodeName": "n"});
    thing["status"] = json!({"qosClass": "Burstable"});
    let mut stored = server.create(&thing).expect("an object");
    stored["status"] = json!({"qosClass": ""});
    let (_, stored) = send(&server, Method::PUT, &format!("{path}/a/status"), &stored);
    assert_eq!(stored["status"], json!({"qosClass": ""}));
    assert_eq!(
        get(&server, &format!("{path}?fieldSelector=spec.nodeName%3Dn")).0,
        StatusCode::BAD_REQUEST
    );
    // The pods of the core group have a grace period, and their delete returns the object.
    let (code, deleted) = send(&server, Method::DELETE, &format!("{path}/a"), &Value::Null);
    assert_eq!((code, &deleted["kind"]), (StatusCode::OK, &json!("Status")));
    assert_eq!(get(&server, &format!("{path}/a")).0, StatusCode::NOT_FOUND);

    let (server, path) = server_of("example.com", "namespaces");
    let mut thing = self::thing("example.com");
    thing["spec"] = json!({"finalizers": ["a"]});
    server.create(&thing).expect("an object");
    send(&server, Method::DELETE, &format!("{path}/a"), &Value::Null);
    assert_eq!(get(&server, &format!("{path}/a")).0, StatusCode::NOT_FOUND);
}

#[test]
fn data_of_config_maps_and_secrets_is_limited() {
    for (plural, field) in [("configmaps", "[]"), ("secrets", "data")] {
        let (server, path) = server_of("", plural);
        let send_data = |value: String| {
            let mut thing = thing("");
            thing["data"] = json!({"a": value});
            send(&server, Method::POST, &path, &thing)
        };
        let (code, refusal) = send_data("x".repeat((3 << 19) + 4));
        let message = format!(
            "Thing \"a\" is invalid: {field}: Too long: may not be more than 1048576 bytes"
        );
        assert_eq!(
            (code, &refusal["message"]),
            (StatusCode::UNPROCESSABLE_ENTITY, &json!(message))
        );
        assert_eq!(send_data("x".repeat(1 << 20)).0, StatusCode::CREATED);
    }
}

/// Each kind, and whether its status takes the specification from its managers.
#[test]
fn a_specification_conflicts_where_it_is_no_reset_field_of_the_status() {
    for (group, plural, is_owned) in
        [("networking.k8s.io", "servicecidrs", true), ("networking.k8s.io", "ingresses", false)]
    {
        let (server, path) = server_of(group, plural);
        let mut thing = thing(group);
        thing["spec"] = json!({"a": "b"});
        assert_eq!(send(&server, Method::POST, &path, &thing).0, StatusCode::CREATED);
        thing["spec"] = json!({"a": "c"});
        let apply = |force: bool| {
            let request = Request::patch(format!("{path}/a/status?fieldManager=s&force={force}"))
                .header("content-type", "application/apply-patch+yaml");
            whole(server.handle(request.body(thing.to_string()).expect("a request"), time(0)))
        };
        let (code, found) = apply(false);
        let expected = if is_owned { StatusCode::CONFLICT } else { StatusCode::OK };
        assert_eq!(code, expected, "{plural}: {found}");
        let (code, found) = apply(true);
        assert_eq!((code, &found["spec"]), (StatusCode::OK, &json!({"a": "b"})), "{plural}");
        let record = found["metadata"]["managedFields"].to_string();
        assert_eq!(record.contains("\"subresource\":\"status\""), is_owned, "{record}");
    }
}
