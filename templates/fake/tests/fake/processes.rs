//! Processes of this machine as those of containers.

use kapigen_fake::streams::Process;
use std::future::pending;
use std::process::Stdio;
use tokio::io::{AsyncWriteExt, copy};
use tokio::process::Command;
use tokio::sync::Mutex;

/// Runs the command of a process on this machine. A terminal is a pipe that reports its sizes.
pub(crate) async fn local(process: Process) -> Result<i32, String> {
    let Process { command, mut stdin, stdout, mut stderr, mut sizes, .. } = process;
    let [program, arguments @ ..] = &command[..] else { return Err("no command".to_owned()) };
    let mut command = Command::new(program);
    command.args(arguments).kill_on_drop(true);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let spawned = command.spawn();
    let mut child =
        spawned.map_err(|_| format!("fork/exec {program}: no such file or directory"))?;
    let mut input = child.stdin.take().expect("an input");
    let (mut output, mut errors) =
        (child.stdout.take().expect("one"), child.stderr.take().expect("one"));
    let stdout = Mutex::new(stdout);
    let feed = async move {
        let _ = copy(&mut stdin, &mut input).await;
        drop(input);
        pending::<()>().await;
    };
    let resize = async {
        while let Some((width, height)) = sizes.next().await {
            let line = format!("resized {width}x{height}\n");
            let _ = stdout.lock().await.write_all(line.as_bytes()).await;
        }
        pending::<()>().await;
    };
    let end = async {
        let mut bytes = vec![0; 32 << 10];
        let out = async {
            use tokio::io::AsyncReadExt;
            while let Ok(count @ 1..) = output.read(&mut bytes).await {
                let _ = stdout.lock().await.write_all(&bytes[..count]).await;
            }
        };
        let _ = tokio::join!(out, copy(&mut errors, &mut stderr));
        child.wait().await
    };
    tokio::select! {
        end = end => Ok(end.map_err(|error| error.to_string())?.code().unwrap_or(137)),
        () = feed => unreachable!("it waits"),
        () = resize => unreachable!("it waits"),
    }
}
