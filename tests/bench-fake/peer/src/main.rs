//! Measures kube-fake-client.

use kube_fake_client::ClientBuilder;

fn main() {
    measure::run(|| async { ClientBuilder::new().build().await.expect("a client") });
}
