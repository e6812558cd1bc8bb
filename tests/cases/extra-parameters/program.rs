//! Extra parameters are sent as the document types them, and others are refused by name.

use case_extra_parameters::example_com_v1::{Widget, gears, rings, widgets};
use case_extra_parameters::http::Request;
use case_extra_parameters::meta_v1::DeleteOptions;
use case_extra_parameters::params::{
    DeleteCollectionParams, DeleteParams, GetParams, LegacyWatchParams, ListParams, WatchParams,
};
use case_extra_parameters::route::Router;
use case_extra_parameters::verbs::{CollectionDeletable, Gettable, Listable, Watchable};
use case_extra_parameters::{API, Informer, Machine, Step};
use serde_json::{Value, json};
use std::time::Duration;

const WIDGETS: &str = "/apis/example.com/v1/namespaces/default/widgets";

fn main() {
    sent();
    refused();
    beside_options();
    generic();
    informers();
    routed();
    println!("all is well");
}

fn sent() {
    let list = ListParams::default().limit(5).with("depth", 3).with("trace", true).with("tenant", "a b");
    let request = widgets::list("default", &list).unwrap();
    assert_eq!(request.uri(), format!("{WIDGETS}?limit=5&depth=3&trace=true&tenant=a%20b").as_str());
    // A list has an element for each call, anything else the last value.
    let list = ListParams::default().with("shares", 0.5).with("depth", 1).with("shares", 2).with("depth", "7");
    let request = widgets::list("default", &list).unwrap();
    assert_eq!(request.uri(), format!("{WIDGETS}?shares=0.5&shares=2&depth=7").as_str());

    let watch = widgets::watch("default", &WatchParams::default().with("tenant", "a")).unwrap();
    assert_eq!(watch.uri(), format!("{WIDGETS}?tenant=a&watch=true").as_str());
    #[allow(deprecated)]
    let legacy = widgets::legacy::watch_list("default", &LegacyWatchParams::default().with("tenant", "a")).unwrap();
    assert!(legacy.uri().to_string().contains("tenant=a"));
    let get = widgets::get("default", "w", &GetParams::default().with("trace", false)).unwrap();
    assert_eq!(get.uri(), format!("{WIDGETS}/w?trace=false").as_str());
    let status = widgets::get_status("default", "w", &GetParams::default().with("trace", true)).unwrap();
    assert_eq!(status.uri(), format!("{WIDGETS}/w/status?trace=true").as_str());

    // Parameters of its own are fields.
    let log = widgets::get_log("default", "w", &widgets::LogParams::default().follow(true).trace(true)).unwrap();
    assert_eq!(log.uri(), format!("{WIDGETS}/w/log?follow=true&trace=true").as_str());
    let rings = rings::list(&rings::RingsListParams::default().tenant("a")).unwrap();
    assert_eq!(rings.uri(), "/apis/example.com/v1/rings?tenant=a");
    let gears = gears::list(&gears::GearsListParams::default().tenant("a")).unwrap();
    assert_eq!(gears.uri(), "/apis/example.com/v1/gears?tenant=a");

    // A parameter that has a field can be named, too.
    let named = widgets::list("default", &ListParams::default().with("limit", 5)).unwrap();
    assert_eq!(named.uri(), format!("{WIDGETS}?limit=5").as_str());
}

fn refused() {
    let error = |params: ListParams| {
        let error = widgets::list("default", &params).unwrap_err().to_string();
        error.strip_prefix("the request cannot be made: ").unwrap().to_owned()
    };
    let unknown = error(ListParams::default().with("tenants", "a"));
    assert!(unknown.starts_with("`listExampleComV1NamespacedWidget` has no parameter `tenants`, only "), "{unknown}");
    assert!(unknown.ends_with("; did you mean `tenant`?"), "{unknown}");
    let unlike = error(ListParams::default().with("\u{1b}[2J", "a").field_selector("a=b").shard_selector("s"));
    assert!(unlike.contains("no parameter `\\u{1b}[2J`, `fieldSelector`, `shardSelector`, only "), "{unlike}");
    assert_eq!(
        error(ListParams::default().with("depth", "deep").with("trace", 1)),
        "`depth` of `listExampleComV1NamespacedWidget` is an integer of 64 bits, not `deep`; \
         `trace` of `listExampleComV1NamespacedWidget` is `true` or `false`, not `1`"
    );
    assert_eq!(
        error(ListParams::default().with("watch", true)),
        "`listExampleComV1NamespacedWidget` gets `watch` from the function that watches, not from `with`"
    );
}

