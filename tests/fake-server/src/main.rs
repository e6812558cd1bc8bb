//! A Kubernetes API server in memory, on a socket, to try clients with.
//!
//! `cargo run --manifest-path tests/fake-server/Cargo.toml -- --objects tests/fake-server/widgets.yaml` prints the
//! address and the path of a kubeconfig. All objects are gone when it ends.

#![forbid(unsafe_code)]

mod kubeconfig;
mod objects;

use clap::Parser;
use kapigen_fake::Server;
use openshift_api::jiff::Timestamp;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs};

/// Serves pods, endpoints, events, leases, images and custom resources from memory, without TLS and without credentials
#[derive(Debug, Parser)]
#[command(name = "fake-server")]
struct Arguments {
    /// Address to listen on; port 0 takes any free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8001")]
    listen: String,
    /// Custom resource definitions, OpenAPI documents and objects to begin with, in YAML or JSON
    #[arg(long, value_name = "FILE", num_args = 1..)]
    objects: Vec<PathBuf>,
    /// Kubeconfig to write; by default a file in the folder for temporary files, named after the port
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(never) => match never {},
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Serves until the process is ended.
fn run(arguments: &Arguments) -> Result<std::convert::Infallible, String> {
    let server = Server::new(&[openshift_api::DOCUMENTS]);
    objects::load(&server, &arguments.objects)?;
    let listen = &arguments.listen;
    let listening = server.listen(listen).map_err(|error| format!("cannot listen on `{listen}`: {error}"))?;
    let port = listening.address().port();
    let default = || env::temp_dir().join(format!("fake-server-{port}.kubeconfig"));
    let path = arguments.kubeconfig.clone().unwrap_or_else(default);
    let shown = path.display();
    fs::write(&path, kubeconfig::of(&listening.url())).map_err(|error| format!("cannot write `{shown}`: {error}"))?;
    println!("Listening on {}", listening.url());
    println!("export KUBECONFIG={shown}");
    collect_garbage(&server)
}

/// Collects garbage after each change, as the controllers of a cluster do all the time.
fn collect_garbage(server: &Server) -> ! {
    let mut collected = 0;
    loop {
        if server.wait_until(Duration::from_secs(60), |server| server.version() != collected) {
            collected = server.version();
            server.collect_garbage(Timestamp::now());
        }
    }
}
