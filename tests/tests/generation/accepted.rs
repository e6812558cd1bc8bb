//! Every crate compiles: names are distinct, on every file system, and nothing is too large or too
//! deep for the compiler. Merely odd names have cases of their own.

use kapigen::error::{Errors, Position};
use kapigen::functions::{self, RequestBody};
use kapigen::input::Source;
use kapigen::{Output, Sources};
use kapigen_tests::{cases, places};
use kapigen_yaml::pointer::unescape;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use test_support::workspace::Workspace;

fn generate(document: &Value, groups: Option<&Value>) -> Result<Output, Errors> {
    let documents = vec![Source::new("spec.json", document.to_string())];
    let groups = groups.map(|groups| Source::new("groups.yaml", groups.to_string()));
    kapigen::generate(&Sources { documents, groups, ..Sources::default() })
}

fn document(paths: &Map<String, Value>, schemas: &Map<String, Value>) -> Value {
    let info = json!({"title": "accepted", "version": "v1"});
    json!({"openapi": "3.0.3", "info": info, "paths": paths, "components": {"schemas": schemas}})
}

/// Names that rules might take for something else.
const ODD: [&str; 24] = [
    "types", "Types", "con", "CON", "aux", "nul", "com1", "a-b", "a_b", "aB", "AB", "ab", "a_b_2",
    "--", "~", "type", "self", "params", "body", "patch", "options", "default", "name", "2fast",
];

/// Characters that mean something in a path, or nothing.
const IN_PATHS: &str = "[a-zA-Z0-9._~!$&'()*+,;=:@%?# {}é-]{1,4}";

fn name() -> impl Strategy<Value = String> {
    prop_oneof![3 => prop::sample::select(ODD.to_vec()).prop_map(str::to_owned), 1 => "[ -z~é名\n]{1,4}"]
}

/// A segment of a path behind the plural.
fn segment() -> impl Strategy<Value = String> {
    let parameter = "[^{}/]{1,6}".prop_map(|name| format!("{{{name}}}"));
    prop_oneof![
        4 => prop::sample::select(ODD.to_vec()).prop_map(|name| format!("{{{name}}}")),
        1 => parameter,
        1 => prop::sample::select(vec!["", ".", "..", "x{a}", "{a}.json", "{a}{b}", "{}"]).prop_map(str::to_owned),
        2 => prop::sample::select(ODD.to_vec()).prop_map(str::to_owned),
        1 => IN_PATHS,
    ]
}

/// A path, and its path item.
fn path() -> impl Strategy<Value = (String, Value)> {
    let plural =
        prop_oneof![4 => prop::sample::select(ODD.to_vec()).prop_map(str::to_owned), 1 => IN_PATHS];
    let query = prop::collection::btree_set(name(), 0..6);
    let method = prop::sample::select(vec!["get", "put", "post", "patch", "delete"]);
    (plural, prop::collection::vec(segment(), 0..4), query, method).prop_map(
        |(plural, segments, query, method)| {
            let path = format!("/apis/example.com/v1/{plural}/{}", segments.join("/"));
            let path = path.trim_end_matches('/').to_owned();
            let names = path.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
            let names: BTreeSet<&str> = names.map(|(name, _)| name).collect();
            let of_path = names.iter().map(|name| parameter("path", name, "string"));
            let of_query = query.iter().map(|name| parameter("query", name, "number"));
            let parameters: Vec<Value> = of_path.chain(of_query).collect();
            let schema = json!({"$ref": "#/components/schemas/Thing"});
            let body = (method != "get")
                .then(|| json!({"content": {"application/json": {"schema": schema}}}));
            let mut operation =
                json!({"parameters": parameters, "responses": {"200": {"description": "OK"}}});
            operation
                .as_object_mut()
                .expect("it is an object")
                .extend(body.map(|body| ("requestBody".to_owned(), body)));
            (path, json!({ method: operation }))
        },
    )
}

