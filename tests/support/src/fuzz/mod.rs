//! Changes bodies at random and checks that all ways to decode and encode agree on them.
//!
//! `seeds` has the initial bodies, `spots` finds their parts, `change` changes them, and `shrink`
//! reduces the ones that differ.

mod change;
mod seeds;
mod shrink;
mod spots;

use crate::agreement::{Check, EXCEPTIONS};
use crate::random::Random;
use seeds::{Seed, Seeds};
use std::fmt;
use std::panic::catch_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Limits and seed of a run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Each one gives other changes; the same one gives the same.
    pub seed: u64,
    /// The largest number of changed bodies to check.
    pub cases: Option<u64>,
    /// The longest time to check.
    pub time: Option<Duration>,
    /// The number of threads. The cases are the same with any number of them.
    pub threads: usize,
}

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The number of seeds.
    pub seeds: usize,
    /// The number of changed bodies that were checked.
    pub cases: u64,
    /// The number of changed bodies that were values.
    pub values: u64,
    /// The time that it took.
    pub time: Duration,
    /// The differences, without the allowed ones.
    pub differences: Vec<Difference>,
}

/// A body that is decoded or encoded in different ways.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// The schema of the type that it was read as.
    pub schema: &'static str,
    /// A small body that still differs. Not always in the same way as the one that was found.
    pub text: Vec<u8>,
    /// The difference.
    pub message: String,
    /// The number of the case.
    pub case: u64,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(&self.text);
        write!(f, "{} (case {}): {text:?}\n{}", self.schema, self.case, self.message)
    }
}

/// More than these are not collected: they likely have the same cause.
const MOST_DIFFERENCES: usize = 50;
/// The number of cases that a thread takes at once.
const BLOCK: u64 = 512;

/// Runs until there were enough cases, the time is over, or there are too many differences.
///
/// # Panics
/// When a fixture is not JSON.
#[must_use]
pub fn run(options: &Options) -> Report {
    let start = Instant::now();
    let seeds = Seeds::read();
    let next = AtomicU64::new(0);
    let report = Mutex::new(Report { seeds: seeds.count(), ..Report::default() });
    let work = || {
        let begin = Instant::now();
        while options.time.is_none_or(|time| begin.elapsed() < time) {
            let first = next.fetch_add(BLOCK, Ordering::Relaxed);
            let end = options.cases.map_or(first + BLOCK, |cases| cases.min(first + BLOCK));
            if first >= end {
                break;
            }
            let found = block(options.seed, first..end, &seeds);
            let mut report = report.lock().expect("no thread panics");
            report.cases += found.cases;
            report.values += found.values;
            report.differences.extend(found.differences);
            if report.differences.len() >= MOST_DIFFERENCES {
                break;
            }
        }
    };
    thread::scope(|scope| (0..options.threads.max(1)).for_each(|_| drop(scope.spawn(work))));
    let mut report = report.into_inner().expect("no thread panics");
    report.differences.sort();
    report.differences.dedup_by(|a, b| (a.schema, &a.text) == (b.schema, &b.text));
    Report { time: start.elapsed(), ..report }
}

fn block(seed: u64, cases: std::ops::Range<u64>, seeds: &Seeds) -> Report {
    let mut report = Report::default();
    for case in cases {
        let mut random = Random::new(seed ^ case.wrapping_mul(0xd6e8_feb8_6659_fd93));
        let seed = seeds.choose(&mut random);
        let text = change::changed(seed, &mut random);
        let cut = random.number();
        report.cases += 1;
        match checked(seed.check, &text, cut) {
            Ok(is_value) => report.values += u64::from(is_value),
            Err(_) => report.differences.push(small(seed, &text, cut, case)),
        }
    }
    report
}

fn small(seed: &Seed, text: &[u8], cut: u64, case: u64) -> Difference {
    let text = shrink::shrunk(text, |text| checked(seed.check, text, cut).is_err());
    let message = checked(seed.check, &text, cut).err().unwrap_or_default();
    Difference { schema: seed.schema, text, message, case }
}

/// As the check, but a panic is a difference, and a permitted difference is none.
///
/// # Errors
/// The difference.
pub fn checked(check: Check, text: &[u8], cut: u64) -> Result<bool, String> {
    let panicked = |_| Err("it panics".to_owned());
    let result = catch_unwind(|| check(text, cut)).unwrap_or_else(panicked);
    result.or_else(|difference| {
        let is_excused = EXCEPTIONS.iter().any(|exception| exception.excuses(text, &difference));
        if is_excused { Ok(false) } else { Err(difference) }
    })
}
