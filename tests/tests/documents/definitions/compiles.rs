//! The crates of real definitions compile without a warning, odd ones too.

use super::Generated;
use kapigen_tests::places;
use std::path::Path;
use test_support::workspace::Workspace;

#[test]
fn crates_of_definitions_have_no_warnings() {
    let all: Vec<&Generated> =
        Generated::of_projects().iter().chain(Generated::of_odd_ones()).collect();
    let names: Vec<String> = all.iter().map(|generated| name(&generated.path)).collect();
    let members: Vec<&str> = names.iter().map(String::as_str).collect();
    let workspace =
        Workspace::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("definitions"), &members);
    for (generated, name) in all.iter().zip(&names) {
        let mut output = generated.output.clone();
        output
            .add_package(&places::package(name))
            .unwrap_or_else(|error| panic!("{name}:\n{error}"));
        output.tree.write(&workspace.folder.join(name)).expect("a crate can be written");
    }
    _ = workspace.cargo(&["check", "--workspace", "--quiet", "--keep-going"], "RUSTFLAGS");
}

/// The name of the crate of a file: the name of its folder, or of the file itself in `odd`.
fn name(path: &Path) -> String {
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let file = path.file_stem().unwrap_or_default().to_string_lossy();
    if folder == "odd" { format!("odd-{file}") } else { folder.into_owned() }
}
