//! Connections that a server switched to a web socket.

mod handshake;
mod upgraded;

pub use upgraded::{Connection, Upgraded};
