//! Serves images of `image.openshift.io` from memory, with hyper: lists, reads, creates and deletes
//! them.
//!
//! The router finds the operation of a request, decodes its arguments and its body, and refuses all
//! else as an API server does.

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response, StatusCode, server::conn::http1, service::service_fn};
use openshift_api::image_v1::{Image, ImageList};
use openshift_api::route::{Refusal, Router};
use openshift_api::{Verb, to_vec};
use std::{collections::BTreeMap, error::Error, sync::Mutex};

type Images = BTreeMap<String, Image>;

fn handle(
    router: &Router,
    images: &mut Images,
    request: &Request<Bytes>,
) -> Result<Vec<u8>, Refusal> {
    let route = router.route(request)?;
    let name = route.argument("name").unwrap_or_default();
    let missing =
        || Refusal::new(StatusCode::NOT_FOUND, "NotFound", format!("image \"{name}\" not found"));
    match route.operation().verb {
        _ if route.operation().resource != "images" || route.is_watch() => {
            Err(Refusal::method_not_allowed())
        }
        Verb::List => Ok(to_vec(&ImageList {
            items: images.values().cloned().collect(),
            ..Default::default()
        })),
        Verb::Get => images.get(name).map(to_vec).ok_or_else(missing),
        Verb::Delete => images.remove(name).map(|image| to_vec(&image)).ok_or_else(missing),
        Verb::Create => {
            let image: Image = route.body()?;
            let name = image.metadata.name.clone().unwrap_or_default();
            Ok(to_vec(images.entry(name).insert_entry(image).get()))
        }
        _ => Err(Refusal::method_not_allowed()),
    }
}

async fn serve(listener: tokio::net::TcpListener) -> Result<(), Box<dyn Error>> {
    println!("http://{}", listener.local_addr()?);
    let state: &(Router, Mutex<Images>) =
        Box::leak(Box::new((Router::new(&[openshift_api::API]), Mutex::default())));
    loop {
        let stream = hyper_util::rt::TokioIo::new(listener.accept().await?.0);
        let service = service_fn(|request: Request<Incoming>| async {
            let (head, body) = request.into_parts();
            let request = Request::from_parts(head, body.collect().await?.to_bytes());
            let result = handle(&state.0, &mut state.1.lock().unwrap(), &request);
            let response = result.map_or_else(|refusal| refusal.to_http(), Response::new);
            Ok::<_, hyper::Error>(response.map(|body| Full::new(Bytes::from(body))))
        });
        tokio::spawn(http1::Builder::new().serve_connection(stream, service));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8001".to_owned());
    runtime.block_on(async { serve(tokio::net::TcpListener::bind(address).await?).await })
}
