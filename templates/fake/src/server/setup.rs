//! Objects that a test puts into a server, beside the requests of its clients.

use crate::failure::Failure;
use crate::key::Key;
use crate::kinds;
use crate::names;
use crate::object::Tree;
use crate::registry::Resource;
use crate::request::{Incoming, Request};
use crate::state::{DEFINITIONS, NAMESPACES, State};
use crate::validate::{self, NameRule};
use crate::verbs::{self, Outcome};
use bytes::Bytes;
use http::header::USER_AGENT;
use http::{HeaderMap, HeaderValue, StatusCode};
use kapigen_runtime::__private::serializing;
use kapigen_runtime::Verb;
use kapigen_runtime::jiff::Timestamp;
use kapigen_runtime::request::InvalidRequest;
use kapigen_runtime::response::Json;
use kapigen_runtime::{Error, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An object of a test as JSON.
pub(super) fn tree<T: Serialize>(object: &T) -> Result<Value, Error> {
    match serializing(|| serde_json::to_value(object)) {
        (_, Some(name)) => Err(InvalidRequest::Masked { name }.into()),
        (tree, None) => tree.map_err(|error| refused(&Failure::new(400, error.to_string()))),
    }
}

/// A stored object as the type that a test gave.
pub(super) fn typed<T: DeserializeOwned>(object: Value) -> Result<T, Failure> {
    serde_json::from_value(object).map_err(|error| Failure::new(500, error.to_string()))
}

/// Creates an object, its status, and its namespace.
pub(super) fn create(state: &mut State, object: &Value, now: Timestamp) -> Result<Value, Failure> {
    let namespace = namespace_of(object);
    let version = object.text("apiVersion");
    let kind = object.text("kind");
    let resource = state.registry.of_kind(version, kind).cloned();
    let resource = resource.ok_or_else(|| Failure::unknown_kind(version, kind))?;
    if resource.namespaced {
        ensure_namespace(state, namespace, now)?;
    }
    let mut stored = write(state, &resource, namespace, Verb::Create, object, now)?;
    if &**resource.key() == DEFINITIONS {
        // The server itself has written its status by now.
        let key = Key::for_resource(DEFINITIONS.into(), None, stored.metadata_text("name"));
        return Ok(state.store.tree(&key).unwrap_or(stored));
    }
    if let (Some(status), true) = (object.get("status"), resource.has_status()) {
        stored["status"] = status.clone();
        stored = write(state, &resource, namespace, Verb::Replace, &stored, now)?;
    }
    Ok(stored)
}

/// Stores objects. Definitions and namespaces are created at once, because others depend on them;
/// the rest is stored as a whole or not at all.
pub(super) fn seed(
    state: &mut State,
    objects: impl IntoIterator<Item = Value>,
    now: Timestamp,
) -> Result<(), Failure> {
    let mut seedlings = Vec::new();
    let mut known = BTreeSet::new();
    let mut namespaces = BTreeSet::new();
    let mut last: Option<Arc<Resource>> = None;
    for object in objects {
        let version = object.text("apiVersion");
        let kind = object.text("kind");
        let found = last.filter(|last| last.kind == kind && last.api_version() == version);
        let found = found.or_else(|| state.registry.of_kind(version, kind).cloned());
        let resource = found.ok_or_else(|| Failure::unknown_kind(version, kind))?;
        let namespace = namespace_of(&object).to_owned();
        if [NAMESPACES, DEFINITIONS].contains(&&**resource.key())
            || !resource.object.contains("GET")
        {
            create(state, &object, now)?;
        } else {
            if resource.namespaced && !namespaces.contains(&namespace) {
                ensure_namespace(state, &namespace, now)?;
                namespaces.insert(namespace.clone());
            }
            seedlings.push(verbs::seed::prepare(state, &resource, &namespace, object, &mut known)?);
        }
        last = Some(resource);
    }
    let time = names::time(now);
    for seedling in seedlings {
        verbs::seed::store(state, seedling, (now, &time));
    }
    Ok(())
}

/// The namespace of an object of a test.
fn namespace_of(object: &Value) -> &str {
    let stated = object.metadata_text("namespace");
    if stated.is_empty() { "default" } else { stated }
}

/// Creates a namespace, if the server has their kind and it does not exist. Refuses names that none
/// can have.
fn ensure_namespace(state: &mut State, namespace: &str, now: Timestamp) -> Result<(), Failure> {
    if state.store.get(&Key::for_resource(NAMESPACES.into(), None, namespace)).is_some() {
        return Ok(());
    }
    let object = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}});
    let causes = validate::metadata(&object, NameRule::Label, kinds::TWICE_APART);
    if !causes.is_empty() {
        return Err(Failure::invalid("", "Namespace", namespace, &causes));
    }
    // Without their kind, every namespace exists.
    let Some(resource) = state.registry.get("", "v1", "namespaces").cloned() else { return Ok(()) };
    write(state, &resource, "", Verb::Create, &object, now).map(drop)
}

/// Creates an object, or updates its status. Returns it as stored.
fn write(
    state: &mut State,
    resource: &Arc<Resource>,
    namespace: &str,
    verb: Verb,
    object: &Value,
    now: Timestamp,
) -> Result<Value, Failure> {
    let mut request = http::Request::new(Bytes::new());
    request.headers_mut().insert(USER_AGENT, HeaderValue::from_static("kapigen-fake"));
    let is_creation = verb == Verb::Create;
    let request = Request {
        incoming: &Incoming::new(&request),
        tree: Some(object),
        verb,
        resource: resource.clone(),
        namespace: resource.namespaced.then_some(namespace),
        name: if is_creation { "" } else { object.metadata_text("name") },
        subresource: if is_creation { "" } else { "status" },
        now,
        is_checked: false,
    };
    match verbs::handle(state, &request).0? {
        Outcome::Object { object, .. } => Ok(object),
        Outcome::Stored { object, .. } => Ok(object.tree()),
        other => unreachable!("{verb:?} returns an object, and not {other:?}"),
    }
}

