//! Connections to ports of pods, as a test serves them.

use super::pump::{Input, Output, Pump, Task};
use super::{PIPE, Work};
use crate::verbs::Target;
use kapigen_runtime::streams::Frames;
use std::future::{Future, pending, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::{fmt, io};
use tokio::io::{DuplexStream, copy, duplex, split};
use tokio::net::{TcpStream, ToSocketAddrs};

/// What a test does with a connection, and why it fails.
pub(crate) type Serve = Arc<dyn Fn(Forwarded) -> Work<Result<(), String>> + Send + Sync>;

/// A connection of a client to a port of a pod.
#[non_exhaustive]
pub struct Forwarded {
    /// The namespace of the pod.
    pub namespace: String,
    /// The name of the pod.
    pub pod: String,
    /// The port.
    pub port: u16,
    /// The connection. Its protocol has no end of what the client writes, other than the end of
    /// all.
    pub connection: DuplexStream,
}

impl Forwarded {
    /// Forwards to a socket of this machine, such as `127.0.0.1:8080`.
    ///
    /// # Errors
    /// When the socket is not there, or the connection to it breaks.
    pub async fn to(self, address: impl ToSocketAddrs) -> Result<(), String> {
        let Self { pod, port, connection, .. } = self;
        forward(connection, address)
            .await
            .map_err(|error| format!("error forwarding port {port} to pod {pod}, uid : {error}"))
    }
}

impl fmt::Debug for Forwarded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Forwarded")
            .field("pod", &self.pod)
            .field("port", &self.port)
            .finish_non_exhaustive()
    }
}

/// Copies in both directions until the socket ends.
async fn forward(connection: DuplexStream, address: impl ToSocketAddrs) -> io::Result<()> {
    let (mut read, mut write) = TcpStream::connect(address).await?.into_split();
    let (mut input, mut output) = split(connection);
    let mut there = pin!(async {
        // A socket that takes no more may still have something to say.
        let _ = copy(&mut input, &mut write).await;
        pending::<()>().await;
    });
    let mut back = pin!(copy(&mut read, &mut output));
    // The end of the socket is the end of all.
    let copied = poll_fn(|context| {
        let _ = there.as_mut().poll(context);
        back.as_mut().poll(context)
    });
    copied.await.map(drop)
}

/// Starts a connection to each port. The channels of each are its bytes and its error.
pub(super) fn start(target: &Target, ports: &[u16], serve: &Serve) -> Pump {
    let mut frames = Frames::server();
    let mut tasks = Vec::new();
    for (port, channel) in ports.iter().zip((0..=u8::MAX).step_by(2)) {
        frames.send(channel, &port.to_le_bytes());
        frames.send(channel + 1, &port.to_le_bytes());
        let (connection, own) = duplex(PIPE);
        let work = serve(Forwarded {
            namespace: target.namespace.clone(),
            pod: target.pod.clone(),
            port: *port,
            connection,
        });
        let work = Box::pin(async move { work.await.err().map(String::into_bytes) });
        let (output, input) = split(own);
        let outputs = vec![Output::new(channel, output, true)];
        tasks.push(Task::new(work, channel + 1, outputs, Input::new(channel, Some(input))));
    }
    Pump::new(frames, tasks)
}
