//! Processes in containers and connections to ports of pods, over WebSockets.
//!
//! [`Client::exec`](crate::Client::exec) and [`attach`](crate::Client::attach) return a
//! [`Process`], [`forward`](crate::Client::forward) a connection to a port, and
//! [`upgrade`](crate::Client::upgrade) the bare connection. All services over
//! hyper can switch, such as the clients of hyper-util, kube and reqwest; others give their
//! connection as an [`Upgraded`].

mod forward;
mod handshake;
mod listener;
mod process;
mod shared;
mod upgraded;

pub use forward::Forward;
pub use kapigen_runtime::streams::Exit;
pub use listener::ForwardListener;
pub use process::{Output, OutputReader, Process, Stdin};
pub use upgraded::{Connection, Upgraded};
