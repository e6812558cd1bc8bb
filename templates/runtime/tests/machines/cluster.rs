//! A model of an API server: objects, their history, and faults.

use crate::script::{line, list_body};
use std::collections::BTreeMap;

/// The number of objects that may exist.
pub(crate) const NAMES: usize = 6;

/// A server.
#[derive(Default)]
pub(crate) struct Cluster {
    pub(crate) objects: BTreeMap<String, u64>,
    version: u64,
    /// Events with their versions.
    history: Vec<(u64, &'static str, String)>,
    /// Versions before this one are forgotten.
    oldest: u64,
    /// It can change while the server runs: it is upgraded or downgraded.
    pub(crate) streams: Streams,
}

/// The reply to a watch that is to send all objects first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Streams {
    /// All objects.
    #[default]
    Served,
    /// This code, as the response or as its first event.
    Refused { code: u16, is_event: bool },
    /// A watch from now on: the server does not know the parameter.
    Unknown,
}

/// A response: the first part of its body, and whether it continues with each change.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
    /// The version from which a watch continues.
    pub(crate) watch: Option<u64>,
}

impl Reply {
    pub(crate) fn refusal(code: u16) -> Self {
        let body =
            format!(r#"{{"kind":"Status","apiVersion":"v1","status":"Failure","code":{code}}}"#);
        Self { status: code, body: body.into_bytes(), watch: None }
    }

    /// A watch that ends with its first event.
    pub(crate) fn event(code: u16) -> Self {
        Self { status: 200, body: line(&["ERROR", &code.to_string()]).into_bytes(), watch: None }
    }
}

impl Cluster {
    /// An empty server.
    pub(crate) fn new(streams: Streams) -> Self {
        Self { streams, ..Self::default() }
    }

    /// Creates, changes or deletes an object.
    pub(crate) fn change(&mut self, index: usize, is_deletion: bool) {
        let name = format!("ns{}/thing-{}", index % 2, index % NAMES);
        self.version += 1;
        let kind = match (self.objects.contains_key(&name), is_deletion) {
            (false, true) => return,
            (true, true) => "DELETED",
            (true, false) => "MODIFIED",
            (false, false) => "ADDED",
        };
        if is_deletion {
            self.objects.remove(&name);
        } else {
            self.objects.insert(name.clone(), self.version);
        }
        self.history.push((self.version, kind, name));
    }

    /// Forgets all history.
    pub(crate) fn compact(&mut self) {
        self.oldest = self.version;
    }

    /// The events after a version, and the version of the last one.
    pub(crate) fn events_after(&self, version: u64) -> (Vec<u8>, u64) {
        let mut bytes = Vec::new();
        for (number, kind, name) in self.history.iter().filter(|(number, ..)| *number > version) {
            bytes.extend(line(&[kind, name, &number.to_string()]).into_bytes());
        }
        (bytes, self.version)
    }

    /// The response to a request.
    pub(crate) fn reply(&self, query: &str) -> Reply {
        let get = |name: &str| {
            let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs.filter(|(key, _)| *key == name).map(|(_, value)| value).next()
        };
        let version: Option<u64> =
            get("resourceVersion").map(|version| version.parse().expect("a version of ours"));
        match (get("watch"), get("sendInitialEvents")) {
            (Some(_), Some(_)) => match self.streams {
                Streams::Served if version > Some(self.version) => Reply::refusal(504),
                Streams::Served => self.stream(),
                Streams::Refused { code, is_event: false } => Reply::refusal(code),
                Streams::Refused { code, is_event: true } => Reply::event(code),
                Streams::Unknown => {
                    Reply { status: 200, body: Vec::new(), watch: Some(self.version) }
                }
            },
            (Some(_), None) => self.watch(version.expect("a watch has a version")),
            _ => self.list(version.unwrap_or_default(), get("limit"), get("continue")),
        }
    }

    fn stream(&self) -> Reply {
        let added = |(name, version): (&String, &u64)| line(&["ADDED", name, &version.to_string()]);
        let mut text: String = self.objects.iter().map(added).collect();
        text += &line(&["BOOKMARK", &self.version.to_string(), "end"]);
        Reply { status: 200, body: text.into_bytes(), watch: Some(self.version) }
    }

    fn watch(&self, version: u64) -> Reply {
        if version < self.oldest {
            return if version.is_multiple_of(2) { Reply::event(410) } else { Reply::refusal(410) };
        }
        let (body, version) = self.events_after(version);
        Reply { status: 200, body, watch: Some(version) }
    }

    /// A token is the version of the list, and the name of its last item.
    fn list(&self, least: u64, limit: Option<&str>, token: Option<&str>) -> Reply {
        if least > self.version {
            return Reply::refusal(504);
        }
        let (version, after) = match token.map(|token| token.replace("%2F", "/")) {
            Some(token) => {
                let (version, after) = token.split_once('~').expect("a token of ours");
                (version.parse().expect("a version"), after.to_owned())
            }
            None => (self.version, String::new()),
        };
        if version < self.oldest {
            return Reply::refusal(410);
        }
        let limit = limit.map_or(usize::MAX, |limit| limit.parse().expect("a limit"));
        let objects = self.objects_at(version);
        let rest: Vec<_> = objects.iter().filter(|(name, _)| **name > after).collect();
        let items = rest.iter().take(limit).map(|(name, version)| format!("{name}@{version}"));
        let mut words = vec![version.to_string()];
        words.extend(items);
        if rest.len() > limit {
            words.push(format!("->{version}~{}", rest[limit - 1].0));
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Reply { status: 200, body: list_body(&words).into_bytes(), watch: None }
    }

    /// The objects as they were.
    fn objects_at(&self, version: u64) -> BTreeMap<String, u64> {
        let mut objects = BTreeMap::new();
        for (number, kind, name) in self.history.iter().filter(|(number, ..)| *number <= version) {
            if *kind == "DELETED" {
                objects.remove(name);
            } else {
                objects.insert(name.clone(), *number);
            }
        }
        objects
    }
}
