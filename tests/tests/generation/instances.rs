//! Round trips of instances of every schema: of `spec/`, and of definitions of custom resources,
//! through crates that are generated of them.
//!
//! `SCHEMAS` names other documents and definitions, as `$PATH` names folders: each folder or file
//! becomes a crate of its own.

use kapigen::error::Errors;
use kapigen::input::Input;
use kapigen::model::Api;
use kapigen::tree::Tree;
use kapigen_tests::places;
use serde_json::{Value, json};
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use test_support::compare::differences;
use test_support::instances::{Instances, Schemas};
use test_support::registry::TYPES;
use test_support::types::{Input as Encoded, Output};
use test_support::workspace::Workspace;

/// The least number of instances of each type.
const LEAST: usize = 12;

/// The number of instances of a crate, if it has few types.
const OF_CRATE: usize = 400;

#[test]
fn instances_of_spec_come_back() {
    let mut schemas = Schemas::default();
    schemas.add_spec();
    let mut failures = Vec::new();
    for (seed, ty) in (0..).zip(TYPES) {
        for instance in Instances::new(&schemas, seed).of(ty.schema, LEAST) {
            let text = instance.to_string();
            let decoded = ty.read(Encoded::Own(text.as_bytes()));
            let found = decoded.and_then(|decoded| decoded.write(Output::Own));
            failures.extend(problem(ty.schema, &instance, found));
        }
    }
    report(&failures);
}

#[test]
fn instances_of_definitions_come_back() {
    let paths: Vec<PathBuf> = match env::var_os("SCHEMAS") {
        Some(paths) => env::split_paths(&paths).collect(),
        None => ["instances", "cases/definitions", "cases/definitions-not-structural"]
            .map(|path| places::root().join("tests").join(path))
            .into(),
    };
    let crates: Vec<Crate> =
        (0..).zip(&paths).map(|(index, path)| Crate::new(index, path)).collect();
    let workspace = compile(&crates);
    let mut failures = Vec::new();
    for part in &crates {
        let mut instances = Vec::new();
        let count = LEAST.max(OF_CRATE / part.types.len());
        for (seed, ty) in (0..).zip(&part.types) {
            let made = Instances::new(&part.schemas, seed).of(&ty.schema, count);
            instances.extend(made.into_iter().map(|instance| (ty, instance)));
        }
        let line = |(ty, instance): &(&Type, Value)| format!("{}\t{instance}\n", ty.path);
        let output = workspace.run(PROGRAM, instances.iter().map(line).collect());
        assert_eq!(output.lines().count(), instances.len());
        for ((ty, instance), line) in instances.iter().zip(output.lines()) {
            let found = match line.split_at(1) {
                ("=", json) => Ok(json.parse().expect("it is JSON")),
                (_, error) => Err(error.to_owned()),
            };
            failures.extend(problem(&ty.schema, instance, found));
        }
        places::log(&format!(
            "{}: {} instances of {} types",
            part.name,
            instances.len(),
            part.types.len()
        ));
    }
    report(&failures);
}

/// No property is left out, and integers reach the limits of what servers take.
#[test]
fn instances_have_every_property_and_extreme() {
    const NAME: &str = "com.example.instances.v1.Construct";
    let file = places::root().join("tests/instances/constructs.yaml");
    let mut schemas = Schemas::default();
    schemas.add(&places::text(&file));
    schemas.add_spec();
    let instances: Value = Instances::new(&schemas, 0).of(NAME, OF_CRATE).into();
    let schema = &schemas.get(NAME)["properties"]["spec"];
    let spec = |instance: &Value| instance.get("spec").cloned();
    let specs: Vec<Value> = instances.as_array().into_iter().flatten().filter_map(spec).collect();
    let mut absent = Vec::new();
    find_absent(schema, &specs.iter().collect::<Vec<_>>(), "spec", &mut absent);
    assert_eq!(absent, Vec::<String>::new());
    for (pointer, extreme) in [
        ("/either", json!(i64::MIN)),
        ("/eithers/plain", json!(i64::MAX)),
        ("/eithers/choice", json!(1_i64 << 33)),
        ("/int32", json!(i32::MIN)),
        ("/integer", json!((1_i64 << 53) + 1)),
        ("/scalars/unsigned", json!(i64::MAX)),
        ("/scalars/double", json!(f64::MAX)),
        ("/strings/empty", json!("")),
        ("/lists/nested", json!([])),
    ] {
        let has_extreme = specs.iter().any(|spec| spec.pointer(pointer) == Some(&extreme));
        assert!(has_extreme, "{pointer}: {extreme}");
    }
}

/// The properties that no instance has.
fn find_absent(schema: &Value, instances: &[&Value], path: &str, absent: &mut Vec<String>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}.{name}");
        let values: Vec<&Value> = instances.iter().filter_map(|value| value.get(name)).collect();
        if values.is_empty() {
            absent.push(path.clone());
        }
        find_absent(property, &values, &path, absent);
    }
}

