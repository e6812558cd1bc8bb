//! The configuration of one cluster and user.

use crate::environment::Environment;
use crate::error::{Error, Problem};
use crate::kubeconfig::{Cluster, Exec, User};
use crate::proxy::{self, ProxyRules, ProxyUrl};
use crate::secret::Secret;
use crate::{pem, read, server};
use http::Uri;
use http::uri::Scheme;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The extension of a cluster that plugins get.
const EXEC_EXTENSION: &str = "client.authentication.k8s.io/exec";

/// The address, certificates and credentials of one cluster and user. `Debug` shows no secret.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// The URL of the API server. Its path is a prefix of all requests.
    pub server: Uri,
    /// The namespace of requests that state none.
    pub namespace: String,
    /// The name in the server's certificate, where it is not the host.
    pub tls_server_name: Option<String>,
    /// Accepts any certificate of the server.
    pub insecure_skip_tls_verify: bool,
    /// The authorities of the server's certificate, as PEM. `None`: the roots of the system.
    pub certificate_authority: Option<Pem>,
    /// The client certificate with its chain, and its key.
    pub client_certificate: Option<(Pem, Pem)>,
    /// The credential in the header `Authorization`.
    pub credential: Credential,
    /// The user to act as.
    pub impersonate: Option<Impersonate>,
    /// The proxy of the cluster. `None`: the proxy of the environment, if it has one.
    pub proxy_url: Option<ProxyUrl>,
    /// The proxies of the environment.
    pub proxy_rules: ProxyRules,
    /// Disables compression of responses, for plugins: a [`Connection`](crate::Connection) never
    /// requests it.
    pub disable_compression: bool,
    /// The time within which a plugin ends. The default is a minute.
    pub exec_timeout: Duration,
    /// The header `User-Agent`. Servers take the part before the first `/` as the field manager of
    /// requests that state none.
    pub user_agent: String,
    /// The cluster, as plugins get it.
    pub(crate) exec_cluster: ExecCluster,
}

/// PEM in memory, or in a file that is reread while the program runs.
#[derive(Clone, PartialEq, Eq)]
pub enum Pem {
    /// In memory.
    Data(Secret),
    /// In a file.
    File(PathBuf),
}

/// The credential in the header `Authorization`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Credential {
    /// None.
    None,
    /// A bearer token.
    Token(Secret),
    /// A bearer token in a file that is read again, and the one to use if it cannot be read.
    TokenFile(PathBuf, Option<Secret>),
    /// A name and a password.
    Basic(String, Secret),
    /// The credential that a plugin prints.
    Exec(Box<Exec>),
}

/// The user to act as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Impersonate {
    /// The name.
    pub user: String,
    /// The UID.
    pub uid: Option<String>,
    /// The groups.
    pub groups: Vec<String>,
    /// Other attributes.
    pub extra: BTreeMap<String, Vec<String>>,
}

/// A cluster as plugins get it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExecCluster {
    pub(crate) server: String,
    pub(crate) proxy_url: Option<Secret>,
    pub(crate) config: Option<Value>,
}

impl Config {
    pub(crate) fn new(
        cluster: &Cluster,
        user: &User,
        namespace: String,
        environment: &Environment,
    ) -> Result<Self, Error> {
        let mut reader = Reader { cluster, user, problems: Vec::new() };
        let server = reader.server();
        let is_secure =
            server.as_ref().is_none_or(|server| server.scheme() == Some(&Scheme::HTTPS));
        reader.check_contradictions();
        let config = Self {
            server: server.unwrap_or_default(),
            namespace,
            tls_server_name: cluster.tls_server_name.clone(),
            insecure_skip_tls_verify: cluster.insecure_skip_tls_verify.unwrap_or_default(),
            certificate_authority: reader.authority(is_secure),
            client_certificate: reader.certificate(is_secure),
            credential: reader.credential(is_secure),
            impersonate: impersonate(user),
            proxy_url: reader.proxy_url(),
            proxy_rules: ProxyRules::of(&environment.variables),
            disable_compression: cluster.disable_compression.unwrap_or_default(),
            exec_timeout: Duration::from_secs(60),
            user_agent: user_agent(),
            exec_cluster: ExecCluster {
                server: cluster.server.clone().unwrap_or_default(),
                proxy_url: cluster.proxy_url.clone(),
                config: cluster.extensions.get(EXEC_EXTENSION).cloned(),
            },
        };
        Error::unless_empty(reader.problems).map(|()| config)
    }

    /// The proxy of requests to the server: of the cluster or of the environment, if one has any.
    ///
    /// # Errors
    /// When the environment names a proxy that is not a URL.
    pub fn proxy(&self) -> Result<Option<ProxyUrl>, Error> {
        match &self.proxy_url {
            Some(proxy) => Ok(Some(proxy.clone())),
            None => self.proxy_rules.proxy(&self.server).map_err(Error::new),
        }
    }
}

