//! The commands of the READMEs, run by a shell with this kapigen. `kubectl` and `cargo` are replaced: the one prints
//! documents of a server, the other writes down its arguments.

use crate::folder::{DOCUMENT, Folder, assert_output};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

const KUBECTL: &str = "#!/bin/sh\n[ \"$1 $2\" = 'get --raw' ] && cat \"$SERVER${3%%\\?*}.json\"\n";
const CARGO: &str = "#!/bin/sh\necho \"$*\" >> \"$SERVER/cargo.log\"\n";

/// A manifest as a project publishes it.
const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: planets.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {plural: planets, kind: Planet}
  versions:
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
";

/// The paths of the server's documents.
const PATHS: [&str; 3] = ["api/v1", "apis/apps/v1", "apis/stable.example.com/v1"];

#[test]
fn the_commands_of_the_readme_work() {
    let folder = prepare("readme");
    folder.put("crds.yaml", DEFINITION);
    let commands = run(&folder, &[("README.md", 3), ("docs/crates-over-crates.md", 1)]);
    assert_eq!(
        commands,
        ["xtask codegen", "test --workspace", "install --locked --git URL kapigen", "add --path ci-api"]
            .map(str::to_owned)
    );
    for made in [
        "crds-api/src/definitions/planets_example_com.json",
        "my-api/src/apps_v1/mod.rs",
        "ci-api/src/ci_example_com_v1/mod.rs",
    ] {
        assert!(folder.0.join(made).is_file(), "{made} is absent");
    }
    // The commands in its sentences.
    let output = folder.kapigen(&["list", "--spec", "my-spec"]);
    assert_output(&output, 0, &PATHS.map(|path| path.rsplit('/').nth(1).unwrap()), "");
    assert_output(&folder.kapigen(&["init", "--spec", "my-spec"]), 0, &["groups:\n", "group: stable.example.com"], "");
    assert_output(&folder.kapigen(&["check", "--spec", "my-spec", "--out", "my-api"]), 0, &["; 0 files not as"], "");
}

/// The workflow of the documentation, whose documents have a new field.
#[test]
fn the_commands_of_the_workflow_work() {
    let folder = prepare("workflow");
    let document = DOCUMENT.replace("../meta/v1.yaml", "meta.yaml");
    let meta = fs::read_to_string(root().join("spec/meta/v1.yaml")).unwrap();
    for spec in ["base/spec", "work/spec"] {
        folder.put(&format!("{spec}/meta.yaml"), &meta);
        folder.put(&format!("{spec}/stars.yaml"), &document);
    }
    let text = document.replace("magnitude:", "age: {type: integer}\n        magnitude:");
    folder.put("work/spec/stars.yaml", &text);
    let made = folder.kapigen(&["generate", "--spec", "work/spec", "--out", "work/my-api", "--crate-name", "my-api"]);
    assert_output(&made, 0, &[], "");
    let page = fs::read_to_string(root().join("docs/another-release.md")).unwrap();
    let lines = page.lines().filter_map(|line| line.trim().trim_start_matches("- run: ").strip_prefix("kapigen "));
    let commands: Vec<&str> = lines.filter(|line| line.starts_with("check ") || line.starts_with("diff ")).collect();
    assert_eq!(commands.len(), 2, "{commands:?}");
    for command in commands {
        shell(&folder, "work", &format!("kapigen {command}"));
    }
    assert!(read(&folder, "work/changes.md").contains("age"));
}

#[test]
fn the_commands_of_the_readme_of_kapigen_work() {
    let folder = prepare("readme_of_kapigen");
    let commands = run(&folder, &[("generator/README.md", 1)]);
    assert_eq!(commands, ["install --locked --path generator"]);
    assert!(folder.0.join("my-api/src/lib.rs").is_file());
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// A folder with a clone of the repository, documents of a custom resource, and a server.
fn prepare(name: &str) -> Folder {
    let folder = Folder::new(name);
    fs::remove_dir_all(folder.0.join("spec")).unwrap();
    symlink(root(), folder.0.join("kapigen")).unwrap();
    symlink(root().join("tests/externs/spec"), folder.0.join("ci")).unwrap();
    for path in PATHS {
        folder.put(&format!("server/openapi/v3/{path}.json"), &document(path).to_string());
    }
    let index = PATHS.map(|path| (path, json!({"serverRelativeURL": format!("/openapi/v3/{path}?hash=1")})));
    folder.put("server/openapi/v3.json", &json!({"paths": BTreeMap::from(index)}).to_string());
    for (program, text) in [("kubectl", KUBECTL), ("cargo", CARGO)] {
        let path = format!("bin/{program}");
        folder.put(&path, text);
        fs::set_permissions(folder.0.join(path), fs::Permissions::from_mode(0o755)).unwrap();
    }
    symlink(env!("CARGO_BIN_EXE_kapigen"), folder.0.join("bin/kapigen")).unwrap();
    folder
}

/// A document as a server publishes it: complete by itself.
fn document(path: &str) -> Value {
    let group = path.strip_prefix("apis/").and_then(|path| path.strip_suffix("/v1")).unwrap_or_default();
    let text = DOCUMENT
        .replace("apis/example.com/v1", path)
        .replace("group: example.com", &format!("group: '{group}'"))
        .replace("com.example.v1", &format!("com.example.{}.v1", group.replace('.', "_")))
        .replace("../meta/v1.yaml", "");
    let mut document: Value = serde_yaml::from_str(&text).unwrap();
    let meta: Value = serde_yaml::from_str(&fs::read_to_string(root().join("spec/meta/v1.yaml")).unwrap()).unwrap();
    let shared = meta["components"]["schemas"].as_object().unwrap().clone();
    document["components"]["schemas"].as_object_mut().unwrap().extend(shared);
    document
}

/// Runs all blocks of shell commands of documents in one shell, and returns the command lines of cargo.
fn run(folder: &Folder, documents: &[(&str, usize)]) -> Vec<String> {
    let mut script = String::new();
    for &(document, blocks) in documents {
        let text = fs::read_to_string(root().join(document)).unwrap();
        let scripts: Vec<&str> =
            text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect();
        assert_eq!(scripts.len(), blocks, "blocks of commands in {document}");
        script += &scripts.concat();
    }
    shell(folder, ".", &script);
    read(folder, "server/cargo.log").lines().map(str::to_owned).collect()
}

fn shell(folder: &Folder, below: &str, script: &str) {
    let path = format!("{}:{}", folder.0.join("bin").display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-eu", "-c", script]).current_dir(folder.0.join(below));
    let output = shell.env("PATH", path).env("SERVER", folder.0.join("server")).output().unwrap();
    assert!(output.status.success(), "{script}:\n{}", String::from_utf8_lossy(&output.stderr));
}

fn read(folder: &Folder, path: &str) -> String {
    fs::read_to_string(folder.0.join(path)).unwrap()
}
