//! Processes and ports of pods: bytes that programs read from them.

use super::{Cluster, Program};
use crate::process::{self, Cost};
use crate::report::{Cell, Table, goal, median};
use crate::turns::in_turns;
use serde_json::json;

const ROUNDS: usize = 3;
/// Bytes of each session, and sessions at once.
const LOADS: [(u64, usize); 3] = [(64_000_000, 1), (1_000_000_000, 1), (1_000_000, 100)];

/// The peer is the first.
const PROGRAMS: [Program; 2] = [
    Program {
        who: "kube",
        package: "clients-peer",
        example: "streams-over-kube",
        features: "streams",
    },
    Program {
        who: "kapigen-client",
        package: "clients-own",
        example: "streams",
        features: "streams",
    },
];

pub fn table() -> Table {
    for program in &PROGRAMS {
        program.build();
    }
    let metadata = json!({"name": "web", "namespace": "default"});
    let spec = json!({"containers": [{"name": "main", "image": "a:1"}]});
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec});
    let cluster = Cluster::start(std::iter::once(pod));
    let rows = ["exec", "forward"].iter().flat_map(|what| rows(what, &cluster)).collect();
    cluster.end();
    let notes = vec![format!(
        "A program that reads 1 GB of the output of a process, or from a forwarded port, over HTTP \
         without TLS: bytes for each second of its own processor time, and by the clock, in which \
         the server works, too. The most memory of the process, there and with 64 MB; and the same \
         for 100 sessions at once, of 1 MB each. Medians of {ROUNDS} rounds, in turns. × is the \
         ratio to the first."
    )];
    let columns = vec![
        "what",
        "who",
        "MB a CPU s",
        "CPU ×",
        "CPU goal",
        "MB/s",
        "MB/s ×",
        "MB/s goal",
        "64 MB: peak MB",
        "1 GB: peak MB",
        "100: CPU s",
        "100: CPU ×",
        "100: peak MB",
        "100: peak ×",
    ];
    Table { title: "Processes and ports of pods", notes, columns, rows }
}

fn rows(what: &str, cluster: &Cluster) -> Vec<Vec<Cell>> {
    let mut costs = PROGRAMS.each_ref().map(|_| LOADS.map(|_| Vec::new()));
    for turn in in_turns(ROUNDS, PROGRAMS.len()) {
        for (load, (bytes, sessions)) in LOADS.iter().enumerate() {
            let mut command = PROGRAMS[turn].over(cluster, "plain");
            command.args([what, &bytes.to_string(), &sessions.to_string()]);
            costs[turn][load].push(process::run(&mut command));
        }
    }
    let figure = |turn: usize, load: usize, figure: fn(&Cost) -> f64| {
        median(&costs[turn][load].iter().map(figure).collect::<Vec<f64>>())
    };
    let row = |turn: usize| {
        let mut cells = vec![Cell::text(what), Cell::text(PROGRAMS[turn].who)];
        for cost in [|cost: &Cost| cost.cpu, |cost: &Cost| cost.wall] {
            let ratio = figure(0, 1, cost) / figure(turn, 1, cost);
            cells.extend([Cell::Number(1e3 / figure(turn, 1, cost), 0), Cell::Number(ratio, 2)]);
            cells.push(goal(ratio, true, 1.0));
        }
        cells.extend([0, 1].map(|load| Cell::Number(figure(turn, load, |cost| cost.memory), 1)));
        for (cost, digits) in [((|cost| cost.cpu) as fn(&Cost) -> f64, 2), (|cost| cost.memory, 1)]
        {
            let own = figure(turn, 2, cost);
            cells.extend([Cell::Number(own, digits), Cell::Number(own / figure(0, 2, cost), 2)]);
        }
        cells
    };
    (0..PROGRAMS.len()).map(row).collect()
}
