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
    Man::new(page).render(&mut text)?;
    anstream::stdout().write_all(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn unknown(name: &str, command: &clap::Command) -> Error {
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    Error::new(format!("there is no command `{}`", visible(name))).help(format!("there are {}", names.join(", ")))
}
