//! Log following: the lines of the log of a container, for as long as it runs.
//!
//! A [`LogFollower`] reads the log of a container line by line, and resumes after every
//! interruption without losing or repeating a line. It is a [`Machine`], made from the request for
//! the log:
//!
//! ```
//! use kapigen_runtime::request::InvalidRequest;
//! use kapigen_runtime::{LogFollower, Request, Text};
//!
//! /// Follows a log, with a request such as that of `core_v1::pods::get_log`.
//! fn follow(log: Request<Text>, seed: u64) -> Result<LogFollower, InvalidRequest> {
//!     Ok(LogFollower::new(log)?.seed(seed))
//! }
//! ```
//!
//! It requests time stamps. After an interruption it requests the log since the second of the
//! newest line, and drops the lines of that second that it has reported. In a second with more than
//! 50,000 different lines it remembers 50,000, and repeats the others rather than lose one. The log
//! has ended when it was read to its end twice, the second time without a new line, or when the
//! response is 400 or 404: the container is gone. Servers return an empty log for a pod that is not
//! scheduled yet, and 400 for a container that has not started: follow the log once the container
//! runs.

use crate::controller::machine::{
    self, Backoff, Decide, Driver, End, Exchange, Failure, FailureKind, Format, Input, Machine,
    Open, Sending, Step,
};
use crate::request::{InvalidRequest, Request, Template};
use crate::response::ApiError;
use http::StatusCode;
use jiff::Timestamp;
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// The shortest time between two requests.
const PAUSE: Duration = Duration::from_secs(1);
/// A response that lasted for as long as this was no failure, even if there was no line.
const HEALTHY: Duration = Duration::from_secs(5);

/// Follows the log of a container. See the [module](self).
#[derive(Debug)]
pub struct LogFollower {
    template: Template,
    backoff: Backoff,
    silence: Duration,
    seen: Seen,
    driver: Driver<(), LogEvent>,
}

/// An event of a log.
#[derive(Debug)]
#[non_exhaustive]
pub enum LogEvent {
    /// A line was written.
    Line(Line),
    /// A request failed. The follower retries by itself, unless the failure is
    /// [`FailureKind::Unsendable`] or
    /// [`FailureKind::Invalid`]: then it ends, without [`LogEvent::Ended`]. Log it.
    Failed(Failure),
    /// The log has ended. There is a refusal if the server does not have the log, or no longer has
    /// it.
    Ended(Option<Box<ApiError>>),
}

/// A line of a log. `Debug` shows its time and length.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// The time at which it was written. `None` for a line that a server adds without one.
    pub time: Option<Timestamp>,
    /// Its bytes, without the end of the line. They are usually UTF-8.
    pub text: Vec<u8>,
}

impl LogFollower {
    /// Follows the log that this request reads. Container, number of lines and start are kept.
    ///
    /// # Errors
    /// When the operation reads no log, or the request is for the log of a previous container,
    /// which writes no more.
    pub fn new<T>(log: Request<T>) -> Result<Self, InvalidRequest> {
        let mut template = log.into_template();
        if ["follow", "sinceTime", "timestamps"].iter().any(|name| !template.has_parameter(name)) {
            let id = template.id();
            return Err(InvalidRequest::Parameters(format!(
                "`{id}` cannot follow: it has no parameter `follow`"
            )));
        }
        if template.get("previous") == Some("true") {
            return Err(InvalidRequest::Parameters(
                "`previous` and `follow`: a previous container writes no more".to_owned(),
            ));
        }
        template.set("follow", &true);
        template.set("timestamps", &true);
        Ok(Self {
            template,
            backoff: Backoff::new(0),
            silence: Duration::from_secs(600),
            seen: Seen::default(),
            driver: Driver::new((), LogEvent::Failed),
        })
    }

    /// Sets the seed of the random parts of waiting times.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.backoff = Backoff::new(seed);
        self
    }

    /// Sets the time without a line after which a new request is sent, in case the connection is
    /// dead. The default is ten minutes.
    #[must_use]
    pub fn silence(mut self, silence: Duration) -> Self {
        self.silence = silence;
        self
    }

    /// Sets how long to wait for a response. The default is one minute.
    #[must_use]
    pub fn response_timeout(mut self, timeout: Duration) -> Self {
        self.driver.timeout = timeout;
        self
    }

    fn take(&mut self, now: Duration) -> Option<End> {
        let line = self.driver.open()?.exchange.line()?;
        let line = self.seen.line(line);
        self.on_line(line, now);
        Some(Ok(()))
    }

    fn on_line(&mut self, line: Option<Line>, now: Duration) {
        self.backoff.on_success(now);
        if let Some(line) = line {
            self.driver.report(LogEvent::Line(line));
        }
    }
}

impl Decide<(), LogEvent> for LogFollower {
    fn driver(&mut self) -> &mut Driver<(), LogEvent> {
        &mut self.driver
    }

    /// Where this fails, it always would: later requests are only longer, as they have `sinceTime`.
    fn open(&mut self, (): &mut (), now: Duration) -> Result<Sending, FailureKind> {
        if let Some(second) = self.seen.resume() {
            // These select a start, and so does the time.
            self.template.remove(&["tailLines", "sinceSeconds", "limitBytes"]);
            self.template.set("sinceTime", &second);
        }
        Exchange::send(&self.template, Format::Text, now)
    }

