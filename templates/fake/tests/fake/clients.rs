//! Shared by the tests of clients over a socket: a server with a custom resource and objects.

use crate::testing::SetOnDrop;
use kapigen_fake::{Listening, Server};
use serde::Deserialize;
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use test_support::places;

/// A server on a socket.
pub(crate) struct Listener {
    pub(crate) server: Server,
    pub(crate) listening: Listening,
}

/// A server with what `templates/fake/tests/widgets.yaml` has.
pub(crate) fn widgets() -> Listener {
    let server = Server::new(&[openshift_api::DOCUMENTS]);
    let listening = server.listen("127.0.0.1:0").expect("a socket");
    let listener = Listener { server, listening };
    let text = places::text(&places::root().join("templates/fake/tests/widgets.yaml"));
    for document in serde_yaml::Deserializer::from_str(&text) {
        let object = Value::deserialize(document).expect("an object");
        if object["kind"] == "CustomResourceDefinition" {
            listener.server.add_definition(&object).expect("a definition");
        } else {
            listener.create(&object);
        }
    }
    listener
}

impl Listener {
    /// Creates an object in the namespace `default`.
    pub(crate) fn create(&self, object: &Value) {
        self.server.create(object).expect("an object");
    }

    /// Runs something while garbage is collected.
    pub(crate) fn collecting<T>(&self, run: impl FnOnce() -> T) -> T {
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    self.server.collect_garbage();
                    thread::sleep(Duration::from_millis(20));
                }
            });
            let _end = SetOnDrop(&is_over);
            run()
        })
    }
}
