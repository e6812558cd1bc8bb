//! Crates of definitions of custom resources, beside the structs that kopium makes of the same
//! ones.

use crate::process::{self, Cost, cargo, root, work};
use crate::report::{Cell, Table, goal, median};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The release of the peer, and what its structs need.
const KOPIUM: &str = "0.24.1";
const DEPENDENCIES: &str = "k8s-openapi = { version = \"0.28\", features = [\"latest\", \
                            \"schemars\"] }
kube = { version = \"4\", default-features = false, features = [\"derive\"] }
schemars = \"1.2\"
serde = { version = \"1\", features = [\"derive\"] }
serde_json = \"1\"
";

/// The peer's flags: all that it recommends.
const FLAGS: &str = "--auto";

/// One side of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Peer,
    Own,
}

/// A crate that was generated.
struct Generated {
    folder: PathBuf,
    lines: f64,
    /// Seconds by the clock: of all runs, and of the slowest one.
    wall: f64,
    slowest: f64,
}

pub fn tables(manifests: &Path, quick: bool) -> Vec<Table> {
    let columns = vec![
        "project",
        "who",
        "definitions",
        "lines",
        "generate s",
        "slowest run s",
        "check CPU s",
        "check ×",
        "check goal",
        "check MB",
        "memory ×",
        "memory goal",
        "release CPU s",
        "program kB",
    ];
    let mut table = Table { title: "Definitions", notes: Vec::new(), columns, rows: Vec::new() };
    let projects = projects(manifests);
    let Some(kopium) = kopium().filter(|_| !projects.is_empty()) else {
        table.notes.push(format!(
            "Skipped: `{}` has no definitions, or kopium {KOPIUM} cannot be installed.",
            manifests.display()
        ));
        return vec![table];
    };
    let kapigen = process::kapigen();
    let rounds = if quick { 1 } else { 3 };
    table.notes.push(format!(
        "The definitions of a project: `kapigen generate` takes all of them in one run, kopium \
         {KOPIUM} one version of one definition in each, with `{FLAGS}`. CPU and the greatest \
         memory of `cargo check` of the crate, and CPU of a release build, over built \
         dependencies; the code of a program that decodes an object of its first kind and encodes \
         it (by `size`). kapigen's crate also has the operations. Medians of {rounds} runs. × is \
         the ratio to kopium."
    ));
    let mut all_own = 0.0;
    let mut slowest_peer = 0.0_f64;
    for project in projects.iter().take(if quick { 1 } else { projects.len() }) {
        // It takes minutes each.
        eprintln!("definitions: {}", project.display());
        let (rows, own, peer) = compare(project, &kapigen, &kopium, rounds);
        table.rows.extend(rows);
        all_own += own;
        slowest_peer = slowest_peer.max(peer);
    }
    let mut total = vec![
        Cell::text("all, beside the peer's slowest"),
        Cell::text("kapigen"),
        Cell::None,
        Cell::None,
    ];
    total.push(Cell::Number(all_own, 2));
    total.push(goal(all_own / slowest_peer, false, 1.0));
    table.rows.push(total);
    vec![table]
}

/// The files of definitions, one for each project.
fn projects(manifests: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(manifests).into_iter().flatten().flatten();
    let files = folders.map(|folder| folder.path().join("definitions.yaml"));
    let mut files: Vec<PathBuf> = files.filter(|file| file.is_file()).collect();
    // The smallest first.
    files.sort_by_key(|file| fs::metadata(file).map(|metadata| metadata.len()).unwrap_or_default());
    files
}

/// The peer in its pinned release: the program of that name, or one that is installed for the
/// bench.
fn kopium() -> Option<PathBuf> {
    let is_pinned = |program: &Path| {
        let output = Command::new(program).arg("--version").output();
        output.is_ok_and(|output| {
            String::from_utf8_lossy(&output.stdout).trim() == format!("kopium {KOPIUM}")
        })
    };
    let root = work().join("kopium");
    let installed = root.join("bin/kopium");
    let known =
        [PathBuf::from("kopium"), installed.clone()].into_iter().find(|program| is_pinned(program));
    known.or_else(|| {
        let arguments = ["install", "--quiet", "--locked", "kopium", "--version", KOPIUM, "--root"];
        let status = Command::new("cargo").args(arguments).arg(&root).status();
        status.is_ok_and(|status| status.success()).then_some(installed)
    })
}

/// The rows of a project, and the seconds of kapigen's run and of the peer's slowest run.
fn compare(
    project: &Path,
    kapigen: &Path,
    kopium: &Path,
    rounds: usize,
) -> (Vec<Vec<Cell>>, f64, f64) {
    let name = project
        .parent()
        .and_then(Path::file_name)
        .expect("it is in a folder")
        .to_string_lossy()
        .into_owned();
    let own = own(&name, project, kapigen, rounds);
    let definitions = json_files(&own.folder.join("src/definitions"));
    let peer = peer(&name, &definitions, kopium);
    let sides = [(Side::Peer, &peer), (Side::Own, &own)];
    let checks = sides.map(|(_, generated)| costs(generated, &["check", "--quiet"], rounds));
    let releases =
        sides.map(|(_, generated)| costs(generated, &["build", "--quiet", "--release"], 1));
    let kind = kind(&definitions[0]);
    let rows = sides.iter().enumerate().map(|(index, (side, generated))| {
        let [cpu, memory] = [|cost: &Cost| cost.cpu, |cost: &Cost| cost.memory].map(|figure| {
            let of = |costs: &[Cost]| median(&costs.iter().map(figure).collect::<Vec<_>>());
            (of(&checks[index]), of(&checks[index]) / of(&checks[0]))
        });
        let goals = |ratio: f64, most| {
            if *side == Side::Own { goal(ratio, false, most) } else { Cell::None }
        };
        let size = program(*side, generated, &kind)
            .map_or(Cell::None, |bytes| Cell::Number(bytes / 1000.0, 0));
        vec![
            Cell::text(name.as_str()),
            Cell::text(if *side == Side::Own { "kapigen" } else { "kopium" }),
            Cell::Number(f64::from(u32::try_from(definitions.len()).expect("few")), 0),
            Cell::Number(generated.lines, 0),
            Cell::Number(generated.wall, 2),
            Cell::Number(generated.slowest, 2),
            Cell::Number(cpu.0, 2),
            Cell::Number(cpu.1, 3),
            goals(cpu.1, 0.05),
            Cell::Number(memory.0, 0),
            Cell::Number(memory.1, 3),
            goals(memory.1, 0.1),
            Cell::Number(releases[index][0].cpu, 2),
            size,
        ]
    });
    (rows.collect(), own.wall, peer.slowest)
}

fn own(name: &str, project: &Path, kapigen: &Path, rounds: usize) -> Generated {
    let folder = work().join("definitions").join(format!("{name}-own"));
    let runtime = root().join("templates/runtime");
    let walls: Vec<f64> = (0..rounds)
        .map(|_| {
            // It may not be there.
            let _ = fs::remove_dir_all(&folder);
            let mut command = Command::new(kapigen);
            command
                .args(["generate", "--quiet", "--crate-name", "own", "--spec"])
                .arg(project)
                .arg("--out")
                .arg(&folder);
            process::run(command.arg("--runtime").arg(&runtime)).wall
        })
        .collect();
    let wall = median(&walls);
    append(&folder.join("Cargo.toml"), "\n[workspace]\n");
    Generated { lines: lines(&folder.join("src")), folder, wall, slowest: wall }
}

fn peer(name: &str, definitions: &[PathBuf], kopium: &Path) -> Generated {
    let folder = work().join("definitions").join(format!("{name}-peer"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("src")).expect("the folder can be made");
    let mut generated = Generated { lines: 0.0, folder, wall: 0.0, slowest: 0.0 };
    let mut modules = String::new();
    for definition in definitions {
        for (version, module) in versions(definition) {
            let file = generated.folder.join(format!("src/{module}.rs"));
            let mut command = Command::new("sh");
            command.args(["-c", "exec \"$0\" \"$1\" --api-version \"$2\" -f \"$3\" > \"$4\""]);
            let cost =
                process::run(command.arg(kopium).args([FLAGS, &version]).args([definition, &file]));
            generated.wall += cost.wall;
            generated.slowest = generated.slowest.max(cost.wall);
            modules += &format!("pub mod {module};\n");
        }
    }
    fs::write(generated.folder.join("src/lib.rs"), modules).expect("it can be written");
    let manifest = "[package]\nname = \"peer\"\nversion = \"0.0.0\"\nedition = \
                    \"2024\"\n\n[workspace]\n\n[dependencies]\n";
    fs::write(generated.folder.join("Cargo.toml"), manifest.to_owned() + DEPENDENCIES)
        .expect("it can be written");
    Generated { lines: lines(&generated.folder.join("src")), ..generated }
}

/// Costs of compiling a crate itself, its dependencies being compiled.
fn costs(generated: &Generated, arguments: &[&str], rounds: usize) -> Vec<Cost> {
    let run = || process::run_tree(&mut cargo(&generated.folder, &target(), arguments));
    run(); // and all that it depends on
    let root = generated.folder.join("src/lib.rs");
    let measured = |_| {
        append(&root, "// edited\n");
        run()
    };
    (0..rounds).map(measured).collect()
}

/// The size of the code of a program that decodes an object of a kind and encodes it, if `size` is
/// installed.
fn program(side: Side, generated: &Generated, kind: &str) -> Option<f64> {
    let (module, kind) = type_of(side, &generated.folder.join("src"), kind)?;
    let main = match side {
        Side::Own => format!(
            "fn main() {{\n    let text = \
             std::fs::read(std::env::args().nth(1).unwrap()).unwrap();\n    let object: \
             own::{module}::{kind} = own::from_slice(&text).unwrap();\n    println!(\"{{}}\", \
             own::to_vec(&object).len());\n}}\n"
        ),
        Side::Peer => format!(
            "fn main() {{\n    let text = \
             std::fs::read(std::env::args().nth(1).unwrap()).unwrap();\n    let object: \
             peer::{module}::{kind} = serde_json::from_slice(&text).unwrap();\n    \
             println!(\"{{}}\", serde_json::to_vec(&object).unwrap().len());\n}}\n"
        ),
    };
    let path = generated.folder.join("examples/program.rs");
    fs::create_dir_all(path.parent()?).ok()?;
    fs::write(&path, main).ok()?;
    process::run(&mut cargo(
        &generated.folder,
        &target(),
        &["build", "--quiet", "--release", "--example", "program"],
    ));
    process::code_size(&target().join("release/examples/program"))
}

/// The module that has a kind, and the name of its type. The peer's differs from the kind in
/// capitals, at times.
fn type_of(side: Side, src: &Path, kind: &str) -> Option<(String, String)> {
    let (mark, suffix) = match side {
        Side::Own => (format!("pub struct {kind} {{"), ""),
        Side::Peer => (format!("kind = \"{kind}\""), "Spec"),
    };
    let has = |path: &PathBuf| {
        fs::read_to_string(path)
            .ok()
            .filter(|text| text.contains(&mark))
            .map(|text| (path.clone(), text))
    };
    let (file, text) = rust_files(src).iter().find_map(has)?;
    let names = text.lines().filter_map(|line| {
        line.strip_prefix("pub struct ")?.split(' ').next()?.strip_suffix(suffix)
    });
    let name = names.into_iter().find(|name| name.eq_ignore_ascii_case(kind))?.to_owned();
    let module = file
        .strip_prefix(src)
        .ok()?
        .components()
        .next()?
        .as_os_str()
        .to_string_lossy()
        .into_owned();
    Some((module.trim_end_matches(".rs").to_owned(), name))
}

/// The served versions of a definition, each with a name for a module.
fn versions(definition: &Path) -> Vec<(String, String)> {
    let stem = definition.file_stem().expect("a file").to_string_lossy().into_owned();
    let manifest = manifest(definition);
    let versions = manifest["spec"]["versions"].as_array().expect("a list").iter();
    let served = versions.filter(|version| version["served"] == true);
    let names = served.map(|version| version["name"].as_str().expect("a string"));
    names.map(|name| (name.to_owned(), format!("{stem}_{}", name.replace('-', "_")))).collect()
}

/// The kind of a definition.
fn kind(definition: &Path) -> String {
    let manifest = manifest(definition);
    manifest["spec"]["names"]["kind"].as_str().expect("a string").to_owned()
}

fn manifest(definition: &Path) -> serde_json::Value {
    serde_json::from_slice(&fs::read(definition).expect("it is there")).expect("it is JSON")
}

fn json_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("it is there").flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let (inner, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
        folders.extend(inner);
        found.extend(
            files
                .into_iter()
                .filter(|path| path.extension().is_some_and(|extension| extension == "rs")),
        );
    }
    found.sort();
    found
}

fn lines(folder: &Path) -> f64 {
    let count = |path: PathBuf| fs::read_to_string(path).map_or(0, |text| text.lines().count());
    let count: usize = rust_files(folder).into_iter().map(count).sum();
    f64::from(u32::try_from(count).expect("fewer lines than that"))
}

fn append(path: &Path, line: &str) {
    let text = fs::read_to_string(path).expect("it was written");
    fs::write(path, text + line).expect("it can be written");
}

fn target() -> PathBuf {
    work().join("definitions/target")
}
