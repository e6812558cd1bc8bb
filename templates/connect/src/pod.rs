//! The configuration that a pod has from its service account.

use crate::config::Config;
use crate::error::Error;
use crate::find::{Environment, Finder};
use crate::kubeconfig::{Cluster, User};
use std::fs;

/// The configuration of a pod. `None` outside of one.
pub(crate) fn config(environment: &Environment, finder: &Finder) -> Result<Option<Config>, Error> {
    let Some(server) = server(environment) else { return Ok(None) };
    let token = environment.service_account.join("token");
    let authority = environment.service_account.join("ca.crt");
    // The pod's authority and token are for the pod's server.
    let is_other = finder.over_cluster.server.is_some();
    let has_authority =
        !is_other && fs::read(&authority).is_ok_and(|pem| contains_certificate(&pem));
    let cluster = Cluster {
        server: Some(server),
        certificate_authority: has_authority.then_some(authority),
        ..Cluster::default()
    };
    let user = User { token_file: (!is_other).then_some(token), ..User::default() };
    let namespace = namespace(environment);
    finder.config(cluster, user, namespace).map(Some)
}

/// The URL of the server, if this is a pod.
fn server(environment: &Environment) -> Option<String> {
    let host = environment.get("KUBERNETES_SERVICE_HOST")?;
    let port = environment.get("KUBERNETES_SERVICE_PORT")?;
    let token = environment.service_account.join("token");
    let is_pod = token.metadata().is_ok_and(|metadata| metadata.is_file());
    let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
    is_pod.then(|| format!("https://{host}:{port}"))
}

/// The namespace of the pod, if this is one.
pub(crate) fn namespace(environment: &Environment) -> Option<String> {
    server(environment)?;
    if let Some(namespace) = environment.get("POD_NAMESPACE") {
        return Some(namespace.to_owned());
    }
    let text = fs::read_to_string(environment.service_account.join("namespace")).ok()?;
    Some(text.trim().to_owned()).filter(|namespace| !namespace.is_empty())
}

/// Whether a file can be an authority: one that is empty or broken is not, and then the roots of
/// the system count.
fn contains_certificate(pem: &[u8]) -> bool {
    crate::pem::certificates(pem).is_ok_and(|certificates| !certificates.is_empty())
}
