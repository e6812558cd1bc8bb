//! The documents of a crate: they generate the same crate again, except for its documentation.

use kapigen::input::crates::Crates;
use kapigen::input::{Input, Source};
use kapigen::{Output, Sources};
use kapigen_tests::cases;
use kapigen_tests::places::{self, log};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[test]
fn openshift_api_is_a_fixed_point() {
    assert_fixed_point(&places::sources());
}

#[test]
fn all_of_kubernetes_is_a_fixed_point() {
    let sources = read(&places::data("kubernetes-1.34"));
    let documents = assert_fixed_point(&sources);
    let bytes: usize = documents.iter().map(|document| document.text.len()).sum();
    log(&format!("all of Kubernetes 1.34: {} documents, {bytes} bytes", documents.len()));
}

/// A resource of 1.34 with objects of another group inside its own.
const STATEFUL_SETS: &str = "groups: [{group: apps, version: v1, resources: [statefulsets]}]";

#[test]
fn kinds_of_resources_that_are_not_selected_stay_what_they_are() {
    let groups = Some(Source::new("groups.yaml", STATEFUL_SETS));
    let documents =
        assert_fixed_point(&Sources { groups, ..read(&places::data("kubernetes-1.34")) });
    let [Source { text, .. }] = documents.as_slice() else {
        panic!("one document: {}", documents.len())
    };
    assert!(text.contains(
        "\"x-kapigen-resource\":{\"plural\":\"persistentvolumeclaims\",\"namespaced\":true}"
    ));
}

#[test]
fn documents_that_grow_without_bound_are_refused() {
    let wide: Vec<_> =
        (0..2_000).map(|number| format!("p{number:0900}: {{type: string}}, ")).collect();
    let wide = wide.concat();
    let spec = |number: usize| {
        format!(
            "openapi: 3.0.3\npaths:\n  /apis/g{number}.example.com/v1/things:\n    get:\n      \
             responses:\n        '200': {{description: '', content: {{application/json: {{schema: \
             {{$ref: 'wide.yaml#/components/schemas/Wide'}}}}}}}}\n"
        )
    };
    let mut documents: Vec<Source> =
        (0..40).map(|number| Source::new(format!("g{number}.yaml"), spec(number))).collect();
    let schemas = format!(
        "components: {{schemas: {{Wide: {{type: object, x-kubernetes-preserve-unknown-fields: \
         true, properties: {{{wide}}}}}}}}}"
    );
    documents.push(Source::new("wide.yaml", format!("openapi: 3.0.3\npaths: {{}}\n{schemas}\n")));
    let errors = kapigen::generate(&Sources { documents, ..Sources::default() })
        .expect_err("they would have 75 MB");
    let expected =
        "error: the documents of the crate would have more than 67108864 bytes together\n";
    assert!(errors.to_string().starts_with(expected), "{errors}");
}

#[test]
fn a_crate_over_another_is_a_fixed_point() {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("externs/spec");
    let documents = assert_fixed_point(&over_openshift(read(&spec)));
    assert!(!documents.is_empty());
    for Source { name, text } in documents {
        assert!(
            text.contains("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta\":{"),
            "{name} has no metadata"
        );
    }
}

#[test]
fn real_custom_resources_over_another_crate_are_a_fixed_point() {
    assert_fixed_point(&over_openshift(read(&places::data("crds/keda"))));
}

/// Cases with documents that do not reproduce the crate, with reasons.
const EXCEPTIONS: [(&str, &str); 2] = [
    ("awkward-names", "schemas without package or path are in a module named after their document"),
    (
        "clashing-types",
        "schemas without package or path are in a module named after their document",
    ),
];

#[test]
fn all_other_cases_are_fixed_points() {
    for case in cases::all("cases") {
        let found = difference(&case.with_meta()).1;
        match EXCEPTIONS.iter().find(|(name, _)| *name == case.name) {
            None => assert_eq!(found, None, "{}", case.name),
            Some((name, reason)) => {
                assert!(found.is_some(), "{name} is not an exception any more: {reason}");
            }
        }
    }
}

