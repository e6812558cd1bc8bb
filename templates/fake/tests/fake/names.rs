//! Names, identifiers and times.

use crate::testing::{pod, server, time, within};
use serde_json::json;

#[test]
fn names_ids_and_times_are_the_same_in_every_run() {
    let run = || {
        let server = server();
        let mut generated = pod("");
        generated["metadata"] = json!({"generateName": "job-"});
        [time(1), time(2)].map(|now| {
            server.set_time(now);
            server.create(&generated).expect("a pod")
        })
    };
    let [first, second] = run();
    assert_eq!([&first, &second], run().each_ref());
    assert_ne!(first["metadata"]["name"], second["metadata"]["name"]);
    assert_eq!(second["metadata"]["uid"], "00000000-0000-4000-8000-000000000002");
    assert_eq!(second["metadata"]["creationTimestamp"], "2023-11-14T22:13:22Z");
}

#[test]
fn names_that_no_namespace_can_have_are_refused() {
    let server = server();
    let before = server.version();
    for namespace in ["A b", "a/b", "a?b", "\u{fc}"] {
        let refusal = server.create(&within(namespace, pod("a"))).expect_err(namespace);
        assert!(refusal.is_invalid(), "{namespace}: {refusal}");
        let status = refusal.api().and_then(|error| error.status.as_deref()).expect("a status");
        assert_eq!(
            status.details.as_ref().and_then(|details| details.kind.as_deref()),
            Some("Namespace")
        );
    }
    assert_eq!(server.version(), before);
}

/// Images are named by digests, and the names of image stream tags have a colon.
#[test]
fn names_keep_to_the_rule_of_their_kind() {
    let server = server();
    let object = |kind: &str, name: &str| {
        let version = if kind == "Image" { "image.openshift.io/v1" } else { "v1" };
        let mut object = json!({"apiVersion": version, "kind": kind, "metadata": {"name": name}});
        match kind {
            "Pod" => object["spec"] = pod("a")["spec"].clone(),
            _ => object["dockerImageReference"] = json!("registry.example.com/a/b"),
        }
        server.create(&object).map_err(|refusal| refusal.is_invalid())
    };
    for (kind, name, is_valid) in [
        ("Image", "sha256:0123", true),
        ("Image", "a/b", false),
        ("Image", "..", false),
        ("Pod", "a.b", true),
        ("Pod", "sha256:0123", false),
    ] {
        assert_eq!(object(kind, name).is_ok(), is_valid, "{kind} {name}");
        assert!(is_valid || object(kind, name) == Err(true), "{kind} {name}");
    }
}
