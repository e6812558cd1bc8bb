//! The program `kapigen-fake`: a server in memory, on a socket, for clients in any language.

#![forbid(unsafe_code)]

mod files;
mod input;
mod kubeconfig;
mod scripts;

use bytes::Bytes;
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use files::shown;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Method, Request, Response, StatusCode};
use input::{Input, Loaded};
use kapigen_fake::Server;
use kubeconfig::Draft;
use scripts::{Running, Scripts};
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tokio::runtime;

/// Serves the APIs of a cluster from memory, for tests of clients in any language
///
/// By default it serves the kinds of Kubernetes 1.36; with --documents, the kinds of OpenAPI
/// documents, as `kapigen pull` or `kubectl get --raw /openapi/v3/apis/apps/v1` save them. Custom
/// resource definitions add kinds. Nothing is kept when the program ends.
#[derive(Debug, Parser)]
#[command(name = NAME, version, after_help = AFTER_HELP, args_conflicts_with_subcommands = true)]
#[command(disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// OpenAPI documents and custom resource definitions, in JSON or YAML, or folders with such
    /// files, or pipes; by default, the documents of Kubernetes 1.36
    #[arg(short, long, value_name = "PATH", num_args = 1..)]
    documents: Vec<PathBuf>,
    /// Objects and custom resource definitions that exist from the start, in JSON or YAML: files or
    /// pipes
    #[arg(short, long, value_name = "FILE", num_args = 1..)]
    objects: Vec<PathBuf>,
    /// The processes, ports and logs of pods, in YAML or JSON: a file or a pipe
    #[arg(short, long, value_name = "FILE")]
    scripts: Option<PathBuf>,
    /// Address to listen on; port 0 takes any free one
    #[arg(short, long, value_name = "ADDRESS", default_value = "127.0.0.1:8001")]
    listen: String,
    /// Kubeconfig to write, or to replace if kapigen-fake wrote it; by default a temporary file
    /// that ends with the program
    #[arg(short, long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,
    /// Bearer token that requests need, which kubectl sends over TLS only; without this, they need
    /// none
    #[arg(short, long, value_name = "TOKEN", value_parser = token)]
    token: Option<String>,
    /// Store the objects of built-in kinds as clients send them, neither checked nor completed
    #[arg(long)]
    no_built_in_rules: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Prints a script that completes the arguments of this program in a shell
    Completions {
        /// Shell
        #[arg(value_enum)]
        shell: Shell,
    },
}

const NAME: &str = "kapigen-fake";

/// The path at which clients change the scripts.
const SCRIPTS: &str = "/kapigen-fake/scripts";

const AFTER_HELP: &str = "\
Examples:
  kapigen-fake --kubeconfig fake.kubeconfig        # the kinds of Kubernetes
  kapigen pull --out cluster                       # once: the documents of a cluster, with its custom resources
  kapigen-fake --documents cluster --objects start.yaml --kubeconfig fake.kubeconfig
  kubectl --kubeconfig fake.kubeconfig get pods
  source <(kapigen-fake completions bash)          # until the shell ends

