//! Crates over other crates, and in workspaces, by the command.

use crate::folder::{Folder, assert_output};
use kapigen::Build;
use serde_json::Value;
use std::fs;

/// A group that uses a type of the stars' group.
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
fn remembers_the_crates_of_the_last_run() {
    let folder = stars("remembered");
    assert_output(&folder.kapigen(&OVER_STARS), 0, &[], "");
    let alone = &OVER_STARS[1..5];
    let same = ["; 0 files changed\n", "; 0 files not as generated\n"];
    for (command, same) in ["generate", "check"].into_iter().zip(same) {
        assert_output(&folder.kapigen(&[&[command], alone].concat()), 0, &[same], "");
    }
    let build = Build::new(folder.0.join("planets"), folder.0.join("crates/planets"));
    let watched = build.rerun_directives();
    for path in ["Cargo.toml", "src/index.json", "src/documents/"] {
        let is_watched = |line: &String| line.ends_with(&format!("/stars/{path}"));
        assert!(watched.iter().any(is_watched), "no {path} in {watched:#?}");
    }
    let again = [&["generate"], alone, &["--extern", "./crates/../stars"]].concat();
    assert_output(&folder.kapigen(&again), 0, &["; 0 files changed\n"], "");
}

#[test]
fn remembers_the_runtime_of_the_last_run() {
    let folder = stars("runtimes");
    let generate = ["generate", "--spec", "spec", "--out", "crates/suns"];
    for runtime in ["stars/runtime", "0.1", "vendored"] {
        let given = [&generate[..], &["--runtime", runtime]].concat();
        assert_output(&folder.kapigen(&given), 0, &[], "");
        assert_output(&folder.kapigen(&generate), 0, &["; 0 files changed\n"], "");
    }
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
        "has no path, repository or version of `kapigen-runtime`\n  help: only crates that kapigen generated \
         can be used",
    );
    let manifest = fs::read_to_string(folder.0.join("stars/Cargo.toml")).unwrap();
    folder.put("bare/Cargo.toml", &manifest);
    refused("bare", "help: only crates that kapigen generated have an index of their types");
    folder.put("bare/src/index.json", "{\"types\": []}");
    refused("bare", "help: generate that crate again with this version of kapigen");
}

/// Strings that are no names, and would mean something in code, in TOML or to a reader.
const HOSTILE: [&str; 12] = [
    "",
    "a b",
    "1x",
    "self",
    "Self",
    "_",
    "r#fn",
    "a::b",
    "Star; fn f() {}",
    "x\"]\n[evil]\ny = [\"",
    "Star\u{202e}",
    "名前",
];

#[test]
fn names_of_another_crate_that_are_none_are_refused() {
    let folder = stars("hostile-names");
    let index = fs::read_to_string(folder.0.join("stars/src/index.json")).unwrap();
    let manifest = fs::read_to_string(folder.0.join("stars/Cargo.toml")).unwrap();
    let runtime = "{ package = \"stars-runtime\", path = \"runtime\" }";
    let refused = |file: &str, before: &str, from: &str, to: &str, text: &str| {
        assert!(before.contains(from), "no {from:?} in {before}");
        let escaped = Value::from(text).to_string();
        folder.put(file, &before.replace(from, &to.replace('@', &escaped)));
        let output = folder.kapigen(&OVER_STARS);
        folder.put(file, before);
        assert_output(&output, 2, &[], file);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("cannot be the ") || said.contains("not an index"), "{said}");
        assert!(!folder.0.join("crates").exists(), "nothing was written");
    };
    for text in HOSTILE {
        refused("stars/src/index.json", &index, "\"example_com_v1\"", "@", text);
        refused("stars/src/index.json", &index, "\"name\":\"Star\"", "\"name\":@", text);
        let of_manifest = |from, to| refused("stars/Cargo.toml", &manifest, from, to, text);
        of_manifest("name = \"stars\"", "name = @");
        of_manifest(runtime, "@");
        of_manifest(runtime, "{ version = @ }");
        of_manifest(runtime, "{ version = \"0.1\", package = @ }");
    }
    for text in ["0.1\u{202e}", "0.1 evil", "1.0.0.0", "=>1", "0.1,", "v1", "\u{200b}0.1"] {
        refused("stars/Cargo.toml", &manifest, runtime, "{ version = @ }", text);
    }
    refused("stars/Cargo.toml", &manifest, runtime, "{ path = @ }", "runtime/\u{202e}..");
    for name in ["std", "core", "kapigen\u{ad}"] {
        refused("stars/Cargo.toml", &manifest, "name = \"stars\"", "name = @", name);
    }
    for version in ["0.1", "^0.1.2", ">=1, <2", "1.*", "~1.2.3-rc.1+5", "*", "= 1.0.0"] {
        let other = format!("{{ version = {version:?} }}");
        folder.put("stars/Cargo.toml", &manifest.replace(runtime, &other));
        assert_output(&folder.kapigen(&OVER_STARS), 0, &[], "");
        fs::remove_dir_all(folder.0.join("crates")).unwrap();
    }
}

