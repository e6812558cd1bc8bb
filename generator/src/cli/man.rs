//! `kapigen man`: manual pages.

use super::Outcome;
use super::arguments::Arguments;
use crate::error::Error;
use crate::visible::visible;
use clap::CommandFactory;
use clap_mangen::Man;
use std::io::Write;
use std::process::ExitCode;

/// Prints the page of the command, or of one of its subcommands.
pub(super) fn print(of: Option<&str>) -> Outcome {
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    let page = match of {
        None => command,
        Some(name) => command.find_subcommand(name).ok_or_else(|| unknown(name, &command))?.clone(),
    };
    let mut text = Vec::new();
    let source = format!("kapigen {}", env!("CARGO_PKG_VERSION"));
    Man::new(page).source(source).manual("kapigen").render(&mut text)?;
    // Bare, these two are printed as other characters.
    let text = String::from_utf8_lossy(&text).replace('`', "\\(ga").replace('~', "\\(ti");
    anstream::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn unknown(name: &str, command: &clap::Command) -> Error {
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    Error::new(format!("there is no command `{}`", visible(name)))
        .help(format!("there are {}", names.join(", ")))
}
