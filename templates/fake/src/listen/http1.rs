//! As much of HTTP/1.1 as a server in tests needs.

use super::head::{Framing, Head, Refusal};
use http::{Request, StatusCode, response};
use std::io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// The largest head and body that are read.
const HEAD: u64 = 1 << 20;
const BODY: u64 = 1 << 26;

/// The time in which a client can read a refusal, while the rest of its request is thrown away.
const PARTING: Duration = Duration::from_millis(500);

/// A connection of a client.
#[derive(Debug)]
pub(super) struct Connection {
    reader: BufReader<TcpStream>,
}

/// A request, and whether the client wants no other one on this connection.
#[derive(Debug)]
pub(super) struct Incoming {
    pub(super) request: Request<Vec<u8>>,
    pub(super) is_last: bool,
}

/// The reason for which there is no request.
#[derive(Debug)]
pub(super) enum Unread {
    Broken(io::Error),
    Refused(Refusal),
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        Self::Broken(error)
    }
}

impl From<Refusal> for Unread {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// The client is gone before its request is whole.
fn cut() -> Unread {
    io::Error::from(io::ErrorKind::UnexpectedEof).into()
}

const TOO_LARGE: Refusal = Refusal { code: StatusCode::PAYLOAD_TOO_LARGE, why: "the body is too large" };

impl Connection {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { reader: BufReader::new(stream) }
    }

    fn stream(&mut self) -> &mut TcpStream {
        self.reader.get_mut()
    }

