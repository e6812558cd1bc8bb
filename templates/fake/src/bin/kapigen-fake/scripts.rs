//! Processes, ports and logs of pods, as a file or a request describes them.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use kapigen_fake::Server;
use kapigen_fake::streams::{Forwarded, Process, Script};
use kapigen_yaml::{Position, Reader, Repeated};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The scripts of a server, for all its requests.
#[derive(Clone, Debug, Default)]
pub(crate) struct Running(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    scripts: Scripts,
    /// The logs that were written, by namespace, pod and container.
    logs: BTreeMap<[String; 3], Vec<u8>>,
}

/// The entries of a file.
#[derive(Debug, Default)]
pub(crate) struct Scripts {
    exec: Vec<ForProcess>,
    attach: Vec<ForProcess>,
    forward: Vec<ForPort>,
    logs: Vec<Log>,
}

/// The lists of a file, of which each entry is read by itself, so that its errors have a place.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Lists {
    exec: Vec<Value>,
    attach: Vec<Value>,
    forward: Vec<Value>,
    logs: Vec<Value>,
}

/// A process. What it does not name, it fits.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ForProcess {
    namespace: Option<String>,
    pod: Option<String>,
    container: Option<String>,
    command: Option<Vec<String>>,
    #[serde(default)]
    run: Vec<Step>,
    #[serde(default)]
    exit: i32,
    fails: Option<String>,
}

/// A server of a port.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ForPort {
    namespace: Option<String>,
    pod: Option<String>,
    port: Option<u16>,
    to: Option<String>,
    #[serde(default)]
    run: Vec<Step>,
    fails: Option<String>,
}

/// The log of a container.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Log {
    namespace: Option<String>,
    pod: String,
    container: Option<String>,
    text: Data,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Step {
    Stdout(Data),
    Stderr(Data),
    Pause(Pause),
    Echo,
    Read,
}

/// Bytes: a string, or an object with base64.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Value")]
struct Data(Vec<u8>);

#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
struct Pause(Duration);

impl TryFrom<Value> for Data {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match &value {
            Value::String(text) => Some(Self(text.clone().into_bytes())),
            Value::Object(members) if members.len() == 1 => {
                let base64 = members.get("base64").and_then(Value::as_str);
                base64.and_then(|text| BASE64_STANDARD.decode(text).ok()).map(Self)
            }
            _ => None,
        }
        .ok_or_else(|| "bytes are a string, or `{base64: …}`".to_owned())
    }
}

impl TryFrom<String> for Pause {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(split);
        let factor = match unit {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            _ => 0,
        };
        let time = number.parse::<u64>().ok().filter(|_| factor > 0);
        let time = time.and_then(|time| time.checked_mul(factor));
        let time = time
            .ok_or_else(|| format!("a pause is such as `500ms`, `2s` or `1m`, and not `{text}`"))?;
        Ok(Self(Duration::from_millis(time)))
    }
}

fn script(steps: &[Step]) -> Script {
    steps.iter().cloned().fold(Script::default(), |script, step| match step {
        Step::Stdout(Data(bytes)) => script.stdout(bytes),
        Step::Stderr(Data(bytes)) => script.stderr(bytes),
        Step::Pause(Pause(time)) => script.pause(time),
        Step::Echo => script.echo(),
        Step::Read => script.read(),
    })
}

/// Whether something that an entry may name is this.
fn fits(named: Option<&String>, is: &str) -> bool {
    named.is_none_or(|named| named == is)
}

impl ForProcess {
    fn fits(&self, process: &Process) -> bool {
        fits(self.namespace.as_ref(), &process.namespace)
            && fits(self.pod.as_ref(), &process.pod)
            && fits(self.container.as_ref(), &process.container)
            && self.command.as_ref().is_none_or(|command| *command == process.command)
    }

    fn check(&self, is_attached: bool) -> Result<(), &'static str> {
        if is_attached && self.command.is_some() {
            return Err("clients attach to what runs: there is no command");
        }
        if self.fails.is_some() && (!self.run.is_empty() || self.exit != 0) {
            return Err("what `fails` does not start: it has neither `run` nor `exit`");
        }
        Ok(())
    }
}

impl ForPort {
    fn fits(&self, forwarded: &Forwarded) -> bool {
        fits(self.namespace.as_ref(), &forwarded.namespace)
            && fits(self.pod.as_ref(), &forwarded.pod)
            && self.port.is_none_or(|port| port == forwarded.port)
    }

    fn check(&self) -> Result<(), &'static str> {
        let given = [self.to.is_some(), !self.run.is_empty(), self.fails.is_some()];
        if given.into_iter().filter(|is| *is).count() != 1 {
            return Err("a port has one of `to`, `run` and `fails`");
        }
        if self.run.iter().any(|step| matches!(step, Step::Stderr(_))) {
            return Err("a port has no `stderr`: `fails` has its error");
        }
        Ok(())
    }
}

