//! Processes in containers, over connections that a server switched to a web socket.
//!
//! [`Client::exec`](crate::Client::exec) and [`attach`](crate::Client::attach) return a
//! [`Process`], and [`upgrade`](crate::Client::upgrade) the bare connection. All services over
//! hyper can switch, such as the clients of hyper-util, kube and reqwest; others give their
//! connection as an [`Upgraded`].

mod handshake;
mod process;
mod shared;
mod upgraded;

pub use kapigen_runtime::streams::Exit;
pub use process::{Output, OutputReader, Process, Stdin};
pub use upgraded::{Connection, Upgraded};
