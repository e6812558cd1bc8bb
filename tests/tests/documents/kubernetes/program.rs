//! A program that uses the crates: real objects go through it and come back as they were.

use super::compiles::workspace;
use super::crates::{IMAGE, NEWEST};
use kapigen::Output;
use kapigen::model::Api;
use kapigen::names::default_module;
use kapigen_tests::places::log;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use test_support::compare::differences;
use test_support::documents::Documents;
use test_support::samples::{self, Sample};
use test_support::workspace::Workspace;

/// The name of the program.
pub(crate) const NAME: &str = "objects";

/// The modules of 1.34 with objects that go through the program. All modules would take much longer
/// to build.
const FEATURES: [&str; 3] = ["apiextensions_v1", "coordination_v1", "core_v1"];

/// The module of images with objects that go through the program.
const IMAGES: &str = "image_openshift_io_v1";

/// Writes it, for the crates of all servers. Their features are those that the program of routes
/// enables, so that each is compiled once.
pub(crate) fn write(workspace: &Workspace, outputs: &[&Output]) {
    let folder = workspace.folder.join(NAME);
    fs::create_dir_all(folder.join("src")).expect("a folder can be made");
    let manifest = format!(
        "[package]\nname = \"{NAME}\"\nversion = \"0.0.0\"\nedition = \
         \"2024\"\n\n[dependencies]\nkubernetes = {{ package = \"{0}\", path = \"../{0}\" \
         }}\nimages = {{ package = \"{1}\", path = \"../{1}\", features = [\"route\"] \
         }}\nserde = \"1.0\"\nserde_json = \"1.0\"\n",
        NEWEST.name, IMAGE.name
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("a file can be written");
    let kinds = kinds(&outputs[0].api, "kubernetes", |module| FEATURES.contains(&module));
    let images = self::kinds(&outputs[3].api, "images", |module| module == IMAGES);
    let arm = |(kind, ty): (String, String)| format!("{kind:?} => again::<{ty}>(json),");
    let arms: Vec<String> =
        kinds.into_iter().chain(images).chain(shared_kinds()).map(arm).collect();
    fs::write(folder.join("src/main.rs"), PROGRAM.replace("/* kinds */", &arms.concat()))
        .expect("a file can be written");
}

/// The path of the type of each kind, in some of the modules.
fn kinds(api: &Api, root: &str, takes: impl Fn(&str) -> bool) -> BTreeMap<String, String> {
    let types = api.types().filter(|(id, _)| takes(&id.module));
    types
        .filter_map(|(id, def)| {
            let identity = &def.kind.as_ref()?.identity;
            Some((
                format!("{} {}", identity.group_version.api_version(), identity.kind),
                format!("{root}::{id}"),
            ))
        })
        .collect()
}

/// The kinds of the shared types, which are the runtime's. The first kind of a type is its own.
fn shared_kinds() -> BTreeMap<String, String> {
    let documents = Documents::read();
    let shared = documents.objects().filter_map(|(schema, object)| {
        let name = schema.strip_prefix("io.k8s.apimachinery.pkg.apis.meta.v1.")?;
        let (api_version, kind) = object.kinds().into_iter().next()?;
        Some((format!("{api_version} {kind}"), format!("kubernetes::meta_v1::{name}")))
    });
    shared.collect()
}

/// For each line, a kind and an object of it, prints the object encoded again, or the error.
const PROGRAM: &str = r#"
use std::io::{Write, stdin, stdout};

fn main() -> std::io::Result<()> {
    for line in stdin().lines() {
        let line = line?;
        let (kind, json) = line.split_once('\t').unwrap_or((&line, ""));
        let result = match kind {
            "images" => requests(),
            /* kinds */
            _ => Err(format!("no type for {kind}")),
        };
        writeln!(stdout(), "{}", result.unwrap_or_else(|error| format!("error: {error}")))?;
    }
    Ok(())
}

fn again<T: serde::Serialize + serde::de::DeserializeOwned>(json: &str) -> Result<String, String> {
    let object: T = serde_json::from_str(json).map_err(|error| error.to_string())?;
    serde_json::to_string(&object).map_err(|error| error.to_string())
}

/// URIs of requests whose names have signs in them.
fn requests() -> Result<String, String> {
    use images::image_openshift_io_v1::{imagestreamimages, imagestreamtags};
    use images::params::GetParams;
    let tag = imagestreamtags::get("shop", "web:1.29", &GetParams::default()).map_err(|error| error.to_string())?;
    let image = imagestreamimages::get("shop", "web@sha256:0a", &GetParams::default());
    let image = image.map_err(|error| error.to_string())?;
    Ok(format!("{} {}", tag.to_http().uri(), image.to_http().uri()))
}
"#;

#[test]
fn real_objects_come_back() {
    let workspace = workspace();
    _ = workspace.cargo(&["build", "--package", NAME, "--quiet"], "RUSTFLAGS");
    let documents = Documents::read();
    let samples = samples::fixtures().into_iter().chain(samples::recorded());
    let samples: Vec<Sample> = samples.filter(is_built).collect();
    let printed = printed(workspace, &samples);
    let mut faults = Vec::new();
    let mut kinds = BTreeSet::new();
    for (sample, line) in samples.iter().zip(&printed) {
        let (api_version, kind) = sample.kind();
        kinds.insert((api_version, kind));
        let Ok(found) = serde_json::from_str::<Value>(line) else {
            faults.push(format!("{}: {line}", sample.file));
            continue;
        };
        let schema =
            documents.of_kind(api_version, kind).expect("spec/ has the kinds of all samples");
        let clean = |value: &Value| documents.without_null_members(documents.named(schema), value);
        let differences = differences(&clean(&sample.value), &clean(&found));
        faults
            .extend(differences.iter().map(|difference| format!("{}: {difference}", sample.file)));
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert_eq!(samples.len(), printed.len());
    log(&format!(
        "through crates of 1.34 and of images: {} objects of {} kinds",
        samples.len(),
        kinds.len()
    ));
}

/// Whether the program has the type of an object.
fn is_built(sample: &Sample) -> bool {
    let (api_version, kind) = sample.kind();
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    let module = default_module(group, version).unwrap_or_default();
    FEATURES.contains(&module.as_str())
        || module == IMAGES
        || shared_kinds().contains_key(&format!("{api_version} {kind}"))
}

/// The objects that the program prints for all samples.
fn printed(workspace: &Workspace, samples: &[Sample]) -> Vec<String> {
    let line = |sample: &Sample| {
        let (api_version, kind) = sample.kind();
        format!("{api_version} {kind}\t{}\n", sample.value)
    };
    workspace.run(NAME, samples.iter().map(line).collect()).lines().map(str::to_owned).collect()
}

/// A definition of custom resources describes them by a schema, which holds schemas.
const DEFINITION: &str = r##"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"metadata": {"name": "crontabs.stable.example.com"}, "spec": {"group": "stable.example.com",
"names": {"plural": "crontabs", "kind": "CronTab"}, "scope": "Namespaced", "versions": [{"name": "v1", "served": true,
"storage": true, "subresources": {"status": {}}, "schema": {"openAPIV3Schema": {"type": "object",
"not": {"type": "string", "not": {"not": {}}}, "oneOf": [{"required": ["spec"]}, {"allOf": [{"minProperties": 1}]}],
"properties": {"spec": {"type": "object", "default": {"a": [1, null, 0.5]}, "enum": [{}, "x", null],
"properties": {"$ref": {"$ref": "#/x", "$schema": "y"}, "list": {"type": "array", "items": {"type": "array",
"items": {"x-kubernetes-int-or-string": true}}}, "tuple": {"items": [{"type": "string"}, {"maximum": 1.5}]}},
"additionalProperties": false, "dependencies": {"a": ["b"], "c": {"type": "object"}},
"x-kubernetes-validations": [{"rule": "self.a > 0", "message": "\"positive\""}]}}}}}]}}"##;

#[test]
fn schemas_that_hold_schemas_come_back() {
    let workspace = workspace();
    _ = workspace.cargo(&["build", "--package", NAME, "--quiet"], "RUSTFLAGS");
    let definition: Value = serde_json::from_str(DEFINITION).expect("it is JSON");
    let line = workspace
        .run(NAME, format!("apiextensions.k8s.io/v1 CustomResourceDefinition\t{definition}\n"));
    let found: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"));
    assert_eq!(differences(&definition, &found), []);
}

#[test]
fn names_of_images_keep_their_signs() {
    let workspace = workspace();
    _ = workspace.cargo(&["build", "--package", NAME, "--quiet"], "RUSTFLAGS");
    let images = "/apis/image.openshift.io/v1/namespaces/shop";
    let expected =
        format!("{images}/imagestreamtags/web:1.29 {images}/imagestreamimages/web@sha256:0a\n");
    assert_eq!(workspace.run(NAME, "images\n".to_owned()), expected);
}
