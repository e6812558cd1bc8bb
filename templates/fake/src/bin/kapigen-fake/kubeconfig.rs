//! The kubeconfig of a server without TLS.

use serde_json::{Value, json};

/// A kubeconfig whose current context is the server at this URL. JSON is YAML, too, and needs no quoting of its own.
pub(crate) fn of(url: &str, token: Option<&str>) -> String {
    let user = token.map_or_else(|| json!({}), |token| json!({"token": token}));
    // The JavaScript client refuses HTTP unless it need not verify.
    let cluster = json!({"server": url, "insecure-skip-tls-verify": true});
    let kubeconfig: Value = json!({
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "fake", "cluster": cluster}],
        "users": [{"name": "fake", "user": user}],
        "contexts": [{"name": "fake", "context": {"cluster": "fake", "user": "fake"}}],
        "current-context": "fake",
    });
    format!("{kubeconfig:#}\n")
}
