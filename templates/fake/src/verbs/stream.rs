//! The subresources `exec`, `attach` and `portforward` of pods, which upgrade a request to a
//! stream.

use super::log::container;
use super::{Outcome, stored};
use crate::failure::Failure;
use crate::object::Tree;
use crate::request::Request;
use crate::state::State;
use serde_json::Value;

/// A stream that a client asks for, of a pod that exists.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "as the parameters of the request are")]
#[cfg_attr(not(feature = "streams"), allow(dead_code))]
pub(crate) struct Target {
    pub(crate) subresource: String,
    pub(crate) namespace: String,
    pub(crate) pod: String,
    /// Empty for a forward.
    pub(crate) container: String,
    /// Whether the pod has a host.
    pub(crate) has_host: bool,
    pub(crate) command: Vec<String>,
    pub(crate) stdin: bool,
    pub(crate) stdout: bool,
    pub(crate) stderr: bool,
    pub(crate) tty: bool,
    pub(crate) ports: Vec<String>,
}

/// Finds the container of a stream.
pub(super) fn stream(state: &State, request: &Request<'_>) -> Result<Outcome, Failure> {
    let pod = stored(state, request)?.tree();
    let incoming = request.incoming;
    let command = if request.subresource == "exec" { incoming.all("command") } else { Vec::new() };
    let is_forward = request.subresource == "portforward";
    let host = pod.at("spec.nodeName").and_then(Value::as_str).unwrap_or_default();
    Ok(Outcome::Connect(Box::new(Target {
        subresource: request.subresource.to_owned(),
        namespace: request.namespace.unwrap_or_default().to_owned(),
        pod: request.name.to_owned(),
        container: if is_forward { String::new() } else { container(request, &pod)? },
        has_host: !host.is_empty(),
        command: command.into_iter().map(str::to_owned).collect(),
        stdin: incoming.is_set("stdin"),
        stdout: incoming.is_set("stdout"),
        stderr: incoming.is_set("stderr"),
        tty: incoming.is_set("tty"),
        ports: incoming.all("ports").into_iter().map(str::to_owned).collect(),
    })))
}

impl Target {
    /// The refusal where nothing runs: the pod either has no host, or one that runs nothing.
    pub(crate) fn refusal(&self) -> Failure {
        let Self { subresource, pod, has_host, .. } = self;
        if !has_host {
            return Failure::bad_request(format!("pod {pod} does not have a host assigned"));
        }
        let method = match &**subresource {
            "portforward" => "on_forward",
            "attach" => "on_attach",
            _ => "on_exec",
        };
        let help = format!(
            "`Server::{method}` with the feature `streams` sets it, or `kapigen-fake --scripts`"
        );
        Failure::new(501, format!("the fake server has no {subresource}: {help}"))
    }
}
