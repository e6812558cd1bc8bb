//! Corrections: the changes of each entry that is part of kapigen, in the documents of each server.

use super::crates::SERVERS;
use kapigen::openapi::fixups;
use kapigen::openapi::load::RawDocument;
use kapigen_tests::places;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

/// The entries, and how many places each changes in the documents of [`SERVERS`]. The documents of
/// 1.27 and 1.23 have only core and leases, and in 1.23 connections state no kind.
const CHANGED: [(&str, [usize; 4]); 22] = [
    ("binding-returns-status", [12, 9, 9, 0]),
    ("bindings-return-status", [12, 9, 9, 0]),
    ("dry-run-is-repeated", [500, 104, 104, 24]),
    ("event-time-may-be-null", [1, 0, 0, 0]),
    ("eviction-returns-status", [12, 9, 9, 0]),
    ("exec-command-is-repeated", [1, 1, 1, 0]),
    ("get-resource-version", [118, 26, 26, 6]),
    ("image-layer-size-may-be-null", [0, 0, 0, 1]),
    ("image-stream-mappings-return-status", [0, 0, 0, 9]),
    ("image-stream-tag-may-be-null", [0, 0, 0, 1]),
    ("image-tag-parts-may-be-null", [0, 0, 0, 3]),
    ("log-since-time", [1, 1, 1, 0]),
    ("lower-bound-of-v1-may-be-zero", [1, 0, 0, 0]),
    ("lower-bound-of-v1beta1-may-be-zero", [1, 0, 0, 0]),
    ("lower-bound-of-v1beta2-may-be-zero", [1, 0, 0, 0]),
    ("node-connections-are-of-nodes", [14, 14, 0, 0]),
    ("pod-connections-are-of-pods", [20, 20, 0, 0]),
    ("port-forward-ports-are-repeated", [1, 1, 1, 0]),
    ("scale-io-secret-may-be-null", [3, 1, 1, 0]),
    ("scale-io-volume-secret-may-be-null", [2, 1, 1, 0]),
    ("service-connections-are-of-services", [14, 14, 0, 0]),
    ("storage-version-message-may-be-absent", [1, 0, 0, 0]),
];

/// Entries for what no document here has: it was mended in 1.34, and documents of other groups are
/// absent for releases before.
const OLD: [&str; 3] = [
    "event-time-of-v1beta1-may-be-null",
    "network-policy-selector-may-be-absent",
    "stateful-set-service-name-may-be-absent",
];

/// Entries for members that only documents of custom resources lack.
const CUSTOM: [&str; 5] = [
    "collection-delete-options",
    "collection-dry-run",
    "collection-grace-period",
    "collection-orphan-dependents",
    "collection-propagation-policy",
];

#[test]
fn each_correction_changes_what_it_is_for() {
    let mut found: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    for (index, server) in SERVERS.iter().enumerate() {
        for fixup in &server.output().fixups {
            found.entry(fixup.id.clone()).or_default()[index] = fixup.places;
        }
    }
    let others = OLD.into_iter().chain(CUSTOM).map(|id| (id, [0; 4]));
    let expected: BTreeMap<String, [usize; 4]> =
        CHANGED.into_iter().chain(others).map(|(id, places)| (id.to_owned(), places)).collect();
    assert_eq!(found, expected);
}

/// The fields of an entry that matter here.
#[derive(Deserialize)]
struct Entry {
    id: String,
    schema: Option<String>,
    optional: Option<Vec<String>>,
}

/// Documents of old releases are corrected, too.
#[test]
fn corrections_of_old_documents_would_be_applied() {
    let text = places::text(&places::root().join("generator/fixups/other.yaml"));
    let entries: Vec<Entry> = serde_yaml::from_str(&text).expect("a list of corrections");
    for entry in entries.iter().filter(|entry| OLD.contains(&entry.id.as_str())) {
        let schema = entry.schema.as_ref().expect("a schema");
        let members = entry.optional.as_ref().expect("members");
        let schemas = json!({ schema: {"type": "object", "required": members} });
        let value = json!({"openapi": "3.0.0", "components": {"schemas": schemas}});
        let mut raws = [RawDocument { name: "old.json".to_owned(), value }];
        let applied = fixups::apply_shipped(&mut raws, &mut kapigen::error::Errors::default())
            .expect("they are read");
        let places = applied.iter().find(|fixup| fixup.id == entry.id).map(|fixup| fixup.places);
        assert_eq!(places, Some(members.len()), "{}", entry.id);
        assert_eq!(
            raws[0].value.pointer("/components/schemas").expect("it stays")[schema]["required"],
            json!([])
        );
    }
}
