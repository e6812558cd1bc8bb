//! What client-go 1.36 made of kubeconfigs and proxies, and what this crate makes of them.

use crate::environment::Environment;
use crate::find::Finder;
use crate::{Cluster, Config, Connection, Credential, Credentials, Error, ProxyRules, User};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The cases that are meant to differ, and why.
const DIFFERENT: [(&str, &str); 17] = [
    ("auth-provider-oidc", "providers are gone from kubectl: `exec` takes their place"),
    ("ca-file-empty", NO_AUTHORITY),
    ("context-names-missing-user", TYPO),
    ("key-file-missing-alone", "a key without a certificate is a mistake"),
    ("over-token-over-tokenFile", "what a program gives wins"),
    ("pod-file-dangling-cluster", TYPO),
    ("pod-over-insecure", "what a program gives counts in a pod, too"),
    ("proxy-env-bad", URLS),
    ("server-no-scheme-ca", SCHEME),
    ("server-no-scheme-cert", SCHEME),
    ("server-no-scheme-insecure", SCHEME),
    ("server-no-scheme-localhost-port", SCHEME),
    ("server-no-scheme-slash", SCHEME),
    ("server-userinfo", PASSWORD),
    ("server-userinfo-path", PASSWORD),
    ("token-with-newline", TRIMMED),
    ("token-with-space", TRIMMED),
];

const NO_AUTHORITY: &str = "an authority without a certificate is a mistake";
const TYPO: &str = "a typo must not send requests as somebody else";
const SCHEME: &str = "without a scheme, requests would go out in clear";
const PASSWORD: &str = "a password in a URL would replace the user's credential";
const TRIMMED: &str = "no token has blanks or line ends at its ends";

/// A case, and a folder for it.
struct Case {
    value: Value,
    folder: PathBuf,
}

impl Case {
    fn all() -> Vec<Self> {
        let root = std::env::temp_dir().join(format!("kapigen-connect-{}", std::process::id()));
        lines("cases.jsonl").into_iter().map(|value| Self::new(value, &root)).collect()
    }

    fn new(value: Value, root: &Path) -> Self {
        let folder = root.join(value["name"].as_str().expect("a name"));
        let case = Self { value, folder };
        case.write();
        case
    }

    fn name(&self) -> &str {
        self.value["name"].as_str().expect("a name")
    }

    fn text(&self, text: &str) -> String {
        text.replace("$DIR", &self.folder.to_string_lossy())
    }

    fn write(&self) {
        _ = fs::remove_dir_all(&self.folder);
        fs::create_dir_all(&self.folder).expect("a folder can be made");
        for folder in self.value["dirs"].as_array().into_iter().flatten() {
            let folder = self.folder.join(folder.as_str().expect("a path"));
            fs::create_dir_all(folder).expect("a folder can be made");
        }
        for (path, content) in members(&self.value["files"]) {
            self.write_file(&self.folder.join(path), content);
        }
        for (path, content) in members(&self.value["serviceaccount"]) {
            self.write_file(&self.folder.join("service-account").join(path), content);
        }
        #[cfg(unix)]
        for (path, mode) in members(&self.value["modes"]) {
            use std::os::unix::fs::PermissionsExt;
            let mode = mode.as_str().map_or(0o755, |text| u32::from_str_radix(text, 8).unwrap());
            let permissions = fs::Permissions::from_mode(mode);
            fs::set_permissions(self.folder.join(path), permissions).expect("modes can be set");
        }
    }

    fn write_file(&self, path: &Path, content: &Value) {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        if path.to_string_lossy().ends_with('/') {
            return fs::create_dir_all(path).expect("a folder can be made");
        }
        match content {
            #[cfg(unix)]
            Value::String(text) if text.starts_with("->") => {
                std::os::unix::fs::symlink(self.text(&text[2..]), path).expect("a link");
            }
            Value::String(text) => fs::write(path, self.text(text)).expect("a file"),
            other => {
                let bytes = STANDARD.decode(other["base64"].as_str().expect("base64"));
                fs::write(path, bytes.expect("base64")).expect("a file");
            }
        }
    }

