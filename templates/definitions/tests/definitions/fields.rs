//! Fields that definitions cannot have.

use super::{definition, schema};
use kapigen_definitions::unknown_fields;
use serde_json::{Value, json};

fn found(manifest: &Value) -> Vec<(String, usize)> {
    unknown_fields(manifest).into_iter().map(|field| (field.pointer, field.count)).collect()
}

#[test]
fn every_known_field_is_known() {
    assert_eq!(found(&definition(&schema())), []);
    let older = json!({
        "apiVersion": "apiextensions.k8s.io/v1beta1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com", "labels": {"any": "thing"}},
        "spec": {
            "group": "example.com",
            "version": "v1",
            "names": {"plural": "widgets", "kind": "Widget", "categories": ["all"]},
            "validation": {"openAPIV3Schema": schema()},
            "subresources": {"status": {"any": 1}, "scale": {"labelSelectorPath": ".status.s"}},
            "additionalPrinterColumns": [{"JSONPath": ".spec.n", "name": "N", "type": "string"}],
            "conversion": {
                "strategy": "Webhook",
                "conversionReviewVersions": ["v1"],
                "webhookClientConfig": {"service": {"name": "a", "namespace": "b", "port": 1}},
            },
        },
        "status": {"any": 1},
    });
    assert_eq!(found(&older), []);
    // The newer form does not have the older form's fields.
    let mut newer = older;
    newer["apiVersion"] = "apiextensions.k8s.io/v1".into();
    let pointers: Vec<_> = found(&newer).into_iter().map(|(pointer, _)| pointer).collect();
    let names = [
        "version",
        "validation",
        "subresources",
        "additionalPrinterColumns",
        "conversion/conversionReviewVersions",
        "conversion/webhookClientConfig",
    ];
    assert_eq!(pointers, names.map(|name| format!("/spec/{name}")));
}

#[test]
fn unknown_fields_are_found_in_every_type() {
    let places = [
        "",
        "/metadata",
        "/spec",
        "/spec/names",
        "/spec/conversion",
        "/spec/conversion/webhook",
        "/spec/conversion/webhook/clientConfig",
        "/spec/conversion/webhook/clientConfig/service",
        "/spec/versions/0",
        "/spec/versions/0/schema",
        "/spec/versions/0/subresources",
        "/spec/versions/0/subresources/scale",
        "/spec/versions/0/additionalPrinterColumns/0",
        "/spec/versions/0/selectableFields/0",
        "/spec/versions/0/schema/openAPIV3Schema",
        "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/parts/items",
        "/spec/versions/0/schema/openAPIV3Schema/properties/spec/oneOf/1",
        "/spec/versions/0/schema/openAPIV3Schema/properties/spec/not/properties/n",
        "/spec/versions/0/schema/openAPIV3Schema/properties/spec/x-kubernetes-validations/0",
    ];
    for place in places {
        let mut manifest = definition(&schema());
        manifest["spec"]["conversion"] = json!({
            "strategy": "Webhook",
            "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"service": {"name": "a"}}},
        });
        assert_eq!(found(&manifest), []);
        manifest.pointer_mut(place).unwrap()["typo"] = json!(1);
        assert_eq!(found(&manifest), [(format!("{place}/typo"), 1)]);
    }
}

#[test]
fn a_field_is_listed_once_for_each_type() {
    let properties: serde_json::Map<_, _> =
        (0..100).map(|index| (format!("p{index}"), json!({"tpye": "string"}))).collect();
    let manifest = definition(&json!({"type": "object", "properties": properties}));
    let fields = unknown_fields(&manifest);
    assert_eq!((fields.len(), fields[0].count), (1, 100));
    assert!(
        fields[0].pointer.ends_with("/properties/p0/tpye") && fields[0].known.contains(&"type")
    );
}

#[test]
fn few_of_many_long_ones_are_listed() {
    let length = |size: usize| {
        let unknown: serde_json::Map<_, _> =
            (0..size).map(|index| (format!("k{index}"), json!(1))).collect();
        let manifest = definition(&json!({"properties": {"n".repeat(size * 10): unknown}}));
        unknown_fields(&manifest).iter().map(|field| field.pointer.len()).sum::<usize>()
    };
    let lengths = [length(5_000), length(10_000)];
    assert!(lengths[1] * 2 <= lengths[0] * 5, "{lengths:?}");
}
