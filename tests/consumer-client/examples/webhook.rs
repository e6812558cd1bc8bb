//! An admission webhook behind hyper and rustls: denies pods without the label `team`, and labels
//! all others. It takes the address to listen at, and finds `tls.crt` and `tls.key` in the folder
//! that it runs in.

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use openshift_api::admission::{AdmissionRequest, ReviewError};
use openshift_api::core_v1::Pod;
use std::{env, error::Error, sync::Arc};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use tokio_rustls::{TlsAcceptor, rustls::ServerConfig};

fn review(body: &[u8]) -> Result<Vec<u8>, ReviewError> {
    let request = AdmissionRequest::decode(body)?;
    let old: Pod = request.object_as()?;
    let mut pod = old.clone();
    let labels = pod.metadata.labels.get_or_insert_default();
    labels.insert("reviewed".to_owned(), "yes".to_owned());
    let has_team = labels.contains_key("team");
    let response = if has_team {
        request.allow_with(&old, &pod)?
    } else {
        request.deny("pods need the label `team`")
    };
    Ok(response.encode())
}

async fn respond(
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Box<dyn Error + Send + Sync>> {
    let body = Limited::new(request.into_body(), 8 << 20).collect().await?.to_bytes();
    let (status, body) =
        review(&body).map_or_else(|error| (400, error.to_string().into()), |body| (200, body));
    Ok(Response::builder()
        .status(status)
        .header("content-type", "application/json")
        .body(body.into())?)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let certificates = CertificateDer::pem_file_iter("tls.crt")?.collect::<Result<_, _>>()?;
    let tls = ServerConfig::builder().with_no_client_auth();
    let tls = tls.with_single_cert(certificates, PrivateKeyDer::from_pem_file("tls.key")?)?;
    let acceptor = TlsAcceptor::from(Arc::new(tls));
    let listener =
        tokio::net::TcpListener::bind(env::args().nth(1).as_deref().unwrap_or("0.0.0.0:8443"))
            .await?;
    println!("listening at {}", listener.local_addr()?);
    loop {
        let handshake = acceptor.accept(listener.accept().await?.0);
        tokio::spawn(async move {
            let Ok(stream) = handshake.await else { return };
            _ = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service_fn(respond))
                .await;
        });
    }
}