    fn environment(&self) -> Environment {
        // As the working folder is not the case's.
        let folder = self.folder.join(self.value["cwd"].as_str().unwrap_or_default());
        let absolute = |list: &str| {
            let all = list.split(':').map(|path| match path {
                "" => String::new(),
                path => folder.join(path).to_string_lossy().into_owned(),
            });
            all.collect::<Vec<_>>().join(":")
        };
        let mut variables = BTreeMap::from([
            ("PATH".to_owned(), "/usr/bin:/bin".to_owned()),
            ("HOME".to_owned(), self.text("$DIR/no-home")),
        ]);
        for (name, value) in members(&self.value["env"]) {
            match value.as_str() {
                Some(value) if name == "KUBECONFIG" => {
                    variables.insert(name.clone(), absolute(&self.text(value)))
                }
                Some(value) => variables.insert(name.clone(), self.text(value)),
                None => variables.remove(name),
            };
        }
        Environment { variables, service_account: self.folder.join("service-account") }
    }

    fn finder(&self) -> Finder {
        let mut finder = Finder::within(self.environment());
        if let Some(path) = self.value["explicit"].as_str() {
            finder = finder.path(self.text(path));
        }
        let over = &self.value["overrides"];
        let text = |name: &str| over[name].as_str().map(|text| self.text(text));
        // As the working folder is not the case's.
        let path = |name: &str| text(name).map(|path| self.folder.join(path));
        let list = |name: &str| -> Vec<String> {
            let texts = over[name].as_array().into_iter().flatten();
            texts.map(|text| text.as_str().expect("a string").to_owned()).collect()
        };
        if let Some(name) = text("context") {
            finder = finder.context(name);
        }
        if let Some(name) = text("cluster") {
            finder = finder.cluster(name);
        }
        if let Some(name) = text("user") {
            finder = finder.user(name);
        }
        if let Some(name) = text("namespace") {
            finder = finder.namespace(name);
        }
        let cluster = Cluster {
            server: text("server"),
            tls_server_name: text("tls-server-name"),
            insecure_skip_tls_verify: over["insecure-skip-tls-verify"].as_bool(),
            certificate_authority: path("certificate-authority"),
            disable_compression: over["disable-compression"].as_bool(),
            ..Cluster::default()
        };
        let user = User {
            token: text("token").map(Into::into),
            token_file: path("tokenFile"),
            client_certificate: path("client-certificate"),
            client_key: path("client-key"),
            username: text("username"),
            password: text("password").map(Into::into),
            impersonate: text("as"),
            impersonate_groups: list("as-groups"),
            ..User::default()
        };
        finder.over_cluster(cluster).over_user(user)
    }

    /// The configuration and the headers by this crate.
    async fn found(&self) -> Result<(Config, HeaderMap), Error> {
        let mut config = self.finder().find()?;
        if let Credential::Exec(exec) = &mut config.credential {
            let path = self.environment().variables.remove("PATH").unwrap_or_default();
            exec.env.push(("PATH".to_owned(), path.into()));
        }
        Connection::with_provider(config.clone(), rustls::crypto::ring::default_provider())?;
        let headers = Credentials::new(&config)?.headers().await?;
        Ok((config, headers))
    }

    /// The difference between the two, if there is one.
    async fn difference(&self) -> Option<String> {
        let result = &self.value["result"];
        let error = result["errors"][0]["text"].as_str();
        match (self.found().await, error) {
            (Err(_), Some(_)) => None,
            (Err(error), None) => Some(format!("refused: {error}")),
            (Ok(_), Some(error)) => Some(format!("not refused: {error}")),
            (Ok((config, headers)), None) => Self::compare(result, &config, &headers),
        }
    }

