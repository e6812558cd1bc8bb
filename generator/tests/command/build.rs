//! `Build`, as build scripts and tests use it.

use crate::folder::{DOCUMENT, Folder, assert_output};
use kapigen::Build;
use kapigen::build::error_directives;
use kapigen::input::package::Sibling;
use std::path::MAIN_SEPARATOR;

#[test]
fn writes_what_the_command_checks() {
    let folder = Folder::new("build-writes");
    let build = Build::new(folder.0.join("spec"), folder.0.join("out")).crate_name("stars");
    assert!(build.check().is_err());
    assert!(!folder.0.join("out").exists(), "a check writes nothing");
    let written = build.generate().unwrap();
    assert!(written.iter().any(|difference| difference.path == "Cargo.toml"));
    assert_eq!(build.generate().unwrap(), []);
    build.check().unwrap();
    let check = ["check", "--spec", "spec", "--out", "out", "--crate-name", "stars"];
    assert_output(&folder.kapigen(&check), 0, &["; 0 files not as generated"], "");
}

#[test]
fn a_check_names_the_files_that_differ() {
    let folder = Folder::new("build-check");
    let build = Build::new(folder.0.join("spec"), folder.0.join("out")).sources_only();
    build.generate().unwrap();
    folder.put("spec/example.com/v1.yaml", &DOCUMENT.replace("A sun.", "A moon."));
    let errors = build.check().unwrap_err();
    let expected =
        "out is not as generated: src/example_com_v1/types/star.rs differs, src/.kapigen differs\n";
    assert!(errors.to_string().contains(expected), "{errors}");
    build.generate().unwrap();
    build.check().unwrap();
}

#[test]
fn cargo_learns_what_to_watch() {
    let folder = Folder::new("build-watch");
    folder.put("spec/groups.yaml", "groups: []\n");
    let build =
        Build::new(folder.0.join("spec"), "out").fixups("fixups.yaml").extern_crate("other");
    let watched = build.rerun_directives();
    let spec = folder.0.join("spec").display().to_string().replace(MAIN_SEPARATOR, "/");
    let expected = [
        &spec,
        &format!("{spec}/groups.yaml"),
        "fixups.yaml",
        "other/Cargo.toml",
        "other/src/index.json",
        "out/src/.kapigen",
        "out/src",
    ];
    assert_eq!(watched, expected.map(|path| format!("cargo::rerun-if-changed={path}")));
}

#[test]
fn cargo_shows_each_error_on_one_line() {
    let folder = Folder::new("build-errors");
    folder.put("spec/example.com/v1.yaml", &DOCUMENT.replace("magnitude:", r#""\n;":"#));
    let errors = Build::new(folder.0.join("spec"), folder.0.join("out")).generate().unwrap_err();
    let lines = error_directives(&errors);
    let start = "cargo::error=example.com/v1.yaml#/components/schemas/com.example.v1.Star/\
                 properties/\\n;: cannot derive a Rust name from `\\n;` (needed by \
                 example_com_v1::Star); give it a name ";
    assert!(
        lines.len() == 1 && lines[0].starts_with(start) && !lines[0].contains('\n'),
        "{lines:?}"
    );
}

#[test]
fn copies_beside_sources_alone_are_refused() {
    let folder = Folder::new("build-vendor");
    let build = Build::new(folder.0.join("spec"), folder.0.join("out")).vendor(Sibling::Client);
    let errors = build.clone().sources_only().generate().unwrap_err().to_string();
    assert!(errors.contains("kapigen-client cannot be copied beside sources alone"), "{errors}");
    assert!(!folder.0.join("out").exists(), "nothing was written");
    build.generate().unwrap();
    build.check().unwrap();
    assert!(folder.0.join("out/client/src/lib.rs").is_file());
}
