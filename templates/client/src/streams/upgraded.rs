//! Connections that a server switched to another protocol.

use crate::error::BoxError;
use http::Extensions;
use hyper_util::rt::TokioIo;
use std::fmt;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, ReadBuf};

/// The connection of a response with the status code 101, as an extension of the response. It can
/// be taken once.
///
/// Services over hyper have an extension of hyper, which a client understands as well, and services
/// that know no crate of ours can have an `Arc<Mutex<Option<DuplexStream>>>` of std and tokio. Other
/// services that switch protocols insert this one:
///
/// ```
/// use kapigen_client::streams::Upgraded;
/// use kapigen_runtime::http::Response;
///
/// fn switched(connection: tokio::io::DuplexStream) -> Response<String> {
///     let mut response = Response::new(String::new());
///     response.extensions_mut().insert(Upgraded::new(connection));
///     response
/// }
/// ```
#[derive(Clone)]
pub struct Upgraded(Arc<Mutex<Option<Connection>>>);

impl Upgraded {
    /// Wraps a connection.
    pub fn new(connection: impl AsyncRead + AsyncWrite + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Some(Connection(Box::pin(connection))))))
    }

    /// Takes the connection. `None` if it was taken before.
    #[must_use]
    pub fn take(&self) -> Option<Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl fmt::Debug for Upgraded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upgraded").finish_non_exhaustive()
    }
}

/// Bytes both ways.
trait Duplex: AsyncRead + AsyncWrite + Send {}

impl<T: AsyncRead + AsyncWrite + Send> Duplex for T {}

/// A connection of any service, after the server switched protocols.
pub struct Connection(Pin<Box<dyn Duplex>>);

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.0.as_mut().poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.0.as_mut().poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.as_mut().poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.as_mut().poll_shutdown(context)
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").finish_non_exhaustive()
    }
}

/// The connection of a response. `None` if the service does not give it, or it was taken.
///
/// # Errors
/// When hyper could not switch.
pub(super) async fn connection(
    extensions: &mut Extensions,
) -> Option<Result<Connection, BoxError>> {
    if let Some(upgraded) = extensions.remove::<Upgraded>() {
        return upgraded.take().map(Ok);
    }
    if let Some(shared) = extensions.remove::<Arc<Mutex<Option<DuplexStream>>>>() {
        let taken = shared.lock().unwrap_or_else(PoisonError::into_inner).take();
        return taken.map(|connection| Ok(Connection(Box::pin(connection))));
    }
    let upgrade = extensions.remove::<hyper::upgrade::OnUpgrade>()?;
    let upgraded = upgrade.await.map_err(BoxError::from);
    Some(upgraded.map(|upgraded| Connection(Box::pin(TokioIo::new(upgraded)))))
}
