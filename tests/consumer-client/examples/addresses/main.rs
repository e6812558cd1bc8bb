//! Reserves addresses for pods. With several replicas, only the elected leader works. Finds the
//! cluster as `kubectl` does, and in a pod by its service account.

mod operator;

use kapigen_client::Client;
use tokio::signal::unix::{SignalKind, signal};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt::init();
    let client = Client::connect().await?;
    // A kubelet ends a pod with SIGTERM. Then the lease is released, and another replica takes over
    // at once.
    let mut terminated = signal(SignalKind::terminate())?;
    let identity = std::env::var("HOSTNAME")?;
    Ok(operator::operate(&client, &identity, terminated.recv()).await?)
}