fn parameter(place: &str, name: &str, ty: &str) -> Value {
    json!({"name": name, "in": place, "required": place == "path", "schema": {"type": ty}})
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// A path is refused at its location, or all that comes of it has a name of its own.
    #[test]
    fn accepted_paths_get_distinct_names(paths in prop::collection::vec(path(), 30)) {
        let mut paths: Map<String, Value> = paths.into_iter().collect();
        let thing = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        let schemas: Map<String, Value> = [("Thing".to_owned(), thing)].into_iter().collect();
        if let Err(errors) = generate(&document(&paths, &schemas), None) {
            for error in &errors {
                let place = error.location.as_ref().map(|location| &location.position);
                let Some(Position::Pointer(pointer)) = place else { panic!("{error}") };
                let key = unescape(pointer.split('/').nth(2).expect("it is a path"));
                paths.remove(&*key);
            }
        }
        let output = generate(&document(&paths, &schemas), None).unwrap_or_else(|errors| panic!("{errors}"));
        let accepted = names_are_different(&output);
        prop_assert!(accepted > 5, "only {accepted} of 30 paths are accepted");
    }
}

/// Devices of Windows.
fn is_device(word: &str) -> bool {
    let numbered = |device: &str| (0..10).any(|number| word == format!("{device}{number}"));
    ["con", "prn", "aux", "nul"].contains(&word) || numbered("com") || numbered("lpt")
}

/// Checks all names of a crate, and returns the number of its functions.
fn names_are_different(output: &Output) -> usize {
    let mut files = BTreeSet::new();
    for (path, text) in output.tree.iter() {
        assert!(files.insert(path.to_lowercase()), "{path}");
        assert!(!path.to_lowercase().split(['/', '.']).any(is_device), "{path}");
        if Path::new(path).extension().is_some_and(|extension| extension == "rs") {
            text.parse::<proc_macro2::TokenStream>()
                .unwrap_or_else(|error| panic!("{path}: {error}"));
        }
    }
    let endpoints = functions::plan(&output.api);
    for resource in endpoints.resources.values() {
        different(
            resource
                .functions
                .iter()
                .map(|function| format!("{}{}", function.legacy, function.name)),
        );
        for function in &resource.functions {
            let own = function.arguments.iter().map(String::as_str);
            let body = match function.body {
                RequestBody::Object(_) => Some("body"),
                RequestBody::Patch => Some("patch"),
                RequestBody::None | RequestBody::Options => None,
            };
            different(
                own.chain(body)
                    .chain(function.params.as_ref().map(|_| "params"))
                    .map(str::to_owned),
            );
            let segments =
                function.operation.path.split('/').filter(|segment| segment.contains('{'));
            assert_eq!(segments.count(), function.arguments.len(), "{}", function.operation.path);
        }
    }
    let own = endpoints.resources.values().flat_map(|resource| resource.own.values());
    for set in own {
        let options = set.options.map(|_| "options".to_owned());
        different(set.params.iter().map(|field| field.name.clone()).chain(options));
    }
    endpoints.resources.values().map(|resource| resource.functions.len()).sum()
}

fn different(names: impl Iterator<Item = String>) {
    let mut seen = BTreeSet::new();
    names.for_each(|name| assert!(seen.insert(name.to_lowercase()), "{name} twice in {seen:?}"));
}

/// The case of odd plurals has every name in the root of a crate, beside keywords and device names.
#[test]
fn every_name_of_the_root_is_tried_as_a_plural() {
    let cases = cases::all("cases");
    let case =
        cases.iter().find(|case| case.name == "resource-names").expect("there is such a case");
    let text = &case.sources.documents[0].text;
    let output = kapigen::generate(&case.with_meta()).unwrap_or_else(|errors| panic!("{errors}"));
    let (_, root) =
        output.tree.iter().find(|(path, _)| *path == "src/lib.rs").expect("a crate has a root");
    let is_module = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let runtime = fs::read_to_string(places::root().join("templates/runtime/src/lib.rs"))
        .expect("the runtime can be read");
    let facade = runtime.split("pub mod facade {").nth(1).and_then(|rest| rest.split("\n}").next());
    let uses = root.lines().filter(|line| line.starts_with("pub use ") || line.contains("mod "));
    let uses = uses.chain(facade.expect("it has a facade").lines());
    let uses = uses.filter(|line| !line.trim_start().starts_with(['#', '/']));
    let words = uses.flat_map(|line| line.split([' ', ':', '{', '}', ',', ';'])).filter(is_module);
    let mut modules: BTreeSet<&str> = words
        .filter(|word| !["pub", "use", "mod", "crate", "facade", "example_com_v1"].contains(word))
        .collect();
    modules.extend(["types", "lib"]);
    assert!(modules.contains("watch") && modules.contains("kapigen_runtime"), "{modules:?}");
    let missing: Vec<_> =
        modules.iter().filter(|name| !text.contains(&format!("/v1/{name}:"))).collect();
    assert!(missing.is_empty(), "add them to tests/cases/resource-names/spec.yaml: {missing:?}");
}

