//! Streams that are cut at every stage: a copy is complete, or an error and nothing.

use super::*;
use kapigen_fake::streams::Process;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// A folder, and its archive.
fn sample(root: &Folder) -> Vec<u8> {
    root.put("a/first", &"1".repeat(1000));
    root.put("a/inner/second", &"2".repeat(700));
    root.put(&format!("a/{}", "l".repeat(150)), "3");
    let output = Command::new("tar")
        .args(["-c", "-b", "1", "--sort=name", "-f", "-", "-C"])
        .args([&root.0, Path::new("./a")])
        .output()
        .expect("an archive");
    output.stdout
}

/// Sends some bytes of an archive as a container with a shell, and reports that tar succeeded.
async fn sent(mut process: Process, bytes: &[u8]) -> Result<i32, String> {
    let failed = |error: std::io::Error| error.to_string();
    process.stdout.write_all(bytes).await.map_err(failed)?;
    let nonce = process.command.last().cloned().unwrap_or_default();
    process.stdout.write_all(format!("\n{nonce}\n").as_bytes()).await.map_err(failed)?;
    process.stderr.write_all(format!("\n{nonce} 0\n").as_bytes()).await.map_err(failed)?;
    drop(process.stderr);
    drop(process.stdout);
    let _ = process.stdin.read(&mut [0; 10]).await;
    Ok(0)
}

#[tokio::test]
async fn an_archive_is_complete_or_nothing() {
    let root = folder("cut");
    let archive: Arc<[u8]> = sample(&root).into();
    let length = Arc::new(AtomicUsize::new(0));
    let (shared, bytes) = (Arc::clone(&length), Arc::clone(&archive));
    let (server, client) = running(move |process| {
        let (length, bytes) = (shared.load(Relaxed), Arc::clone(&bytes));
        async move { sent(process, &bytes[..length]).await }
    });
    let lengths = (0..archive.len()).step_by(256).chain([1, 511, 513, archive.len() - 1]);
    for cut in lengths.collect::<Vec<_>>() {
        length.store(cut, Relaxed);
        let error = from(&client, Path::new("/a"), &root.0.join("b")).await;
        let is_cut = matches!(error, Err(CopyError::Cut | CopyError::Malformed(_)));
        assert!(is_cut, "{cut} of {}: {error:?}", archive.len());
        assert_eq!(names(&root.0), ["a"], "{cut}");
    }
    length.store(archive.len(), Relaxed);
    from(&client, Path::new("/a"), &root.0.join("b")).await.expect("a copy");
    assert_eq!(tree(&root.0.join("b")), tree(&root.0.join("a")));

    // The connection breaks, or the process ends without a report.
    fs::remove_dir_all(root.0.join("b")).expect("a folder");
    for cut in (0..archive.len()).step_by(300) {
        let bytes = Arc::clone(&archive);
        let own = server.clone();
        server.on_exec(move |mut process| {
            let (bytes, server) = (Arc::clone(&bytes), own.clone());
            async move {
                let _ = process.stdout.write_all(&bytes[..cut]).await;
                if cut % 600 == 0 {
                    server.cut_streams();
                }
                Ok(0)
            }
        });
        let error = from(&client, Path::new("/a"), &root.0.join("b")).await.expect_err("a cut");
        let is_broken = matches!(&error, CopyError::Session(_));
        assert!(is_broken || matches!(error, CopyError::Cut), "{cut}: {error}");
        assert_eq!(names(&root.0), ["a"], "{cut}");
    }
}

#[tokio::test]
async fn a_failure_of_tar_leaves_nothing() {
    let (_server, client) = running(|mut process: Process| {
        // It reports that a file has changed.
        let script = process.command[2].replacen('\n', "\n(exit 1)\n", 1);
        process.command[2] = script;
        local(process)
    });
    let root = folder("failure");
    root.put("a/file", "content");
    let error = from(&client, &root.0.join("a"), &root.0.join("b")).await.expect_err("a failure");
    assert!(matches!(error, CopyError::Failed { code: Some(1), .. }), "{error}");
    assert_eq!(names(&root.0), ["a"]);
}

/// The server loses the end of the input, and the process sees an end.
#[tokio::test]
async fn a_container_has_all_or_nothing() {
    let root = folder("lost");
    root.put("a/first", &"1".repeat(1000));
    root.put("a/second", &"2".repeat(700));
    let length = Arc::new(AtomicU64::new(0));
    let shared = Arc::clone(&length);
    let (_server, client) = running(move |mut process: Process| {
        process.stdin = Box::new(process.stdin.take(shared.load(Relaxed)));
        local(process)
    });
    // A folder, two files with their blocks, the last member, and two blocks of zeros.
    let whole = 512 * (1 + 3 + 3 + 1 + 2);
    for cut in (0..512 * 8).step_by(256) {
        length.store(cut, Relaxed);
        let error = to(&client, &root.0.join("a"), &root.0.join("b")).await.expect_err("a cut");
        assert!(matches!(error, CopyError::Failed { .. }), "{cut}: {error}");
        assert_eq!(names(&root.0), ["a"], "{cut}");
    }
    length.store(whole, Relaxed);
    to(&client, &root.0.join("a"), &root.0.join("b")).await.expect("a copy");
    assert_eq!(tree(&root.0.join("b")), tree(&root.0.join("a")));
}

#[tokio::test]
async fn a_copy_that_is_dropped_leaves_nothing() {
    // A server does not end the process, which sees the end of its input.
    let (_server, client) = running(|process| async move {
        tokio::spawn(local(process)).await.unwrap_or_else(|error| Err(error.to_string()))
    });
    let root = folder("dropped");
    root.put("a/file", &"1".repeat(8 << 20));
    for copies_out in [true, false] {
        let target = root.0.join("b");
        let (sender, started) = tokio::sync::oneshot::channel();
        let sender = std::sync::Mutex::new(Some(sender));
        let options = CopyOptions::default().progress(move |progress| {
            if progress.copied.bytes > 0
                && let Some(sender) = sender.lock().expect("no panic").take()
            {
                let _ = sender.send(());
            }
        });
        let path = root.0.join("a");
        let copy = async {
            if copies_out {
                client.copy_from(exec(), remote(&path), &target, &options).await
            } else {
                client.copy_to(exec(), &path, remote(&target), &options).await
            }
        };
        tokio::select! {
            biased;
            _ = started => {}
            copied = copy => panic!("{copied:?}"),
        }
        for _ in 0..100 {
            if names(&root.0) == ["a"] {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert_eq!(names(&root.0), ["a"], "{copies_out}");
    }
}
