//! The fake API server, beside a peer: both are driven by the same requests, through kube's client.

use crate::inputs::Input;
use crate::process::{self, root, work};
use crate::random::Random;
use crate::report::{Cell, Table, goal, median};
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PODS: usize = 10_000;
const ROUNDS: usize = 3;
/// The packages in `tests/bench-fake`, and what they measure. The peer is the last one.
const SUBJECTS: [(&str, &str); 2] = [("own", "kapigen-fake"), ("peer", "kube-fake-client")];

pub fn table() -> Table {
    let pods = pods();
    let programs = SUBJECTS.map(|(package, _)| built(package));
    let mut figures = [Vec::new(), Vec::new()];
    // In turns: the machine changes from minute to minute.
    for _ in 0..ROUNDS {
        for (program, figures) in programs.iter().zip(&mut figures) {
            figures.push(measured(program, &pods));
        }
    }
    let of = |subject: usize, name: &str| {
        let figures: Vec<_> =
            figures[subject].iter().filter_map(|figures| figures[name].as_f64()).collect();
        median(&figures)
    };
    let rows = SUBJECTS.iter().enumerate().map(|(index, (_, name))| {
        let ratio = |name| of(index, name) / of(1, name);
        let goals = |name, at_least, wanted| {
            if index == 0 { goal(ratio(name), at_least, wanted) } else { Cell::None }
        };
        let start = of(index, "start_ms");
        vec![
            Cell::text(*name),
            Cell::Number(start, 2),
            if index == 0 { goal(start, false, 20.0) } else { Cell::None },
            Cell::Number(of(index, "creates"), 0),
            Cell::Number(ratio("creates"), 2),
            goals("creates", true, 1.0),
            Cell::Number(of(index, "gets"), 0),
            Cell::Number(ratio("gets"), 2),
            goals("gets", true, 3.0),
            Cell::Number(of(index, "bytes"), 0),
            Cell::Number(ratio("bytes"), 2),
            goals("bytes", false, 0.4),
        ]
    });
    let notes = vec![format!(
        "A server that starts and responds to a first request; then {PODS} pods that are created \
         one by one, and each read once. All requests go through kube's client, whose work is \
         part of the figures of both; bodies are bytes on both sides, so that no types are \
         measured. kapigen-fake checks bodies and records field managers, the peer does neither. \
         The memory is what the process grows by while it creates them. Medians of {ROUNDS} runs \
         in turns."
    )];
    let columns = vec![
        "who",
        "start ms",
        "goal",
        "creates/s",
        "creates ×",
        "creates goal",
        "gets/s",
        "gets ×",
        "gets goal",
        "bytes a pod",
        "bytes ×",
        "bytes goal",
    ];
    Table { title: "Fake API server", notes, columns, rows: rows.collect() }
}

/// A file with a name and a pod in each line, as a test would create them: without what servers
/// add.
fn pods() -> PathBuf {
    let mut random = Random::new(1);
    let mut text = String::new();
    for index in 0..PODS {
        let mut pod = Input::Pods.item(index, &mut random);
        let name = pod["metadata"]["name"].as_str().expect("a name").to_owned();
        // Some labels and annotations of the fixtures are none that a server accepts.
        let mut metadata = json!({"name": name, "namespace": "default", "labels": {"app.kubernetes.io/name": "web"}});
        if pod["metadata"]["ownerReferences"].is_array() {
            metadata["ownerReferences"] = pod["metadata"]["ownerReferences"].take();
        }
        let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": pod["spec"].take()});
        writeln!(text, "{name}\t{pod}").expect("memory takes everything");
    }
    let file = work().join("pods");
    fs::create_dir_all(work()).expect("the folder can be made");
    fs::write(&file, text).expect("the file can be written");
    file
}

/// Compiles a package alone, so that no feature of the other one reaches it.
fn built(package: &str) -> PathBuf {
    let target = work().join("fake");
    let arguments = ["build", "--quiet", "--release", "--locked", "--examples", "-p", package];
    process::run(&mut process::cargo(&root().join("tests/bench-fake"), &target, &arguments));
    target.join("release/examples").join(package)
}

fn measured(program: &Path, pods: &Path) -> Value {
    let output = Command::new(program).arg(pods).output().expect("the program can be started");
    assert!(
        output.status.success(),
        "{}: {}",
        program.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("figures")
}
