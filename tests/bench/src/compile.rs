//! Time to compile the crates, and programs that use them.

use crate::process::{self, Cost, cargo, code_size, root, work};
use crate::report::{Cell, Table, goal, median};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The number of times that everything is compiled.
const ROUNDS: usize = 3;

/// A way to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Check,
    Dev,
    Release,
}

const MODES: [Mode; 3] = [Mode::Check, Mode::Dev, Mode::Release];

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::Check => "check",
            Mode::Dev => "dev",
            Mode::Release => "release",
        }
    }

    fn arguments(self) -> &'static [&'static str] {
        match self {
            Mode::Check => &["check"],
            Mode::Dev => &["build"],
            Mode::Release => &["build", "--release"],
        }
    }
}

/// A program that depends on one of the crates.
struct Project {
    name: &'static str,
    /// The packages that are compiled anew.
    packages: &'static [&'static str],
    /// The dependency in the manifest of the program.
    dependency: String,
    /// The work of the program.
    main: &'static str,
}

/// The crate on which all of ours depend.
const RUNTIME: &str = "kapigen-runtime";

const NOTHING: &str = "fn main() {}\n";

/// A program as small as can be that reads and writes a list of pods.
const OWN_MAIN: &str = "\
fn main() {
    let text = std::fs::read(std::env::args().nth(1).unwrap()).unwrap();
    let list: openshift_api::core_v1::PodList = openshift_api::from_slice(&text).unwrap();
    println!(\"{} bytes\", openshift_api::to_vec(&list).len());
}
";

const THEIR_MAIN: &str = "\
fn main() {
    let text = std::fs::read(std::env::args().nth(1).unwrap()).unwrap();
    let list: k8s_openapi::List<k8s_openapi::api::core::v1::Pod> = \
                          serde_json::from_slice(&text).unwrap();
    println!(\"{} bytes\", serde_json::to_vec(&list).unwrap().len());
}
";

/// The same program, which also copies and compares a pod.
const OWN_COPY_MAIN: &str = "\
fn main() {
    let text = std::fs::read(std::env::args().nth(1).unwrap()).unwrap();
    let mut list: openshift_api::core_v1::PodList = openshift_api::from_slice(&text).unwrap();
    let pod = list.items[0].clone();
    list.items.retain(|other| *other == pod);
    println!(\"{} bytes\", openshift_api::to_vec(&list).len());
}
";

const THEIR_COPY_MAIN: &str = "\
fn main() {
    let text = std::fs::read(std::env::args().nth(1).unwrap()).unwrap();
    let mut list: k8s_openapi::List<k8s_openapi::api::core::v1::Pod> = \
                               serde_json::from_slice(&text).unwrap();
    let pod = list.items[0].clone();
    list.items.retain(|other| *other == pod);
    println!(\"{} bytes\", serde_json::to_vec(&list).unwrap().len());
}
";

/// The same program, which also makes a patch.
const OWN_PATCH_MAIN: &str = "\
fn main() {
    let text = std::fs::read(std::env::args().nth(1).unwrap()).unwrap();
    let list: openshift_api::core_v1::PodList = openshift_api::from_slice(&text).unwrap();
    let patch = openshift_api::Patch::json_between(&list.items[0], &list.items[1]);
    println!(\"{} bytes, {} bytes\", openshift_api::to_vec(&list).len(), patch.body().len());
}
";

const THEIR_PATCH_MAIN: &str = "\
fn main() {
    let text = std::fs::read(std::env::args().nth(1).unwrap()).unwrap();
    let list: k8s_openapi::List<k8s_openapi::api::core::v1::Pod> = \
                                serde_json::from_slice(&text).unwrap();
    let tree = |index: usize| serde_json::to_value(&list.items[index]).unwrap();
    let patch = json_patch::diff(&tree(0), &tree(1));
    println!(\"{} bytes, {} steps\", serde_json::to_vec(&list).unwrap().len(), patch.len());
}
";

