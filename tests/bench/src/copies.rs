//! The speed of copying and comparing objects.

use crate::inputs::Input;
use crate::report::{Cell, Table, median};
use crate::subjects::{OWN, PEER, VALUE};
use crate::turns::{measure, ratio, rounds};
use k8s_openapi::List;
use k8s_openapi::api as theirs;
use openshift_api::{coordination_v1, core_v1};
use serde::de::DeserializeOwned;
use std::hint::black_box;
use std::time::Instant;

/// A peer that has decoded a list. Both functions return the seconds that it takes.
struct Subject {
    name: &'static str,
    copy: Box<dyn Fn() -> f64>,
    compare: Box<dyn Fn() -> f64>,
}

pub fn table(quick: bool) -> Table {
    let rounds = rounds(quick);
    let mut rows = Vec::new();
    for input in [Input::Pods, Input::FullPods, Input::Leases, Input::Events] {
        let count = input.count(quick);
        let subjects = subjects(input, &input.text(count));
        let copies = measure(&subjects, rounds, |subject| (subject.copy)());
        let comparisons = measure(&subjects, rounds, |subject| (subject.compare)());
        for (index, subject) in subjects.iter().enumerate() {
            let mut row = vec![Cell::text(input.name()), Cell::text(subject.name)];
            row.extend(cells(count, &copies[index], &copies[0]));
            row.extend(cells(count, &comparisons[index], &comparisons[0]));
            rows.push(row);
        }
    }
    let notes = vec![format!(
        "Microseconds for each object, the median of {rounds} rounds; × is how many times faster \
         than the first. What is compared is equal, so that all of it is looked at. Freeing \
         copies is not counted."
    )];
    Table {
        title: "Copying and comparing",
        notes,
        columns: vec!["input", "who", "copy µs", "copy ×", "compare µs", "compare ×"],
        rows,
    }
}

fn subjects(input: Input, text: &[u8]) -> Vec<Subject> {
    match input {
        Input::FullPods | Input::Pods | Input::Watch => {
            of::<List<theirs::core::v1::Pod>, core_v1::PodList>(text)
        }
        Input::Leases => {
            of::<List<theirs::coordination::v1::Lease>, coordination_v1::LeaseList>(text)
        }
        Input::Events => of::<List<theirs::core::v1::Event>, core_v1::EventList>(text),
    }
}

fn of<Theirs, Own>(text: &[u8]) -> Vec<Subject>
where
    Theirs: DeserializeOwned + Clone + PartialEq + 'static,
    Own: DeserializeOwned + Clone + PartialEq + 'static,
{
    vec![one::<Theirs>(PEER, text), one::<Own>(OWN, text), one::<serde_json::Value>(VALUE, text)]
}

fn one<T: DeserializeOwned + Clone + PartialEq + 'static>(
    name: &'static str,
    text: &[u8],
) -> Subject {
    let read = || serde_json::from_slice::<T>(text).expect("inputs can be read");
    let value = read();
    let one = read();
    let other = read();
    let copy = move || {
        let start = Instant::now();
        let copy = black_box(black_box(&value).clone());
        let seconds = start.elapsed().as_secs_f64();
        drop(copy);
        seconds
    };
    let compare = move || {
        let start = Instant::now();
        let is_equal = black_box(&one) == black_box(&other);
        let seconds = start.elapsed().as_secs_f64();
        assert!(is_equal, "{name} finds a difference where there is none");
        seconds
    };
    Subject { name, copy: Box::new(copy), compare: Box::new(compare) }
}

#[allow(clippy::cast_precision_loss)] // there are few objects
fn cells(count: usize, times: &[f64], peer: &[f64]) -> [Cell; 2] {
    [Cell::Number(median(times) * 1e6 / count as f64, 2), Cell::Number(ratio(times, peer), 2)]
}