/// The response to a request, as a client decodes it.
fn decoded(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Result<Value, Error> {
    Response::<Json<Value>>::decode_parts(status, headers, body).map(|response| response.body.0)
}

/// A refusal as a client would get it.
pub(super) fn refused(failure: &Failure) -> Error {
    let code = StatusCode::from_u16(failure.code).unwrap_or_default();
    let status = failure.status.to_string();
    decoded(code, &HeaderMap::new(), status.as_bytes()).expect_err("a failure has the code of one")
}

#[cfg(test)]
mod tests {
    use super::{create, seed};
    use crate::lifecycle;
    use crate::schema::READ;
    use crate::select::Selection;
    use crate::state::State;
    use crate::store::{PARSED, Query};
    use crate::{registry, taken_names};
    use kapigen_runtime::jiff::Timestamp;
    use serde_json::{Value, json};
    use std::thread::LocalKey;

    /// A definition of the kind with this number in a group. Several may have the same short name.
    fn definition(number: usize, group: &str, short: &str) -> Value {
        let names = json!({"plural": format!("w{number:04}s"), "kind": format!("W{number:04}"), "shortNames": [short]});
        let schema = json!({"openAPIV3Schema": {"type": "object", "properties": {"size": {"type": "integer"}}}});
        let version = json!({"name": "v1", "served": true, "storage": true, "schema": schema});
        json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": format!("w{number:04}s.{group}")},
            "spec": {"group": group, "scope": "Cluster", "names": names, "versions": [version]},
        })
    }

    /// The work for definitions and an object of each, in visits of stored objects, schemas, other
    /// versions and resources, and other definitions.
    fn work(
        count: usize,
        group: impl Fn(usize) -> String,
        short: impl Fn(usize) -> String,
    ) -> [usize; 4] {
        let mut state = State::default();
        let kind = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        let names =
            json!({"plural": "customresourcedefinitions", "kind": "CustomResourceDefinition"});
        let schema = json!({"type": "object", "properties": {"spec": kind, "status": kind}});
        let version = json!({
            "name": "v1", "served": true, "subresources": {"status": {}},
            "schema": {"openAPIV3Schema": schema},
        });
        let spec = json!({"group": "apiextensions.k8s.io", "scope": "Cluster", "names": names, "versions": [version]});
        lifecycle::define(&mut state, &json!({"spec": spec})).expect("the kind of definitions");
        let counts = [&PARSED, &READ, &registry::LOOKED_AT, &taken_names::LOOKED_AT];
        for count in counts {
            count.set(0);
        }
        for number in 0..count {
            let definition = definition(number, &group(number), &short(number));
            create(&mut state, &definition, Timestamp::UNIX_EPOCH).expect("a definition");
            let kind = &definition["spec"]["names"]["kind"];
            let version = format!("{}/v1", group(number));
            let object = json!({"apiVersion": version, "kind": kind, "metadata": {"name": "a"}});
            // Without its short name a kind is not served.
            drop(create(&mut state, &object, Timestamp::UNIX_EPOCH));
        }
        counts.map(LocalKey::get)
    }

    #[test]
    fn definitions_cost_the_same_however_many_there_are() {
        type Name = fn(usize) -> String;
        let one: Name = |_| "a.io".to_owned();
        let own: Name = |number| format!("a{number:04}.io");
        let word: Name = |number| format!("n{number}");
        for (what, group, short) in [
            ("one group", one, word),
            ("a group for each", own, word),
            ("one short name", one, |_| "n".to_owned()),
        ] {
            let [less, more] = [40, 80].map(|count| work(count, group, short));
            for (less, more) in less.into_iter().zip(more) {
                assert!(more * 2 <= less * 5, "{what}: {less}, {more}");
            }
        }
    }

    #[test]
    fn seeded_objects_are_parsed_when_they_are_shown() {
        let mut state = State::default();
        let names = json!({"plural": "widgets", "kind": "Widget"});
        let versions = json!([{"name": "v1", "served": true, "schema": {}}]);
        let spec =
            json!({"group": "a.io", "scope": "Namespaced", "names": names, "versions": versions});
        lifecycle::define(&mut state, &json!({"spec": spec})).expect("a definition");
        PARSED.set(0);
        let widget = |index: usize| {
            let metadata = json!({"name": format!("w{index:03}"), "labels": {"n": format!("{}", index % 100)}});
            json!({"apiVersion": "a.io/v1", "kind": "Widget", "metadata": metadata})
        };
        seed(&mut state, (0..500).map(widget), Timestamp::UNIX_EPOCH).expect("widgets");
        let selection = Selection::default().and_label("n", "7");
        let query =
            Query { resource: "widgets.a.io", namespace: None, start: "", selection: &selection };
        let selected: Vec<_> = state.store.query(&query, state.store.version()).collect();
        assert_eq!((selected.len(), PARSED.get()), (5, 0));
        let shown: Value = serde_json::from_slice(selected[0].1.json()).expect("JSON");
        assert_eq!((&shown["metadata"]["name"], PARSED.get()), (&json!("w007"), 1));
        // Once is enough.
        drop(selected[0].1.json().clone());
        assert_eq!(PARSED.get(), 1);
    }
}
