//! kube's client as a service.

use kapigen_runtime::http::{Request, Response};
use kube::Client;
use kube::client::Body;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use tower_service::Service;

/// A [`kube::Client`] as a tower service, for the clients that run requests over one, such as
/// kapigen-client.
///
/// It sends requests to the cluster of the client, with its credentials. The paths come from
/// generated requests.
///
/// ```
/// use kapigen_client::Client;
/// use kapigen_kube::KubeService;
/// use openshift_api::image_v1::images;
///
/// /// Lists images through kube's connection, decoded by the tables of the kind.
/// async fn list(client: kube::Client) -> Result<(), Box<dyn std::error::Error>> {
///     let client = Client::with_bodies(KubeService::new(client));
///     for image in client.send(images::list(&Default::default())?).await?.body.items {
///         println!("{:?}", image.metadata.name);
///     }
///     Ok(())
/// }
/// ```
#[derive(Clone)]
pub struct KubeService(Client);

impl KubeService {
    /// A service that sends requests through this client.
    #[must_use]
    pub fn new(client: Client) -> Self {
        Self(client)
    }
}

impl Service<Request<Body>> for KubeService {
    type Response = Response<Body>;
    type Error = kube::Error;
    type Future = Pin<Box<dyn Future<Output = kube::Result<Response<Body>>> + Send>>;

    /// The client waits for its connection when it sends.
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<kube::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let client = self.0.clone();
        Box::pin(async move { client.send(request).await })
    }
}

impl fmt::Debug for KubeService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KubeService").finish_non_exhaustive()
    }
}
