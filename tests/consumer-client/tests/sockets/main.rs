//! kapigen-client over sockets, with the clients of the ecosystem: every method, every fault, and
//! the examples.

mod apply;
mod connect;
mod copies;
mod dynamic;
mod endurance;
mod examples;
mod faults;
mod faults_of_tasks;
mod lines;
mod proxy;
mod reads_a_pod;
#[cfg(target_os = "linux")]
mod silent;
mod streams;
mod transports;
mod unsendable;
mod webhook;

use hyper_util::client::legacy::Client as Hyper;
use hyper_util::rt::TokioExecutor;
use kapigen_client::Client;
use kapigen_fake::{Listening, Server};
use serde_json::{Value, json};

/// A client that has a connection for each request.
fn hyper(url: &str) -> Client {
    let service = Hyper::builder(TokioExecutor::new()).pool_max_idle_per_host(0).build_http();
    Client::new(service).base(url).expect("a URL")
}

/// A server, and a socket on this machine.
fn server() -> (Server, Listening) {
    let server = Server::new(&[openshift_api::DOCUMENTS]);
    let listening = server.listen("127.0.0.1:0").expect("a free port");
    (server, listening)
}

/// Puts an object into the server.
fn put(server: &Server, object: Value) {
    server.create(&object).expect("a valid object");
}

fn pod(name: &str) -> Value {
    let spec = json!({"containers": [{"name": "main", "image": "a:1"}]});
    json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec})
}

fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(future)
}
