//! As much of HTTP/1.1 as a server in tests needs.

use http::{HeaderName, HeaderValue, Method, Request, Uri, response};
use std::fmt::Write as _;
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
        let length = text("content-length").parse().unwrap_or(0);
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
        (&mut self.reader).take(length).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn read_chunks(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        loop {
            let mut line = String::new();
            (&mut self.reader).take(HEAD).read_line(&mut line)?;
            let size = line.split(';').next().unwrap_or_default().trim();
            let size = u64::from_str_radix(size, 16).map_err(|_| bad("the size of a chunk"))?;
            if bytes.len() as u64 + size > BODY {
                return Err(bad("the body is too large"));
            }
            bytes.extend(self.read_bytes(size)?);
            self.read_bytes(2)?;
            if size == 0 {
                return Ok(bytes);
            }
        }
    }

    pub(super) fn write_whole(&mut self, head: &response::Parts, body: &[u8]) -> io::Result<()> {
        let mut text = head_text(head);
        write!(text, "content-length: {}\r\n\r\n", body.len()).map_err(io::Error::other)?;
        let mut bytes = text.into_bytes();
        bytes.extend_from_slice(body);
        self.stream().write_all(&bytes)
    }

    /// Begins a response whose body comes in chunks.
    pub(super) fn write_head(&mut self, head: &response::Parts) -> io::Result<()> {
        let text = head_text(head) + "transfer-encoding: chunked\r\n\r\n";
        self.stream().write_all(text.as_bytes())
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

    /// Whether the client closed the connection. It sends nothing while it waits for a response.
    pub(super) fn is_closed(&mut self) -> bool {
        let stream = self.stream();
        if stream.set_read_timeout(Some(Duration::from_millis(1))).is_err() {
            return true;
        }
        let is_closed = matches!(stream.peek(&mut [0]), Ok(0));
        is_closed || stream.set_read_timeout(None).is_err()
    }
}

fn head_text(head: &response::Parts) -> String {
    let mut text = format!("HTTP/1.1 {}\r\n", head.status);
    for (name, value) in &head.headers {
        text.push_str(name.as_str());
        text.push_str(": ");
        text.push_str(value.to_str().unwrap_or_default());
        text.push_str("\r\n");
    }
    text
}
