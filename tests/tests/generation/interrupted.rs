//! Runs that end too early: they leave the old crate, the new one, or one that refuses to compile.

use kapigen::tree::{PlanStep, Tree};
use std::collections::BTreeMap;
use test_support::folder::Folder;

fn folder(name: &str) -> Folder {
    Folder::new(env!("CARGO_TARGET_TMPDIR"), &format!("interrupted/{name}"))
}

fn tree(files: &[(&str, &str)]) -> Tree {
    let mut tree = Tree::default();
    for (path, text) in files {
        tree.insert(*path, (*text).to_owned());
    }
    tree
}

/// Two crates that share files, each with a file that the other lacks.
fn crates() -> [Tree; 2] {
    let old = [
        ("Cargo.toml", "old"),
        ("src/lib.rs", "mod a; // old"),
        ("src/a.rs", "old"),
        ("src/gone/b.rs", "old"),
        ("src/same.rs", "same"),
    ];
    let new = [
        ("Cargo.toml", "new"),
        ("src/lib.rs", "mod a; // new"),
        ("src/a.rs", "new"),
        ("src/made/c.rs", "new"),
        ("src/same.rs", "same"),
    ];
    [tree(&old), tree(&new)]
}

/// The files in a folder that a compiler reads: without the list of files, and without temporary
/// ones.
fn files(folder: &Folder) -> BTreeMap<String, String> {
    let all =
        folder.all().into_iter().filter(|path| !path.split('/').any(|name| name.starts_with('.')));
    all.map(|path| (path.clone(), folder.text(&path))).collect()
}

fn is(folder: &Folder, tree: &Tree) -> bool {
    files(folder).iter().map(|(path, text)| (path.as_str(), text.as_str())).eq(tree.iter())
}

fn refuses_to_compile(folder: &Folder) -> bool {
    files(folder).get("src/lib.rs").is_some_and(|text| {
        text.contains(
            "compile_error!(\"kapigen was interrupted while it replaced this crate: run the same \
             command again\")",
        )
    })
}

/// The steps from one crate to the other, in a folder that has the first.
fn steps(folder: &Folder, from: &Tree, to: &Tree) -> Vec<PlanStep> {
    from.write(&folder.0).unwrap();
    let differences = to.compare(&folder.0).unwrap();
    to.plan(&folder.0, &differences).unwrap().steps().cloned().collect()
}

#[test]
fn after_each_step_it_is_the_old_crate_or_the_new_one_or_none() {
    let [a, b] = crates();
    let without_root = tree(&[("src/a.rs", "other"), ("src/same.rs", "same")]);
    let same_root =
        tree(&[("src/lib.rs", "mod a; // old"), ("src/a.rs", "new"), ("src/d.rs", "new")]);
    let pairs = [
        (&a, &b),
        (&b, &a),
        (&a, &without_root),
        (&without_root, &a),
        (&a, &same_root),
        (&same_root, &a),
    ];
    for (number, (from, to)) in pairs.into_iter().enumerate() {
        let count = steps(&folder(&format!("count{number}")), from, to).len();
        let mut refused = 0;
        for end in 0..=count {
            let folder = folder(&format!("steps{number}_{end}"));
            for step in &steps(&folder, from, to)[..end] {
                step.carry_out(&folder.0).unwrap();
            }
            let states = [is(&folder, from), is(&folder, to), refuses_to_compile(&folder)];
            assert!(
                states.contains(&true),
                "{number}: after {end} of {count} steps:\n{:#?}",
                files(&folder)
            );
            assert_eq!(states[0], end < count && !states[1] && !states[2]);
            refused += usize::from(states[2]);
            // The next run completes, for either crate, and leaves nothing beside it.
            let next = if end % 2 == 0 { to } else { from };
            next.write(&folder.0).unwrap();
            assert!(is(&folder, next), "{number}: after {end} of {count} steps and a whole run");
            assert_eq!(next.compare(&folder.0).unwrap(), []);
            assert_eq!(folder.all().len(), files(&folder).len() + 1, "{:?}", folder.all());
        }
        assert!(refused > 2, "{number}: {refused} of {count} steps are behind the stop");
    }
}

#[test]
fn a_failure_between_replacements_says_what_is_left() {
    let folder = folder("between");
    let [old, new] = crates();
    old.write(&folder.0).unwrap();
    let plan = new.plan(&folder.0, &new.compare(&folder.0).unwrap()).unwrap();
    // A folder cannot be replaced by a file.
    folder.put("src/made/c.rs/mine", "");
    let error = plan.carry_out(&folder.0).unwrap_err().to_string();
    assert!(
        error.ends_with(". Until the same command succeeds, the crate may be incomplete"),
        "{error}"
    );
    assert!(refuses_to_compile(&folder));
    std::fs::remove_dir_all(folder.0.join("src/made/c.rs")).unwrap();
    new.write(&folder.0).unwrap();
    assert!(is(&folder, &new));
}

#[test]
fn one_file_is_replaced_without_a_stop() {
    let folder = folder("one");
    let (old, new) = (
        tree(&[("src/lib.rs", "old"), ("src/a.rs", "")]),
        tree(&[("src/lib.rs", "new"), ("src/a.rs", "")]),
    );
    let steps = steps(&folder, &old, &new);
    let placed = steps
        .iter()
        .filter(|step| matches!(step, PlanStep::Place { path, .. } if path == "src/lib.rs"));
    assert_eq!(placed.count(), 1);
}

/// The name of a file may have 255 bytes, and the temporary file has a longer name. So this write
/// fails in the middle for every user, as on a full disk.
#[cfg(unix)]
#[test]
fn a_run_that_fails_leaves_all_as_it_was() {
    use kapigen::tree::MANIFEST;

    let long = format!("src/y/m{}.rs", "m".repeat(249));
    let wanted =
        tree(&[("src/a.rs", "new"), (&*long, "new"), ("src/lib.rs", "new"), ("src/z.rs", "new")]);
    let folder = folder("fails");
    let error = wanted.write(&folder.0).unwrap_err().to_string();
    assert!(error.contains(&long.replace("src/y/", "src/y/.")), "{error}");
    assert_eq!(folder.all(), [""; 0]);
    wanted.write(&folder.0.join("x/y/z")).unwrap_err();
    assert!(!folder.0.join("x").exists(), "folders that were made for it are not left");
    tree(&[("src/lib.rs", "old"), ("src/z.rs", "old")]).write(&folder.0).unwrap();
    let before = folder.text(MANIFEST);
    wanted.write(&folder.0).unwrap_err();
    assert_eq!(folder.all(), ["src/.kapigen", "src/lib.rs", "src/z.rs"]);
    assert_eq!([folder.text("src/lib.rs"), folder.text("src/z.rs")], ["old", "old"]);
    assert_eq!(folder.text(MANIFEST), before);
    assert!(!folder.0.join("src/y").exists());
}