impl Pem {
    /// The bytes.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, Error> {
        match self {
            Pem::Data(data) => Ok(data.reveal().as_bytes().to_vec()),
            Pem::File(path) => read::file(path),
        }
    }

    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Pem::Data(_) => None,
            Pem::File(path) => Some(path),
        }
    }
}

/// Shows the file, and nothing of the content.
impl std::fmt::Debug for Pem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Pem::Data(_) => f.write_str("Data(..)"),
            Pem::File(path) => f.debug_tuple("File").field(path).finish(),
        }
    }
}

fn impersonate(user: &User) -> Option<Impersonate> {
    Some(Impersonate {
        user: user.impersonate.clone()?,
        uid: user.impersonate_uid.clone(),
        groups: user.impersonate_groups.clone(),
        extra: user.impersonate_extra.clone(),
    })
}

/// Makes the parts of a configuration of a cluster and a user, and collects their problems.
struct Reader<'a> {
    cluster: &'a Cluster,
    user: &'a User,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn add(&mut self, file: Option<&Path>, message: impl Into<String>) {
        self.problems.push(Problem::in_file(file, message));
    }

    fn server(&mut self) -> Option<Uri> {
        let Self { cluster, user, .. } = *self;
        let Some(text) = &cluster.server else {
            self.add(cluster.origin.as_deref(), "the cluster has no server");
            return None;
        };
        let is_secret = cluster.insecure_skip_tls_verify.is_some()
            || cluster.certificate_authority.is_some()
            || cluster.certificate_authority_data.is_some()
            || has_credential(user);
        let url = server::url(text, is_secret);
        url.map_err(|message| self.add(cluster.origin.as_deref(), message)).ok()
    }

    /// Reports members that exclude each other.
    fn check_contradictions(&mut self) {
        let Self { cluster, user, .. } = *self;
        if cluster.certificate_authority.is_some() && cluster.certificate_authority_data.is_some() {
            let message = "`certificate-authority` and `certificate-authority-data` are both there";
            self.add(cluster.origin.as_deref(), message);
        }
        let has_token = user.token.is_some() || user.token_file.is_some();
        let has_more_of_user = user.impersonate_uid.is_some()
            || !user.impersonate_groups.is_empty()
            || !user.impersonate_extra.is_empty();
        let of_user = [
            (
                user.client_certificate.is_some() && user.client_certificate_data.is_some(),
                "`client-certificate` and `client-certificate-data` are both there",
            ),
            (
                user.client_key.is_some() && user.client_key_data.is_some(),
                "`client-key` and `client-key-data` are both there",
            ),
            (
                user.username.is_some() && has_token,
                "a token and a username are both there: only one can be sent",
            ),
            (
                user.username.is_none() && user.password.is_some(),
                "there is a password without a username",
            ),
            (
                user.exec.is_some() && user.auth_provider.is_some(),
                "`exec` and `auth-provider` are both there",
            ),
            (
                user.impersonate.is_none() && has_more_of_user,
                "`as-uid`, `as-groups` and `as-user-extra` need `as`",
            ),
        ];
        for (_, message) in of_user.into_iter().filter(|(is_wrong, _)| *is_wrong) {
            self.add(user.origin.as_deref(), message);
        }
    }

    fn authority(&mut self, is_secure: bool) -> Option<Pem> {
        let cluster = self.cluster;
        let pem = pem_of(
            cluster.certificate_authority_data.as_deref(),
            cluster.certificate_authority.as_ref(),
        )?;
        if !is_secure {
            return None;
        }
        if cluster.insecure_skip_tls_verify == Some(true) {
            let message = "`insecure-skip-tls-verify` and a certificate authority are both there";
            self.add(cluster.origin.as_deref(), message);
            return None;
        }
        self.check_pem(&pem, "certificate-authority", cluster.origin.as_deref(), |bytes| {
            pem::certificates(bytes).map(drop)
        });
        Some(pem)
    }

    fn certificate(&mut self, is_secure: bool) -> Option<(Pem, Pem)> {
        let user = self.user;
        let key_data = user.client_key_data.as_ref().map(|key| key.reveal().as_bytes());
        let certificate =
            pem_of(user.client_certificate_data.as_deref(), user.client_certificate.as_ref());
        let key = pem_of(key_data, user.client_key.as_ref());
        let origin = user.origin.as_deref();
        if !is_secure {
            return None;
        }
        match (certificate, key) {
            (Some(certificate), Some(key)) => {
                self.check_pem(&certificate, "client-certificate", origin, |bytes| {
                    pem::certificates(bytes).map(drop)
                });
                self.check_pem(&key, "client-key", origin, |bytes| pem::key(bytes).map(drop));
                Some((certificate, key))
            }
            (Some(_), None) => {
                self.add(origin, "there is a client certificate without its key");
                None
            }
            (None, Some(_)) => {
                self.add(origin, "there is a client key without its certificate");
                None
            }
            (None, None) => None,
        }
    }

    /// Checks the content of a member.
    fn check_pem(
        &mut self,
        pem: &Pem,
        name: &str,
        origin: Option<&Path>,
        check: impl Fn(&[u8]) -> Result<(), String>,
    ) {
        match pem.bytes() {
            Err(error) => {
                let problems = error.problems().iter().cloned();
                let named = problems.map(|problem| Problem {
                    message: format!("`{name}`: {}", problem.message),
                    ..problem
                });
                self.problems.extend(named);
            }
            Ok(bytes) => {
                if let Err(message) = check(&bytes) {
                    let file = pem.file().or(origin);
                    self.add(file, format!("`{name}`: {message}"));
                }
            }
        }
    }

    fn credential(&mut self, is_secure: bool) -> Credential {
        let user = self.user;
        if let Some(provider) = &user.auth_provider {
            let message = format!(
                "the provider `{provider}` of `auth-provider` is not supported: use a plugin, by \
                 `exec`"
            );
            self.add(user.origin.as_deref(), message);
        }
        if let Some(exec) = &user.exec {
            self.check_exec(exec, user.origin.as_deref());
        }
        if !is_secure {
            return Credential::None;
        }
        let token = user.token.as_ref().map(|token| token.reveal().trim());
        let token = token.filter(|token| !token.is_empty()).map(Secret::from);
        if let Some(path) = &user.token_file {
            if token.is_none()
                && let Err(message) = crate::token::read(path)
            {
                self.add(Some(path), format!("`tokenFile`: {message}"));
            }
            return Credential::TokenFile(path.clone(), token);
        }
        if let Some(token) = token {
            return Credential::Token(token);
        }
        if let Some(username) = &user.username {
            return Credential::Basic(username.clone(), user.password.clone().unwrap_or_default());
        }
        let has_certificate =
            user.client_certificate.is_some() || user.client_certificate_data.is_some();
        match &user.exec {
            Some(exec) if !has_certificate => Credential::Exec(Box::new(exec.clone())),
            _ => Credential::None,
        }
    }

    fn check_exec(&mut self, exec: &Exec, origin: Option<&Path>) {
        if exec.command.is_empty() {
            self.add(origin, "`exec` has no command");
        }
        match exec.api_version.as_str() {
            "client.authentication.k8s.io/v1" if exec.interactive_mode.is_none() => {
                self.add(origin, "`exec` has no `interactiveMode`, which its version v1 needs");
            }
            "client.authentication.k8s.io/v1" | "client.authentication.k8s.io/v1beta1" => {}
            "" => self.add(origin, "`exec` has no `apiVersion`"),
            _ => self.add(
                origin,
                "the `apiVersion` of `exec` is `client.authentication.k8s.io/v1` or `…/v1beta1`",
            ),
        }
    }

    fn proxy_url(&mut self) -> Option<ProxyUrl> {
        let cluster = self.cluster;
        match proxy::url(cluster.proxy_url.as_ref()?.reveal(), false) {
            Ok(url) => Some(url),
            Err(message) => {
                self.add(cluster.origin.as_deref(), format!("`proxy-url`: {message}"));
                None
            }
        }
    }
}