/// Pieces are cut, doubled and exchanged, and strings are replaced: whatever comes of it is an
/// error, or a crate that is as safe as any.
#[test]
fn a_mutilated_crate_is_refused_or_harmless() {
    let folder = stars("mutilated");
    let planets = Build::new(folder.0.join("planets"), folder.0.join("crates/planets"))
        .extern_crate(folder.0.join("stars"));
    let mut seed = 1_u64;
    let mut random = |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % most.max(1)
    };
    let mut harmless = 0;
    for file in ["stars/src/index.json", "stars/Cargo.toml"] {
        let before = fs::read_to_string(folder.0.join(file)).unwrap();
        for _ in 0..150 {
            let chars: Vec<char> = before.chars().collect();
            let mut places = [random(chars.len()), random(chars.len())];
            places.sort_unstable();
            let [start, piece, end] =
                [&chars[..places[0]], &chars[places[0]..places[1]], &chars[places[1]..]];
            let other: Vec<char> = HOSTILE[random(HOSTILE.len())].chars().collect();
            let text = |parts: &[&[char]]| parts.concat().into_iter().collect::<String>();
            let made = match random(4) {
                0 => text(&[start, end]),
                1 => text(&[start, piece, piece, end]),
                2 => text(&[start, &other, end]),
                _ => {
                    let quoted: Vec<&str> = before.split('"').collect();
                    let at = 1 + 2 * random(quoted.len() / 2);
                    let escaped = Value::from(HOSTILE[random(HOSTILE.len())]).to_string();
                    let mut parts = quoted;
                    parts[at] = &escaped[1..escaped.len() - 1];
                    parts.join("\"")
                }
            };
            folder.put(file, &made);
            if planets.generate().is_ok() {
                harmless += 1;
                let manifest =
                    fs::read_to_string(folder.0.join("crates/planets/Cargo.toml")).unwrap();
                assert!(!manifest.contains("evil") && manifest.is_ascii(), "{manifest}");
                fs::remove_dir_all(folder.0.join("crates")).unwrap();
            }
        }
        folder.put(file, &before);
    }
    assert!(harmless > 20, "{harmless} of 300: the others show nothing of what is written");
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
        note.starts_with("note    the crate is in the workspace of ") && note.ends_with(end),
        "{note}"
    );
    for known in
        ["members = [\"crates/*\"]", "members = [\"crates/stars/\"]", "exclude = [\"crates\"]"]
    {
        assert_eq!(said(&format!("[workspace]\n{known}\n")), None, "{known}");
    }
    // A crate may say that it is a member of another workspace.
    let manifest = folder.0.join("crates/stars/Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("[package]\n", "[package]\nworkspace = \"..\"\n")).unwrap();
    assert_eq!(said("[workspace]\n"), None);
    fs::write(&manifest, text).unwrap();
    for other in ["[package]\nname = \"other\"\n", "not a manifest"] {
        let further = said(other);
        assert!(
            further.as_ref().is_none_or(|note| !note.contains("/workspace/Cargo.toml")),
            "{further:?}"
        );
    }
}
