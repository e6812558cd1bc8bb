//! Local ports that lead to ports of pods.

use super::forward::{Forward, port};
use crate::client::Client;
use crate::error::{Error, ErrorKind};
use kapigen_runtime::response::PortForward;
use kapigen_runtime::{Request, Upgrade};
use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream, ToSocketAddrs};
use tokio::task::{JoinHandle, JoinSet};

impl Client {
    /// Listens on a local address, such as `127.0.0.1:8080`, and forwards each connection to one
    /// port of a pod: a request of `pods::get_port_forward`. Each has its own WebSocket, so they do
    /// not affect each other. Port 0 is any free one.
    ///
    /// A connection that cannot be forwarded is closed, and its error logged.
    ///
    /// # Errors
    /// When the address is not free, or the request does not ask for exactly one port.
    pub async fn forward_listener(
        &self,
        forward: Request<Upgrade<PortForward>>,
        address: impl ToSocketAddrs,
    ) -> Result<ForwardListener, Error> {
        let failed = |kind: ErrorKind| Error::from(kind).for_request(|| self.line(&forward));
        port(&forward).map_err(failed)?;
        let bound = bind(address).await;
        let (listener, address) =
            bound.map_err(|error| failed(ErrorKind::Transport(error.into())))?;
        let task = tokio::spawn(accept(listener, self.clone(), forward));
        Ok(ForwardListener { address, task })
    }
}

/// A listener, and its address.
async fn bind(address: impl ToSocketAddrs) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// A local port that is forwarded to a port of a pod. Dropping it ends it, with all its
/// connections.
#[derive(Debug)]
pub struct ForwardListener {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl ForwardListener {
    /// The local address.
    #[must_use]
    pub fn local_addr(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for ForwardListener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The time after a failure to accept.
const PAUSE: Duration = Duration::from_millis(100);

/// Forwards connections until it is dropped.
async fn accept(listener: TcpListener, client: Client, forward: Request<Upgrade<PortForward>>) {
    let mut connections = JoinSet::new();
    loop {
        match listener.accept().await {
            Ok((local, _)) => {
                let (client, forward) = (client.clone(), forward.clone());
                connections.spawn(async move {
                    match client.forward(forward).await {
                        Ok(remote) => copy(local, remote).await,
                        Err(error) => tracing::warn!(%error, "a connection is not forwarded"),
                    }
                });
            }
            // Of one connection, or there are too many.
            Err(error) => {
                tracing::warn!(%error, "no connection is accepted");
                tokio::time::sleep(PAUSE).await;
            }
        }
        while connections.try_join_next().is_some() {}
    }
}

async fn copy(mut local: TcpStream, mut remote: Forward) {
    if let Err(error) = copy_bidirectional(&mut local, &mut remote).await {
        tracing::warn!(%error, "a forwarded connection broke");
    }
}
