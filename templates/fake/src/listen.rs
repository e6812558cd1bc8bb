//! A socket over a server, for clients of any language.

mod head;
mod http1;

use crate::reply::{Body, Reply};
use crate::server::Server;
use crate::stream::{Events, Next};
use http1::{Connection, Incoming, Unread};
use kapigen_runtime::jiff::Timestamp;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// The time that a stream waits before it checks whether its client is still connected.
const HEARTBEAT: Duration = Duration::from_millis(500);

/// A server that listens on a socket, in HTTP/1.1 without TLS, until this value is dropped.
#[derive(Debug)]
pub struct Listening {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
}

impl Server {
    /// Listens on an address, such as `127.0.0.1:0` for any free port, with the time of this machine.
    ///
    /// # Errors
    /// When the address is not to be had, or no thread can be started.
    pub fn listen(&self, address: impl ToSocketAddrs) -> io::Result<Listening> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let is_over = Arc::new(AtomicBool::new(false));
        let (server, stop) = (self.clone(), is_over.clone());
        thread::Builder::new().spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let Ok(stream) = stream else { continue };
                let (server, stop) = (server.clone(), stop.clone());
                // An error is the end of this connection alone, and so is a lack of threads.
                drop(thread::Builder::new().spawn(move || serve(&server, stream, &stop).is_ok()));
            }
        })?;
        Ok(Listening { address, is_over })
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
        self.is_over.store(true, Ordering::Relaxed);
        // Wakes the thread that accepts connections.
        drop(TcpStream::connect(self.address));
    }
}

fn serve(server: &Server, stream: TcpStream, stop: &AtomicBool) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut connection = Connection::new(stream);
    loop {
        let (request, is_last) = match connection.read() {
            Ok(Some(Incoming { request, is_last })) => (request, is_last),
            Ok(None) => return Ok(()),
            Err(Unread::Refused(refusal)) => return connection.refuse(refusal),
            Err(Unread::Broken(error)) => return Err(error),
        };
        let Reply { response, delay, .. } = server.handle(request, Timestamp::now());
        thread::sleep(delay);
        let (head, body) = response.into_parts();
        match body {
            Body::Whole(bytes) => connection.write_whole(&head, &bytes, is_last)?,
            Body::Stream(events) => {
                connection.write_head(&head)?;
                stream_events(&mut connection, *events, stop)?;
            }
        }
        if is_last || stop.load(Ordering::Relaxed) {
            return Ok(());
        }
    }
}

fn stream_events(connection: &mut Connection, mut events: Events, stop: &AtomicBool) -> io::Result<()> {
    while !stop.load(Ordering::Relaxed) {
        match events.next(Timestamp::now()) {
            Next::Event(line) => connection.write_chunk(&line)?,
            Next::End => return connection.write_end(),
            Next::Wait(until) => {
                let left = until.duration_since(Timestamp::now()).unsigned_abs();
                events.wait(left.min(HEARTBEAT));
                if connection.is_closed() {
                    break;
                }
            }
        }
    }
    Ok(())
}