/// A server that finds options in the body does not look for them in the query, and an extra parameter may be one.
fn beside_options() {
    let options = DeleteOptions { orphan_dependents: Some(true), ..Default::default() };
    let params = DeleteParams::default().grace_period_seconds(0).with("tenant", "a").with("trace", true);
    let request = widgets::delete("default", "w", &params.clone().options(options)).unwrap();
    assert_eq!(request.uri(), format!("{WIDGETS}/w?tenant=a&trace=true").as_str());
    let body: Value = serde_json::from_slice(request.body()).unwrap();
    let members = ["gracePeriodSeconds", "orphanDependents", "tenant", "trace"].map(|name| &body[name]);
    assert_eq!(members, [&json!(0), &json!(true), &json!("a"), &json!(true)]);
    let request = widgets::delete("default", "w", &params).unwrap();
    assert_eq!(request.uri(), format!("{WIDGETS}/w?gracePeriodSeconds=0&tenant=a&trace=true").as_str());
    assert!(request.body().is_empty());
}

fn generic() {
    let list = <Widget as Listable>::list("default", &ListParams::default().with("tenant", "a")).unwrap();
    assert_eq!(list.uri(), format!("{WIDGETS}?tenant=a").as_str());
    let watch = <Widget as Watchable>::watch("default", &WatchParams::default().with("tenant", "a")).unwrap();
    assert_eq!(watch.uri(), format!("{WIDGETS}?tenant=a&watch=true").as_str());
    let get = <Widget as Gettable>::get("default", "w", &GetParams::default().with("trace", true)).unwrap();
    assert_eq!(get.uri(), format!("{WIDGETS}/w?trace=true").as_str());
    let all = DeleteCollectionParams::default().with("tenant", "a");
    let delete = <Widget as CollectionDeletable>::delete_collection("default", &all).unwrap();
    assert_eq!(delete.uri(), format!("{WIDGETS}?tenant=a").as_str());
}

/// Lists and watches of an informer have what its list has.
fn informers() {
    for lists in [false, true] {
        let list = widgets::list("default", &ListParams::default().with("tenant", "a")).unwrap();
        let informer = Informer::new(list).unwrap();
        let mut informer = if lists { informer.lists() } else { informer };
        let uri = loop {
            match informer.poll(Duration::ZERO) {
                Step::Event(_) => {}
                Step::Send(request) => break request.uri().to_string(),
                step => panic!("{step:?}"),
            }
        };
        assert!(uri.contains("tenant=a") && uri.contains("watch=true") != lists, "{uri}");
    }
}

fn routed() {
    let list = ListParams::default().limit(5).with("depth", 3).with("shares", 0.5).with("shares", 2).with("trace", true);
    let sent: Request<Vec<u8>> = widgets::list("default", &list).unwrap().into_http();
    let router = Router::new(&[API]);
    let route = router.route(&sent).unwrap();
    let again: ListParams = route.params().unwrap();
    assert_eq!(widgets::list("default", &again).unwrap().uri(), sent.uri());
    assert_eq!(again.limit, Some(5));
    let wrong = Request::get(format!("{WIDGETS}?depth=deep")).body(Vec::new()).unwrap();
    let refusal = router.route(&wrong).unwrap().params::<ListParams>().unwrap_err();
    assert_eq!(refusal.status.message.as_deref(), Some("depth: expected an integer of 64 bits, found `deep`"));
}
