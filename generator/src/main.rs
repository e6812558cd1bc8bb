//! The command `kapigen`.

use std::process::ExitCode;

fn main() -> ExitCode {
    kapigen::cli::run()
}
