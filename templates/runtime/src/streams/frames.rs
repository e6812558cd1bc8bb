//! Messages of a WebSocket, over bytes in memory.

use super::error::StreamError;
use std::fmt;
use std::io::{self, Read, Write};
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, Role, WebSocketConfig, WebSocketContext};
use tungstenite::{Bytes, Error, Message};

/// The maximum number of bytes of a message. Servers send 32 KiB at most.
const LARGEST: usize = 1 << 20;

/// One end of a WebSocket that carries channels. It does no I/O: [`feed`](Self::feed) it what the
/// connection brings, and write its [`output`](Self::output) to the connection.
///
/// It returns pings and the close frame of the peer by itself.
pub struct Frames {
    web: WebSocketContext,
    role: Role,
    memory: Memory,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Frame {
    /// Bytes of a channel.
    Data(u8, Bytes),
    /// The peer closed the WebSocket with this code and reason. There is no more.
    Closed(u16, String),
}

impl Frames {
    /// The end of a client.
    #[must_use]
    pub fn client() -> Self {
        Self::new(Role::Client)
    }

    /// The end of a server. It takes messages of text as well, which the Python client sends, and
    /// ignores empty ones.
    #[must_use]
    pub fn server() -> Self {
        Self::new(Role::Server)
    }

    fn new(role: Role) -> Self {
        let config = WebSocketConfig::default()
            .read_buffer_size(16 << 10)
            .write_buffer_size(0)
            .max_message_size(Some(LARGEST))
            .max_frame_size(Some(LARGEST));
        let web = WebSocketContext::new(role, Some(config));
        Self { web, role, memory: Memory::default() }
    }

    /// Takes bytes of the connection.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.memory.compact();
        self.memory.input.extend_from_slice(bytes);
    }

    /// Notes that the connection brings no more bytes.
    pub fn end(&mut self) {
        self.memory.has_ended = true;
    }

    /// The next message. `None` if more bytes are needed.
    ///
    /// # Errors
    /// When the peer broke the protocol, or the connection ended without a close frame.
    pub fn next_frame(&mut self) -> Result<Option<Frame>, StreamError> {
        loop {
            let message = match self.web.read(&mut self.memory) {
                Ok(Message::Text(text)) if self.role == Role::Server => {
                    Ok(Message::Binary(text.into()))
                }
                other => other,
            };
            match message {
                Ok(Message::Binary(message)) => {
                    let Some(channel) = message.first() else {
                        if self.role == Role::Server {
                            continue;
                        }
                        return Err(StreamError::Protocol("a message has no channel".to_owned()));
                    };
                    return Ok(Some(Frame::Data(*channel, message.slice(1..))));
                }
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                Ok(Message::Close(frame)) => {
                    // The response to it is written with the rest.
                    let _ = self.web.flush(&mut self.memory);
                    let frame = frame.unwrap_or(CloseFrame {
                        code: CloseCode::Status,
                        reason: String::new().into(),
                    });
                    let reason = frame.reason.as_str().to_owned();
                    return Ok(Some(Frame::Closed(frame.code.into(), reason)));
                }
                Ok(Message::Text(_) | Message::Frame(_)) => {
                    return Err(StreamError::Protocol("a message of text".to_owned()));
                }
                Err(Error::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => {
                    return Ok(None);
                }
                Err(_) if self.memory.is_at_end() => return Err(StreamError::Broken),
                Err(error) => return Err(StreamError::Protocol(error.to_string())),
            }
        }
    }

    /// Sends bytes on a channel.
    pub fn send(&mut self, channel: u8, bytes: &[u8]) {
        let mut message = Vec::with_capacity(1 + bytes.len());
        message.push(channel);
        message.extend_from_slice(bytes);
        self.write(Message::Binary(message.into()));
    }

    /// Sends a ping, to which the peer has to respond.
    pub fn ping(&mut self) {
        self.write(Message::Ping(Bytes::new()));
    }

    /// Sends a close frame, after which nothing is sent. 1000 is the usual code.
    pub fn close(&mut self, code: u16, reason: &str) {
        let frame = CloseFrame { code: code.into(), reason: reason.to_owned().into() };
        self.write(Message::Close(Some(frame)));
    }

    /// Memory takes all, so the only error is that the WebSocket is closed: then nobody reads.
    fn write(&mut self, message: Message) {
        let _ = self.web.write(&mut self.memory, message);
    }

    /// The bytes to write to the connection.
    #[must_use]
    pub fn output(&self) -> &[u8] {
        &self.memory.output[self.memory.written..]
    }

    /// Notes that so many bytes of the output were written.
    ///
    /// # Panics
    /// When there are not so many.
    pub fn written(&mut self, count: usize) {
        assert!(count <= self.output().len(), "{count} bytes of {}", self.output().len());
        self.memory.written += count;
        if self.memory.written == self.memory.output.len() {
            self.memory.output.clear();
            self.memory.written = 0;
        }
    }
}

impl fmt::Debug for Frames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frames").field("output", &self.output().len()).finish_non_exhaustive()
    }
}

/// A connection in memory.
#[derive(Default)]
struct Memory {
    input: Vec<u8>,
    /// The number of bytes of the input that were read.
    read: usize,
    /// Whether the connection brings no more.
    has_ended: bool,
    output: Vec<u8>,
    /// The number of bytes of the output that were written to the connection.
    written: usize,
}

impl Memory {
    /// Drops the input that was read.
    fn compact(&mut self) {
        self.input.drain(..self.read);
        self.read = 0;
    }

    fn is_at_end(&self) -> bool {
        self.has_ended && self.read == self.input.len()
    }
}

impl Read for Memory {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = &self.input[self.read..];
        if rest.is_empty() && !self.has_ended {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.read += count;
        Ok(count)
    }
}

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
