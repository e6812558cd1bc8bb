//! Crates over other crates, and in workspaces, by the command.

use crate::folder::{Folder, assert_output};
use std::fs;

/// A group over that of the stars.
const PLANETS: &str = r"
openapi: 3.0.3
info: {title: Planets, version: v1}
paths:
  /apis/planets.example.com/v1/planets/{name}:
    parameters:
      - {name: name, in: path, required: true, schema: {type: string}}
    get:
      operationId: readPlanet
      responses:
        '200':
          description: OK
          content:
            application/json:
              schema: {$ref: '#/components/schemas/com.example.planets.v1.Planet'}
      x-kubernetes-action: get
      x-kubernetes-group-version-kind: {group: planets.example.com, version: v1, kind: Planet}
components:
  schemas:
    com.example.planets.v1.Planet:
      type: object
      properties:
        apiVersion: {type: string}
        kind: {type: string}
        metadata: {$ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'}
        star: {$ref: '#/components/schemas/com.example.v1.Star'}
      x-kubernetes-group-version-kind: [{group: planets.example.com, version: v1, kind: Planet}]
    com.example.v1.Star:
      type: object
      properties:
        age: {type: integer}
        magnitude: {type: number, format: double}
        metadata: {$ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'}
    io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta:
      type: object
      properties:
        name: {type: string}
        stage: {type: string}
";

/// A folder with a crate of stars in `stars`.
fn stars(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.put("planets/v1.yaml", PLANETS);
    assert_output(
        &folder.kapigen(&["generate", "--spec", "spec", "--out", "stars", "-v"]),
        0,
        &["new     src/index.json\n"],
        "",
    );
    folder
}

const OVER_STARS: [&str; 7] = ["generate", "--spec", "planets", "--out", "crates/planets", "--extern", "stars"];

#[test]
fn types_of_another_crate_are_not_emitted_again() {
    let folder = stars("over");
    let output = folder.kapigen(&OVER_STARS);
    let schemas = "note    v1.yaml#/components/schemas";
    let notes = [
        format!("{schemas}/com.example.v1.Star/properties/age: `stars::example_com_v1::Star` has no field for `age`\n"),
        format!(
            "{schemas}/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta/properties/stage: \
             `kapigen_runtime::meta_v1::ObjectMeta` has no field for `stage`\n"
        ),
    ];
    assert_output(&output, 0, &[&notes[0], &notes[1], "made    1 operation, 1 type: "], "");
    let text = |path: &str| fs::read_to_string(folder.0.join("crates/planets").join(path)).unwrap();
    let manifest = text("Cargo.toml");
    for line in [
        "planets_example_com_v1 = [\"stars/example_com_v1\"]\n",
        "kapigen-runtime = { package = \"stars-runtime\", path = \"../../stars/runtime\" }\n",
        "stars = { path = \"../../stars\", default-features = false }\n",
    ] {
        assert!(manifest.contains(line), "no {line:?} in:\n{manifest}");
    }
    let planet = text("src/planets_example_com_v1/types/planet.rs");
    for line in ["use stars::example_com_v1::Star;\n", "    pub star: Option<Box<Star>>,\n"] {
        assert!(planet.contains(line), "no {line:?} in:\n{planet}");
    }
    assert!(!folder.0.join("crates/planets/runtime").exists(), "the runtime is that of the other crate");
    let check = [&["check"], &OVER_STARS[1..]].concat();
    assert_output(&folder.kapigen(&check), 0, &["; 0 files not as generated\n"], "");
}

#[test]
fn a_crate_that_no_longer_shares_a_runtime_says_so() {
    let folder = stars("separated");
    assert_output(&folder.kapigen(&OVER_STARS), 0, &[], "");
    let alone = &OVER_STARS[1..5];
    let check = folder.kapigen(&[&["check"], alone].concat());
    let lines = ["path = \"runtime\" }\n", "\nnew     runtime/Cargo.toml\n", " new and removed files are not shown\n"];
    assert_output(&check, 1, &lines, "");
    let lines = String::from_utf8_lossy(&check.stdout).lines().count();
    assert!(lines < 1000, "{lines} lines: the runtime is not shown");
    let note = "note    Cargo.toml: the crate depended on the runtime in `../../stars/runtime`, and has a copy of its \
                own now, with types of its own; to keep it, give `--extern` or `--runtime` as before\n";
    assert_output(&folder.kapigen(&[&["generate"], alone].concat()), 0, &[note], "");
    let again = folder.kapigen(&[&["generate"], alone].concat());
    assert!(!String::from_utf8_lossy(&again.stdout).contains("the crate depended on"), "once is enough");
}

#[test]
fn contradictions_with_another_crate_are_refused() {
    let folder = stars("contradicts");
    folder.put(
        "planets/v1.yaml",
        &PLANETS.replace("magnitude: {type: number, format: double}", "magnitude: {type: string}"),
    );
    let expected = "error: `magnitude` of `com.example.v1.Star` is string, and number in \
                    `stars::example_com_v1::Star`\n  --> v1.yaml:32:9\n";
    assert_output(&folder.kapigen(&OVER_STARS), 2, &[], expected);
    assert!(!folder.0.join("crates").exists(), "nothing was written");
}

#[test]
fn crates_on_different_runtimes_are_refused() {
    let folder = stars("two_runtimes");
    assert_output(&folder.kapigen(&["generate", "--spec", "spec", "--out", "suns"]), 0, &[], "");
    let output = folder.kapigen(&[&OVER_STARS[..], &["--extern", "suns"]].concat());
    assert_output(
        &output,
        2,
        &[],
        "error: `stars` and `suns` depend on different runtimes\n  help: generate one of them",
    );
    // One that is over the other is on the same runtime.
    let again = ["generate", "--spec", "spec", "--out", "suns", "--runtime", "stars/runtime", "-v"];
    assert_output(&folder.kapigen(&again), 0, &["removed runtime/Cargo.toml\n"], "");
    assert_output(&folder.kapigen(&[&OVER_STARS[..], &["--extern", "suns"]].concat()), 0, &[], "");
}

#[test]
fn folders_without_a_generated_crate_are_refused() {
    let folder = stars("no_crate");
    let refused = |other: &str, expected: &str| {
        let output = folder.kapigen(&[&OVER_STARS[..6], &[other]].concat());
        assert_output(&output, 2, &[], expected);
        assert!(!folder.0.join("crates").exists(), "nothing was written");
    };
    refused("nowhere", "error: cannot read nowhere/Cargo.toml: ");
    folder.put("virtual/Cargo.toml", "[workspace]\n");
    refused("virtual", "error: cannot read virtual/Cargo.toml: it has no package");
    folder.put("foreign/Cargo.toml", "[package]\nname = \"foreign\"\n");
    refused(
        "foreign",
        "has no path or version of `kapigen-runtime`\n  help: only crates that kapigen generated can be used",
    );
    let manifest = fs::read_to_string(folder.0.join("stars/Cargo.toml")).unwrap();
    folder.put("bare/Cargo.toml", &manifest);
    refused("bare", "help: only crates that kapigen generated have an index of their types");
    folder.put("bare/src/index.json", "{\"types\": []}");
    refused("bare", "help: generate that crate again with this version of kapigen");
}

#[test]
fn workspaces_around_a_crate_are_noticed() {
    let folder = Folder::new("workspace");
    let generate = ["generate", "--spec", "spec", "--out", "crates/stars"];
    let said = |manifest: &str| {
        folder.put("Cargo.toml", manifest);
        let output = folder.kapigen(&generate);
        assert_output(&output, 0, &["made    1 operation"], "");
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().find(|line| line.contains("workspace")).map(str::to_owned)
    };
    let note = said("[workspace]\nmembers = [\"crates\", \"*\"]\n").unwrap();
    let end = "/workspace/Cargo.toml; unless a member depends on it, add to its `members`: \
               \"crates/stars\", \"crates/stars/runtime\"";
    assert!(note.starts_with("note    the crate lies in the workspace of /") && note.ends_with(end), "{note}");
    for known in ["members = [\"crates/*\"]", "members = [\"crates/stars/\"]", "exclude = [\"crates\"]"] {
        assert_eq!(said(&format!("[workspace]\n{known}\n")), None, "{known}");
    }
    for other in ["[package]\nname = \"other\"\n", "not a manifest"] {
        let further = said(other);
        assert!(further.as_ref().is_none_or(|note| !note.contains("/workspace/Cargo.toml")), "{further:?}");
    }
}
