//! Measures kapigen-fake.

use kapigen_fake::{FakeService, Server};

fn main() {
    measure::run(|| async {
        kube::Client::new(FakeService::new(Server::new(&[openshift_api::DOCUMENTS])), "default")
    });
}
