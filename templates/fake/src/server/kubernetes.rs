// not vendored
//! A server with the kinds of Kubernetes.

use super::Server;
use crate::registry::packed::add_kubernetes;

impl Server {
    /// A server with the built-in kinds of Kubernetes 1.36: of all its stable groups. Their
    /// documents are in this crate, without descriptions, and parsed when a request needs them.
    ///
    /// ```
    /// use kapigen_fake::Server;
    /// use serde_json::json;
    ///
    /// let server = Server::kubernetes();
    /// let role = json!({
    ///     "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
    ///     "metadata": {"name": "reader"}, "rules": [],
    /// });
    /// server.create(&role).unwrap();
    /// ```
    #[must_use]
    pub fn kubernetes() -> Self {
        let server = Self::default();
        add_kubernetes(&mut server.shared.lock().state.registry);
        server
    }
}
