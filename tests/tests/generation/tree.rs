//! Writing a tree to a folder, and the files that it never touches.

use kapigen::tree::{MANIFEST, Tree};
use std::fs;
use std::io::ErrorKind;
use test_support::folder::Folder;

#[test]
fn writes_all_files_and_then_finds_no_difference() {
    let folder = folder("writes_all");
    let tree = tree(&[("src/lib.rs", "mod a;\n"), ("src/a/b.rs", "// é\n")]);
    assert_eq!(
        paths(&tree.compare(&folder.0).unwrap()),
        ["+src/a/b.rs", "+src/lib.rs", "+src/.kapigen"]
    );
    assert_eq!(folder.all(), [""; 0], "comparing writes nothing");
    assert_eq!(
        paths(&tree.write(&folder.0).unwrap()),
        ["+src/a/b.rs", "+src/lib.rs", "+src/.kapigen"]
    );
    assert_eq!(folder.all(), ["src/.kapigen", "src/a/b.rs", "src/lib.rs"]);
    assert_eq!(folder.text("src/a/b.rs"), "// é\n");
    assert_eq!(tree.compare(&folder.0).unwrap(), []);
}

#[test]
fn creates_the_folder() {
    let folder = folder("makes_itself");
    let inner = folder.0.join("not/there/yet");
    tree(&[("src/lib.rs", "")]).write(&inner).unwrap();
    assert!(inner.join("src/lib.rs").is_file());
}

#[test]
fn leaves_unchanged_files_alone() {
    let folder = folder("unchanged");
    tree(&[("src/a.rs", "a"), ("src/b.rs", "b")]).write(&folder.0).unwrap();
    let time = |path| fs::metadata(folder.0.join(path)).unwrap().modified().unwrap();
    let old = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    for path in ["src/a.rs", "src/b.rs"] {
        fs::File::options()
            .append(true)
            .open(folder.0.join(path))
            .unwrap()
            .set_modified(old)
            .unwrap();
    }
    let differences = tree(&[("src/a.rs", "a"), ("src/b.rs", "B")]).write(&folder.0).unwrap();
    assert_eq!(paths(&differences), ["~src/b.rs", "~src/.kapigen"], "the list has digests");
    assert_eq!(time("src/a.rs"), old);
    assert_ne!(time("src/b.rs"), old);
}

#[test]
fn removes_only_files_that_it_made() {
    let folder = folder("stale");
    tree(&[("src/a/b/c.rs", "c"), ("src/a/d.rs", "d"), ("src/lib.rs", "")])
        .write(&folder.0)
        .unwrap();
    folder.put("src/a/mine.rs", "mine");
    folder.put("Cargo.toml", "[package]");
    let differences = tree(&[("src/lib.rs", "")]).write(&folder.0).unwrap();
    assert_eq!(paths(&differences), ["-src/a/b/c.rs", "-src/a/d.rs", "~src/.kapigen"]);
    assert_eq!(folder.all(), ["Cargo.toml", "src/.kapigen", "src/a/mine.rs", "src/lib.rs"]);
    assert!(!folder.0.join("src/a/b").exists(), "no empty folders are left");
}

#[test]
fn foreign_files_are_refused_before_anything_is_written() {
    let folder = folder("foreign");
    folder.put("src/b.rs", "by hand");
    let tree = tree(&[("src/a.rs", "a"), ("src/b.rs", "b"), ("src/c.rs", "c")]);
    let error = tree.write(&folder.0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadyExists);
    let expected = "src/b.rs is in the way: kapigen did not write it. Move it away, or write to \
                    another folder";
    assert!(error.to_string().ends_with(expected), "{error}");
    assert_eq!(
        (folder.all(), folder.text("src/b.rs")),
        (vec!["src/b.rs".to_owned()], "by hand".to_owned())
    );
    // The same content by another author is no reason to stop.
    folder.put("src/b.rs", "b");
    tree.write(&folder.0).unwrap();
}

#[test]
fn a_file_without_content_is_replaced() {
    let folder = folder("blank");
    folder.put("src/lib.rs", " \n");
    tree(&[("src/lib.rs", "mod a;\n")]).write(&folder.0).unwrap();
    assert_eq!(folder.text("src/lib.rs"), "mod a;\n");
}

#[test]
fn hidden_files_of_users_are_kept() {
    let folder = folder("hidden");
    let users = ["src/.lib.rs.new", "src/.lib.rs.stop", ".Cargo.toml.new"];
    for path in users {
        folder.put(path, "mine");
    }
    let mut first = tree(&[("src/lib.rs", "old"), ("src/a.rs", "old")]);
    first.insert_merged("Cargo.toml", None, "[package]".to_owned());
    first.write(&folder.0).unwrap();
    tree(&[("src/lib.rs", "new"), ("src/a.rs", "new")]).write(&folder.0).unwrap();
    assert!(users.iter().all(|path| folder.text(path) == "mine"));
}

