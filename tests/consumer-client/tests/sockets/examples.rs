//! The examples, run as their users run them.

use crate::{pod, put, server};
use kapigen_fake::{Action, Fault, Listening, Server};
use openshift_api::http::StatusCode;
use openshift_api::jiff::Timestamp;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// An example that runs. It is ended when this is dropped.
pub(crate) struct Program {
    child: Child,
    lines: Receiver<String>,
}

impl Program {
    fn start(name: &str, arguments: &[&str], config: &Config) -> Self {
        Self::start_as("addresses-0", name, arguments, config)
    }

    fn start_as(host: &str, name: &str, arguments: &[&str], config: &Config) -> Self {
        let mut command = Self::command(name, arguments);
        command.env("HOSTNAME", host);
        command.env("KUBECONFIG", &config.0).env("NO_PROXY", "127.0.0.1");
        Self::spawn(name, command)
    }

    /// Runs an example to its end. Returns its exit code, its output, and what it writes of errors.
    pub(crate) fn run(name: &str, arguments: &[&str], config: &Config) -> (i32, String, String) {
        let mut command = Self::command(name, arguments);
        let output = command.env("KUBECONFIG", &config.0).env("NO_PROXY", "127.0.0.1").output();
        let output = output.unwrap_or_else(|error| panic!("{name}: {error}"));
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    }

    /// Starts an example that needs no server, in a folder.
    pub(crate) fn start_in(name: &str, arguments: &[&str], folder: &Path) -> Self {
        let mut command = Self::command(name, arguments);
        command.current_dir(folder);
        Self::spawn(name, command)
    }

    fn command(name: &str, arguments: &[&str]) -> Command {
        // Cargo builds examples for `cargo test` beside the folder where the tests are.
        let test = std::env::current_exe().unwrap();
        let program = test.parent().unwrap().parent().unwrap().join("examples").join(name);
        let mut command = Command::new(program.with_extension(std::env::consts::EXE_EXTENSION));
        command.args(arguments);
        command
    }

