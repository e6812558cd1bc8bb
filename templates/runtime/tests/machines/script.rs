//! A language for tests of machines: the input, and the steps that follow.
//!
//! | fed | meaning |
//! |---|---|
//! | `200`, `429 retry-after: 7` | status code, and a header |
//! | `ADDED a 5`, `ADDED ns/a 5 bad` | an event of an object with this version, which cannot be decoded if it is bad |
//! | `BOOKMARK 7`, `BOOKMARK 7 end` | a bookmark, which ends the initial events |
//! | `ERROR 410` | an event with this code |
//! | `list 10 a@5 b@6` | a list of version 10; with `->token` at its end it goes on |
//! | `body …` | bytes as they are |
//! | `end`, `cut` | the end of the response, or of the connection |
//! | `unsendable` | the request can never be sent |
//! | `later`, `+30` | the time of the last step has come, or so many seconds pass |
//!
//! Each script runs three times at once: with the members of all objects as they are here, sorted,
//! and reversed. The steps must be the same.

use crate::order::Order;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use kapigen_runtime::__private::Builder;
use kapigen_runtime::informer::Event;
use kapigen_runtime::machine::{Failure, FailureKind};
use kapigen_runtime::meta_v1::{PartialObjectMetadata, PartialObjectMetadataList};
use kapigen_runtime::params::ListParams;
use kapigen_runtime::{Informer, Input, Machine, Operation, Request, Step, Verb};
use std::time::Duration;

static LIST: Operation = Operation::new(Verb::List, "listThings", "GET", "/things").parameters(&[
    "allowWatchBookmarks",
    "continue",
    "fieldSelector",
    "labelSelector",
    "limit",
    "resourceVersion",
    "resourceVersionMatch",
    "sendInitialEvents",
    "timeoutSeconds",
    "watch",
]);

/// A request that lists things.
pub(crate) fn list(params: &ListParams) -> Request<PartialObjectMetadataList> {
    Builder::new(&LIST, &[]).params(params).finish().expect("a list of things")
}

/// An informer of things.
pub(crate) fn informer() -> Informer<PartialObjectMetadata> {
    Informer::new(list(&ListParams::default())).expect("things can be watched").seed(1)
}

/// A machine for each order of members, the time, and the time of the last step.
pub(crate) struct Script<M: Machine> {
    machines: [M; 3],
    pub(crate) now: Duration,
    until: Duration,
    describe: fn(M::Event) -> String,
}

impl<M: Machine> Script<M> {
    pub(crate) fn new(machine: impl Fn() -> M, describe: fn(M::Event) -> String) -> Self {
        let machines = Order::ALL.map(|_| machine());
        Self { machines, now: Duration::ZERO, until: Duration::ZERO, describe }
    }

    /// Feeds each of these, and compares the steps that follow.
    pub(crate) fn run(&mut self, lines: &[(&str, &str)]) {
        for (index, (fed, expected)) in lines.iter().enumerate() {
            self.feed(fed);
            assert_eq!(&self.steps(), expected, "after `{fed}` (line {index})");
        }
    }

    /// The steps up to one that waits for something.
    pub(crate) fn steps(&mut self) -> String {
        let [first, others @ ..] = [0, 1, 2].map(|index| self.steps_of(index));
        for (steps, order) in others.iter().zip(&Order::ALL[1..]) {
            assert_eq!(*steps, first, "with members that are {order:?}");
        }
        first
    }

    fn steps_of(&mut self, index: usize) -> String {
        let machine = &mut self.machines[index];
        let mut steps = Vec::new();
        loop {
            match machine.poll(self.now) {
                Step::Event(event) => steps.push((self.describe)(event)),
                Step::Send(request) => {
                    let uri = request.uri().to_string();
                    steps.push(format!(
                        "{} {}",
                        request.method(),
                        without_timeout(&uri.replace("/things?", ""))
                    ));
                }
                Step::Receive { until } => {
                    self.until = until;
                    return steps.join("; ");
                }
                Step::Wait { until } => {
                    self.until = until;
                    let wait = until.saturating_sub(self.now).as_secs_f64();
                    steps.push(format!("wait {}", range(wait)));
                    return steps.join("; ");
                }
                Step::Done => {
                    steps.push("done".to_owned());
                    return steps.join("; ");
                }
            }
        }
    }

    /// One of the machines, which are all in the same state.
    pub(crate) fn machine(&self) -> &M {
        &self.machines[0]
    }

    pub(crate) fn debug(&self) -> String
    where
        M: std::fmt::Debug,
    {
        format!("{:?}", self.machines[0])
    }

    pub(crate) fn feed(&mut self, fed: &str) {
        let words: Vec<&str> = fed.split(' ').collect();
        let now = self.now;
        match words[0] {
            "" => {}
            "end" => self.each(|machine| machine.feed(Input::End, now)),
            "cut" => self.each(|machine| machine.feed(Input::Disconnected("reset by peer"), now)),
            "unsendable" => self.each(|machine| machine.feed(Input::Unsendable("no host"), now)),
            "later" => self.now = self.until,
            "body" => self.body(&fed[5..]),
            "list" => self.body(&list_body(&words[1..])),
            "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR" => self.body(&line(&words)),
            word if word.starts_with('+') => {
                self.now += Duration::from_secs(word.parse().expect("seconds"));
            }
            code => self.head(code, fed),
        }
    }

