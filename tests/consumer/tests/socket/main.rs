//! Every operation of openshift-api, and its possible responses, over a socket: a client of the
//! ecosystem on one side, an HTTP server on the other.

mod operations;
mod pods;
mod programs;
mod responses;
mod server;
mod trial;
mod watching;

use serde_json::Value;
use std::path::Path;

/// An object, a status or a watch as servers send it.
fn recorded(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn recorded_json(name: &str) -> Value {
    recorded(name).parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}
