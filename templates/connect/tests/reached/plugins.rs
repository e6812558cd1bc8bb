//! What client-go 1.36 did with plugins, token files, redirects and client certificates, and what
//! this crate does.

use crate::server::{Answer, Authority, Seen, Server};
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use kapigen_connect::{Body, Cluster, Connection, Error, Finder};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tower_service::Service;

/// The scenarios that are meant to differ, and why.
const DIFFERENT: [(&str, &str); 10] = [
    ("401-always", AGAIN),
    ("401-once", AGAIN),
    ("401-parallel", AGAIN),
    ("cert-401-rotates", AGAIN),
    ("fails-then-works", "a failure is remembered for a second"),
    ("new-client-same-configuration", "nothing is shared by two connections of a program"),
    ("redirect-301-get", REDIRECT),
    ("redirect-302-get", REDIRECT),
    ("redirect-307-post", REDIRECT),
    ("token-file-changed-401", AGAIN),
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
        let connect = || {
            let mut finder = Finder::new().path(self.folder.join("config"));
            if !self.name().starts_with("ca-") {
                let authority = Some(authority.pem.clone().into_bytes());
                let cluster =
                    Cluster { certificate_authority_data: authority, ..Cluster::default() };
                finder = finder.over_cluster(cluster);
            }
            finder.find().and_then(Connection::new)
        };
        let mut connection = connect();
        let mut successes = Vec::new();
        for step in self.value["steps"].as_array().expect("steps") {
            self.write_files(&step["write"]);
            if step["new"] == true {
                connection = connect();
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
        Outcome { runs: Some(runs), authorizations, successes, info }.comparable()
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
            info: result["runsDetail"][0]["info"].clone(),
            successes: list("results").iter().map(|one| one["error"].is_null()).collect(),
        }
        .comparable()
    }
}

impl Outcome {
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
    let authority = Authority::new("server-ca");
    let root = std::env::temp_dir().join(format!("kapigen-plugins-{}", std::process::id()));
    let text = fs::read_to_string(test_data::data("kubeconfig/exec.jsonl")).expect("a set");
    let mut running = Vec::new();
    for line in text.lines() {
        let value: Value = serde_json::from_str(line).expect("JSON");
        // A test has no terminal, and the input of all tests is one.
        if value["stdin"] != "/dev/null" {
            continue;
        }
        let folder = root.join(value["name"].as_str().expect("a name"));
        running.push(Scenario { value, folder });
    }
    assert!(running.len() > 50, "{}", running.len());
    let mut differences = BTreeMap::new();
    for scenario in &running {
        let found = scenario.run(&authority).await;
        let recorded = scenario.recorded();
        if found != recorded {
            let difference = format!("{found:?}\n    recorded {recorded:?}");
            differences.insert(scenario.name().to_owned(), difference);
        }
    }
    _ = fs::remove_dir_all(root);
    let is_meant = |name: &str| DIFFERENT.iter().any(|(other, _)| *other == name);
    let unexpected = differences.iter().filter(|(name, _)| !is_meant(name));
    let unexpected: Vec<_> = unexpected.map(|(name, text)| format!("{name}: {text}")).collect();
    assert!(unexpected.is_empty(), "{} differ\n{}", unexpected.len(), unexpected.join("\n"));
    let idle = DIFFERENT.iter().filter(|(name, _)| !differences.contains_key(*name));
    let idle: Vec<_> = idle.collect();
    assert!(idle.is_empty(), "these do not differ any more: {idle:?}");
}
