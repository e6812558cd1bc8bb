//! Instructions: the same number in every run, independent of other load.

use crate::inputs::Input;
use crate::report::{Cell, Table};
use crate::subjects::{self, OWN, PEER};
use std::hint::black_box;
use std::mem::forget;
use std::process::Command;

/// The number of objects: a processor that counts is fifty times slower than one that does not.
const COUNT: usize = 50;

pub fn tables() -> Vec<Table> {
    let title = "Instructions";
    let columns = vec!["input", "who", "decode", "encode"];
    if Command::new("valgrind").arg("--version").output().is_err() {
        let notes = vec!["Skipped: valgrind is not installed.".to_owned()];
        return vec![Table { title, notes, columns, rows: Vec::new() }];
    }
    let mut rows = Vec::new();
    for input in [Input::Pods, Input::FullPods] {
        for who in [PEER, OWN] {
            let [read, write] =
                ["read", "write"].map(|what| Cell::Number(per_byte(input, who, what), 2));
            rows.push(vec![Cell::text(input.name()), Cell::text(who), read, write]);
        }
    }
    let notes = vec!["Instructions for each byte of text, counted by valgrind.".to_owned()];
    vec![Table { title, notes, columns, rows }]
}

/// The instructions per byte: the count of two runs minus the count of one, which excludes one-time
/// work.
#[allow(clippy::cast_precision_loss)] // counts are far below 2^52
fn per_byte(input: Input, who: &str, what: &str) -> f64 {
    let [once, twice] = ["1", "2"].map(|times| count(input, who, what, times));
    (twice - once) / input.text(COUNT).len() as f64
}

fn count(input: Input, who: &str, what: &str, times: &str) -> f64 {
    let program = std::env::current_exe().expect("this program is somewhere");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    let output = command
        .args(["--repeat", input.name(), who, what, times])
        .output()
        .expect("valgrind can be started");
    let stderr = String::from_utf8_lossy(&output.stderr);
    let collected =
        stderr.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    collected.unwrap_or_else(|| panic!("valgrind reports no instructions:\n{stderr}"))
}

/// The work that is counted. Decoded values are not freed, as elsewhere.
pub fn repeat(arguments: &[String]) {
    let [input, who, what, times] = arguments else { unreachable!("clap takes four") };
    let input = Input::by_name(input).expect("there is such an input");
    let text = input.text(COUNT);
    let subjects = subjects::of(input);
    let subject =
        subjects.iter().find(|subject| subject.name() == who).expect("there is such a subject");
    let value = subject.read(&text);
    for _ in 0..times.parse().expect("a number of times") {
        if what == "read" {
            forget(black_box(subject.read(black_box(&text))));
        } else {
            forget(black_box(subject.write(&*value)));
        }
    }
}
