//! Copies both ways, whatever the names, the modes and the container.

use super::*;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

/// A folder with all that a copy keeps.
fn fill(top: &Path, files: usize) {
    let long = "n".repeat(200);
    let odd: [&[u8]; 7] =
        [b"new\nline", b"\xff\xfe", b"-rf", b" space ", b"'\"$(id)\\", b"%41&=", b".hidden"];
    let put = |path: PathBuf, content: &[u8], mode: u32, seconds: u64| {
        fs::create_dir_all(path.parent().expect("one")).expect("a folder");
        fs::write(&path, content).expect("a file");
        let file = fs::File::open(&path).expect("a file");
        file.set_modified(UNIX_EPOCH + Duration::from_secs(seconds)).expect("a time");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("a mode");
    };
    for index in 0..files {
        let path = top.join(format!("many/{}/{index}", index % 17));
        put(path, &vec![b'x'; index * 7], 0o644, 1_000_000_000 + index as u64);
    }
    for (index, name) in odd.iter().enumerate() {
        put(top.join("odd").join(OsStr::from_bytes(name)), name, 0o600, 1 + index as u64);
        fs::create_dir_all(top.join("odd/folders").join(OsStr::from_bytes(name))).expect("one");
    }
    put(top.join(&long).join(&long).join(&long), b"deep", 0o755, 1_700_000_000);
    put(top.join("empty/file"), b"", 0o444, 1_700_000_001);
    put(top.join("big"), &vec![7; 3 << 20], 0o640, 1_700_000_002);
    fs::create_dir_all(top.join("empty/folder/of/folders")).expect("folders");
    symlink("big", top.join("link")).expect("a link");
    symlink("../big", top.join("empty/up")).expect("a link");
    symlink("nowhere", top.join("empty/dangling")).expect("a link");
    symlink(format!("../{long}/{long}"), top.join("empty/far")).expect("a link");
    fs::hard_link(top.join("big"), top.join("same")).expect("a link");
    fs::set_permissions(top.join("empty/folder"), fs::Permissions::from_mode(0o555)).expect("one");
    let time = UNIX_EPOCH + Duration::from_secs(1_600_000_000);
    fs::File::open(top.join("empty")).expect("it").set_modified(time).expect("a time");
}

