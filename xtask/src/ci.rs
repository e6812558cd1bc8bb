//! `cargo xtask ci`: every check that a change must pass.

use crate::package::PACKAGES;
use crate::{Failure, cargo, features};
use anstyle::{AnsiColor, Style};
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const SKIPPED: Style = AnsiColor::Yellow.on_default();
const HEAD: Style = Style::new().bold();

/// The checks that run at once: while tests of one wait or use one core, cargo compiles for
/// another.
const LANES: usize = 2;

/// A check.
struct Check {
    /// The command line that runs it alone.
    line: String,
    work: Work,
}

enum Work {
    /// Cargo with these arguments, and with a variable of the environment if one matters.
    Cargo { arguments: Vec<String>, variable: Option<(&'static str, &'static str)> },
    /// Another program, with these arguments.
    Program(String, &'static [&'static str]),
    /// Skipped on this machine, for this reason.
    Skipped(&'static str),
}

impl Check {
    /// Cargo with these arguments, which are separated by spaces.
    fn cargo(arguments: &str) -> Self {
        Self {
            line: format!("cargo {arguments}"),
            work: Work::Cargo {
                arguments: arguments.split(' ').map(str::to_owned).collect(),
                variable: None,
            },
        }
    }

    /// The same with a variable of the environment.
    fn with(self, (name, value): (&'static str, &'static str)) -> Self {
        let Work::Cargo { arguments, .. } = self.work else { return self };
        let quoted = if value.contains(' ') { format!("\"{value}\"") } else { value.to_owned() };
        Self {
            line: format!("{name}={quoted} {}", self.line),
            work: Work::Cargo { arguments, variable: Some((name, value)) },
        }
    }

    /// A feature that must do without the others. The target folder is the one of the crates that
    /// tests compile, which have the same flags.
    fn alone(arguments: &str) -> Self {
        Self::cargo(&format!("check --locked --target-dir target/tmp/target {arguments}"))
            .with(("RUSTFLAGS", "-D warnings"))
    }

    /// The documentation of packages, without warnings.
    fn doc(arguments: &str) -> Self {
        Self::cargo(&format!("doc {arguments}")).with(("RUSTDOCFLAGS", "-D warnings"))
    }

    /// Licenses and duplicates of dependencies. Vulnerabilities are left out, because not every
    /// machine has their database.
    fn deny() -> Self {
        let check = Self::cargo("deny --locked --workspace check licenses bans sources");
        if is_installed("cargo-deny") {
            check
        } else {
            Self { work: Work::Skipped("cargo-deny is not installed"), ..check }
        }
    }

    /// The documentation as a book. A test checks its links, whether or not mdBook is installed.
    fn book(root: &Path) -> Self {
        let own = root.join("target/mdbook/bin/mdbook");
        let program =
            if own.is_file() { own.to_string_lossy().into_owned() } else { "mdbook".to_owned() };
        let work = if is_installed(&program) {
            Work::Program(program, &["build", "docs"])
        } else {
            Work::Skipped("mdbook is not installed")
        };
        Self { line: "mdbook build docs".to_owned(), work }
    }

    /// Runs it. Returns what it printed, too.
    fn run(self, root: &Path) -> (Outcome, Vec<u8>) {
        let start = Instant::now();
        let done = match &self.work {
            Work::Skipped(reason) => Ok((Verdict::Skipped(reason), Vec::new())),
            Work::Program(program, arguments) => {
                let mut command = Command::new(program);
                command.args(*arguments).current_dir(root);
                output(command)
            }
            Work::Cargo { arguments, variable } => {
                let mut command = cargo(root);
                command.args(arguments).envs(*variable);
                output(command)
            }
        };
        // The checks after it run all the same.
        let (verdict, printed) =
            done.unwrap_or_else(|error| (Verdict::Failed, format!("error: {error}\n").into()));
        (Outcome { line: self.line, verdict, time: start.elapsed() }, printed)
    }
}

/// Runs a command to completion. Returns its output and errors, too, in the order in which it
/// printed them.
fn output(mut command: Command) -> io::Result<(Verdict, Vec<u8>)> {
    let (mut reader, writer) = io::pipe()?;
    let child = command.stdout(writer.try_clone()?).stderr(writer).spawn();
    // It holds the other end of the pipe, which would never end.
    drop(command);
    let mut printed = Vec::new();
    reader.read_to_end(&mut printed)?;
    let succeeded = child?.wait()?.success();
    Ok((if succeeded { Verdict::Passed } else { Verdict::Failed }, printed))
}

/// Whether a check passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Passed,
    Failed,
    /// It did not run, for this reason.
    Skipped(&'static str),
}

/// The result of a check.
struct Outcome {
    line: String,
    verdict: Verdict,
    time: Duration,
}

