//! Finding a configuration as kubectl does: files first, and then the service account of a pod.

use crate::config::Config;
use crate::environment::Environment;
use crate::error::Error;
use crate::kubeconfig::{Cluster, Context, Kubeconfig, User};
use crate::pod;
use crate::read::is_missing;
use std::path::{Path, PathBuf};

/// Finds the configuration of one cluster and user. Values that you set have precedence over files.
///
/// ```
/// use kapigen_connect::{Cluster, Config, Error, Finder};
///
/// /// The cluster of a context, whatever the current one is.
/// fn staging() -> Result<Config, Error> {
///     Finder::new().context("staging").namespace("shop").find()
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Finder {
    path: Option<PathBuf>,
    context: Option<String>,
    cluster: Option<String>,
    user: Option<String>,
    namespace: Option<String>,
    over_cluster: Cluster,
    over_user: User,
    environment: Environment,
}

impl Config {
    /// Finds the configuration that kubectl uses: of `KUBECONFIG`, of `~/.kube/config`, or of the
    /// service account of a pod. [`Finder`] selects another one.
    ///
    /// # Errors
    /// As [`Finder::find`].
    pub fn find() -> Result<Self, Error> {
        Finder::new().find()
    }

    /// A server that asks for no credentials, such as `kubectl proxy`. Reads no file; proxies of
    /// the environment apply.
    ///
    /// ```
    /// let config = kapigen_connect::Config::of_server("http://127.0.0.1:8001")?;
    /// assert_eq!(config.namespace, "default");
    /// # Ok::<(), kapigen_connect::Error>(())
    /// ```
    ///
    /// # Errors
    /// When it is not the URL of a server.
    pub fn of_server(url: impl Into<String>) -> Result<Self, Error> {
        let cluster = Cluster { server: Some(url.into()), ..Cluster::default() };
        Finder::new().config(cluster, User::default(), None)
    }
}

impl Default for Finder {
    fn default() -> Self {
        Self::new()
    }
}

impl Finder {
    /// Finds what kubectl finds.
    #[must_use]
    pub fn new() -> Self {
        Self::within(Environment::of_process())
    }

    pub(crate) fn within(environment: Environment) -> Self {
        Self {
            path: None,
            context: None,
            cluster: None,
            user: None,
            namespace: None,
            over_cluster: Cluster::default(),
            over_user: User::default(),
            environment,
        }
    }

