//! Logs of containers: the existing lines, and the following ones on request.

use super::{Outcome, Over, stored};
use crate::failure::{Cause, Failure};
use crate::key::Key;
use crate::logs::{Container, Line, Log};
use crate::object::Tree;
use crate::request::Request;
use crate::state::State;
use kapigen_runtime::jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

/// The lines of a log that a client requests, and how far it has read them.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    container: Container,
    pod: Key,
    /// The index of the next line.
    next: usize,
    /// Earlier lines are left out.
    since: Option<Timestamp>,
    /// Whether lines begin with their times.
    timestamps: bool,
    /// The remaining limit of bytes.
    left: Option<usize>,
}

/// The options of a request for a log, checked.
struct Options {
    tail: Option<usize>,
    limit: Option<usize>,
    since: Option<Timestamp>,
}

/// GET on `log`: the log that a test set for the container.
pub(super) fn log(state: &State, request: &Request<'_>) -> Result<Outcome, Failure> {
    let options = options(request)?;
    let live = stored(state, request)?.tree();
    let name = container(request, &live)?;
    let container =
        (request.namespace.unwrap_or_default().to_owned(), request.name.to_owned(), name);
    let log = state.logs.get(&container);
    // A pod that was never scheduled has no logs, unless a test wrote one.
    if log.is_none()
        && live.at("spec.nodeName").and_then(Value::as_str).unwrap_or_default().is_empty()
    {
        return Ok(Outcome::Nothing);
    }
    if request.incoming.is_set("previous") {
        let name = &container.2;
        let pod = request.name;
        return Err(Failure::bad_request(format!(
            "previous terminated container \"{name}\" in pod \"{pod}\" not found"
        )));
    }
    let end = log.map_or(0, Log::end);
    let mut reading = Reading {
        container,
        pod: request.key(request.name),
        next: options.tail.map_or(0, |tail| end.saturating_sub(tail)),
        since: options.since,
        timestamps: request.incoming.is_set("timestamps"),
        left: options.limit,
    };
    if request.incoming.is_set("follow") {
        return Ok(Outcome::Follow(reading));
    }
    let mut text = Vec::new();
    while let Some(line) = reading.line(log) {
        text.extend(line);
    }
    Ok(Outcome::Text(text))
}

fn options(request: &Request<'_>) -> Result<Options, Failure> {
    let tail = request.incoming.number("tailLines")?;
    let limit = request.incoming.number("limitBytes")?;
    let seconds = request.incoming.number("sinceSeconds")?;
    let time = Some(request.get("sinceTime")).filter(|time| !time.is_empty());
    let mut causes = Vec::new();
    if let Some(tail) = tail.filter(|tail| *tail < 0) {
        let why = "must be greater than or equal to 0";
        causes.push(Cause::invalid("tailLines", &json!(tail), why));
    }
    if let Some(limit) = limit.filter(|limit| *limit < 1) {
        causes.push(Cause::invalid("limitBytes", &json!(limit), "must be greater than 0"));
    }
    if time.is_some() && seconds.is_some() {
        let why = "at most one of `sinceTime` or `sinceSeconds` may be specified";
        causes.push(Cause::forbidden("[]", why));
    } else if let Some(seconds) = seconds.filter(|seconds| *seconds < 1) {
        causes.push(Cause::invalid("sinceSeconds", &json!(seconds), "must be greater than 0"));
    }
    if !causes.is_empty() {
        return Err(Failure::invalid("", "PodLogOptions", request.name, &causes));
    }
    let since = match (time, seconds) {
        (Some(time), _) => Some(time.parse().map_err(|_| unparsable(time))?),
        (None, Some(seconds)) => {
            let ago = SignedDuration::from_secs(seconds);
            Some(request.now.checked_sub(ago).unwrap_or(Timestamp::MIN))
        }
        (None, None) => None,
    };
    let [tail, limit] = [tail, limit]
        .map(|number| number.map(|number| usize::try_from(number).unwrap_or(usize::MAX)));
    Ok(Options { tail, limit, since })
}

/// The container that the request names, or the only one.
pub(super) fn container(request: &Request<'_>, pod: &Value) -> Result<String, Failure> {
    let [own, initial, debugging] =
        ["spec.containers", "spec.initContainers", "spec.ephemeralContainers"].map(|list| {
            let containers = pod.list(list).iter();
            containers.filter_map(|container| container.get("name")?.as_str()).collect::<Vec<_>>()
        });
    let wanted = request.get("container");
    if !wanted.is_empty() {
        if [&own, &initial, &debugging].iter().any(|all| all.contains(&wanted)) {
            return Ok(wanted.to_owned());
        }
        let pod = request.name;
        let message = format!("container {wanted} is not valid for pod {pod}");
        return Err(Failure::bad_request(message));
    }
    if let [only] = own[..] {
        return Ok(only.to_owned());
    }
    let mut message = format!("a container name must be specified for pod {}", request.name);
    if !own.is_empty() {
        message = format!("{message}, choose one of: [{}]", own.join(" "));
        if !initial.is_empty() {
            message = format!("{message} or one of the init containers: [{}]", initial.join(" "));
        }
    }
    Err(Failure::bad_request(message))
}

fn unparsable(time: &str) -> Failure {
    let layout = "2006-01-02T15:04:05Z07:00";
    Failure::bad_request(format!(
        "parsing time \"{time}\" as \"{layout}\": cannot parse \"{time}\" as \"2006\""
    ))
}

impl Reading {
    /// The next line that the client requests.
    fn line(&mut self, log: Option<&Log>) -> Option<Vec<u8>> {
        if self.left == Some(0) {
            return None;
        }
        for line in log?.from(self.next) {
            // Lines that were replaced before they were read are skipped.
            self.next = self.next.max(log?.end() - log?.from(0).len()) + 1;
            if self.since.is_none_or(|since| line.time >= since) {
                return Some(self.rendered(line));
            }
        }
        None
    }

    fn rendered(&mut self, line: &Line) -> Vec<u8> {
        let mut bytes = Vec::new();
        if self.timestamps {
            bytes.extend(line.time.strftime("%Y-%m-%dT%H:%M:%S.%9fZ ").to_string().into_bytes());
        }
        bytes.extend_from_slice(&line.text);
        if let Some(left) = &mut self.left {
            bytes.truncate(*left);
            *left -= bytes.len();
        }
        bytes
    }

    /// The next line, if there is one already. `Err` when no more can come.
    pub(crate) fn next(&mut self, state: &State) -> Result<Option<Vec<u8>>, Over> {
        if let Some(line) = self.line(state.logs.get(&self.container)) {
            return Ok(Some(line));
        }
        let pod = state.store.tree(&self.pod);
        let phase = pod.as_ref().and_then(|pod| pod.at("status.phase")?.as_str());
        let is_over =
            pod.is_none() || matches!(phase, Some("Succeeded" | "Failed")) || self.left == Some(0);
        if is_over { Err(Over) } else { Ok(None) }
    }
}
