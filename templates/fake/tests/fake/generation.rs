//! Crates that are generated from the documents of the fake server.

use crate::clients::widgets;
use crate::testing::{get, send, time, whole};
use http::{Method, Request, StatusCode};
use kapigen::input::crates::RuntimeChoice;
use kapigen::input::{Input, Source};
use kapigen::{Build, Sources, diff, model};
use kapigen_fake::Server;
use openshift_api::jiff::Timestamp;
use serde_json::{Value, json};
use std::path::Path;
use test_support::folder::Folder;
use test_support::places;
use test_support::workspace::Workspace;

/// Writes the documents of the server, as `kapigen pull` does.
fn pull(server: &Server, folder: &Folder) {
    let get = |path: &str| {
        let request = Request::get(path).body("").expect("a request");
        let body = server.handle(request, Timestamp::UNIX_EPOCH).response.into_body().into_whole();
        serde_json::from_slice::<Value>(&body.expect("no stream")).expect("JSON")
    };
    let index = get("/openapi/v3");
    for (path, entry) in index["paths"].as_object().expect("paths") {
        let document = get(entry["serverRelativeURL"].as_str().expect("a URL"));
        folder.put(&format!("{path}.json"), &document.to_string());
    }
}

#[test]
fn documents_give_the_crate_that_is_served() {
    let folder = Folder::new(env!("CARGO_TARGET_TMPDIR"), "published");
    pull(&Server::new(&[openshift_api::DOCUMENTS]), &folder);
    let root = places::root();
    folder.put("groups.yaml", &places::text(&root.join("spec/groups.yaml")));
    let spec =
        Input { fixups: Some(root.join(places::FIXUPS)), ..Input::folder(root.join("spec")) };
    let spec = spec.read().unwrap_or_else(|errors| panic!("{errors}"));
    let served = model(&spec).unwrap_or_else(|errors| panic!("{errors}"));
    let sources = Input::folder(&folder.0).read().unwrap_or_else(|errors| panic!("{errors}"));
    let sources = Sources { shipped_fixups: true, ..sources };
    let published = model(&sources).unwrap_or_else(|errors| panic!("{errors}"));
    let changes = diff::diff(&served.api, &published.api);
    assert!(changes.is_empty(), "{changes:#?}");
}

/// A crate of definitions has all that a server needs for its kinds: in its documents, and in its
/// definitions.
#[test]
fn crates_of_definitions_are_served_as_custom() {
    let text = places::text(&places::root().join("tests/cases/deprecated-versions/crds.yaml"));
    let documents = vec![Source::new("crds.yaml", text)];
    let crate_of = kapigen::generate(&Sources { documents, ..Sources::default() });
    let files = crate_of.unwrap_or_else(|errors| panic!("{errors}")).tree;
    let below =
        |folder: &'static str| files.iter().filter(move |(path, _)| path.starts_with(folder));
    let [of_documents, of_definitions] = [Server::new(&[]), Server::new(&[])];
    for (path, text) in below("src/documents/") {
        let document: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(document["info"]["title"], "Kubernetes CRD Swagger", "{path}");
        of_documents.add_document(&document);
    }
    let texts: Vec<_> = below("src/definitions/").collect();
    of_definitions.add_definitions(&texts).expect("definitions");
    for server in [of_documents, of_definitions] {
        let path = "/apis/example.com/v1beta1/namespaces/sky/stars";
        let star = json!({
            "apiVersion": "example.com/v1beta1", "kind": "Star", "metadata": {"name": "sun"},
            "spec": {"unknown": 1, "mass": 5},
        });
        let (code, created) = send(&server, Method::POST, path, &star);
        assert_eq!(
            (code, &created["spec"]),
            (StatusCode::CREATED, &json!({"mass": 5})),
            "{created}"
        );
        let strategic = Request::patch(format!("{path}/sun"))
            .header("content-type", "application/strategic-merge-patch+json");
        let strategic = strategic.body(b"{}".to_vec()).expect("a request");
        assert_eq!(whole(server.handle(strategic, time(0))).0, StatusCode::UNSUPPORTED_MEDIA_TYPE);
        assert_eq!(get(&server, "/apis/example.com/v1/namespaces/sky/stars").0, StatusCode::OK);
    }
}

#[test]
fn a_crate_of_documents_compiles() {
    let workspace =
        Workspace::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("pulled-crate"), &["api"]);
    let folder = Folder::new(env!("CARGO_TARGET_TMPDIR"), "published-to-compile");
    pull(&widgets().server, &folder);
    let build = Build::new(&folder.0, workspace.folder.join("api"));
    let build = build.runtime(RuntimeChoice::Folder(places::root().join("templates/runtime")));
    build.generate().unwrap_or_else(|errors| panic!("{errors}"));
    for function in
        ["core_v1/pods/mod.rs", "coordination_v1/leases.rs", "example_com_v1/widgets.rs"]
    {
        assert!(
            places::text(&workspace.folder.join("api/src").join(function))
                .contains("pub fn patch("),
            "{function}"
        );
    }
    _ = workspace.cargo(&["check", "--quiet"], "RUSTFLAGS");
}
