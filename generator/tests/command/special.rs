//! Pipes, devices and links: no output replaces them, and no run waits for one that was not named.

use crate::cluster::Cluster;
use crate::folder::{DOCUMENT, Folder, assert_output};
use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const PIPE: &str = "a pipe";

/// Special files in place of a regular one. A link to a device stands for a device, which a test
/// cannot create.
const KINDS: [&str; 3] = [PIPE, "/dev/null", "victim"];

/// Puts something there: a pipe, or a link to this.
fn make(kind: &str, path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    if kind == PIPE {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    } else {
        let target = if kind.starts_with('/') { kind.into() } else { path.with_file_name(kind) };
        symlink(target, path).unwrap();
    }
}

/// Asserts that it is still there.
fn assert_kept(kind: &str, path: &Path) {
    if kind == PIPE {
        assert!(path.symlink_metadata().unwrap().file_type().is_fifo(), "{}", path.display());
    } else {
        assert!(fs::read_link(path).unwrap().ends_with(kind), "{}", path.display());
    }
}

fn why(kind: &str) -> &'static str {
    if kind == PIPE { "it is a named pipe" } else { "it is a link" }
}

/// The output of a run that ends on its own.
fn ended(mut child: Child) -> Output {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("it does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kapigen"));
    command.current_dir(&folder.0).args(arguments).env_remove("CLICOLOR_FORCE");
    ended(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

/// Runs a command with each kind of special file at a path. Each run ends with an error that names
/// the kind, and changes neither this file nor others.
fn refuses(folder: &Folder, path: &str, reason: impl Fn(&str) -> String, arguments: &[&str]) {
    let full = folder.0.join(path);
    let victim = full.with_file_name("victim");
    for kind in KINDS {
        make(kind, &full);
        fs::write(&victim, "victim").unwrap();
        let output = run(folder, arguments);
        assert_output(&output, 2, &[], &reason(kind));
        assert_kept(kind, &full);
        assert_eq!(fs::read_to_string(&victim).unwrap(), "victim");
        fs::remove_file(&full).unwrap();
    }
    fs::remove_file(&victim).unwrap();
}

#[test]
fn a_crate_is_never_written_over_them() {
    let folder = Folder::new("special-outputs");
    let generate = ["generate", "--spec", "spec", "--out", "out"];
    for path in [
        "out/src/lib.rs",
        "out/src/.kapigen",
        "out/Cargo.toml",
        "out/src/.lib.rs.kapigen-new",
        "out/src/..kapigen.kapigen-new",
        "out/src/example_com_v1",
    ] {
        let reason = |kind: &str| match (path, kind) {
            // Read before anything is generated, as a link to it may be.
            ("out/Cargo.toml", "a pipe") => {
                format!("cannot read {path}: it is a named pipe, and no regular file")
            }
            ("out/Cargo.toml", "/dev/null") => {
                format!("cannot read {path}: it is a device, and no regular file")
            }
            ("out/Cargo.toml", _) => "this is not TOML".to_owned(),
            _ => format!("{path} is in the way: {}", why(kind)),
        };
        refuses(&folder, path, reason, &generate);
        assert!(!folder.0.join("out/src/example_com_v1").exists(), "{path}");
    }
    let reason = |kind: &str| format!("out is in the way: {}, and the crate needs a", why(kind));
    fs::remove_dir_all(folder.0.join("out")).unwrap();
    refuses(&folder, "out", reason, &generate);
    assert_output(&run(&folder, &generate), 0, &[], "");
    // The path of a file that an earlier run wrote is refused, too.
    fs::remove_file(folder.0.join("out/src/lib.rs")).unwrap();
    let reason = |kind: &str| format!("out/src/lib.rs is in the way: {}", why(kind));
    refuses(&folder, "out/src/lib.rs", reason, &[&generate[..], &["--overwrite"]].concat());
}

#[test]
fn documents_are_never_pulled_over_them() {
    let cluster = Cluster::new("special", &[("api/v1", "1")]);
    let pull = ["pull", "--kubectl", "./kubectl", "--out", "pulled"];
    for path in ["pulled/api", "pulled/.kapigen-pull.json", "pulled/api/v1.json"] {
        let reason = |kind: &str| format!("{path} is in the way: {}", why(kind));
        refuses(&cluster.folder, path, reason, &pull);
    }
    let staged = "pulled/..kapigen-pull.json.kapigen-new";
    refuses(
        &cluster.folder,
        staged,
        |kind| format!("{staged} is in the way: {}", why(kind)),
        &pull,
    );
    fs::remove_dir_all(cluster.folder.0.join("pulled")).unwrap();
    let reason = |kind: &str| format!("pulled is in the way: {}", why(kind));
    refuses(&cluster.folder, "pulled", reason, &pull);
}

#[test]
fn one_file_is_never_put_in_their_place() {
    let folder = Folder::new("special-file");
    for name in ["a.txt", ".a.txt.kapigen-new"] {
        let path = folder.0.join(name);
        for kind in KINDS {
            make(kind, &path);
            folder.put("victim", "victim");
            let error = kapigen::tree::replace(&folder.0.join("a.txt"), "a").unwrap_err();
            let expected = format!("{name} is in the way: {}", why(kind));
            assert!(error.to_string().contains(&expected), "no {expected:?} in {error}");
            assert_kept(kind, &path);
            assert_eq!(fs::read_to_string(folder.0.join("victim")).unwrap(), "victim");
            fs::remove_file(&path).unwrap();
        }
    }
    kapigen::tree::replace(&folder.0.join("a.txt"), "a").unwrap();
    assert_eq!(fs::read_to_string(folder.0.join("a.txt")).unwrap(), "a");
}

/// Files that were not named may only be links to regular files.
#[test]
fn nothing_waits_for_what_lies_in_a_folder() {
    let folder = Folder::new("special-inputs");
    let list = ["list", "--spec", "spec"];
    let generate = ["generate", "--spec", "spec", "--out", "out/api", "--extern", "other"];
    folder.put(
        "other/Cargo.toml",
        "[package]\nname = \"o\"\n[dependencies]\nkapigen-runtime = \"1\"",
    );
    folder.put("other/src/index.json", "{\"types\": {}}");
    for (path, arguments) in [
        ("spec/groups.yaml", &list[..]),
        ("spec/fixups.yaml", &list),
        ("spec/more.yaml", &list),
        ("other/src/index.json", &generate),
        ("other/Cargo.toml", &generate),
    ] {
        let full = folder.0.join(path);
        let before = fs::read(&full).ok();
        let _ = fs::remove_file(&full);
        for kind in [PIPE, "/dev/zero", "absent"] {
            make(kind, &full);
            let output = run(&folder, arguments);
            let reason = match kind {
                PIPE => "it is a named pipe, and no regular file",
                "/dev/zero" => "it is a device, and no regular file",
                _ => "",
            };
            assert_output(&output, 2, &[], "error: cannot read ");
            assert_output(&output, 2, &[], &format!("{path}: {reason}"));
            fs::remove_file(&full).unwrap();
        }
        if let Some(before) = before {
            fs::write(&full, before).unwrap();
        }
    }
    make(PIPE, &folder.0.join("Cargo.toml"));
    let generate = ["generate", "--spec", "spec", "--out", "out"];
    assert_output(&run(&folder, &generate), 0, &[], "");
}

/// Each pipe is read once, although an error shows a line of its content.
#[test]
fn a_pipe_that_is_named_is_read() {
    let folder = Folder::new("special-named");
    let pipe = folder.0.join("pipe");
    make(PIPE, &pipe);
    let through = |text: &str, arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kapigen"));
        command.current_dir(&folder.0).args(arguments).env_remove("CLICOLOR_FORCE");
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        fs::write(&pipe, text).unwrap();
        ended(child)
    };
    let groups = "groups:\n- {group: example.com, version: v1}\n";
    let list = ["list", "--spec", "spec", "--groups", "pipe"];
    assert_output(&through(groups, &list), 0, &["1 resource, 1 operation"], "");
    // A list, as `pull` takes one.
    let output = run(&folder, &["list", "--spec", "spec", "--groups", "core,apps"]);
    let help = "help: `--groups` is a file here, such as groups.yaml, which `kapigen init` prints; \
                `kapigen pull` alone takes a list of groups";
    assert_output(&output, 2, &[], help);
    let output = through("groups:\n- {group: example.com, version: v2}\n", &list);
    assert_output(&output, 2, &[], "pipe:2:3\n  |\n2 | - {group: example.com, version: v2}\n");
    let document = DOCUMENT.replace("../meta/v1.yaml#", "spec/meta/v1.yaml#");
    let list = ["list", "--spec", "pipe", "--spec", "spec/meta"];
    assert_output(&through(&document, &list), 0, &["1 resource, 1 operation"], "");
    let output = through(&document.replace("openapi: 3.0.3", "openapi: 2"), &list);
    assert_output(&output, 2, &[], "--> pipe:2:1\n  |\n2 | openapi: 2\n");
}

/// A shell makes a path of a descriptor that only kapigen has.
#[test]
fn a_substituted_process_is_read() {
    let folder = Folder::new("special-process");
    let script =
        "\"$0\" list --spec spec --groups <(echo 'groups: [{group: example.com, version: v1}]')";
    let mut bash = Command::new("bash");
    bash.args(["-c", script, env!("CARGO_BIN_EXE_kapigen")]).current_dir(&folder.0);
    assert_output(&bash.output().unwrap(), 0, &["1 resource, 1 operation"], "");
}

#[test]
fn a_path_that_leads_nowhere_is_named_as_it_was_given() {
    let folder = Folder::new("special-absent");
    let refused = |path: &str| {
        let output = run(&folder, &["list", "--spec", path]);
        assert_output(&output, 2, &[], &format!("error: cannot read {path}: "));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(!refused("absent/dir/x.yaml").contains("help"));
    for url in ["https://example.com/crds.yaml", "http://localhost:8001/openapi/v3", "file:///a"] {
        assert!(refused(url).contains("`kapigen pull`") && refused(url).contains("`--spec -`"));
    }
}
