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
    let bar = ProgressBar::hidden().with_style(style("{spinner} {msg}")).with_message(message);
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

/// The default style is a bar as wide as the terminal.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

impl Progress {
    /// Begins to count steps.
    pub(crate) fn count(&self, message: &'static str, steps: usize) {
        self.bar.set_style(style("{spinner} {msg} {pos}/{len}"));
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

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::io;
    use std::sync::{Arc, Mutex};

    /// A terminal that keeps what is written.
    #[derive(Clone, Debug, Default)]
    struct Terminal(Arc<Mutex<String>>);

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn shows_the_message_and_then_the_steps() {
        let progress = start(true, "generating");
        let terminal = Terminal::default();
        progress.bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(terminal.clone())));
        progress.bar.tick();
        let first = std::mem::take(&mut *terminal.0.lock().unwrap());
        assert!(first.contains("generating") && !first.contains('/') && first.trim_end().len() < 20, "{first:?}");
        progress.count("fetching", 3);
        progress.step();
        progress.bar.tick();
        let last = terminal.0.lock().unwrap().clone();
        assert!(last.contains("fetching 1/3"), "{last:?}");
    }
}
