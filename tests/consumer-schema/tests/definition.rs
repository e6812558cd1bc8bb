//! The definition that kube's derive macro makes is one that servers accept, and so are objects by
//! it.

#[path = "../../support/src/structural.rs"]
mod structural;

use kube::CustomResourceExt;
use serde_json::{Value, json};
use workshop::{WorkshopDefinition as Workshop, WorkshopSpec};

/// The schema of the definition.
fn schema() -> Value {
    let definition = serde_json::to_value(Workshop::crd()).unwrap();
    definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"].clone()
}

fn workshop() -> Value {
    json!({
        "apiVersion": "example.com/v1",
        "kind": "Workshop",
        "metadata": {"name": "a"},
        "spec": {
            "template": {
                "metadata": {"labels": {"app": "a"}},
                "spec": {
                    "containers": [{
                        "name": "main",
                        "image": "registry.example.com/a:1",
                        "ports": [{"containerPort": 80}],
                        "resources": {"limits": {"cpu": "1", "memory": "1Gi"}},
                        "livenessProbe": {"httpGet": {"port": "http"}},
                    }],
                },
            },
            "port": "http",
            "maxUnavailable": 1,
            "sizes": {"data": "10Gi"},
            "settings": {"any": ["thing", 1, null]},
            "more": [1.5],
            "tolerations": [{"operator": "Exists"}],
        },
    })
}

#[test]
fn definition_has_a_structural_schema() {
    let faults = structural::broken_rules(&schema());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn definition_describes_pods_completely() {
    let spec = &schema()["properties"]["spec"];
    let containers =
        &spec["properties"]["template"]["properties"]["spec"]["properties"]["containers"];
    assert_eq!(containers["x-kubernetes-list-type"], "map");
    assert_eq!(containers["x-kubernetes-list-map-keys"], json!(["name"]));
    assert_eq!(containers["items"]["required"], json!(["name"]));
    assert_eq!(spec["properties"]["port"]["x-kubernetes-int-or-string"], true);
    assert_eq!(spec["properties"]["maxUnavailable"]["x-kubernetes-int-or-string"], true);
}

#[test]
fn definition_accepts_objects_as_they_are_encoded() {
    let object: Workshop = serde_json::from_value(workshop()).unwrap();
    let encoded = serde_json::to_value(&object).unwrap();
    let schema = schema();
    let mut body = encoded.clone();
    // Of these a definition says nothing.
    for name in ["apiVersion", "kind", "metadata"] {
        body.as_object_mut().unwrap().remove(name);
    }
    let faults = structural::refusals(&schema, &body);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(encoded["spec"]["template"], workshop()["spec"]["template"]);
}

#[test]
fn definition_refuses_what_the_types_refuse() {
    let mut object = workshop()["spec"].clone();
    object["template"]["spec"]["containers"][0]["ports"][0]["containerPort"] = json!("eighty");
    assert!(serde_json::from_value::<WorkshopSpec>(object.clone()).is_err());
    let faults = structural::refusals(&schema()["properties"]["spec"], &object);
    assert_eq!(
        faults,
        ["/template/spec/containers/0/ports/0/containerPort: \"eighty\" is refused"]
    );
}