/// A struct with this many members.
fn wide(fields: usize) -> Value {
    let members: Map<String, Value> =
        (0..fields).map(|index| (format!("field{index}"), json!({"type": "boolean"}))).collect();
    json!({"type": "object", "properties": members})
}

#[test]
fn a_parameter_that_needs_many_structs_is_noted_once() {
    let notes = |resources: usize| {
        let list = json!({"get": {"x-kubernetes-action": "list", "responses": {"200": {"description": "OK"}}, "parameters": [
            {"name": "limit", "in": "query", "schema": {"type": "integer"}},
            {"name": "tenant", "in": "query", "required": true, "schema": {"type": "string"}},
        ]}});
        let path = |number| (format!("/apis/example.com/v1/things{number}"), list.clone());
        let output =
            generate(&document(&(0..resources).map(path).collect(), &Map::new()), None).unwrap();
        output.notes.iter().map(|note| note.message.clone()).collect::<Vec<_>>()
    };
    let note = "5 resources have parameter structs of their own in place of the standard ones, \
                because the query parameter `tenant` is required";
    assert_eq!(notes(5), [note]);
    assert_eq!(notes(4), Vec::<String>::new());
}

#[test]
fn enums_with_too_many_values_are_refused() {
    let of = |count: usize| {
        let values: Vec<String> = (0..count).map(|number| format!("v{number}")).collect();
        let schemas: Map<String, Value> =
            [("Wide".to_owned(), json!({"type": "string", "enum": values}))].into_iter().collect();
        generate(&document(&Map::new(), &schemas), Some(&json!({"groups": [], "types": ["Wide"]})))
    };
    let expected = "\
error: `spec::Wide` would have 3001 variants; kapigen accepts 3000
  --> spec.json
      #/components/schemas/Wide
  help: leave out its `enum`: then it is a string

1 error; nothing was written";
    assert_eq!(of(3001).unwrap_err().to_string(), expected);
    assert!(of(3000).is_ok());
}

#[test]
fn structs_with_too_many_fields_are_refused() {
    let schemas: Map<String, Value> = [("Wide".to_owned(), wide(3001))].into_iter().collect();
    let error =
        generate(&document(&Map::new(), &schemas), Some(&json!({"groups": [], "types": ["Wide"]})))
            .unwrap_err();
    let expected = "\
error: `spec::Wide` would have 3001 fields; rustc accepts 3000
  --> spec.json
      #/components/schemas/Wide
  help: let it be free JSON, or an object that it holds (`x-kubernetes-preserve-unknown-fields: \
                    true`), or leave out what needs it

1 error; nothing was written";
    assert_eq!(error.to_string(), expected);
}

/// The ways in which a member holds the next type, and the largest number of types one in another.
const CHAINS: [(&str, &[&str], usize); 5] = [
    ("Required", &["required"], 101),
    ("Optional", &["optional"], 51),
    ("List", &["list"], 51),
    ("Map", &["map"], 34),
    ("Mixed", &["required", "list", "map", "optional"], 51),
];