#[test]
fn each_document_stands_alone() {
    let sources = [
        places::sources(),
        cases::all("cases")
            .into_iter()
            .find(|case| case.name == "several-documents")
            .expect("the case is there")
            .with_meta(),
    ];
    for Source { name, text } in sources.iter().flat_map(|sources| documents(&generate(sources))) {
        let document: Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        each_object(&document, &mut |object| {
            if let Some(Value::String(reference)) = object.get("$ref") {
                let target =
                    reference.strip_prefix('#').and_then(|pointer| document.pointer(pointer));
                assert!(target.is_some(), "{name}: {reference}");
            }
            // A property may be called so, and has a schema then.
            let description = object.get("description").and_then(Value::as_str).unwrap_or_default();
            assert_eq!(description, "", "{name}");
        });
    }
}

#[test]
fn a_crate_has_the_documents_of_its_features() {
    // Of core: the module, and seven resources with features that tests enable.
    let count =
        |wanted: &str| openshift_api::DOCUMENTS.iter().filter(|(path, _)| *path == wanted).count();
    let paths = ["api/v1", "apis/coordination.k8s.io/v1", "apis/image.openshift.io/v1"];
    assert_eq!(paths.map(count), [8, 1, 3]);
    for (path, text) in openshift_api::DOCUMENTS {
        let document: Value =
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let paths: Vec<&String> = document["paths"].as_object().expect("paths").keys().collect();
        assert!(
            !paths.is_empty() && paths.iter().all(|below| below.starts_with(&format!("/{path}/"))),
            "{paths:?}"
        );
    }
}

fn each_object(value: &Value, visit: &mut dyn FnMut(&Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            visit(object);
            object.values().for_each(|member| each_object(member, visit));
        }
        Value::Array(elements) => elements.iter().for_each(|element| each_object(element, visit)),
        _ => {}
    }
}

fn read(folder: &Path) -> Sources {
    let sources = Input::folder(folder).read().unwrap_or_else(|errors| panic!("{errors}"));
    Sources { shipped_fixups: true, ..sources }
}

fn over_openshift(sources: Sources) -> Sources {
    let folder = places::root().join("generated");
    let Crates { index, externs, .. } = Crates::read(Path::new("over-openshift"), None, &[folder])
        .unwrap_or_else(|errors| panic!("{errors}"));
    Sources {
        runtime: index,
        externs: externs.into_iter().map(|(found, _)| found).collect(),
        ..sources
    }
}

fn assert_fixed_point(sources: &Sources) -> Vec<Source> {
    let (documents, found) = difference(sources);
    assert_eq!(found, None);
    documents
}

/// The documents of a crate, and the difference of the crate that is generated from them with the
/// same selection and without corrections.
fn difference(sources: &Sources) -> (Vec<Source>, Option<String>) {
    // A server does not publish definitions in its documents.
    let once = generate(&Sources { without_definitions: true, ..sources.clone() });
    let documents = documents(&once);
    if documents.is_empty() {
        return (documents, None);
    }
    let again =
        generate(&Sources { documents: documents.clone(), fixups: None, ..sources.clone() });
    let ids = |output: &Output| -> BTreeSet<String> {
        output
            .fixups
            .iter()
            .filter(|fixup| fixup.places > 0)
            .map(|fixup| fixup.id.clone())
            .collect()
    };
    let repeated: Vec<_> = ids(&once).intersection(&ids(&again)).cloned().collect();
    assert!(repeated.is_empty(), "applied a second time: {repeated:?}");
    let [once, again] = [&once, &again].map(code);
    let paths: BTreeSet<&String> = once.keys().chain(again.keys()).collect();
    let [before, after] =
        [&once, &again].map(|files| |path: &str| files.get(path).map_or("", String::as_str));
    let changed = paths.into_iter().find(|path| before(path) != after(path));
    let found = changed.map(|path| {
        let diff = similar::TextDiff::from_lines(before(path), after(path));
        format!("{path}:\n{}", diff.unified_diff())
    });
    (documents, found)
}

fn generate(sources: &Sources) -> Output {
    kapigen::generate(sources).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The documents of a crate, as files of a folder.
fn documents(output: &Output) -> Vec<Source> {
    let files = output
        .tree
        .iter()
        .filter_map(|(path, text)| Some((path.strip_prefix("src/documents/")?, text)));
    files.map(|(name, text)| Source::new(name, text)).collect()
}

/// The files without comments: headers name documents.
fn code(output: &Output) -> BTreeMap<String, String> {
    let is_comment = |line: &&str| line.trim_start().starts_with("//");
    let code =
        |text: &str| text.lines().filter(|line| !is_comment(line)).collect::<Vec<_>>().join("\n");
    output.tree.iter().map(|(path, text)| (path.to_owned(), code(text))).collect()
}