/// A container without a shell, or with other tools.
async fn without_shell(process: Process) -> Result<i32, String> {
    if process.command[0] == "sh" {
        return Err(r#"exec: "sh": executable file not found in $PATH"#.to_owned());
    }
    local(process).await
}

#[tokio::test]
async fn folders_are_the_same_after_both_ways() {
    let (_server, client) = running(local);
    let root = folder("both");
    fill(&root.0.join("a"), 1000);
    let before = tree(&root.0.join("a"));
    let out = from(&client, &root.0.join("a"), &root.0.join("b")).await.expect("a copy");
    assert_eq!((out.files, out.links, out.skipped), (1011, 4, 0));
    let into = to(&client, &root.0.join("b"), &root.0.join("c")).await.expect("a copy");
    assert_eq!((into.files, into.links, into.folders), (1011, 4, out.folders));
    assert_eq!(tree(&root.0.join("b")), before);
    assert_eq!(tree(&root.0.join("c")), before);
    assert_eq!(names(&root.0), ["a", "b", "c"]);
}

#[tokio::test]
async fn a_container_needs_no_shell() {
    let (_server, client) = running(without_shell);
    let root = folder("shell");
    fill(&root.0.join("a"), 20);
    let before = tree(&root.0.join("a"));
    from(&client, &root.0.join("a"), &root.0.join("b")).await.expect("a copy");
    to(&client, &root.0.join("b"), &root.0.join("c/../c")).await.expect_err("no folder");
    to(&client, &root.0.join("b"), &root.0.join("c")).await.expect("a copy");
    assert_eq!((tree(&root.0.join("b")), tree(&root.0.join("c"))), (before.clone(), before));
}

#[tokio::test]
async fn archives_of_other_forms_are_read() {
    for form in ["gnu", "posix", "ustar", "v7"] {
        let (_server, client) = running(move |mut process: Process| {
            let tar = format!("tar --format={form} -c");
            process.command[2] = process.command[2].replace("tar -c", &tar);
            local(process)
        });
        let root = folder(form);
        root.put("a/inner/file", "content");
        root.put("a/other", "");
        fs::create_dir_all(root.0.join("a/none")).expect("a folder");
        symlink("other", root.0.join("a/link")).expect("a link");
        if form != "v7" {
            root.put(&format!("a/{}/{}", "d".repeat(90), "f".repeat(90)), "long");
        }
        if form == "gnu" || form == "posix" {
            root.put(&format!("a/{}", "f".repeat(250)), "longer");
            root.put("a/line\nbreak 12 path=x\n", "odd");
        }
        from(&client, &root.0.join("a"), &root.0.join("b")).await.expect("a copy");
        assert_eq!(tree(&root.0.join("b")), tree(&root.0.join("a")), "{form}");
    }
}

#[tokio::test]
async fn single_files_take_the_place_of_others() {
    let (_server, client) = running(local);
    let root = folder("single");
    root.put("new", "new");
    root.put("old", "old and longer");
    root.put("elsewhere", "kept");
    symlink(root.0.join("elsewhere"), root.0.join("link")).expect("a link");
    for copied in ["old", "link", "fresh"] {
        from(&client, &root.0.join("new"), &root.0.join(copied)).await.expect("a copy");
        assert_eq!(fs::read(root.0.join(copied)).expect("a file"), b"new");
    }
    root.put("old", "old and longer");
    to(&client, &root.0.join("new"), &root.0.join("old")).await.expect("a copy");
    assert_eq!(fs::read(root.0.join("old")).expect("a file"), b"new");
    assert_eq!(fs::read(root.0.join("elsewhere")).expect("a file"), b"kept");
    // The path itself may be a link to copy to a container, and not from one.
    symlink("new", root.0.join("top")).expect("a link");
    to(&client, &root.0.join("top"), &root.0.join("by-link")).await.expect("a copy");
    assert_eq!(fs::read(root.0.join("by-link")).expect("a file"), b"new");
    let error = from(&client, &root.0.join("top"), &root.0.join("x")).await.expect_err("a link");
    assert_eq!(error.to_string(), "`` is not copied: it is a link: copy its target");
}

#[tokio::test]
async fn folders_that_are_there_keep_their_other_files() {
    let (_server, client) = running(local);
    let root = folder("merged");
    root.put("a/inner/new", "new");
    root.put("a/both", "new");
    for there in ["b", "c"] {
        root.put(&format!("{there}/inner/old"), "old");
        root.put(&format!("{there}/both"), "old");
    }
    from(&client, &root.0.join("a"), &root.0.join("b")).await.expect("a copy");
    to(&client, &root.0.join("a"), &root.0.join("c")).await.expect("a copy");
    for there in ["b", "c"] {
        let tree = tree(&root.0.join(there));
        let read = |path: &str| String::from_utf8_lossy(&tree[Path::new(path)].3).into_owned();
        assert_eq!(
            (read("inner/new"), read("inner/old"), read("both")),
            ("new".into(), "old".into(), "new".into())
        );
        assert_eq!(tree.len(), 5, "{tree:?}");
    }
    // A folder is no file, and the other way.
    root.put("file", "");
    root.put("d/file/inner", "");
    let kinds = [("file", "b"), ("a", "file")];
    for (one, other) in kinds {
        let (one, other) = (root.0.join(one), root.0.join(other));
        let error = from(&client, &one, &other).await.expect_err("another kind");
        assert!(matches!(error, CopyError::Local { .. }), "{error}");
        let error = to(&client, &one, &other).await.expect_err("another kind");
        assert!(matches!(error, CopyError::Failed { .. }), "{error}");
    }
    assert_eq!(names(&root.0), ["a", "b", "c", "d", "file"]);
}

#[tokio::test]
async fn errors_name_the_cause() {
    let (server, client) = running(local);
    let root = folder("errors");
    root.put("a/file", "");
    let error = from(&client, &root.0.join("none"), &root.0.join("b")).await.expect_err("nothing");
    let text = error.to_string();
    assert!(
        text.starts_with("the process in the container failed with the exit code 2: tar: "),
        "{text}"
    );
    assert!(text.contains("No such file or directory"), "{text}");
    let error = to(&client, &root.0.join("none"), &root.0.join("b")).await.expect_err("nothing");
    assert!(matches!(error, CopyError::Local { .. }), "{error}");
    let error = to(&client, &root.0.join("a"), &root.0.join("x/y/b")).await.expect_err("no folder");
    assert!(error.to_string().contains("mkdir"), "{error}");
    let error = from(&client, &root.0.join("a"), &root.0.join("x/y/b")).await.expect_err("none");
    assert!(matches!(error, CopyError::Local { .. }), "{error}");

    // No tar, with and without a shell.
    server.on_exec(|mut process| {
        process.command[2].insert_str(0, "PATH=/nowhere\n");
        local(process)
    });
    for error in [
        from(&client, &root.0.join("a"), &root.0.join("b")).await,
        to(&client, &root.0.join("a"), &root.0.join("b")).await,
    ] {
        assert!(matches!(error, Err(CopyError::NoTar)), "{error:?}");
    }
    server.on_exec(|process| async move {
        Err(format!("exec: {:?}: executable file not found in $PATH", process.command[0]))
    });
    for error in [
        from(&client, &root.0.join("a"), &root.0.join("b")).await,
        to(&client, &root.0.join("a"), &root.0.join("b")).await,
    ] {
        assert!(error.expect_err("no tar").to_string().starts_with("the container has no `tar`"));
    }
    let gone = pods::get_exec("default", "gone", &ExecParams::default()).expect("a request");
    let error = client.copy_from(gone, "/a", root.0.join("b"), &CopyOptions::default()).await;
    assert!(matches!(error, Err(CopyError::Session(error)) if error.is_not_found()));
    assert_eq!(names(&root.0), ["a"]);
}

/// Path, bytes and total.
type Rows = Vec<(PathBuf, u64, Option<u64>)>;

#[tokio::test]
async fn progress_is_reported() {
    let (_server, client) = running(local);
    let root = folder("progress");
    root.put("a/one", &"1".repeat(200_000));
    root.put("a/two", "22");
    let seen: Arc<Mutex<Rows>> = Arc::default();
    let shared = Arc::clone(&seen);
    let options = CopyOptions::default().progress(move |progress| {
        let row = (progress.path.to_owned(), progress.copied.bytes, progress.total);
        shared.lock().expect("no panic").push(row);
    });
    client
        .copy_from(exec(), remote(&root.0.join("a")), root.0.join("b"), &options)
        .await
        .expect("a copy");
    let from = std::mem::take(&mut *seen.lock().expect("no panic"));
    client
        .copy_to(exec(), root.0.join("a"), remote(&root.0.join("c")), &options)
        .await
        .expect("a copy");
    let to = std::mem::take(&mut *seen.lock().expect("no panic"));
    for (rows, total) in [(from, None), (to, Some(200_002))] {
        assert!(rows.len() > 6 && rows.is_sorted_by_key(|row| row.1), "{rows:?}");
        assert_eq!(rows.last().map(|row| (row.1, row.2)), Some((200_002, total)));
        assert!(
            ["", "one", "two"].iter().all(|name| rows.iter().any(|row| row.0 == Path::new(name)))
        );
    }
}

#[tokio::test]
async fn a_file_that_becomes_shorter_is_an_error() {
    let (_server, client) = running(local);
    let root = folder("shorter");
    root.put("a", &"1".repeat(1 << 20));
    let path = root.0.join("a");
    let options = CopyOptions::default().progress(move |progress| {
        if progress.copied.bytes < 100_000 {
            fs::write(&path, "short").expect("a file");
        }
    });
    let error = client.copy_to(exec(), root.0.join("a"), remote(&root.0.join("b")), &options).await;
    assert!(
        matches!(&error, Err(CopyError::Local { error, .. }) if error.to_string() == "the file became shorter"),
        "{error:?}"
    );
}
