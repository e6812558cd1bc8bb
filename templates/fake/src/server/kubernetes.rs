//! A server with the kinds of Kubernetes. // not vendored

use super::Server;

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
        server.shared.lock().state.registry.add_kubernetes();
        server
    }
}
