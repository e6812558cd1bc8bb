//! Runs the controller against the cluster of `kubectl`, or in a pod against its own.

use tokio::signal::unix::{SignalKind, signal};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt::init();
    let client = kube::Client::try_default().await?;
    let mut terminated = signal(SignalKind::terminate())?;
    let identity = std::env::var("HOSTNAME")?;
    Ok(gateway_peer::operate(client, &identity, terminated.recv()).await?)
}
