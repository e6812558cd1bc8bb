//! The Python client, over a socket.

use crate::clients::{self, widgets};
use std::process::Command;
use test_support::places;

#[test]
fn the_python_client_reads_and_writes() {
    let Some(python) = clients::python() else { return };
    let listener = widgets();
    listener.server.set_log("default", "web", "app", "one\ntwo\n");
    let script = places::root().join("templates/fake/tests/fake/client.py");
    let mut command = Command::new(python);
    command
        .arg(script)
        .arg(listener.listening.url())
        .env("NO_PROXY", "*")
        .env("PYTHONDONTWRITEBYTECODE", "1");
    let output = command.output().expect("Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(listener.server.get_json("v1", "Pod", "default", "web").is_some());
    assert_eq!(listener.server.get_json("v1", "Pod", "default", "job"), None);
}