    fn spawn(name: &str, mut command: Command) -> Self {
        command.stdout(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{name}: {error}"));
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Self { child, lines }
    }

    /// The next line.
    pub(crate) fn line(&self) -> String {
        self.lines.recv_timeout(Duration::from_secs(60)).expect("a line")
    }

    /// The next line that ends so, after a time.
    fn line_with(&self, end: &str) {
        while !{
            let l = self.line();
            eprintln!("LINE {l}");
            l
        }
        .ends_with(end)
        {}
    }

    /// Waits for the end of a program that succeeds.
    fn end(mut self) -> Vec<String> {
        assert!(self.child.wait().unwrap().success());
        self.lines.iter().collect()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A file that names a server, as `kubectl` reads it.
pub(crate) struct Config(pub(crate) PathBuf);

impl Config {
    pub(crate) fn new(url: &str) -> Self {
        let port = url.rsplit(':').next().unwrap();
        let path = std::env::temp_dir().join(format!("kubeconfig-{port}"));
        let config = json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "fake",
            "clusters": [{"name": "fake", "cluster": {"server": url}}],
            "users": [{"name": "fake", "user": {}}],
            "contexts": [{"name": "fake", "context": {"cluster": "fake", "user": "fake"}}],
        });
        std::fs::write(&path, config.to_string()).unwrap();
        Self(path)
    }
}

impl Drop for Config {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

pub(crate) fn cluster() -> (Server, Listening, Config) {
    let (server, listening) = server();
    let config = Config::new(&listening.url());
    (server, listening, config)
}

fn delete(server: &Server, name: &str) {
    let params = openshift_api::params::DeleteParams::default().grace_period_seconds(0);
    let request =
        openshift_api::core_v1::pods::delete("default", name, &params).unwrap().into_http();
    assert!(server.handle(request, Timestamp::now()).response.status().is_success());
}

#[test]
fn watch_pods_follows_pods() {
    let (server, _listening, config) = cluster();
    put(&server, pod("a"));
    let program = Program::start("watch_pods", &[], &config);
    assert_eq!(program.line(), "default/a Unknown");
    assert_eq!(program.line(), "1 pods");
    put(&server, pod("b"));
    assert_eq!(program.line(), "default/b Unknown");
    server.cut_streams();
    delete(&server, "a");
    // A pod may be marked before it goes.
    let line = std::iter::repeat_with(|| program.line()).find(|line| line != "default/a Unknown");
    assert_eq!(line.as_deref(), Some("default/a is gone"));
}

#[test]
fn blocking_follows_pods() {
    let (server, listening, config) = cluster();
    put(&server, pod("a"));
    let program = Program::start("blocking", &[&listening.url()], &config);
    assert_eq!([program.line(), program.line()], ["default/a", "1 pods"]);
    server.cut_streams();
    put(&server, pod("b"));
    assert_eq!(program.line(), "default/b");
}

#[test]
fn images_labels_what_has_no_label() {
    let (server, _listening, config) = cluster();
    for (name, label) in [("app-1", "reviewed"), ("app-2", "other")] {
        let metadata = json!({"name": name, "labels": {label: "yes"}});
        let reference = format!("registry.example.com/a@{name}");
        put(
            &server,
            json!({"apiVersion": "image.openshift.io/v1", "kind": "Image", "metadata": metadata,
            "dockerImageReference": reference}),
        );
    }
    let lines = Program::start("images", &[], &config).end();
    let all = [
        "app-1 registry.example.com/a@app-1",
        "app-2 registry.example.com/a@app-2",
        "app-2 is labelled",
    ];
    assert_eq!(lines, all);
    let image = server.get_json("image.openshift.io/v1", "Image", "", "app-2").unwrap();
    assert_eq!(image["metadata"]["labels"], json!({"other": "yes", "reviewed": "no"}));
    let managers = image["metadata"]["managedFields"].as_array().unwrap();
    let own = managers.iter().find(|entry| entry["manager"] == "reviewer").unwrap();
    assert_eq!(own["fieldsV1"], json!({"f:metadata": {"f:labels": {"f:reviewed": {}}}}));
}

#[test]
fn election_has_one_worker() {
    let (_server, _listening, config) = cluster();
    let first = Program::start("election", &["one"], &config);
    assert_eq!(first.line(), "leading");
    assert_eq!(first.line(), "working");
    let second = Program::start("election", &["two"], &config);
    assert_eq!(second.line(), "one leads");
    assert!(second.lines.recv_timeout(Duration::from_millis(500)).is_err(), "it waits");
    let interrupt =
        Command::new("kill").args(["-INT", &first.child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    assert_eq!(first.end().last().unwrap(), "lost");
    assert_eq!(second.line(), "leading");
    assert_eq!(second.line(), "working");
}

#[test]
fn follow_log_prints_lines() {
    let (server, listening, config) = cluster();
    put(&server, pod("a"));
    let write = |line: &str| {
        server.append_log("default", "a", "main", format!("{line}\n"), Timestamp::now())
    };
    write("one");
    let program = Program::start("follow_log", &[&listening.url(), "a"], &config);
    assert_eq!(program.line(), "one");
    server.cut_streams();
    write("two");
    assert_eq!(program.line(), "two");
}

#[test]
fn addresses_reserves_until_it_is_terminated() {
    let (server, _listening, config) = cluster();
    put(&server, labelled());
    let program = Program::start("addresses", &[], &config);
    let patience = Duration::from_secs(60);
    let has = |kind: &str| {
        server
            .wait_until(patience, |server| server.get_json("v1", kind, "default", "web").is_some())
    };
    assert!(has("Endpoints"));
    let lease =
        || server.get_json("coordination.k8s.io/v1", "Lease", "operators", "addresses").unwrap();
    assert_eq!(lease()["spec"]["holderIdentity"], "addresses-0");
    assert!(
        Command::new("kill")
            .args(["-TERM", &program.child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    program.end();
    assert_eq!(lease()["spec"]["holderIdentity"], "");
}

/// A pod that `addresses` works for.
fn labelled() -> Value {
    let mut web = pod("web");
    web["metadata"]["labels"] = json!({"example.com/addresses": ""});
    web
}

#[test]
fn addresses_logs_what_it_does() {
    let (server, listening, config) = cluster();
    put(&server, labelled());
    let url = listening.url();
    let refuse = |code| Fault::new(Action::Refuse(code, None)).times(1);
    server.inject(refuse(StatusCode::FORBIDDEN).verb("watch").resource("pods"));
    server.inject(refuse(StatusCode::INTERNAL_SERVER_ERROR).verb("patch").resource("endpoints"));
    let first = Program::start("addresses", &[], &config);
    first.line_with(" INFO kapigen_client::run: leading");
    first.line_with(&format!(
        " WARN kapigen_client::follow: informer failure=GET {url}/api/v1/pods (Pod): the server \
         responded with 403 Forbidden (Forbidden): injected: 403 Forbidden \
         kind=\"openshift_api::core_v1::types::pod::Pod\""
    ));
    first.line_with(&format!(
        " WARN kapigen_client::queue: failed, will be handled again key=Key(\"default/web\") \
         error=PATCH {url}/api/v1/namespaces/default/endpoints/web (Endpoints): the server \
         responded with 500 Internal Server Error (InternalError): injected: 500 Internal Server \
         Error"
    ));
    let second = Program::start_as("addresses-1", "addresses", &[], &config);
    second.line_with(" INFO kapigen_client::run: waiting for the lease leader=addresses-0");
}
