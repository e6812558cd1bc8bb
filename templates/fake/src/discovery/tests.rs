//! Documents of a generated crate.

use super::documents::paths;
use crate::server::Server;
use kapigen_runtime::{Api, ApiKind};
use openshift_api::coordination_v1::Lease;
use serde_json::{Value, json};

fn document(server: &Server, path: &str) -> Value {
    let inner = server.shared.lock();
    inner.documents.get(&inner.state.registry, path).expect("a document")
}

#[test]
fn types_have_one_name_and_schema_in_all_documents() {
    let server = Server::new(&[openshift_api::API]);
    let names = |path: &str| {
        let document = document(&server, path);
        let schemas = document["components"]["schemas"].as_object().expect("schemas").clone();
        schemas.into_iter().collect::<Vec<_>>()
    };
    let paths = paths(&server.shared.lock().state.registry);
    let all: Vec<_> = paths.iter().map(|path| names(path)).collect();
    assert!(all.len() > 2, "{}", all.len());
    for (name, schema) in all.iter().flatten() {
        assert!(name.split('.').count() > 4, "{name}");
        for other in all.iter().flatten().filter(|(other, _)| other == name) {
            assert_eq!(other.1, *schema, "{name}");
        }
    }
    for name in [
        "io.k8s.api.core.v1.PodSpec",
        "io.k8s.api.policy.v1.Eviction",
        "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta",
        "com.github.openshift.api.image.v1.ImageSignature",
    ] {
        assert!(all.iter().flatten().any(|(known, _)| known == name), "{name}");
    }
}

#[test]
fn members_have_the_types_and_rules_of_their_tables() {
    let server = Server::new(&[openshift_api::API]);
    let core = document(&server, "api/v1");
    let schemas = &core["components"]["schemas"];
    let member = |schema: &str, name: &str| schemas[schema]["properties"][name].clone();
    let reference = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let of = |name: &str| json!({"allOf": [reference(name)]});
    let meta = "io.k8s.apimachinery.pkg.apis.meta.v1";
    assert_eq!(member("io.k8s.api.core.v1.Event", "eventTime"), of(&format!("{meta}.MicroTime")));
    assert_eq!(member("io.k8s.api.core.v1.Event", "firstTimestamp"), of(&format!("{meta}.Time")));
    assert_eq!(member("io.k8s.api.core.v1.ContainerPort", "protocol"), json!({"type": "string", "default": "TCP"}));
    let ports = member("io.k8s.api.core.v1.Container", "ports");
    assert_eq!(ports["x-kubernetes-list-map-keys"], json!(["containerPort", "protocol"]));
    assert_eq!(ports["x-kubernetes-patch-merge-key"], "containerPort");
    let limits = member("io.k8s.api.core.v1.ResourceRequirements", "limits");
    assert_eq!(limits["additionalProperties"], reference("io.k8s.apimachinery.pkg.api.resource.Quantity"));
    assert_eq!(schemas["io.k8s.api.core.v1.Container"]["required"], json!(["name"]));
    let kind = json!([{"group": "", "version": "v1", "kind": "Pod"}]);
    assert_eq!(schemas["io.k8s.api.core.v1.Pod"]["x-kubernetes-group-version-kind"], kind);
}

fn definition(group: &str, names: &Value) -> Value {
    let version = json!({"name": "v1", "served": true, "schema": {}, "subresources": {"scale": {}}});
    json!({"spec": {"group": group, "scope": "Namespaced", "names": names, "versions": [version]}})
}

fn schemas(server: &Server, path: &str) -> Value {
    document(server, path)["components"]["schemas"].take()
}

#[test]
fn scales_have_the_schema_of_servers() {
    let server = Server::default();
    server.add_definition(&definition("a.io", &json!({"plural": "as", "kind": "A"}))).expect("a definition");
    let schemas = schemas(&server, "apis/a.io/v1");
    let replicas = json!({"type": "integer", "format": "int32", "default": 0});
    let status = &schemas["io.k8s.api.autoscaling.v1.ScaleStatus"];
    assert_eq!((&status["required"], &status["properties"]["replicas"]), (&json!(["replicas"]), &replicas));
    let spec = &schemas["io.k8s.api.autoscaling.v1.ScaleSpec"];
    assert_eq!((&spec["required"], &spec["properties"]["replicas"]), (&Value::Null, &replicas));
    let reference = json!({"$ref": "#/components/schemas/io.k8s.api.autoscaling.v1.ScaleStatus"});
    let scale = &schemas["io.k8s.api.autoscaling.v1.Scale"];
    assert_eq!(scale["properties"]["status"], json!({"allOf": [reference], "default": {}}));
}

/// A kind of a generated crate that is called `Scale`.
const OWN_SCALE: ApiKind = {
    let mut kind = ApiKind::of::<Lease>();
    (kind.group, kind.version, kind.kind) = ("autoscaling", "v1", "Scale");
    kind
};

#[test]
fn definitions_take_the_scale_of_a_generated_crate() {
    let server = Server::new(&[Api::new(&[], &[OWN_SCALE])]);
    server.add_definition(&definition("a.io", &json!({"plural": "as", "kind": "A"}))).expect("a definition");
    let document = document(&server, "apis/a.io/v1");
    let schemas = &document["components"]["schemas"];
    let name = "io.k8s.api.autoscaling.v1.Lease";
    assert!(schemas[name]["properties"]["spec"].is_object() && schemas[name.replace("Lease", "LeaseSpec")].is_object());
    assert_eq!(schemas["io.k8s.api.autoscaling.v1.Scale"], Value::Null);
    let scale = &document["paths"]["/apis/a.io/v1/namespaces/{namespace}/as/{name}/scale"];
    let reference = json!({"$ref": format!("#/components/schemas/{name}")});
    assert_eq!(scale["get"]["responses"]["200"]["content"]["application/json"]["schema"], reference);
    assert_eq!(scale["put"]["requestBody"]["content"]["*/*"]["schema"], reference);
}

#[test]
fn kinds_of_definitions_do_not_replace_other_schemas() {
    let server = Server::new(&[openshift_api::API]);
    let group = "meta.apis.pkg.apimachinery.k8s.io";
    for kind in ["ObjectMeta", "Time", "Widget", "WidgetList"] {
        let names = json!({"plural": kind.to_lowercase(), "kind": kind});
        server.add_definition(&definition(group, &names)).expect("a definition");
    }
    let schemas = schemas(&server, &format!("apis/{group}/v1"));
    let name = |kind: &str| format!("io.k8s.apimachinery.pkg.apis.meta.v1.{kind}");
    let kind = |name: String| schemas[name]["x-kubernetes-group-version-kind"][0]["kind"].clone();
    assert!(schemas[name("ObjectMeta")]["properties"]["finalizers"].is_object(), "{schemas}");
    assert_eq!(schemas[name("Time")]["format"], "date-time");
    assert_eq!([kind(name("ObjectMeta2")), kind(name("Time2"))], ["ObjectMeta", "Time"]);
    assert_eq!([kind(name("WidgetList")), kind(name("WidgetList2"))], ["WidgetList"; 2]);
    assert_ne!(schemas[name("WidgetList")], schemas[name("WidgetList2")]);
}