#[test]
fn files_that_were_changed_since_are_kept_unless_asked_for() {
    let folder = folder("changed_since");
    tree(&[("src/a.rs", "a"), ("src/b.rs", "b"), ("src/c.rs", "c")]).write(&folder.0).unwrap();
    folder.put("src/a.rs", "mine");
    folder.put("src/b.rs", "mine");
    folder.put("src/c.rs", "new");
    let wanted = tree(&[("src/a.rs", "new"), ("src/c.rs", "new")]);
    let error = wanted.write(&folder.0).unwrap_err().to_string();
    assert!(
        error.contains(
            "src/a.rs is in the way: it was changed since kapigen wrote it, as were 1 others"
        ),
        "{error}"
    );
    assert_eq!([folder.text("src/a.rs"), folder.text("src/b.rs")], ["mine", "mine"]);
    wanted.overwrite(&folder.0).unwrap();
    assert_eq!(folder.all(), [MANIFEST, "src/a.rs", "src/c.rs"]);
    assert_eq!(wanted.compare(&folder.0).unwrap(), []);
}

#[test]
fn files_that_are_somebody_elses_in_part_are_changed_and_never_removed() {
    let folder = folder("merged");
    folder.put("Cargo.toml", "mine");
    let mut wanted = tree(&[("src/lib.rs", "")]);
    wanted.insert_merged("Cargo.toml", Some("mine".to_owned()), "mine and ours".to_owned());
    wanted.write(&folder.0).unwrap();
    assert_eq!(folder.text("Cargo.toml"), "mine and ours");
    // It was changed after it was read.
    let mut late = tree(&[("src/lib.rs", "new")]);
    late.insert_merged("Cargo.toml", Some("mine".to_owned()), "mine and others".to_owned());
    let error = late.write(&folder.0).unwrap_err().to_string();
    assert!(
        error.ends_with("Cargo.toml is in the way: it was changed while kapigen ran. Run again"),
        "{error}"
    );
    tree(&[("src/lib.rs", "new")]).write(&folder.0).unwrap();
    assert_eq!(folder.text("Cargo.toml"), "mine and ours");
}

#[test]
fn a_foreign_list_is_refused() {
    let folder = folder("foreign_list");
    folder.put(MANIFEST, "precious\n");
    for result in [tree(&[("src/a.rs", "a")]).write(&folder.0), tree(&[]).compare(&folder.0)] {
        let error = result.unwrap_err().to_string();
        assert!(
            error.contains("src/.kapigen is in the way: kapigen keeps the list of its files there"),
            "{error}"
        );
        assert!(error.ends_with("src/.kapigen`, or move the file away"), "{error}");
    }
    assert_eq!(folder.text(MANIFEST), "precious\n");
}

/// Entries of a list of files that kapigen never writes: to remove them would be to obey another
/// program.
#[test]
fn a_list_gives_no_right_to_what_kapigen_never_writes() {
    let folder = folder("outside");
    let crate_folder = folder.0.join("crate");
    tree(&[("src/lib.rs", "")]).write(&crate_folder).unwrap();
    let victims = [
        "victim.rs",
        "crate/.git/config",
        "crate/build.rs",
        "crate/src/data.txt",
        "crate/.cargo/config.toml",
    ];
    for victim in victims {
        folder.put(victim, "victim");
    }
    let absolute = folder.0.join("victim.rs");
    let list = folder.text("crate/src/.kapigen");
    let outside =
        ["../victim.rs", "src/../../victim.rs", "./../victim.rs", absolute.to_str().unwrap(), ""];
    let foreign = [
        ".git/config",
        "build.rs",
        "src/data.txt",
        ".cargo/config.toml",
        "src/.rs",
        "src/A.rs",
        "src/a b.rs",
    ];
    for line in outside.into_iter().chain(foreign).chain([MANIFEST]) {
        let edited = format!("{list}{line}\n");
        folder.put("crate/src/.kapigen", &edited);
        let error = tree(&[("src/lib.rs", "new")]).write(&crate_folder).unwrap_err().to_string();
        assert!(
            error.contains(&format!("src/.kapigen is in the way: it lists `{line}`, which")),
            "{error}"
        );
        assert_eq!(
            (folder.text("crate/src/.kapigen"), folder.text("crate/src/lib.rs")),
            (edited, String::new())
        );
    }
    assert!(victims.iter().all(|victim| folder.text(victim) == "victim"));
    folder.put("crate/src/old_1/mod.rs", "");
    folder.put("crate/src/.kapigen", &format!("{list}src/old_1/mod.rs\n"));
    let error = tree(&[("src/lib.rs", "new")]).write(&crate_folder).unwrap_err().to_string();
    let expected =
        "it lists `src/old_1/mod.rs` without a digest of what kapigen wrote. Take that line out";
    assert!(error.ends_with(expected) && crate_folder.join("src/old_1/mod.rs").exists(), "{error}");
    // The digest of nothing.
    let edited = format!(
        "{list}# a comment\nCargo.toml cbf29ce484222325\nsrc/old_1/mod.rs cbf29ce484222325\n"
    );
    folder.put("crate/src/.kapigen", &edited);
    tree(&[("src/lib.rs", "new")]).write(&crate_folder).unwrap();
    assert!(!crate_folder.join("src/old_1").exists(), "what kapigen may have written is removed");
}

