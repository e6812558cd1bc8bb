//! Exchanges with a real server as bytes: each goes through the functions, machines and errors that
//! it belongs to, with its members as recorded, sorted and reversed.

mod client;
mod exchange;
mod machines;

use crate::recorded::exchange::Exchange;
use http::StatusCode;
use kapigen_tests::places;
use openshift_api::coordination_v1::Lease;
use openshift_api::core_v1::Pod;
use openshift_api::meta_v1::{
    DeleteOptions, PartialObjectMetadata, PartialObjectMetadataList, Table,
};
use openshift_api::params::{
    CreateParams, DeleteCollectionParams, DeleteParams, GetParams, ListParams, PatchParams,
    ReplaceParams, WatchParams,
};
use openshift_api::response::{Error, FromResponse, Json, StreamDecoder};
use openshift_api::route::{Route, Router};
use openshift_api::scope::DynamicScope;
use openshift_api::{
    Deleted, DeletedCollection, Patch, Request, Text, Verb, Watch, WatchEvent, verbs,
};
use recorded::wire_example_com_v1::{Boat, boats};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use test_support::order::Order;

/// Kinds with all verbs.
trait All:
    verbs::Gettable
    + verbs::Watchable
    + verbs::Creatable
    + verbs::Replaceable
    + verbs::Patchable
    + verbs::Deletable
    + verbs::CollectionDeletable
{
}

impl<T> All for T where
    T: verbs::Gettable
        + verbs::Watchable
        + verbs::Creatable
        + verbs::Replaceable
        + verbs::Patchable
        + verbs::Deletable
        + verbs::CollectionDeletable
{
}

#[test]
fn every_exchange_is_decoded_by_what_it_belongs_to() {
    let exchanges = exchange::all();
    let router = Router::new(&[openshift_api::API, recorded::API]);
    let mut unused = BTreeSet::new();
    for exchange in &exchanges {
        for order in Order::ALL {
            let exchange = exchange.in_order(order);
            let request = exchange.request();
            let uses = match router.route(&request) {
                Ok(route) => of_route(&exchange, &route),
                Err(refusal)
                    if refusal.code.as_u16() == exchange.status && exchange.method == "PATCH" =>
                {
                    refused(&exchange, &boats::get("wire", "o3", &GetParams::default()).unwrap())
                }
                Err(_) => of_server(&exchange),
            };
            if uses == 0 {
                unused.insert(exchange.name.clone());
            }
        }
    }
    assert_eq!(unused, BTreeSet::new(), "no function, machine or error decodes them");
    assert!(exchanges.len() >= 139, "{}", exchanges.len());
    places::log(&format!(
        "{} recorded exchanges in {} orders of members",
        exchanges.len(),
        Order::ALL.len()
    ));
}

fn namespace<'a>(route: &'a Route<'_>) -> &'a str {
    route.argument("namespace").expect("it is in a namespace")
}

/// The number of ways in which an exchange with a resource was decoded.
fn of_route(exchange: &Exchange, route: &Route<'_>) -> usize {
    let operation = route.operation();
    match (operation.resource, operation.subresource) {
        ("configmaps", None) => of_resource::<recorded::core_v1::ConfigMap>(exchange, route),
        ("leases", None) => of_resource::<Lease>(exchange, route),
        ("boats", None) => of_resource::<Boat>(exchange, route),
        ("pods", None) => of_resource::<Pod>(exchange, route),
        ("boats", Some("status")) if operation.verb == Verb::Replace => {
            let body = route.body::<Boat>().unwrap();
            whole(
                exchange,
                boats::replace_status(
                    namespace(route),
                    name(route),
                    &body,
                    &ReplaceParams::default(),
                )
                .unwrap(),
            )
        }
        ("boats", Some("scale")) if operation.verb == Verb::Get => whole(
            exchange,
            boats::get_scale(namespace(route), name(route), &GetParams::default()).unwrap(),
        ),
        ("boats", Some("scale")) => {
            let patch = route.patch().unwrap();
            whole(
                exchange,
                boats::patch_scale(namespace(route), name(route), &patch, &PatchParams::default())
                    .unwrap(),
            )
        }
        _ => 0,
    }
}

fn name<'a>(route: &'a Route<'_>) -> &'a str {
    route.argument("name").expect("it has a name")
}

