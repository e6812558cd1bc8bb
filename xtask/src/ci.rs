//! `cargo xtask ci`: every check that a change must pass.

use crate::{Failure, codegen, features, fuzz};
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const HEAD: Style = Style::new().bold();

/// A check.
struct Check {
    /// What follows `cargo`.
    arguments: Vec<String>,
    /// `RUSTDOCFLAGS`, if they matter.
    rustdocflags: Option<&'static str>,
}

impl Check {
    fn new(arguments: &str) -> Self {
        Self { arguments: arguments.split(' ').map(str::to_owned).collect(), rustdocflags: None }
    }

    fn rustdocflags(self, flags: &'static str) -> Self {
        Self { rustdocflags: Some(flags), ..self }
    }

    /// As one would type it.
    fn line(&self) -> String {
        let variable = self.rustdocflags.map(|flags| format!("RUSTDOCFLAGS=\"{flags}\" ")).unwrap_or_default();
        format!("{variable}cargo {}", self.arguments.join(" "))
    }

    fn run(&self, root: &Path, out: &mut dyn Write) -> io::Result<bool> {
        if self.arguments.starts_with(&["xtask".to_owned(), "codegen".to_owned()]) {
            return codegen::run(root, true, out).or_else(|failure| writeln!(out, "{failure}").map(|()| false));
        }
        if let [xtask, chore, arguments @ ..] = self.arguments.as_slice()
            && (xtask, chore) == (&"xtask".to_owned(), &"fuzz".to_owned())
        {
            return fuzz::run(root, arguments).or_else(|failure| writeln!(out, "{failure}").map(|()| false));
        }
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(&self.arguments).current_dir(root);
        if let Some(flags) = self.rustdocflags {
            command.env("RUSTDOCFLAGS", flags);
        }
        Ok(command.status()?.success())
    }
}

/// What came of a check.
struct Outcome {
    line: String,
    passed: bool,
    time: Duration,
}

/// Runs every check, also after one that failed. True: all passed.
///
/// # Errors
/// When cargo cannot be started, or nothing can be printed.
pub fn run(root: &Path, out: &mut dyn Write) -> Result<bool, Failure> {
    let mut outcomes = Vec::new();
    for check in checks(root)? {
        let line = check.line();
        writeln!(out, "\n{HEAD}> {line}{HEAD:#}")?;
        out.flush()?;
        let start = Instant::now();
        let passed = check.run(root, out)?;
        let outcome = Outcome { line, passed, time: start.elapsed() };
        writeln!(out, "{}", verdict(&outcome))?;
        outcomes.push(outcome);
    }
    Ok(summary(&outcomes, out)?)
}

/// The checks, quick ones first.
fn checks(root: &Path) -> Result<Vec<Check>, Failure> {
    let mut checks = vec![
        Check::new("fmt --all --check"),
        Check::new("fmt --manifest-path tests/consumer/Cargo.toml --check"),
        Check::new("fmt --manifest-path tests/consumer-kube/Cargo.toml --check"),
        Check::new("fmt --manifest-path tests/bench/Cargo.toml --check"),
        Check::new("xtask codegen --check"),
        Check::new("clippy --workspace --all-targets -- -D warnings"),
    ];
    // Each feature must do without the others.
    let alone =
        |feature: &str| format!("clippy -p openshift-api --no-default-features --features={feature} -- -D warnings");
    checks.push(Check::new("clippy -p openshift-api --no-default-features -- -D warnings"));
    checks.extend(features::names(&root.join("generated"))?.iter().map(|feature| Check::new(&alone(feature))));
    checks.push(Check::new("doc --workspace --no-deps --all-features").rustdocflags("-D warnings"));
    checks.push(Check::new("test --workspace"));
    checks.push(Check::new("xtask fuzz --seconds 60"));
    // Crates of users, each a workspace of its own.
    checks.push(Check::new("test --manifest-path tests/consumer/Cargo.toml"));
    checks.push(Check::new("check --manifest-path tests/consumer-kube/Cargo.toml"));
    checks.push(Check::new("clippy --manifest-path tests/bench/Cargo.toml -- -D warnings"));
    checks.push(Check::new("test --manifest-path tests/bench/Cargo.toml"));
    // Licenses and duplicates of what we depend on. Needs a program of its own; known faults are looked up in a database
    // that is not on every machine, so not here.
    let deny = Command::new("cargo-deny").arg("--version").output().is_ok_and(|output| output.status.success());
    checks.extend(deny.then(|| Check::new("deny --workspace check licenses bans sources")));
    Ok(checks)
}

fn verdict(outcome: &Outcome) -> String {
    let (style, word) = if outcome.passed { (GOOD, "passed") } else { (BAD, "FAILED") };
    format!("{style}{word}{style:#} {:>6.1} s  {}", outcome.time.as_secs_f64(), outcome.line)
}

fn summary(outcomes: &[Outcome], out: &mut dyn Write) -> io::Result<bool> {
    writeln!(out, "\n{HEAD}All checks{HEAD:#}")?;
    for outcome in outcomes {
        writeln!(out, "{}", verdict(outcome))?;
    }
    let failed = outcomes.iter().filter(|outcome| !outcome.passed).count();
    let total: Duration = outcomes.iter().map(|outcome| outcome.time).sum();
    writeln!(out, "{} of {} passed in {:.0} s", outcomes.len() - failed, outcomes.len(), total.as_secs_f64())?;
    Ok(failed == 0)
}
