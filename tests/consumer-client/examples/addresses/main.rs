//! Reserves addresses for pods: one of several processes works. Finds the cluster as `kubectl`
//! does, and within a pod by its service account.

mod operator;

use kapigen_client::Client;
use tokio::signal::unix::{SignalKind, signal};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt::init();
    let client = Client::connect().await?;
    // A kubelet ends a pod with SIGTERM. The lease is released then, and another process works at
    // once.
    let mut terminated = signal(SignalKind::terminate())?;
    let identity = std::env::var("HOSTNAME")?;
    Ok(operator::operate(&client, &identity, terminated.recv()).await?)
}