fn of_resource<T: All>(exchange: &Exchange, route: &Route<'_>) -> usize {
    let scope = DynamicScope::from(route.argument("namespace"));
    match route.operation().verb {
        Verb::Get => read::<T>(exchange, route),
        Verb::List if route.is_watch() => {
            let request = T::watch(scope, &route.params::<WatchParams>().unwrap()).unwrap();
            watched::<T>(exchange, route, request)
        }
        Verb::List => {
            let request =
                T::list(scope, &route.params::<ListParams>().unwrap_or_default()).unwrap();
            listed::<T>(exchange, request)
        }
        Verb::Create => {
            let body = route.body::<T>().unwrap();
            whole(
                exchange,
                T::create(scope, &body, &route.params::<CreateParams>().unwrap()).unwrap(),
            )
        }
        Verb::Replace => {
            let body = route.body::<T>().unwrap();
            let params = route.params::<ReplaceParams>().unwrap();
            whole(exchange, T::replace(scope, name(route), &body, &params).unwrap())
        }
        Verb::Patch => {
            let (patch, params): (Patch, _) =
                (route.patch().unwrap(), route.params::<PatchParams>().unwrap());
            whole(exchange, T::patch(scope, name(route), &patch, &params).unwrap())
        }
        Verb::Delete => {
            let options =
                (!route.bytes().is_empty()).then(|| route.body::<DeleteOptions>().unwrap());
            let params = DeleteParams { options, ..route.params().unwrap() };
            let request = T::delete(scope, name(route), &params).unwrap();
            exchange.check_request(&request);
            if exchange.status >= 400 {
                return refused(exchange, &request);
            }
            let deleted = exchange.decode(&request).expect("a status or an object").body;
            usize::from(
                matches!(deleted, Deleted::Status(status) if status.details.as_ref().unwrap().name.as_deref() == Some(name(route))),
            )
        }
        Verb::DeleteCollection => {
            let params: DeleteCollectionParams = route.params().unwrap();
            let request = T::delete_collection(scope, &params).unwrap();
            exchange.check_request(&request);
            let deleted = exchange.decode(&request).expect("a list").body;
            let DeletedCollection::List(list) = deleted else {
                panic!("{}: no list", exchange.name)
            };
            exchange.check_round_trip(&*list)
        }
        _ => 0,
    }
}

/// An object, its metadata, or its YAML.
fn read<T: All>(exchange: &Exchange, route: &Route<'_>) -> usize {
    let scope = DynamicScope::from(route.argument("namespace"));
    let request = T::get(scope, name(route), &route.params::<GetParams>().unwrap()).unwrap();
    match exchange.form() {
        "PartialObjectMetadata" => whole(exchange, request.decode_as::<PartialObjectMetadata>()),
        "yaml" => {
            let media_type = exchange.accept.parse().unwrap();
            let text = request.decode_as::<Text>().accept(media_type);
            let text = exchange.decode(&text).expect("it is text").body.0;
            let object: T = serde_yaml::from_slice(&text).expect("an object of YAML");
            usize::from(object.name() == name(route))
        }
        _ => whole(exchange, request),
    }
}

/// A whole response: the object is the same when it is encoded again.
fn whole<T: FromResponse + Serialize>(exchange: &Exchange, request: Request<T>) -> usize {
    exchange.check_request(&request);
    if exchange.status >= 400 {
        return refused(exchange, &request);
    }
    let response =
        exchange.decode(&request).unwrap_or_else(|error| panic!("{}: {error}", exchange.name));
    assert_eq!(response.status.as_u16(), exchange.status);
    assert_eq!(
        response.warnings.len(),
        usize::from(exchange.has_header("Warning")),
        "{}",
        exchange.name
    );
    exchange.check_round_trip(&response.body) + client::sends(exchange, request)
}

/// A refusal: the error has what the status says.
fn refused(exchange: &Exchange, request: &Request<impl FromResponse>) -> usize {
    let Err(Error::Api(error)) = exchange.decode(request) else {
        panic!("{}: no refusal", exchange.name)
    };
    check_refusal(exchange, &error);
    1
}

fn check_refusal(exchange: &Exchange, error: &openshift_api::ApiError) {
    assert_eq!(error.code.as_u16(), exchange.status, "{}", exchange.name);
    let status: Value = serde_json::from_slice(&exchange.body).expect("a status");
    assert_eq!(
        (&status["reason"], &status["message"]),
        (&error.reason().into(), &error.message().into())
    );
    let causes = status["details"]["causes"].as_array().map_or(0, Vec::len);
    assert_eq!(error.causes().len(), causes, "{}", exchange.name);
    assert_eq!(
        error.retry_after.is_some(),
        exchange.has_header("Retry-After"),
        "{}",
        exchange.name
    );
}

