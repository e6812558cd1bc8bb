//! Every operation has a function that sends exactly what the operation takes.

use http::header::CONTENT_TYPE;
use openshift_api::{OPERATIONS, Operation, Verb};
use percent_encoding::percent_decode_str;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use test_support::call::{Call, Sent, of_type};
use test_support::calls::CALLS;
use test_support::functions::written;
use test_support::operations::{Documented, documented};
use test_support::places;

/// Names and values of a query, in order.
type Pairs = BTreeSet<(String, String)>;

/// Options that move into the body of a delete that has one.
const OPTIONS: [&str; 5] = [
    "dryRun",
    "gracePeriodSeconds",
    "ignoreStoreReadErrorWithClusterBreakingPotential",
    "orphanDependents",
    "propagationPolicy",
];

#[test]
fn every_documented_operation_is_there() {
    let path = places::data("documented/documented-groups.json");
    let groups: BTreeMap<String, Value> =
        serde_json::from_str(&places::text(&path)).expect("it is JSON");
    let spec = documented();
    let mut found = (0, 0);
    let mut uses = (0, 0);
    let mut failures = Vec::new();
    for operation in
        groups.values().flat_map(|group| group["operations"].as_array().expect("a list"))
    {
        let method = &operation["method"];
        let path = operation["path"].as_str().expect("a path");
        let calls: Vec<(&Call, Sent)> =
            calls(|sent| sent.operation.path == path && *method == sent.operation.method);
        let in_spec =
            spec.iter().find(|other| other.path == path && *method == other.method.as_str());
        let place = format!("{} {path}", operation["method"].as_str().expect("a method"));
        let right = in_spec.is_some() && !calls.is_empty();
        failures.extend((!right).then(|| format!("{place}: no function, or not in spec/")));
        failures.extend(
            calls.iter().filter_map(|(call, sent)| wrong_shape(call, sent, &operation["body"])),
        );
        found = (found.0 + usize::from(right), found.1 + 1);

        let sent: Pairs = calls.iter().flat_map(|(_, sent)| pairs(sent)).collect();
        for (wire, ty) in operation["query_params"].as_object().expect("parameters by name") {
            let fits = sent.iter().any(|(name, value)| {
                name == wire && is_of_type(value, ty.as_str().expect("a type"))
            });
            failures.extend((!fits).then(|| format!("{place}: nothing sends `{wire}` as {ty}")));
            uses = (uses.0 + usize::from(fits), uses.1 + 1);
        }
        let unknown = sent
            .iter()
            .filter(|(name, _)| in_spec.is_none_or(|spec| !spec.query.contains_key(name)));
        failures.extend(unknown.map(|(name, _)| format!("{place}: `{name}` is not in spec/")));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    places::log(&format!(
        "{} of {} operations, {} of {} parameter uses",
        found.0, found.1, uses.0, uses.1
    ));
    assert_eq!((found, uses), ((60, 60), (429, 429)), "documented-groups.json is another one");
}

fn calls(wanted: impl Fn(&Sent) -> bool) -> Vec<(&'static Call, Sent)> {
    CALLS.iter().map(|call| (call, call.sent())).filter(|(_, sent)| wanted(sent)).collect()
}

/// The difference of path, method or body.
fn wrong_shape(call: &Call, sent: &Sent, body: &Value) -> Option<String> {
    let path = sent.operation.path.replace('{', "").replace('}', "-1");
    let content_type =
        sent.http.headers().get(CONTENT_TYPE).map(|value| value.to_str().expect("it is text"));
    let kind =
        || serde_json::from_slice::<Value>(sent.http.body()).expect("it is JSON")["kind"].clone();
    let right = match body.as_str() {
        None => content_type.is_none() && sent.http.body().is_empty(),
        Some("Patch") => {
            content_type.is_some_and(|text| sent.operation.media_types.contains(&text))
        }
        // Options are the only body that may be left out.
        Some("DeleteOptions") if !call.options => {
            content_type.is_none() && sent.http.body().is_empty()
        }
        Some(body) => content_type == Some("application/json") && kind() == body,
    };
    let right =
        right && sent.http.uri().path() == path && sent.http.method() == sent.operation.method;
    (!right).then(|| format!("{}: sends {:?} for the body {body}", call.path(), sent.http))
}

/// The pairs of the query.
fn pairs(sent: &Sent) -> Vec<(String, String)> {
    let query = sent.http.uri().query().unwrap_or_default();
    let decode =
        |text: &str| percent_decode_str(text).decode_utf8().expect("it is UTF-8").into_owned();
    let pair = |text: &str| text.split_once('=').map(|(name, value)| (decode(name), decode(value)));
    query
        .split('&')
        .filter(|text| !text.is_empty())
        .map(|text| pair(text).expect("a name has a value"))
        .collect()
}

fn is_of_type(value: &str, ty: &str) -> bool {
    match ty {
        "boolean" => value.parse::<bool>().is_ok(),
        "integer" => value.parse::<i64>().is_ok(),
        "string" => !value.is_empty(),
        other => panic!("a parameter of the type {other}"),
    }
}

#[test]
fn every_operation_of_spec_is_called_with_all_it_takes() {
    let spec = documented();
    assert_eq!(spec.len(), 427, "operations in spec/");
    let mut failures = Vec::new();
    for operation in &spec {
        let expected: Pairs = operation
            .query
            .iter()
            .filter(|(name, _)| {
                // Documents of custom resources have these for deletions, which do not watch.
                operation.action != "deletecollection"
                    || !matches!(name.as_str(), "allowWatchBookmarks" | "watch")
            })
            .flat_map(|(name, query)| {
                of_type(name, &query.ty, query.repeated)
                    .into_iter()
                    .map(|value| (name.clone(), value))
            })
            .collect();
        let calls = calls(|sent| sent.operation.id == operation.id);
        let sent: Pairs = calls
            .iter()
            .filter(|(call, _)| !call.options)
            .flat_map(|(_, sent)| pairs(sent))
            .collect();
        failures.extend(
            expected
                .difference(&sent)
                .map(|pair| format!("{}: nothing sends {pair:?}", operation.id)),
        );
        failures.extend(
            sent.difference(&expected)
                .map(|pair| format!("{}: should not send {pair:?}", operation.id)),
        );
        for (call, sent) in &calls {
            failures.extend(wrong_shape(call, sent, &operation.body.clone().into()));
            failures.extend(wrong_options(call, sent, &expected));
            let expected = response(operation, call);
            failures
                .extend((sent.response != expected).then(|| {
                    format!("{}: decodes {}, not {expected}", call.path(), sent.response)
                }));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A delete with a body has its options there, since servers then ignore options in the query.
fn wrong_options(call: &Call, sent: &Sent, expected: &Pairs) -> Option<String> {
    if !call.options {
        return None;
    }
    let (moved, stays): (Pairs, Pairs) =
        expected.iter().cloned().partition(|(name, _)| OPTIONS.contains(&name.as_str()));
    let body: Value = serde_json::from_slice(sent.http.body()).expect("it is JSON");
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let in_body: Pairs = OPTIONS
        .iter()
        .flat_map(|name| match &body[*name] {
            Value::Array(values) => {
                values.iter().map(|value| ((*name).to_owned(), text(value))).collect()
            }
            Value::Null => Vec::new(),
            value => vec![((*name).to_owned(), text(value))],
        })
        .collect();
    let typed = body["gracePeriodSeconds"].is_i64()
        && body["dryRun"].is_array()
        && body["orphanDependents"].is_boolean();
    let right = typed && in_body == moved && body["preconditions"]["uid"] == "uid-1";
    let right = right && pairs(sent).into_iter().collect::<Pairs>() == stays;
    (!right).then(|| format!("{}: sends {} and {body}", call.path(), sent.http.uri()))
}

/// The name of the type that the response is decoded as.
fn response(operation: &Documented, call: &Call) -> String {
    let Documented { kind, response, .. } = operation;
    match operation.action.as_str() {
        "watch" | "watchlist" => format!("Watch<{kind}>"),
        "list" if call.watch => format!("Watch<{kind}>"),
        "delete" => format!("Deleted<{kind}>"),
        "deletecollection" => format!("DeletedCollection<{kind}List>"),
        "connect" if operation.path.ends_with("/exec") => "Upgrade<Exec>".to_owned(),
        "connect" if operation.path.ends_with("/attach") => "Upgrade<Attach>".to_owned(),
        "connect" if operation.path.ends_with("/portforward") => "Upgrade<PortForward>".to_owned(),
        _ if response == "string" => "Text".to_owned(),
        _ => response.clone(),
    }
}

#[test]
fn only_a_watch_watches() {
    for (call, sent) in calls(|sent| sent.operation.verb == Verb::List) {
        let names: BTreeSet<String> = pairs(&sent).into_iter().map(|(name, _)| name).collect();
        let has = |name: &str| names.contains(name);
        assert_eq!(has("watch"), call.watch, "{}", call.path());
        assert_eq!(has("allowWatchBookmarks"), call.watch, "{}", call.path());
        assert_eq!(has("limit") || has("continue"), !call.watch, "{}", call.path());
        assert_eq!(call.function.starts_with("watch"), call.watch, "{}", call.path());
    }
}

#[test]
fn every_function_has_a_row() {
    let in_source: BTreeSet<String> = written()
        .iter()
        .map(|function| {
            let legacy = if function.legacy { "legacy::" } else { "" };
            format!("{}::{}::{legacy}{}", function.module, function.resource, function.name)
        })
        .collect();
    let in_table: BTreeSet<String> = CALLS.iter().map(Call::path).collect();
    assert_eq!(in_source, in_table, "generated/src (left) and tests/support/src/calls.rs (right)");
    let in_spec: BTreeSet<String> =
        documented().into_iter().map(|operation| operation.id).collect();
    let called: BTreeSet<String> = CALLS.iter().map(|call| call.operation.to_owned()).collect();
    assert_eq!(in_spec, called, "spec/ (left) and tests/support/src/calls.rs (right)");
}

#[test]
fn the_list_of_operations_is_that_of_spec() {
    let expected: BTreeMap<String, String> = documented()
        .into_iter()
        .map(|operation| {
            let resource = resource(&operation.path);
            let verb = verb(&operation.action);
            let Documented {
                id, method, path, group, version, kind, deprecated, media_types, ..
            } = operation;
            let (plural, subresource) = resource;
            let described = format!(
                "{method} {path} {group}/{version} {kind} {plural} {subresource:?} {verb:?} \
                 {deprecated} {media_types:?}"
            );
            (id, described)
        })
        .collect();
    let described = |operation: &Operation| {
        let Operation { id, method, path, group, version, kind, .. } = *operation;
        let Operation { resource, subresource, verb, deprecated, media_types, .. } = *operation;
        let described = format!(
            "{method} {path} {group}/{version} {kind} {resource} {subresource:?} {verb:?} \
             {deprecated} {media_types:?}"
        );
        (id.to_owned(), described)
    };
    let found: BTreeMap<String, String> = OPERATIONS.iter().map(described).collect();
    assert_eq!(found.len(), OPERATIONS.len(), "an id stands twice in OPERATIONS");
    assert_eq!(expected, found, "spec/ (left) and OPERATIONS (right)");
}

/// The plural name and the subresource, from what follows the version (and `watch`, and the
/// namespace) in a path.
fn resource(path: &str) -> (String, Option<String>) {
    let mut words: Vec<&str> =
        path.split('/').skip(if path.starts_with("/apis/") { 4 } else { 3 }).collect();
    if words[0] == "watch" {
        words.remove(0);
    }
    // Namespaces have subresources themselves.
    let is_namespace = matches!(words[..], ["namespaces", _, "finalize" | "status"]);
    if words.len() > 2 && words[0] == "namespaces" && !is_namespace {
        words.drain(..2);
    }
    // The subresource of `proxy/{path}` is `proxy`.
    (words[0].to_owned(), words.get(2).map(|word| (*word).to_owned()))
}

fn verb(action: &str) -> Verb {
    match action {
        "get" => Verb::Get,
        "list" => Verb::List,
        "watch" | "watchlist" => Verb::Watch,
        "post" => Verb::Create,
        "put" => Verb::Replace,
        "patch" => Verb::Patch,
        "delete" => Verb::Delete,
        "deletecollection" => Verb::DeleteCollection,
        "connect" => Verb::Connect,
        other => panic!("tests/tests/requests/endpoints.rs has no verb for the action {other}"),
    }
}

#[test]
fn every_function_documents_its_request() {
    let spec = documented();
    let written = written();
    for call in CALLS {
        let mut same = written.iter().filter(|function| {
            let place = (
                function.module.as_str(),
                function.resource.as_str(),
                function.name.as_str(),
                function.legacy,
            );
            place == (call.module, call.resource, call.function, call.legacy)
        });
        let function = same.next().expect("every row is a function");
        let operation = spec
            .iter()
            .find(|operation| operation.id == call.operation)
            .expect("every row is in spec/");
        let sent = call.sent();
        let query = if call.watch || call.legacy { "?watch=true" } else { "" };
        let verbs =
            if call.watch { "watch".to_owned() } else { sent.operation.rbac_verbs.join("` and `") };
        let (plural, subresource) = resource(&operation.path);
        let target = subresource
            .map_or_else(|| plural.clone(), |subresource| format!("{plural}/{subresource}"));
        let expected = format!(
            "`{} {}{query}`. Responses: {}. RBAC: `{verbs}` on `{target}`.",
            operation.method,
            operation.path,
            operation.successes.join(", ")
        );
        assert!(
            function.docs.contains(&expected),
            "{}: no “{expected}” in “{}”",
            call.path(),
            function.docs
        );
        // One section for all functions of a resource.
        let errors = if call.legacy { "[Errors](super#errors)." } else { "[Errors](self#errors)." };
        assert!(function.docs.contains(errors), "{}: {}", call.path(), function.docs);
    }
}

#[test]
fn deprecated_functions_name_their_replacement() {
    let written = written();
    let mut deprecated = 0;
    for function in &written {
        assert_eq!(function.legacy, function.deprecated.is_some(), "{function:?}");
        let Some(note) = &function.deprecated else { continue };
        let instead = note
            .strip_prefix("use `")
            .and_then(|rest| rest.split_once('`'))
            .expect("a note names a function")
            .0;
        let is_there = |other: &&test_support::functions::Written| {
            !other.legacy
                && other.module == function.module
                && format!("{}::{}", other.resource, other.name) == instead
        };
        assert!(written.iter().any(|other| is_there(&other)), "{function:?}");
        deprecated += 1;
    }
    let in_spec = documented().into_iter().filter(|operation| operation.deprecated).count();
    assert_eq!(
        deprecated, in_spec,
        "functions that are deprecated, and operations of spec/ that are"
    );
}
