//! Time and memory to generate a crate.

use crate::process::{self, Cost, root, work};
use crate::report::{Cell, Table, goal, median};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROUNDS: usize = 9;

pub fn tables(specs: &Path) -> Vec<Table> {
    let kapigen = process::kapigen();
    let one_group = one_group();
    let own = root().join("spec");
    let mut notes =
        vec![format!("`kapigen generate` into an empty folder, medians of {ROUNDS} runs.")];
    let mut rows = Vec::new();
    let mut add = |what: String, spec: &Path, has_goals: bool| {
        let costs: Vec<Cost> = (0..ROUNDS).map(|_| generate(&kapigen, spec)).collect();
        let of = |figure: fn(&Cost) -> f64| median(&costs.iter().map(figure).collect::<Vec<_>>());
        let wall = of(|cost| cost.wall);
        let memory = of(|cost| cost.memory);
        let goals = if has_goals {
            [goal(wall, false, 0.5), goal(memory, false, 150.0)]
        } else {
            [Cell::None, Cell::None]
        };
        let [wall_goal, memory_goal] = goals;
        let cells = [
            Cell::Number(wall, 2),
            wall_goal,
            Cell::Number(of(|cost| cost.cpu), 2),
            Cell::Number(memory, 0),
        ];
        rows.push([Cell::Text(what)].into_iter().chain(cells).chain([memory_goal]).collect());
    };
    add("coordination.k8s.io/v1".to_owned(), &one_group, false);
    add("the four documents of spec/".to_owned(), &own, false);
    if specs.is_dir() {
        add(format!("all of Kubernetes ({} documents)", count(specs)), specs, true);
    } else {
        notes.push(format!(
            "All of Kubernetes: skipped, `{}` is not there. Say where with `--specs`.",
            specs.display()
        ));
    }
    let columns = vec!["what", "wall s", "wall goal", "CPU s", "peak MB", "peak goal"];
    vec![Table { title: "Generation", notes, columns, rows }]
}

/// A folder with the documents of one group, and those that it refers to.
fn one_group() -> PathBuf {
    let folder = work().join("one-group");
    for document in ["coordination.k8s.io/v1.yaml", "meta/v1.yaml"] {
        let to = folder.join(document);
        fs::create_dir_all(to.parent().expect("it is in a folder"))
            .expect("the folder can be made");
        fs::copy(root().join("spec").join(document), to).expect("it can be copied");
    }
    folder
}

fn generate(kapigen: &Path, spec: &Path) -> Cost {
    let out = work().join("out");
    // It may not be there.
    let _ = fs::remove_dir_all(&out);
    process::run(
        Command::new(kapigen).arg("generate").arg("--spec").arg(spec).arg("--out").arg(&out),
    )
}

fn count(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).map(|path| if path.is_dir() { count(&path) } else { 1 }).sum()
}
