//! Requests to a cluster by way of kubectl, which has the addresses and credentials.

use crate::error::Error;
use crate::input::LARGEST;
use crate::parallel;
use crate::visible::shown;
use std::env;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// kubectl, or a program that takes the same arguments.
pub(super) struct Kubectl<'a> {
    program: &'a Path,
    context: Option<&'a str>,
}

impl<'a> Kubectl<'a> {
    pub(super) fn new(program: &'a Path, context: Option<&'a str>) -> Self {
        Self { program, context }
    }

    /// The response to a GET.
    ///
    /// # Errors
    /// When there is no such program, it reaches no server, or the server refuses the request.
    pub(super) fn get(&self, url: &str) -> Result<String, Error> {
        let name = shown(self.program);
        let (status, stdout, stderr) = self.run(url).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Error::new(format!("there is no program `{name}`")).help(
                "install kubectl, or name another program that has access to the cluster: \
                 `--kubectl oc`",
            ),
            _ => Error::new(format!("cannot run `{name}`: {error}")),
        })?;
        if !status.success() {
            let stderr = String::from_utf8_lossy(&stderr);
            // In a pod, kubectl needs no file.
            let is_lost = stderr.contains(WITHOUT_CLUSTER);
            let missing =
                is_lost.then(|| missing_kubeconfig(env::var_os("KUBECONFIG").as_deref())).flatten();
            return Err(missing.unwrap_or_else(|| refusal(url, &format!("`{name}`"), &stderr)));
        }
        if stdout.len() > LARGEST {
            return Err(Error::new(format!("the response to {url} has more than {LARGEST} bytes")));
        }
        String::from_utf8(stdout)
            .map_err(|_| Error::new(format!("the response to {url} is not UTF-8")))
    }

    fn run(&self, url: &str) -> io::Result<(ExitStatus, Vec<u8>, Vec<u8>)> {
        let mut command = Command::new(self.program);
        command.args(["get", "--raw", url, "--request-timeout=60s"]);
        command.args(self.context.map(|context| format!("--context={context}")));
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let stdout = child.stdout.take();
        let stderr = child.stderr.take();
        // A program blocks while one of them is not read, and ends when it writes more than is
        // read.
        let (stdout, stderr) = parallel::both(|| limited(stdout), || limited(stderr));
        Ok((child.wait()?, stdout?, stderr?))
    }
}

/// The bytes up to the limit, and one more.
fn limited(pipe: Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        pipe.take(LARGEST as u64 + 1).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Words in messages of kubectl, and advice.
const ADVICE: [(&[&str], &str); 6] = [
    (
        &["customresourcedefinitions.apiextensions.k8s.io is forbidden"],
        "the user needs the verb `list` on `customresourcedefinitions` of `apiextensions.k8s.io`",
    ),
    (
        &["(Forbidden)", "forbidden:"],
        "the user needs the verb `get` on the non-resource URL `/openapi/*`, as the cluster role \
         `system:discovery` has it",
    ),
    (
        &["(Unauthorized)", "must be logged in", "Unauthorized"],
        "log in to the cluster, and run this again",
    ),
    (
        &["(NotFound)", "could not find the requested resource"],
        "servers publish OpenAPI 3.0 since Kubernetes 1.24, and groups come and go: is the server \
         older?",
    ),
    (
        &["does not exist", "no context exists"],
        "`kubectl config get-contexts` lists the contexts of the kubeconfig",
    ),
    (
        &[
            "connection to the server",
            "Unable to connect",
            "no such host",
            "refused",
            "timeout",
            "deadline",
        ],
        "check that the cluster runs and that the kubeconfig names it, or name another one with \
         `--context`",
    ),
];

/// The server that kubectl tries if no cluster is configured.
const WITHOUT_CLUSTER: &str = "localhost:8080";

/// The error if none of the files of `KUBECONFIG` exists.
fn missing_kubeconfig(variable: Option<&OsStr>) -> Option<Error> {
    let files: Vec<PathBuf> =
        env::split_paths(variable?).filter(|file| !file.as_os_str().is_empty()).collect();
    if files.is_empty() || files.iter().any(|file| file.exists()) {
        return None;
    }
    let names: Vec<String> = files.iter().map(|file| format!("`{}`", shown(file))).collect();
    let (verb, files) = if files.len() == 1 { ("does", "file") } else { ("do", "files") };
    let message =
        format!("`KUBECONFIG` names the {files} {}, which {verb} not exist", names.join(", "));
    Some(Error::new(message).help("correct the variable, or unset it to use `~/.kube/config`"))
}

fn refusal(url: &str, name: &str, stderr: &str) -> Error {
    let message = stderr
        .lines()
        .map(str::trim)
        .rfind(|line| !line.is_empty())
        .unwrap_or("it states no reason");
    let error = Error::new(format!("{name} cannot get {url}: {message}"));
    match ADVICE.iter().find(|(words, _)| words.iter().any(|word| message.contains(word))) {
        Some((_, help)) => error.help(*help),
        None => error,
    }
}
