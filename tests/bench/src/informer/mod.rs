//! Programs that keep all pods of a cluster in a store, over the same transport and from the same
//! server, in turns. They are in the package `tests/bench-clients/informer`.

mod server;

use crate::masks;
use crate::process::{self, Cost, cargo, root, work};
use crate::report::{Cell, Table, goal, median};
use crate::turns::{in_turns, ratio};
use server::Server;
use std::fs::File;
use std::path::PathBuf;
use std::process::Command;
use std::time::SystemTime;

/// The programs and their names in tables. The first one is the measure of the other.
const PROGRAMS: [(&str, &str); 2] =
    [("peer", "kube-runtime, k8s-openapi"), ("own", "kapigen-client, openshift-api")];

/// The modes that are compared: a program, its name in tables, the members of a pod that it keeps,
/// and its goals.
const MODES: [Mode; 5] = [
    Mode { program: 0, who: "kube-runtime, k8s-openapi", members: &[], goals: None },
    Mode {
        program: 0,
        who: "the same with `modify`, 15 members",
        members: &masks::FIFTEEN,
        goals: None,
    },
    Mode {
        program: 1,
        who: "kapigen-client, openshift-api",
        members: &[],
        goals: Some([0.25, 0.25, 0.3]),
    },
    Mode {
        program: 1,
        who: "the same with a mask, 15 members",
        members: &masks::FIFTEEN,
        goals: Some([0.1, 0.1, 0.3]),
    },
    Mode {
        program: 1,
        who: "the same with a mask, 8 members",
        members: &masks::EIGHT,
        goals: Some([0.08, 0.1, 0.3]),
    },
];

struct Mode {
    /// The index of the program.
    program: usize,
    who: &'static str,
    /// None: all.
    members: &'static [&'static str],
    /// For heap, peak and processor time, as shares of the first mode's figures.
    goals: Option<[f64; 3]>,
}

pub fn tables(quick: bool) -> Vec<Table> {
    let (sizes, changes, rounds) =
        if quick { (vec![600], 300, 1) } else { (vec![10_000, 100_000], 50_000, 3) };
    process::run(&mut cargo(
        &package(),
        &target(),
        &["build", "--locked", "--release", "--examples"],
    ));
    let mut rows = Vec::new();
    for pods in sizes {
        rows.extend(of_size(pods, changes, rounds));
    }
    let notes = vec![format!(
        "A program that keeps all pods in a store: pages of 500 over HTTP, and then {changes} \
         changes. Bytes on the heap for each pod at the end, the most memory of the process, and \
         its processor time; medians of {rounds} rounds, taken in turns. × is the ratio to the \
         first."
    )];
    let columns = vec![
        "pods",
        "who",
        "heap B",
        "heap ×",
        "heap goal",
        "peak MB",
        "peak ×",
        "peak goal",
        "list s",
        "all s",
        "all ×",
        "all goal",
    ];
    let mut tables = vec![Table { title: "Informers", notes, columns, rows }];
    tables.push(queues(if quick { 1000 } else { 100_000 }, rounds));
    if !quick {
        tables.push(rebuilds(rounds));
    }
    tables
}

/// The figures of a program, as it prints them.
struct Figures {
    heap: f64,
    peak: f64,
    list: f64,
    all: f64,
}

fn of_size(pods: usize, changes: usize, rounds: usize) -> Vec<Vec<Cell>> {
    let server = Server::start(pods, changes);
    let mut figures = MODES.each_ref().map(|_| Vec::new());
    for turn in in_turns(rounds, MODES.len()) {
        eprintln!("{pods} pods with {}", MODES[turn].who);
        figures[turn].push(run(&MODES[turn], &server.url, pods, changes));
    }
    let series = |turn: usize, figure: fn(&Figures) -> f64| {
        figures[turn].iter().map(figure).collect::<Vec<f64>>()
    };
    let row = |turn: usize| {
        let mut cells = vec![Cell::Number(count(pods), 0), Cell::text(MODES[turn].who)];
        let mut add = |figure: fn(&Figures) -> f64, digits, index: usize| {
            let own = series(turn, figure);
            let peer = series(0, figure);
            let ratio = ratio(&peer, &own);
            cells.extend([Cell::Number(median(&own), digits), Cell::Number(ratio, 2)]);
            cells.push(
                MODES[turn].goals.map_or(Cell::None, |goals| goal(ratio, false, goals[index])),
            );
        };
        add(|figures| figures.heap, 0, 0);
        add(|figures| figures.peak, 0, 1);
        add(|figures| figures.all, 2, 2);
        cells.insert(8, Cell::Number(median(&series(turn, |figures| figures.list)), 2));
        cells
    };
    (0..MODES.len()).map(row).collect()
}

#[allow(clippy::cast_precision_loss)] // as everywhere here: sizes are far below 2^52
fn count(size: usize) -> f64 {
    size as f64
}

