//! The example `cp`, with containers that are processes of this machine.

use crate::examples::{Program, cluster};
use crate::{pod, put};
use kapigen_fake::Server;
use kapigen_fake::streams::Process;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use tokio::io::{AsyncReadExt, copy};
use tokio::process::Command;

/// Runs the command of a process. Its input ends after so many bytes. So does its output, and then
/// nobody learns that there was more.
async fn run(process: Process, [most_in, most_out]: [u64; 2]) -> Result<i32, String> {
    let Process { command, stdin, mut stdout, mut stderr, .. } = process;
    let mut child = Command::new(&command[0]);
    child.args(&command[1..]).kill_on_drop(true);
    child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().map_err(|error| error.to_string())?;
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(mut input), Some(output), Some(mut errors)) = pipes else { unreachable!() };
    tokio::spawn(async move { copy(&mut stdin.take(most_in), &mut input).await });
    let reporting = tokio::spawn(async move { copy(&mut errors, &mut stderr).await });
    let copied = copy(&mut output.take(most_out), &mut stdout).await;
    if copied.is_ok_and(|count| count == most_out) {
        reporting.abort();
        return Ok(0);
    }
    let _ = reporting.await;
    Ok(child.wait().await.ok().and_then(|status| status.code()).unwrap_or(137))
}

fn contain(server: &Server, most: [u64; 2]) {
    server.on_exec(move |process| run(process, most));
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn cp_copies_both_ways_or_leaves_nothing() {
    let (server, _listening, config) = cluster();
    put(&server, pod("web"));
    let root = Folder(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cp"));
    let _ = fs::remove_dir_all(&root.0);
    fs::create_dir_all(root.0.join("a/inner")).unwrap();
    fs::write(root.0.join("a/first"), "1".repeat(1_000_000)).unwrap();
    fs::write(root.0.join("a/inner/second"), "22").unwrap();
    let local = |name: &str| root.0.join(name).to_str().unwrap().to_owned();
    let remote = |name: &str| format!("web:{}", local(name));
    let copy = |source: &str, target: &str| Program::run("cp", &[source, target], &config);

    contain(&server, [u64::MAX; 2]);
    let copied = (0, "2 files, 1000002 bytes\n".to_owned(), String::new());
    assert_eq!(copy(&remote("a"), &local("b")), copied);
    assert_eq!(copy(&local("b"), &remote("c")), copied);
    for name in ["first", "inner/second"] {
        let original = fs::read(root.0.join("a").join(name)).unwrap();
        assert_eq!(fs::read(root.0.join("c").join(name)).unwrap(), original, "{name}");
    }

    contain(&server, [u64::MAX, 50_000]);
    let (code, _, errors) = copy(&remote("a"), &local("d"));
    assert_eq!(
        (code, errors.as_str()),
        (1, "Error: the archive of the container was cut: nothing is copied\n")
    );
    contain(&server, [50_000, u64::MAX]);
    let (code, _, errors) = copy(&local("a"), &remote("d"));
    assert_eq!(code, 1, "{errors}");
    assert!(errors.contains("the process in the container failed"), "{errors}");
    let left = fs::read_dir(&root.0).unwrap().map(|entry| entry.unwrap().file_name());
    let mut left: Vec<_> = left.collect();
    left.sort();
    assert_eq!(left, ["a", "b", "c"]);

    assert_eq!(copy(&local("a"), &local("d")).2, "Error: \"one of the two is POD:PATH\"\n");
}
