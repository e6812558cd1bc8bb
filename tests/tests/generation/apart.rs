//! Resources with a feature of their own: the crate has what they need with that feature only.

use kapigen::input::{Existing, Source};
use kapigen::{Output, Sources};
use kapigen_tests::places;

/// Sources of `spec/` with another selection.
fn selected(groups: &str) -> Sources {
    Sources { groups: Some(Source::new("groups.yaml", groups)), ..places::sources() }
}

#[test]
fn what_only_a_resource_apart_needs_is_behind_its_feature() {
    let groups = "groups:\n  - group: ''\n    version: v1\n    resources: [pods]\n    apart: \
                  [services, serviceaccounts]\n";
    let output = kapigen::generate(&selected(groups)).unwrap_or_else(|errors| panic!("{errors}"));
    let needs = |feature: &str| output.features[feature].join(" ");
    assert_eq!(needs("core_v1"), "policy_v1");
    assert_eq!(needs("core_v1_services"), "core_v1");
    assert_eq!(needs("core_v1_serviceaccounts"), "authentication_v1 core_v1");
    let text = |path: &str| {
        let file = output.tree.iter().find(|(found, _)| *found == path);
        file.unwrap_or_else(|| panic!("no {path}")).1
    };
    let types = text("src/core_v1/types/mod.rs");
    assert!(types.contains("#[cfg(feature = \"core_v1_services\")]\nmod service_spec;"), "{types}");
    assert!(types.contains("\nmod pod;") && !types.contains("]\nmod pod;"), "{types}");
    // Pods reach it, too.
    assert!(!types.contains("]\nmod local_object_reference;"), "{types}");
    assert!(text("src/core_v1/mod.rs").contains("_services\")]\npub mod services;"));
    // Documents follow the features, too: a server for tests has the kinds of its documents.
    let base = text("src/documents/core_v1.json");
    assert!(
        base.contains("/pods\":") && !base.contains("/services") && !base.contains("ServiceSpec")
    );
    let own = text("src/documents/core_v1_services.json");
    assert!(own.contains("/services\":") && !own.contains("/pods") && own.contains("ServiceSpec"));
    let root = text("src/lib.rs");
    let entry = "#[cfg(feature = \"core_v1_services\")]\n    (\"api/v1\", \
                 include_str!(\"documents/core_v1_services.json\")),";
    assert!(root.contains(entry), "{root}");
    let index = text("src/index.json");
    assert!(index.contains("\"feature\":\"core_v1_services\",\"name\":\"ServiceSpec\""), "{index}");
    assert!(!index.contains("\"feature\":\"core_v1\""), "{index}");
}

#[test]
fn unknown_resources_apart_are_refused() {
    let groups = "groups:\n  - group: ''\n    version: v1\n    resources: [pods]\n    apart: \
                  [service]\n";
    let errors = kapigen::generate(&selected(groups)).expect_err("there is no such resource");
    let text = errors.to_string();
    assert!(text.contains("`v1` has no resource `service`"), "{text}");
    assert!(text.contains("did you mean `services`?"), "{text}");
}

/// A run over the crate of an earlier one.
fn over(output: &Output, groups: &str) -> Output {
    let file = |(path, text): (&str, &str)| {
        path.starts_with("src/documents/").then(|| Source::new(path, text))
    };
    let documents = output.tree.iter().filter_map(file).collect();
    let interface = output.tree.iter().find(|(path, _)| *path == "src/interface.json");
    let interface = interface.map(|(path, text)| Source::new(path, text));
    let existing = Existing { documents, interface, ..Existing::default() };
    let sources = Sources { existing: Some(existing), ..selected(groups) };
    kapigen::generate(&sources).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn crates_keep_their_interface_when_a_resource_comes_apart() {
    let pods = "groups:\n  - {group: '', version: v1, resources: [pods]";
    let first = kapigen::generate(&selected(&format!("{pods}}}\n")));
    let first = first.unwrap_or_else(|errors| panic!("{errors}"));
    let groups = format!("{pods}, apart: [services]}}\n");
    let second = over(&first, &groups);
    assert!(second.features.contains_key("core_v1_services"));
    let files = |output: &Output| -> Vec<(String, String)> {
        output.tree.iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect()
    };
    assert_eq!(files(&over(&second, &groups)), files(&second));
}