/// The name of this program, and what it runs on.
fn user_agent() -> String {
    let program = std::env::current_exe().ok();
    let name = program.as_deref().and_then(Path::file_stem).and_then(|name| name.to_str());
    // A header has no other characters.
    let plain = name.unwrap_or_default().chars().filter(|c| c.is_ascii_graphic() && *c != '/');
    let name: String = plain.take(128).collect();
    let name = if name.is_empty() { "kapigen".to_owned() } else { name };
    let [os, arch] = [std::env::consts::OS, std::env::consts::ARCH];
    // The version of the program is not known. Without a `/` behind it, the name would not be the
    // field manager of requests that name none.
    format!("{name}/unknown ({os}/{arch}) kapigen-connect/{}", env!("CARGO_PKG_VERSION"))
}

fn pem_of(data: Option<&[u8]>, file: Option<&PathBuf>) -> Option<Pem> {
    match (data, file) {
        (Some(data), _) => Some(Pem::Data(String::from_utf8_lossy(data).into_owned().into())),
        (None, Some(file)) => Some(Pem::File(file.clone())),
        (None, None) => None,
    }
}

fn has_credential(user: &User) -> bool {
    user.client_certificate.is_some()
        || user.client_certificate_data.is_some()
        || user.token.is_some()
        || user.token_file.is_some()
        || user.username.is_some()
        || user.exec.is_some()
}
