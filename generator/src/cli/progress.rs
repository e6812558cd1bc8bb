//! Progress on the terminal, for runs that take long.

use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Turns while it lives.
pub(crate) struct Progress {
    state: Arc<State>,
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// The state of a run, as far as it is shown.
struct State {
    message: Mutex<&'static str>,
    /// The number of steps. 0: they are not counted.
    steps: AtomicUsize,
    done: AtomicUsize,
}

/// The pictures of something that turns.
const FRAMES: [char; 4] = ['|', '/', '-', '\\'];
/// The time after which it begins, and that between two pictures.
const FIRST: Duration = Duration::from_secs(1);
const NEXT: Duration = Duration::from_millis(100);

/// Begins to turn after a second, if standard error is a terminal and `quiet` is not set.
pub(crate) fn start(quiet: bool, message: &'static str) -> Progress {
    let state = Arc::new(State {
        message: Mutex::new(message),
        steps: AtomicUsize::new(0),
        done: AtomicUsize::new(0),
    });
    if quiet || !stderr().is_terminal() {
        return Progress { state, stop: None, thread: None };
    }
    let (stop, stopped) = mpsc::channel();
    let shown = Arc::clone(&state);
    let thread = thread::spawn(move || {
        let mut wait = FIRST;
        let mut width = 0;
        let mut frames = FRAMES.into_iter().cycle();
        // Ends when the other side is gone.
        while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
            width = print(&shown.line(frames.next().unwrap_or_default()), width);
            wait = NEXT;
        }
        if width > 0 {
            print("", width);
            print("", 0);
        }
    });
    Progress { state, stop: Some(stop), thread: Some(thread) }
}

/// Overwrites a line of this width with another one, and returns the new width.
fn print(line: &str, width: usize) -> usize {
    let mut terminal = stderr().lock();
    // A terminal that is gone needs no progress.
    let _ = write!(terminal, "\r{line:<width$}").and_then(|()| terminal.flush());
    line.chars().count()
}

impl State {
    fn line(&self, frame: char) -> String {
        let message = *self.message.lock().unwrap_or_else(PoisonError::into_inner);
        match self.steps.load(Ordering::Relaxed) {
            0 => format!("{frame} {message}"),
            steps => format!("{frame} {message} {}/{steps}", self.done.load(Ordering::Relaxed)),
        }
    }
}

impl Progress {
    /// Begins to count steps.
    pub(crate) fn count(&self, message: &'static str, steps: usize) {
        *self.state.message.lock().unwrap_or_else(PoisonError::into_inner) = message;
        self.state.steps.store(steps, Ordering::Relaxed);
    }

    /// Counts a step.
    pub(crate) fn step(&self) {
        self.state.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // If it failed there is nothing to clear.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::start;

    #[test]
    fn shows_the_message_and_then_the_steps() {
        let progress = start(true, "generating");
        assert_eq!(progress.state.line('|'), "| generating");
        progress.count("fetching", 3);
        progress.step();
        assert_eq!(progress.state.line('/'), "/ fetching 1/3");
    }
}