Scripts: the first entry that matches runs. An entry matches everything that it does not name:
  exec:    [{pod: web, command: [date], run: [{stdout: \"noon\\n\"}, {pause: 1s}, {stderr: \"late\\n\"}], exit: 3},
            {command: [cat], run: [echo]}, {fails: \"no such file or directory\"}]
  attach:  [{container: main, run: [{stdout: \"ready\\n\"}, read]}]
  forward: [{port: 80, to: \"127.0.0.1:8080\"}, {port: 81, run: [echo]}]
  logs:    [{pod: web, text: \"started\\n\"}]
  Each may name `namespace`, `pod` and `container`. Binary data is {base64: AAEC}. While it runs, PUT
  /kapigen-fake/scripts replaces the scripts, and POST adds some before them. If a log begins as before, the rest
  is appended:
    kubectl replace --raw /kapigen-fake/scripts -f scripts.yaml

What it does not do, and what happens instead:
  some rules of built-in kinds            objects that break them are accepted
  controllers, scheduling, running pods   a test writes the objects and the status that it needs
  authorization                           every user may do everything, and access reviews say so
  quotas, limit ranges, account tokens    stored; pods get neither limits nor volumes of tokens
  users other than by --token             requests without the token end with 401
  admission policies and webhooks         stored, and not called
  conversion by webhooks                  what needs one ends with 500
  the cost of running CEL expressions     one ends after 2,000,000 steps, and refuses its object
  time zones in CEL expressions           an object is refused; offsets such as +02:00 are known
  conversion between built-in versions    objects are shown as they are stored, except events
  responses in protobuf                   JSON, or 406 for clients that accept nothing else
  SPDY, as for kubectl port-forward       refused with a message that says so
  expiry of old versions with time        after 100,000 later changes
  TLS                                     HTTP/1.1 without it; a proxy in front adds it:
    caddy reverse-proxy --from https://localhost:6443 --to 127.0.0.1:8001

It exits with 0 after SIGINT, SIGTERM and SIGHUP, with 1 if it cannot serve, and with 2 if the arguments are wrong.";

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.command {
        Some(Command::Completions { shell }) => print_completions(shell),
        None => run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(errors) => {
            for error in errors {
                eprintln!("error: {error}");
            }
            ExitCode::FAILURE
        }
    }
}

fn print_completions(shell: Shell) -> Result<(), Vec<String>> {
    // `generate` panics where it cannot write.
    let mut completions = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), NAME, &mut completions);
    match io::stdout().write_all(&completions) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(vec![format!("cannot write: {error}")])
        }
        _ => Ok(()),
    }
}

/// A token that a header can have.
fn token(text: &str) -> Result<String, String> {
    let is_sent = text.chars().all(|c| matches!(c, ' '..='~'));
    if text.is_empty() || text.trim() != text || !is_sent {
        return Err("a token has printable ASCII characters, and no spaces around them".to_owned());
    }
    Ok(text.to_owned())
}

/// Serves until a signal comes. All errors are found before anything is served.
fn run(arguments: &Arguments) -> Result<(), Vec<String>> {
    let has_documents = !arguments.documents.is_empty();
    let server = if has_documents { Server::default() } else { Server::kubernetes() };
    server.garbage_collection(true);
    server.built_in_rules(!arguments.no_built_in_rules);
    if let Some(token) = &arguments.token {
        server.require_token(token.as_str());
    }
    let mut input = Input::new(&server, has_documents);
    input.documents(&arguments.documents);
    input.objects(&arguments.objects);
    let (found, mut errors) = input.finish();
    errors.extend(serve_scripts(&server, arguments.scripts.as_deref()).err());
    // From here on there are files, which a signal must not leave behind.
    let runtime = runtime::Builder::new_current_thread().enable_io().build();
    let runtime = runtime.map_err(|error| vec![cannot_wait(&error)])?;
    let signal = {
        let _entered = runtime.enter();
        signal().map_err(|error| vec![cannot_wait(&error)])?
    };
    let listening =
        server.listen(&arguments.listen).map_err(|error| cannot_listen(&arguments.listen, &error));
    let listening = listening.map_err(|error| errors.push(error)).ok();
    let draft =
        Draft::new(arguments.kubeconfig.as_deref()).map_err(|error| errors.push(error)).ok();
    let (Some(listening), Some(draft), true) = (listening, draft, errors.is_empty()) else {
        return Err(errors);
    };
    let url = listening.url();
    let kubeconfig = draft
        .publish(&kubeconfig::render(&url, arguments.token.as_deref()))
        .map_err(|error| vec![error])?;
    // A closed output is no reason to stop serving.
    drop(announce(&found, &url, &kubeconfig.path));
    runtime.block_on(signal);
    // Dropping it would wait for the current request, which ends with the program.
    std::mem::forget(listening);
    Ok(())
}

/// Runs the scripts of a file, and lets clients change them.
fn serve_scripts(server: &Server, file: Option<&Path>) -> Result<(), String> {
    let running = Running::default();
    if let Some(path) = file {
        let text = files::read(path, true)?;
        let set =
            Scripts::parse(text.as_bytes()).map_err(|error| format!("{}:{error}", shown(path)))?;
        running.set(server, set, false).map_err(|error| format!("{}: {error}", shown(path)))?;
    }
    let of_requests = server.clone();
    server.on_path(SCRIPTS, move |request| change_scripts(&of_requests, &running, request));
    Ok(())
}

/// Responds to a request that changes the scripts.
fn change_scripts(server: &Server, running: &Running, request: &Request<Bytes>) -> Response<Bytes> {
    let method = request.method();
    let done = if method == Method::PUT || method == Method::POST {
        let set = Scripts::parse(request.body());
        set.and_then(|scripts| running.set(server, scripts, method == Method::POST))
            .map_err(|why| (StatusCode::BAD_REQUEST, "BadRequest", why))
    } else {
        let why = "PUT replaces the scripts, POST adds to them".to_owned();
        Err((StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", why))
    };
    let code = done.as_ref().err().map_or(StatusCode::OK, |(code, ..)| *code);
    let mut body = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success",
        "code": code.as_u16(),
    });
    if let Err((_, reason, message)) = done {
        body["status"] = json!("Failure");
        body["reason"] = json!(reason);
        body["message"] = json!(message);
    }
    let mut response = Response::new(Bytes::from(body.to_string()));
    *response.status_mut() = code;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// States what is served, and where.
fn announce(found: &Loaded, url: &str, kubeconfig: &Path) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "Serving {found}")?;
    writeln!(out, "Listening on {url}")?;
    out.write_all(&assignment(kubeconfig.as_os_str().as_encoded_bytes()))?;
    out.flush()
}

/// The line that makes a shell use a kubeconfig, with a path in quotes where it needs them.
fn assignment(path: &[u8]) -> Vec<u8> {
    let [start, quote] =
        if cfg!(windows) { ["$env:KUBECONFIG=", "''"] } else { ["export KUBECONFIG=", r"'\''"] };
    let is_plain =
        path.iter().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+,:@%".contains(byte));
    let mut line = start.as_bytes().to_vec();
    if !cfg!(windows) && is_plain {
        line.extend_from_slice(path);
    } else {
        line.push(b'\'');
        for (index, part) in path.split(|byte| *byte == b'\'').enumerate() {
            line.extend_from_slice(if index > 0 { quote.as_bytes() } else { b"" });
            line.extend_from_slice(part);
        }
        line.push(b'\'');
    }
    line.push(b'\n');
    line
}

fn cannot_wait(error: &io::Error) -> String {
    format!("cannot wait for signals: {error}")
}

fn cannot_listen(address: &str, error: &io::Error) -> String {
    let help = match error.kind() {
        io::ErrorKind::AddrInUse => {
            "\n  help: another program listens there; `--listen 127.0.0.1:0` takes any free port"
        }
        io::ErrorKind::InvalidInput => {
            "\n  help: an address has a host and a port, such as 127.0.0.1:8001"
        }
        _ => "",
    };
    format!("cannot listen on `{address}`: {error}{help}")
}

/// Completes at SIGINT or SIGTERM, and at SIGHUP unless it is ignored, as `nohup` makes it.
#[cfg(unix)]
fn signal() -> io::Result<impl Future<Output = ()>> {
    use std::task::Poll;
    use tokio::signal::unix::{SignalKind, signal};

    let mut signals = vec![signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?];
    if !ignores_hangup() {
        signals.push(signal(SignalKind::hangup())?);
    }
    Ok(std::future::poll_fn(move |context| {
        let is_over = signals.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
        if is_over { Poll::Ready(()) } else { Poll::Pending }
    }))
}

/// Whether the program was started with SIGHUP ignored. Only Linux shows it.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & 1 == 1))
}

/// Completes at SIGINT or SIGTERM.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
fn signal() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        drop(tokio::signal::ctrl_c().await);
    })
}
