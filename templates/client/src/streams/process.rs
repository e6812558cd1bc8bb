//! Processes of containers.

use super::shared::{Running, Shared};
use crate::client::Client;
use crate::error::Error;
use kapigen_runtime::request::RequestLine;
use kapigen_runtime::response::{Attach, Exec};
use kapigen_runtime::streams::{Exit, Protocol, Session};
use kapigen_runtime::{Request, Upgrade};
use std::fmt;
use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};

impl Client {
    /// Starts a process in a container: a request of `pods::get_exec`. Its parameters state the
    /// command and the streams. The user needs the verbs `get` and, since Kubernetes 1.35, `create`
    /// of `pods/exec`.
    ///
    /// Call it in a tokio runtime, in which a task runs the connection.
    ///
    /// ```
    /// use kapigen_client::streams::Exit;
    /// use kapigen_client::{Client, Error};
    /// use kapigen_runtime::response::Exec;
    /// use kapigen_runtime::{Request, Upgrade};
    ///
    /// /// What a command prints, of `pods::get_exec("default", "web", &params)`.
    /// async fn printed(
    ///     client: &Client,
    ///     exec: Request<Upgrade<Exec>>,
    /// ) -> Result<Option<String>, Error> {
    ///     let output = client.exec(exec).await?.output().await?;
    ///     let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    ///     Ok(output.exit.is_success().then_some(printed))
    /// }
    /// ```
    ///
    /// Each function takes its own requests, and none of them is a body that can be decoded:
    ///
    /// ```compile_fail,E0308
    /// # use kapigen_runtime::{Request, Upgrade, response::Exec};
    /// # async fn attach(client: &kapigen_client::Client, exec: Request<Upgrade<Exec>>) {
    /// client.attach(exec).await;
    /// # }
    /// ```
    ///
    /// ```compile_fail,E0277
    /// # use kapigen_runtime::{Request, Upgrade, response::Exec};
    /// # async fn send(client: &kapigen_client::Client, exec: Request<Upgrade<Exec>>) {
    /// client.send(exec).await;
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`upgrade`](Self::upgrade). If the command cannot be started, that is [`Exit::Failed`],
    /// not an error.
    pub async fn exec(&self, exec: Request<Upgrade<Exec>>) -> Result<Process, Error> {
        self.process(exec).await
    }

    /// Attaches to the process of a container that runs already: a request of `pods::get_attach`.
    /// Otherwise as [`exec`](Self::exec), with the verbs of `pods/attach`.
    ///
    /// # Errors
    /// As [`exec`](Self::exec).
    pub async fn attach(&self, attach: Request<Upgrade<Attach>>) -> Result<Process, Error> {
        self.process(attach).await
    }

    async fn process<S>(&self, exec: Request<Upgrade<S>>) -> Result<Process, Error> {
        let line = self.line(&exec);
        let (upgrade, connection) =
            self.upgrade(exec.clone(), &Protocol::ALL.map(Protocol::as_str)).await?;
        let chosen = upgrade.protocol.as_deref();
        let protocol = Protocol::ALL.into_iter().find(|one| Some(one.as_str()) == chosen);
        let running = Running::new(Session::new(protocol.unwrap_or(Protocol::V4)), connection);
        let query = exec.uri().query().unwrap_or_default();
        let has_input = query.split('&').any(|pair| pair == "stdin=true");
        Ok(Process { running, line, is_input_free: AtomicBool::new(has_input) })
    }
}

/// A process in a container. Dropping it closes the connection; the process may continue.
///
/// Take all handles that you need before you use one of them or wait. Output without a handle, or
/// of a dropped handle, is discarded as it arrives. A handle that you do not read fills a buffer of
/// 256 KiB; then nothing more is read from the connection, neither other output nor the end, until
/// you read it again. Input goes on. Read all handles concurrently, as [`output`](Self::output)
/// does, or drop them.
#[derive(Debug)]
pub struct Process {
    running: Running,
    line: RequestLine,
    /// Whether the process has input that nobody took.
    is_input_free: AtomicBool,
}

/// The whole output of a process.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Output {
    /// The end of the process.
    pub exit: Exit,
    /// The output.
    pub stdout: Vec<u8>,
    /// The error output. It is empty for a process with a terminal.
    pub stderr: Vec<u8>,
}

