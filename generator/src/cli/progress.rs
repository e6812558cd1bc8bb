//! A sign of life on the terminal, when a run takes longer than people like to wait.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Turns while it lives.
pub(crate) struct Progress {
    bar: ProgressBar,
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Begins to turn after a second, if standard error is a terminal and `quiet` is not set.
pub(crate) fn start(quiet: bool, message: &'static str) -> Progress {
    let bar = ProgressBar::hidden().with_message(message);
    if quiet || !stderr().is_terminal() {
        return Progress { bar, stop: None, thread: None };
    }
    let (stop, stopped) = mpsc::channel();
    let shown = bar.clone();
    let thread = thread::spawn(move || {
        if stopped.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
            shown.set_draw_target(ProgressDrawTarget::stderr());
            shown.enable_steady_tick(Duration::from_millis(100));
            // Ends when the other side is gone.
            let _ = stopped.recv();
            shown.finish_and_clear();
        }
    });
    Progress { bar, stop: Some(stop), thread: Some(thread) }
}

impl Progress {
    /// Begins to count steps.
    pub(crate) fn count(&self, message: &'static str, steps: usize) {
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {pos}/{len}") {
            self.bar.set_style(style);
        }
        self.bar.set_message(message);
        self.bar.set_length(steps as u64);
    }

    /// Counts a step.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
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
