//! `cargo xtask`: the chores of this repository.

use clap::{Parser, Subcommand};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xtask::release::Action;
use xtask::{Failure, data};

/// The chores of this repository.
#[derive(Debug, Parser)]
#[command(
    bin_name = "cargo xtask",
    after_help = "Exit codes: 0 success, 1 something differs or a check failed, 2 the input is \
                  invalid or the disk failed."
)]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
    /// The root of the repository, if not the one that this program was built in.
    #[arg(long, global = true, hide = true, value_name = "FOLDER")]
    root: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Writes all generated files: generated/src, the shared types and parameters of the runtime,
    /// the shared parts of documents of definitions, the page docs/groups-and-fixups.md, and lists
    /// for the tests.
    Codegen {
        /// Write nothing: show the differences, and exit with 1 if there are any.
        #[arg(long)]
        check: bool,
    },
    /// Runs every check that a change must pass.
    Ci,
    /// Makes the packages that are published, and compiles each from its own files alone, with the
    /// lowest versions that its requirements allow.
    Package {
        /// Compiles kapigen-kube alone, which is left out otherwise.
        #[arg(long)]
        kube: bool,
    },
    /// Checks the packages as a release of them: makes and compiles them, and reports the steps
    /// that are left before it.
    Release {
        /// The tag of the release, such as `v0.1.0`: it must match the version, and no step may be
        /// left.
        #[arg(long, value_name = "TAG")]
        tag: Option<String>,
        /// Print the changes of this version instead.
        #[arg(long)]
        notes: bool,
    },
    /// The data that tests read, in tests/data.
    #[command(subcommand)]
    Data(data::Action),
    /// Prints a program that uses the whole interface of a generated crate: it compiles against a
    /// newer crate that holds the interface.
    Witness {
        /// The folder of the crate.
        folder: PathBuf,
    },
    /// Compares speed, memory and compile times with other crates: see `cargo xtask bench --help`.
    #[command(disable_help_flag = true)]
    Bench {
        /// Arguments of the program in tests/bench.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Compares the runtime's JSON with `serde_json`, for random input: see
    /// `cargo xtask fuzz --help`.
    #[command(disable_help_flag = true)]
    Fuzz {
        /// Arguments of the program in tests/support/examples/fuzz.rs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

/// The folder above this package.
fn own_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("this package has a folder of its own")
        .to_owned()
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let root = arguments.root.unwrap_or_else(own_root);
    let mut out = anstream::stdout();
    let done = match arguments.chore {
        Chore::Codegen { check } => xtask::codegen::run(&root, check).and_then(|report| {
            write!(out, "{report}").map(|()| report.is_clean()).map_err(Failure::from)
        }),
        Chore::Data(action) => data::run(&action, &mut out),
        Chore::Ci => xtask::ci::run(&root, &mut out),
        Chore::Package { kube } => xtask::package::run(&root, kube),
        Chore::Release { tag, notes } => {
            let action = if notes { Action::Notes } else { Action::Check };
            xtask::release::run(&root, action, tag.as_deref(), &mut out)
        }
        Chore::Witness { folder } => xtask::witness::run(&folder, &mut out).map(|()| true),
        Chore::Bench { arguments } => xtask::programs::bench(&root, &arguments),
        Chore::Fuzz { arguments } => xtask::programs::fuzz(&root, &arguments),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(failure) => {
            anstream::eprintln!("{failure}");
            ExitCode::from(2)
        }
    }
}
