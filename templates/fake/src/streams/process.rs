//! Processes, as a test runs them.

use super::pump::{Input, Output, Pump, Task};
use super::{PIPE, Work, status};
use crate::verbs::Target;
use kapigen_runtime::streams::{Frames, Protocol, STATUS, STDERR, STDIN, STDOUT};
use std::fmt;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite, duplex};
use tokio::sync::watch;

/// What a test runs for a process: its exit code, or why it cannot run.
pub(crate) type Run = Arc<dyn Fn(Process) -> Work<Result<i32, String>> + Send + Sync>;

/// A process that a client starts or attaches to. It is dropped when the client is gone.
#[non_exhaustive]
pub struct Process {
    /// The namespace of the pod.
    pub namespace: String,
    /// The name of the pod.
    pub pod: String,
    /// The name of the container.
    pub container: String,
    /// The command and its arguments. Empty for a client that attaches.
    pub command: Vec<String>,
    /// Whether the client asks for a terminal. The error output is part of the output then.
    pub tty: bool,
    /// The input. It is at its end if the client sends none.
    pub stdin: Box<dyn AsyncRead + Send + Unpin>,
    /// The output. It is discarded if the client does not ask for it.
    pub stdout: Box<dyn AsyncWrite + Send + Unpin>,
    /// The error output, as [`stdout`](Self::stdout).
    pub stderr: Box<dyn AsyncWrite + Send + Unpin>,
    /// The sizes of the terminal.
    pub sizes: Sizes,
}

/// The sizes of a terminal.
#[derive(Debug)]
pub struct Sizes(watch::Receiver<(u16, u16)>);

impl Sizes {
    /// The next size: width and height in characters. Sizes that were overtaken by another one are
    /// left out. `None` if there will be no more.
    pub async fn next(&mut self) -> Option<(u16, u16)> {
        self.0.changed().await.ok()?;
        Some(*self.0.borrow_and_update())
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Process")
            .field("pod", &self.pod)
            .field("container", &self.container)
            .field("command", &self.command)
            .finish_non_exhaustive()
    }
}

/// Starts a process.
pub(super) fn start(target: Target, run: &Run, protocol: Protocol) -> Pump {
    let mut frames = Frames::server();
    let has_stderr = target.stderr && !target.tty;
    // The first channel that the server writes has an empty message.
    let first = [(target.stdout, STDOUT), (has_stderr, STDERR)].into_iter().find(|(is, _)| *is);
    frames.send(first.map_or(STATUS, |(_, channel)| channel), b"");
    let what = if target.command.is_empty() { "attaching to" } else { "executing command in" };
    let what = format!("error {what} container");
    let ([stdin, input], [stdout, output], [stderr, error]) = (pipe(), pipe(), pipe());
    let (sizes, received) = watch::channel((0, 0));
    let outputs = vec![
        Output::new(STDOUT, output, target.stdout),
        if target.tty {
            Output::new(STDOUT, error, target.stdout)
        } else {
            Output::new(STDERR, error, target.stderr)
        },
    ];
    let input = Input::new(STDIN, target.stdin.then_some(input));
    let work: Work<Option<Vec<u8>>> = if target.stdin || target.stdout || has_stderr {
        let work = run(Process {
            namespace: target.namespace,
            pod: target.pod,
            container: target.container,
            command: target.command,
            tty: target.tty,
            stdin: Box::new(stdin),
            stdout: Box::new(stdout),
            stderr: Box::new(stderr),
            sizes: Sizes(received),
        });
        Box::pin(async move { Some(status::ended(protocol, work.await, &what)) })
    } else {
        Box::pin(async move { Some(status::without_streams(protocol)) })
    };
    let task = Task::new(work, STATUS, outputs, input).with_sizes(sizes);
    Pump::new(frames, vec![task])
}

fn pipe() -> [tokio::io::DuplexStream; 2] {
    duplex(PIPE).into()
}