    fn each(&mut self, feed: impl Fn(&mut M)) {
        self.machines.iter_mut().for_each(feed);
    }

    fn body(&mut self, text: &str) {
        for (machine, order) in self.machines.iter_mut().zip(Order::ALL) {
            machine.feed(Input::Bytes(order.of(text).as_bytes()), self.now);
        }
    }

    fn head(&mut self, code: &str, fed: &str) {
        let mut headers = HeaderMap::new();
        if let Some((name, value)) = fed[3..].trim().split_once(": ") {
            headers
                .insert(HeaderName::try_from(name).unwrap(), HeaderValue::from_str(value).unwrap());
        }
        let code = code.parse::<StatusCode>().expect("a status code");
        let now = self.now;
        self.each(|machine| machine.feed(Input::Head(code, &headers), now));
    }
}

/// The interval of a backoff in which a time is.
fn range(seconds: f64) -> String {
    let bases = [0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30.0];
    match bases
        .iter()
        .find(|base| (**base..=2.0 * **base).contains(&seconds) && seconds.fract() != 0.0)
    {
        Some(base) => format!("{base}+"),
        None => seconds.to_string(),
    }
}

pub(crate) fn metadata(key: &str, version: &str, is_bad: bool) -> String {
    let (namespace, name) = key.split_once('/').unwrap_or(("", key));
    let namespace =
        if namespace.is_empty() { String::new() } else { format!(r#""namespace":"{namespace}","#) };
    let labels = if is_bad { r#","labels":7"# } else { "" };
    format!(r#"{{{namespace}"name":"{name}","resourceVersion":"{version}"{labels}}}"#)
}

/// The line of an event.
pub(crate) fn line(words: &[&str]) -> String {
    let kind = words[0];
    let object = match *words {
        ["ERROR", code] => {
            format!(r#"{{"kind":"Status","apiVersion":"v1","status":"Failure","code":{code}}}"#)
        }
        ["BOOKMARK", version, ref rest @ ..] => {
            let end = r#","annotations":{"k8s.io/initial-events-end":"true"}"#;
            let end = if rest.is_empty() { "" } else { end };
            format!(
                r#"{{"kind":"Thing","apiVersion":"v1","metadata":{{"resourceVersion":"{version}"{end}}}}}"#
            )
        }
        [_, key, version, ref rest @ ..] => {
            let metadata = metadata(key, version, !rest.is_empty());
            format!(
                r#"{{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{metadata}}}"#
            )
        }
        _ => panic!("{words:?}"),
    };
    format!("{{\"type\":\"{kind}\",\"object\":{object}}}\n")
}

/// A list: its version, its items, and maybe its token.
pub(crate) fn list_body(words: &[&str]) -> String {
    let token = words.iter().find_map(|word| word.strip_prefix("->")).unwrap_or_default();
    let items = words[1..].iter().filter(|word| !word.starts_with("->")).map(|word| {
        let (word, is_bad) = word.strip_suffix('!').map_or((*word, false), |word| (word, true));
        let (key, version) = word.split_once('@').expect("a version");
        format!(r#"{{"metadata":{}}}"#, metadata(key, version, is_bad))
    });
    let items = items.collect::<Vec<_>>().join(",");
    let version = words[0];
    let metadata = format!(r#"{{"resourceVersion":"{version}","continue":"{token}"}}"#);
    let head = r#""kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1""#;
    format!(r#"{{{head},"metadata":{metadata},"items":[{items}]}}"#)
}

/// An event in words.
pub(crate) fn describe(event: Event<PartialObjectMetadata>) -> String {
    match event {
        Event::Init => "Init".to_owned(),
        Event::InitDone => "InitDone".to_owned(),
        Event::Applied { key, object } => {
            format!("Applied {key} {}", object.metadata.resource_version.as_deref().unwrap_or("?"))
        }
        Event::Deleted { key, object } => {
            format!("Deleted {key}{}", if object.is_some() { " with state" } else { "" })
        }
        Event::Undecodable { key, error } => {
            let key = key.map_or("something".to_owned(), |key| key.to_string());
            format!("Undecodable {key}: {}", error.message().split(": ").next().unwrap_or_default())
        }
        Event::Failed(failure) => format!("Failed {}", word(&failure)),
        other => panic!("{other:?}"),
    }
}

fn word(failure: &Failure) -> String {
    match &failure.kind {
        FailureKind::Api(error) => error.code.as_u16().to_string(),
        FailureKind::Silent(time) => format!("Silent {}", time.as_secs()),
        other => format!("{other:#?}").split('(').next().unwrap_or_default().to_owned(),
    }
}

/// Time limits are random.
fn without_timeout(uri: &str) -> String {
    let Some((before, after)) = uri.split_once("timeoutSeconds=") else { return uri.to_owned() };
    format!("{before}timeoutSeconds=T{}", after.trim_start_matches(|c: char| c.is_ascii_digit()))
}
