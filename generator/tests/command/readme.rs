//! The commands of the READMEs and of the book, run by a shell with this kapigen. `kubectl` and
//! `cargo` are replaced: the one prints documents of a server, the other writes down its arguments.

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

/// Cargo, without a network, and with this kapigen in place of one that it would compile. A new
/// package gets the project's versions of dependencies, where a user would get the newest ones.
const OFFLINE_CARGO: &str = r#"#!/bin/sh
case "$*" in
  "run --manifest-path $ROOT/Cargo.toml -p kapigen -- "*) shift 6; exec "$KAPIGEN" "$@" ;;
  new\ *) "$REAL_CARGO" "$@" && cp "$ROOT/Cargo.lock" "$2/" ;;
  *) exec "$REAL_CARGO" "$@" ;;
esac
"#;

/// The first example, as it stands, but for the path of the clone.
#[test]
fn the_first_example_of_the_readme_runs() {
    // Outside of the repository, where Cargo would make it a member of the workspace.
    let folder =
        Folder(std::env::temp_dir().join(format!("kapigen-readme-{}", std::process::id())));
    folder.put("bin/cargo", OFFLINE_CARGO);
    fs::set_permissions(folder.0.join("bin/cargo"), fs::Permissions::from_mode(0o755)).unwrap();
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let script = block(&readme, "sh").replace("../kapigen", root().to_str().unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-eu", "-c", &script]).current_dir(&folder.0).env("ROOT", root());
    shell.env(
        "PATH",
        format!("{}:{}", folder.0.join("bin").display(), std::env::var("PATH").unwrap()),
    );
    shell
        .env("KAPIGEN", env!("CARGO_BIN_EXE_kapigen"))
        .env("REAL_CARGO", std::env::var_os("CARGO").unwrap());
    shell.env("CARGO_NET_OFFLINE", "true");
    // As in the workspaces of other tests, so that common dependencies are compiled once.
    shell
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("target"))
        .env("RUSTFLAGS", "-D warnings");
    let output = shell.output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{out}{err}");
    assert!(out.ends_with(block(&readme, "text")), "{out}{err}");
    fs::remove_dir_all(&folder.0).unwrap();
}

/// The first block of a language.
fn block<'a>(document: &'a str, language: &str) -> &'a str {
    let rest = document
        .split_once(&format!("```{language}\n"))
        .unwrap_or_else(|| panic!("no block of {language}"))
        .1;
    rest.split("```").next().unwrap_or_default()
}

#[test]
fn the_commands_of_the_pages_about_crates_work() {
    let folder = prepare("pages");
    let commands = run(&folder, &[("docs/your-cluster.md", 2)]);
    assert_eq!(commands, ["add --path ci-api"]);
    for made in ["my-api/src/apps_v1/mod.rs", "ci-api/src/ci_example_com_v1/mod.rs"] {
        assert!(folder.0.join(made).is_file(), "{made} is absent");
    }
    // The commands in their sentences.
    folder.put("crds.yaml", DEFINITION);
    assert_output(
        &folder.kapigen(&["generate", "--spec", "crds.yaml", "--out", "crds-api"]),
        0,
        &[],
        "",
    );
    assert!(folder.0.join("crds-api/src/definitions/planets_example_com.json").is_file());
    let output = folder.kapigen(&["list", "--spec", "my-spec"]);
    assert_output(&output, 0, &PATHS.map(|path| path.rsplit('/').nth(1).unwrap()), "");
    assert_output(
        &folder.kapigen(&["init", "--spec", "my-spec"]),
        0,
        &["groups:\n", "group: stable.example.com"],
        "",
    );
    assert_output(
        &folder.kapigen(&["check", "--spec", "my-spec", "--out", "my-api"]),
        0,
        &["; 0 files not as"],
        "",
    );
}

/// The build itself is `tests/build-script`, of which the page has the script.
#[test]
fn the_commands_of_the_page_about_build_scripts_work() {
    let folder = prepare("build_scripts");
    folder.put("crds.yaml", DEFINITION);
    let new = "#!/bin/sh\necho \"$*\" >> \"$SERVER/cargo.log\"\n[ \"$1\" != new ] || \
               mkdir -p \"$3/src\"\n";
    folder.put("bin/cargo", new);
    let commands = run(&folder, &[("docs/build-scripts.md", 1)]);
    let add = "add --build kapigen --path ../kapigen/generator --no-default-features";
    assert_eq!(commands, ["new --lib my-api", add, "build"]);
    let script = fs::read_to_string(root().join("tests/build-script/build.rs")).unwrap();
    assert_eq!(read(&folder, "my-api/build.rs"), script);
    assert_eq!(read(&folder, "my-api/src/lib.rs"), "");
    // The work of the script.
    let build = kapigen::Build::new(folder.0.join("my-api/spec"), folder.0.join("my-api"));
    build.generate().unwrap();
    assert!(read(&folder, "my-api/src/lib.rs").contains("pub mod example_com_v1"));
}

#[test]
fn the_commands_of_the_page_about_upgrades_work() {
    let folder = prepare("releases");
    let core = format!("server/openapi/v3/{}.json", PATHS[0]);
    let before = read(&folder, &core).replace("magnitude", "mass");
    folder.put("before/v1.json", &before);
    let first = ["generate", "--spec", "before", "--out", "my-api"];
    assert_output(&folder.kapigen(&first), 0, &[], "");
    let documents = run(&folder, &[("docs/upgrades.md", 2)]);
    assert_eq!(documents, [""; 0], "no cargo");
    let star = read(&folder, "my-api/src/core_v1/types/star.rs");
    assert!(star.contains("pub magnitude: ") && star.contains("pub mass: "), "{star}");
}

