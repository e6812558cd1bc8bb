//! The command `kapigen`.

mod arguments;
mod diff;
mod errors;
pub mod init;
pub mod list;
mod man;
mod progress;
mod pull;
pub mod report;
mod timings;

use crate::build::{empty_crate, is_empty};
use crate::error::{Error, Errors};
use crate::input::{Input, Sources};
use crate::pipeline::{model, offered};
use crate::tree::workspace::Enclosing;
use crate::tree::{MANIFEST, refused};
use crate::visible::{visible_json, visible_yaml};
use arguments::{Arguments, Command, Format, OutputArguments, PrintArguments};
use clap::{CommandFactory, Parser};
use errors::InputErrors;
use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use timings::Timings;

/// Runs the command with the arguments of the process.
#[must_use]
pub fn run() -> ExitCode {
    run_from(env::args_os())
}

/// Runs the command with these arguments. The first one is the name of the program. Invalid
/// arguments and requests for help end the process.
#[must_use]
pub fn run_from(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let command = Arguments::parse_from(arguments).command;
    let input = command.input();
    let writes = command.writes();
    let done = match command {
        Command::Generate { input, output, overwrite, print } => {
            generate(&input.into(), &output, overwrite, &print)
        }
        Command::Check { input, output } => check(&input.into(), &output),
        Command::Init { spec } => print_groups(spec),
        Command::Pull(arguments) => pull::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::List { input, format } => print_list(&input.into(), format),
        Command::Completions { shell } => print_completions(shell),
        Command::Man { of } => man::print(of.as_deref()),
    };
    match done {
        Ok(code) => code,
        // The reader of the output has seen enough, as `head` has.
        Err(error) if is_broken_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            let text = message(&*error, input.as_ref(), writes);
            // There is no way left to report that this fails, too.
            let _ = anstream::stderr().write_all(text.as_bytes());
            ExitCode::from(2)
        }
    }
}

/// The message for an error of a command.
fn message(
    error: &(dyn std::error::Error + 'static),
    input: Option<&Input>,
    writes: bool,
) -> String {
    if let Some(errors) = error.downcast_ref::<Errors>() {
        errors::text(errors, input, writes)
    } else if let Some(error) = error.downcast_ref::<Error>() {
        errors::text(&error.clone().into(), None, writes)
    } else if let Some(errors) = error.downcast_ref::<InputErrors>() {
        errors.to_string()
    } else {
        errors::plain(&format!("cannot write to standard output: {error}"))
    }
}

type Outcome = Result<ExitCode, Box<dyn std::error::Error>>;

fn generate(
    input: &Input,
    output: &OutputArguments,
    overwrite: bool,
    print: &PrintArguments,
) -> Outcome {
    let progress = progress::start(print.quiet, "generating");
    let mut stages = Timings::start();
    let (sources, made) = output.build(input.clone()).output(&mut |stage| stages.lap(stage))?;
    let written =
        if overwrite { made.tree.overwrite(&output.out) } else { made.tree.write(&output.out) };
    let differences = written.map_err(|error| refused(&error))?;
    drop(progress);
    let mut stdout = anstream::stdout();
    if !print.quiet {
        let workspace = Enclosing::find(&output.out, &made.tree);
        let parts = [
            report::summary_of_changes(&differences, print.verbose),
            report::unused(&input.unused()),
            report::decisions(&made, print.verbose),
            report::summary(&sources, &made),
            format!("; {} changed\n", report::count(differences.len(), "file")),
            workspace.as_ref().map(report::enclosing).unwrap_or_default(),
            report::copied(made.copied),
            report::next_step(&differences, &output.out),
        ];
        stdout.write_all(parts.concat().as_bytes())?;
    }
    if print.timings {
        writeln!(stdout, "{stages}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn check(input: &Input, output: &OutputArguments) -> Outcome {
    let progress = progress::start(false, "comparing");
    let (sources, made) = output.build(input.clone()).output(&mut |_| {})?;
    let differences = made.tree.compare(&output.out).map_err(|error| refused(&error))?;
    drop(progress);
    let mut stdout = anstream::stdout();
    let has_list = differences.iter().all(|difference| difference.path != MANIFEST);
    if has_list || differences.iter().any(|difference| difference.old.is_some()) {
        write!(stdout, "{}{}", report::diffs(&differences), report::changes(&differences))?;
        write!(stdout, "{}", report::not_shown(&differences))?;
    } else {
        // Every line of a crate that does not exist yet is too much to read.
        write!(stdout, "{}", report::all_new(&differences))?;
    }
    let number = report::count(differences.len(), "file");
    writeln!(stdout, "{}; {number} not as generated", report::summary(&sources, &made))?;
    if differences.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let changed =
        made.tree.changed_since(&output.out, &differences).map_err(|error| refused(&error))?;
    writeln!(stdout, "{}", report::remedy(&changed))?;
    Ok(ExitCode::from(1))
}

fn print_groups(spec: Vec<PathBuf>) -> Outcome {
    let progress = progress::start(false, "reading");
    let sources = Input { spec, ..Input::default() }.read()?;
    let offered = offered(&sources)?;
    drop(progress);
    if offered.is_empty() {
        return Err(empty_crate(&sources).into());
    }
    anstream::stdout().write_all(visible_yaml(&init::groups(&offered)).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn print_list(input: &Input, format: Format) -> Outcome {
    let progress = progress::start(false, "reading");
    let sources = Sources { shipped_fixups: true, ..input.read()? };
    let api = model(&sources)?.api;
    drop(progress);
    if is_empty(&api) {
        return Err(empty_crate(&sources).into());
    }
    let text = match format {
        Format::Text => list::text(&api),
        Format::Json => visible_json(&format!("{:#}\n", list::json(&api))).into_owned(),
    };
    anstream::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn print_completions(shell: clap_complete::Shell) -> Outcome {
    let mut completions = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "kapigen", &mut completions);
    anstream::stdout().write_all(&completions)?;
    Ok(ExitCode::SUCCESS)
}

fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