    /// Reads this file and no other.
    #[must_use]
    pub fn path(mut self, path: impl Into<PathBuf>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Selects a context instead of the current one.
    #[must_use]
    pub fn context(mut self, name: impl Into<String>) -> Self {
        self.context = Some(name.into());
        self
    }

    /// Selects a cluster instead of the context's.
    #[must_use]
    pub fn cluster(mut self, name: impl Into<String>) -> Self {
        self.cluster = Some(name.into());
        self
    }

    /// Selects a user instead of the context's.
    #[must_use]
    pub fn user(mut self, name: impl Into<String>) -> Self {
        self.user = Some(name.into());
        self
    }

    /// Sets the namespace of requests that state none.
    #[must_use]
    pub fn namespace(mut self, name: impl Into<String>) -> Self {
        self.namespace = Some(name.into());
        self
    }

    /// Replaces the members of the cluster that are set here. A server drops the file's
    /// `tls-server-name`; an authority, or `insecure_skip_tls_verify`, drops the file's authority.
    #[must_use]
    pub fn over_cluster(mut self, cluster: Cluster) -> Self {
        self.over_cluster = cluster;
        self
    }

    /// Replaces the members of the user that are set here. A token replaces every credential of the
    /// file.
    #[must_use]
    pub fn over_user(mut self, user: User) -> Self {
        self.over_user = user;
        self
    }

    /// Finds the configuration.
    ///
    /// # Errors
    /// All problems at once: when files cannot be read, select something that is missing, or
    /// contradict themselves. If there is no configuration at all, [`is_absent`](Error::is_absent)
    /// is true.
    pub fn find(self) -> Result<Config, Error> {
        let paths = self.paths();
        let files = match &self.path {
            Some(path) => Kubeconfig::read(path)?,
            None => Kubeconfig::read_all(&paths)?,
        };
        if let Some(config) = self.of_files(&files)? {
            return Ok(config);
        }
        if let Some(mut account) = pod::account(&self.environment) {
            // The pod's authority and token are for the pod's server.
            let given = self.over_cluster.server.as_ref();
            if given.is_some_and(|given| account.cluster.server.as_ref() != Some(given)) {
                account.cluster.certificate_authority = None;
                account.user.token_file = None;
            }
            return self.config(account.cluster, account.user, account.namespace);
        }
        if let Some(server) = &self.over_cluster.server {
            let cluster = Cluster { server: Some(server.clone()), ..Cluster::default() };
            return self.config(cluster, User::default(), None);
        }
        Err(Error::absent(looked_for(&paths)))
    }

    /// The files that are read, if they exist.
    fn paths(&self) -> Vec<PathBuf> {
        if let Some(path) = &self.path {
            return vec![path.clone()];
        }
        if let Some(list) = self.environment.get("KUBECONFIG") {
            let paths = std::env::split_paths(list);
            return paths.filter(|path| !path.as_os_str().is_empty()).collect();
        }
        let home = self.environment.home();
        home.map(|home| home.join(".kube").join("config")).into_iter().collect()
    }

    /// The configuration that the files select, if they select one.
    fn of_files(&self, files: &Kubeconfig) -> Result<Option<Config>, Error> {
        let context = self.selected_context(files)?;
        let of_context = context.and_then(|context| context.cluster.as_ref());
        let cluster_name = self.cluster.as_ref().or(of_context);
        let of_context = context.and_then(|context| context.user.as_ref());
        let user_name = self.user.as_ref().or(of_context);
        // An empty name is a name only where an entry has it.
        let cluster_name =
            cluster_name.filter(|name| !name.is_empty() || files.clusters.contains_key(*name));
        let user_name =
            user_name.filter(|name| !name.is_empty() || files.users.contains_key(*name));
        let origin = context.and_then(|context| context.origin.as_deref()).or(origin(files));
        let Some(cluster_name) = cluster_name else {
            return match &self.user {
                Some(user) if !files.users.contains_key(user) => {
                    Err(unknown("user", user, files.users.keys(), origin))
                }
                _ => Ok(None),
            };
        };
        let cluster = files
            .clusters
            .get(cluster_name)
            .ok_or_else(|| unknown("cluster", cluster_name, files.clusters.keys(), origin))?;
        let user = match user_name {
            Some(name) => files
                .users
                .get(name)
                .ok_or_else(|| unknown("user", name, files.users.keys(), origin))?
                .clone(),
            None => User::default(),
        };
        let namespace = context.and_then(|context| context.namespace.clone());
        let namespace = namespace.or_else(|| pod::account(&self.environment)?.namespace);
        self.config(cluster.clone(), user, namespace).map(Some)
    }

    fn selected_context<'f>(&self, files: &'f Kubeconfig) -> Result<Option<&'f Context>, Error> {
        let Some(name) = self.context.as_ref().or(files.current_context.as_ref()) else {
            // A context without a name counts where all others are missing, as client-go has it.
            return Ok(files.contexts.get(""));
        };
        let found = files.contexts.get(name);
        found
            .map(Some)
            .ok_or_else(|| unknown("context", name, files.contexts.keys(), origin(files)))
    }

    /// The configuration of a cluster and user, with what was given.
    fn config(
        &self,
        cluster: Cluster,
        user: User,
        namespace: Option<String>,
    ) -> Result<Config, Error> {
        let namespace = self.namespace.clone().or(namespace).unwrap_or("default".to_owned());
        let cluster = over_cluster(cluster, &self.over_cluster);
        let user = over_user(user, &self.over_user);
        Config::new(&cluster, &user, namespace, &self.environment)
    }
}

