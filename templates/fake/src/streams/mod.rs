//! Processes in containers and ports of pods, as tests script them.
//!
//! [`Server::on_exec`](crate::Server::on_exec), [`on_attach`](crate::Server::on_attach) and
//! [`on_forward`](crate::Server::on_forward) set what runs. Clients connect over a WebSocket,
//! through `FakeService` in a tokio runtime, or through a socket.
//!
//! ```
//! use kapigen_fake::Server;
//! use kapigen_fake::streams::Script;
//!
//! let server = Server::default();
//! server.on_exec(|process| async move {
//!     match &process.command[..] {
//!         [date] if date == "date" => Script::default().stdout("noon\n").run(process).await,
//!         [cat] if cat == "cat" => Script::default().echo().run(process).await,
//!         [other, ..] => Err(format!("{other}: no such file")),
//!         [] => Script::default().stderr("what?\n").exit(1).run(process).await,
//!     }
//! });
//! ```

mod forward;
mod handshake;
mod process;
mod pump;
mod script;
mod status;

pub(crate) use forward::Serve;
pub(crate) use handshake::{Accepted, Handler, accept};
pub(crate) use process::Run;

pub use forward::Forwarded;
pub use process::{Process, Sizes};
pub use script::Script;

use pump::Pump;
use std::future::Future;
use std::pin::Pin;

/// The work of a test for a stream.
type Work<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// The bytes that a pipe holds.
const PIPE: usize = 64 << 10;
