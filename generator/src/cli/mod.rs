//! The command `kapigen`.

mod arguments;
mod diff;
pub mod init;
pub mod list;
mod progress;
mod pull;
pub mod report;
mod timings;

use crate::input::{Input, Sources};
use crate::pipeline::{model, offered};
use crate::tree::workspace::Enclosing;
use crate::visible::{visible, visible_json};
use arguments::{Arguments, Command, Format, OutputArguments};
use clap::Parser;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use timings::Timings;

/// Runs the command with the arguments of the process.
#[must_use]
pub fn run() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Generate { input, output, overwrite, quiet, timings } => {
            generate(&input.into(), &output, overwrite, (quiet, timings))
        }
        Command::Check { input, output } => check(&input.into(), &output),
        Command::Init { spec } => print_groups(spec),
        Command::Pull(arguments) => pull::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
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

fn generate(input: &Input, output: &OutputArguments, overwrite: bool, (quiet, timings): (bool, bool)) -> Outcome {
    let progress = progress::start(quiet, "generating");
    let mut stages = Timings::start();
    let (sources, made) = output.build(input.clone()).output(&mut |stage| stages.lap(stage))?;
    let written = if overwrite { made.tree.overwrite(&output.out) } else { made.tree.write(&output.out) };
    let differences = written.map_err(|error| refused(&error))?;
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
        writeln!(stdout, "{stages}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn check(input: &Input, output: &OutputArguments) -> Outcome {
    let (sources, made) = output.build(input.clone()).output(&mut |_| {})?;
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
    anstream::stdout().write_all(visible_json(&init::groups(&offered(&sources)?)).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn print_list(input: &Input, format: Format) -> Outcome {
    let api = model(&Sources { shipped_fixups: true, ..input.read()? })?.api;
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
