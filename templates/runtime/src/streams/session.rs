//! The client's end of a session.

use super::error::StreamError;
use super::exit::Exit;
use super::frames::{Frame, Frames};
use super::{CLOSE, RESIZE, STATUS, STDERR, STDIN, STDOUT};
use std::mem;
use std::time::Duration;
use tungstenite::Bytes;

/// The time between two pings.
const PING: Duration = Duration::from_secs(5);
/// The longest time without a sign of the peer, and without progress of what is written.
const PATIENCE: Duration = Duration::from_secs(60);
/// The longest time from the status of a process to the end of its session.
const CLOSING: Duration = Duration::from_secs(10);
/// The bytes of a message.
const CHUNK: usize = 32 << 10;

/// A subprotocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// `v5.channel.k8s.io`, since Kubernetes 1.29.
    V5,
    /// `v4.channel.k8s.io`. It cannot end the input of a process. Forwards have no other.
    V4,
}

impl Protocol {
    /// All, best first.
    pub const ALL: [Self; 2] = [Self::V5, Self::V4];

    /// The name in the header `Sec-WebSocket-Protocol`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V5 => "v5.channel.k8s.io",
            Self::V4 => "v4.channel.k8s.io",
        }
    }
}

/// An event of a [`Session`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// Bytes of the output of a process, or from a port. They are never empty.
    Output(Bytes),
    /// Bytes of the error output of a process.
    Error(Bytes),
    /// The server ended the session. There are no more events. For a forward it is always
    /// [`Exit::Unknown`].
    Ended(Exit),
}

/// The client's end of one `exec`, `attach` or forward. It does no I/O, and takes the time as the
/// time since its begin.
#[derive(Debug)]
pub struct Session {
    frames: Frames,
    kind: Kind,
    has_ended: bool,
    times: Times,
}

#[derive(Debug)]
enum Kind {
    /// A process, and its end if the server reported it.
    Process(Protocol, Option<Exit>),
    /// A forward to a port. The server states it first on both channels.
    Forward { port: u16, stated: [bool; 2] },
}

#[derive(Debug, Default)]
struct Times {
    /// The last call.
    now: Duration,
    next_ping: Duration,
    /// The time without bytes of the peer, while they would have been read.
    quiet: Duration,
    /// The time without progress of the output.
    stuck: Duration,
    /// The time since the status of the process.
    closing: Duration,
}

impl Session {
    /// A session of `exec` or `attach` in the subprotocol that the server chose.
    #[must_use]
    pub fn new(protocol: Protocol) -> Self {
        Self::of(Kind::Process(protocol, None))
    }

    /// A session of a forward to one port, in [`Protocol::V4`].
    #[must_use]
    pub fn forward(port: u16) -> Self {
        Self::of(Kind::Forward { port, stated: [false; 2] })
    }

    fn of(kind: Kind) -> Self {
        Self { frames: Frames::client(), kind, has_ended: false, times: Times::default() }
    }

