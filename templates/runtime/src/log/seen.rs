//! The lines of a log that were reported and may be sent again.

use super::Line;
use jiff::Timestamp;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// The most lines that are remembered, so that a log cannot fill the memory. Lines beyond are reported again after an
/// interruption, since to repeat a line is better than to lose one.
const MOST_LINES: usize = 50_000;

/// The lines of the newest second, by their hashes. A log is read again from a whole second on: kubelets ignore
/// fractions of a second.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The newest second, since 1970.
    second: Option<i64>,
    /// The number of times that each line was reported in it.
    lines: HashMap<u64, u32>,
    /// The number of repetitions of each line that are still expected, after an interruption.
    again: HashMap<u64, u32>,
    hasher: RandomState,
}

impl Seen {
    /// The time from which to read again. Empty before the first line.
    pub(super) fn resume(&mut self) -> Option<String> {
        let second = Timestamp::from_second(self.second?).ok()?;
        self.again.clone_from(&self.lines);
        Some(second.to_string())
    }

    /// Records a line. Returns it unless it was reported before.
    pub(super) fn line(&mut self, line: &[u8]) -> Option<Line> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let Some((time, text)) = split(line) else { return Some(Line { time: None, text: line.to_vec() }) };
        let second = time.as_second();
        match self.second {
            Some(newest) if second < newest && !self.again.is_empty() => return None,
            Some(newest) if second < newest => {}
            Some(newest) if second == newest => {
                let hash = self.hasher.hash_one(line);
                if let Some(count) = self.again.get_mut(&hash).filter(|count| **count > 0) {
                    *count -= 1;
                    return None;
                }
                self.remember(hash);
            }
            _ => {
                self.second = Some(second);
                self.again.clear();
                self.lines.clear();
                self.remember(self.hasher.hash_one(line));
            }
        }
        Some(Line { time: Some(time), text: text.to_vec() })
    }

    fn remember(&mut self, hash: u64) {
        if self.lines.len() < MOST_LINES || self.lines.contains_key(&hash) {
            let count = self.lines.entry(hash).or_default();
            *count = count.saturating_add(1);
        }
    }
}

/// The time stamp before a line, and the line.
fn split(line: &[u8]) -> Option<(Timestamp, &[u8])> {
    let end = line.iter().take(64).position(|byte| *byte == b' ').unwrap_or(line.len());
    let time = std::str::from_utf8(&line[..end]).ok()?.parse().ok()?;
    Some((time, line.get(end + 1..).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::{MOST_LINES, Seen};

    /// All lines are of one second.
    #[test]
    fn repeats_lines_beyond_the_most_that_it_remembers_and_loses_none() {
        let mut seen = Seen::default();
        let lines = |count: usize| (0..count).map(|number| format!("2024-05-01T10:00:00.{number:09}Z line"));
        let reported =
            |seen: &mut Seen, count| lines(count).filter(|line| seen.line(line.as_bytes()).is_some()).count();
        let count = MOST_LINES + 100;
        assert_eq!(reported(&mut seen, count), count);
        assert_eq!(seen.lines.len(), MOST_LINES);
        seen.resume();
        assert_eq!(reported(&mut seen, count + 1), count + 1 - MOST_LINES, "those beyond, and the new one");
        assert_eq!((seen.lines.len(), seen.again.len()), (MOST_LINES, MOST_LINES));
        assert!(seen.line(b"2024-05-01T10:00:01Z next").is_some());
        assert_eq!((seen.lines.len(), seen.again.len()), (1, 0));
    }
}