pub fn tables(specs: &Path) -> Vec<Table> {
    let path = root().join("generated").canonicalize().expect("the crate is there");
    let own = |rest: &str| format!("openshift-api = {{ path = {path:?}{rest} }}");
    let theirs = "k8s-openapi = { version = \"=0.29.0\", features = [\"latest\"] }\nserde_json = \
                  \"1\""
        .to_owned();
    let patching = format!("{theirs}\njson-patch = \"5.0\"");
    let project = |name, packages, dependency, main| Project { name, packages, dependency, main };
    let one = own(", default-features = false, features = [\"coordination_v1\"]");
    let mut libraries = vec![
        project("k8s-openapi", &["k8s-openapi"], theirs.clone(), NOTHING),
        project("openshift-api and its runtime", &[RUNTIME, "openshift-api"], own(""), NOTHING),
        project("openshift-api", &["openshift-api"], own(""), NOTHING),
        project("openshift-api, one feature", &["openshift-api"], one, NOTHING),
    ];
    let mut notes = vec![format!(
        "Seconds of all processors to compile the crate itself, its dependencies being compiled; \
         medians of {ROUNDS} runs, taken in turns. × is the ratio to the first."
    )];
    let coordination = specs.join("apis/coordination.k8s.io");
    match (generated("kubernetes-api", specs), generated("coordination-api", &coordination)) {
        (Some(kubernetes), Some(coordination)) => {
            let packages = &[RUNTIME, "kubernetes-api"];
            libraries.push(project(
                "all of Kubernetes and the runtime",
                packages,
                kubernetes,
                NOTHING,
            ));
            libraries.push(project(
                "a second crate (coordination)",
                &["coordination-api"],
                coordination,
                NOTHING,
            ));
        }
        _ => notes.push(format!("All of Kubernetes: skipped, `{}` is not there.", specs.display())),
    }
    let programs = [
        project("with k8s-openapi", &["program"], theirs.clone(), THEIR_MAIN),
        project("with openshift-api", &["program"], own(""), OWN_MAIN),
        project(
            "that copies and compares, with k8s-openapi",
            &["program"],
            theirs,
            THEIR_COPY_MAIN,
        ),
        project(
            "that copies and compares, with openshift-api",
            &["program"],
            own(""),
            OWN_COPY_MAIN,
        ),
        project("that patches, with k8s-openapi", &["program"], patching, THEIR_PATCH_MAIN),
        project(
            "that patches, with openshift-api",
            &["program"],
            own(", features = [\"change\"]"),
            OWN_PATCH_MAIN,
        ),
    ];
    vec![of_libraries(&libraries, notes), of_programs(&programs)]
}

/// The dependency on a crate of these documents, over the runtime of the repository.
fn generated(name: &str, specs: &Path) -> Option<String> {
    if !specs.is_dir() {
        return None;
    }
    let out = work().join(name);
    let runtime = root().join("templates/runtime");
    let mut command = Command::new(process::kapigen());
    command
        .args(["generate", "--quiet", "--crate-name", name, "--spec"])
        .arg(specs)
        .arg("--out")
        .arg(&out);
    process::run(command.arg("--runtime").arg(runtime));
    Some(format!("{name} = {{ path = {:?} }}", out.canonicalize().expect("it was made")))
}

fn of_libraries(projects: &[Project], notes: Vec<String>) -> Table {
    let mut rows: Vec<Vec<Cell>> =
        projects.iter().map(|project| vec![Cell::text(project.name)]).collect();
    for mode in MODES {
        let costs = in_turns(projects, mode, |project| {
            let mut clean = vec!["clean", "--quiet"];
            clean.extend(project.packages.iter().flat_map(|package| ["-p", package]));
            clean.extend((mode == Mode::Release).then_some("--release"));
            process::run(&mut cargo(&project.folder(), &target(), &clean));
        });
        let cpu = |index: usize| {
            median(&costs[index].iter().map(|cost: &Cost| cost.cpu).collect::<Vec<_>>())
        };
        for (index, project) in projects.iter().enumerate() {
            let ratio = cpu(index) / cpu(0);
            let most = match (project.name, mode) {
                ("openshift-api and its runtime", Mode::Check) => Some(0.16),
                ("openshift-api and its runtime", Mode::Release) => Some(0.27),
                ("openshift-api", Mode::Check) => Some(0.11),
                ("openshift-api", Mode::Release) => Some(0.16),
                ("all of Kubernetes and the runtime", Mode::Check) => Some(0.7),
                ("all of Kubernetes and the runtime", Mode::Release) => Some(0.9),
                ("a second crate (coordination)", Mode::Check | Mode::Release) => Some(0.02),
                _ => None,
            };
            let goal = most.map_or(Cell::None, |most| goal(ratio, false, most));
            rows[index].extend([Cell::Number(cpu(index), 2), Cell::Number(ratio, 2), goal]);
        }
    }
    let columns = vec![
        "crate",
        "check",
        "check ×",
        "check goal",
        "dev",
        "dev ×",
        "dev goal",
        "release",
        "release ×",
        "release goal",
    ];
    Table { title: "Compiling the crates", notes, columns, rows }
}

