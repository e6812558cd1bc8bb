//! The kubeconfig of a server without TLS and without credentials.

/// A kubeconfig whose current context is the server at this URL.
pub fn of(url: &str) -> String {
    format!(
        "apiVersion: v1
kind: Config
clusters:
- name: fake
  cluster:
    server: {url}
users:
- name: fake
  user: {{}}
contexts:
- name: fake
  context:
    cluster: fake
    user: fake
current-context: fake
"
    )
}
