//! What client-go 1.36 did with plugins, token files, redirects and client certificates, and what
//! this crate does.

use crate::server::{Answer, Authority, Seen, Server, connect, run_again};
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use kapigen_connect::{Body, Cluster, Config, Connection, Error, Finder};
use serde_json::{Value, json};
use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tower_service::Service;

/// The scenarios that are meant to differ, why, and what happens: the runs of the plugin, the token
/// and the number of the client certificate of each request, and whether each caller got a success.
const DIFFERENT: [(&str, &str, &str); 10] = [
    ("401-always", AGAIN, "5 runs; t-1/1 t-2/1 t-2/1 t-3/1 t-3/1 t-4/1 t-4/1 t-5/1; ----"),
    ("401-once", AGAIN, "2 runs; old/1 good/1 good/1 good/1; +++"),
    ("401-parallel", AGAIN, "2 runs; good/1 old/1; +++++++++"),
    ("cert-401-rotates", AGAIN, "2 runs; /1 /1 /2 /2 /2; ++++"),
    ("cert-expiring-rotates", "it is renewed before it expires", "2 runs; /1 /2 /2 /2; ++++"),
    ("fails-then-works", "a failure is remembered for a second", "1 runs; ; ---"),
    ("redirect-301-get", REDIRECT, "0 runs; inline/1; -"),
    ("redirect-302-get", REDIRECT, "0 runs; inline/1; -"),
    ("redirect-307-post", REDIRECT, "0 runs; inline/1; -"),
    ("token-file-changed-401", AGAIN, "0 runs; old/1 old/1 new/1 new/1 new/1; ++++"),
];

const AGAIN: &str = "a refused credential is renewed, and the request sent once more";
const REDIRECT: &str = "no credential goes to another host";

struct Scenario {
    value: Value,
    folder: PathBuf,
}

/// The outcome of a scenario.
#[derive(Debug, PartialEq)]
struct Outcome {
    /// The number of times that the plugin ran. None where it failed: failures are remembered.
    runs: Option<u64>,
    authorizations: Vec<String>,
    /// For each request, the number of distinct client certificates up to it.
    certificates: Vec<usize>,
    /// The first input of the plugin.
    info: Value,
    /// Whether each request was answered with a success.
    successes: Vec<bool>,
}

impl Scenario {
    fn name(&self) -> &str {
        self.value["name"].as_str().expect("a name")
    }

    fn write(&self, port: u16) {
        _ = fs::remove_dir_all(&self.folder);
        fs::create_dir_all(&self.folder).expect("a folder");
        let text = |text: &str| {
            text.replace("$PORT", &port.to_string()).replace("$DIR", &self.folder.to_string_lossy())
        };
        fs::write(self.folder.join("config"), text(self.value["kubeconfig"].as_str().unwrap()))
            .expect("a file");
        if let Some(plugin) = self.value["plugin"].as_str() {
            let path = self.folder.join("plugin");
            fs::write(&path, text(plugin)).expect("a file");
            set_mode(&path, self.value["mode"].as_str().unwrap_or("755"));
        }
        self.write_files(&self.value["files"]);
    }

    fn write_files(&self, files: &Value) {
        for (path, content) in files.as_object().into_iter().flatten() {
            let path = self.folder.join(path);
            match content.as_str() {
                Some("-") => fs::remove_file(path).expect("a file"),
                Some(text) => fs::write(path, text).expect("a file"),
                None => {}
            }
        }
    }

    fn answer(&self) -> Answer {
        let server = self.value["server"].clone();
        Arc::new(move |number, seen: &Seen| {
            if let Some(status) = server["statuses"][number].as_u64() {
                return u16::try_from(status).unwrap();
            }
            let accepted = server["accept"].as_array().cloned().unwrap_or_default();
            let token = seen.authorization.as_deref().unwrap_or_default();
            let is_accepted =
                accepted.iter().any(|one| token == format!("Bearer {}", one.as_str().unwrap()));
            if accepted.is_empty() || is_accepted { 200 } else { 401 }
        })
    }

