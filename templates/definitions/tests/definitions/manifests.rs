//! Manifests to be installed.

use kapigen_definitions::{Definition, clean, manifests, refusals};
use serde_json::{Value, json};

fn definition(versions: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
            "versions": versions,
        },
    })
}

fn version(name: &str, served: bool, storage: bool) -> Value {
    let schema = json!({"openAPIV3Schema": {"type": "object", "description": name}});
    json!({"name": name, "served": served, "storage": storage, "schema": schema})
}

fn installed(given: &[Value]) -> Vec<Value> {
    let definitions: Vec<_> =
        given.iter().map(|manifest| Definition::read(manifest).unwrap()).collect();
    manifests(&definitions)
}

#[test]
fn leaves_out_what_a_cluster_wrote() {
    let given = definition(&json!([version("v1", true, true), version("v1beta1", false, false)]));
    let mut pulled = given.clone();
    pulled["metadata"]["uid"] = "1".into();
    pulled["metadata"]["managedFields"] = json!([{"manager": "kubectl"}]);
    pulled["metadata"]["finalizers"] = json!(["customresourcecleanup.apiextensions.k8s.io"]);
    pulled["metadata"]["annotations"] =
        json!({"kubectl.kubernetes.io/last-applied-configuration": "{}"});
    pulled["status"] = json!({"storedVersions": ["v1"]});
    assert_eq!(installed(std::slice::from_ref(&pulled)), std::slice::from_ref(&given));
    pulled["metadata"]["annotations"]["kept"] = "yes".into();
    clean(&mut pulled);
    assert_eq!(
        pulled["metadata"],
        json!({"name": "widgets.example.com", "annotations": {"kept": "yes"}})
    );
    // Anything is cleaned without a panic.
    for mut odd in [
        json!(null),
        json!([]),
        json!({"metadata": "name"}),
        json!({"metadata": {"annotations": []}}),
    ] {
        clean(&mut odd);
    }
}

#[test]
fn unites_versions_of_several_manifests() {
    let given = [
        definition(&json!([version("v1beta1", true, true)])),
        definition(&json!([version("v1", true, true), version("v1beta1", true, false)])),
        definition(&json!([version("v2alpha1", false, true)])),
    ];
    let [united] = installed(&given).try_into().unwrap();
    let expected = json!([
        version("v1beta1", true, false),
        version("v1", true, true),
        version("v2alpha1", false, false)
    ]);
    assert_eq!(united["spec"]["versions"], expected);
    assert_eq!(refusals(&united), []);
}

#[test]
fn the_version_of_highest_priority_is_stored() {
    let stored = |names: &[&str]| {
        let given: Vec<_> =
            names.iter().map(|name| definition(&json!([version(name, true, true)]))).collect();
        let united = installed(&given).remove(0);
        let versions = united["spec"]["versions"].as_array().unwrap().clone();
        let mut stored = versions.into_iter().filter(|version| version["storage"] == true);
        let name = stored.next().unwrap()["name"].as_str().unwrap().to_owned();
        assert!(stored.next().is_none(), "{names:?}");
        name
    };
    assert_eq!(stored(&["v1beta1", "v10", "v2", "v11alpha1"]), "v10");
    assert_eq!(stored(&["v1beta1", "v1beta10", "v1beta2", "foo1"]), "v1beta10");
    assert_eq!(stored(&["v01", "foo", "bar", "v"]), "bar");
}

#[test]
fn older_definitions_take_the_form_of_v1() {
    let mut older = definition(&json!([]));
    older["apiVersion"] = "apiextensions.k8s.io/v1beta1".into();
    let spec = older["spec"].as_object_mut().unwrap();
    spec.remove("versions");
    spec.remove("scope");
    spec.insert("version".to_owned(), "v1".into());
    spec.insert("subresources".to_owned(), json!({"status": {}}));
    spec.insert(
        "additionalPrinterColumns".to_owned(),
        json!([{"name": "Age", "type": "date", "JSONPath": ".a"}]),
    );
    spec.insert(
        "validation".to_owned(),
        json!({"openAPIV3Schema": {"properties": {"spec": {"type": "object"}}}}),
    );
    let [united] = installed(&[older.clone()]).try_into().unwrap();
    assert_eq!(united["apiVersion"], "apiextensions.k8s.io/v1");
    assert_eq!(united["spec"]["scope"], "Namespaced");
    let schema = json!({
        "type": "object", "properties": {"spec": {"type": "object"}}, "x-kubernetes-preserve-unknown-fields": true,
    });
    let expected = json!([{
        "name": "v1", "served": true, "schema": {"openAPIV3Schema": schema}, "subresources": {"status": {}},
        "additionalPrinterColumns": [{"name": "Age", "type": "date", "jsonPath": ".a"}], "storage": true,
    }]);
    assert_eq!(united["spec"]["versions"], expected);
    assert_eq!(refusals(&united), []);
    let client = json!({"service": {"namespace": "a", "name": "b"}});
    older["spec"]["conversion"] = json!({"strategy": "Webhook", "webhookClientConfig": client});
    let [converted] = installed(&[older.clone()]).try_into().unwrap();
    let webhook = json!({"clientConfig": client, "conversionReviewVersions": ["v1beta1"]});
    assert_eq!(converted["spec"]["conversion"], json!({"strategy": "Webhook", "webhook": webhook}));
    assert_eq!(refusals(&converted), []);
    older["spec"]["preserveUnknownFields"] = false.into();
    let pruned = &installed(&[older])[0]["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    assert!(pruned.get("x-kubernetes-preserve-unknown-fields").is_none());
}

#[test]
fn a_conversion_is_kept_whichever_part_states_it() {
    let converts = json!({"strategy": "Webhook", "webhook": {
        "clientConfig": {"url": "https://example.com/convert"}, "conversionReviewVersions": ["v1"],
    }});
    for other in [json!(null), json!({"strategy": "None"})] {
        let mut parts =
            ["v1", "v2"].map(|name| definition(&json!([version(name, true, name == "v1")])));
        for (part, conversion) in parts.iter_mut().zip([&other, &converts]) {
            part["spec"]["conversion"] = conversion.clone();
        }
        for _ in 0..2 {
            let [united] = installed(&parts).try_into().unwrap();
            assert_eq!(united["spec"]["conversion"], converts, "{other}");
            parts.reverse();
        }
    }
}

#[test]
fn a_definition_without_a_name_gets_one() {
    for metadata in [json!(null), json!({"labels": {"a": "b"}}), json!("odd")] {
        let mut given = definition(&json!([version("v1", true, true)]));
        given["metadata"] = metadata;
        assert_eq!(installed(&[given])[0]["metadata"]["name"], "widgets.example.com");
    }
}
