//! A socket over a server, for clients of any language.

use crate::server::Server;
use crate::tower::FakeService;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime;
use tokio::sync::oneshot;

/// The pause after a connection that cannot be accepted, for example because no file descriptors
/// are left.
const PAUSE: Duration = Duration::from_millis(10);

/// A server that listens on a socket, in HTTP/1.1 without TLS, until this value is dropped.
#[derive(Debug)]
pub struct Listening {
    address: SocketAddr,
    /// The thread serves until this is dropped.
    until: Option<oneshot::Sender<Infallible>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Listens on an address, such as `127.0.0.1:0` for any free port, with the time of this
    /// machine. A thread serves all connections. A client that closes its side of one is gone: it
    /// gets no response.
    ///
    /// # Errors
    /// When the address cannot be bound, or no thread can be started.
    pub fn listen(&self, address: impl ToSocketAddrs) -> io::Result<Listening> {
        let listener = std::net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let service = FakeService::new(self.clone());
        let runtime = runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let listener = {
            let _entered = runtime.enter();
            TcpListener::from_std(listener)?
        };
        let (until, dropped) = oneshot::channel();
        let thread = thread::Builder::new().name("kapigen-fake".into()).spawn(move || {
            runtime.spawn(accept(listener, service));
            // Connections end with the runtime.
            drop(runtime.block_on(dropped));
        })?;
        Ok(Listening { address, until: Some(until), thread: Some(thread) })
    }
}

impl Listening {
    /// The address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL, such as `http://127.0.0.1:40001`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        drop(self.until.take());
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

async fn accept(listener: TcpListener, service: FakeService) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // Without it, events are delayed, but they still arrive, so an error is ignored.
        drop(stream.set_nodelay(true));
        let service = TowerToHyperService::new(service.clone());
        // An error is the end of this connection alone.
        let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        tokio::spawn(connection.with_upgrades());
    }
}
