//! Recorded responses as machines take them.

use super::exchange::{Exchange, decoded};
use openshift_api::codec::{Object, Value};
use openshift_api::informer::{Event, Key};
use openshift_api::machine::{Failure, FailureKind};
use openshift_api::meta_v1::ObjectMeta;
use openshift_api::{
    Informer, Input, Items, Kind, Machine, Pages, Request, ResourceList, Step, WatchEvent, pages,
};
use std::collections::BTreeMap;
use std::time::Duration;

const NOW: Duration = Duration::from_secs(1);

/// Takes events up to another step.
fn events<M: Machine>(machine: &mut M, now: Duration) -> (Vec<M::Event>, Step<()>) {
    let mut events = Vec::new();
    loop {
        match machine.poll(now) {
            Step::Event(event) => events.push(event),
            Step::Send(request) => return (events, Step::Send(request)),
            Step::Receive { until } => return (events, Step::Receive { until }),
            Step::Wait { until } => return (events, Step::Wait { until }),
            Step::Done => return (events, Step::Done),
        }
    }
}

/// Feeds a response in small pieces, after the request was taken. Returns the events, and the step
/// after them.
fn feed<M: Machine>(
    machine: &mut M,
    exchange: &Exchange,
    is_complete: bool,
) -> (Vec<M::Event>, Step<()>) {
    machine.feed(Input::Head(exchange.status(), &exchange.headers()), NOW);
    let mut found = Vec::new();
    for chunk in exchange.body.chunks(7) {
        machine.feed(Input::Bytes(chunk), NOW);
        found.extend(events(machine, NOW).0);
    }
    if is_complete {
        machine.feed(Input::End, NOW);
    }
    let (rest, step) = events(machine, NOW);
    found.extend(rest);
    (found, step)
}

fn begin<M: Machine>(machine: &mut M) -> http::Request<Vec<u8>> {
    match events(machine, NOW).1 {
        Step::Send(request) => *request,
        step => panic!("{step:?}"),
    }
}

/// A list item by item: with `Items`, with pages, and with an informer that lists.
pub(super) fn listed<T, L>(exchange: &Exchange, request: &Request<L>) -> usize
where
    T: Kind,
    L: ResourceList<Item = T>,
{
    let mut list: L = decoded(&exchange.body);
    let token = list.metadata().continue_.clone().unwrap_or_default();
    let wanted = list.take_items();
    let stream = request.clone().stream_as::<Items<L>>();
    let mut decoder = stream.open(exchange.status(), &exchange.headers()).expect("a list").body;
    let mut found = Vec::new();
    for chunk in exchange.body.chunks(7) {
        decoder.push(chunk);
        found.extend(std::iter::from_fn(|| decoder.next_item()).map(|item| item.expect("an item")));
    }
    assert_eq!(found, wanted, "{}", exchange.name);
    assert_eq!(
        decoder.finish().expect("its end").metadata().continue_.as_deref().unwrap_or_default(),
        token
    );

    let mut pages = Pages::<T>::new(request.clone());
    begin(&mut pages);
    let (found, next) = feed(&mut pages, exchange, true);
    let items = found.iter().filter(|event| matches!(event, pages::PageEvent::Item(_))).count();
    assert_eq!(items, wanted.len(), "{}: {found:?}", exchange.name);
    match next {
        Step::Send(request) => {
            assert!(request.uri().to_string().ends_with(&format!("&continue={token}")));
        }
        step => assert!(token.is_empty() && matches!(step, Step::Done), "{step:?}"),
    }

    let mut informer = Informer::<T>::new(request.clone()).expect("it can watch").lists();
    begin(&mut informer);
    let (found, next) = feed(&mut informer, exchange, true);
    let applied = found.iter().filter(|event| matches!(event, Event::Applied { .. })).count();
    let is_done = found.iter().any(|event| matches!(event, Event::InitDone));
    assert_eq!(
        (applied, is_done),
        (wanted.len(), token.is_empty()),
        "{}: {found:?}",
        exchange.name
    );
    assert!(matches!(next, Step::Send(_)), "the next page, or a watch: {next:?}");
    3
}

