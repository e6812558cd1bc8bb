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

const OVER_STARS: [&str; 7] =
    ["generate", "--spec", "planets", "--out", "crates/planets", "--extern", "stars"];

#[test]
fn types_of_another_crate_are_not_emitted_again() {
    let folder = stars("over");
    let output = folder.kapigen(&OVER_STARS);
    let schemas = "note    v1.yaml#/components/schemas";
    let notes = [
        format!(
            "{schemas}/com.example.v1.Star/properties/age: `stars::example_com_v1::Star` has no \
             field for `age`\n"
        ),
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
    assert!(
        !folder.0.join("crates/planets/runtime").exists(),
        "the runtime is that of the other crate"
    );
    let check = [&["check"], &OVER_STARS[1..]].concat();
    assert_output(&folder.kapigen(&check), 0, &["; 0 files not as generated\n"], "");
}

#[test]
fn refuses_to_forget_the_crates_of_the_last_run() {
    let folder = stars("separated");
    assert_output(&folder.kapigen(&OVER_STARS), 0, &[], "");
    let before = fs::read_to_string(folder.0.join("crates/planets/Cargo.toml")).unwrap();
    let refusal = "error: the crate uses the types of `stars`, and would have types of its own \
                   now\n  --> crates/planets/Cargo.toml\n  help: add `--extern stars`, as in the \
                   last run; to part from a crate, remove it from `[dependencies]` and \
                   `[features]`\n";
    let alone = &OVER_STARS[1..5];
    for command in ["generate", "check"] {
        assert_output(&folder.kapigen(&[&[command], alone].concat()), 2, &[], refusal);
        let own = folder.kapigen(&[&[command], alone, &["--runtime", "vendored"]].concat());
        assert_output(&own, 2, &[], refusal);
    }
    assert!(!folder.0.join("crates/planets/runtime").exists(), "nothing was written");
    assert_eq!(fs::read_to_string(folder.0.join("crates/planets/Cargo.toml")).unwrap(), before);
    let again = [&["generate"], alone, &["--extern", "./crates/../stars"]].concat();
    assert_output(&folder.kapigen(&again), 0, &["; 0 files changed\n"], "");
}

#[test]
fn refuses_to_forget_the_runtime_of_the_last_run() {
    let folder = stars("forgotten");
    let generate = ["generate", "--spec", "spec", "--out", "crates/suns"];
    for (runtime, shown) in [("stars/runtime", "stars/runtime"), ("0.1", "0.1")] {
        assert_output(
            &folder.kapigen(&[&generate[..], &["--runtime", runtime]].concat()),
            0,
            &[],
            "",
        );
        let refusal = format!(
            "error: the crate depends on the runtime {shown}, and would get a copy of its own \
             now\n  --> crates/suns/Cargo.toml\n  help: add `--runtime {shown}`, as in the last \
             run; for a copy, add `--runtime vendored`\n"
        );
        assert_output(&folder.kapigen(&generate), 2, &[], &refusal);
    }
    assert_output(
        &folder.kapigen(&[&generate[..], &["--runtime", "vendored"]].concat()),
        0,
        &[],
        "",
    );
    assert_output(&folder.kapigen(&generate), 0, &["; 0 files changed\n"], "");
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
        "has no path or version of `kapigen-runtime`\n  help: only crates that kapigen generated \
         can be used",
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
    assert!(
        note.starts_with("note    the crate is in the workspace of /") && note.ends_with(end),
        "{note}"
    );
    for known in
        ["members = [\"crates/*\"]", "members = [\"crates/stars/\"]", "exclude = [\"crates\"]"]
    {
        assert_eq!(said(&format!("[workspace]\n{known}\n")), None, "{known}");
    }
    for other in ["[package]\nname = \"other\"\n", "not a manifest"] {
        let further = said(other);
        assert!(
            further.as_ref().is_none_or(|note| !note.contains("/workspace/Cargo.toml")),
            "{further:?}"
        );
    }
}
