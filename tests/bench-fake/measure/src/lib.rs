//! Measures a fake API server through kube's client: the same requests for each server.

use http::{Method, Request};
use http_body_util::BodyExt;
use kube::Client;
use kube::client::Body;
use std::future::Future;
use std::io::{BufRead, BufReader};
use std::time::Instant;

const PODS: &str = "/api/v1/namespaces/default/pods";

/// Starts a server, creates the pods of a file, and gets each of them. Prints the figures as JSON.
/// Each line of the file has a name, a tab and a pod.
///
/// # Panics
/// When there is no such file, or the server refuses a request: then the figures would be
/// meaningless.
pub fn run<F: Future<Output = Client>>(start: impl FnOnce() -> F) {
    let path = std::env::args().nth(1).expect("the file with the pods is the only argument");
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let begin = Instant::now();
        let client = start().await;
        send(&client, Method::GET, PODS, Vec::new()).await;
        let start = begin.elapsed().as_secs_f64();
        let before = resident();
        let (names, creates) = create(&client, &path).await;
        let held = resident() - before;
        let begin = Instant::now();
        for name in &names {
            send(&client, Method::GET, &format!("{PODS}/{name}"), Vec::new()).await;
        }
        let count = names.len() as f64;
        let gets = count / begin.elapsed().as_secs_f64();
        let start = start * 1e3;
        let bytes = held * 1024.0 / count;
        println!(
            r#"{{"start_ms": {start}, "creates": {creates}, "gets": {gets}, "bytes": {bytes}}}"#
        );
    });
}

/// Creates the pods, and returns their names and how many were created in a second. Reading the
/// file does not count.
async fn create(client: &Client, path: &str) -> (Vec<String>, f64) {
    let file = BufReader::new(std::fs::File::open(path).expect("the file with the pods"));
    let mut names = Vec::new();
    let mut seconds = 0.0;
    for line in file.lines() {
        let line = line.expect("a line");
        let (name, pod) = line.split_once('\t').expect("a name and a pod");
        names.push(name.to_owned());
        let begin = Instant::now();
        send(client, Method::POST, PODS, pod.into()).await;
        seconds += begin.elapsed().as_secs_f64();
    }
    let count = names.len() as f64;
    (names, count / seconds)
}

async fn send(client: &Client, method: Method, path: &str, body: Vec<u8>) {
    let request =
        Request::builder().method(method).uri(path).header("Content-Type", "application/json");
    let request = request.body(Body::from(body)).expect("a request");
    let response = client.send(request).await.expect("a response");
    let (head, body) = response.into_parts();
    let body = body.collect().await.expect("a body").to_bytes();
    assert!(head.status.is_success(), "{path}: {} {}", head.status, String::from_utf8_lossy(&body));
}

/// The memory of this process, in kB.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok()).unwrap_or_default()
}
