//! The Python client, over a socket. `tests/build.rs` looks for a Python that has it.

use crate::clients::widgets;
use std::process::Command;
use test_support::places;

#[test]
#[cfg_attr(not(python), ignore = "needs a Python with the package kubernetes")]
fn the_python_client_reads_and_writes() {
    let listener = widgets();
    listener.server.set_log("default", "web", "app", "one\ntwo\n");
    let script = places::root().join("tests/tests/fake/client.py");
    let mut command = Command::new(option_env!("PYTHON_OF_CLIENT").unwrap_or("python3"));
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
