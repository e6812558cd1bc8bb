//! The speed of decoding and encoding.

use crate::inputs::{self, Input};
use crate::report::{Cell, Table, goal, median};
use crate::subjects::{self, OWN, PEER, Subject};
use crate::turns::{in_turns, ratio, rounds};
use serde_json::Value;
use std::hint::black_box;
use std::time::Instant;

/// The times of one subject, in seconds, one for each round.
#[derive(Clone, Default)]
struct Times {
    read: Vec<f64>,
    write: Vec<f64>,
    /// The bytes that were written. The peer writes more: the kind of every item.
    written: usize,
}

/// Decoding and encoding all inputs, by this crate and its peers.
pub fn table(quick: bool) -> Table {
    let rounds = rounds(quick);
    let mut rows = Vec::new();
    for input in inputs::ALL {
        let count = input.count(quick);
        let text = input.text(count);
        let subjects = subjects::of(input);
        subjects.iter().for_each(|subject| check(&**subject, &text, count));
        if input == Input::Watch {
            subjects::check_watch(&text, count);
        }
        let times = measure(&subjects, &text, rounds);
        for (subject, of_subject) in subjects.iter().zip(&times) {
            rows.push(row(input, subject.name(), text.len(), of_subject, &times[0]));
        }
    }
    let notes = vec![format!(
        "MB of text in a second, the median of {rounds} rounds, in which all take turns; × is the \
         median of the ratios to the first, round by round. Freeing decoded values is not counted."
    )];
    let columns = vec![
        "input",
        "who",
        "decode MB/s",
        "decode ×",
        "decode goal",
        "encode MB/s",
        "encode ×",
        "encode goal",
    ];
    Table { title: "Decoding and encoding", notes, columns, rows }
}

/// Makes sure that the work is done. This project must keep all of the input. The peer's types lack
/// some fields and encode the kind of every item; it must keep all objects and nearly all of their
/// members.
fn check(subject: &dyn Subject, text: &[u8], count: usize) {
    let Some(written) = subject.write(&*subject.read(text)) else { return };
    let value: Value = serde_json::from_slice(&written).expect("what is written is JSON");
    let found = value["items"].as_array().map_or(0, Vec::len);
    assert_eq!(found, count, "{} loses objects", subject.name());
    assert!(written.len() * 10 > text.len() * 9, "{} loses members", subject.name());
    if subject.name() != PEER {
        let expected: Value = serde_json::from_slice(text).expect("inputs are JSON");
        assert!(
            without_nulls(value) == without_nulls(expected),
            "{} changes the list",
            subject.name()
        );
    }
}

/// Null means absent.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.into_iter().filter(|(_, value)| !value.is_null());
            members.map(|(key, value)| (key, without_nulls(value))).collect()
        }
        Value::Array(elements) => elements.into_iter().map(without_nulls).collect(),
        other => other,
    }
}

fn measure(subjects: &[Box<dyn Subject>], text: &[u8], rounds: usize) -> Vec<Times> {
    let mut times = vec![Times::default(); subjects.len()];
    for index in in_turns(rounds, subjects.len()) {
        let subject = &subjects[index];
        let of_subject = &mut times[index];
        let start = Instant::now();
        let value = black_box(subject.read(black_box(text)));
        of_subject.read.push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        if let Some(written) = black_box(subject.write(&*value)) {
            of_subject.write.push(start.elapsed().as_secs_f64());
            of_subject.written = written.len();
        }
    }
    times
}

#[allow(clippy::cast_precision_loss)] // texts are small
fn row(input: Input, name: &'static str, length: usize, times: &Times, peer: &Times) -> Vec<Cell> {
    let speed = |length: usize, times: &[f64]| Cell::Number(length as f64 / 1e6 / median(times), 0);
    let read = ratio(&times.read, &peer.read);
    // Of the speeds, not of the times.
    let write = ratio(&times.write, &peer.write) * times.written as f64 / peer.written as f64;
    let (read_goal, write_goal) = match (input, name) {
        (Input::Pods, OWN) => (goal(read, true, 5.6), goal(write, true, 3.9)),
        (Input::FullPods, OWN) => (goal(read, true, 2.5), goal(write, true, 1.7)),
        _ => (Cell::None, Cell::None),
    };
    let mut cells = vec![
        Cell::text(input.name()),
        Cell::text(name),
        speed(length, &times.read),
        Cell::Number(read, 2),
        read_goal,
    ];
    if times.write.is_empty() {
        cells.extend([Cell::None, Cell::None, Cell::None]);
    } else {
        cells.extend([speed(times.written, &times.write), Cell::Number(write, 2), write_goal]);
    }
    cells
}
