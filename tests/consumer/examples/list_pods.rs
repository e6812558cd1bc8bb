//! Prints the pods of a namespace, page by page: run `kubectl proxy`, then this.

use openshift_api::core_v1::{PodStatusPhase, pods};
use openshift_api::params::ListParams;
use ureq::Agent;
use ureq::http::{self, Request, Response};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let base = std::env::args().nth(1).unwrap_or_else(|| "http://127.0.0.1:8001".to_owned());
    // Refusals stay responses here: `decode` turns them into errors that have the reason.
    let agent: Agent = Agent::config_builder().http_status_as_error(false).build().into();

    let mut next =
        Some(pods::list("default", &ListParams::default().label_selector("app=web").limit(100))?);
    while let Some(request) = next {
        let page = request.decode(&send(&agent, &base, request.to_http())?)?.body;
        for pod in &page.items {
            let phase = pod.status.as_ref().and_then(|status| status.phase.as_ref());
            println!(
                "{} {}",
                pod.metadata.name.as_deref().unwrap_or_default(),
                phase.map_or("Unknown", PodStatusPhase::as_str)
            );
        }
        next = request.next_page(&page)?;
    }
    Ok(())
}

/// The client is yours: anything that takes an `http::Request` will do. This one is ureq.
fn send(
    agent: &Agent,
    base: &str,
    request: Request<Vec<u8>>,
) -> Result<Response<Vec<u8>>, ureq::Error> {
    let (mut head, body) = request.into_parts();
    head.uri = format!("{base}{}", head.uri).parse().map_err(http::Error::from)?;
    let (head, mut body) = agent.run(Request::from_parts(head, body))?.into_parts();
    // Its usual limit of 10 MB is less than a page of large objects.
    Ok(Response::from_parts(head, body.with_config().limit(1 << 30).read_to_vec()?))
}