/// Runs a program to its end.
fn run(mode: &Mode, url: &str, pods: usize, changes: usize) -> Figures {
    let program = PROGRAMS[mode.program].0;
    let path = target().join("release/examples").join(program);
    let output = Command::new(path)
        .args([url, &changes.to_string(), &mode.members.join(",")])
        .env("NO_PROXY", "127.0.0.1")
        .output();
    let output = output.expect("it was compiled");
    let text = String::from_utf8_lossy(&output.stdout);
    let figures: Vec<f64> =
        text.split_whitespace().filter_map(|figure| figure.parse().ok()).collect();
    let [objects, received, _, heap, peak, list, all] = figures[..] else {
        panic!("{program}: {}", String::from_utf8_lossy(&output.stderr))
    };
    assert!(
        (objects - count(pods)).abs() < 0.5 && (received - count(changes)).abs() < 0.5,
        "{program}: {text}"
    );
    Figures { heap: heap / objects, peak: peak / 1000.0, list, all }
}

/// Queues of keys, in memory.
fn queues(keys: usize, rounds: usize) -> Table {
    let mut rows = Vec::new();
    for (load, spread) in [("at once", 0), ("within 10 min", 600_000_u32)] {
        let mut figures = [Vec::new(), Vec::new()];
        for turn in in_turns(rounds, PROGRAMS.len()) {
            let path = target().join("release/examples/queues");
            let output = Command::new(path)
                .args([PROGRAMS[turn].0, &keys.to_string(), &spread.to_string()])
                .output();
            let text = String::from_utf8(output.expect("it was compiled").stdout).expect("figures");
            let [bytes, nanoseconds] = text
                .split_whitespace()
                .map(|figure| figure.parse().expect("a number"))
                .collect::<Vec<f64>>()[..]
            else {
                panic!("queues: {text}")
            };
            figures[turn].push((bytes, nanoseconds));
        }
        let series = |turn: usize, figure: fn(&(f64, f64)) -> f64| {
            figures[turn].iter().map(figure).collect::<Vec<_>>()
        };
        for (turn, (_, who)) in PROGRAMS.iter().enumerate() {
            let mut cells = vec![Cell::text(load), Cell::Number(count(keys), 0), Cell::text(*who)];
            for (figure, digits) in
                [((|pair| pair.0) as fn(&(f64, f64)) -> f64, 1), (|pair| pair.1, 0)]
            {
                let own = series(turn, figure);
                let peer = series(0, figure);
                let ratio = ratio(&peer, &own);
                cells.extend([Cell::Number(median(&own), digits), Cell::Number(ratio, 2)]);
                cells.push(if turn == 0 { Cell::None } else { goal(ratio, false, 1.0) });
            }
            rows.push(cells);
        }
    }
    let notes = vec![
        "Keys that are added twice, to be handled at once or after delays, and taken once. Bytes \
         on the heap for each key while all are queued, and nanoseconds for each key; medians. × \
         is the ratio to the first."
            .to_owned(),
    ];
    let columns =
        vec!["due", "keys", "who", "heap B", "heap ×", "heap goal", "ns", "ns ×", "ns goal"];
    Table { title: "Queues", notes, columns, rows }
}

/// The time to compile a program again after an edit.
fn rebuilds(rounds: usize) -> Table {
    let mut costs: [Vec<Cost>; 2] = [Vec::new(), Vec::new()];
    process::run(&mut cargo(&package(), &target(), &["build", "--locked", "--examples"]));
    for turn in in_turns(rounds, PROGRAMS.len()) {
        let name = PROGRAMS[turn].0;
        let source =
            File::options().append(true).open(package().join(format!("examples/{name}.rs")));
        source
            .and_then(|source| source.set_modified(SystemTime::now()))
            .expect("it can be touched");
        costs[turn].push(process::run(&mut cargo(
            &package(),
            &target(),
            &["build", "--example", name],
        )));
    }
    let times = |turn: usize| costs[turn].iter().map(|cost| cost.cpu).collect::<Vec<f64>>();
    let row = |turn: usize| {
        let ratio = ratio(&times(0), &times(turn));
        let goal = if turn == 0 { Cell::None } else { goal(ratio, false, 0.5) };
        vec![
            Cell::text(PROGRAMS[turn].1),
            Cell::Number(median(&times(turn)), 2),
            Cell::Number(ratio, 2),
            goal,
        ]
    };
    let notes = vec![
        "Seconds of all processors to build the same programs again after an edit, in dev."
            .to_owned(),
    ];
    Table {
        title: "Rebuilds of informers",
        notes,
        columns: vec!["who", "s", "×", "goal"],
        rows: vec![row(0), row(1)],
    }
}

fn package() -> PathBuf {
    root().join("tests/bench-clients/informer")
}

fn target() -> PathBuf {
    work().join("informer")
}
