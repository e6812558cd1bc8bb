//! Connections to ports of pods.

use super::process::OutputReader;
use super::shared::Running;
use crate::client::Client;
use crate::error::{Error, ErrorKind};
use kapigen_runtime::response::PortForward;
use kapigen_runtime::streams::{Protocol, Session};
use kapigen_runtime::{Request, Upgrade};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// The default of [`Forward::idle_limit`].
const IDLE: Duration = Duration::from_secs(60);

impl Client {
    /// Opens a connection to one port of a pod: a request of `pods::get_port_forward`. The user
    /// needs the verbs `get` and, since Kubernetes 1.35, `create` of `pods/portforward`.
    ///
    /// Call it in a tokio runtime, in which a task runs the connection.
    ///
    /// # Errors
    /// As [`upgrade`](Self::upgrade), and when the request does not ask for exactly one port. That
    /// the port refuses is an error of reading.
    pub async fn forward(&self, forward: Request<Upgrade<PortForward>>) -> Result<Forward, Error> {
        let port =
            port(&forward).map_err(|kind| Error::from(kind).for_request(|| self.line(&forward)))?;
        let (_, connection) = self.upgrade(forward, &[Protocol::V4.as_str()]).await?;
        let running = Running::new(Session::forward(port), connection);
        let reader = OutputReader::open(running.shared(), 0);
        Ok(Forward { reader, running, idle: IDLE, silence: None })
    }
}

/// The only port of a request.
pub(super) fn port(forward: &Request<Upgrade<PortForward>>) -> Result<u16, ErrorKind> {
    let query = forward.uri().query().unwrap_or_default();
    let mut ports = query.split('&').filter_map(|pair| pair.strip_prefix("ports="));
    match (ports.next().map(str::parse), ports.next()) {
        (Some(Ok(port)), None) => Ok(port),
        _ => Err(ErrorKind::Unsendable("a forward is to exactly one port".to_owned())),
    }
}

/// A connection to a port of a pod. Dropping it closes it.
///
/// The protocol has no half-close. So a shutdown leaves the connection open for what the server
/// still sends, until the server closes it, or sends nothing for the
/// [`idle_limit`](Self::idle_limit).
#[derive(Debug)]
pub struct Forward {
    /// Always there.
    reader: Option<OutputReader>,
    running: Running,
    idle: Duration,
    /// The end of the silence, after the shutdown.
    silence: Option<Pin<Box<Sleep>>>,
}

impl Forward {
    /// Sets the idle timeout after a shutdown: how long the server may send nothing before reading
    /// ends. The default is one minute.
    #[must_use]
    pub fn idle_limit(mut self, limit: Duration) -> Self {
        self.idle = limit;
        self
    }
}

impl AsyncRead for Forward {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        target: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let Some(reader) = &mut this.reader else { return Poll::Ready(Ok(())) };
        let read = Pin::new(reader).poll_read(context, target);
        if let Some(silence) = &mut this.silence {
            if read.is_ready() {
                silence.as_mut().reset(Instant::now() + this.idle);
            } else {
                ready!(silence.as_mut().poll(context));
                return Poll::Ready(Ok(()));
            }
        }
        read
    }
}

impl AsyncWrite for Forward {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.silence.is_some() {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        self.running.shared().poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.running.shared().poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.silence.is_none() {
            self.silence = Some(Box::pin(tokio::time::sleep(self.idle)));
        }
        self.running.shared().poll_flush(context)
    }
}
