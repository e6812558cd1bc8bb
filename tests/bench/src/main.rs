//! Compares openshift-api and kapigen with the crates that programs use today: see `--help`.

mod changes;
mod chart;
mod clients;
mod compile;
mod copies;
mod definitions;
mod dynamic;
mod fake;
mod generation;
mod informer;
mod inputs;
mod instructions;
mod masks;
mod memory;
mod order;
mod process;
mod random;
mod report;
mod speed;
mod subjects;
mod turns;

use clap::{Parser, ValueEnum};
use report::Table;
use std::path::PathBuf;

/// Counts for the memory part only.
#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// Compares openshift-api and kapigen with the crates that programs use today, all in one run.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask bench")]
struct Arguments {
    /// Small inputs, few rounds, and no part that takes minutes: shows that everything runs.
    #[arg(long)]
    quick: bool,
    /// Only these parts.
    #[arg(long, value_enum)]
    only: Vec<Part>,
    /// The file that gets the figures as JSON.
    #[arg(long, value_name = "FILE", default_value = "target/bench.json")]
    json: PathBuf,
    /// Measures nothing, and draws the figures of the last run as a chart in SVG.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["quick", "only"])]
    chart: Option<PathBuf>,
    /// A folder with the documents of all groups of Kubernetes, for the parts that generate them.
    /// By default, the documents in the test data, which have no descriptions.
    #[arg(long, value_name = "FOLDER")]
    specs: Option<PathBuf>,
    /// A folder with a folder for each project, and its definitions in `definitions.yaml`. By
    /// default, the projects in the test data.
    #[arg(long, value_name = "FOLDER")]
    manifests: Option<PathBuf>,
    /// Decodes or encodes one input a number of times and prints nothing, for a program that counts
    /// instructions.
    #[arg(long, hide = true, num_args = 4, value_names = ["INPUT", "WHO", "WHAT", "TIMES"])]
    repeat: Option<Vec<String>>,
}

impl Arguments {
    fn specs(&self) -> PathBuf {
        self.specs.clone().unwrap_or_else(|| test_data::data("kubernetes-1.34"))
    }

    fn manifests(&self) -> PathBuf {
        self.manifests.clone().unwrap_or_else(|| test_data::data("manifests"))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Decoding and encoding, objects of any kind, copying and comparing, patching and merging.
    Speed,
    /// Decoding some members only.
    Masks,
    /// Bytes and allocations.
    Memory,
    /// Instructions, if valgrind is installed.
    Instructions,
    /// Time to compile the crates, and programs that use them.
    Compile,
    /// Time and memory to generate a crate.
    Generation,
    /// Crates of definitions, beside kopium's. Installs kopium if it is missing. Compiles kube.
    Definitions,
    /// Programs that keep pods in a store, beside kube's. Compiles kube, and takes 5 GB of memory.
    Informer,
    /// The fake API server.
    Fake,
    /// Programs that reach a cluster, beside kube's: crates, compile times, memory.
    Reach,
    /// A controller, beside one over kube: crates, compile times, memory.
    Controllers,
    /// Processes and ports of pods, beside kube's.
    Streams,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    if let Some(repeat) = &arguments.repeat {
        instructions::repeat(repeat);
        return Ok(());
    }
    if let Some(chart) = &arguments.chart {
        let figures = serde_json::from_slice(&std::fs::read(&arguments.json)?)?;
        return Ok(std::fs::write(chart, chart::svg(&figures)?)?);
    }
    let slow = [
        Part::Instructions,
        Part::Compile,
        Part::Generation,
        Part::Definitions,
        Part::Informer,
        Part::Fake,
        Part::Reach,
        Part::Controllers,
        Part::Streams,
    ];
    let all = [Part::Speed, Part::Masks, Part::Memory].into_iter().chain(slow);
    let wanted = all.filter(|part| match arguments.only.as_slice() {
        [] => !arguments.quick || !slow.contains(part),
        only => only.contains(part),
    });
    let machine = report::machine();
    println!("{machine}\n");
    let mut tables = Vec::new();
    for part in wanted {
        for table in run(part, &arguments) {
            println!("{}", table.markdown());
            tables.push(table.json());
        }
    }
    if let Some(folder) = arguments.json.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let figures = serde_json::json!({"machine": machine, "tables": tables});
    Ok(std::fs::write(&arguments.json, format!("{figures:#}\n"))?)
}

fn run(part: Part, arguments: &Arguments) -> Vec<Table> {
    match part {
        Part::Speed => {
            let quick = arguments.quick;
            vec![
                speed::table(quick),
                dynamic::table(quick),
                copies::table(quick),
                changes::table(quick),
            ]
        }
        Part::Masks => vec![masks::table(arguments.quick)],
        Part::Memory => memory::tables(arguments.quick),
        Part::Instructions => instructions::tables(),
        Part::Compile => compile::tables(&arguments.specs()),
        Part::Generation => generation::tables(&arguments.specs()),
        Part::Definitions => definitions::tables(&arguments.manifests(), arguments.quick),
        Part::Informer => informer::tables(arguments.quick),
        Part::Fake => vec![fake::table()],
        Part::Reach => clients::reach(),
        Part::Controllers => clients::controllers(),
        Part::Streams => vec![clients::streams()],
    }
}

#[cfg(test)]
mod tests {
    use super::{Arguments, Part, Table, chart, run};
    use clap::Parser;
    use serde_json::json;

    /// Figures of a debug build mean nothing, but the parts also check that values are complete.
    #[test]
    fn quick_parts_have_the_figures_of_the_chart() {
        let arguments = Arguments::parse_from(["bench", "--quick"]);
        let tables: Vec<Table> = [Part::Speed, Part::Masks, Part::Memory]
            .into_iter()
            .flat_map(|part| run(part, &arguments))
            .collect();
        assert!(tables.iter().all(|table| !table.rows.is_empty()));
        let figures = json!({"tables": tables.iter().map(Table::json).collect::<Vec<_>>()});
        let slow = ["check the crate and its runtime", "compile a program after an edit"];
        assert_eq!(chart::missing(&figures), slow);
    }
}