    async fn run(&self, authority: &Authority) -> Outcome {
        let certificate = authority.issue(&["127.0.0.1", "localhost", "api.test"]);
        let server = Server::start(&certificate, self.answer()).await;
        self.write(server.address.port());
        let connected = || {
            let mut finder = Finder::new().path(self.folder.join("config"));
            if !self.name().starts_with("ca-") {
                let authority = Some(authority.pem.clone().into_bytes());
                let cluster =
                    Cluster { certificate_authority_data: authority, ..Cluster::default() };
                finder = finder.over_cluster(cluster);
            }
            finder.find().and_then(connect)
        };
        let mut connection = connected();
        let mut successes = Vec::new();
        for step in self.value["steps"].as_array().expect("steps") {
            self.write_files(&step["write"]);
            if step["new"] == true {
                connection = connected();
            }
            let body = step["post"].as_str().unwrap_or_default();
            let count = step["get"].as_u64().unwrap_or(u64::from(!body.is_empty()));
            for _ in 0..count {
                successes.push(is_success(send(connection.clone(), body.to_owned()).await));
            }
            let at_once = step["par"].as_u64().unwrap_or_default();
            let all = (0..at_once).map(|_| tokio::spawn(send(connection.clone(), String::new())));
            for sent in all.collect::<Vec<_>>() {
                successes.push(is_success(sent.await.expect("a response")));
            }
            let pause = step["sleep"].as_u64().unwrap_or_default();
            tokio::time::sleep(Duration::from_millis(pause)).await;
        }
        let runs = fs::read_to_string(self.folder.join("n")).ok();
        let runs = runs.map_or(0, |text| text.trim().parse().expect("a number"));
        let seen = server.seen();
        let authorizations = seen.iter().map(|seen| seen.authorization.clone().unwrap_or_default());
        let authorizations = authorizations.collect();
        let info = fs::read_to_string(self.folder.join("info.1")).unwrap_or_default();
        let info = serde_json::from_str(&info).unwrap_or_default();
        let certificates = numbered(seen.iter().map(|seen| &seen.certificate));
        Outcome { runs: Some(runs), authorizations, certificates, successes, info }
    }

    fn recorded(&self) -> Outcome {
        let result = &self.value["result"];
        let list = |name: &str| result[name].as_array().cloned().unwrap_or_default();
        let requests = list("requests");
        Outcome {
            runs: result["runs"].as_u64(),
            authorizations: requests
                .iter()
                .map(|seen| seen["authorization"].as_str().unwrap_or_default().to_owned())
                .collect(),
            certificates: numbered(requests.iter().map(|seen| &seen["clientCertificate"])),
            info: result["runsDetail"][0]["info"].clone(),
            successes: list("results").iter().map(|one| one["error"].is_null()).collect(),
        }
        .comparable()
    }
}

/// The number of different values so far, at each.
fn numbered<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<usize> {
    let mut known = Vec::new();
    let count = |one| {
        if known.last() != Some(&one) {
            known.push(one);
        }
        known.len()
    };
    all.map(count).collect()
}

impl Outcome {
    /// Requests that were sent at the same time are shown without their number and order.
    fn shown(&self, are_ordered: bool) -> String {
        let tokens = self.authorizations.iter().map(|token| token.trim_start_matches("Bearer "));
        let requests = tokens.zip(&self.certificates);
        let mut requests: Vec<_> =
            requests.map(|(token, certificate)| format!("{token}/{certificate}")).collect();
        if !are_ordered {
            requests.sort();
            requests.dedup();
        }
        let successes = self.successes.iter().map(|&is_success| if is_success { '+' } else { '-' });
        let runs = self.runs.unwrap_or_default();
        format!("{runs} runs; {}; {}", requests.join(" "), successes.collect::<String>())
    }

    fn comparable(mut self) -> Self {
        if !self.successes.contains(&true) {
            self.runs = None;
        }
        // The server has another port, and a certificate of another authority.
        if let Some(cluster) = self.info["spec"]["cluster"].as_object_mut() {
            cluster.remove("server");
            if let Some(authority) = cluster.get_mut("certificate-authority-data") {
                *authority = Value::Bool(true);
            }
        }
        self
    }
}

fn set_mode(path: &Path, mode: &str) {
    use std::os::unix::fs::PermissionsExt;
    let mode = u32::from_str_radix(mode, 8).expect("a mode");
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
}

fn is_success(sent: Result<Response<Body>, Error>) -> bool {
    sent.is_ok_and(|response| response.status().is_success())
}