impl Process {
    /// Takes the input of the process. It is ended by a shutdown or a drop, except where the server
    /// speaks v4 alone: then a shutdown is an error. `None` if the request does not ask for input,
    /// or it was taken.
    pub fn stdin(&self) -> Option<Stdin> {
        let is_free = self.is_input_free.swap(false, Ordering::Relaxed);
        is_free.then(|| Stdin { shared: Arc::clone(self.running.shared()), has_ended: false })
    }

    /// Takes the output of the process. `None` if it was taken, or bytes of it may be discarded
    /// already.
    pub fn stdout(&self) -> Option<OutputReader> {
        OutputReader::open(self.running.shared(), 0)
    }

    /// Takes the error output, as [`stdout`](Self::stdout).
    pub fn stderr(&self) -> Option<OutputReader> {
        OutputReader::open(self.running.shared(), 1)
    }

    /// Sets the size of the terminal, in characters.
    ///
    /// # Errors
    /// When the session has ended.
    pub fn resize(&self, width: u16, height: u16) -> io::Result<()> {
        self.running.shared().change(|session| {
            session.resize(width, height);
            Ok::<_, io::Error>(())
        })
    }

    /// Waits for the end of the process, after ending the input if nobody took it.
    ///
    /// If the server sends no status, the result is [`Exit::Unknown`], which is not a success.
    ///
    /// # Errors
    /// When the connection breaks or the peer is silent for a minute, before the end was reported.
    pub async fn wait(&self) -> Result<Exit, Error> {
        drop(self.stdin());
        let end = poll_fn(|context| self.running.shared().poll_end(context)).await;
        end.map_err(|kind| Error::from(kind).for_request(|| self.line.clone()))
    }

    /// Collects the output until the process ends. It is all in memory.
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    pub async fn output(self) -> Result<Output, Error> {
        let (mut out, mut err) = (pin!(read(self.stdout())), pin!(read(self.stderr())));
        drop(self.stdin());
        let (mut stdout, mut stderr) = (None, None);
        poll_fn(|context| {
            for (reading, read) in [(&mut out, &mut stdout), (&mut err, &mut stderr)] {
                if read.is_none()
                    && let Poll::Ready(bytes) = reading.as_mut().poll(context)
                {
                    *read = Some(bytes);
                }
            }
            if stdout.is_some() && stderr.is_some() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        // An error of reading is the error of the session.
        let exit = self.wait().await?;
        let (stdout, stderr) = (stdout.unwrap_or_default(), stderr.unwrap_or_default());
        Ok(Output { exit, stdout, stderr })
    }

    /// Whether reading ever stopped because a handle was not read. When a process ends, a server
    /// silently drops the output that it still holds: then the output may be incomplete, whatever
    /// the exit code.
    #[must_use]
    pub fn was_paused(&self) -> bool {
        self.running.shared().was_paused()
    }
}

/// Reads what there is.
async fn read(handle: Option<OutputReader>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut handle) = handle {
        let _ = handle.read_to_end(&mut bytes).await;
    }
    bytes
}

/// The input of a [`Process`].
pub struct Stdin {
    shared: Arc<Shared>,
    has_ended: bool,
}

impl Stdin {
    fn end(&mut self) -> io::Result<()> {
        if self.has_ended {
            return Ok(());
        }
        self.has_ended = true;
        self.shared.change(Session::end_input)
    }
}

impl AsyncWrite for Stdin {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.has_ended {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        self.shared.poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.shared.poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.end()?;
        ready!(self.shared.poll_flush(context))?;
        Poll::Ready(Ok(()))
    }
}

impl Drop for Stdin {
    fn drop(&mut self) {
        // A server of v4 has no end of the input.
        let _ = self.end();
    }
}

/// The output or the error output of a [`Process`]. It ends with the session, and with an error if
/// that breaks.
pub struct OutputReader {
    shared: Arc<Shared>,
    index: usize,
}

impl OutputReader {
    pub(super) fn open(shared: &Arc<Shared>, index: usize) -> Option<Self> {
        shared.open(index).then(|| Self { shared: Arc::clone(shared), index })
    }
}

impl AsyncRead for OutputReader {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        target: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.shared.poll_read(self.index, context, target)
    }
}

impl Drop for OutputReader {
    fn drop(&mut self) {
        self.shared.discard(self.index);
    }
}

impl fmt::Debug for Stdin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stdin").finish_non_exhaustive()
    }
}

impl fmt::Debug for OutputReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutputReader").finish_non_exhaustive()
    }
}
