//! `cargo xtask fuzz`: changes texts at random for as long as one likes, and checks that all ways
//! to read and write them agree.

use clap::Parser;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::Duration;
use test_support::fuzz::{self, Options, Report};

/// Holds the JSON reader, writer and streams of the templates against `serde_json`, with random
/// texts, and both ends of WebSockets against themselves, with random cuts.
#[derive(Debug, Parser)]
#[command(
    bin_name = "cargo xtask fuzz",
    after_help = "Exit codes: 0 all ways agree, 1 there was a difference."
)]
struct Arguments {
    /// The same seed gives the same texts.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop after this time.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Stop after as many texts, whatever time it takes.
    #[arg(long, conflicts_with = "seconds")]
    cases: Option<u64>,
    /// As many as there are processors, if not given.
    #[arg(long)]
    threads: Option<usize>,
}

fn main() -> ExitCode {
    let Arguments { seed, seconds, cases, threads } = Arguments::parse();
    let time = cases.is_none().then(|| Duration::from_secs(seconds));
    let threads = threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from));
    let report = fuzz::run(&Options { seed, cases, time, threads });
    println!("{}", summary(&report, seed));
    if report.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn summary(report: &Report, seed: u64) -> String {
    let Report { seeds, cases, values, time, differences } = report;
    let seconds = time.as_secs_f64();
    let count = differences.len();
    let rate = *cases as f64 / seconds;
    let summary = format!(
        "seed {seed}: {cases} changes of {seeds} texts in {seconds:.0} s, {rate:.0} a second; \
         {values} were values, {count} differ"
    );
    differences.iter().map(ToString::to_string).chain([summary]).collect::<Vec<_>>().join("\n\n")
}
