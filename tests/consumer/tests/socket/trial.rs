//! Requests that go over the socket, compared with the expected ones, and responses, with those
//! that were sent.

use crate::server::{Arrived, Reply, Server, json, text, with};
use openshift_api::response::{Deleted, DeletedCollection, FromResponse};
use openshift_api::watch::WatchEvent;
use openshift_api::{Error, OPERATIONS, Operation, Request, Text, Upgrade, Watch, codec};
use podwatch::Cluster;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub const NAMESPACE: &str = "shop";
pub const NAME: &str = "cart-0";
pub const REST: &str = "metrics/cpu";

/// A server, a client, and the operations that went from one to the other.
pub struct Trial {
    server: Server,
    cluster: Cluster,
    tried: BTreeSet<&'static str>,
}

/// The request that should arrive.
#[derive(Clone)]
pub struct Sent {
    line: String,
    accept: &'static str,
    body: Option<(&'static str, Value)>,
}

type Made<T> = Result<Request<T>, Error>;

impl Sent {
    /// Method, path and query, as they are in the first line of a request.
    pub fn new(line: impl Into<String>) -> Self {
        Self { line: line.into(), accept: "application/json", body: None }
    }

    pub fn body(self, media_type: &'static str, body: &Value) -> Self {
        Self { body: Some((media_type, body.clone())), ..self }
    }

    pub fn json(self, body: &Value) -> Self {
        self.body("application/json", body)
    }

    fn check(&self, operation: &Operation<&str>, arrived: &Arrived) {
        let line = arrived.line();
        assert_eq!(line, self.line);
        let method = arrived.head.method.as_str();
        let path = arrived.head.uri.path();
        let template = operation
            .path
            .replace("{namespace}", NAMESPACE)
            .replace("{name}", NAME)
            .replace("{path}", REST);
        assert_eq!((method, path), (operation.method, template.as_str()), "{}", operation.id);
        assert_eq!(arrived.header("accept"), Some(self.accept), "{line}");
        let Some((media_type, body)) = &self.body else {
            assert!(arrived.body.is_empty(), "{line}: {}", String::from_utf8_lossy(&arrived.body));
            assert_eq!(arrived.header("content-type"), None, "{line}");
            return;
        };
        assert_eq!(arrived.header("content-type"), Some(*media_type), "{line}");
        assert!(
            operation.media_types.iter().any(|taken| taken == media_type || *taken == "*/*"),
            "`{}` takes {:?}, not {media_type}",
            operation.id,
            operation.media_types
        );
        assert_eq!(serde_json::from_slice::<Value>(&arrived.body).unwrap(), *body, "{line}");
    }
}

impl Trial {
    pub fn new() -> Self {
        let server = Server::start();
        Self { cluster: Cluster::new(&server.url), server, tried: BTreeSet::new() }
    }

    /// Sends a request; it must arrive as expected.
    pub fn call<T: FromResponse>(&mut self, request: Made<T>, sent: &Sent, reply: Reply) -> T {
        let request = request.unwrap_or_else(|error| panic!("{}: {error}", sent.line));
        let status = reply.status();
        self.server.will(reply);
        let response = self
            .cluster
            .send(&request)
            .unwrap_or_else(|failure| panic!("{}: {failure}", sent.line));
        self.check(request.operation(), sent);
        assert_eq!(response.status, status);
        response.body
    }

    fn check(&mut self, operation: Operation<&str>, sent: &Sent) {
        assert!(
            OPERATIONS.iter().any(|known| *known == operation),
            "`{}` is in no list",
            operation.id
        );
        sent.check(&operation, &self.server.arrived());
        self.tried.insert(operation.id);
    }

    /// The server sends an object, which must come back unchanged.
    pub fn gives<T: FromResponse + Serialize>(
        &mut self,
        status: u16,
        object: &Value,
        request: Made<T>,
        sent: &Sent,
    ) {
        let body = self.call(request, sent, json(status, object));
        assert_eq!(serde_json::to_value(body).unwrap(), *object, "{}", sent.line);
    }

