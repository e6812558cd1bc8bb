//! Kubeconfig files: clusters, users and contexts.

use crate::secret::Secret;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The content of kubeconfig files.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Kubeconfig {
    /// The context that counts unless a program selects another one.
    pub current_context: Option<String>,
    /// The clusters, by their names.
    pub clusters: BTreeMap<String, Cluster>,
    /// The users, by their names.
    pub users: BTreeMap<String, User>,
    /// The contexts, by their names.
    pub contexts: BTreeMap<String, Context>,
}

/// The address of a cluster, and the certificates that it may have. Paths are relative to the
/// folder of the file that has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cluster {
    /// The file that has it.
    pub origin: Option<PathBuf>,
    /// The URL of the API server. A path is a prefix of all requests.
    pub server: Option<String>,
    /// The name in the server's certificate, where it is not the host.
    pub tls_server_name: Option<String>,
    /// Whether any certificate of the server is accepted.
    pub insecure_skip_tls_verify: Option<bool>,
    /// A file of PEM with the certificates of authorities.
    pub certificate_authority: Option<PathBuf>,
    /// PEM with the certificates of authorities.
    pub certificate_authority_data: Option<Vec<u8>>,
    /// The proxy, whatever the environment says. Its URL may have a password.
    pub proxy_url: Option<Secret>,
    /// Disables compression of responses.
    pub disable_compression: Option<bool>,
    /// Data of other programs.
    pub extensions: BTreeMap<String, Value>,
}

/// The credentials of a user.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct User {
    /// The file that has it.
    pub origin: Option<PathBuf>,
    /// A file of PEM with a certificate and its chain.
    pub client_certificate: Option<PathBuf>,
    /// PEM with a certificate and its chain.
    pub client_certificate_data: Option<Vec<u8>>,
    /// A file of PEM with the key of the certificate.
    pub client_key: Option<PathBuf>,
    /// PEM with the key of the certificate.
    pub client_key_data: Option<Secret>,
    /// A bearer token.
    pub token: Option<Secret>,
    /// A file with a bearer token, which is read again.
    pub token_file: Option<PathBuf>,
    /// The name for Basic authentication.
    pub username: Option<String>,
    /// The password for Basic authentication.
    pub password: Option<Secret>,
    /// The user to act as.
    pub impersonate: Option<String>,
    /// The UID of that user.
    pub impersonate_uid: Option<String>,
    /// The groups of that user.
    pub impersonate_groups: Vec<String>,
    /// Other attributes of that user.
    pub impersonate_extra: BTreeMap<String, Vec<String>>,
    /// The name of a provider that kubectl no longer has.
    pub auth_provider: Option<String>,
    /// A program that prints credentials.
    pub exec: Option<Exec>,
}

/// A program that prints credentials.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exec {
    /// The version of its output, such as `client.authentication.k8s.io/v1`.
    pub api_version: String,
    /// Its path, or a name that is looked up in `PATH`.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables that it has beside the variables of this process.
    pub env: Vec<(String, Secret)>,
    /// The advice for users who have not installed it.
    pub install_hint: Option<String>,
    /// Whether it is told about the cluster.
    pub provide_cluster_info: bool,
    /// Whether it may ask at the terminal.
    pub interactive_mode: Option<InteractiveMode>,
}

/// Whether a plugin may ask at the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InteractiveMode {
    /// It never does.
    Never,
    /// It does if there is one.
    IfAvailable,
    /// It cannot do without one.
    Always,
}

/// A user at a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The file that has it.
    pub origin: Option<PathBuf>,
    /// The name of the cluster.
    pub cluster: Option<String>,
    /// The name of the user.
    pub user: Option<String>,
    /// The namespace of requests that state none.
    pub namespace: Option<String>,
}

impl Kubeconfig {
    /// Adds what this one lacks.
    pub fn add(&mut self, other: Self) {
        self.current_context = self.current_context.take().or(other.current_context);
        for (name, cluster) in other.clusters {
            self.clusters.entry(name).or_insert(cluster);
        }
        for (name, user) in other.users {
            self.users.entry(name).or_insert(user);
        }
        for (name, context) in other.contexts {
            self.contexts.entry(name).or_insert(context);
        }
    }
}