impl Scripts {
    /// Reads a file or the body of a request, in YAML or JSON.
    ///
    /// # Errors
    /// The fault, after its line and column.
    pub(crate) fn parse(text: &[u8]) -> Result<Self, String> {
        let reader = Reader::new();
        let document = reader.document(text).map_err(|error| {
            let start = error.position().unwrap_or(Position { line: 1, column: 1 });
            format!("{}:{}: {}", start.line, start.column, error.message())
        })?;
        if let [Repeated { place, .. }, ..] = &document.repeated[..] {
            let start = place.start();
            return Err(format!("{}:{}: {}", start.line, start.column, document.repeated[0]));
        }
        if document.value.is_null() {
            return Ok(Self::default());
        }
        let at = |pointer: &str, problem: &str| {
            let place = reader.locate(text, [(document.number, pointer)]);
            let place = place.get(document.number, pointer);
            let start = place.map_or(document.position, |place| place.start());
            format!("{}:{}: {problem}", start.line, start.column)
        };
        let lists: Lists =
            serde_json::from_value(document.value).map_err(|error| at("", &error.to_string()))?;
        Ok(Self {
            exec: entries("exec", lists.exec, |entry: &ForProcess| entry.check(false), at)?,
            attach: entries("attach", lists.attach, |entry: &ForProcess| entry.check(true), at)?,
            forward: entries("forward", lists.forward, ForPort::check, at)?,
            logs: entries("logs", lists.logs, |_: &Log| Ok(()), at)?,
        })
    }
}

/// Reads the entries of a list.
fn entries<T: DeserializeOwned>(
    list: &str,
    values: Vec<Value>,
    check: impl Fn(&T) -> Result<(), &'static str>,
    at: impl Fn(&str, &str) -> String,
) -> Result<Vec<T>, String> {
    let mut entries = Vec::with_capacity(values.len());
    for (index, value) in values.into_iter().enumerate() {
        let entry = serde_json::from_value(value).map_err(|error| error.to_string());
        let checked = entry.and_then(|entry| check(&entry).map(|()| entry).map_err(str::to_owned));
        entries.push(checked.map_err(|problem| at(&format!("/{list}/{index}"), &problem))?);
    }
    Ok(entries)
}

impl Running {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets what runs, or adds it before what runs, and writes the logs.
    ///
    /// # Errors
    /// When a log names no container, and its pod is not there. Then nothing is changed.
    pub(crate) fn set(
        &self,
        server: &Server,
        mut scripts: Scripts,
        adds: bool,
    ) -> Result<(), String> {
        let logs = std::mem::take(&mut scripts.logs);
        let logs = logs.into_iter().map(|log| log.of_container(server));
        let logs = logs.collect::<Result<Vec<_>, _>>()?;
        let mut state = self.lock();
        if adds {
            let old = std::mem::take(&mut state.scripts);
            scripts.exec.extend(old.exec);
            scripts.attach.extend(old.attach);
            scripts.forward.extend(old.forward);
        }
        state.scripts = scripts;
        for (container, text) in logs {
            let [namespace, pod, name] = &container;
            match state.logs.get(&container).and_then(|old| text.strip_prefix(&old[..])) {
                // Clients that follow it get what is new.
                Some(new) => server.append_log(namespace, pod, name, new, server.now()),
                None => server.set_log(namespace, pod, name, &text),
            }
            state.logs.insert(container, text);
        }
        drop(state);
        self.install(server);
        Ok(())
    }

    /// Lets the server run what is set.
    fn install(&self, server: &Server) {
        let own = self.clone();
        server.on_exec(move |process| {
            let state = own.lock();
            let found = state.scripts.exec.iter().find(|entry| entry.fits(&process)).cloned();
            run(found, process)
        });
        let own = self.clone();
        server.on_attach(move |process| {
            let state = own.lock();
            let found = state.scripts.attach.iter().find(|entry| entry.fits(&process)).cloned();
            run(found, process)
        });
        let own = self.clone();
        server.on_forward(move |forwarded| {
            let state = own.lock();
            let found = state.scripts.forward.iter().find(|entry| entry.fits(&forwarded)).cloned();
            serve(found, forwarded)
        });
    }
}

impl Log {
    /// The container, and the text.
    fn of_container(self, server: &Server) -> Result<([String; 3], Vec<u8>), String> {
        let namespace = self.namespace.unwrap_or_else(|| "default".to_owned());
        let container = self.container.or_else(|| {
            let pod = server.get_json("v1", "Pod", &namespace, &self.pod)?;
            Some(pod.pointer("/spec/containers/0/name")?.as_str()?.to_owned())
        });
        let container = container.ok_or_else(|| {
            let pod = &self.pod;
            format!("the log of {namespace}/{pod} has no `container`, and there is no such pod")
        })?;
        Ok(([namespace, self.pod, container], self.text.0))
    }
}

async fn run(found: Option<ForProcess>, process: Process) -> Result<i32, String> {
    let Some(ForProcess { run, exit, fails, .. }) = found else {
        let command = process.command.join(" ");
        let of =
            if command.is_empty() { String::new() } else { format!(" the command `{command}`") };
        return Err(format!("no script of kapigen-fake fits{of} in {}", process.pod));
    };
    match fails {
        Some(why) => Err(why),
        None => script(&run).exit(exit).run(process).await,
    }
}

async fn serve(found: Option<ForPort>, forwarded: Forwarded) -> Result<(), String> {
    match found {
        None => Err(format!("no script of kapigen-fake serves the port {}", forwarded.port)),
        Some(ForPort { fails: Some(why), .. }) => Err(why),
        Some(ForPort { to: Some(address), .. }) => forwarded.to(address).await,
        Some(ForPort { run, .. }) => script(&run).serve(forwarded).await,
    }
}
