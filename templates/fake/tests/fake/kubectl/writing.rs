//! kubectl writes.

use super::{Kubectl, each};
use serde_json::{Value, json};
use std::time::Duration;

// Not in braces: kubectl takes those for JSON.
const NUT: &str =
    "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: nut}\nspec: {size: 1}\n";
const BIG_NUT: &str = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: nut}\nspec: \
                       {size: 2, color: green}\n";

/// The stored widget.
fn widget(kubectl: &Kubectl, name: &str) -> Option<Value> {
    kubectl.listener.server.get_json("example.com/v1", "Widget", "default", name)
}

fn spec(kubectl: &Kubectl, name: &str) -> Value {
    widget(kubectl, name).expect("a widget")["spec"].clone()
}

#[test]
fn creates_and_replaces() {
    each(|kubectl| {
        assert_eq!(
            kubectl.run_with(&["create", "-f", "-"], NUT),
            "widget.example.com/nut created\n"
        );
        assert_eq!(spec(kubectl, "nut"), json!({"size": 1, "replicas": 1, "color": "red"}));
        assert!(kubectl.refused(&["create", "-f", "-"], NUT).contains("(AlreadyExists)"));
        kubectl.run_with(&["replace", "-f", "-"], BIG_NUT);
        assert_eq!(spec(kubectl, "nut"), json!({"size": 2, "color": "green", "replicas": 1}));
        kubectl.run(&["run", "one", "--image=app:1"]);
        assert!(kubectl.listener.server.get_json("v1", "Pod", "default", "one").is_some());
        let dry = NUT.replace("nut", "dry");
        assert!(
            kubectl
                .run_with(&["create", "--dry-run=server", "-f", "-"], &dry)
                .contains("created (server dry run)")
        );
        assert_eq!(widget(kubectl, "dry"), None);
    });
}

#[test]
fn refuses_unknown_and_invalid_fields() {
    each(|kubectl| {
        let unknown =
            kubectl.refused(&["create", "-f", "-"], &NUT.replace("size: 1", "size: 1, weight: 2"));
        assert!(unknown.contains("unknown field \"spec.weight\""), "{unknown}");
        let wrong = kubectl.refused(&["apply", "-f", "-"], &NUT.replace("size: 1", "size: 0"));
        assert!(wrong.contains("spec.size: Invalid value: 0"), "{wrong}");
        assert_eq!(widget(kubectl, "nut"), None);
    });
}

#[test]
fn applies_on_the_client() {
    each(|kubectl| {
        let apply = |text: &str| kubectl.run_with(&["apply", "-f", "-"], text);
        assert_eq!(apply(BIG_NUT), "widget.example.com/nut created\n");
        assert_eq!(apply(BIG_NUT), "widget.example.com/nut unchanged\n");
        assert_eq!(apply(NUT), "widget.example.com/nut configured\n");
        // The color is no longer stated, so it is removed, and has its default.
        assert_eq!(spec(kubectl, "nut"), json!({"size": 1, "color": "red", "replicas": 1}));
    });
}

#[test]
fn applies_on_the_server() {
    each(|kubectl| {
        let [first, second] = ["first", "second"]
            .map(|manager| ["apply", "--server-side", "-f", "-", "--field-manager", manager]);
        assert_eq!(kubectl.run_with(&first, NUT), "widget.example.com/nut serverside-applied\n");
        let conflict = kubectl.refused(&second, BIG_NUT);
        assert!(conflict.contains("conflict with \"first\": .spec.size"), "{conflict}");
        kubectl.run_with(&[&second[..], &["--force-conflicts"]].concat(), BIG_NUT);
        assert_eq!(spec(kubectl, "nut"), json!({"size": 2, "color": "green", "replicas": 1}));
    });
}

#[test]
fn patches_labels_and_scales() {
    each(|kubectl| {
        kubectl.run(&["label", "wd", "wheel", "tier=front"]);
        kubectl.run(&["annotate", "wd", "wheel", "note=new"]);
        let metadata = &widget(kubectl, "wheel").expect("a widget")["metadata"];
        assert_eq!(
            (&metadata["labels"], &metadata["annotations"]),
            (&json!({"tier": "front"}), &json!({"note": "new"}))
        );
        kubectl.run(&["patch", "wd", "wheel", "--type=merge", "-p", r#"{"spec": {"size": 4}}"#]);
        assert_eq!(spec(kubectl, "wheel")["size"], 4);
        let steps = r#"[{"op": "test", "path": "/spec/size", "value": 4}, {"op": "replace", "path": "/spec/size", "value": 5}]"#;
        kubectl.run(&["patch", "wd", "wheel", "--type=json", "-p", steps]);
        assert_eq!(spec(kubectl, "wheel")["size"], 5);
        kubectl.run(&[
            "patch",
            "wd",
            "wheel",
            "--subresource=status",
            "--type=merge",
            "-p",
            r#"{"status": {"replicas": 1}}"#,
        ]);
        kubectl.run(&["scale", "wd/wheel", "--current-replicas=1", "--replicas=3"]);
        assert_eq!(spec(kubectl, "wheel")["replicas"], 3);
        let strategic = r#"{"spec": {"containers": [{"name": "app", "image": "app:2"}]}}"#;
        kubectl.run(&["patch", "pod", "web", "--type=strategic", "-p", strategic]);
        kubectl.run(&["set", "image", "pod/web", "app=app:3"]);
        let pod = kubectl.listener.server.get_json("v1", "Pod", "default", "web").expect("a pod");
        assert_eq!(
            pod["spec"]["containers"],
            json!([{"name": "app", "image": "app:3", "resources": {}}])
        );
    });
}

#[test]
fn deletes_with_dependents() {
    each(|kubectl| {
        let owner = widget(kubectl, "wheel").expect("a widget");
        let child = json!({
            "apiVersion": "example.com/v1", "kind": "Widget", "spec": {"size": 1},
            "metadata": {"name": "spoke", "ownerReferences": [{
                "apiVersion": "example.com/v1", "kind": "Widget", "name": "wheel", "uid": owner["metadata"]["uid"],
                "blockOwnerDeletion": true,
            }]},
        });
        kubectl.listener.create(&child);
        // It waits until the owner is gone, which it is after its dependent.
        let collected = kubectl.listener.collecting(|| {
            kubectl.run(&["delete", "widget", "wheel", "--cascade=foreground", "--timeout=60s"])
        });
        assert!(collected.starts_with("widget.example.com \"wheel\" deleted"), "{collected}");
        assert_eq!((widget(kubectl, "wheel"), widget(kubectl, "spoke")), (None, None));
        kubectl.run(&["delete", "pods", "--selector=app=web", "--timeout=60s"]);
        let server = &kubectl.listener.server;
        assert!(server.wait_until(Duration::ZERO, |server| {
            server.get_json("v1", "Pod", "default", "web").is_none()
        }));
        assert!(kubectl.refused(&["delete", "pod", "web"], "").contains("(NotFound)"));
    });
}