/// Runs every check, also after one that failed. Prints the output of each when it has ended.
/// Returns whether none failed.
///
/// # Errors
/// When a manifest cannot be read, or output fails.
pub fn run(root: &Path, out: &mut dyn Write) -> Result<bool, Failure> {
    let queue = Mutex::new(checks(root)?.into_iter());
    let next = &|| queue.lock().ok().and_then(|mut queue| queue.next());
    let start = Instant::now();
    let (sender, ended) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..LANES {
            let sender = sender.clone();
            scope.spawn(move || {
                while let Some(check) = next()
                    && sender.send(check.run(root)).is_ok()
                {}
            });
        }
        drop(sender);
        let mut outcomes = Vec::new();
        for (outcome, printed) in ended {
            writeln!(out, "\n{HEAD}> {}{HEAD:#}", outcome.line)?;
            out.write_all(&printed)?;
            writeln!(out, "{}", row(&outcome))?;
            outcomes.push(outcome);
        }
        Ok(summary(&outcomes, start.elapsed(), out)?)
    })
}

/// The manifests of other packages that are formatted, with the option for a workspace.
const FORMATTED: [&str; 3] =
    ["tests/consumer/Cargo.toml", "tests/consumer-kube/Cargo.toml --all", "tests/bench/Cargo.toml"];

/// The checks, quick ones first. No step changes a `Cargo.lock`.
fn checks(root: &Path) -> Result<Vec<Check>, Failure> {
    let mut checks = vec![Check::cargo("fmt --all --check")];
    // Workspaces of their own.
    checks.push(Check::cargo(
        "fmt --manifest-path tests/bench-fake/Cargo.toml -p measure -p own -p peer --check",
    ));
    checks.extend(
        FORMATTED.map(|manifest| Check::cargo(&format!("fmt --manifest-path {manifest} --check"))),
    );
    checks.extend([
        Check::cargo("xtask codegen --check"),
        // Also checks our use of the standard library against the oldest Rust.
        Check::cargo("clippy --locked --workspace --all-targets -- -D warnings"),
        // As build scripts use it.
        Check::cargo("clippy --locked -p kapigen --no-default-features -- -D warnings"),
    ]);
    for (package, folder) in
        [("kapigen-runtime", "templates/runtime"), ("openshift-api", "generated")]
    {
        let alone = format!("-p {package} --no-default-features");
        checks.push(Check::cargo(&format!("clippy --locked {alone} -- -D warnings")));
        checks.extend(
            features::names(&root.join(folder))?
                .iter()
                .map(|name| Check::alone(&format!("{alone} --features={name}"))),
        );
    }
    checks.extend(documentation());
    // All of the data and more strings, where a plain run takes samples.
    let tests = "test --locked --workspace --no-fail-fast";
    checks.push(Check::cargo(tests).with(("EVERYTHING", "1")));
    // As the tests are compiled: optimized, it takes longer to compile than to run. Without `-p`,
    // so that dependencies have the features that they have there.
    checks.push(Check::cargo("run --locked --example fuzz -- --seconds 15"));
    // Packages as they would be published: alone, and with the lowest versions of their
    // dependencies.
    checks.push(Check::cargo("xtask release"));
    // Crates of users, in workspaces of their own.
    checks.push(Check::cargo(&format!("test {}", in_own_workspace("tests/consumer"))));
    checks.extend(kube());
    // The comparison with peers.
    checks.push(Check::cargo(&format!(
        "clippy {} --all-targets -- -D warnings",
        in_own_workspace("tests/bench")
    )));
    checks.push(Check::cargo(&format!("test {}", in_own_workspace("tests/bench"))));
    // Our program beside kube-fake-client. The peer's is compiled when it is measured.
    checks.push(Check::cargo(&format!(
        "check {} -p own --examples",
        in_own_workspace("tests/bench-fake")
    )));
    checks.push(Check::book(root));
    checks.push(Check::deny());
    Ok(checks)
}

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|out| out.status.success())
}

/// The documentation of the packages as docs.rs builds it, and of those with features as it is when
/// a program enables none.
fn documentation() -> impl Iterator<Item = Check> {
    let packages = PACKAGES.map(|name| format!(" -p {name}")).concat();
    let all = Check::doc(&format!("--locked{packages} --no-deps --all-features"));
    let plain = ["kapigen-client", "kapigen-fake", "kapigen-runtime"]
        .map(|name| Check::doc(&format!("--locked -p {name} --no-deps --no-default-features")));
    // The front page links to the modules of its default features.
    let openshift = Check::doc("--locked -p openshift-api --no-deps");
    [all, openshift].into_iter().chain(plain)
}

/// The arguments for a package in a workspace of its own. It shares the target folder of this one,
/// so that common dependencies are compiled once.
fn in_own_workspace(folder: &str) -> String {
    format!("--locked --target-dir target --manifest-path {folder}/Cargo.toml")
}

