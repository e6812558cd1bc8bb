//! The duration of a run, stage by stage.

use std::fmt;
use std::time::{Duration, Instant};

/// The stages of a run and their durations.
#[derive(Clone, Debug)]
pub(super) struct Timings {
    last: Instant,
    stages: Vec<(&'static str, Duration)>,
}

impl Timings {
    /// Begins the first stage.
    pub(super) fn start() -> Self {
        Self { last: Instant::now(), stages: Vec::new() }
    }

    /// Ends a stage and begins the next one.
    pub(super) fn lap(&mut self, stage: &'static str) {
        let now = Instant::now();
        self.stages.push((stage, now - self.last));
        self.last = now;
    }
}

impl fmt::Display for Timings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (stage, time) in &self.stages {
            writeln!(f, "{:>9.1} ms  {stage}", time.as_secs_f64() * 1000.0)?;
        }
        let total: Duration = self.stages.iter().map(|(_, time)| *time).sum();
        write!(f, "{:>9.1} ms  in all", total.as_secs_f64() * 1000.0)
    }
}
