//! `kapigen diff`: changes of the interface from one set of documents to another.

use super::Outcome;
use super::errors::InputErrors;
use crate::diff;
use crate::error::Errors;
use crate::input::crates::Crates;
use crate::input::{Input, Sources};
use crate::model::Api;
use crate::pipeline;
use crate::visible::visible_json;
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(super) const EXAMPLES: &str = "\
Examples:
  kapigen diff spec-before spec
  kapigen diff --format markdown spec-before spec >> \"$GITHUB_STEP_SUMMARY\"";

#[derive(Args, Debug)]
pub(super) struct DiffArguments {
    /// The old documents: a folder or a file.
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The new documents: a folder or a file.
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// The selection for both [default: groups.yaml in each folder, or else everything].
    #[arg(long, short, value_name = "FILE")]
    groups: Option<PathBuf>,
    /// The folder of another generated crate, whose types are used by both. Can be given several times.
    #[arg(long = "extern", value_name = "DIR")]
    externs: Vec<PathBuf>,
    /// The form of the report.
    #[arg(long, short, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// For a terminal.
    #[default]
    Text,
    /// For a pull request.
    Markdown,
    /// For programs.
    Json,
}

pub(super) fn run(arguments: &DiffArguments) -> Outcome {
    let Crates { index, externs, .. } = Crates::read(Path::new("."), None, &arguments.externs)?;
    let externs = externs.into_iter().map(|(extern_crate, _)| extern_crate).collect();
    let above = Sources { shipped_fixups: true, runtime: index, externs, ..Sources::default() };
    let (old, new) = (arguments.api(&arguments.old, &above)?, arguments.api(&arguments.new, &above)?);
    let changes = diff::diff(&old, &new);
    let text = match arguments.format {
        Format::Text => diff::text(&changes, &super::report::alarm),
        Format::Markdown => diff::markdown(&changes),
        Format::Json => visible_json(&format!("{:#}\n", diff::json(&changes))).into_owned(),
    };
    anstream::stdout().write_all(text.as_bytes())?;
    let is_breaking = changes.iter().any(diff::Change::is_breaking);
    Ok(if is_breaking { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

impl DiffArguments {
    /// The model of these documents, over the crates of `above`.
    fn api(&self, spec: &Path, above: &Sources) -> Result<Api, Box<dyn std::error::Error>> {
        let input = Input { spec: vec![spec.to_owned()], groups: self.groups.clone(), fixups: None };
        let model = |input: &Input| -> Result<Api, Errors> {
            let Sources { shipped_fixups, runtime, externs, .. } = above.clone();
            Ok(pipeline::model(&Sources { shipped_fixups, runtime, externs, ..input.read()? })?.api)
        };
        model(&input).map_err(|errors| InputErrors { errors, input }.into())
    }
}
