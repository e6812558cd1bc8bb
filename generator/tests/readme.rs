//! The commands of the READMEs, run by a shell with this kapigen. `kubectl` and `cargo` are replaced: the one prints
//! documents of a server, the other writes down its arguments.
#![cfg(unix)]

mod folder;

use folder::{DOCUMENT, Folder, assert_output};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

const KUBECTL: &str = "#!/bin/sh\n[ \"$1 $2\" = 'get --raw' ] && cat \"$SERVER$3.json\"\n";
const CARGO: &str = "#!/bin/sh\necho \"$*\" >> \"$SERVER/cargo.log\"\n";

/// The documents that the server has.
const PATHS: [&str; 3] = ["api/v1", "apis/apps/v1", "apis/stable.example.com/v1"];

#[test]
fn the_commands_of_the_readme_work() {
    let folder = prepare("readme");
    let commands = run(&folder, "README.md", 3);
    assert_eq!(
        commands,
        ["xtask codegen", "test --workspace", "install --locked --git URL", "add --path ci-api"].map(str::to_owned)
    );
    for made in ["my-api/src/apps_v1/mod.rs", "ci-api/src/ci_example_com_v1/mod.rs"] {
        assert!(folder.0.join(made).is_file(), "{made} is absent");
    }
    // The commands in its sentences.
    let output = folder.kapigen(&["list", "--spec", "my-spec"]);
    assert_output(&output, 0, &PATHS.map(|path| path.rsplit('/').nth(1).unwrap()), "");
    assert_output(&folder.kapigen(&["init", "--spec", "my-spec"]), 0, &["groups:\n", "group: stable.example.com"], "");
    assert_output(&folder.kapigen(&["check", "--spec", "my-spec", "--out", "my-api"]), 0, &["; 0 files not as"], "");
}

#[test]
fn the_commands_of_the_readme_of_kapigen_work() {
    let folder = prepare("readme_of_kapigen");
    let commands = run(&folder, "generator/README.md", 1);
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
    let paths = PATHS.map(|path| (path.to_owned(), json!({ "serverRelativeURL": format!("/openapi/v3/{path}") })));
    let index = json!({ "paths": serde_json::Map::from_iter(paths) });
    folder.put("server/openapi/v3.json", &index.to_string());
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

/// Runs all blocks of shell commands of a README in one shell, and returns the command lines of cargo.
fn run(folder: &Folder, readme: &str, blocks: usize) -> Vec<String> {
    let text = fs::read_to_string(root().join(readme)).unwrap();
    let scripts: Vec<&str> =
        text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect();
    assert_eq!(scripts.len(), blocks, "blocks of commands in {readme}");
    let path = format!("{}:{}", folder.0.join("bin").display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-eu", "-c", &scripts.concat()]).current_dir(&folder.0);
    let output = shell.env("PATH", path).env("SERVER", format!("{}/", folder.0.join("server").display())).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{readme}:\n{}", String::from_utf8_lossy(&output.stderr));
    let log = fs::read_to_string(folder.0.join("server/cargo.log")).unwrap();
    log.lines().map(str::to_owned).collect()
}