async fn send(
    connection: Result<Connection, Error>,
    body: String,
) -> Result<Response<Body>, Error> {
    let method = if body.is_empty() { "GET" } else { "POST" };
    let request = Request::builder().method(method).uri("/api/v1/namespaces/d/configmaps");
    let request = request.body(Full::new(Bytes::from(body))).expect("a request");
    connection?.call(request).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn plugins_and_tokens_are_used_as_by_client_go() {
    if std::io::stdin().is_terminal() {
        let test = "plugins::plugins_and_tokens_are_used_as_by_client_go";
        run_again(test, |test| test.stdin(Stdio::null()));
        return;
    }
    let authority = Authority::new("server-ca");
    let root = std::env::temp_dir().join(format!("kapigen-plugins-{}", std::process::id()));
    let text = fs::read_to_string(test_data::data("kubeconfig/exec.jsonl")).expect("a set");
    let mut running = Vec::new();
    for line in text.lines() {
        let value: Value = serde_json::from_str(line).expect("JSON");
        // There is no terminal here.
        if value["stdin"] == "pty" {
            continue;
        }
        let folder = root.join(value["name"].as_str().expect("a name"));
        running.push(Scenario { value, folder });
    }
    assert!(running.len() > 50, "{}", running.len());
    let mut differences = Vec::new();
    for scenario in &running {
        let name = scenario.name();
        let found = scenario.run(&authority).await;
        let recorded = scenario.recorded();
        if let Some((.., meant)) = DIFFERENT.iter().find(|(other, ..)| *other == name) {
            let shown = found.shown(name != "401-parallel");
            assert_ne!(found.comparable(), recorded, "{name} does not differ any more");
            if shown != *meant {
                differences.push(format!("{name}: {shown}, not {meant}"));
            }
            continue;
        }
        let found = found.comparable();
        if found != recorded {
            differences.push(format!("{name}: {found:?}\n    recorded {recorded:?}"));
        }
    }
    _ = fs::remove_dir_all(root);
    assert!(differences.is_empty(), "{} differ\n{}", differences.len(), differences.join("\n"));
}

/// A plugin that is a script, and a server that takes all that it issues.
async fn scripted(name: &str, script: &str) -> (Scenario, Server, Config) {
    let authority = Authority::new("server-ca");
    let answer: Answer = Arc::new(|_, _: &Seen| 200);
    let server = Server::start(&authority.issue(&["127.0.0.1"]), answer).await;
    let folder = std::env::temp_dir().join(format!("kapigen-script-{}-{name}", std::process::id()));
    let kubeconfig = "\
current-context: c
clusters:
- {name: c, cluster: {server: 'https://127.0.0.1:$PORT'}}
users:
- name: u
  user:
    exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin, interactiveMode: Never}
contexts:
- {name: c, context: {cluster: c, user: u}}
";
    let scenario = Scenario { value: json!({"kubeconfig": kubeconfig, "plugin": script}), folder };
    scenario.write(server.address.port());
    let data = Some(authority.pem.into_bytes());
    let cluster = Cluster { certificate_authority_data: data, ..Cluster::default() };
    let finder = Finder::new().path(scenario.folder.join("config")).over_cluster(cluster);
    (scenario, server, finder.find().expect("a cluster"))
}

#[tokio::test]
async fn a_plugin_that_hangs_is_ended() {
    let (scenario, server, mut config) = scripted("hangs", "#!/bin/sh\nexec sleep 60\n").await;
    config.exec_timeout = Duration::from_millis(300);
    let start = std::time::Instant::now();
    let error = send(connect(config), String::new()).await.unwrap_err().to_string();
    let path = scenario.folder.join("plugin");
    assert_eq!(error, format!("the plugin `{}` did not end within 300ms", path.display()));
    assert!(start.elapsed() < Duration::from_secs(10));
    assert!(server.seen().is_empty());
    _ = fs::remove_dir_all(&scenario.folder);
}

#[tokio::test]
async fn a_credential_is_renewed_before_it_expires() {
    for (seconds, tokens) in [(8, ["1", "2"]), (60, ["1", "1"])] {
        let script = format!(
            r#"#!/bin/sh
echo run >> "$(dirname "$0")/runs"
token=$(wc -l < "$(dirname "$0")/runs")
end=$(date -u -d "+{seconds} seconds" +%Y-%m-%dT%H:%M:%SZ)
echo '{{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
  "status": {{"token": "'"$token"'", "expirationTimestamp": "'"$end"'"}}}}'
"#
        );
        let (scenario, server, config) = scripted(&format!("renews-{seconds}"), &script).await;
        let connection = connect(config);
        for _ in tokens {
            assert!(is_success(send(connection.clone(), String::new()).await));
        }
        let seen = server.seen().into_iter().filter_map(|seen| seen.authorization);
        assert!(seen.eq(tokens.map(|token| format!("Bearer {token}"))), "{seconds}");
        _ = fs::remove_dir_all(&scenario.folder);
    }
}

/// The variable of a process that prints what its plugin does.
const ALOUD: &str = "KAPIGEN_ALOUD";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn errors_of_a_plugin_go_to_the_user_and_its_output_nowhere() {
    if std::env::var_os(ALOUD).is_none() {
        let name = "plugins::errors_of_a_plugin_go_to_the_user_and_its_output_nowhere";
        let (shown, errors) = run_again(name, |test| test.env(ALOUD, "1"));
        assert!(errors.contains("log in first\n"), "{errors}");
        assert!(!format!("{shown}{errors}").contains("hunter2"), "{shown}{errors}");
        return;
    }
    let script = "#!/bin/sh\necho 'log in first' >&2\necho 'hunter2: {token: hunter2}'\n";
    let (scenario, _server, config) = scripted("aloud", script).await;
    let error = send(connect(config), String::new()).await.unwrap_err();
    println!("{error} {error:#?}");
    let path = scenario.folder.join("plugin");
    let text = "printed no credential: its apiVersion is not `client.authentication.k8s.io/v1`";
    assert_eq!(error.to_string(), format!("the plugin `{}` {text}", path.display()));
    _ = fs::remove_dir_all(&scenario.folder);
}
