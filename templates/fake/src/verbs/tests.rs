//! Writes to an object that changes between their two phases, and lists with selectors.

use super::{Outcome, handle_between, list};
use crate::failure::Failure;
use crate::key::Key;
use crate::lifecycle;
use crate::object::Tree;
use crate::request::{Incoming, Request};
use crate::select::{LOOKED_AT, Selection};
use crate::state::State;
use crate::store::{PARSED, Query};
use bytes::Bytes;
use kapigen_runtime::__private::random;
use kapigen_runtime::Verb;
use kapigen_runtime::jiff::Timestamp;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn state() -> State {
    let mut state = State::default();
    let names = json!({"plural": "widgets", "kind": "Widget"});
    let schema = json!({"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}});
    let versions =
        json!([{"name": "v1", "served": true, "schema": schema, "subresources": {"status": {}}}]);
    let spec = json!({"group": "a.io", "scope": "Cluster", "names": names, "versions": versions});
    state.registry.add_definition(&json!({"spec": spec})).expect("a definition");
    state
}

/// A write of the widget `a`. The state changes between its phases, once.
fn written(
    state: &mut State,
    (verb, query, media_type): (Verb, &str, &str),
    body: &Value,
    between: impl FnOnce(&mut State),
) -> Result<Value, Failure> {
    let request = http::Request::post(format!("/?{query}"))
        .header("content-type", media_type)
        .body(Bytes::new());
    let request = request.expect("a request").map(|_| Bytes::from(body.to_string()));
    let request = Request {
        incoming: &Incoming::new(&request),
        tree: None,
        verb,
        resource: state.registry.get("a.io", "v1", "widgets").expect("the resource").clone(),
        namespace: None,
        name: if verb == Verb::Create { "" } else { "a" },
        subresource: "",
        now: Timestamp::UNIX_EPOCH,
        is_checked: true,
    };
    let mut between = Some(between);
    let (result, _) = handle_between(state, &request, |state| {
        if let Some(between) = between.take() {
            between(state);
        }
    });
    match result? {
        Outcome::Object { object, .. } | Outcome::Plain { body: object, .. } => Ok(object),
        Outcome::Stored { object, .. } => Ok(object.tree()),
        other => panic!("{other:?}"),
    }
}

const CREATE: (Verb, &str, &str) = (Verb::Create, "", "application/json");
const UPDATE: (Verb, &str, &str) = (Verb::Replace, "", "application/json");
const MERGE: (Verb, &str, &str) = (Verb::Patch, "", "application/merge-patch+json");
const APPLY: (Verb, &str, &str) = (Verb::Patch, "fieldManager=m", "application/apply-patch+yaml");
const DELETE: (Verb, &str, &str) = (Verb::Delete, "", "application/json");

fn widget(spec: &Value) -> Value {
    json!({"apiVersion": "a.io/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": spec})
}

/// A merge patch that comes between the phases of another write.
fn overtake(state: &mut State) {
    written(state, MERGE, &json!({"spec": {"b": 2}}), |_| ()).expect("a patch");
}

#[test]
fn overtaken_patches_are_made_again_from_the_newer_object() {
    for write in [MERGE, APPLY] {
        let mut state = state();
        written(&mut state, CREATE, &widget(&json!({"a": 1})), |_| ()).expect("a widget");
        let body =
            if write == MERGE { json!({"spec": {"c": 3}}) } else { widget(&json!({"c": 3})) };
        let before = state.store.version();
        let object = written(&mut state, write, &body, overtake).expect("a patched widget");
        assert_eq!(object["spec"], json!({"a": 1, "b": 2, "c": 3}));
        assert_eq!(state.store.version(), before + 2);
    }
}

#[test]
fn overtaken_updates_that_state_a_version_conflict() {
    let mut state = state();
    let mut object =
        written(&mut state, CREATE, &widget(&json!({"a": 1})), |_| ()).expect("a widget");
    object["spec"] = json!({});
    let refusal = written(&mut state, UPDATE, &object, overtake).expect_err("a conflict");
    assert_eq!(refusal.code, 409);
}

#[test]
fn a_name_that_is_taken_meanwhile_is_refused() {
    let mut state = state();
    let other = |state: &mut State| drop(written(state, CREATE, &widget(&json!({"b": 2})), |_| ()));
    let refusal = written(&mut state, CREATE, &widget(&json!({})), other).expect_err("a conflict");
    assert_eq!((refusal.code, &refusal.status["reason"]), (409, &json!("AlreadyExists")));
}

#[test]
fn an_object_that_goes_meanwhile_is_not_found() {
    for write in [MERGE, DELETE] {
        let mut state = state();
        written(&mut state, CREATE, &widget(&json!({})), |_| ()).expect("a widget");
        let delete = |state: &mut State| drop(written(state, DELETE, &Value::Null, |_| ()));
        let body = if write == MERGE { json!({"spec": {"c": 3}}) } else { json!({}) };
        let refusal = written(&mut state, write, &body, delete).expect_err("nothing");
        assert_eq!(refusal.code, 404);
    }
}

#[test]
fn deletes_take_the_finalizers_that_came_meanwhile() {
    let mut state = state();
    written(&mut state, CREATE, &widget(&json!({})), |_| ()).expect("a widget");
    let hold = |state: &mut State| {
        let patch = json!({"metadata": {"finalizers": ["a.io/b"]}});
        written(state, MERGE, &patch, |_| ()).expect("a patch");
    };
    let object = written(&mut state, DELETE, &json!({}), hold).expect("the widget");
    assert_eq!(object["metadata"]["finalizers"], json!(["a.io/b"]));
    assert!(object["metadata"]["deletionTimestamp"].is_string());
}

/// A server with a kind that can be selected by `spec.size`.
fn selectable() -> State {
    let mut state = State::default();
    let names = json!({"plural": "widgets", "kind": "Widget"});
    let schema = json!({"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}});
    let fields = json!([{"jsonPath": ".spec.size"}]);
    let versions =
        json!([{"name": "v1", "served": true, "schema": schema, "selectableFields": fields}]);
    let spec =
        json!({"group": "a.io", "scope": "Namespaced", "names": names, "versions": versions});
    lifecycle::define(&mut state, &json!({"spec": spec})).expect("a definition");
    state
}

/// The names of a list, and whether it goes on.
fn listed(state: &State, namespace: Option<&str>, query: &str) -> (Vec<String>, Option<String>) {
    let request = http::Request::get(format!("/?{query}")).body(Bytes::new()).expect("a request");
    let request = Request {
        incoming: &Incoming::new(&request),
        tree: None,
        verb: Verb::List,
        resource: state.registry.get("a.io", "v1", "widgets").expect("the resource").clone(),
        namespace,
        name: "",
        subresource: "",
        now: Timestamp::UNIX_EPOCH,
        is_checked: true,
    };
    let Outcome::List { items, metadata } = list::list(state, &request).expect("a list") else {
        panic!("no list")
    };
    let path = |item: &Value| {
        format!("{}/{}", item.metadata_text("namespace"), item.metadata_text("name"))
    };
    let names = items.iter().map(|item| path(&item.tree())).collect();
    (names, metadata["continue"].as_str().filter(|token| !token.is_empty()).map(str::to_owned))
}

fn put(state: &mut State, namespace: &str, name: &str, labels: &Value, size: &Value) -> Key {
    let key = Key::new("a.io", "widgets", Some(namespace), name);
    let metadata = json!({"namespace": namespace, "name": name, "labels": labels});
    state
        .store
        .put(key.clone(), json!({"kind": "Widget", "metadata": metadata, "spec": {"size": size}}));
    key
}

#[test]
fn selectors_and_limits_look_at_few_objects() {
    let mut state = selectable();
    for index in 0..2000 {
        let labels = json!({"app": format!("app-{}", index % 200), "all": ""});
        put(&mut state, "default", &format!("w{index:04}"), &labels, &json!(index % 500));
    }
    let looked_at = |query: &str| {
        LOOKED_AT.set(0);
        PARSED.set(0);
        let (names, more) = listed(&state, Some("default"), query);
        assert_eq!(PARSED.get(), names.len(), "{query}: the test alone parses");
        (names.len(), more.is_some(), LOOKED_AT.get())
    };
    assert_eq!(looked_at("labelSelector=app%3Dapp-7"), (10, false, 10));
    assert_eq!(looked_at("labelSelector=app+in+(app-7,app-8),all"), (20, false, 20));
    assert_eq!(looked_at("fieldSelector=spec.size%3D7"), (4, false, 4));
    assert_eq!(looked_at("labelSelector=app%3Dapp-7&fieldSelector=spec.size%3D7"), (2, false, 4));
    assert_eq!(looked_at("labelSelector=app%3Dnone"), (0, false, 0));
    assert_eq!(looked_at("labelSelector=all&limit=5"), (5, true, 6));
    assert_eq!(looked_at("limit=5"), (5, true, 0));
    let (_, more) = listed(&state, Some("default"), "labelSelector=app%3Dapp-7&limit=4");
    let token = more.expect("a token");
    assert_eq!(
        looked_at(&format!("labelSelector=app%3Dapp-7&limit=4&continue={token}")),
        (4, true, 5)
    );
}

/// Whether objects with a label and a size are selected.
type Selects<'a> = &'a dyn Fn(&Option<String>, usize) -> bool;

/// The names in a list in pages of two objects. The first page has this query.
fn listed_by_two(
    state: &State,
    namespace: Option<&str>,
    selector: &str,
    query: &str,
) -> Vec<String> {
    let mut names = Vec::new();
    let mut page = listed(state, namespace, &format!("{query}&limit=2"));
    loop {
        names.extend(page.0);
        let Some(token) = page.1 else { return names };
        page = listed(state, namespace, &format!("{selector}&limit=2&continue={token}"));
    }
}

/// Compares lists with a model that keeps each version of all objects.
#[test]
fn lists_have_what_their_selectors_select_at_each_version() {
    let mut state = selectable();
    let mut versions = vec![(state.store.version(), BTreeMap::new())];
    let apps = ["a", "b", "c", ""];
    let mut drawn = 0_u64;
    let mut next = |below: usize| {
        drawn += 1;
        usize::try_from(random(0, drawn) >> 33).expect("31 bits") % below
    };
    for _ in 0..150 {
        let namespace = ["d", "d-e", "e"][next(3)];
        let name = format!("w{}", next(8));
        let mut objects = versions.last().expect("a version").1.clone();
        let path = format!("{namespace}/{name}");
        if next(4) == 0 {
            state.store.remove(&Key::new("a.io", "widgets", Some(namespace), &name));
            objects.remove(&path);
        } else {
            let app = apps[next(4)];
            let size = next(3);
            let labels = if next(5) == 0 { json!({}) } else { json!({"app": app}) };
            put(&mut state, namespace, &name, &labels, &json!(size));
            objects.insert(path, (labels["app"].as_str().map(str::to_owned), size));
        }
        versions.push((state.store.version(), objects));
    }
    let is_a = |app: &Option<String>| app.as_deref() == Some("a");
    let selectors: [(&str, Selects<'_>); 7] = [
        ("", &|_, _| true),
        ("labelSelector=app%3Da", &|app, _| is_a(app)),
        ("labelSelector=app+in+(a,)", &|app, _| is_a(app) || app.as_deref() == Some("")),
        ("labelSelector=app!%3Da", &|app, _| !is_a(app)),
        ("labelSelector=app%3Da&fieldSelector=spec.size%3D1", &|app, size| is_a(app) && size == 1),
        ("fieldSelector=spec.size!%3D1", &|_, size| size != 1),
        ("fieldSelector=metadata.name%3Dw3,metadata.namespace!%3De", &|_, _| false),
    ];
    for (version, objects) in versions.iter().skip(1) {
        for (selector, selects) in selectors {
            for namespace in [None, Some("d")] {
                let is_meant = |path: &str, app: &Option<String>, size: usize| {
                    let by_name = selector.contains("metadata.name");
                    let is_selected = if by_name {
                        path.ends_with("/w3") && !path.starts_with("e/")
                    } else {
                        selects(app, size)
                    };
                    is_selected
                        && namespace
                            .is_none_or(|namespace| path.split('/').next() == Some(namespace))
                };
                let expected =
                    objects.iter().filter(|(path, (app, size))| is_meant(path, app, *size));
                let expected: Vec<_> = expected.map(|(path, _)| path.clone()).collect();
                let query =
                    format!("{selector}&resourceVersion={version}&resourceVersionMatch=Exact");
                assert_eq!(
                    listed(&state, namespace, &query),
                    (expected.clone(), None),
                    "{query} {namespace:?}"
                );
                let pages = listed_by_two(&state, namespace, selector, &query);
                assert_eq!(pages, expected, "{query} {namespace:?}");
            }
        }
    }
}

#[test]
fn objects_are_indexed_again_when_other_fields_are_selectable() {
    let mut state = selectable();
    put(&mut state, "d", "a", &json!({}), &json!(1));
    put(&mut state, "d", "b", &json!({}), &json!(2));
    let selected = |state: &State, field: &str| {
        let selection = Selection::default().and_field(field, "2");
        let query =
            Query { resource: "widgets.a.io", namespace: None, start: "", selection: &selection };
        state.store.query(&query, state.store.version()).count()
    };
    assert_eq!(
        (selected(&state, "spec.size"), selected(&state, "metadata.resourceVersion")),
        (1, 0)
    );
    state.store.put(Key::new("a.io", "widgets", Some("d"), "c"), json!({"spec": {"other": 2}}));
    state.store.set_selectable(&"widgets.a.io".into(), &["spec.other"]);
    assert_eq!((selected(&state, "spec.size"), selected(&state, "spec.other")), (0, 1));
}
