//! The streams of `exec`, `attach` and `port-forward`, without I/O: bytes of a WebSocket in,
//! events and bytes to write out.
//!
//! A [`Session`] is the client's end. kapigen-client runs it over any connection; a program with a
//! client of its own feeds it itself:
//!
//! ```
//! use kapigen_runtime::streams::{Event, Frames, Protocol, STDOUT, STATUS, Session};
//!
//! # fn main() -> Result<(), kapigen_runtime::streams::StreamError> {
//! let mut server = Frames::server(); // as a test has it
//! server.send(STDOUT, b"ready\n");
//! server.send(STATUS, br#"{"status":"Success"}"#);
//! server.close(1000, "");
//!
//! let mut session = Session::new(Protocol::V5);
//! session.feed(server.output());
//! let mut output = Vec::new();
//! loop {
//!     match session.next_event()? {
//!         Some(Event::Output(bytes)) => output.extend_from_slice(&bytes),
//!         Some(Event::Ended(exit)) => break assert!(exit.is_success()),
//!         Some(_) => {}
//!         None => break, // until more is fed
//!     }
//! }
//! assert_eq!(output, b"ready\n");
//! # Ok(())
//! # }
//! ```
//!
//! [`Frames`] is either end of the WebSocket below, for servers in tests. [`accept_key`] completes
//! its handshake.

mod error;
mod exit;
mod frames;
mod session;

pub use error::StreamError;
pub use exit::Exit;
pub use frames::{Frame, Frames};
pub use session::{Event, Protocol, Session};
/// The bytes of a message.
pub use tungstenite::Bytes;

/// The channel of the input of a process.
pub const STDIN: u8 = 0;
/// The channel of the output of a process.
pub const STDOUT: u8 = 1;
/// The channel of the error output of a process.
pub const STDERR: u8 = 2;
/// The channel on which a server sends one `Status` at the end of a process.
pub const STATUS: u8 = 3;
/// The channel of the size of a terminal.
pub const RESIZE: u8 = 4;
/// The channel that ends another one, in [`Protocol::V5`]: the message is the other one's number.
pub const CLOSE: u8 = 255;

/// A random value of the header `Sec-WebSocket-Key`.
#[must_use]
pub fn random_key() -> String {
    tungstenite::handshake::client::generate_key()
}

/// The value of the header `Sec-WebSocket-Accept` in the response to a request with this key.
#[must_use]
pub fn accept_key(key: &[u8]) -> String {
    tungstenite::handshake::derive_accept_key(key)
}
