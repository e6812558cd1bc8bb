//! The command `kapigen`.

use clap::{Args, Parser, Subcommand, ValueEnum};
mod progress;

use kapigen::crates::{Crates, RuntimeChoice};
use kapigen::folder::Input;
use kapigen::manifest::{self, Package};
use kapigen::visible::{visible, visible_json};
use kapigen::workspace::Enclosing;
use kapigen::{Output, Sources, init, list, report};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Generates typed Rust crates from the OpenAPI 3.0 documents of Kubernetes-style APIs.
#[derive(Debug, Parser)]
#[command(name = "kapigen", version, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  all is well
  1  `check` found a difference
  2  the input is wrong, a file cannot be read or written, or the command line is not understood";

#[derive(Debug, Subcommand)]
enum Command {
    /// Writes a crate that builds on its own.
    ///
    /// Files that are right already are not touched, and files of an earlier run that are no longer made are removed.
    /// Nothing is written if anything is wrong with the input, or if a file that kapigen did not write is in the way.
    #[command(after_long_help = GENERATE)]
    Generate {
        #[command(flatten)]
        input: InputArguments,
        #[command(flatten)]
        output: OutputArguments,
        /// Say nothing but errors.
        #[arg(long, short)]
        quiet: bool,
        /// Say how long each stage took.
        #[arg(long)]
        timings: bool,
    },
    /// Shows how the files of a crate differ from what `generate` would write.
    ///
    /// Writes nothing. Takes the same arguments as `generate`, and exits with 1 if there is any difference.
    #[command(after_long_help = CHECK)]
    Check {
        #[command(flatten)]
        input: InputArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Prints a `groups.yaml` that selects everything that the documents offer, to be cut down by hand.
    #[command(after_long_help = INIT)]
    Init {
        /// An OpenAPI document, or a folder of them. Can be given several times.
        #[arg(long, value_name = "DIR_OR_FILE", required = true)]
        spec: Vec<PathBuf>,
    },
    /// Lists the operations and types that are selected, and writes nothing.
    #[command(after_long_help = LIST)]
    List {
        #[command(flatten)]
        input: InputArguments,
        /// How to print them.
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
}

const GENERATE: &str = "\
Example: everything that a cluster has in the group `apps`
  mkdir spec
  kubectl get --raw /openapi/v3/apis/apps/v1 > spec/apps.json
  kapigen generate --spec spec --out my-api";

const CHECK: &str = "\
Example: keep a committed crate up to date, in CI
  kapigen check --spec spec --out my-api";

const INIT: &str = "\
Example: choose from what the documents offer
  kapigen init --spec spec > spec/groups.yaml";

const LIST: &str = "\
Examples:
  kapigen list --spec spec
  kapigen list --spec spec --format json | jq -r '.modules[].resources[].functions[].path'";

#[derive(Args, Debug)]
struct InputArguments {
    /// An OpenAPI document, or a folder whose .yaml, .yml and .json files are all read. Can be given several times.
    #[arg(long, value_name = "DIR_OR_FILE", required = true)]
    spec: Vec<PathBuf>,
    /// Which groups and resources to select [default: groups.yaml in the folder of --spec, or else everything].
    #[arg(long, value_name = "FILE")]
    groups: Option<PathBuf>,
    /// Corrections of the documents [default: fixups.yaml in the folder of --spec, or else none].
    #[arg(long, value_name = "FILE")]
    fixups: Option<PathBuf>,
}

#[derive(Args, Debug)]
struct OutputArguments {
    /// The folder of the crate.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The name of the crate [default: that of its folder].
    #[arg(long, value_name = "NAME")]
    crate_name: Option<String>,
    /// Only the files below `src`, for a crate whose Cargo.toml is written by hand.
    #[arg(long, conflicts_with = "crate_name")]
    sources_only: bool,
    /// Where the crate has its runtime from: `vendored` (a copy in its folder), a version, or the folder of a runtime
    /// [default: that of the crates given by --extern, or else vendored].
    #[arg(long, value_name = "vendored|VERSION|DIR")]
    runtime: Option<RuntimeChoice>,
    /// The folder of another generated crate, whose types are used instead of being emitted again. Can be given several
    /// times.
    #[arg(long = "extern", value_name = "DIR")]
    externs: Vec<PathBuf>,
}

impl OutputArguments {
    /// The name of the crate, if it is written as a whole.
    fn name(&self) -> Option<String> {
        let folder = || std::path::absolute(&self.out).ok()?.file_name()?.to_str().map(str::to_owned);
        if self.sources_only { None } else { Some(self.crate_name.clone().or_else(folder).unwrap_or_default()) }
    }
}

impl From<InputArguments> for Input {
    fn from(InputArguments { spec, groups, fixups }: InputArguments) -> Self {
        Self { spec, groups, fixups }
    }
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// A table of operations.
    #[default]
    Text,
    /// Everything, with parameters.
    Json,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Generate { input, output, quiet, timings } => generate(&input.into(), &output, quiet, timings),
        Command::Check { input, output } => check(&input.into(), &output),
        Command::Init { spec } => print_groups(spec),
        Command::List { input, format } => print_list(&input.into(), format),
    };
    match done {
        Ok(code) => code,
        // Whoever reads us has seen enough, as `head` has.
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

type Outcome = Result<ExitCode, Box<dyn std::error::Error>>;

/// Reads the documents and makes the files, with the corrections that every document may need.
fn run(input: &Input, output: &OutputArguments) -> Result<(Sources, Output), Box<dyn std::error::Error>> {
    let Crates { index, runtime, externs } = Crates::read(&output.out, output.runtime.as_ref(), &output.externs)?;
    let (crates, externs) = externs.into_iter().unzip();
    let sources = Sources { shipped_fixups: true, runtime: index, externs: crates, ..input.read()? };
    let mut made = kapigen::generate(&sources)?;
    if let Some(name) = output.name() {
        manifest::add(&Package { name, runtime, externs }, &mut made)?;
    }
    Ok((sources, made))
}

fn generate(input: &Input, output: &OutputArguments, quiet: bool, timings: bool) -> Outcome {
    let progress = progress::start(quiet);
    let (sources, made) = run(input, output)?;
    let differences = made.tree.write(&output.out).map_err(|error| refused(&error))?;
    drop(progress);
    let mut stdout = anstream::stdout();
    if !quiet {
        write!(stdout, "{}{}", report::changes(&differences), report::fixups(&made.fixups))?;
        write!(stdout, "{}", report::notes(&made.notes))?;
        writeln!(stdout, "{}; {} changed", report::summary(&sources, &made), report::count(differences.len(), "file"))?;
        if let Some(workspace) = Enclosing::find(&output.out, &made.tree) {
            write!(stdout, "{}", report::enclosing(&workspace))?;
        }
    }
    if timings {
        writeln!(stdout, "{}", made.timings)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn check(input: &Input, output: &OutputArguments) -> Outcome {
    let (sources, made) = run(input, output)?;
    let differences = made.tree.compare(&output.out).map_err(|error| refused(&error))?;
    let mut stdout = anstream::stdout();
    write!(stdout, "{}{}", report::diffs(&differences), report::changes(&differences))?;
    let number = report::count(differences.len(), "file");
    writeln!(stdout, "{}; {number} not as generated", report::summary(&sources, &made))?;
    if differences.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(stdout, "to mend it, run `kapigen generate` with the same arguments")?;
    Ok(ExitCode::from(1))
}

fn print_groups(spec: Vec<PathBuf>) -> Outcome {
    let sources = Input { spec, ..Input::default() }.read()?;
    anstream::stdout().write_all(visible_json(&init::groups(&kapigen::offered(&sources)?)).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn print_list(input: &Input, format: Format) -> Outcome {
    let api = kapigen::model(&Sources { shipped_fixups: true, ..input.read()? })?.api;
    let text = match format {
        Format::Text => list::text(&api),
        Format::Json => visible_json(&format!("{:#}\n", list::json(&api))).into_owned(),
    };
    anstream::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// In the manner of the other errors.
fn refused(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("error: {}", visible(&error.to_string())))
}

fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
