//! Decoding some members only, beside whole objects, structs that were written by hand for these
//! members, and syntax alone.

use crate::inputs::Input;
use crate::memory::taken;
use crate::report::{Cell, Table, goal, median};
use crate::subjects::{FLOOR, PEER};
use crate::turns::{in_turns, ratio, rounds};
use k8s_openapi::List;
use k8s_openapi::api::core::v1::Pod as TheirPod;
use openshift_api::core_v1::{Pod, PodList, pods};
use openshift_api::http::{HeaderMap, StatusCode};
use openshift_api::params::ListParams;
use openshift_api::{FieldMask, Masked, Request};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::any::Any;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

/// The members that controllers read most. With the four of the identity they are 15.
pub const FIFTEEN: [&str; 11] = [
    "metadata.labels",
    "metadata.ownerReferences",
    "spec.containers.image",
    "spec.containers.ports",
    "spec.hostNetwork",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.conditions",
    "status.hostIP",
    "status.phase",
    "status.podIPs",
];

/// The members that an index of nodes reads. With the four of the identity they are 8.
pub const EIGHT: [&str; 4] =
    ["metadata.deletionTimestamp", "metadata.labels", "spec.nodeName", "status.phase"];

const ALL: &str = "all";
const OF_FIFTEEN: &str = "15 members";
const OF_EIGHT: &str = "8 members";
const BY_HAND: &str = "structs by hand with serde_json, 15 members";

/// Decodes a list.
type Read = Box<dyn Fn(&[u8]) -> Box<dyn Any>>;

pub fn table(quick: bool) -> Table {
    let rounds = rounds(quick);
    let mut rows = Vec::new();
    for input in [Input::Pods, Input::FullPods] {
        let count = input.count(quick);
        let text = input.text(count);
        check(&text);
        let subjects = subjects();
        let mut times = vec![Vec::new(); subjects.len()];
        for index in in_turns(rounds, subjects.len()) {
            let start = Instant::now();
            let value = black_box((subjects[index].1)(black_box(&text)));
            times[index].push(start.elapsed().as_secs_f64());
            drop(value);
        }
        let heaps: Vec<f64> = subjects.iter().map(|(_, read)| heap(read, &text, count)).collect();
        for (index, (name, _)) in subjects.iter().enumerate() {
            rows.push(row(input, name, text.len(), &times, &heaps, index));
        }
    }
    let notes = vec![
        format!(
            "A list of pods, of which all members are decoded, or 15 (identity and {}), or 8 \
             (identity and {}); like every mask, both have the time of deletion and the \
             finalizers, too. MB of text in a second, the median of {rounds} rounds, in which all \
             take turns; ratios are medians of those of each round. Bytes on the heap for each \
             object.",
            FIFTEEN.join(", "),
            EIGHT.join(", ")
        ),
        "The goals are those of the pods as servers send them: speeds as shares of syntax alone \
         and of the peer, and bytes as a share of whole objects."
            .to_owned(),
    ];
    let columns = vec![
        "input",
        "decoded",
        "MB/s",
        "× peer",
        "goal",
        "of syntax",
        "goal of it",
        "bytes",
        "bytes of peer",
        "of all",
        "goal of all",
    ];
    Table { title: "Masks", notes, columns, rows }
}

fn subjects() -> Vec<(&'static str, Read)> {
    let list = || pods::list("default", &ListParams::default()).expect("a request");
    let masked = |mask: FieldMask<Pod>| by(list().masked(&mask));
    let only = |paths: &[&str]| FieldMask::only(paths).expect("paths of pods");
    let slim = FieldMask::all().without(["metadata.managedFields"]).expect("a path of pods");
    vec![
        (
            PEER,
            Box::new(|text: &[u8]| Box::new(of_serde::<List<TheirPod>>(text)) as Box<dyn Any>)
                as Read,
        ),
        (FLOOR, Box::new(|text: &[u8]| Box::new(of_serde::<IgnoredAny>(text)) as Box<dyn Any>)),
        (BY_HAND, Box::new(|text: &[u8]| Box::new(of_serde::<HandList>(text)) as Box<dyn Any>)),
        (ALL, Box::new(|text: &[u8]| Box::new(whole(text)) as Box<dyn Any>)),
        ("all but managedFields", masked(slim)),
        (OF_FIFTEEN, masked(only(&FIFTEEN))),
        (OF_EIGHT, masked(only(&EIGHT))),
    ]
}

fn by(request: Request<Masked<PodList>>) -> Read {
    Box::new(move |text| {
        let decoded = request.decode_parts(StatusCode::OK, &HeaderMap::new(), text);
        Box::new(decoded.expect("inputs can be read").body)
    })
}

fn whole(text: &[u8]) -> PodList {
    openshift_api::from_slice(text).expect("inputs can be read")
}

fn of_serde<'a, T: Deserialize<'a>>(text: &'a [u8]) -> T {
    serde_json::from_slice(text).expect("inputs can be read")
}

#[allow(clippy::cast_precision_loss)] // far below 2^52
fn heap(read: &Read, text: &[u8], count: usize) -> f64 {
    let (value, taken) = taken(|| read(text));
    drop(value);
    taken.held as f64 / count as f64
}