/// A list, whole and item by item.
fn listed<T: All>(exchange: &Exchange, request: Request<T::List>) -> usize {
    // Nothing but a watch has this parameter.
    if !exchange.path.contains("sendInitialEvents") {
        exchange.check_request(&request);
    }
    if exchange.status >= 400 {
        return refused(exchange, &request) + machines::refused_list(exchange, request);
    }
    match exchange.form() {
        "Table" => whole(exchange, request.decode_as::<Table>()),
        "PartialObjectMetadataList" => {
            let request = request.decode_as::<PartialObjectMetadataList>();
            machines::listed::<PartialObjectMetadata, _>(exchange, &request)
                + whole(exchange, request)
        }
        _ => {
            machines::listed::<T, _>(exchange, &request)
                + client::lists::<T>(exchange, &request)
                + whole(exchange, request)
        }
    }
}

/// A watch: each line is an event, and informers follow it.
fn watched<T: All>(exchange: &Exchange, route: &Route<'_>, request: Request<Watch<T>>) -> usize {
    exchange.check_request(&request);
    if exchange.status >= 400 {
        let refusal = request.open(exchange.status(), &exchange.headers()).unwrap_err();
        let Error::Api(error) = refusal.decode(&exchange.body) else {
            panic!("{}: no refusal", exchange.name)
        };
        check_refusal(exchange, &error);
        return machines::refused_stream::<T>(exchange);
    }
    match exchange.form() {
        "Table" => events(exchange, &request.stream_as::<Watch<Table>>()).len(),
        "PartialObjectMetadata" => {
            let events = events(exchange, &request.stream_as::<Watch<PartialObjectMetadata>>());
            {
                let list = exchange::list_of::<T>().decode_as::<PartialObjectMetadataList>();
                machines::watched(exchange, &events, list, |object: &PartialObjectMetadata| {
                    &object.metadata
                })
            }
        }
        _ => {
            let events = events(exchange, &request);
            // A watch from any version sends all objects in no order. No informer asks for it.
            if route.parameter("resourceVersion") == Some("0") {
                return events.len();
            }
            machines::watched(exchange, &events, exchange::list_of::<T>(), T::metadata)
        }
    }
}

/// The events of a watch that arrives in small pieces.
fn events<T: openshift_api::codec::Object + openshift_api::codec::Value>(
    exchange: &Exchange,
    request: &Request<Watch<T>>,
) -> Vec<WatchEvent<T>> {
    let mut watch = request.open(StatusCode::OK, &exchange.headers()).expect("a watch").body;
    let mut events = Vec::new();
    for chunk in exchange.body.chunks(7) {
        StreamDecoder::push(&mut watch, chunk);
        while let Some(event) = watch.next_event() {
            events.push(event.unwrap_or_else(|error| panic!("{}: {error}", exchange.name)));
        }
    }
    watch.finish().expect("its last line is complete");
    assert_eq!(
        events.len(),
        exchange.body.split(|byte| *byte == b'\n').count() - 1,
        "{}",
        exchange.name
    );
    events
}

/// An exchange about the server itself.
fn of_server(exchange: &Exchange) -> usize {
    use openshift_api::Response;
    use openshift_api::meta_v1::{APIGroup, APIGroupList, APIResourceList};
    let status = exchange.status();
    let headers = exchange.headers();
    let body = &exchange.body;
    if exchange.status == 404 {
        let Err(Error::Api(error)) = Response::<Text>::decode_parts(status, &headers, body) else {
            panic!("no error")
        };
        assert_eq!((error.code, error.message()), (StatusCode::NOT_FOUND, "404 page not found\n"));
        return 1;
    }
    let json: Value = serde_json::from_slice(body).expect("JSON");
    match json["kind"].as_str() {
        Some("APIGroupList") => exchange.check_round_trip(
            &Response::<APIGroupList>::decode_parts(status, &headers, body).unwrap().body,
        ),
        Some("APIGroup") => exchange.check_round_trip(
            &Response::<APIGroup>::decode_parts(status, &headers, body).unwrap().body,
        ),
        Some("APIResourceList") => exchange.check_round_trip(
            &Response::<APIResourceList>::decode_parts(status, &headers, body).unwrap().body,
        ),
        // The aggregated form, the version and the index of documents have no types.
        _ => usize::from(
            Response::<Json<Value>>::decode_parts(status, &headers, body).unwrap().body.0 == json,
        ),
    }
}

/// The bodies of discovery that were requested with an `Accept` that ends so, by path.
pub(crate) fn discovery_documents(accept: &str) -> BTreeMap<String, Vec<u8>> {
    let is_discovery = |exchange: &Exchange| {
        let body = String::from_utf8_lossy(&exchange.body);
        ["\"APIGroup", "\"APIResourceList\""]
            .iter()
            .any(|kind| body.starts_with(&format!("{{\"kind\":{kind}")))
    };
    let wanted = exchange::all().into_iter().filter(|exchange| exchange.accept.ends_with(accept));
    wanted.filter(is_discovery).map(|exchange| (exchange.path, exchange.body)).collect()
}
