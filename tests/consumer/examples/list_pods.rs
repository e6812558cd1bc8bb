//! Prints the pods of a namespace, page by page: run `kubectl proxy`, then this.

use openshift_api::core_v1::pods;
use openshift_api::params::ListParams;
use ureq::http::{Request, Response};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let base = std::env::args().nth(1).unwrap_or_else(|| "http://127.0.0.1:8001".to_owned());
    let params = ListParams::default().label_selector("app=web").limit(100);

    let mut next = Some(pods::list("default", &params)?);
    while let Some(request) = next {
        let page = request.decode(&send(&base, request.to_http())?)?.body;
        for pod in &page.items {
            let phase = pod.status.as_ref().and_then(|status| status.phase.as_deref());
            println!("{} {}", pod.metadata.name.as_deref().unwrap_or_default(), phase.unwrap_or("Unknown"));
        }
        next = request.next_page(&page)?;
    }
    Ok(())
}

/// The client is yours: anything that takes an `http::Request` will do. This one is ureq.
fn send(base: &str, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, ureq::Error> {
    let (mut parts, body) = request.into_parts();
    parts.uri = format!("{base}{}", parts.uri).parse().expect("the base is a URL");
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let (parts, mut body) = agent.run(Request::from_parts(parts, body))?.into_parts();
    Ok(Response::from_parts(parts, body.read_to_vec()?))
}
