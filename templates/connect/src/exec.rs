//! Plugins: programs that print credentials.

use crate::config::Config;
use crate::error::Error;
use crate::kubeconfig::{Exec, InteractiveMode};
use crate::pem;
use crate::secret::Secret;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::{SignedDuration, Timestamp};
use kapigen_yaml::Reader;
use serde_json::{Value, json};
use std::io::{ErrorKind, IsTerminal};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::process::Command;

/// The time before its end at which a credential is renewed.
const EARLY: SignedDuration = SignedDuration::from_secs(10);

/// The most bytes that a plugin may print. Chains of certificates have some thousands.
const LONGEST: u64 = 1 << 20;

/// A plugin, and what it gets to know.
#[derive(Clone, Debug)]
pub(crate) struct Plugin {
    exec: Exec,
    /// The cluster, if it is told about it.
    cluster: Option<Value>,
    timeout: Duration,
}

/// The credential that a plugin printed.
#[derive(Debug)]
pub(crate) struct Issued {
    pub(crate) token: Option<Secret>,
    /// A certificate and its key, as PEM.
    pub(crate) certificate: Option<(Secret, Secret)>,
    expires: Option<Timestamp>,
}

impl Issued {
    /// Whether it ends now or soon.
    pub(crate) fn expires(&self) -> bool {
        self.expires.is_some_and(|end| end.duration_since(Timestamp::now()) <= EARLY)
    }
}

impl Plugin {
    pub(crate) fn new(exec: &Exec, config: &Config) -> Self {
        Self {
            exec: exec.clone(),
            cluster: exec.provide_cluster_info.then(|| cluster(config)),
            timeout: config.exec_timeout,
        }
    }

    /// Whether both run the same program for the same cluster.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.exec == other.exec && self.cluster == other.cluster
    }
}

fn cluster(config: &Config) -> Value {
    let known = &config.exec_cluster;
    let mut cluster = json!({"server": known.server});
    if let Some(name) = &config.tls_server_name {
        cluster["tls-server-name"] = json!(name);
    }
    if config.insecure_skip_tls_verify {
        cluster["insecure-skip-tls-verify"] = json!(true);
    }
    if let Some(bytes) = config.certificate_authority.as_ref().and_then(|pem| pem.bytes().ok()) {
        cluster["certificate-authority-data"] = json!(STANDARD.encode(bytes));
    }
    if let Some(proxy) = &known.proxy_url {
        cluster["proxy-url"] = json!(proxy.reveal());
    }
    if config.disable_compression {
        cluster["disable-compression"] = json!(true);
    }
    cluster["config"] = known.config.clone().unwrap_or_default();
    cluster
}

/// Runs a plugin.
///
/// # Errors
/// When it cannot be run, fails, takes too long, or prints something else than a credential. No
/// message quotes what it prints.
pub(crate) async fn run(plugin: &Plugin) -> Result<Issued, Error> {
    let run = credential(plugin).await;
    run.map_err(|why| Error::new(format!("the plugin `{}` {why}", plugin.exec.command)))
}

/// Runs a plugin. The error continues a sentence that begins with its name.
async fn credential(plugin: &Plugin) -> Result<Issued, String> {
    let is_interactive = is_interactive(plugin.exec.interactive_mode)
        .ok_or("asks at a terminal, and there is none")?;
    let mut command = Command::new(&plugin.exec.command);
    command.args(&plugin.exec.args).kill_on_drop(true);
    command.envs(plugin.exec.env.iter().map(|(name, value)| (name, value.reveal())));
    command.env("KUBERNETES_EXEC_INFO", info(plugin, is_interactive));
    command.stdin(if is_interactive { Stdio::inherit() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::inherit());
    let ended = tokio::time::timeout(plugin.timeout, output(command));
    let (status, output) = match ended.await {
        Err(_) => return Err(format!("did not end within {:?}", plugin.timeout)),
        Ok(Err(error)) => return Err(cannot_run(&plugin.exec, &error)),
        Ok(Ok(ended)) => ended,
    };
    if output.len() as u64 > LONGEST {
        return Err(format!("printed more than {LONGEST} bytes"));
    }
    if !status.success() {
        return Err(format!("failed: {status}"));
    }
    issued(&output, &plugin.exec.api_version).map_err(|why| format!("printed no credential: {why}"))
}

/// The status and the output of a command. One that prints too much is ended.
async fn output(mut command: Command) -> std::io::Result<(ExitStatus, Vec<u8>)> {
    let mut child = command.spawn()?;
    let mut output = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        stdout.take(LONGEST + 1).read_to_end(&mut output).await?;
    }
    if output.len() as u64 > LONGEST {
        child.start_kill()?;
    }
    Ok((child.wait().await?, output))
}