/// A refusal of a list: pages end with it, and an informer waits or begins anew.
pub(super) fn refused_list<T, L>(exchange: &Exchange, request: Request<L>) -> usize
where
    T: Object + Value,
    L: ResourceList<Item = T>,
{
    let mut machine = Pages::<T>::new(request.clone());
    begin(&mut machine);
    let (found, next) = feed(&mut machine, exchange, true);
    let [pages::PageEvent::Failed(Failure { kind: FailureKind::Api(error), .. })] = &found[..]
    else {
        panic!("{}", exchange.name)
    };
    assert_eq!((error.code, matches!(next, Step::Done)), (exchange.status(), true));
    let mut informer = Informer::<T>::new(request).expect("it can watch").lists();
    begin(&mut informer);
    let (found, next) = feed(&mut informer, exchange, true);
    let is_failure = |event: &Event<T>| matches!(event, Event::Failed(Failure { kind: FailureKind::Api(error), .. }) if error.code == exchange.status());
    assert!(
        found.iter().all(is_failure) && matches!(next, Step::Wait { .. } | Step::Send(_)),
        "{}",
        exchange.name
    );
    2
}

/// A refusal of a watch that begins with all objects: an informer lists at once.
pub(super) fn refused_stream<T: super::All>(exchange: &Exchange) -> usize {
    let mut informer = Informer::<T>::new(super::exchange::list_of::<T>()).expect("it can watch");
    assert!(begin(&mut informer).uri().to_string().contains("sendInitialEvents=true"));
    let (found, next) = feed(&mut informer, exchange, true);
    let Step::Send(next) = next else { panic!("{}: {next:?}", exchange.name) };
    assert!(
        found.is_empty() && !next.uri().to_string().contains("watch"),
        "{}: {found:?}",
        exchange.name
    );
    1
}

/// A watch: an informer has the objects that it leaves.
pub(super) fn watched<T, L>(
    exchange: &Exchange,
    events: &[WatchEvent<T>],
    list: Request<L>,
    metadata: fn(&T) -> &ObjectMeta,
) -> usize
where
    T: Kind,
    L: Kind + ResourceList<Item = T>,
{
    let is_stream = exchange.path.contains("sendInitialEvents=true");
    let mut informer = Informer::<T>::new(list).expect("it can watch");
    if !is_stream {
        informer = informer.lists();
    }
    let request = begin(&mut informer);
    let mut objects = BTreeMap::new();
    if is_stream {
        assert!(request.uri().to_string().contains("sendInitialEvents=true"));
    } else {
        // It begins with a list that has none of the objects, and is older than each.
        let kind = L::KIND;
        let version = L::API_VERSION;
        let empty = format!(
            r#"{{"apiVersion":"{version}","items":[],"kind":"{kind}","metadata":{{"resourceVersion":"0a"}}}}"#
        );
        informer.feed(Input::Head(http::StatusCode::OK, &http::HeaderMap::new()), NOW);
        informer.feed(Input::Bytes(empty.as_bytes()), NOW);
        informer.feed(Input::End, NOW);
        assert!(begin(&mut informer).uri().to_string().contains("watch=true"));
    }
    let (found, next) = feed(&mut informer, exchange, false);
    if let [WatchEvent::Error(error)] = events {
        assert!(
            error.is_gone() && matches!(next, Step::Wait { .. }),
            "{}: {found:?}, {next:?}",
            exchange.name
        );
        return 1;
    }
    for event in &found {
        match event {
            Event::Applied { key, object } => {
                _ = objects.insert(key.to_string(), metadata(object).resource_version.clone());
            }
            Event::Deleted { key, .. } => _ = objects.remove(key.as_str()),
            Event::InitDone => {}
            other => panic!("{}: {other:?}", exchange.name),
        }
    }
    assert_eq!(
        found.iter().any(|event| matches!(event, Event::InitDone)),
        is_stream,
        "{}",
        exchange.name
    );
    assert_eq!(objects, left_by(events, metadata), "{}", exchange.name);
    2
}

/// The versions of the objects that events leave.
fn left_by<T>(
    events: &[WatchEvent<T>],
    metadata: fn(&T) -> &ObjectMeta,
) -> BTreeMap<String, Option<String>> {
    let key = |object: &T| {
        let ObjectMeta { name, namespace, .. } = metadata(object);
        Key::new(namespace.as_deref().unwrap_or_default(), name.as_deref().unwrap_or_default())
            .to_string()
    };
    let mut wanted = BTreeMap::new();
    for event in events {
        match event {
            WatchEvent::Added(object) | WatchEvent::Modified(object) => {
                wanted.insert(key(object), metadata(object).resource_version.clone());
            }
            WatchEvent::Deleted(object) => _ = wanted.remove(&key(object)),
            WatchEvent::Bookmark(bookmark) => assert!(!bookmark.resource_version.is_empty()),
            WatchEvent::Error(error) => panic!("{error}"),
        }
    }
    wanted
}
