//! Servers that are newer than `spec/`: a parameter that no release had breaks no program.

use kapigen::Sources;
use kapigen::input::Input;
use kapigen::input::Source;
use kapigen_tests::places;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use test_support::workspace::Workspace;

/// The pages with compiled examples, and a program that they quote.
const PAGES: [&str; 4] =
    ["docs/types.md", "docs/changes.md", "docs/requests.md", "generated/README.md"];

/// The actions of operations that get the parameter.
const ACTIONS: [&str; 6] = ["list", "watch", "watchlist", "get", "delete", "deletecollection"];

/// The documents of `spec/`, with one more optional parameter on every operation that lists,
/// watches, reads or deletes.
fn newer() -> Sources {
    let root = places::root();
    let fixups = Some(root.join("generator/fixups/spec.yaml"));
    let mut sources = Input { fixups, ..Input::folder(root.join("spec")) }
        .read()
        .expect("the documents can be read");
    let parameter = json!({"name": "futureShard", "in": "query", "schema": {"type": "integer"}});
    let mut count = 0;
    for source in &mut sources.documents {
        let mut document: Value = serde_yaml::from_str(&source.text).expect("it is YAML");
        let paths =
            document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
        let operations = paths.filter_map(Value::as_object_mut).flat_map(|item| item.values_mut());
        for operation in operations {
            let action = operation["x-kubernetes-action"].as_str();
            if action.is_some_and(|action| ACTIONS.contains(&action)) {
                let object = operation.as_object_mut().expect("an operation is an object");
                let parameters =
                    object.entry("parameters").or_insert_with(|| json!([])).as_array_mut();
                parameters.expect("parameters are a list").push(parameter.clone());
                count += 1;
            }
        }
        *source = Source::new(source.name.clone(), document.to_string());
    }
    assert!(count > 30, "only {count} operations have the parameter");
    sources
}

#[test]
fn documented_programs_compile_with_a_parameter_that_no_release_has() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("newer");
    let workspace = Workspace::new(folder, &["openshift-api", "pages"]);
    let mut output = kapigen::generate(&newer()).unwrap_or_else(|errors| panic!("{errors}"));
    output.add_package(&places::package("openshift-api")).expect("it is a name");
    assert!(
        output.notes.iter().all(|note| !note.message.contains("parameter")),
        "{:?}",
        output.notes
    );
    output.tree.write(&workspace.folder.join("openshift-api")).expect("a crate can be written");

    let include = |index: usize, path: &Path| {
        format!("#[cfg(doctest)]\n#[doc = include_str!({path:?})]\npub struct Page{index};\n")
    };
    let pages =
        PAGES.iter().enumerate().map(|(index, page)| include(index, &places::root().join(page)));
    let program = places::root().join("tests/consumer/examples/add_sidecar.rs");
    let text = format!(
        "{}#[allow(dead_code)]\n#[path = {program:?}]\npub mod program;\n",
        pages.collect::<String>()
    );
    let templates = places::root().join("templates");
    let manifest = format!(
        "[package]\nname = \"pages\"\nversion = \"0.0.0\"\nedition = \
         \"2024\"\n\n[dependencies]\nkapigen-client = {{ path = {:?} }}\nkapigen-fake = {{ path = \
         {:?}, features = [\"tower\"] }}\nopenshift-api = {{ path = \"../openshift-api\", \
         features = [\"change\", \"documents\", \"machines\", \"route\"] }}\nserde_json = \"1\"\n",
        templates.join("client"),
        templates.join("fake")
    );
    let package = workspace.folder.join("pages");
    fs::create_dir_all(package.join("src")).expect("a folder can be made");
    fs::write(package.join("Cargo.toml"), manifest).expect("a file can be written");
    fs::write(package.join("src/lib.rs"), text).expect("a file can be written");
    let output = workspace.cargo(&["test", "--package", "pages", "--doc", "--quiet"], "RUSTFLAGS");
    assert!(output.contains("test result: ok. 1"), "{output}");
}
