//! Objects that a test puts into a server, beside the requests of its clients.

use crate::failure::Failure;
use crate::object::Tree;
use crate::server::{Inner, Server, Shared};
use crate::validate::{self, NameRule};
use bytes::Bytes;
use http::header::USER_AGENT;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use kapigen_runtime::jiff::Timestamp;
use kapigen_runtime::response::Json;
use kapigen_runtime::{Error, Response};
use serde_json::{Value, json};
use std::sync::Arc;

impl Server {
    /// Creates an object, as a POST would, and returns it as stored. If it states a status, that is written, too, as a PUT
    /// of the status would, before any other request is handled. The namespace matters for namespaced kinds only, and is
    /// created if the server has the kind of namespaces and it does not exist.
    ///
    /// This is no request of a client: injected failures do not apply, and [`requests`](Self::requests) does not have it.
    ///
    /// # Errors
    /// The refusal as a client would get it, such as that of a kind that was not added. If only the status is refused, the
    /// object was created without it.
    pub fn create(&self, namespace: &str, object: &Value, now: Timestamp) -> Result<Value, Error> {
        self.shared.change(|inner| Setup { inner, shared: &self.shared, now }.create(namespace, object))
    }
}

/// A server that no other request changes.
struct Setup<'a> {
    inner: &'a mut Inner,
    shared: &'a Arc<Shared>,
    now: Timestamp,
}

impl Setup<'_> {
    fn create(&mut self, namespace: &str, object: &Value) -> Result<Value, Error> {
        let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
        let (version, kind) = (text("apiVersion"), text("kind"));
        let resource = self.inner.state.registry.of_kind(version, kind).cloned();
        let resource = resource.ok_or_else(|| refused(&Failure::unknown_kind(version, kind)))?;
        let root = if resource.group.is_empty() { "api" } else { "apis" };
        let mut path = format!("/{root}/{version}");
        if resource.namespaced {
            self.ensure_namespace(namespace)?;
            path = format!("{path}/namespaces/{namespace}");
        }
        path = format!("{path}/{}", resource.plural);
        let mut stored = self.send(Method::POST, &path, object)?;
        if let (Some(status), true) = (object.get("status"), resource.has_status()) {
            let name = stored.text("name").to_owned();
            stored["status"] = status.clone();
            stored = self.send(Method::PUT, &format!("{path}/{name}/status"), &stored)?;
        }
        Ok(stored)
    }

    /// Creates a namespace, if the server has their kind and it does not exist. Refuses names that none can have.
    fn ensure_namespace(&mut self, namespace: &str) -> Result<(), Error> {
        let object = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}});
        let causes = validate::metadata(&object, NameRule::Label);
        if !causes.is_empty() {
            return Err(refused(&Failure::invalid("", "Namespace", namespace, &causes)));
        }
        // Without their kind, every namespace exists.
        drop(self.send(Method::POST, "/api/v1/namespaces", &object));
        Ok(())
    }

    /// Writes an object, and returns it as stored.
    fn send(&mut self, method: Method, path: &str, object: &Value) -> Result<Value, Error> {
        let mut request = http::Request::new(Bytes::from(object.to_string()));
        *request.method_mut() = method;
        *request.uri_mut() = path.parse().unwrap_or_default();
        request.headers_mut().insert(USER_AGENT, HeaderValue::from_static("kapigen-fake"));
        let (head, body) = self.inner.serve(&request, self.now, self.shared).into_parts();
        decoded(head.status, &head.headers, &body.into_whole().unwrap_or_default())
    }
}

/// The response to a request, as a client decodes it.
fn decoded(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Result<Value, Error> {
    Response::<Json<Value>>::decode_parts(status, headers, body).map(|response| response.body.0)
}

fn refused(failure: &Failure) -> Error {
    let code = StatusCode::from_u16(failure.code).unwrap_or_default();
    let status = failure.status.to_string();
    decoded(code, &HeaderMap::new(), status.as_bytes()).expect_err("a failure has the code of one")
}