    fn compare(result: &Value, config: &Config, headers: &HeaderMap) -> Option<String> {
        let mut found = BTreeMap::new();
        let mut wanted = BTreeMap::new();
        let mut add = |name: &str, one: String, other: String| {
            found.insert(name.to_owned(), one);
            wanted.insert(name.to_owned(), other);
        };
        let request = &result["requests"][0];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let [scheme, host] = [config.server.scheme_str(), config.server.host()];
        let port = config.server.port().map(|port| format!(":{port}")).unwrap_or_default();
        let server = format!("{}://{}{port}", scheme.unwrap(), host.unwrap());
        add("server", server, text(&request["to"]));
        let path = format!(
            "{}/api/v1/namespaces/{}/configmaps",
            config.server.path().trim_end_matches('/'),
            config.namespace
        );
        add("path", path, text(&request["requestURI"]));
        for (name, values) in members(&request["headers"]) {
            if name == "Authorization" || name.starts_with("Impersonate") {
                let all = headers.get_all(name.to_lowercase());
                let all: Vec<_> =
                    all.iter().map(|v| String::from_utf8_lossy(v.as_bytes())).collect();
                let own = serde_json::json!(all).to_string();
                add(name, own.to_lowercase(), values.to_string().to_lowercase());
            }
        }
        let count = |name: &str| name == "Authorization" || name.starts_with("Impersonate");
        let names = members(&request["headers"]).filter(|(name, _)| count(name)).count();
        add("headers", headers.keys_len().to_string(), names.to_string());
        let tls = &result["config"]["tls"];
        add(
            "insecure",
            config.insecure_skip_tls_verify.to_string(),
            tls["insecureSkipVerify"].as_bool().unwrap_or_default().to_string(),
        );
        add(
            "server name",
            config.tls_server_name.clone().unwrap_or_default(),
            text(&tls["serverName"]),
        );
        add(
            "authority",
            config.certificate_authority.is_some().to_string(),
            tls["roots"].is_number().to_string(),
        );
        let proxy = config.proxy().map(|proxy| proxy.map(|proxy| proxy.to_string()));
        let shown = proxy.map_or_else(|error| error.to_string(), Option::unwrap_or_default);
        let mut recorded = text(&result["config"]["proxy"]).replace("socks5h", "socks5");
        if let Some((scheme, rest)) = recorded.clone().split_once("://") {
            let rest =
                rest.rsplit_once('@').map_or(rest.to_owned(), |(_, rest)| format!("…@{rest}"));
            recorded = format!("{scheme}://{}", rest.split('/').next().unwrap());
        }
        add("proxy", shown, recorded);
        (found != wanted).then(|| format!("found {found:?}, recorded {wanted:?}"))
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn lines(file: &str) -> Vec<Value> {
    let text = fs::read_to_string(test_data::data(&format!("kubeconfig/{file}"))).expect("a set");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Fails with all cases that differ and are not meant to, or are meant to and do not.
fn assert_expected(differences: &BTreeMap<String, String>, meant: &[(&str, &str)]) {
    let is_meant = |name: &String| meant.iter().any(|(other, _)| other == name);
    let unexpected = differences.iter().filter(|(name, _)| !is_meant(name));
    let unexpected: Vec<_> = unexpected.map(|(name, text)| format!("{name}: {text}")).collect();
    let idle: Vec<_> = meant.iter().filter(|(name, _)| !differences.contains_key(*name)).collect();
    assert!(unexpected.is_empty(), "{} differ\n{}", unexpected.len(), unexpected.join("\n"));
    assert!(idle.is_empty(), "these do not differ any more: {idle:?}");
}

/// Runs a test in a process of its own.
fn run_again(test: &str, change: impl FnOnce(&mut Command) -> &mut Command) {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    let command = change(command.args(["--exact", &format!("tests::{test}")]));
    let output = command.output().expect("it runs");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && shown.contains("1 passed"), "{shown}");
}

#[tokio::test]
async fn kubeconfigs_select_what_they_do_for_client_go() {
    if std::io::stdin().is_terminal() {
        // They were recorded without one, which a plugin may need.
        let test = "kubeconfigs_select_what_they_do_for_client_go";
        return run_again(test, |test| test.stdin(Stdio::null()));
    }
    let cases = Case::all();
    assert!(cases.len() > 200, "{}", cases.len());
    let mut differences = BTreeMap::new();
    for case in cases {
        // Of files that its user cannot read: `files_of_others_are_errors` has it.
        if case.value["uid"].is_number() {
            continue;
        }
        if let Some(difference) = case.difference().await {
            differences.insert(case.name().to_owned(), difference);
        }
    }
    assert_expected(&differences, &DIFFERENT);
}

/// The variable of a process that is the user of a case.
#[cfg(unix)]
const AS_USER: &str = "KAPIGEN_CASE_OF_USER";

/// Root can read all files, so that a process of another user finds the configuration.
#[cfg(unix)]
#[tokio::test]
async fn files_of_others_are_errors() {
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::process::CommandExt;

    let is_of_user = std::env::var_os(AS_USER).is_some();
    let root = std::env::temp_dir().join(format!("kapigen-of-others-{}", std::process::id()));
    let values = lines("cases.jsonl").into_iter().filter(|value| value["uid"].is_number());
    let cases: Vec<Case> = values.map(|value| Case::new(value, &root)).collect();
    assert_eq!(cases.len(), 1);
    for case in &cases {
        if is_of_user || case.folder.metadata().expect("a folder").uid() != 0 {
            assert_eq!(case.difference().await, None, "{}", case.name());
            continue;
        }
        let user = case.value["uid"].as_u64().and_then(|user| user.try_into().ok());
        run_again("files_of_others_are_errors", |test| {
            test.env(AS_USER, "1").uid(user.expect("a user")).current_dir("/")
        });
    }
    _ = fs::remove_dir_all(&root);
}

/// The questions about proxies that are meant to be answered otherwise, by their variables.
const OTHER_PROXIES: [(&str, &str); 2] =
    [("https://x.test HTTPS_PROXY=%%%", URLS), ("https://x.test HTTPS_PROXY=ftp://a.test", URLS)];

const URLS: &str =
    "a proxy that is not a URL is an error: requests do not go another way without a word";

#[test]
fn proxies_are_the_ones_of_go() {
    let mut differences = BTreeMap::new();
    for question in lines("noproxy.jsonl") {
        let variables = members(&question["env"]);
        let variables =
            variables.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()));
        let rules = ProxyRules::of(&variables.collect());
        let name = question["name"].as_str().unwrap().to_owned();
        let url = crate::server::url(question["url"].as_str().unwrap(), true).expect("a URL");
        let recorded = question["proxy"].as_str();
        let recorded = recorded.map(|url| crate::proxy::url(url, true));
        let is_same = match (rules.proxy(&url), &question["error"], &recorded) {
            (Err(_), error, _) if error.is_string() => true,
            (Ok(None), error, None) => error.is_null(),
            (Ok(Some(proxy)), _, Some(Ok(recorded))) => proxy == *recorded,
            _ => false,
        };
        if !is_same {
            differences.insert(name, format!("{:?}, recorded {recorded:?}", rules.proxy(&url)));
        }
    }
    assert_expected(&differences, &OTHER_PROXIES);
}

