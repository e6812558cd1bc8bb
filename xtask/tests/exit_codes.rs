//! The exit codes of `cargo xtask codegen`, which scripts rely on.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::{env, fs};

#[test]
fn zero_when_clean_one_when_stale_two_when_wrong() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exit_codes");
    if root.exists() {
        fs::remove_dir_all(&root).unwrap();
    }
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    copy(&project.join("spec"), &root.join("spec"));
    copy(&project.join("generator/fixups"), &root.join("generator/fixups"));
    copy(&project.join("templates"), &root.join("templates"));
    fs::create_dir_all(root.join("tests/src")).unwrap();
    fs::create_dir_all(root.join("generated")).unwrap();
    fs::copy(project.join("generated/Cargo.toml"), root.join("generated/Cargo.toml")).unwrap();

    assert_output(&codegen(&root, &["--check"]), 1, "run: cargo xtask codegen\n", "");
    assert!(!root.join("generated/src").exists(), "a check writes nothing");
    assert_output(&codegen(&root, &[]), 0, "new     generated/src/lib.rs\n", "");
    assert_output(&codegen(&root, &["--check"]), 0, "; 0 files not as generated\n", "");

    fs::remove_dir_all(root.join("spec/meta")).unwrap();
    assert_output(&codegen(&root, &["--check"]), 2, "", "nothing was written\n");
    fs::remove_dir_all(root.join("spec")).unwrap();
    assert_output(&codegen(&root, &[]), 2, "", "error: cannot read ");
}

/// The program that `cargo xtask` runs. It is compiled first, once: Cargo waits where another one
/// compiles.
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
    let mut build = Command::new(env!("CARGO"));
    build.current_dir(env!("CARGO_MANIFEST_DIR"));
    build.args(["--locked", "build", "--package", "xtask", "--example", "xtask"]);
    let messages = build.args(["--quiet", "--message-format", "json"]).output().unwrap().stdout;
    let messages = serde_json::Deserializer::from_slice(&messages).into_iter::<Value>();
    let mut programs =
        messages.filter_map(|message| message.ok()?["executable"].as_str().map(PathBuf::from));
    programs.next().expect("it compiles")
});

fn codegen(root: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(&*PROGRAM);
    command.args(["codegen", "--root"]).arg(root).args(more);
    command.env_remove("CLICOLOR_FORCE").output().unwrap()
}

fn assert_output(output: &Output, code: i32, stdout: &str, stderr: &str) {
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{out}{err}");
    assert!(out.contains(stdout) && err.contains(stderr), "{out}{err}");
    assert!(!out.contains('\x1b') && !err.contains('\x1b'), "colors are for terminals: {out}{err}");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}
