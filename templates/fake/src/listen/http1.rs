//! As much of HTTP/1.1 as a server in tests needs.

use http::{HeaderName, HeaderValue, Method, Request, Uri, response};
use std::io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// The largest head and body that are read.
const HEAD: u64 = 1 << 16;
const BODY: u64 = 1 << 26;

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

fn bad(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

impl Connection {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { reader: BufReader::new(stream) }
    }

    fn stream(&mut self) -> &mut TcpStream {
        self.reader.get_mut()
    }

    /// The next request, or `None` when the client is done.
    pub(super) fn read(&mut self) -> io::Result<Option<Incoming>> {
        let Some(head) = self.read_head()? else { return Ok(None) };
        let mut lines = head.lines();
        let mut words = lines.next().unwrap_or_default().split(' ');
        let method: Method = words.next().unwrap_or_default().parse().map_err(|_| bad("a method"))?;
        let uri: Uri = words.next().unwrap_or_default().parse().map_err(|_| bad("a path"))?;
        let mut request = Request::new(Vec::new());
        (*request.method_mut(), *request.uri_mut()) = (method, uri);
        for (name, value) in lines.filter_map(|line| line.split_once(':')) {
            let name: HeaderName = name.parse().map_err(|_| bad("a header"))?;
            let value = HeaderValue::from_str(value.trim()).map_err(|_| bad("a header"))?;
            request.headers_mut().append(name, value);
        }
        let text = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let length = match text("content-length") {
            "" => 0,
            length => length.parse().map_err(|_| bad("the length of the body"))?,
        };
        let is_chunked = text("transfer-encoding").eq_ignore_ascii_case("chunked");
        let is_last = text("connection").eq_ignore_ascii_case("close");
        if text("expect").eq_ignore_ascii_case("100-continue") {
            self.stream().write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        *request.body_mut() = if is_chunked { self.read_chunks()? } else { self.read_bytes(length)? };
        Ok(Some(Incoming { request, is_last }))
    }

    fn read_head(&mut self) -> io::Result<Option<String>> {
        let mut head = String::new();
        let mut reader = (&mut self.reader).take(HEAD);
        loop {
            let before = head.len();
            if reader.read_line(&mut head)? == 0 {
                return if head.is_empty() { Ok(None) } else { Err(bad("the head ends within")) };
            }
            if head[before..].trim().is_empty() {
                return Ok(Some(head));
            }
        }
    }

    fn read_bytes(&mut self, length: u64) -> io::Result<Vec<u8>> {
        if length > BODY {
            return Err(bad("the body is too large"));
        }
        let mut bytes = Vec::new();
        // Nothing is reserved for bytes that may never come.
        let read = (&mut self.reader).take(length).read_to_end(&mut bytes)?;
        if read as u64 == length { Ok(bytes) } else { Err(bad("the body ends early")) }
    }

    fn read_chunks(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        loop {
            let mut line = String::new();
            (&mut self.reader).take(HEAD).read_line(&mut line)?;
            let size = line.split(';').next().unwrap_or_default().trim();
            let size = u64::from_str_radix(size, 16).map_err(|_| bad("the size of a chunk"))?;
            if size > BODY || bytes.len() as u64 + size > BODY {
                return Err(bad("the body is too large"));
            }
            if size == 0 {
                // Fields that nobody asked for may follow.
                self.read_head()?.ok_or_else(|| bad("the body ends early"))?;
                return Ok(bytes);
            }
            bytes.extend(self.read_bytes(size)?);
            if self.read_bytes(2)? != b"\r\n" {
                return Err(bad("the end of a chunk"));
            }
        }
    }

    pub(super) fn write_whole(&mut self, head: &response::Parts, body: &[u8]) -> io::Result<()> {
        let mut bytes = encoded(head);
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
    use super::Connection;
    use std::io::Write;
    use std::net::{Shutdown, TcpListener, TcpStream};

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
