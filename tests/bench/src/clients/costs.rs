//! The cost of a program: to compile it, and at rest.

use super::{Cluster, Program};
use crate::inputs::Input;
use crate::process;
use crate::random::Random;
use crate::report::{Cell, Table, goal, median};
use crate::turns::in_turns;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const CHECKS: usize = 3;
const RELEASES: usize = 1;
const STARTS: usize = 9;
const RESTS: usize = 3;
const OBJECTS: usize = 500;
const GATEWAYS: usize = 300;

/// The peer is the first. The last one is what both compile.
const REACH: [Program; 3] = [
    Program {
        who: "kube and k8s-openapi",
        package: "clients-peer",
        example: "reach-over-kube",
        features: "",
    },
    Program {
        who: "kapigen-client and openshift-api",
        package: "clients-own",
        example: "reach",
        features: "",
    },
    Program {
        who: "ring, rustls, hyper and tokio alone",
        package: "clients-transport",
        example: "transport",
        features: "",
    },
];

const CONTROLLERS: [Program; 2] = [
    Program {
        who: "kube, k8s-openapi and kopium",
        package: "gateway-peer",
        example: "gateways-over-kube",
        features: "",
    },
    Program {
        who: "kapigen-client, a crate of the definitions",
        package: "gateway-own",
        example: "gateways",
        features: "",
    },
];

/// Programs that list pods and keep them with an informer.
pub fn reach() -> Vec<Table> {
    let mut rows = compiled(&REACH);
    let programs = &REACH[..2];
    let cluster = Cluster::start((0..OBJECTS).map(pod(&mut Random::new(1))));
    let mut starts = [Vec::new(), Vec::new()];
    for turn in in_turns(STARTS, programs.len()) {
        starts[turn].push(first_response(&programs[turn], &cluster));
    }
    let mut rests = [Vec::new(), Vec::new()];
    for turn in in_turns(RESTS, programs.len()) {
        rests[turn].push(at_rest(programs[turn].over(&cluster, "tls")));
    }
    cluster.end();
    add(&mut rows, &starts, 1);
    add(&mut rows, &rests, 1);
    let notes = vec![format!(
        "A program that finds its cluster by a kubeconfig, speaks TLS, lists a pod and keeps \
         {OBJECTS} with an informer. Crates with those of build scripts; seconds of all processors \
         to compile everything from nothing, medians of {CHECKS} checks and {RELEASES} release \
         build; the stripped program. Milliseconds from the start to the first response, the \
         median of {STARTS}, and resident memory after the list, of {RESTS}. All in turns. × is \
         the ratio to the first."
    )];
    let columns = columns(&["first ms", "first ×", "rest MB", "rest ×"]);
    vec![Table { title: "Reaching a cluster", notes, columns, rows }]
}

/// The controllers of the Gateway API.
pub fn controllers() -> Vec<Table> {
    let mut rows = compiled(&CONTROLLERS);
    let mut rests = [Vec::new(), Vec::new()];
    for turn in in_turns(RESTS, CONTROLLERS.len()) {
        let cluster = Cluster::start(gateways());
        rests[turn].push(at_rest(CONTROLLERS[turn].over(&cluster, "tls")));
        assert_eq!(cluster.end(), format!("{GATEWAYS} services\n"), "it did not do its work");
    }
    add(&mut rows, &rests, 1);
    let notes = vec![format!(
        "As above; resident memory of the release build with {GATEWAYS} gateways, each with a \
         deployment and a service that it made."
    )];
    let columns = columns(&["rest MB", "rest ×"]);
    vec![Table { title: "A controller", notes, columns, rows }]
}

