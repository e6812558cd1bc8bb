//! A fake API server on a socket, to try clients with.
//!
//! `cargo run -p kapigen-tests --example fake_server -- 127.0.0.1:8001 widgets.yaml`, then
//! `kubectl --server http://127.0.0.1:8001 get pods`. The files are custom resource definitions and OpenAPI documents.

use kapigen_fake::Server;
use serde_json::Value;
use std::error::Error;
use std::{env, fs, thread};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:8001".to_owned());
    let server = Server::new(&[openshift_api::API]);
    for path in arguments {
        let document: Value = serde_yaml::from_str(&fs::read_to_string(&path)?)?;
        if document["kind"] == "CustomResourceDefinition" {
            server.add_definition(&document).map_err(|error| format!("{path}: {error}"))?;
        } else {
            server.add_document(&document);
        }
    }
    let listening = server.listen(address)?;
    println!("{}", listening.url());
    loop {
        thread::park();
    }
}
