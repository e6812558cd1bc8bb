//! Logs of containers.

use kapigen_runtime::jiff::Timestamp;
use std::collections::BTreeMap;

/// The container of a log: namespace, pod and name.
pub(crate) type Container = (String, String, String);

/// The logs that tests write.
#[derive(Clone, Debug, Default)]
pub(crate) struct Logs {
    /// Counts changes.
    version: u64,
    logs: BTreeMap<Container, Log>,
}

/// The log of a container.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    /// The number of lines before the first one, which were replaced.
    replaced: usize,
    lines: Vec<Line>,
}

/// A line with its line break, and the time at which it was written.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) time: Timestamp,
    pub(crate) text: Vec<u8>,
}

impl Logs {
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    pub(crate) fn get(&self, container: &Container) -> Option<&Log> {
        self.logs.get(container)
    }

    /// Removes all lines of a log.
    pub(crate) fn clear(&mut self, container: &Container) {
        self.version += 1;
        if let Some(log) = self.logs.get_mut(container) {
            log.replaced += log.lines.len();
            log.lines.clear();
        }
    }

    /// Adds lines to a log.
    pub(crate) fn append(&mut self, container: Container, text: &[u8], time: Timestamp) {
        self.version += 1;
        let log = self.logs.entry(container).or_default();
        let lines = text.split_inclusive(|byte| *byte == b'\n');
        log.lines.extend(lines.map(|line| Line { time, text: line.to_vec() }));
    }
}

impl Log {
    /// The number of lines that were ever written.
    pub(crate) fn end(&self) -> usize {
        self.replaced + self.lines.len()
    }

    /// The lines from an index on, which counts all lines that were ever written.
    pub(crate) fn from(&self, index: usize) -> &[Line] {
        self.lines.get(index.saturating_sub(self.replaced)..).unwrap_or_default()
    }
}