fn over_cluster(mut cluster: Cluster, over: &Cluster) -> Cluster {
    if over.server.is_some() {
        cluster.tls_server_name = None;
    }
    let has_authority =
        over.certificate_authority.is_some() || over.certificate_authority_data.is_some();
    if has_authority || over.insecure_skip_tls_verify.is_some() {
        cluster.certificate_authority = None;
        cluster.certificate_authority_data = None;
        cluster.insecure_skip_tls_verify = None;
    }
    let over = over.clone();
    Cluster {
        origin: cluster.origin,
        server: over.server.or(cluster.server),
        tls_server_name: over.tls_server_name.or(cluster.tls_server_name),
        insecure_skip_tls_verify: over
            .insecure_skip_tls_verify
            .or(cluster.insecure_skip_tls_verify),
        certificate_authority: over.certificate_authority.or(cluster.certificate_authority),
        certificate_authority_data: over
            .certificate_authority_data
            .or(cluster.certificate_authority_data),
        proxy_url: over.proxy_url.or(cluster.proxy_url),
        disable_compression: over.disable_compression.or(cluster.disable_compression),
        extensions: cluster.extensions,
    }
}

fn over_user(mut user: User, over: &User) -> User {
    if over.token.is_some() {
        user.token_file = None;
    }
    let over = over.clone();
    User {
        origin: user.origin,
        client_certificate: over.client_certificate.or(user.client_certificate),
        client_certificate_data: over.client_certificate_data.or(user.client_certificate_data),
        client_key: over.client_key.or(user.client_key),
        client_key_data: over.client_key_data.or(user.client_key_data),
        token: over.token.or(user.token),
        token_file: over.token_file.or(user.token_file),
        username: over.username.or(user.username),
        password: over.password.or(user.password),
        impersonate: over.impersonate.or(user.impersonate),
        impersonate_uid: over.impersonate_uid.or(user.impersonate_uid),
        impersonate_groups: if over.impersonate_groups.is_empty() {
            user.impersonate_groups
        } else {
            over.impersonate_groups
        },
        impersonate_extra: if over.impersonate_extra.is_empty() {
            user.impersonate_extra
        } else {
            over.impersonate_extra
        },
        auth_provider: over.auth_provider.or(user.auth_provider),
        exec: over.exec.or(user.exec),
    }
}

/// A file that something was read from, for errors of what is in none.
fn origin(files: &Kubeconfig) -> Option<&Path> {
    let contexts = files.contexts.values().map(|context| &context.origin);
    let clusters = files.clusters.values().map(|cluster| &cluster.origin);
    contexts.chain(clusters).find_map(|origin| origin.as_deref())
}

/// The error of a name that is not there.
fn unknown<'n>(
    kind: &str,
    name: &str,
    names: impl Iterator<Item = &'n String> + Clone,
    file: Option<&Path>,
) -> Error {
    let near = names.clone().filter(|other| strsim::osa_distance(name, other) <= 2);
    let near = near.min_by_key(|other| strsim::osa_distance(name, other));
    let help = near.map_or_else(
        || {
            let all: Vec<String> = names.map(|name| format!("`{name}`")).take(20).collect();
            if all.is_empty() { String::new() } else { format!(": there is {}", all.join(", ")) }
        },
        |near| format!(": did you mean `{near}`?"),
    );
    let message = format!("there is no {kind} `{name}`{help}");
    match file {
        Some(file) => Error::of_file(file, message),
        None => Error::new(message),
    }
}

fn looked_for(paths: &[PathBuf]) -> String {
    let mut looked = Vec::new();
    for path in paths {
        let state = if is_missing(path) { "does not exist" } else { "selects no cluster" };
        looked.push(format!("{} {state}", path.display()));
    }
    if paths.is_empty() {
        looked.push("`KUBECONFIG` names no file, or there is no home folder".to_owned());
    }
    looked.push("this is no pod with a service account".to_owned());
    format!("there is no configuration of a cluster: {}", looked.join("; "))
}
