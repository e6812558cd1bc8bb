//! Crates that are generated from the documents of the fake server.

use crate::clients::widgets;
use http::Request;
use kapigen::input::Input;
use kapigen::input::crates::RuntimeChoice;
use kapigen::{Build, Sources, diff, model};
use kapigen_fake::Server;
use kapigen_tests::folder::Folder;
use kapigen_tests::places;
use kapigen_tests::workspace::Workspace;
use openshift_api::jiff::Timestamp;
use serde_json::Value;
use std::path::Path;

/// The selection of the crate that the server serves, but for a type that none of its kinds reaches.
const GROUPS: &str = r#"
groups:
  - {group: "", version: v1, resources: [pods, endpoints, events]}
  - {group: coordination.k8s.io, version: v1, resources: [leases]}
  - {group: image.openshift.io, version: v1, module: image_v1, resources: [images]}
"#;

/// Differences between the crate that the server serves and one of its documents: item, change, part, and the reason.
const DIFFERENCES: &[(&str, &str, &str, &str)] =
    &[("core_v1::PodTemplateSpec", "removed", "", "no kind of the server reaches it")];

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
    folder.put("groups.yaml", GROUPS);
    let served = model(&places::sources()).unwrap_or_else(|errors| panic!("{errors}"));
    let sources = Input::folder(&folder.0).read().unwrap_or_else(|errors| panic!("{errors}"));
    let sources = Sources { shipped_fixups: true, ..sources };
    let published = model(&sources).unwrap_or_else(|errors| panic!("{errors}"));
    let changes = diff::diff(&served.api, &published.api);
    let found: Vec<_> = changes
        .iter()
        .map(|change| (change.item.path.as_str(), change.kind.as_str(), change.part.as_deref().unwrap_or_default()))
        .collect();
    let expected: Vec<_> = DIFFERENCES.iter().map(|(item, kind, part, _)| (*item, *kind, *part)).collect();
    assert_eq!(found, expected, "{changes:#?}");
}

#[test]
fn a_crate_of_documents_compiles() {
    let workspace = Workspace::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("pulled-crate"), &["api"]);
    let folder = Folder::new(env!("CARGO_TARGET_TMPDIR"), "published-to-compile");
    pull(&widgets().server, &folder);
    let build = Build::new(&folder.0, workspace.folder.join("api"));
    let build = build.runtime(RuntimeChoice::Folder(places::root().join("templates/runtime")));
    build.generate().unwrap_or_else(|errors| panic!("{errors}"));
    for function in ["core_v1/pods.rs", "coordination_v1/leases.rs", "example_com_v1/widgets.rs"] {
        assert!(places::text(&workspace.folder.join("api/src").join(function)).contains("pub fn patch("), "{function}");
    }
    _ = workspace.cargo(&["check", "--quiet"], "RUSTFLAGS");
}
