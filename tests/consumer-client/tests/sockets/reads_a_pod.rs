//! A test with a client: the page about tests quotes it.

use kapigen_client::Client;
use kapigen_fake::{Action, FakeService, Fault, Server};
use openshift_api::core_v1::{Pod, pods};
use openshift_api::http::StatusCode;

#[tokio::test]
async fn reads_a_pod() -> Result<(), Box<dyn std::error::Error>> {
    let server = Server::new(&[openshift_api::DOCUMENTS]);
    let mut pod = Pod::default();
    pod.metadata.name = Some("web".to_owned());
    server.create(&pod)?;
    // The first request fails, so the client repeats it.
    let refusal = Action::Refuse(StatusCode::SERVICE_UNAVAILABLE, None);
    server.inject(Fault::new(refusal).verb("get").times(1));

    let client = Client::new(FakeService::new(server.clone()));
    let pod = client.send(pods::get("default", "web", &Default::default())?).await?.body;
    assert_eq!(pod.metadata.uid.as_deref(), Some("00000000-0000-4000-8000-000000000001"));
    assert_eq!(server.requests().len(), 2);
    Ok(())
}
