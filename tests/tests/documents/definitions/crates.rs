//! The crate of definitions is the crate of the documents that a server published for them, byte by
//! byte.

use super::{Generated, generate};
use kapigen::input::Source;
use kapigen::input::index::{ExternCrate, Index};
use kapigen::model::Role;
use kapigen::{Output, Sources};
use kapigen_definitions::{Definition, documents};
use kapigen_tests::places;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The packages of schemas that every document has.
const SHARED: [&str; 2] = ["io.k8s.api.", "io.k8s.apimachinery."];

/// The document of a server with our descriptions, which the data does not have, and our schemas of
/// metadata: the server lists the groups that it has built in.
fn comparable(mut document: Value, ours: &Value) -> Value {
    describe(&mut document, ours);
    let schemas = document["components"]["schemas"].as_object_mut().unwrap();
    let is_shared = |name: &String| SHARED.iter().any(|package| name.starts_with(package));
    schemas.retain(|name, _| !is_shared(name));
    let shared = ours["components"]["schemas"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(name, _)| is_shared(name));
    schemas.extend(shared.map(|(name, schema)| (name.clone(), schema.clone())));
    document
}

/// Adds our descriptions at the same places. Parameters have names in place of an order.
fn describe(document: &mut Value, ours: &Value) {
    match (document, ours) {
        (Value::Object(members), Value::Object(ours)) => {
            for (name, ours) in ours {
                match members.get_mut(name) {
                    _ if name == "description" && ours.is_string() => {
                        members.insert(name.clone(), ours.clone());
                    }
                    Some(member) => describe(member, ours),
                    None => {}
                }
            }
        }
        (Value::Array(elements), Value::Array(ours)) => {
            for (index, element) in elements.iter_mut().enumerate() {
                let named = ours.iter().find(|ours| ours["name"] == element["name"]);
                let same = if element["name"].is_string() { named } else { ours.get(index) };
                if let Some(ours) = same {
                    describe(element, ours);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn crates_of_definitions_are_those_of_documents() {
    for Generated { path, output: of_definitions } in Generated::of_projects() {
        let project = path.parent().expect("a file is in a folder");
        let manifests = super::manifests(project);
        let definitions: Vec<_> =
            manifests.iter().map(|manifest| Definition::read(manifest).unwrap()).collect();
        let published = documents(&definitions).into_iter().map(|ours| {
            let path = format!("documents/{}-{}.json", ours.group(), ours.version());
            let theirs = serde_json::from_str(&places::text(&project.join(path))).unwrap();
            // Named as kapigen names those that it makes.
            let name = format!("{}/{}", ours.group(), ours.version());
            Source::new(name, comparable(theirs, ours.value()).to_string())
        });
        let of_documents = generate(published.collect());
        assert_eq!(of_definitions.manifests.definitions, manifests.len());
        let files = |output: &Output| {
            output.tree.iter().map(|(path, _)| path.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(files(of_definitions), files(&of_documents), "{}", project.display());
        for ((path, ours), (_, theirs)) in of_definitions.tree.iter().zip(of_documents.tree.iter())
        {
            let difference = ours.lines().zip(theirs.lines()).find(|(ours, theirs)| ours != theirs);
            assert!(ours == theirs, "{}: {path}: {difference:?}", project.display());
        }
        let messages = |output: &Output| {
            output.notes.iter().map(|note| note.message.clone()).collect::<Vec<_>>()
        };
        assert_eq!(messages(of_definitions), messages(&of_documents), "{}", project.display());
        for note in &of_definitions.notes {
            assert!(note.location.inline().starts_with("definitions.yaml:"), "{note}");
        }
    }
}

#[test]
fn definitions_add_their_texts_and_deprecations_alone() {
    let text = places::text(&places::root().join("tests/cases/deprecated-versions/crds.yaml"));
    let documents = vec![Source::new("crds.yaml", text)];
    let without = generate(documents.clone());
    let others: BTreeMap<_, _> = without.tree.iter().collect();
    let sources = Sources { documents, shipped_fixups: true, ..Sources::default() };
    let with = kapigen::generate(&sources).unwrap_or_else(|errors| panic!("{errors}"));
    let mut added = Vec::new();
    let mut deprecated = Vec::new();
    for (path, text) in with.tree.iter().filter(|(path, _)| *path != "src/lib.rs") {
        if path.starts_with("src/definitions/") {
            let installed: Value = serde_json::from_str(text).unwrap();
            assert_eq!(kapigen_definitions::refusals(&installed), [], "{path}");
            added.push(path);
            continue;
        }
        let rest: String = text
            .split_inclusive('\n')
            .filter(|line| !line.starts_with("#[deprecated(note = "))
            .collect();
        assert_eq!(rest, others[path], "{path}");
        if rest != text {
            deprecated.push(path);
        }
    }
    assert_eq!(
        added,
        ["src/definitions/planets_example_com.json", "src/definitions/stars_example_com.json"]
    );
    let modules = ["src/example_com_v1alpha1", "src/example_com_v1beta1"];
    let marked =
        modules.map(|module| [format!("{module}/mod.rs"), format!("{module}/types/star.rs")]);
    assert_eq!(deprecated, marked.as_flattened());
    assert_eq!(with.tree.iter().count(), others.len() + added.len());
}

/// A definition over another crate: a nested schema is a type of that one, and its module a feature
/// of it.
#[test]
fn definitions_use_types_of_other_crates() {
    let manifest = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "stars.example.com"},
        "spec": {
            "group": "example.com", "scope": "Cluster", "names": {"plural": "stars", "kind": "Star"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object",
                "properties": {"secret": {"type": "object", "properties": {"name": {"type": "string"}}}},
            }}}],
        },
    });
    let index =
        Source::new("index.json", places::text(&places::root().join("generated/src/index.json")));
    let other = ExternCrate {
        package: "openshift-api".to_owned(),
        index: Index::parse(&index).unwrap(),
        documents: Vec::new(),
    };
    let groups = json!({
        "groups": [{"group": "example.com", "version": "v1"}],
        "same-as": {"com.example.v1.Star/properties/secret": "io.k8s.api.core.v1.LocalObjectReference"},
    });
    let sources = Sources {
        documents: vec![Source::new("crd.json", manifest.to_string())],
        groups: Some(Source::new("groups.yaml", groups.to_string())),
        externs: vec![other],
        ..Sources::default()
    };
    let output = kapigen::generate(&sources).unwrap_or_else(|errors| panic!("{errors}"));
    let files: BTreeMap<_, _> = output.tree.iter().collect();
    assert!(
        files["src/example_com_v1/types/star.rs"]
            .contains("openshift_api::core_v1::LocalObjectReference")
    );
    assert_eq!(output.features["example_com_v1"], ["openshift-api/core_v1"]);
    assert_eq!(output.notes, []);
}

/// The types of a crate that are resources.
fn resources(output: &Output) -> Vec<String> {
    let is_resource = |role: &Role| matches!(role, Role::Resource { .. });
    let types = output
        .api
        .types()
        .filter(|(_, def)| def.kind.as_ref().is_some_and(|kind| is_resource(&kind.role)));
    types.map(|(id, _)| id.name).collect()
}

/// For a schema that is absent or not structural a server publishes `type: object`, without
/// metadata.
#[test]
fn kinds_without_published_members_are_resources() {
    let manifest = |plural: &str, kind: &str, schema: Value| {
        json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "spec": {
                "group": "example.com", "scope": "Cluster", "names": {"plural": plural, "kind": kind},
                "versions": [{"name": "v1", "served": true, "storage": true, "schema": schema}],
            },
        })
    };
    let open = json!({"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}});
    let manifests = [manifest("bares", "Bare", json!({})), manifest("opens", "Open", open)];
    let definitions: Vec<_> =
        manifests.iter().map(|manifest| Definition::read(manifest).unwrap()).collect();
    let given = manifests.iter().map(|manifest| {
        Source::new(manifest["spec"]["names"]["kind"].as_str().unwrap(), manifest.to_string())
    });
    let of_definitions = generate(given.collect());
    let published = documents(&definitions).remove(0).into_value();
    let of_documents = generate(vec![Source::new("example.com/v1", published.to_string())]);
    assert_eq!(resources(&of_definitions), ["Bare", "Open"]);
    assert_eq!(
        of_definitions.tree.iter().collect::<Vec<_>>(),
        of_documents.tree.iter().collect::<Vec<_>>()
    );
    // Servers publish no schema of metadata where nothing refers to it.
    let mut bare = documents(&definitions[..1]).remove(0).into_value();
    let schemas = bare["components"]["schemas"].as_object_mut().unwrap();
    assert!(schemas.remove("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta").is_some());
    assert_eq!(resources(&generate(vec![Source::new("v1.json", bare.to_string())])), ["Bare"]);
}

#[test]
fn definitions_that_no_server_takes_become_crates() {
    for Generated { path, output } in Generated::of_odd_ones() {
        assert!(
            output.manifests.definitions > 0 && output.api.types().count() > 5,
            "{}",
            path.display()
        );
        let types = output.api.types().map(|(id, _)| id.name.len()).max();
        assert!(types <= Some(200), "{types:?}");
    }
}
