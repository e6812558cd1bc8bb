//! Runs the controller against the cluster of `kubectl`, or in a pod against its own.

use kapigen_client::Client;
use tokio::signal::unix::{SignalKind, signal};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt::init();
    let client = Client::connect().await?;
    let mut terminated = signal(SignalKind::terminate())?;
    let identity = std::env::var("HOSTNAME")?;
    Ok(gateway_own::operate(&client, &identity, terminated.recv()).await?)
}