#[allow(clippy::cast_precision_loss)] // as above
fn row(
    input: Input,
    name: &'static str,
    length: usize,
    times: &[Vec<f64>],
    heaps: &[f64],
    index: usize,
) -> Vec<Cell> {
    let own = 3;
    let of_peer = ratio(&times[index], &times[0]);
    let of_floor = ratio(&times[index], &times[1]);
    let bytes = heaps[index] / heaps[own];
    let is_goal = input == Input::Pods && index > own + 1;
    let (speed_goal, floor_goal, bytes_goal) = match name {
        OF_FIFTEEN if is_goal => {
            (goal(of_peer, true, 15.0), goal(of_floor, true, 0.75), goal(bytes, false, 0.42))
        }
        OF_EIGHT if is_goal => (Cell::None, Cell::None, goal(bytes, false, 0.25)),
        _ => (Cell::None, Cell::None, Cell::None),
    };
    let speed = length as f64 / 1e6 / median(&times[index]);
    let cells = [
        Cell::Number(speed, 0),
        Cell::Number(of_peer, 1),
        speed_goal,
        Cell::Number(of_floor, 2),
        floor_goal,
    ];
    let of_bytes = if name == FLOOR {
        [Cell::None, Cell::None, Cell::None, Cell::None]
    } else {
        let of_peer = heaps[index] / heaps[0];
        [
            Cell::Number(heaps[index], 0),
            Cell::Number(of_peer, 3),
            Cell::Number(bytes, 2),
            bytes_goal,
        ]
    };
    [Cell::text(input.name()), Cell::text(name)].into_iter().chain(cells).chain(of_bytes).collect()
}

/// Checks that masked and hand-written pods have the same members as whole ones.
fn check(text: &[u8]) {
    let subjects = subjects();
    let (_, read) = subjects.iter().find(|(name, _)| *name == OF_FIFTEEN).expect("a subject");
    let masked = read(text).downcast::<Masked<PodList>>().expect("a masked list");
    let hand: HandList = of_serde(text);
    let whole = whole(text);
    assert_eq!(
        (masked.get().items.len(), hand.items.len()),
        (whole.items.len(), whole.items.len())
    );
    for ((masked, hand), whole) in masked.get().items.iter().zip(&hand.items).zip(&whole.items) {
        let part = masked.spec.as_ref().expect("a spec");
        let spec = whole.spec.as_ref().expect("a spec");
        assert_eq!(
            (&masked.metadata.labels, &part.node_name),
            (&whole.metadata.labels, &spec.node_name)
        );
        assert_eq!(
            (&hand.metadata.labels, &hand.spec.node_name),
            (&whole.metadata.labels, &spec.node_name)
        );
        let images = |containers: &[openshift_api::core_v1::Container]| -> Vec<_> {
            containers.iter().map(|container| container.image.clone()).collect()
        };
        let by_hand: Vec<_> =
            hand.spec.containers.iter().map(|container| container.image.clone()).collect();
        assert_eq!(
            (images(&part.containers), by_hand),
            (images(&spec.containers), images(&spec.containers))
        );
        let phase = whole.status.as_ref().and_then(|status| status.phase.as_ref());
        assert_eq!(masked.status.as_ref().and_then(|status| status.phase.as_ref()), phase);
        assert!(part.volumes.is_none() && masked.metadata.managed_fields.is_none());
    }
}

/// The 15 members as somebody writes them who needs no others.
#[derive(Deserialize)]
struct HandList {
    items: Vec<HandPod>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
#[allow(dead_code)] // decoded only
struct HandPod {
    metadata: HandMetadata,
    spec: HandSpec,
    status: HandStatus,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
#[allow(dead_code)]
struct HandMetadata {
    name: Option<String>,
    namespace: Option<String>,
    uid: Option<String>,
    resource_version: Option<String>,
    labels: Option<BTreeMap<String, String>>,
    owner_references: Option<Vec<HandOwner>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
#[allow(dead_code)]
struct HandOwner {
    api_version: String,
    kind: String,
    name: String,
    uid: String,
    controller: Option<bool>,
    block_owner_deletion: Option<bool>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
#[allow(dead_code)]
struct HandSpec {
    node_name: Option<String>,
    host_network: Option<bool>,
    service_account_name: Option<String>,
    containers: Vec<HandContainer>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
#[allow(dead_code)]
struct HandContainer {
    image: Option<String>,
    ports: Option<Vec<HandPort>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
#[allow(dead_code)]
struct HandPort {
    container_port: i32,
    host_ip: Option<String>,
    host_port: Option<i32>,
    name: Option<String>,
    protocol: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
#[allow(dead_code)]
struct HandStatus {
    phase: Option<String>,
    #[serde(rename = "hostIP")]
    host_ip: Option<String>,
    #[serde(rename = "podIPs")]
    pod_ips: Option<Vec<HandIp>>,
    conditions: Option<Vec<HandCondition>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
#[allow(dead_code)]
struct HandIp {
    ip: String,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
#[allow(dead_code)]
struct HandCondition {
    #[serde(rename = "type")]
    kind: String,
    status: String,
    reason: Option<String>,
    message: Option<String>,
    last_probe_time: Option<k8s_openapi::apimachinery::pkg::apis::meta::v1::Time>,
    last_transition_time: Option<k8s_openapi::apimachinery::pkg::apis::meta::v1::Time>,
    observed_generation: Option<i64>,
}
