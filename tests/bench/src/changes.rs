//! The speed of changing objects: patches between two of them, and merging one into another.

use crate::inputs::Input;
use crate::random::Random;
use crate::report::{Cell, Table, goal, median};
use crate::subjects::{OWN, PEER};
use crate::turns::{measure, ratio, rounds};
use k8s_openapi::DeepMerge;
use k8s_openapi::api::core::v1::Pod as TheirPod;
use openshift_api::Patch;
use openshift_api::change::merge;
use openshift_api::core_v1::Pod;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::Instant;

/// The image that every first container gets.
const IMAGE: &str = "registry.example.com/web:2";

/// A peer that has decoded pods. Both functions return the seconds that all of them take.
struct Subject {
    between: [&'static str; 2],
    compare: Box<dyn Fn() -> f64>,
    merge: Box<dyn Fn() -> f64>,
}

/// A pod, the same with another image, and the JSON of one that has nothing but that image.
struct Pods<T> {
    old: T,
    new: T,
    part: String,
}

pub fn table(quick: bool) -> Table {
    let rounds = rounds(quick);
    let mut rows = Vec::new();
    for input in [Input::Pods, Input::FullPods] {
        let count = input.count(quick) / 10;
        let subjects = [theirs(input, count), own(input, count)];
        let patches = measure(&subjects, rounds, |subject| (subject.compare)());
        let merges = measure(&subjects, rounds, |subject| (subject.merge)());
        for (index, subject) in subjects.iter().enumerate() {
            let compared = ratio(&patches[index], &patches[0]);
            let most = if index == 1 { goal(compared, true, 5.0) } else { Cell::None };
            let [patch, merge] = subject.between.map(Cell::text);
            rows.push(vec![
                Cell::text(input.name()),
                patch,
                each(count, &patches[index]),
                Cell::Number(compared, 2),
                most,
                merge,
                each(count, &merges[index]),
                Cell::Number(ratio(&merges[index], &merges[0]), 2),
            ]);
        }
    }
    let notes = vec![format!(
        "Microseconds for each pod, the median of {rounds} rounds; × is how many times faster \
         than the first. One image differs: the JSON patch between two pods, for the peer by \
         making trees of both; and a pod that has nothing but the image, decoded and merged into \
         another one."
    )];
    let columns =
        vec!["input", "patch", "patch µs", "patch ×", "patch goal", "merge", "merge µs", "merge ×"];
    Table { title: "Changing objects", notes, columns, rows }
}

fn pods<T: DeserializeOwned>(input: Input, count: usize) -> Vec<Pods<T>> {
    let mut random = Random::new(1);
    let decode =
        |value: &Value| -> T { serde_json::from_value(value.clone()).expect("inputs can be read") };
    let each = |index| {
        let old = input.item(index, &mut random);
        let mut new = old.clone();
        let container = &mut new["spec"]["containers"][0];
        container["image"] = IMAGE.into();
        let part = json!({"spec": {"containers": [{"name": container["name"], "image": IMAGE}]}});
        Pods { old: decode(&old), new: decode(&new), part: part.to_string() }
    };
    (0..count).map(each).collect()
}

fn theirs(input: Input, count: usize) -> Subject {
    let pairs = pods::<TheirPod>(input, count);
    let merged = pods::<TheirPod>(input, count);
    let tree = |pod: &TheirPod| serde_json::to_value(pod).expect("pods can be written");
    let compare = move || {
        timed(&pairs, |pair| {
            let steps = json_patch::diff(&tree(black_box(&pair.old)), &tree(black_box(&pair.new)));
            assert_eq!(steps.0.len(), 1, "one image differs");
        })
    };
    let merge = move || {
        let mut pods: Vec<TheirPod> = merged.iter().map(|pods| pods.old.clone()).collect();
        let start = Instant::now();
        for (old, pods) in pods.iter_mut().zip(&merged) {
            black_box(old).merge_from(
                serde_json::from_str(black_box(&pods.part)).expect("parts can be read"),
            );
        }
        let seconds = start.elapsed().as_secs_f64();
        assert!(pods.iter().zip(&merged).all(|(old, pods)| *old == pods.new), "all have the image");
        seconds
    };
    Subject {
        between: ["k8s-openapi and json-patch", PEER],
        compare: Box::new(compare),
        merge: Box::new(merge),
    }
}

fn own(input: Input, count: usize) -> Subject {
    let pairs = pods::<Pod>(input, count);
    let merged = pods::<Pod>(input, count);
    let compare = move || {
        timed(&pairs, |pair| {
            let patch = Patch::json_between(black_box(&pair.old), black_box(&pair.new));
            assert!(patch.body().ends_with(b"\"}]"), "one image differs");
        })
    };
    let merge = move || {
        let mut pods: Vec<Pod> = merged.iter().map(|pods| pods.old.clone()).collect();
        let start = Instant::now();
        for (old, pods) in pods.iter_mut().zip(&merged) {
            let part = openshift_api::from_str(black_box(&pods.part)).expect("parts can be read");
            merge(black_box(old), &part).expect("pods can be merged");
        }
        let seconds = start.elapsed().as_secs_f64();
        assert!(pods.iter().zip(&merged).all(|(old, pods)| *old == pods.new), "all have the image");
        seconds
    };
    Subject { between: [OWN, OWN], compare: Box::new(compare), merge: Box::new(merge) }
}

fn timed<T>(pods: &[Pods<T>], work: impl Fn(&Pods<T>)) -> f64 {
    let start = Instant::now();
    pods.iter().for_each(work);
    start.elapsed().as_secs_f64()
}

#[allow(clippy::cast_precision_loss)] // there are few objects
fn each(count: usize, times: &[f64]) -> Cell {
    Cell::Number(median(times) * 1e6 / count as f64, 2)
}
