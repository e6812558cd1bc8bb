//! `kapigen diff`: changes from one set of documents or definitions to another.

use super::Outcome;
use super::errors::InputErrors;
use super::progress;
use crate::diff;
use crate::diff::definitions::{self, DefinitionChange};
use crate::error::Errors;
use crate::input::crates::Crates;
use crate::input::{Input, Sources};
use crate::pipeline::{self, Model};
use crate::visible::visible_json;
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(super) const EXAMPLES: &str = "\
Examples:
  kapigen diff spec-before spec
  kapigen diff crds-before.yaml crds.yaml
  kapigen diff --format markdown spec-before spec >> \"$GITHUB_STEP_SUMMARY\"";

#[derive(Args, Debug)]
pub(super) struct DiffArguments {
    /// The old documents or definitions: a folder or a file.
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The new documents or definitions: a folder or a file.
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// The selection for both [default: groups.yaml in each folder, or else everything].
    #[arg(long, short, value_name = "FILE")]
    groups: Option<PathBuf>,
    /// The folder of another generated crate. Both sides use its types. Can be given several times.
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
    let progress = progress::start(false, "comparing");
    let old = arguments.model(&arguments.old, &above)?;
    let new = arguments.model(&arguments.new, &above)?;
    let changes = diff::diff(&old.api, &new.api);
    let of_definitions = of_definitions(&old, &new);
    drop(progress);
    let text = match arguments.format {
        Format::Text => in_parts(
            diff::text(&changes, &super::report::alarm),
            of_definitions
                .as_deref()
                .map(|changes| definitions::text(changes, &super::report::alarm)),
        ),
        Format::Markdown => {
            in_parts(diff::markdown(&changes), of_definitions.as_deref().map(definitions::markdown))
        }
        Format::Json => {
            let mut json = diff::json(&changes);
            if let Some(changes) = &of_definitions {
                json["definitions"] = definitions::json(changes);
            }
            visible_json(&format!("{json:#}\n")).into_owned()
        }
    };
    anstream::stdout().write_all(text.as_bytes())?;
    let is_breaking = changes.iter().any(diff::Change::is_breaking)
        || of_definitions.is_some_and(|all| !all.is_empty());
    Ok(if is_breaking { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Compares the definitions of the resources that were selected before or are selected now. `None`:
/// one of the two models has no definitions.
fn of_definitions(old: &Model, new: &Model) -> Option<Vec<DefinitionChange>> {
    if old.definitions.is_empty() || new.definitions.is_empty() {
        return None;
    }
    let is_selected = |group: &str, plural: &str| {
        [old, new].iter().any(|model| model.api.has_resource(group, plural))
    };
    Some(definitions::changes(&old.definitions, &new.definitions, &is_selected))
}

/// The report about Rust, and the one about definitions if there is one.
fn in_parts(rust: String, definitions: Option<String>) -> String {
    definitions.into_iter().fold(rust, |text, part| text + "\n" + &part)
}

impl DiffArguments {
    /// The model of these documents, over the crates of `above`.
    fn model(&self, spec: &Path, above: &Sources) -> Result<Model, Box<dyn std::error::Error>> {
        let input =
            Input { spec: vec![spec.to_owned()], groups: self.groups.clone(), fixups: None };
        let model = |input: &Input| -> Result<Model, Errors> {
            let Sources { shipped_fixups, runtime, externs, .. } = above.clone();
            pipeline::model(&Sources { shipped_fixups, runtime, externs, ..input.read()? })
        };
        model(&input).map_err(|errors| InputErrors { errors, input }.into())
    }
}
