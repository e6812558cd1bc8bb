//! The program of the documentation that applies a folder of manifests.

use crate::examples::{Config, Program, cluster};
use kapigen_fake::Server;
use serde_json::{Value, json};
use std::path::PathBuf;

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// Adds the operations of a cluster-scoped kind.
fn add(server: &Server, collection: &str, group: &str, kind: &str) {
    let kind = json!({"group": group, "version": "v1", "kind": kind});
    let operation = json!({"x-kubernetes-group-version-kind": kind});
    let object =
        json!({"get": operation, "put": operation, "patch": operation, "delete": operation});
    server.add_document(&json!({"paths": {
        collection: {"get": operation, "post": operation},
        format!("{collection}/{{name}}"): object,
        format!("{collection}/{{name}}/status"): object,
    }}));
}

/// A folder with a file of manifests. It is removed when this is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("apply-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("all.yaml"), text).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The exit code, the lines of the output, and the lines of errors without the path of the folder.
fn apply(folder: &Folder, arguments: &[&str], config: &Config) -> (i32, Vec<String>, Vec<String>) {
    let path = folder.0.to_string_lossy();
    let (code, output, errors) = Program::run("apply", &[&[&*path], arguments].concat(), config);
    let lines = |text: String| text.lines().map(str::to_owned).collect();
    (
        code,
        lines(output),
        lines(errors.replace(&format!("{path}{}", std::path::MAIN_SEPARATOR), "")),
    )
}

const FOLDER: &str = "
apiVersion: example.com/v1
kind: Star
metadata: {name: sun, namespace: sky}
spec: {size: 3}
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: lead}
spec: {holderIdentity: a}
---
---
apiVersion: v1
kind: List
items:
- apiVersion: apiextensions.k8s.io/v1
  kind: CustomResourceDefinition
  metadata: {name: stars.example.com}
  spec:
    group: example.com
    scope: Namespaced
    names: {kind: Star, plural: stars}
    versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object,
        properties: {spec: {type: object, properties: {size: {type: integer}}}}}}}
- {apiVersion: v1, kind: Namespace, metadata: {name: sky}}
";

#[test]
fn a_folder_is_applied_as_kubectl_does() {
    let (server, _listening, config) = cluster();
    add(&server, DEFINITIONS, "apiextensions.k8s.io", "CustomResourceDefinition");
    add(&server, "/api/v1/namespaces", "", "Namespace");
    server
        .seed([json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}})])
        .unwrap();
    let folder = Folder::new("folder", FOLDER);
    let words = |star: &str, others: &str| {
        [
            ("Namespace sky", others),
            ("CustomResourceDefinition stars.example.com", others),
            ("Star sun", star),
        ]
        .into_iter()
        .chain([("Lease lead", others)])
        .map(|(object, word)| format!("{object} {word}"))
        .collect::<Vec<_>>()
    };
    // Nothing is stored, so that the server has no stars.
    let (code, lines, errors) = apply(&folder, &["--dry-run=server"], &config);
    let unknown = "all.yaml:2:1: the server has no resource `Star of example.com/v1`";
    assert_eq!((code, errors), (1, vec![unknown.to_owned()]));
    let created = [
        "Namespace sky created",
        "CustomResourceDefinition stars.example.com created",
        "Lease lead created",
    ];
    assert_eq!(lines, created);
    assert!(server.get_json("v1", "Namespace", "", "sky").is_none());
    // Discovery runs again for unknown kinds, since they may exist by now.
    let before = server.requests().len();
    assert_eq!(apply(&folder, &[], &config), (0, words("created", "created"), Vec::new()));
    let discovered =
        |request: &&openshift_api::http::Request<bytes::Bytes>| request.uri().path() == "/apis";
    assert_eq!(server.requests()[before..].iter().filter(discovered).count(), 2);
    assert_eq!(apply(&folder, &[], &config), (0, words("unchanged", "unchanged"), Vec::new()));
    let larger = Folder::new("larger", &FOLDER.replace("size: 3", "size: 4"));
    assert_eq!(
        apply(&larger, &["--dry-run=server"], &config),
        (0, words("configured", "unchanged"), Vec::new())
    );
    let size = || -> Value {
        server.get_json("example.com/v1", "Star", "sky", "sun").unwrap()["spec"]["size"].clone()
    };
    assert_eq!(size(), 3);
    assert_eq!(apply(&larger, &[], &config), (0, words("configured", "unchanged"), Vec::new()));
    assert_eq!(size(), 4);
    let lease = server.get_json("coordination.k8s.io/v1", "Lease", "default", "lead").unwrap();
    assert_eq!(lease["spec"], json!({"holderIdentity": "a"}));
}

#[test]
fn nothing_is_applied_of_manifests_with_an_error() {
    let (server, _listening, config) = cluster();
    let text = "apiVersion: v1\nmetadata: {name: a}\n---\nkind: Lease\napiVersion: \
                coordination.k8s.io/v1\nkind: Lease\n";
    let (code, lines, errors) = apply(&Folder::new("invalid", text), &[], &config);
    assert_eq!((code, lines.len()), (1, 0), "{lines:?}");
    assert!(
        errors.concat().contains("has no `kind`") && errors.concat().contains("is `---` missing"),
        "{errors:?}"
    );
    assert!(server.requests().is_empty());
    // One object that the server refuses, or that has no name, is an error among others.
    let lease = |name: &str| {
        format!("---\nkind: Lease\napiVersion: coordination.k8s.io/v1\nmetadata: {{{name}}}\n")
    };
    let text = [lease("name: A_B"), lease(""), lease("name: b")].concat();
    let (code, lines, errors) = apply(&Folder::new("refused", &text), &[], &config);
    assert_eq!((code, lines), (1, vec!["Lease b created".to_owned()]));
    assert!(
        errors.len() == 2
            && errors[0].starts_with("all.yaml:2:1: ")
            && errors[1].starts_with("all.yaml:6:1: "),
        "{errors:?}"
    );
}