#[test]
fn paths_that_lead_out_of_the_folder_cannot_be_inserted() {
    for path in ["/a", "../a", "a/../b", "a//b", "", ".", "a\\b", "C:a", "a/", "a\0"] {
        let refused = std::panic::catch_unwind(|| tree(&[(path, "")]));
        assert!(refused.is_err(), "{path:?} was taken");
    }
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let folder = folder("links");
    folder.put("outside/b.rs", "outside");
    fs::create_dir_all(folder.0.join("crate/src")).unwrap();
    let tree = tree(&[("src/a/b.rs", "b"), ("src/c.rs", "outside")]);
    for (link, target) in [
        ("crate/src/a", "outside"),
        ("crate/src/c.rs", "outside/b.rs"),
        ("crate/src/.kapigen", "outside/b.rs"),
    ] {
        std::os::unix::fs::symlink(folder.0.join(target), folder.0.join(link)).unwrap();
        let error = tree.write(&folder.0.join("crate")).unwrap_err().to_string();
        assert!(
            error.ends_with(&format!(
                "{link} is in the way: it is a link, and kapigen follows none here. Remove it"
            )),
            "{error}"
        );
        fs::remove_file(folder.0.join(link)).unwrap();
        assert_eq!(folder.all(), ["outside/b.rs"]);
    }
    assert_eq!(folder.text("outside/b.rs"), "outside");
}

#[test]
fn folders_and_files_in_each_others_place_are_refused() {
    let folder = folder("places");
    fs::create_dir_all(folder.0.join("src/a.rs")).unwrap();
    let error =
        tree(&[("src/0.rs", ""), ("src/a.rs", "a")]).write(&folder.0).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "src/a.rs is in the way: it is a folder, and a file must be there. Move it away"
        ),
        "{error}"
    );
    let error = tree(&[("src/0.rs", ""), ("src/a.rs/b/c.rs", "")]);
    fs::remove_dir(folder.0.join("src/a.rs")).unwrap();
    folder.put("src/a.rs", "a");
    let error = error.write(&folder.0).unwrap_err().to_string();
    assert!(
        error.ends_with(
            "src/a.rs is in the way: it is a file, and a folder must be there. Move it away"
        ),
        "{error}"
    );
    assert_eq!(folder.all(), ["src/a.rs"]);
}

#[test]
fn a_file_that_becomes_a_folder_of_the_tree_is_refused_and_kept() {
    let folder = folder("becomes");
    let old = tree(&[("src/a.rs", "a")]);
    old.write(&folder.0).unwrap();
    assert!(tree(&[("src/a.rs/b.rs", "b")]).write(&folder.0).is_err());
    assert_eq!(old.compare(&folder.0).unwrap(), []);
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_is_an_error_with_its_path() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("read_only");
    let set = |mode| fs::set_permissions(&folder.0, fs::Permissions::from_mode(mode)).unwrap();
    set(0o555);
    if fs::write(folder.0.join("probe"), "").is_ok() {
        kapigen_tests::places::log(
            "skipped: a folder that may not be written (this user may write everywhere)",
        );
        return set(0o755);
    }
    let error = tree(&[("src/a.rs", "a")]).write(&folder.0).unwrap_err();
    set(0o755);
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    assert!(error.to_string().contains("read_only/src"), "{error}");
    assert_eq!(folder.all(), [""; 0]);
}

#[test]
fn bytes_that_are_no_text_differ_from_the_text_that_stands_for_them() {
    let folder = folder("bytes");
    let tree = tree(&[("src/a.rs", "\u{FFFD}")]);
    tree.write(&folder.0).unwrap();
    fs::write(folder.0.join("src/a.rs"), [0xFF]).unwrap();
    assert_eq!(paths(&tree.compare(&folder.0).unwrap()), ["~src/a.rs"]);
}

fn tree(files: &[(&str, &str)]) -> Tree {
    let mut tree = Tree::default();
    for (path, text) in files {
        tree.insert(*path, (*text).to_owned());
    }
    tree
}

/// The paths, each after a sign for its change.
fn paths(differences: &[kapigen::tree::Difference]) -> Vec<String> {
    let sign = |old: bool, new: bool| {
        if old && new {
            '~'
        } else if new {
            '+'
        } else {
            '-'
        }
    };
    let shown = |d: &kapigen::tree::Difference| {
        format!("{}{}", sign(d.old.is_some(), d.new.is_some()), d.path)
    };
    differences.iter().map(shown).collect()
}

fn folder(name: &str) -> Folder {
    Folder::new(env!("CARGO_TARGET_TMPDIR"), &format!("tree/{name}"))
}