/// Runs the workflow of the documentation on documents with a new field.
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
    let made = folder.kapigen(&[
        "generate",
        "--spec",
        "work/spec",
        "--out",
        "work/my-api",
        "--crate-name",
        "my-api",
    ]);
    assert_output(&made, 0, &[], "");
    let page = fs::read_to_string(root().join("docs/upgrades.md")).unwrap();
    let lines = block(&page, "yaml")
        .lines()
        .filter_map(|line| line.trim().trim_start_matches("- run: ").strip_prefix("kapigen "));
    let commands: Vec<&str> =
        lines.filter(|line| line.starts_with("check ") || line.starts_with("diff ")).collect();
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

/// From an empty folder to an image and a deployment. `cargo`, `git`, `docker` and `kubectl` write
/// down their arguments.
#[test]
fn the_commands_of_the_page_about_operators_work() {
    let folder = prepare("operators");
    let new = "[ \"$1\" != new ] || { mkdir -p \"$3/src\" && echo '[dependencies]' > \
               \"$3/Cargo.toml\"; }\n";
    let clone = "ln -s \"$SERVER/../kapigen\" \"$3\"\n";
    for (program, effect) in [("cargo", new), ("git", clone), ("docker", ""), ("kubectl", "")] {
        let path = format!("bin/{program}");
        folder.put(
            &path,
            &format!("#!/bin/sh\necho \"{program} $*\" >> \"$SERVER/cargo.log\"\n{effect}"),
        );
        fs::set_permissions(folder.0.join(path), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let commands = run(&folder, &[("docs/operators.md", 4)]);
    let programs: Vec<&str> =
        commands.iter().filter_map(|command| command.split(' ').next()).collect();
    let [setup, run] = [["cargo", "git", "cargo"], ["kubectl", "cargo", "docker"]];
    assert_eq!(programs, [setup, run, ["kubectl"; 3]].concat());
    for file in ["src/main.rs", "src/operator.rs", "Dockerfile", ".dockerignore"] {
        assert!(folder.0.join("addresses").join(file).is_file(), "{file}");
    }
    for manifest in commands.iter().filter_map(|command| command.strip_prefix("kubectl apply -f "))
    {
        assert!(folder.0.join("addresses").join(manifest).is_file(), "{manifest}");
    }
    // The versions with which the program is compiled.
    let known = fs::read_to_string(root().join("tests/consumer-client/Cargo.toml")).unwrap();
    let manifest = read(&folder, "addresses/Cargo.toml");
    for line in manifest.lines().filter(|line| line.contains("version = ")) {
        let version = line.split(',').next().unwrap();
        assert!(known.contains(version), "{version}");
    }
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
    let index = PATHS
        .map(|path| (path, json!({"serverRelativeURL": format!("/openapi/v3/{path}?hash=1")})));
    folder.put("server/openapi/v3.json", &json!({"paths": BTreeMap::from(index)}).to_string());
    for (program, text) in [("kubectl", KUBECTL), ("cargo", CARGO)] {
        let path = format!("bin/{program}");
        folder.put(&path, text);
        fs::set_permissions(folder.0.join(path), fs::Permissions::from_mode(0o755)).unwrap();
    }
    symlink(env!("CARGO_BIN_EXE_kapigen"), folder.0.join("bin/kapigen")).unwrap();
    folder
}

/// A self-contained document, as a server publishes it.
fn document(path: &str) -> Value {
    let group =
        path.strip_prefix("apis/").and_then(|path| path.strip_suffix("/v1")).unwrap_or_default();
    let text = DOCUMENT
        .replace("apis/example.com/v1", path)
        .replace("group: example.com", &format!("group: '{group}'"))
        .replace("com.example.v1", &format!("com.example.{}.v1", group.replace('.', "_")))
        .replace("../meta/v1.yaml", "");
    let mut document: Value = serde_yaml::from_str(&text).unwrap();
    let meta: Value =
        serde_yaml::from_str(&fs::read_to_string(root().join("spec/meta/v1.yaml")).unwrap())
            .unwrap();
    let shared = meta["components"]["schemas"].as_object().unwrap().clone();
    document["components"]["schemas"].as_object_mut().unwrap().extend(shared);
    document
}

/// Runs all blocks of shell commands of documents in one shell, and returns the command lines of
/// cargo.
fn run(folder: &Folder, documents: &[(&str, usize)]) -> Vec<String> {
    let mut script = String::new();
    for &(document, blocks) in documents {
        let text = fs::read_to_string(root().join(document)).unwrap();
        let scripts: Vec<&str> = text
            .split("```sh\n")
            .skip(1)
            .map(|rest| rest.split("```").next().unwrap_or_default())
            .collect();
        assert_eq!(scripts.len(), blocks, "blocks of commands in {document}");
        script += &scripts.concat();
    }
    shell(folder, ".", &script);
    fs::read_to_string(folder.0.join("server/cargo.log"))
        .unwrap_or_default()
        .lines()
        .map(str::to_owned)
        .collect()
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
