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
    let (old_sources, old) = arguments.model(&arguments.old, &above)?;
    let (new_sources, new) = arguments.model(&arguments.new, &above)?;
    let mut changes = diff::diff(&old.api, &new.api);
    if changes.iter().any(diff::Change::is_breaking) {
        let over = pipeline::held(&old_sources, &new_sources, &new.api);
        let over = over.map_err(|errors| arguments.invalid(&arguments.new, errors))?;
        diff::state_held(&mut changes, &old.api, &over.api);
    }
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
    Some(definitions::changes(&old.definitions, &new.definitions, &|group, plural| {
        [old, new].iter().any(|model| model.api.has_resource(group, plural))
    }))
}

/// The report about Rust, and the one about definitions if there is one.
fn in_parts(rust: String, definitions: Option<String>) -> String {
    definitions.into_iter().fold(rust, |text, part| text + "\n" + &part)
}

impl DiffArguments {
    /// These documents over the crates of `above`, and their model.
    fn model(
        &self,
        spec: &Path,
        above: &Sources,
    ) -> Result<(Sources, Model), Box<dyn std::error::Error>> {
        let Sources { shipped_fixups, runtime, externs, .. } = above.clone();
        let model = self.input(spec).read().and_then(|own| {
            let sources = Sources { shipped_fixups, runtime, externs, ..own };
            let model = pipeline::model(&sources)?;
            Ok((sources, model))
        });
        model.map_err(|errors| self.invalid(spec, errors).into())
    }

    fn input(&self, spec: &Path) -> Input {
        Input { spec: vec![spec.to_owned()], groups: self.groups.clone(), fixups: None }
    }

    fn invalid(&self, spec: &Path, errors: Errors) -> InputErrors {
        InputErrors { errors, input: self.input(spec) }
    }
}
