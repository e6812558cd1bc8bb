//! The arguments of the command.

use super::diff::{self, DiffArguments};
use super::pull::{self, PullArguments};
use crate::build::Build;
use crate::input::crates::RuntimeChoice;
use crate::input::origin::Origin;
use crate::input::package::Sibling;
use crate::input::{Holding, Input};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;

/// Generates typed Rust crates from custom resource definitions (CRDs) and OpenAPI 3.0 documents of
/// Kubernetes-style APIs.
#[derive(Debug, Parser)]
#[command(name = "kapigen", version, after_help = EXIT_CODES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  all is well
  1  `check` found a difference, or `diff` a change that breaks programs, clients or stored objects
  2  the input is wrong, a file cannot be read or written, or the command line is not understood";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Fetches the OpenAPI documents of a cluster through kubectl, or its custom resource
    /// definitions.
    ///
    /// Fetches what has changed since the last run, and removes documents that the server no longer
    /// has or `--groups` no longer selects. If kapigen did not write a file, or it was changed
    /// since, that is an error, and nothing is written.
    #[command(after_long_help = pull::EXAMPLES)]
    Pull(PullArguments),
    /// Prints a `groups.yaml` that selects everything that the documents offer, for you to trim.
    #[command(after_long_help = INIT)]
    Init {
        /// An OpenAPI document or a manifest of custom resource definitions, `-` for standard
        /// input, or a folder of both. Can be given several times.
        #[arg(long, short, value_name = "DIR_OR_FILE", required = true)]
        spec: Vec<PathBuf>,
    },
    /// Lists the operations and types that are selected, and writes nothing.
    #[command(after_long_help = LIST)]
    List {
        #[command(flatten)]
        input: InputArguments,
        /// The output format.
        #[arg(long, short, value_enum, default_value_t)]
        format: Format,
    },
    /// Generates a Rust crate from OpenAPI documents or custom resource definitions.
    ///
    /// Files that are up to date are not touched, and files of an earlier run that are no longer
    /// made are removed. Nothing is written if the input has an error, or if a file that kapigen
    /// did not write is in the way.
    #[command(after_long_help = GENERATE)]
    Generate {
        #[command(flatten)]
        input: InputArguments,
        #[command(flatten)]
        output: OutputArguments,
        /// Also replace and remove files of an earlier run that were changed since, for example by
        /// a merge.
        #[arg(long)]
        overwrite: bool,
        #[command(flatten)]
        print: PrintArguments,
    },
    /// Checks that a crate is up to date: shows how its files differ from what `generate` would
    /// write. Long lists of new files are summarized.
    ///
    /// Writes nothing. Takes the arguments of `generate` for input and crate, and exits with 1 if
    /// there is any difference.
    #[command(after_long_help = CHECK)]
    Check {
        #[command(flatten)]
        input: InputArguments,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// Compares two sets of documents: reports the changes in Rust, and which of them break
    /// programs.
    ///
    /// For custom resource definitions (CRDs) it also reports the changes that break clients and
    /// stored objects: versions that are no longer served or stored, narrower schemas, removed
    /// fields, new rules.
    ///
    /// Writes nothing. Exits with 1 if a change breaks programs, clients or stored objects:
    /// programs may no longer compile, or requests that were valid may be refused.
    #[command(after_long_help = diff::EXAMPLES)]
    Diff(DiffArguments),
    /// Prints a script that completes the arguments of this command in a shell.
    #[command(after_long_help = COMPLETIONS)]
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Prints the manual page of this command, or of one of its subcommands.
    #[command(after_long_help = MAN)]
    Man {
        /// The subcommand.
        #[arg(value_name = "COMMAND")]
        of: Option<String>,
    },
}

const COMPLETIONS: &str = "\
Example: for bash, until the shell ends
  source <(kapigen completions bash)";

const MAN: &str = "\
Examples: read a page; install it, for `man kapigen-generate`
  kapigen man generate | man -l -
  mkdir -p ~/.local/share/man/man1
  kapigen man generate > ~/.local/share/man/man1/kapigen-generate.1";

const GENERATE: &str = "\
Examples:
  Everything that a cluster has in the group `apps`
    kapigen pull --groups apps --out spec
    kapigen generate --spec spec --out my-api
  Some of its resources: write a selection, and remove from it what is not needed
    kapigen init --spec spec > groups.yaml
    kapigen generate --spec spec --groups groups.yaml --out my-api
  The same, with copies of kapigen-client and kapigen-fake
    kapigen generate --spec spec --out my-api --vendor client,fake";

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