fn of_programs(projects: &[Project]) -> Table {
    let mut rows: Vec<Vec<Cell>> =
        projects.iter().map(|project| vec![Cell::text(project.name)]).collect();
    for (mode, most) in [(Mode::Dev, 0.3), (Mode::Release, 0.25)] {
        let costs = in_turns(projects, mode, |project| {
            let main = project.folder().join("src/main.rs");
            let mut text = fs::read_to_string(&main).expect("it was written");
            text.push_str("// edited\n");
            fs::write(main, text).expect("it can be written");
        });
        let cpu = |index: usize| {
            median(&costs[index].iter().map(|cost: &Cost| cost.cpu).collect::<Vec<_>>())
        };
        for (index, row) in rows.iter_mut().enumerate() {
            // Two and two do the same, and the first of both is the peer's.
            let ratio = cpu(index) / cpu(index - index % 2);
            let goal = match index {
                1 => goal(ratio, false, most),
                // Seconds more than the program that does not patch.
                5 => goal(cpu(index) - cpu(1), false, 0.1),
                _ => Cell::None,
            };
            row.extend([Cell::Number(cpu(index), 2), Cell::Number(ratio, 2), goal]);
        }
    }
    for (project, row) in projects.iter().zip(&mut rows) {
        let program = target().join("release").join(project.folder_name());
        row.push(code_size(&program).map_or(Cell::None, |bytes| Cell::Number(bytes / 1000.0, 0)));
    }
    let notes = vec![
        "Seconds of all processors to compile a program that reads and writes a list of pods, \
         after an edit, and kB of its code (by `size`). Two of them also copy and compare pods, \
         and two make a patch: the goal of the last is how many seconds that adds."
            .to_owned(),
    ];
    let columns = vec![
        "program",
        "dev",
        "dev ×",
        "dev goal",
        "release",
        "release ×",
        "release goal",
        "code kB",
    ];
    Table { title: "Compiling a program", notes, columns, rows }
}

/// Compiles all of them some times, each after it was made stale.
fn in_turns(projects: &[Project], mode: Mode, make_stale: impl Fn(&Project)) -> Vec<Vec<Cost>> {
    let build = |project: &Project| {
        process::run(&mut cargo(&project.folder(), &target(), mode.arguments()))
    };
    for project in projects {
        project.write();
        build(project); // and all that it depends on
    }
    let mut costs = vec![Vec::new(); projects.len()];
    for round in 0..ROUNDS {
        for (project, costs) in projects.iter().zip(&mut costs) {
            eprintln!("{} of {}, round {} of {ROUNDS}", mode.name(), project.name, round + 1);
            make_stale(project);
            costs.push(build(project));
        }
    }
    costs
}

impl Project {
    fn folder_name(&self) -> String {
        self.name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect()
    }

    fn folder(&self) -> PathBuf {
        work().join(self.folder_name())
    }

    fn write(&self) {
        let mut manifest = String::new();
        let name = self.folder_name();
        let dependency = &self.dependency;
        writeln!(
            manifest,
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n"
        )
        .expect("memory takes everything");
        writeln!(manifest, "[workspace]\n\n[dependencies]\n{dependency}")
            .expect("memory takes everything");
        fs::create_dir_all(self.folder().join("src")).expect("the folder can be made");
        fs::write(self.folder().join("Cargo.toml"), manifest).expect("it can be written");
        fs::write(self.folder().join("src/main.rs"), self.main).expect("it can be written");
    }
}

fn target() -> PathBuf {
    work().join("target")
}