fn chain(name: &str, links: &[&str], length: usize, schemas: &mut Map<String, Value>) {
    for index in 0..length {
        let next = json!({"$ref": format!("#/components/schemas/{name}{}", index + 1)});
        let next = match links[index % links.len()] {
            _ if index + 1 == length => json!({"type": "boolean"}),
            "list" => json!({"type": "array", "items": next}),
            "map" => json!({"type": "object", "additionalProperties": next}),
            _ => next,
        };
        let is_required = links[index % links.len()] == "required" || index + 1 == length;
        let required = if is_required { vec!["next"] } else { vec![] };
        let schema = json!({"type": "object", "required": required, "properties": {"next": next}});
        schemas.insert(format!("{name}{index}"), schema);
    }
}

/// A crate with a kind, which must be `Sync`, of deep lists.
fn deep_kind() -> Output {
    let mut schema = json!({"type": "string"});
    for _ in 0..34 {
        let list = json!({"type": "array", "items": schema});
        schema = json!({"type": "object", "properties": {"next": list}});
    }
    let version = json!({"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}});
    let names = json!({"plural": "deeps", "kind": "Deep"});
    let manifest = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "deeps.example.com"},
        "spec": {"group": "example.com", "scope": "Cluster", "names": names, "versions": [version]},
    });
    let documents = vec![Source::new("deep.json", manifest.to_string())];
    let output = kapigen::generate(&Sources { documents, ..Sources::default() });
    let mut output = output.unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(output.notes, []);
    output.add_package(&places::package("kinds")).expect("it is a name");
    output
}

/// The largest and deepest types are compiled, and used by another crate.
#[test]
fn the_largest_and_deepest_compile() {
    let mut schemas: Map<String, Value> = [("Wide".to_owned(), wide(3000))].into_iter().collect();
    for (name, links, length) in CHAINS {
        chain(name, links, length, &mut schemas);
        let mut longer = Map::new();
        chain(name, links, length + 1, &mut longer);
        let groups = json!({"groups": [], "types": [format!("{name}0")]});
        let output = generate(&document(&Map::new(), &longer), Some(&groups))
            .unwrap_or_else(|errors| panic!("{errors}"));
        let cut = output
            .notes
            .iter()
            .filter(|note| note.message.contains("nested deeper than rustc accepts"))
            .count();
        assert_eq!(cut, 1, "{name}");
    }
    let types: Vec<String> =
        CHAINS.map(|(name, ..)| format!("{name}0")).into_iter().chain(["Wide".into()]).collect();
    let groups = json!({"groups": [], "types": types});
    let mut output = generate(&document(&Map::new(), &schemas), Some(&groups))
        .unwrap_or_else(|errors| panic!("{errors}"));
    output.add_package(&places::package("largest")).expect("it is a name");
    let members = ["largest", "kinds", "user"];
    let workspace =
        Workspace::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("accepted"), &members);
    output.tree.write(&workspace.folder.join("largest")).expect("a crate can be written");
    deep_kind().tree.write(&workspace.folder.join("kinds")).expect("a crate can be written");
    let user = workspace.folder.join("user");
    fs::create_dir_all(user.join("src")).expect("a folder can be made");
    let manifest = "[package]\nname = \"user\"\nedition = \"2024\"\n\n[dependencies]\nlargest = { \
                    path = \"../largest\" }\n";
    fs::write(user.join("Cargo.toml"), manifest).expect("a file can be written");
    let calls: Vec<String> =
        types.iter().map(|name| format!("    used::<largest::spec::{name}>();\n")).collect();
    let program = format!("{USER}\nfn main() {{\n{}}}\n", calls.concat());
    fs::write(user.join("src/main.rs"), program).expect("a file can be written");
    _ = workspace.cargo(&["build", "--workspace", "--quiet"], "RUSTFLAGS");
}

/// A program that uses the traits of a type. Whether it is `Send` takes more layers of rustc than
/// the crate itself.
const USER: &str = "#![recursion_limit = \"1024\"]

fn used<T: Clone + Default + PartialEq + std::fmt::Debug + Send + Sync + Unpin + 'static>() {
    let values: Option<Box<Vec<std::sync::Arc<Result<T, String>>>>> = \
                    Some(Box::new(vec![Ok(T::default()).into()]));
    let same = values.clone();
    std::thread::spawn(move || assert_eq!(values, same)).join().unwrap();
}
";
