//! Objects of kinds that are only known at run time, compared with kube's.

use crate::inputs::Input;
use crate::memory::taken;
use crate::report::{Cell, Table, goal, median};
use crate::turns::{in_turns, ratio, rounds};
use kube_core::{DynamicObject, ObjectList};
use openshift_api::dynamic::List;
use std::any::Any;
use std::hint::black_box;
use std::time::Instant;

const PEER: &str = "kube's DynamicObject";
const OWN: &str = "openshift-api's dynamic::Object";

/// Decodes a list.
type Read = fn(&[u8]) -> Box<dyn Any>;

const SUBJECTS: [(&str, Read); 2] =
    [(PEER, |text| Box::new(theirs(text))), (OWN, |text| Box::new(ours(text)))];

fn theirs(text: &[u8]) -> ObjectList<DynamicObject> {
    serde_json::from_slice(text).expect("inputs can be read")
}

fn ours(text: &[u8]) -> List {
    openshift_api::from_slice(text).expect("inputs can be read")
}

#[allow(clippy::cast_precision_loss)] // texts are small
pub fn table(quick: bool) -> Table {
    let rounds = rounds(quick);
    let mut rows = Vec::new();
    for input in [Input::Pods, Input::FullPods] {
        let count = input.count(quick);
        let text = input.text(count);
        check(&text, count);
        let mut times = vec![Vec::new(); SUBJECTS.len()];
        for index in in_turns(rounds, SUBJECTS.len()) {
            let start = Instant::now();
            let value = black_box((SUBJECTS[index].1)(black_box(&text)));
            times[index].push(start.elapsed().as_secs_f64());
            drop(value);
        }
        let heaps = SUBJECTS.map(|(_, read)| {
            let (value, taken) = taken(|| read(&text));
            drop(value);
            taken.held as f64 / count as f64
        });
        for (index, (name, _)) in SUBJECTS.iter().enumerate() {
            let speed = ratio(&times[index], &times[0]);
            let bytes = heaps[index] / heaps[0];
            let is_own = *name == OWN;
            let cells = [
                Cell::Number(text.len() as f64 / 1e6 / median(&times[index]), 0),
                Cell::Number(speed, 2),
                if is_own { goal(speed, true, 2.0) } else { Cell::None },
                Cell::Number(heaps[index], 0),
                Cell::Number(bytes, 2),
                if is_own { goal(bytes, false, 0.5) } else { Cell::None },
            ];
            rows.push(
                [Cell::text(input.name()), Cell::text(*name)].into_iter().chain(cells).collect(),
            );
        }
    }
    let notes = vec![format!(
        "Lists of pods as objects of any kind. MB of text in a second, the median of {rounds} \
         rounds, in which both take turns, and bytes on the heap for each object; × is the ratio \
         to the first."
    )];
    let columns = vec!["input", "who", "MB/s", "×", "goal", "bytes", "bytes ×", "goal of bytes"];
    Table { title: "Objects of any kind", notes, columns, rows }
}

/// Checks that both have all objects with their contents.
fn check(text: &[u8], count: usize) {
    let theirs = theirs(text);
    let ours = ours(text);
    assert_eq!((theirs.items.len(), ours.items.len()), (count, count));
    for (theirs, ours) in theirs.items.iter().zip(&ours.items) {
        assert_eq!(theirs.metadata.name, ours.metadata.name);
        let spec: Option<serde_json::Value> = ours.get("spec").expect("a path");
        assert_eq!(theirs.data.get("spec"), spec.as_ref());
    }
}
