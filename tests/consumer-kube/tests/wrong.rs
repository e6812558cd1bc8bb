//! kube's client in the wrong place is an error of the compiler that names the right one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The newest library of this name among those that this test was built with.
fn library(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("this test");
    let beside = fs::read_dir(test.parent().expect("a folder")).expect("a folder");
    let is_library = |path: &PathBuf| {
        let name_of = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name_of.starts_with(&format!("lib{name}-")) && name_of.ends_with(".rlib")
    };
    let libraries = beside.map(|entry| entry.expect("a file").path()).filter(is_library);
    let newest = libraries.max_by_key(|path| path.metadata().and_then(|data| data.modified()).ok());
    newest.unwrap_or_else(|| panic!("no library of {name}"))
}

#[test]
fn the_client_of_kube_as_a_service_of_any_body_is_an_error_with_the_way() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let program = folder.join("wrong.rs");
    let text = "pub fn client(kube: kube::Client) -> kapigen_client::Client {
        kapigen_client::Client::new(kube)
    }";
    fs::write(&program, text).expect("a file");
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
    rustc.args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata"]);
    rustc.arg("--out-dir").arg(folder).arg(program);
    let dependencies = library("kube").parent().expect("a folder").display().to_string();
    rustc.args(["-L", &format!("dependency={dependencies}")]);
    for name in ["kapigen_client", "kube"] {
        rustc.args(["--extern", &format!("{name}={}", library(name).display())]);
    }
    let output = rustc.output().expect("it runs");
    let shown = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(!output.status.success(), "it compiles");
    let lines: Vec<&str> = shown.lines().map(|line| line.trim_start_matches([' ', '='])).collect();
    for line in [
        "error[E0277]: `kube::Client` is not a service that sends requests with bodies of the type \
         `kapigen_client::Body`",
        "note: `Client::new` takes a service of any body, such as hyper-util's client; \
         `Client::with_bodies` takes one of a body of its own, such as kube's client",
    ] {
        assert!(lines.contains(&line), "{line}\nis not in\n{shown}");
    }
}
