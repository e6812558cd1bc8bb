//! Replays recorded scenarios.

use crate::compare::Relations;
use crate::testing;
use kapigen_fake::{Events, NextEvent, ReplyBody, Server};
use openshift_api::jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use test_support::places;

/// A recorded scenario.
#[derive(Debug, Deserialize)]
pub(crate) struct Scenario {
    #[serde(rename = "scenario")]
    pub(crate) name: String,
    pub(crate) steps: Vec<Step>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Step {
    pub(crate) request: Request,
    pub(crate) response: Option<Response>,
    pub(crate) events: Option<Vec<Value>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) query: Vec<(String, String)>,
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) body: Value,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Response {
    pub(crate) status: u16,
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, Value>,
    #[serde(default)]
    pub(crate) body: Value,
}

/// Documents by their paths below `/openapi/v3/`.
pub(crate) type Documents = &'static [(&'static str, &'static str)];

/// A response of the fake server, in the form of a recorded one.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, Value>,
    pub(crate) body: Value,
    pub(crate) events: Option<Vec<Value>>,
}

/// All scenarios, by file.
pub(crate) fn scenarios(folder: &Path) -> Vec<Scenario> {
    let files = places::files(folder, &["jsonl"]);
    let lines = files.iter().flat_map(|path| {
        let text = places::text(path);
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    });
    lines.map(|line| serde_json::from_str(&line).expect("a scenario")).collect()
}

/// A server with the kinds and objects that existed when the scenarios were recorded.
pub(crate) fn server(documents: Documents, definition: &Value) -> Server {
    let server = Server::new(&[documents, testing::documents()]);
    server.set_time(time(0));
    let created = http::Request::post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions")
        .header("User-Agent", "tester/1")
        .body(definition.to_string().into_bytes());
    let reply = server.handle(created.expect("a request"), time(0));
    assert_eq!(reply.response.status(), 201, "a definition");
    let node = json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-b"}});
    server.create(&node).expect("a node");
    let namespace =
        json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}});
    server.create(&namespace).expect("a namespace");
    server
}

/// The documents of a folder, as in generated crates: the servers of this process share the parsed
/// ones.
pub(crate) fn documents(folder: &Path) -> Documents {
    let document = |path: &PathBuf| {
        let name = places::relative(&path.with_extension(""), folder);
        let [name, text] = [name, places::text(path)].map(|text| &*text.leak());
        (name, text)
    };
    places::files(folder, &["json"]).iter().map(document).collect::<Vec<_>>().leak()
}

fn time(milliseconds: i64) -> Timestamp {
    Timestamp::from_millisecond(1_700_000_000_000 + milliseconds).expect("a time")
}

/// Sends the requests of a scenario, and hands each response over together with the recorded one.
pub(crate) fn replay(
    server: &Server,
    scenario: &Scenario,
    mut compare: impl FnMut(usize, &Step, Reply, &mut Relations),
) {
    let mut relations = Relations::default();
    let mut watches = Vec::new();
    for (index, step) in scenario.steps.iter().enumerate() {
        let now = time(i64::try_from(index).expect("few steps"));
        let request = http_request(&step.request, &relations);
        if compacts_before(step) {
            server.compact();
        }
        let reply = server.handle(request, now);
        let (head, body) = reply.response.into_parts();
        let headers = head.headers.keys().map(|name| {
            let all = head
                .headers
                .get_all(name)
                .iter()
                .map(|value| json!(value.to_str().unwrap_or_default()));
            let all: Vec<_> = all.collect();
            let is_list = name == "warning";
            (title(name.as_str()), if is_list { json!(all) } else { all[0].clone() })
        });
        let mut reply = Reply {
            status: head.status.as_u16(),
            headers: headers.collect(),
            body: Value::Null,
            events: None,
        };
        match body {
            ReplyBody::Whole(bytes) => {
                let text = || json!(String::from_utf8_lossy(&bytes));
                reply.body = serde_json::from_slice(&bytes).unwrap_or_else(|_| text());
                compare(index, step, reply, &mut relations);
            }
            ReplyBody::Stream(events) => watches.push((index, step, reply, events)),
        }
    }
    for (index, step, mut reply, mut events) in watches {
        reply.events = Some(collect(&mut events));
        compare(index, step, reply, &mut relations);
    }
}

/// The recording forgot versions just before a response with 410, or an event with an error.
fn compacts_before(step: &Step) -> bool {
    let is_error = |event: &Value| event["type"] == "ERROR";
    step.response.as_ref().is_some_and(|response| response.status == 410)
        || step.events.as_ref().is_some_and(|events| events.iter().any(is_error))
}

/// The events of a watch up to its end, second by second.
fn collect(events: &mut Events) -> Vec<Value> {
    let mut all = Vec::new();
    for second in 0..4000 {
        loop {
            match events.next(time(second * 1000 + 100)) {
                NextEvent::Event(line) => {
                    all.push(serde_json::from_slice(&line).expect("an event"));
                }
                NextEvent::Wait(_) => break,
                NextEvent::End => return all,
            }
        }
    }
    all
}

/// `Content-Type`, not `content-type`.
fn title(name: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    };
    name.split('-').map(word).collect::<Vec<_>>().join("-")
}

fn http_request(request: &Request, relations: &Relations) -> http::Request<Vec<u8>> {
    let encode = |text: &str| {
        percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
    };
    let mut uri = relations.translate(&request.path);
    for (index, (name, value)) in request.query.iter().enumerate() {
        let separator = if index == 0 { '?' } else { '&' };
        uri = format!("{uri}{separator}{}={}", encode(name), encode(&relations.translate(value)));
    }
    let body = match &request.body {
        Value::Null => Vec::new(),
        Value::String(text) => relations.translate(text).into_bytes(),
        body => relations.translate_tree(body).to_string().into_bytes(),
    };
    let mut built = http::Request::builder()
        .method(request.method.as_str())
        .uri(uri)
        .header("User-Agent", "tester/1");
    for (name, value) in &request.headers {
        built = built.header(name, value);
    }
    built.body(body).expect("a request")
}