#[test]
fn the_token_of_a_pod_is_for_the_server_of_the_pod() {
    let folder = std::env::temp_dir().join(format!("kapigen-pod-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("token"), "of the pod").expect("a file");
    let variables = [("KUBERNETES_SERVICE_HOST", "10.0.0.1"), ("KUBERNETES_SERVICE_PORT", "443")];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let environment = Environment { variables, service_account: folder.clone() };
    let credential = |server: &str| {
        let over = Cluster { server: Some(server.to_owned()), ..Cluster::default() };
        let config = Finder::within(environment.clone()).over_cluster(over).find();
        config.expect("a pod").credential
    };
    let own = credential("https://10.0.0.1:443");
    let others = credential("https://other.test");
    _ = fs::remove_dir_all(&folder);
    assert!(matches!(own, Credential::TokenFile(..)), "{own:?}");
    assert!(matches!(others, Credential::None), "{others:?}");
}

#[test]
fn without_a_configuration_the_error_has_the_files() {
    let folder = std::env::temp_dir().join(format!("kapigen-absent-{}", std::process::id()));
    fs::create_dir_all(folder.join("home")).expect("a folder");
    fs::write(folder.join("empty"), "").expect("a file");
    let at = folder.display();
    let absent = |variables: &[(&str, String)]| {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        let variables = variables.collect();
        let environment = Environment { variables, service_account: folder.join("pod") };
        let error = Finder::within(environment).find().unwrap_err();
        assert!(error.is_absent(), "{error}");
        error.to_string()
    };
    let home = [("HOME", format!("{at}/home"))];
    assert_eq!(
        absent(&home),
        format!(
            "there is no configuration of a cluster: {at}/home/.kube/config does not exist; this \
             is no pod with a service account"
        )
    );
    let files = format!("{at}/none:{at}/empty");
    assert_eq!(
        absent(&[("KUBECONFIG", files)]),
        format!(
            "there is no configuration of a cluster: {at}/none does not exist; {at}/empty selects \
             no cluster; this is no pod with a service account"
        )
    );
    assert_eq!(
        absent(&[]),
        "there is no configuration of a cluster: `KUBECONFIG` names no file, or there is no home \
         folder; this is no pod with a service account"
    );
    fs::remove_dir_all(&folder).expect("a folder");
}

#[test]
fn nothing_shows_a_secret() {
    // The secret is `hunter2`, `aHVudGVyMg==` in base64.
    let text = "\
current-context: c
clusters:
- {name: c, cluster: {server: 'https://a.test', proxy-url: 'http://me:hunter2@proxy.test'}}
users:
- name: u
  user:
    token: hunter2
    client-key-data: aHVudGVyMg==
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: plugin
      interactiveMode: Never
      provideClusterInfo: true
      env: [{name: A, value: hunter2}]
- {name: v, user: {username: bob, password: hunter2}}
contexts:
- {name: c, context: {cluster: c, user: v}}
";
    let path = Path::new("/config");
    let files = crate::Kubeconfig::parse(text.as_bytes(), path).expect("a kubeconfig");
    let variables = [("HTTPS_PROXY", "http://me:hunter2@proxy.test"), ("TOKEN", "hunter2")];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let environment = Environment { variables, service_account: path.to_owned() };
    let finder = Finder::within(environment);
    let of_user = |user: &str| {
        // A plugin is not used where there is a token.
        let user = User { client_key_data: None, token: None, ..files.users[user].clone() };
        finder.clone().over_cluster(files.clusters["c"].clone()).over_user(user).find()
    };
    let mut shown = vec![format!("{files:?} {finder:?}")];
    for user in ["u", "v"] {
        let config = of_user(user).expect("a cluster");
        let credentials = Credentials::new(&config).expect("credentials");
        let provider = rustls::crypto::ring::default_provider();
        let connection = Connection::with_provider(config.clone(), provider).expect("a connection");
        shown.push(format!("{config:#?} {credentials:?} {connection:?}"));
    }
    let shown = shown.join("\n");
    for secret in ["hunter2", "aHVudGVyMg", "104, 117, 110, 116"] {
        assert!(!shown.contains(secret), "{shown}");
    }
    assert!(shown.contains("Basic") && shown.contains("Exec"), "{shown}");
}