#[derive(Args, Clone, Debug)]
pub(super) struct InputArguments {
    /// An OpenAPI document or a manifest of custom resource definitions, `-` for standard input, or
    /// a folder: all of its .yaml, .yml and .json files are read. Can be given several times.
    #[arg(long, short, value_name = "DIR_OR_FILE", required = true)]
    spec: Vec<PathBuf>,
    /// A file that selects groups and resources [default: groups.yaml in the folder of --spec, or
    /// else everything].
    #[arg(long, short, value_name = "FILE")]
    groups: Option<PathBuf>,
    /// Corrections of the documents [default: fixups.yaml in the folder of --spec, or else none].
    #[arg(long, value_name = "FILE")]
    fixups: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct PrintArguments {
    /// Print only errors.
    #[arg(long, short, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// List all files that changed, and all corrections of documents.
    #[arg(long, short)]
    pub(super) verbose: bool,
    /// Print how long each stage took.
    #[arg(long)]
    pub(super) timings: bool,
}

#[derive(Args, Debug)]
pub(super) struct OutputArguments {
    /// The folder of the crate, which must not be among the documents.
    #[arg(long, short, value_name = "DIR")]
    pub(super) out: PathBuf,
    /// The name of a new crate [default: the name of its folder].
    #[arg(long, value_name = "NAME")]
    pub(super) crate_name: Option<String>,
    /// The version of a new crate [default: 0.1.0].
    #[arg(long, value_name = "VERSION")]
    pub(super) crate_version: Option<String>,
    /// The license of a new crate, as an SPDX expression such as `Apache-2.0` [default: none].
    #[arg(long, value_name = "LICENSE")]
    pub(super) license: Option<String>,
    /// Write only the files below `src`, for a crate with a hand-written Cargo.toml. Other files of
    /// an earlier run stay.
    #[arg(long, conflicts_with_all = ["crate_name", "crate_version", "license", "vendor"])]
    pub(super) sources_only: bool,
    /// Where the crate gets its runtime: `vendored` (a copy in its folder), a version, or the
    /// folder of a runtime [default: the runtime of the last run or of the crates given by
    /// --extern; or else the one of this kapigen: by revision if Cargo fetched it, by path if it is
    /// in the same repository or workspace, or vendored].
    #[arg(long, value_name = "vendored|VERSION|DIR")]
    pub(super) runtime: Option<RuntimeChoice>,
    /// The folder of another generated crate, beside those of the last run. Its types are used
    /// instead of being emitted again. Can be given several times.
    #[arg(long = "extern", value_name = "DIR")]
    pub(super) externs: Vec<PathBuf>,
    /// Leave out the parts that only definitions of custom resources provide: the feature with
    /// their text, and deprecations. The crate is then the same as one generated from the documents
    /// that a server publishes for them.
    #[arg(long)]
    pub(super) no_definitions: bool,
    #[command(flatten)]
    interface: InterfaceArguments,
    /// Treat notes as errors: choices that the input leaves to kapigen, and values that it keeps as
    /// free JSON.
    #[arg(long)]
    pub(super) strict: bool,
    /// Other crates to copy into the folder, with the same runtime: kapigen-client, the same with
    /// its feature `manifest`, kapigen-fake, kapigen-kube [default: the copies of the last run].
    #[arg(long, value_name = "CRATES", value_delimiter = ',', value_parser = siblings())]
    pub(super) vendor: Vec<Sibling>,
}

#[derive(Args, Debug)]
struct InterfaceArguments {
    /// Do not keep the API of the existing crate: generate it as if it were new. This may break
    /// programs that use it.
    #[arg(long, conflicts_with_all = ["accept", "accept_all", "keep", "drop"])]
    follow: bool,
    /// Accept the new form of a type, a field or a function, such as `core_v1::Pod.spec`. Can be
    /// given several times.
    #[arg(long, value_name = "NAME")]
    accept: Vec<String>,
    /// Accept the new form of everything that cannot be kept.
    #[arg(long)]
    accept_all: bool,
    /// Keep a group and version of the crate that no document has, such as `apps/v1beta1`. Can be
    /// given several times.
    #[arg(long, value_name = "GROUP/VERSION")]
    keep: Vec<String>,
    /// Remove a group and version of the crate that no document has. Can be given several times.
    #[arg(long, value_name = "GROUP/VERSION")]
    drop: Vec<String>,
}

fn siblings() -> impl TypedValueParser<Value = Sibling> {
    PossibleValuesParser::new(Sibling::ALL.map(Sibling::name)).try_map(|name| {
        let found = Sibling::ALL.into_iter().find(|sibling| sibling.name() == name);
        found.ok_or("no such crate")
    })
}

impl Command {
    /// The input with the documents that errors refer to.
    pub(super) fn input(&self) -> Option<Input> {
        match self {
            Self::Generate { input, .. } | Self::Check { input, .. } | Self::List { input, .. } => {
                Some(input.clone().into())
            }
            Self::Init { spec } => Some(Input { spec: spec.clone(), ..Input::default() }),
            Self::Pull(_) | Self::Diff(_) | Self::Completions { .. } | Self::Man { .. } => None,
        }
    }

    /// Whether it writes files.
    pub(super) fn writes(&self) -> bool {
        matches!(self, Self::Generate { .. } | Self::Pull(_))
    }
}

impl OutputArguments {
    /// The crate that is generated.
    pub(super) fn build(&self, input: Input) -> Build {
        Build {
            input,
            out: self.out.clone(),
            crate_name: self.crate_name.clone(),
            crate_version: self.crate_version.clone(),
            license: self.license.clone(),
            sources_only: self.sources_only,
            runtime: self.runtime.clone(),
            externs: self.externs.clone(),
            vendor: self.vendor.iter().copied().collect(),
            strict: self.strict,
            without_definitions: self.no_definitions,
            interface: (!self.interface.follow).then(|| self.out.clone()),
            holding: self.interface.holding(),
            origin: Origin::of_this_build(),
        }
    }
}

impl InterfaceArguments {
    fn holding(&self) -> Holding {
        Holding {
            accept: self.accept.iter().cloned().collect(),
            accept_all: self.accept_all,
            keep: self.keep.iter().cloned().collect(),
            drop: self.drop.iter().cloned().collect(),
        }
    }
}

impl From<InputArguments> for Input {
    fn from(InputArguments { spec, groups, fixups }: InputArguments) -> Self {
        Self { spec, groups, fixups }
    }
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(super) enum Format {
    /// A table of operations.
    #[default]
    Text,
    /// Everything, with parameters.
    Json,
}
