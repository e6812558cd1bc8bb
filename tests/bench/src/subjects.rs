//! The peers that decode and encode.

use crate::inputs::Input;
use k8s_openapi::List;
use k8s_openapi::api as theirs;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::WatchEvent;
use openshift_api::codec::Value as OwnValue;
use openshift_api::{coordination_v1, core_v1, watch};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use std::any::Any;

/// The peer that all are compared with.
pub const PEER: &str = "k8s-openapi";
/// The crate of this project.
pub const OWN: &str = "openshift-api";
/// A tree, without types.
pub const VALUE: &str = "serde_json::Value";
/// Syntax alone: a decoder that keeps anything is slower.
pub const FLOOR: &str = "serde_json::IgnoredAny";

/// A peer that decodes a body to values of its own, and may encode them again.
pub trait Subject {
    fn name(&self) -> &'static str;
    fn read(&self, text: &[u8]) -> Box<dyn Any>;
    /// None: it does not write.
    fn write(&self, value: &dyn Any) -> Option<Vec<u8>>;
}

struct Of<T> {
    name: &'static str,
    read: fn(&[u8]) -> T,
    write: Option<fn(&T) -> Vec<u8>>,
}

impl<T: 'static> Subject for Of<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn read(&self, text: &[u8]) -> Box<dyn Any> {
        Box::new((self.read)(text))
    }

    fn write(&self, value: &dyn Any) -> Option<Vec<u8>> {
        let value = value.downcast_ref().expect("a subject writes what it has read");
        self.write.map(|write| write(value))
    }
}

type Subjects = Vec<Box<dyn Subject>>;

/// All subjects that can decode this input. The peer is the first.
pub fn of(input: Input) -> Subjects {
    match input {
        Input::Pods | Input::FullPods => of_list::<List<theirs::core::v1::Pod>, core_v1::PodList>(),
        Input::Leases => {
            of_list::<List<theirs::coordination::v1::Lease>, coordination_v1::LeaseList>()
        }
        Input::Events => of_list::<List<theirs::core::v1::Event>, core_v1::EventList>(),
        Input::Watch => vec![
            Box::new(Of { name: PEER, read: lines::<TheirEvent>, write: None }),
            Box::new(Of { name: OWN, read: own_events, write: None }),
            Box::new(Of { name: VALUE, read: lines::<serde_json::Value>, write: None }),
            Box::new(Of { name: FLOOR, read: lines::<IgnoredAny>, write: None }),
        ],
    }
}

fn of_list<Theirs, Own>() -> Subjects
where
    Theirs: DeserializeOwned + Serialize + 'static,
    Own: OwnValue + DeserializeOwned + Serialize + 'static,
{
    vec![
        through_serde::<Theirs>(PEER),
        Box::new(Of::<Own> { name: OWN, read: own, write: Some(openshift_api::to_vec) }),
        through_serde::<Own>("openshift-api through serde_json"),
        through_serde::<serde_json::Value>(VALUE),
        Box::new(Of::<IgnoredAny> { name: FLOOR, read: read_with_serde, write: None }),
    ]
}

fn through_serde<T: DeserializeOwned + Serialize + 'static>(
    name: &'static str,
) -> Box<dyn Subject> {
    let write = |value: &T| serde_json::to_vec(value).expect("what was read can be written");
    Box::new(Of::<T> { name, read: read_with_serde, write: Some(write) })
}

fn read_with_serde<T: DeserializeOwned>(text: &[u8]) -> T {
    serde_json::from_slice(text).expect("inputs can be read")
}

fn own<T: OwnValue>(text: &[u8]) -> T {
    openshift_api::from_slice(text).expect("inputs can be read")
}

type TheirEvent = WatchEvent<theirs::core::v1::Pod>;

fn lines<T: DeserializeOwned>(text: &[u8]) -> Vec<T> {
    text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(read_with_serde).collect()
}

/// In pieces, as they come from a connection.
fn own_events(text: &[u8]) -> Vec<watch::WatchEvent<core_v1::Pod>> {
    let mut watch = openshift_api::Watch::default();
    let mut events = Vec::new();
    for piece in text.chunks(16 * 1024) {
        watch.push(piece);
        while let Some(event) = watch.next_event() {
            events.push(event.expect("inputs can be read"));
        }
    }
    events
}

/// Checks that all events are read, with their whole objects.
pub fn check_watch(text: &[u8], count: usize) {
    let own = own_events(text);
    let theirs = lines::<TheirEvent>(text);
    assert_eq!((own.len(), theirs.len()), (count, count));
    for (event, line) in own.iter().zip(text.split(|byte| *byte == b'\n')) {
        let watch::WatchEvent::Modified(pod) = event else { panic!("{event:?}") };
        let line: serde_json::Value = serde_json::from_slice(line).expect("inputs are JSON");
        let expected: core_v1::Pod =
            serde_json::from_value(line["object"].clone()).expect("it is a pod");
        assert!(**pod == expected, "{pod:?}");
    }
}