    /// The next request, or `None` when the client is done.
    pub(super) fn read(&mut self) -> Result<Option<Incoming>, Unread> {
        let Some(head) = self.read_head()? else { return Ok(None) };
        let Head { mut request, framing, expects_continue, is_last } = Head::parse(&head)?;
        if matches!(framing, Framing::Length(length) if length > BODY) {
            return Err(TOO_LARGE.into());
        }
        if expects_continue {
            self.stream().write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        *request.body_mut() = match framing {
            Framing::Length(length) => self.read_bytes(length)?,
            Framing::Chunked => self.read_chunks()?,
        };
        Ok(Some(Incoming { request, is_last }))
    }

    fn read_head(&mut self) -> Result<Option<Vec<u8>>, Unread> {
        let mut head = Vec::new();
        let mut reader = (&mut self.reader).take(HEAD);
        loop {
            let before = head.len();
            if reader.read_until(b'\n', &mut head)? == 0 {
                let code = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
                return match head.len() as u64 {
                    0 => Ok(None),
                    HEAD => Err(Refusal { code, why: "the headers are too large" }.into()),
                    _ => Err(cut()),
                };
            }
            if head[before..].trim_ascii().is_empty() {
                return Ok(Some(head));
            }
        }
    }

    fn read_bytes(&mut self, length: u64) -> Result<Vec<u8>, Unread> {
        let mut bytes = Vec::new();
        // Nothing is reserved for bytes that may never come.
        let read = (&mut self.reader).take(length).read_to_end(&mut bytes)?;
        if read as u64 == length { Ok(bytes) } else { Err(cut()) }
    }

    fn read_chunks(&mut self) -> Result<Vec<u8>, Unread> {
        let mut bytes = Vec::new();
        loop {
            let mut line = Vec::new();
            if (&mut self.reader).take(HEAD).read_until(b'\n', &mut line)? == 0 {
                return Err(cut());
            }
            let size = line.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
            let size = std::str::from_utf8(size).ok().and_then(|size| u64::from_str_radix(size, 16).ok());
            let size = size.ok_or(Refusal::bad("invalid size of a chunk"))?;
            if size > BODY || bytes.len() as u64 + size > BODY {
                return Err(TOO_LARGE.into());
            }
            if size == 0 {
                // Fields that nobody asked for may follow.
                self.read_head()?.ok_or_else(cut)?;
                return Ok(bytes);
            }
            bytes.extend(self.read_bytes(size)?);
            if self.read_bytes(2)? != b"\r\n" {
                return Err(Refusal::bad("a chunk is longer than its size").into());
            }
        }
    }

    /// Refuses a request that cannot be read, in plain text as servers do, and ends the connection.
    pub(super) fn refuse(&mut self, refusal: Refusal) -> io::Result<()> {
        let body = format!("{}: {}", refusal.code, refusal.why);
        let mut bytes =
            format!("HTTP/1.1 {}\r\ncontent-type: text/plain; charset=utf-8\r\n", refusal.code).into_bytes();
        write!(bytes, "connection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len())?;
        let stream = self.stream();
        stream.write_all(&bytes)?;
        stream.shutdown(Shutdown::Write)?;
        // With bytes that nobody read, closing would reset the connection, and the client might not see the refusal.
        let end = Instant::now() + PARTING;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            stream.set_read_timeout(Some(left))?;
            if stream.read(&mut [0; 1 << 14])? == 0 {
                return Ok(());
            }
        }
    }

    pub(super) fn write_whole(&mut self, head: &response::Parts, body: &[u8], is_last: bool) -> io::Result<()> {
        let mut bytes = encoded(head);
        if is_last {
            bytes.extend_from_slice(b"connection: close\r\n");
        }
        write!(bytes, "content-length: {}\r\n\r\n", body.len())?;
        bytes.extend_from_slice(body);
        self.stream().write_all(&bytes)
    }

    /// Begins a response whose body comes in chunks.
    pub(super) fn write_head(&mut self, head: &response::Parts) -> io::Result<()> {
        let mut bytes = encoded(head);
        bytes.extend_from_slice(b"transfer-encoding: chunked\r\n\r\n");
        self.stream().write_all(&bytes)
    }

    pub(super) fn write_chunk(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
        chunk.extend_from_slice(bytes);
        chunk.extend_from_slice(b"\r\n");
        self.stream().write_all(&chunk)
    }

    pub(super) fn write_end(&mut self) -> io::Result<()> {
        self.stream().write_all(b"0\r\n\r\n")
    }

    /// Whether the client closed the connection, or it is broken. A client sends nothing while it waits for a response.
    pub(super) fn is_closed(&mut self) -> bool {
        let stream = self.stream();
        if stream.set_read_timeout(Some(Duration::from_millis(1))).is_err() {
            return true;
        }
        let is_closed = match stream.peek(&mut [0]) {
            Ok(count) => count == 0,
            Err(error) => !matches!(error.kind(), WouldBlock | TimedOut | Interrupted),
        };
        is_closed || stream.set_read_timeout(None).is_err()
    }
}

/// Status line and headers. Values may be more than ASCII: warnings are UTF-8.
fn encoded(head: &response::Parts) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 {}\r\n", head.status).into_bytes();
    for (name, value) in &head.headers {
        bytes.extend_from_slice(name.as_str().as_bytes());
        bytes.extend_from_slice(b": ");
        bytes.extend_from_slice(value.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{Connection, Unread};
    use std::io::{Read, Write};
    use std::net::{Shutdown, TcpListener, TcpStream};
    use std::thread;

    /// A connection, and its client.
    fn connected() -> (Connection, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (Connection::new(listener.accept().unwrap().0), client)
    }

    #[test]
    fn bodies_that_end_early_are_refused() {
        for (body, is_whole) in [
            ("content-length: 4\r\n\r\nbody", true),
            ("content-length: 5\r\n\r\nbody", false),
            ("transfer-encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n", true),
            ("transfer-encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\nfield: value\r\n\r\n", true),
            ("transfer-encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n", false),
            ("content-length: four\r\n\r\nbody", false),
            ("transfer-encoding: chunked\r\n\r\n4\r\nbody\r\n", false),
            ("transfer-encoding: chunked\r\n\r\n5\r\nbody", false),
            ("transfer-encoding: chunked\r\n\r\n3\r\nbody\r\n0\r\n\r\n", false),
        ] {
            let (mut connection, mut client) = connected();
            write!(client, "POST / HTTP/1.1\r\n{body}").unwrap();
            client.shutdown(Shutdown::Write).unwrap();
            let read = connection.read();
            assert_eq!(read.is_ok(), is_whole, "{body:?}");
            assert!(read.is_err() || read.unwrap().unwrap().request.body() == b"body");
        }
    }

    #[test]
    fn refusals_are_read_before_the_connection_ends() {
        let headers = format!("GET / HTTP/1.1\r\na: {}\r\n\r\n", "b".repeat(2 << 20));
        for (request, expected) in [
            (headers.as_str(), "431 Request Header Fields Too Large"),
            ("POST / HTTP/1.1\r\ncontent-length: 99999999999\r\n\r\n{}", "413 Payload Too Large"),
            ("POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nx\r\n", "400 Bad Request"),
            ("garbage\r\n\r\n", "400 Bad Request"),
        ] {
            let (mut connection, mut client) = connected();
            let response = thread::scope(|scope| {
                scope.spawn(|| {
                    let Err(Unread::Refused(refusal)) = connection.read() else { panic!("a request: {request:.60}") };
                    connection.refuse(refusal).unwrap();
                });
                client.write_all(request.as_bytes()).unwrap();
                let mut response = String::new();
                client.read_to_string(&mut response).unwrap();
                drop(client);
                response
            });
            assert!(response.starts_with(&format!("HTTP/1.1 {expected}\r\n")), "{response}");
        }
    }

    #[test]
    fn connections_are_closed_by_an_end_and_by_a_reset() {
        let (mut connection, client) = connected();
        assert!(!connection.is_closed());
        drop(client);
        assert!(connection.is_closed());
        let (mut connection, client) = connected();
        connection.write_chunk(b"an event").unwrap();
        // The event is not read, so that this is a reset.
        drop(client);
        assert!(connection.is_closed());
    }
}
