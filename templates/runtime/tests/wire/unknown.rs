//! Members that no type has, and required ones that are absent, are kept: at any depth and through
//! every format.

use crate::round_trips::check;
use openshift_api::core_v1::{Pod, PodList};
use openshift_api::{Items, Watch, WatchEvent, drop_unknown, to_vec};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value};
use test_support::documents::{Documents, Shape};
use test_support::random::json;
use test_support::samples::{self, Sample};

/// Names that no schema has. Some look like meaningful names, or have to be escaped.
const NAMES: [&str; 8] =
    ["fromTheFuture", "Name", "x-example", "", "a\"b\\c", "ü", "unknown_", "metadata "];

/// Changes objects at random: adds members that their schemas do not have, and removes members that
/// they do.
struct Changer<'a> {
    documents: &'a Documents,
    runner: TestRunner,
    added: usize,
    removed: usize,
}

impl<'a> Changer<'a> {
    fn new(documents: &'a Documents) -> Self {
        let runner = TestRunner::new(Config::default());
        Self { documents, runner, added: 0, removed: 0 }
    }

    fn pick<S: Strategy>(&mut self, strategy: S) -> S::Value {
        strategy.new_tree(&mut self.runner).expect("no filter rejects everything").current()
    }

    fn is_one_of(&mut self, count: u32) -> bool {
        self.pick(0..count) == 0
    }

    fn change(&mut self, shape: Shape<'_>, value: &mut Value) {
        match (shape, value) {
            (Shape::List(elements), Value::Array(list)) => {
                for element in list {
                    self.change(self.documents.shape(elements), element);
                }
            }
            (Shape::Map(values), Value::Object(map)) => {
                map.values_mut().for_each(|value| self.change(self.documents.shape(values), value));
            }
            (Shape::Object(object), Value::Object(map)) => {
                let members = std::mem::take(map).into_iter();
                for (key, mut value) in members {
                    let known = object.member(&key);
                    if let Some(member) = &known {
                        self.change(self.documents.shape(member.schema), &mut value);
                    }
                    if known.is_none() || !self.is_one_of(8) {
                        map.insert(key, value);
                    } else {
                        self.removed += 1;
                        if self.is_one_of(2) {
                            map.insert(key, Value::Null);
                        }
                    }
                }
                self.add(map);
            }
            _ => {}
        }
    }

    fn add(&mut self, map: &mut Map<String, Value>) {
        for _ in 0..self.pick(0..3) {
            let name = self.pick(prop::sample::select(NAMES.as_slice()));
            let value = self.pick(json());
            map.insert(name.to_owned(), value);
            self.added += 1;
        }
    }
}

fn changed_objects_come_back(samples: &[Sample]) {
    let documents = Documents::read();
    let mut changer = Changer::new(documents);
    let mut failures = Vec::new();
    for sample in samples {
        let (api_version, kind) = sample.kind();
        let schema = documents.of_kind(api_version, kind).expect("round trips check that");
        let mut value = sample.value.clone();
        changer.change(documents.named(schema), &mut value);
        let sample = Sample {
            origin: sample.origin,
            file: sample.file.clone(),
            text: value.to_string(),
            value,
        };
        failures.extend(check(documents, schema, &sample));
    }
    assert!(
        changer.added > 1000 && changer.removed > 500,
        "{} added, {} removed",
        changer.added,
        changer.removed
    );
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn unknown_and_absent_members_of_fixtures_come_back() {
    changed_objects_come_back(&samples::fixtures());
}

#[test]
fn unknown_and_absent_members_of_recorded_objects_come_back() {
    changed_objects_come_back(&samples::some_recorded());
}

/// Pods with unknown members everywhere.
fn pods() -> Vec<Value> {
    let documents = Documents::read();
    let mut changer = Changer::new(documents);
    let pods = samples::fixtures().into_iter().filter(|sample| sample.kind() == ("v1", "Pod"));
    let pods = pods.map(|sample| {
        let shape = documents.named("io.k8s.api.core.v1.Pod");
        let mut pod = sample.value;
        changer.change(shape, &mut pod);
        changer.add(pod.as_object_mut().expect("a pod is an object"));
        documents.without_null_members(shape, &pod)
    });
    pods.collect()
}

#[test]
fn watches_keep_unknown_members() {
    let pods = pods();
    let mut watch = Watch::<Pod>::default();
    for pod in &pods {
        let event =
            serde_json::json!({"type": "MODIFIED", "object": pod, "unknown": {"of": "the event"}});
        watch.push(format!("{event}\n").as_bytes());
    }
    for pod in &pods {
        let Some(Ok(WatchEvent::Modified(found))) = watch.next_event() else {
            panic!("an event for each pod")
        };
        assert_eq!(serde_json::from_slice::<Value>(&to_vec(&*found)).unwrap(), *pod);
    }
}

#[test]
fn streams_of_items_keep_unknown_members() {
    let pods = pods();
    for (before, behind) in
        [("", r#","metadata":{"unknown":[1]},"x":0"#), (r#""x":1,"y":null,"#, r#","x":2"#)]
    {
        let items: Vec<String> = pods.iter().map(Value::to_string).collect();
        let text = format!("{{{before}\"items\":[{}]{behind}}}", items.join(","));
        let mut expected: Value = serde_json::from_str(&text).unwrap();
        let mut stream = Items::<PodList>::default();
        let mut found = Vec::new();
        for piece in text.as_bytes().chunks(1000) {
            stream.push(piece);
            while let Some(item) = stream.next_item() {
                found.push(serde_json::from_slice::<Value>(&to_vec(&item.unwrap())).unwrap());
            }
        }
        assert_eq!(found, pods);
        expected["items"] = Value::Array(Vec::new());
        assert_eq!(serde_json::to_value(stream.finish().unwrap()).unwrap(), expected);
    }
}

#[test]
fn dropping_what_is_unknown_leaves_what_is_known() {
    let documents = Documents::read();
    for pod in pods() {
        let mut found: Pod = serde_json::from_value(pod.clone()).unwrap();
        drop_unknown(&mut found);
        let found = serde_json::to_value(found).unwrap();
        let mut known = pod;
        remove_unknown(documents, documents.named("io.k8s.api.core.v1.Pod"), &mut known);
        assert_eq!(found, known);
    }
}

fn remove_unknown(documents: &Documents, shape: Shape<'_>, value: &mut Value) {
    match (shape, value) {
        (Shape::List(elements), Value::Array(list)) => {
            for element in list {
                remove_unknown(documents, documents.shape(elements), element);
            }
        }
        (Shape::Map(values), Value::Object(map)) => {
            map.values_mut()
                .for_each(|value| remove_unknown(documents, documents.shape(values), value));
        }
        (Shape::Object(object), Value::Object(map)) => {
            map.retain(|key, _| object.member(key).is_some());
            for (key, value) in map.iter_mut() {
                let member = object.member(key).expect("the others are gone");
                remove_unknown(documents, documents.shape(member.schema), value);
            }
        }
        _ => {}
    }
}
