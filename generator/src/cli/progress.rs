//! A sign of life on the terminal, when a run takes longer than people like to wait.

use indicatif::ProgressBar;
use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Turns while it lives.
pub(crate) struct Progress {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Begins to turn after a second, if somebody can see it and did not ask for quiet.
pub(crate) fn start(quiet: bool) -> Progress {
    if quiet || !stderr().is_terminal() {
        return Progress { stop: None, thread: None };
    }
    let (stop, stopped) = mpsc::channel();
    let thread = thread::spawn(move || {
        if stopped.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
            let bar = ProgressBar::new_spinner().with_message("generating");
            bar.enable_steady_tick(Duration::from_millis(100));
            // Ends when the other side is gone.
            let _ = stopped.recv();
            bar.finish_and_clear();
        }
    });
    Progress { stop: Some(stop), thread: Some(thread) }
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