fn columns(more: &[&'static str]) -> Vec<&'static str> {
    let all = [
        "who",
        "crates",
        "crates ×",
        "crates goal",
        "check s",
        "check ×",
        "check goal",
        "release s",
        "release ×",
        "release goal",
        "MB",
        "MB ×",
        "MB goal",
    ];
    [&all, more].concat()
}

/// A row for each program: crates, both ways to compile it, and its size.
fn compiled(programs: &[Program]) -> Vec<Vec<Cell>> {
    let mut checks = vec![Vec::new(); programs.len()];
    for turn in in_turns(CHECKS, programs.len()) {
        clean(&programs[turn]);
        let mut check = programs[turn].cargo(&["check", "--example", programs[turn].example]);
        checks[turn].push(process::run(&mut check).cpu);
    }
    let mut releases = vec![Vec::new(); programs.len()];
    for turn in in_turns(RELEASES, programs.len()) {
        clean(&programs[turn]);
        releases[turn].push(programs[turn].build().cpu);
    }
    let size = |program: &Program| {
        fs::metadata(program.path()).expect("it was compiled").len() as f64 / 1e6
    };
    let mut rows: Vec<_> = programs.iter().map(|program| vec![Cell::text(program.who)]).collect();
    let crates: Vec<_> = programs.iter().map(|program| vec![crates(program)]).collect();
    let sizes: Vec<_> = programs.iter().map(|program| vec![size(program)]).collect();
    for (figures, digits, wanted) in
        [(crates, 0, 0.5), (checks, 1, 0.5), (releases, 0, 0.5), (sizes, 1, 1.0)]
    {
        let own = goal(median(&figures[1]) / median(&figures[0]), false, wanted);
        add(&mut rows, &figures, digits);
        let goals = [Cell::None, own].into_iter().chain(std::iter::repeat_with(|| Cell::None));
        rows.iter_mut().zip(goals).for_each(|(row, goal)| row.push(goal));
    }
    rows
}

/// Adds medians and their ratios to the first.
fn add(rows: &mut [Vec<Cell>], figures: &[Vec<f64>], digits: usize) {
    for (row, own) in rows.iter_mut().zip(figures) {
        let ratio = median(own) / median(&figures[0]);
        row.extend([Cell::Number(median(own), digits), Cell::Number(ratio, 2)]);
    }
}

fn clean(program: &Program) {
    // It is not there at first.
    drop(fs::remove_dir_all(program.target()));
}

/// The packages that are compiled for a program, its own included.
#[allow(clippy::cast_precision_loss)] // far below 2^52
fn crates(program: &Program) -> f64 {
    let mut tree = program.cargo(&["tree", "--edges", "normal,build", "--prefix", "none"]);
    let output = tree.output().expect("cargo runs");
    let output = String::from_utf8_lossy(&output.stdout);
    let mut lines: Vec<_> = output.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    lines.sort_unstable();
    lines.dedup();
    lines.len() as f64
}

/// Milliseconds from the start of a program to its first line.
fn first_response(program: &Program, cluster: &Cluster) -> f64 {
    let mut command = program.over(cluster, "tls");
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn().expect("it was compiled");
    let mut line = String::new();
    let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
    output.read_line(&mut line).expect("a line");
    let time = start.elapsed().as_secs_f64() * 1e3;
    assert_eq!(line, "1 listed\n", "{}", program.who);
    end(child);
    time
}

/// The resident memory of a program in MB, once it works no more: it takes less than 2 % of a
/// processor for three seconds.
fn at_rest(mut command: Command) -> f64 {
    let child = command.stdout(Stdio::null()).spawn().expect("it was compiled");
    let mut before = f64::NEG_INFINITY;
    loop {
        let now = process::cpu(child.id());
        if now - before < 0.06 {
            break;
        }
        before = now;
        thread::sleep(Duration::from_secs(3));
    }
    let memory = process::resident(child.id());
    end(child);
    memory
}

fn end(mut child: Child) {
    child.kill().expect("it runs");
    child.wait().expect("one can wait for it");
}

/// Pods as servers send them.
fn pod(random: &mut Random) -> impl FnMut(usize) -> Value {
    |index| {
        let mut pod = Input::Pods.item(index, random);
        pod["apiVersion"] = json!("v1");
        pod["kind"] = json!("Pod");
        // Some labels and annotations of the fixtures are none that a server accepts.
        pod["metadata"]["labels"] = json!({"app.kubernetes.io/name": "web"});
        pod["metadata"]["annotations"] = json!({});
        pod
    }
}

fn gateways() -> impl Iterator<Item = Value> {
    let object = |kind, metadata, spec| json!({"apiVersion": "gateway.networking.k8s.io/v1", "kind": kind, "metadata": metadata, "spec": spec});
    let controller = json!({"controllerName": "example.com/gateways"});
    let class = object("GatewayClass", json!({"name": "ours"}), controller);
    let gateway = move |index| {
        let listener = json!({"name": "http", "port": 80, "protocol": "HTTP"});
        let metadata = json!({"name": format!("web-{index}"), "namespace": "default"});
        let spec = json!({"gatewayClassName": "ours", "listeners": [listener]});
        object("Gateway", metadata, spec)
    };
    std::iter::once(class).chain((0..GATEWAYS).map(gateway))
}
