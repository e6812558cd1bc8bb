//! The releases that `spec/` stands for: it differs from the documents of the release that it names
//! in nothing, and from others in exactly what is listed here.

use super::documents::{Documents, closure};
use kapigen_tests::places;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The resources that the documents of all releases have.
const RESOURCES: [&str; 4] = ["pods", "endpoints", "events", "leases"];
/// The documents of each release.
const DOCUMENTS: [&str; 2] = ["api/v1.json", "apis/coordination.k8s.io/v1.json"];
/// The list of differences, with a section for each release.
const LIST: &str = "tests/tests/documents/spec/releases.txt";

/// Properties, query parameters and paths.
fn parts(documents: &Documents) -> BTreeSet<String> {
    let of_ours = |path: &str| {
        let is_core = !path.starts_with("/apis/events.k8s.io/");
        is_core && path.split('/').any(|part| RESOURCES.contains(&part))
    };
    let operations = documents.operations(of_ours);
    let mut parts = BTreeSet::new();
    for (path, item) in &operations {
        for (method, operation) in item.as_object().into_iter().flatten() {
            let method = method.to_uppercase();
            parts.insert(format!("{method} {path}"));
            parts.extend(parameters(&method, operation));
        }
    }
    parts.extend(properties(&documents.schemas(), operations));
    parts
}

/// The query parameters of an operation, by its method: most of them are the same for all paths.
fn parameters(method: &str, operation: &Value) -> impl Iterator<Item = String> {
    let all = operation["parameters"].as_object().into_iter().flatten();
    all.filter_map(move |(key, _)| Some(format!("{method} ?{}", key.strip_prefix("query:")?)))
}

/// The properties of the schemas that operations reach.
fn properties(
    schemas: &BTreeMap<String, Value>,
    operations: Map<String, Value>,
) -> BTreeSet<String> {
    let reached = closure(schemas, &operations.into(), &[]);
    let reached = reached.iter().filter_map(|name| Some((name, schemas.get(name)?)));
    let of = |(name, schema): (&String, &Value)| {
        let name = name.rsplit('.').next().unwrap_or_default().to_owned();
        let all = schema["properties"].as_object().cloned().unwrap_or_default();
        all.into_iter().map(move |(property, _)| format!("{name}.{property}"))
    };
    reached.flat_map(of).collect()
}

/// The documents of a release.
fn published(release: &str) -> Documents {
    let folder = places::data(&format!("kubernetes-{release}"));
    let read = |name: &&str| {
        serde_json::from_str(&places::text(&folder.join(name))).expect("servers publish JSON")
    };
    Documents(DOCUMENTS.iter().map(|name| ((*name).to_owned(), read(name))).collect())
}

/// A line for each difference: `-` for an item that a release lacks, `+` for an additional one.
fn differences(release: &str) -> String {
    let ours = parts(&Documents::ours());
    let theirs = parts(&published(release));
    let lacks = ours.difference(&theirs).map(|part| format!("- {part}\n"));
    let has_more = theirs.difference(&ours).map(|part| format!("+ {part}\n"));
    format!("Kubernetes {release}\n{}", lacks.chain(has_more).collect::<String>())
}

#[test]
fn differences_from_each_release_are_known() {
    let found = ["1.23", "1.27", "1.34", "1.36"].map(differences).join("\n");
    let list = places::root().join(LIST);
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        kapigen::tree::replace(&list, &found).expect("the list can be written");
    }
    assert_eq!(found, places::text(&list), "BLESS=1 writes {LIST} anew");
}

#[test]
fn the_stated_release_is_the_one_without_differences() {
    let [(name, version)] = openshift_api::RELEASES else {
        panic!("{:?}", openshift_api::RELEASES)
    };
    let list = places::text(&places::root().join(LIST));
    let without: Vec<&str> =
        list.split("\n\n").filter(|section| section.trim().lines().count() == 1).collect();
    assert_eq!(
        without.iter().map(|section| section.trim()).collect::<Vec<_>>(),
        [format!("{name} {version}")]
    );
}

#[test]
fn documents_name_the_stated_release() {
    let [(name, version)] = openshift_api::RELEASES else {
        panic!("{:?}", openshift_api::RELEASES)
    };
    for document in ["README.md", "generated/README.md"] {
        let text = places::text(&places::root().join(document)).replace('\n', " ");
        assert!(
            text.contains(&format!("{name} {version}")),
            "{document} does not name {name} {version}"
        );
    }
}
