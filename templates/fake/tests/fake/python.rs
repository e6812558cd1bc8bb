//! The Python client, over a socket.

use crate::clients::{self, widgets};
#[cfg(unix)]
use kapigen_fake::{Server, streams::Script};
use std::process::Command;
use test_support::places;

#[test]
fn the_python_client_reads_and_writes() {
    let Some(python) = clients::python() else { return };
    let listener = widgets();
    listener.server.set_log("default", "web", "app", "one\ntwo\n");
    // Processes of this machine are those of Unix.
    #[cfg(unix)]
    serve_streams(&listener.server);
    let script = places::root().join("templates/fake/tests/fake/client.py");
    let mut command = Command::new(python);
    command
        .arg(script)
        .arg(listener.listening.url())
        .args(cfg!(unix).then_some("streams"))
        .env("NO_PROXY", "*")
        .env("PYTHONDONTWRITEBYTECODE", "1");
    let output = command.output().expect("Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(listener.server.get_json("v1", "Pod", "default", "web").is_some());
    assert_eq!(listener.server.get_json("v1", "Pod", "default", "job"), None);
}

#[cfg(unix)]
fn serve_streams(server: &Server) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    server.on_exec(crate::processes::local);
    server.on_attach(|process| Script::default().stdout("attached\n").run(process));
    server.on_forward(|mut forwarded| async move {
        if forwarded.port != 80 {
            return Err(format!("nobody listens on {}", forwarded.port));
        }
        let mut bytes = [0; 4];
        let read = forwarded.connection.read_exact(&mut bytes).await;
        read.map_err(|error| error.to_string())?;
        let answer = [b"got ", &bytes[..]].concat();
        forwarded.connection.write_all(&answer).await.map_err(|error| error.to_string())
    });
}