/// The path of the first difference, or the error.
fn problem(schema: &str, instance: &Value, found: Result<Value, String>) -> Option<String> {
    let problem = match found {
        Ok(found) => differences(instance, &found).first()?.to_string(),
        Err(error) => error,
    };
    Some(format!("{schema}: {problem}"))
}

/// The most failures that are shown: one cause has many.
const MOST: usize = 40;

fn report(failures: &[String]) {
    let shown = failures.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} instances do not come back:\n{shown}", failures.len());
}

/// A generated crate.
struct Crate {
    /// The name of its package.
    name: String,
    tree: Tree,
    schemas: Schemas,
    /// The types that have named schemas.
    types: Vec<Type>,
}

struct Type {
    schema: String,
    /// In Rust.
    path: String,
}

impl Crate {
    fn new(index: usize, path: &Path) -> Self {
        let name = format!("instances{index}");
        let mut sources = succeeded(Input::folder(path).read(), path);
        // The documents of the crate that a case expects.
        sources.documents.retain(|document| !document.name.starts_with("expected/"));
        sources.shipped_fixups = true;
        let mut schemas = Schemas::default();
        for document in &sources.documents {
            schemas.add(&document.text);
        }
        let mut output = succeeded(kapigen::generate(&sources), path);
        output.add_package(&places::package(&name)).expect("its name is fine");
        let types = types(&name, &output.api, &schemas);
        assert!(!types.is_empty(), "{}: no type has a schema", path.display());
        schemas.add_spec();
        Self { name, tree: output.tree, schemas, types }
    }
}

fn succeeded<T>(result: Result<T, Errors>, path: &Path) -> T {
    result.unwrap_or_else(|errors| panic!("{}:\n{errors}", path.display()))
}

fn types(name: &str, api: &Api, schemas: &Schemas) -> Vec<Type> {
    let modules = api.modules.iter();
    let types = modules.flat_map(|(module, types)| types.types.iter().map(move |ty| (module, ty)));
    types
        .filter(|(_, (_, def))| schemas.has(&def.schema))
        .map(|(module, (ty, def))| Type {
            schema: def.schema.clone(),
            path: format!("{name}::{module}::{ty}"),
        })
        .collect()
}

const PROGRAM: &str = "instances";

/// Decodes and encodes each line.
const MAIN: &str = r#"
#![allow(deprecated)] // some kinds
use std::io::{self, Write};

type Back = fn(&str) -> Result<String, String>;

fn back<T: kapigen_runtime::codec::Value>(json: &str) -> Result<String, String> {
    let value: T = kapigen_runtime::from_str(json).map_err(|error| error.to_string())?;
    Ok(kapigen_runtime::to_string(&value))
}

fn main() {
    let types: std::collections::BTreeMap<&str, Back> = TYPES.iter().copied().collect();
    let mut output = io::stdout().lock();
    for line in io::stdin().lines() {
        let line = line.unwrap();
        let (path, json) = line.split_once('\t').unwrap();
        match types[path](json) {
            Ok(json) => writeln!(output, "={json}"),
            Err(error) => writeln!(output, "!{}", error.replace('\n', " ")),
        }
        .unwrap();
    }
}
"#;

/// Compiles the crates, and a program that sends lines through their types.
fn compile(crates: &[Crate]) -> Workspace {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("instances");
    let members: Vec<&str> =
        crates.iter().map(|part| part.name.as_str()).chain([PROGRAM]).collect();
    let workspace = Workspace::new(folder, &members);
    let runtime = places::root().join("templates/runtime");
    let mut manifest = format!(
        "[package]\nname = \"{PROGRAM}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nkapigen-runtime = {{ path = '{}' }}\n",
        runtime.display()
    );
    let mut main = "static TYPES: &[(&str, Back)] = &[\n".to_owned();
    for part in crates {
        let name = &part.name;
        part.tree.write(&workspace.folder.join(name)).expect("a crate can be written");
        writeln!(manifest, "{name} = {{ path = \"../{name}\" }}").expect("a string");
        for Type { path, .. } in &part.types {
            writeln!(main, "    ({path:?}, back::<{path}>),").expect("a string");
        }
    }
    let program = workspace.folder.join(PROGRAM);
    fs::create_dir_all(program.join("src")).expect("a folder can be made");
    fs::write(program.join("Cargo.toml"), manifest).expect("a file can be written");
    fs::write(program.join("src/main.rs"), format!("{MAIN}\n{main}];\n")).expect("a file");
    _ = workspace.cargo(&["build", "--package", PROGRAM, "--quiet"], "RUSTFLAGS");
    workspace
}