    fn longest_silence(&mut self, open: &Open<()>) -> Duration {
        if open.exchange.has_head() { self.silence } else { self.driver.timeout }
    }

    fn on_end(&mut self, Open { mut exchange, .. }: Open<()>, end: End, now: Duration) {
        let lasted = now.saturating_sub(exchange.sent);
        let has_head = exchange.has_head();
        let resumes = (exchange.sent + PAUSE).max(now);
        let failure = match end {
            Ok(()) => {
                let rest = exchange.rest();
                if !rest.is_empty() {
                    let line = self.seen.line(&rest);
                    self.on_line(line, now);
                }
                if self.seen.has_new {
                    return self.driver.wait(resumes, ());
                }
                return self.driver.report(LogEvent::Ended(None));
            }
            Err(failure) => exchange.refusal_or(failure),
        };
        match failure {
            FailureKind::Api(error)
                if matches!(error.code, StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND) =>
            {
                self.driver.report(LogEvent::Ended(Some(error)));
            }
            // Containers may log nothing for hours.
            FailureKind::Silent(_) if has_head => self.driver.wait(resumes, ()),
            FailureKind::Disconnected(_)
                if has_head && (self.seen.has_new || lasted >= HEALTHY) =>
            {
                self.driver.fail(Some(&exchange), failure);
                self.driver.wait(resumes, ());
            }
            FailureKind::Unsendable(_) => self.driver.fail(Some(&exchange), failure),
            failure => {
                let pause = self.backoff.on_failure(now, failure.retry_after());
                self.driver.fail(Some(&exchange), failure);
                self.driver.wait(now + pause, ());
            }
        }
    }
}

impl Machine for LogFollower {
    type Event = LogEvent;

    fn poll(&mut self, now: Duration) -> Step<LogEvent> {
        machine::poll(self, now, |log| log.take(now))
    }

    fn feed(&mut self, input: Input<'_>, now: Duration) {
        self.driver.feed(input, now);
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time.map(|time| time.to_string()).unwrap_or_default();
        write!(f, "Line({time}, {} bytes)", self.text.len())
    }
}

/// The maximum number of lines that are remembered, so that a log cannot fill the memory. Lines
/// beyond are reported again after an interruption, since to repeat a line is better than to lose
/// one.
const MOST_LINES: usize = 50_000;

/// The lines of the newest second, by their hashes. A log is read again from a whole second on:
/// kubelets ignore fractions of a second.
#[derive(Debug, Default)]
struct Seen {
    /// The newest second, since 1970.
    second: Option<i64>,
    /// The number of times that each line was reported in it.
    lines: HashMap<u64, u32>,
    /// The number of repetitions of each line that are still expected, after an interruption.
    again: HashMap<u64, u32>,
    /// The number of lines that were reported in it and are not remembered.
    forgotten: usize,
    /// The number of forgotten lines that are still expected again, after an interruption.
    forgotten_again: usize,
    /// Whether there was a new line since the last interruption. A line that is only reported again
    /// does not count: otherwise a log with very many lines in its last second would never end.
    has_new: bool,
    hasher: RandomState,
}

impl Seen {
    /// The time from which to read again. Empty before the first line.
    fn resume(&mut self) -> Option<String> {
        self.has_new = false;
        let second = Timestamp::from_second(self.second?).ok()?;
        self.again.clone_from(&self.lines);
        self.forgotten_again = self.forgotten;
        Some(second.to_string())
    }

    /// Records a line. Returns it unless it was reported before.
    fn line(&mut self, line: &[u8]) -> Option<Line> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let Some((time, text)) = split(line) else {
            self.has_new = true;
            return Some(Line { time: None, text: line.to_vec() });
        };
        let second = time.as_second();
        match self.second {
            Some(newest) if second < newest && !self.again.is_empty() => return None,
            Some(newest) if second < newest => self.has_new = true,
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
                self.forgotten = 0;
                self.forgotten_again = 0;
                self.remember(self.hasher.hash_one(line));
            }
        }
        Some(Line { time: Some(time), text: text.to_vec() })
    }

    fn remember(&mut self, hash: u64) {
        if self.lines.len() < MOST_LINES || self.lines.contains_key(&hash) {
            let count = self.lines.entry(hash).or_default();
            *count = count.saturating_add(1);
        } else if self.forgotten_again > 0 {
            self.forgotten_again -= 1;
            return;
        } else {
            self.forgotten += 1;
        }
        self.has_new = true;
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
        let lines = |count: usize| {
            (0..count).map(|number| format!("2024-05-01T10:00:00.{number:09}Z line"))
        };
        let reported = |seen: &mut Seen, count| {
            lines(count).filter(|line| seen.line(line.as_bytes()).is_some()).count()
        };
        let count = MOST_LINES + 100;
        assert_eq!(reported(&mut seen, count), count);
        assert_eq!(seen.lines.len(), MOST_LINES);
        seen.resume();
        assert_eq!(
            reported(&mut seen, count + 1),
            count + 1 - MOST_LINES,
            "those beyond, and the new one"
        );
        assert_eq!((seen.lines.len(), seen.again.len()), (MOST_LINES, MOST_LINES));
        assert!(seen.line(b"2024-05-01T10:00:01Z next").is_some());
        assert_eq!((seen.lines.len(), seen.again.len()), (1, 0));
    }
}
