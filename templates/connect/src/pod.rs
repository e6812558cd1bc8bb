//! The service account of a pod.

use crate::environment::Environment;
use crate::kubeconfig::{Cluster, User};
use crate::pem;
use std::fs;

/// The cluster, user and namespace of a pod.
pub(crate) struct Account {
    pub(crate) cluster: Cluster,
    pub(crate) user: User,
    pub(crate) namespace: Option<String>,
}

/// The service account. `None` outside of a pod.
pub(crate) fn account(environment: &Environment) -> Option<Account> {
    let host = environment.get("KUBERNETES_SERVICE_HOST")?;
    let port = environment.get("KUBERNETES_SERVICE_PORT")?;
    let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
    let folder = &environment.service_account;
    let [token, authority, namespace] =
        ["token", "ca.crt", "namespace"].map(|name| folder.join(name));
    if !token.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return None;
    }
    // Without one that can be used, the roots of the system count.
    let is_authority = fs::read(&authority).is_ok_and(|pem| pem::certificates(&pem).is_ok());
    let cluster = Cluster {
        server: Some(format!("https://{host}:{port}")),
        certificate_authority: is_authority.then_some(authority),
        ..Cluster::default()
    };
    let user = User { token_file: Some(token), ..User::default() };
    let stated = environment.get("POD_NAMESPACE").map(str::to_owned);
    let namespace = stated.or_else(|| {
        let text = fs::read_to_string(namespace).ok()?;
        Some(text.trim().to_owned()).filter(|namespace| !namespace.is_empty())
    });
    Some(Account { cluster, user, namespace })
}