    /// Takes bytes of the connection. Take all [events](Self::next_event) before more is fed, so
    /// that memory is bounded.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.times.quiet = Duration::ZERO;
        self.frames.feed(bytes);
    }

    /// Notes that the connection brings no more bytes.
    pub fn end(&mut self) {
        self.frames.end();
    }

    /// The next event. `None` if more bytes are needed, and after the end.
    ///
    /// # Errors
    /// When the session failed: there are no more events.
    pub fn next_event(&mut self) -> Result<Option<Event>, StreamError> {
        while !self.has_ended {
            let event = match self.frames.next_frame() {
                Ok(None) => return Ok(None),
                Ok(Some(Frame::Data(channel, bytes))) => self.data(channel, bytes),
                Ok(Some(Frame::Closed(code, reason))) => self.closed(code, reason).map(Some),
                Err(StreamError::Broken) => self.broken().map(Some),
                Err(error) => Err(error),
            };
            if let Err(_) | Ok(Some(Event::Ended(_))) = event {
                self.has_ended = true;
            }
            if event != Ok(None) {
                return event;
            }
        }
        Ok(None)
    }

    /// The event of a message. `None` if it has none.
    fn data(&mut self, channel: u8, bytes: Bytes) -> Result<Option<Event>, StreamError> {
        let unknown = || StreamError::Protocol(format!("a message on the channel {channel}"));
        match &mut self.kind {
            Kind::Forward { port, stated } => {
                let is_stated = stated.get_mut(usize::from(channel)).ok_or_else(unknown)?;
                if !mem::replace(is_stated, true) {
                    if *bytes == port.to_le_bytes() {
                        return Ok(None);
                    }
                    return Err(StreamError::Protocol(format!(
                        "the channel {channel} does not begin with the port {port}"
                    )));
                }
                match channel {
                    _ if bytes.is_empty() => Ok(None),
                    0 => Ok(Some(Event::Output(bytes))),
                    _ => Err(StreamError::Refused(String::from_utf8_lossy(&bytes).into_owned())),
                }
            }
            // A session begins with an empty message.
            Kind::Process(..) if bytes.is_empty() => Ok(None),
            Kind::Process(_, exit) => match channel {
                STDOUT => Ok(Some(Event::Output(bytes))),
                STDERR => Ok(Some(Event::Error(bytes))),
                STATUS if exit.is_some() => {
                    Err(StreamError::Protocol("a second status".to_owned()))
                }
                STATUS => {
                    *exit = Some(Exit::from_message(&bytes)?);
                    Ok(None)
                }
                CLOSE => Ok(None),
                _ => Err(unknown()),
            },
        }
    }

    /// The server closed the WebSocket.
    fn closed(&mut self, code: u16, reason: String) -> Result<Event, StreamError> {
        match self.exit() {
            Some(exit) => Ok(Event::Ended(exit)),
            None if matches!(code, 1000 | 1001 | 1005) => Ok(Event::Ended(Exit::Unknown)),
            None => Err(StreamError::Closed { code, reason }),
        }
    }

    /// The connection ended without a close frame. After the status, nothing is missing.
    fn broken(&mut self) -> Result<Event, StreamError> {
        self.exit().map(Event::Ended).ok_or(StreamError::Broken)
    }

    fn exit(&mut self) -> Option<Exit> {
        match &mut self.kind {
            Kind::Process(_, exit) => exit.take(),
            Kind::Forward { .. } => None,
        }
    }

    /// Sends bytes to the input of the process, or to the port. The [output](Self::output) grows by
    /// them: write it before there is more.
    pub fn send(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(CHUNK) {
            self.frames.send(STDIN, chunk);
        }
    }

    /// Ends the input of a process. A forward has no such end: the port's process does not learn
    /// that there is no more, until the session is closed.
    ///
    /// # Errors
    /// [`StreamError::NoEndOfInput`] in [`Protocol::V4`], where only the process can end its input.
    pub fn end_input(&mut self) -> Result<(), StreamError> {
        match self.kind {
            Kind::Process(Protocol::V5, _) => self.frames.send(CLOSE, &[STDIN]),
            Kind::Process(Protocol::V4, _) => return Err(StreamError::NoEndOfInput),
            Kind::Forward { .. } => {}
        }
        Ok(())
    }

    /// Sends the size of the terminal, in characters.
    pub fn resize(&mut self, width: u16, height: u16) {
        let size = format!(r#"{{"Width":{width},"Height":{height}}}"#);
        self.frames.send(RESIZE, size.as_bytes());
    }

    /// Closes the WebSocket: nothing more is sent.
    pub fn close(&mut self) {
        self.frames.close(1000, "");
    }

    /// The bytes to write to the connection.
    #[must_use]
    pub fn output(&self) -> &[u8] {
        self.frames.output()
    }

    /// Notes that so many bytes of the output were written.
    ///
    /// # Panics
    /// When there are not so many.
    pub fn written(&mut self, count: usize) {
        self.times.stuck = Duration::ZERO;
        self.frames.written(count);
    }

    /// Sends pings, and checks the times of the peer. Returns the time at which to call it again.
    /// While nothing is read from the connection, the peer may be silent.
    ///
    /// # Errors
    /// When the peer was silent, or did not take the output, for a minute.
    pub fn tick(&mut self, now: Duration, is_reading: bool) -> Result<Duration, StreamError> {
        let times = &mut self.times;
        let passed = now.saturating_sub(mem::replace(&mut times.now, now));
        times.quiet += if is_reading { passed } else { Duration::ZERO };
        times.stuck += if self.frames.output().is_empty() { Duration::ZERO } else { passed };
        if let Kind::Process(_, Some(_)) = self.kind {
            times.closing += if is_reading { passed } else { Duration::ZERO };
            if times.closing >= CLOSING {
                self.frames.end();
            }
        }
        if times.quiet >= PATIENCE {
            return Err(StreamError::Silent(PATIENCE));
        }
        if times.stuck >= PATIENCE {
            return Err(StreamError::Stuck(PATIENCE));
        }
        if times.next_ping <= now {
            times.next_ping = now + PING;
            // Behind output that the peer does not take, a ping is of no use.
            if self.frames.output().is_empty() {
                self.frames.ping();
            }
        }
        Ok(times.next_ping)
    }
}