/// The checks of kapigen-kube, and of packages that need kube, which are in the same workspace.
fn kube() -> Vec<Check> {
    let own = in_own_workspace("tests/consumer-kube");
    let workspace = format!("{own} --workspace");
    let connect = format!("test {own} -p kapigen-connect");
    let mut checks = vec![
        Check::cargo(&format!("clippy {workspace} --all-features --all-targets -- -D warnings")),
        // Apart, and the library alone, so that dependencies have the features that they have in
        // other checks.
        Check::doc(&format!("{own} -p kapigen-connect --lib --all-features --no-deps")),
        Check::doc(&format!(
            "{own} -p kapigen-kube --lib --all-features --features k8s-openapi/latest --no-deps"
        )),
        // kube's client takes the only provider of cryptography in a program, and these have one.
        Check::cargo(&format!(
            "test {workspace} --exclude kapigen-connect --all-features --no-fail-fast"
        )),
        Check::cargo(&format!("{connect} --all-features --no-fail-fast")),
        // The error of a program that has no provider of cryptography.
        Check::cargo(&format!("{connect} --no-default-features --test reached without_a_provider")),
    ];
    // Each feature of kapigen-kube alone.
    let alone = [
        " --features kapigen-kube/dynamic",
        " --features kapigen-kube/runtime",
        " --features kapigen-kube/ws",
    ];
    checks.extend(alone.map(|feature| {
        Check::cargo(&format!("clippy {workspace} --lib --examples{feature} -- -D warnings"))
    }));
    // None, and all but `dynamic`, without the ones that examples and tests enable in the runtime
    // and in kube: the features of kapigen-kube enable those of kube that they need.
    let bare = format!("clippy {own} -p kapigen-kube --lib");
    checks.extend(["", ",runtime,ws"].map(|features| {
        Check::cargo(&format!("{bare} --features k8s-openapi/latest{features} -- -D warnings"))
    }));
    checks
}

fn row(outcome: &Outcome) -> String {
    let (style, word, reason) = match outcome.verdict {
        Verdict::Passed => (GOOD, "passed", String::new()),
        Verdict::Failed => (BAD, "FAILED", String::new()),
        Verdict::Skipped(reason) => (SKIPPED, "skipped", format!(": {reason}")),
    };
    format!(
        "{style}{word:<7}{style:#} {:>6.1} s  {}{reason}",
        outcome.time.as_secs_f64(),
        outcome.line
    )
}

fn summary(outcomes: &[Outcome], total: Duration, out: &mut dyn Write) -> io::Result<bool> {
    writeln!(out, "\n{HEAD}All checks{HEAD:#}")?;
    for outcome in outcomes {
        writeln!(out, "{}", row(outcome))?;
    }
    let verdicts = outcomes.iter().map(|outcome| outcome.verdict);
    let passed = verdicts.clone().filter(|verdict| *verdict == Verdict::Passed).count();
    let failed = verdicts.filter(|verdict| *verdict == Verdict::Failed).count();
    let skipped = outcomes.len() - passed - failed;
    let seconds = total.as_secs_f64();
    writeln!(
        out,
        "{passed} of {} passed, {failed} failed, {skipped} skipped in {seconds:.0} s",
        outcomes.len()
    )?;
    Ok(failed == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summarized(verdicts: &[Verdict]) -> (bool, String) {
        let outcome = |verdict: &Verdict| Outcome {
            line: "cargo x".to_owned(),
            verdict: *verdict,
            time: Duration::ZERO,
        };
        let mut out = Vec::new();
        let good =
            summary(&verdicts.iter().map(outcome).collect::<Vec<_>>(), Duration::ZERO, &mut out)
                .unwrap();
        (good, anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string())
    }

    #[test]
    fn a_skipped_check_is_no_passed_one() {
        let (good, text) = summarized(&[Verdict::Passed, Verdict::Skipped("it is not installed")]);
        assert!(
            good && text.contains("skipped    0.0 s  cargo x: it is not installed\n"),
            "{text}"
        );
        assert!(text.ends_with("\n1 of 2 passed, 0 failed, 1 skipped in 0 s\n"), "{text}");
        let (good, text) = summarized(&[Verdict::Passed, Verdict::Failed]);
        assert!(!good && text.ends_with("\n1 of 2 passed, 1 failed, 0 skipped in 0 s\n"), "{text}");
    }

    #[test]
    fn every_check_that_resolves_dependencies_is_locked() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let lines: Vec<String> =
            checks(root).unwrap().into_iter().map(|check| check.line).collect();
        // The chores lock their own commands, except where packages get lower versions than the
        // locked ones.
        let free = |line: &&String| {
            !line.contains("cargo ")
                || line.starts_with("cargo fmt ")
                || line.starts_with("cargo xtask ")
        };
        let unlocked: Vec<_> =
            lines.iter().filter(|line| !free(line) && !line.contains(" --locked ")).collect();
        assert!(unlocked.is_empty() && lines.len() > 12, "{unlocked:?}");
    }
}