    /// The server sends a `Status`, and then the object.
    pub fn deletes<T>(&mut self, object: &Value, request: &Made<Deleted<T>>, sent: &Sent)
    where
        T: codec::Object + codec::Value + Serialize,
    {
        let status = crate::recorded_json("statuses/success-delete.json");
        let Deleted::Status(body) = self.call(request.clone(), sent, json(200, &status)) else {
            panic!("{}: not a status", sent.line)
        };
        assert_eq!(serde_json::to_value(body).unwrap(), status);
        let Deleted::Object(body) = self.call(request.clone(), sent, json(202, object)) else {
            panic!("{}: not an object", sent.line)
        };
        assert_eq!(serde_json::to_value(body).unwrap(), *object);
    }

    /// The server sends a `Status`, and then the list of deleted objects.
    pub fn deletes_all<L>(
        &mut self,
        list: &Value,
        request: &Made<DeletedCollection<L>>,
        sent: &Sent,
    ) where
        L: codec::Object + codec::Value + Serialize,
    {
        let status =
            json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success"});
        let DeletedCollection::Status(body) = self.call(request.clone(), sent, json(200, &status))
        else {
            panic!("{}: not a status", sent.line)
        };
        assert_eq!(serde_json::to_value(body).unwrap(), status);
        let DeletedCollection::List(body) = self.call(request.clone(), sent, json(200, list))
        else {
            panic!("{}: not a list", sent.line)
        };
        assert_eq!(serde_json::to_value(body).unwrap(), *list);
    }

    /// The server sends changes of an object.
    pub fn streams<T>(&mut self, object: &Value, request: Made<Watch<T>>, sent: &Sent)
    where
        T: codec::Object + codec::Value + Serialize,
    {
        let lines = ["ADDED", "MODIFIED", "DELETED"]
            .map(|event| json!({"type": event, "object": object}).to_string());
        let request = request.unwrap_or_else(|error| panic!("{}: {error}", sent.line));
        self.server.will(text(200, "application/json", lines.join("\n") + "\n"));
        let watch = self
            .cluster
            .watch(&request)
            .unwrap_or_else(|failure| panic!("{}: {failure}", sent.line));
        self.check(request.operation(), sent);
        let events: Vec<_> = watch.map(|event| event.unwrap()).collect();
        let [WatchEvent::Added(first), WatchEvent::Modified(second), WatchEvent::Deleted(third)] =
            &*events
        else {
            panic!("{}: other events", sent.line)
        };
        for seen in [first, second, third] {
            assert_eq!(serde_json::to_value(seen).unwrap(), *object, "{}", sent.line);
        }
    }

    /// The server sends bytes.
    pub fn sends(&mut self, status: u16, bytes: &[u8], request: Made<Text>, line: &str) {
        let sent = Sent { accept: "*/*", ..Sent::new(line) };
        assert_eq!(self.call(request, &sent, text(status, "text/plain", bytes)).0, bytes, "{line}");
    }

    /// The server switches to the protocol of a WebSocket. openshift-api does not read its
    /// messages.
    pub fn upgrades<S>(&mut self, request: Made<Upgrade<S>>, line: &str) {
        let request = request.unwrap_or_else(|error| panic!("{line}: {error}"));
        let mut http = request.to_http();
        let asked = [
            ("connection", "Upgrade"),
            ("upgrade", "websocket"),
            ("sec-websocket-version", "13"),
            ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
            ("sec-websocket-protocol", "v5.channel.k8s.io"),
        ];
        for (name, value) in asked {
            http.headers_mut().insert(name, value.parse().unwrap());
        }
        let reply = asked.iter().filter(|(name, _)| *name != "sec-websocket-key");
        let reply = reply
            .fold(text(101, "text/plain", ""), |reply, (name, value)| with(name, value, reply));
        self.server.will(reply);
        let (head, _) = self.cluster.exchange(http).unwrap().into_parts();
        self.check(request.operation(), &Sent::new(line));
        let response = request.decode_upgrade(head.status, &head.headers, b"").unwrap();
        assert_eq!(response.body.protocol.as_deref(), Some("v5.channel.k8s.io"));
    }

    /// Every operation must have been tried.
    pub fn end(&self) {
        let known = OPERATIONS.iter().map(|operation| operation.id).collect::<BTreeSet<_>>();
        let untried = known.difference(&self.tried).collect::<Vec<_>>();
        assert!(untried.is_empty(), "add these to tests/socket: {untried:?}");
        println!("{} of {} operations went over a socket", self.tried.len(), known.len());
    }
}