/// Whether a plugin may use the terminal. `None` if it needs one, and there is none.
fn is_interactive(mode: Option<InteractiveMode>) -> Option<bool> {
    let has_terminal = std::io::stdin().is_terminal();
    match mode {
        Some(InteractiveMode::Never) => Some(false),
        Some(InteractiveMode::IfAvailable) | None => Some(has_terminal),
        Some(InteractiveMode::Always) => has_terminal.then_some(true),
    }
}

/// The input of a plugin.
fn info(plugin: &Plugin, is_interactive: bool) -> String {
    let mut spec = json!({"interactive": is_interactive});
    if let Some(cluster) = &plugin.cluster {
        spec["cluster"] = cluster.clone();
    }
    let version = &plugin.exec.api_version;
    let info = json!({"kind": "ExecCredential", "apiVersion": version, "spec": spec});
    format!("{info}\n")
}

fn cannot_run(exec: &Exec, error: &std::io::Error) -> String {
    let is_bare = !exec.command.contains(std::path::is_separator);
    if error.kind() != ErrorKind::NotFound {
        return format!("cannot be run: {error}");
    }
    if !is_bare {
        return "is not there".to_owned();
    }
    match &exec.install_hint {
        Some(hint) => format!("is not installed, or not in `PATH`:\n{hint}"),
        None => "is not installed, or not in `PATH`".to_owned(),
    }
}

/// The credential that a plugin printed.
fn issued(output: &[u8], version: &str) -> Result<Issued, String> {
    let document =
        Reader::new().document(output).map_err(|error| error.message().to_owned())?.value;
    if !document.is_object() {
        return Err("it is not an object".to_owned());
    }
    if document.get("kind").is_some_and(|kind| kind != "ExecCredential") {
        return Err("its kind is not `ExecCredential`".to_owned());
    }
    if document.get("apiVersion").and_then(Value::as_str) != Some(version) {
        return Err(format!("its apiVersion is not `{version}`"));
    }
    let status = &document["status"];
    let token = text(status, "token")?.map(Secret::from);
    let certificate = match (text(status, "clientCertificateData")?, text(status, "clientKeyData")?)
    {
        (Some(certificate), Some(key)) => {
            pem::certificates(certificate.as_bytes())
                .map_err(|error| format!("`clientCertificateData`: {error}"))?;
            pem::key(key.as_bytes()).map_err(|error| format!("`clientKeyData`: {error}"))?;
            Some((certificate.into(), key.into()))
        }
        (None, None) => None,
        _ => return Err("a certificate and its key come together".to_owned()),
    };
    if token.is_none() && certificate.is_none() {
        return Err("it has neither a token nor a certificate".to_owned());
    }
    let expires = text(status, "expirationTimestamp")?.map(|text| text.parse()).transpose();
    let expires = expires.map_err(|_| "`status.expirationTimestamp` is not a time")?;
    Ok(Issued { token, certificate, expires })
}

/// A string of the status, unless it is empty.
fn text(status: &Value, name: &str) -> Result<Option<String>, String> {
    match &status[name] {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone()).filter(|text| !text.is_empty())),
        _ => Err(format!("`status.{name}` is not a string")),
    }
}
