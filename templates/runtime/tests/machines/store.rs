//! Stores: the view of readers and subscribers.

use crate::script::line;
use kapigen_runtime::from_slice;
use kapigen_runtime::informer::{Event, Key};
use kapigen_runtime::meta_v1::PartialObjectMetadata;
use kapigen_runtime::store::{
    Index, IndexValue, Lookup, Store, Subscription, Synced, Versions, all_synced,
};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

type Things = Store<PartialObjectMetadata>;

fn thing(key: &str, version: u64) -> Arc<PartialObjectMetadata> {
    let line = line(&["ADDED", key, &version.to_string()]);
    let start = line.find("\"object\":").unwrap() + 9;
    Arc::new(from_slice(&line.as_bytes()[start..line.len() - 2]).unwrap())
}

fn key(text: &str) -> Key {
    let (namespace, name) = text.split_once('/').unwrap_or(("", text));
    Key::new(namespace, name)
}

fn apply(store: &Things, name: &str, version: u64) {
    store.apply(&Event::Applied { key: key(name), object: thing(name, version) });
}

fn delete(store: &Things, name: &str) {
    store.apply(&Event::Deleted { key: key(name), object: None });
}

fn version(object: &PartialObjectMetadata) -> String {
    object.metadata.resource_version.clone().unwrap()
}

/// The names and versions of a snapshot.
fn contents(store: &Things) -> BTreeMap<String, String> {
    store.snapshot().iter().map(|(key, object)| (key.to_string(), version(&object))).collect()
}

/// A store with `a/x` and `b/y` at version 1.
fn ready() -> Things {
    let parity = Index::new("parity", |thing: &PartialObjectMetadata| {
        let version: u64 = version(thing).parse().unwrap();
        vec![if version.is_multiple_of(2) { "even" } else { "odd" }.to_owned()]
    });
    let store = Store::with_indexes([parity]);
    store.apply(&Event::Init);
    apply(&store, "a/x", 1);
    apply(&store, "b/y", 1);
    store.apply(&Event::InitDone);
    store
}

#[test]
fn shows_nothing_of_a_relist_before_its_end() {
    let store = Things::new();
    store.apply(&Event::Init);
    apply(&store, "a/x", 1);
    assert!(!store.is_ready() && store.snapshot().is_empty());
    store.apply(&Event::InitDone);
    assert!(store.is_ready());
    store.apply(&Event::Init);
    delete(&store, "a/x");
    apply(&store, "a/z", 2);
    assert_eq!(contents(&store), BTreeMap::from([("a/x".to_owned(), "1".to_owned())]));
    assert!(store.is_ready(), "there are still the objects of before");
    store.apply(&Event::InitDone);
    assert_eq!(contents(&store), BTreeMap::from([("a/z".to_owned(), "2".to_owned())]));
}

/// As an informer reports a relist that failed and begins again.
#[test]
fn a_relist_that_begins_again_keeps_the_changes_of_both_halves() {
    let store = ready();
    apply(&store, "c/z", 1);
    let mut changes = store.subscribe();
    take(&mut changes);
    store.apply(&Event::Init);
    apply(&store, "a/x", 2);
    delete(&store, "b/y");
    store.apply(&Event::Init);
    delete(&store, "c/z");
    apply(&store, "d/w", 3);
    assert_eq!(contents(&store).len(), 3, "readers have the objects of before until the end");
    assert!(changes.try_next().is_none());
    store.apply(&Event::InitDone);
    let expected =
        [("a/x", "2"), ("d/w", "3")].map(|(name, version)| (name.to_owned(), version.to_owned()));
    assert_eq!(contents(&store), BTreeMap::from(expected));
    assert_eq!(take(&mut changes), ["a/x 2", "b/y gone", "c/z gone", "d/w 3"]);
}

/// A relist may fail for hours, and begins again each time.
#[test]
fn objects_that_a_relist_replaces_twice_do_not_wait_for_its_end() {
    let store = ready();
    let shown = Arc::downgrade(&store.get(&key("a/x")).unwrap());
    let mut within = Vec::new();
    for version in 2..6 {
        store.apply(&Event::Init);
        let object = thing("a/x", version);
        within.push(Arc::downgrade(&object));
        store.apply(&Event::Applied { key: key("a/x"), object });
    }
    delete(&store, "a/x");
    assert_eq!(within.iter().map(std::sync::Weak::strong_count).sum::<usize>(), 0);
    assert_eq!(version(&store.get(&key("a/x")).unwrap()), "1", "readers still have it");
    store.apply(&Event::InitDone);
    assert_eq!(shown.strong_count(), 0);
    assert_eq!(contents(&store), BTreeMap::from([("b/y".to_owned(), "1".to_owned())]));
}

#[test]
fn events_name_their_object() {
    let object = || thing("a/x", 1);
    let events: [(Event<PartialObjectMetadata>, _, _); 5] = [
        (Event::Init, None, false),
        (Event::Applied { key: key("a/x"), object: object() }, Some("a/x"), true),
        (Event::Deleted { key: key("a/x"), object: Some(object()) }, Some("a/x"), true),
        (Event::Deleted { key: key("b"), object: None }, Some("b"), false),
        (Event::InitDone, None, false),
    ];
    for (event, key, has_object) in events {
        assert_eq!(
            (event.key().map(Key::as_str), event.object().is_some()),
            (key, has_object),
            "{event:?}"
        );
    }
}

#[test]
fn snapshots_do_not_change() {
    let store = ready();
    let before = store.snapshot();
    apply(&store, "a/x", 2);
    delete(&store, "b/y");
    assert_eq!((before.len(), store.snapshot().len()), (2, 1));
    assert_eq!(version(&before.get(&key("a/x")).unwrap()), "1");
    assert_eq!(version(&store.get(&key("a/x")).unwrap()), "2");
    assert_eq!(
        (before.find("parity", "odd").len(), store.snapshot().find("parity", "odd").len()),
        (2, 0)
    );
}

#[test]
fn readers_share_one_object() {
    let store = ready();
    let one = store.get(&key("a/x")).unwrap();
    let other = store.snapshot().get(&key("a/x")).unwrap();
    assert!(Arc::ptr_eq(&one, &other));
}

#[test]
fn frees_replaced_objects_a_few_at_once() {
    for (objects, most) in [(1, 0), (63, 0), (64, 1), (640, 10), (1500, 15)] {
        let store = Things::new();
        let add = |index: usize, version: u64| {
            let name = format!("a/{index}");
            apply(&store, &name, version);
            Arc::downgrade(&store.get(&key(&name)).unwrap())
        };
        let mut replaced: Vec<_> = (0..objects).map(|index| add(index, 1)).collect();
        let counts = (2..200).map(|version| {
            replaced.push(add(version % objects, version as u64));
            replaced.iter().filter(|object| object.strong_count() > 0).count() - objects
        });
        assert_eq!(counts.max(), Some(most), "{objects} objects");
    }
}

/// An object that runs a function when it is dropped.
struct Dropping(fn(&Store<Dropping>), Store<Dropping>);

impl Drop for Dropping {
    fn drop(&mut self) {
        self.0(&self.1);
    }
}

fn apply_dropping(store: &Store<Dropping>, drop: fn(&Store<Dropping>)) {
    store.apply(&Event::Applied {
        key: key("a/x"),
        object: Arc::new(Dropping(drop, store.clone())),
    });
}

#[test]
fn dropping_an_object_may_use_the_store() {
    let (sender, receiver) = mpsc::channel();
    // A lock that is never free must not block the test.
    thread::spawn(move || {
        let store = Store::new();
        let count = |store: &Store<Dropping>| _ = (store.is_ready(), store.snapshot().len());
        store.apply(&Event::Init);
        (0..3).for_each(|_| apply_dropping(&store, count));
        store.apply(&Event::InitDone);
        (0..3).for_each(|_| apply_dropping(&store, count));
        store.apply(&Event::Deleted { key: key("a/x"), object: None });
        sender.send(store.is_ready())
    });
    assert_eq!(receiver.recv_timeout(Duration::from_secs(60)), Ok(true));
}

#[test]
fn a_relist_ends_before_objects_are_dropped() {
    let count = Arc::new(Wakes::default());
    let waker = Waker::from(Arc::clone(&count));
    let store = Store::new();
    let mut readiness = std::pin::pin!(store.ready());
    assert!(readiness.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    apply_dropping(&store, |_| panic!("an object that panics"));
    store.apply(&Event::Init);
    store.apply(&Event::Deleted { key: key("a/x"), object: None });
    let end = std::panic::AssertUnwindSafe(|| store.apply(&Event::InitDone));
    assert!(std::panic::catch_unwind(end).is_err());
    assert_eq!((store.is_ready(), count.0.load(Ordering::SeqCst)), (true, 1));
}

#[test]
fn finds_objects_by_namespace_and_index() {
    let store = ready();
    apply(&store, "a/w", 2);
    let find = |index: &str, value: &str| -> Vec<String> {
        let found = store.snapshot().find(index, value);
        found.iter().map(|thing| thing.metadata.name.clone().unwrap()).collect()
    };
    assert_eq!(find("namespace", "a"), ["w", "x"]);
    assert_eq!(find("parity", "odd"), ["x", "y"]);
    assert_eq!(find("parity", "even"), ["w"]);
    assert!(find("parity", "neither").is_empty() && find("unknown", "even").is_empty());
}

fn take(subscription: &mut Subscription<PartialObjectMetadata>) -> Vec<String> {
    let changes = std::iter::from_fn(|| subscription.try_next());
    let mut changes: Vec<String> = changes
        .map(|change| {
            format!(
                "{} {}",
                change.key,
                change.object.map_or("gone".to_owned(), |object| version(&object))
            )
        })
        .collect();
    changes.sort();
    changes
}

#[test]
fn every_subscriber_gets_all_objects_and_then_changes() {
    let store = ready();
    let mut first = store.subscribe();
    let mut second = store.subscribe();
    assert_eq!(take(&mut first), ["a/x 1", "b/y 1"]);
    apply(&store, "a/x", 2);
    delete(&store, "b/y");
    assert_eq!(take(&mut first), ["a/x 2", "b/y gone"]);
    assert_eq!(take(&mut second), ["a/x 2", "b/y gone"]);
    assert!(first.try_next().is_none());
}

#[test]
fn changes_that_nobody_has_taken_become_one() {
    let store = ready();
    let mut slow = store.subscribe();
    (2..1000).for_each(|version| apply(&store, "a/x", version));
    assert_eq!(take(&mut slow), ["a/x 999", "b/y 1"]);
}

#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn wakes_those_who_wait() {
    let count = Arc::new(Wakes::default());
    let waker = Waker::from(Arc::clone(&count));
    let mut context = Context::from_waker(&waker);
    let store = Things::new();
    let mut readiness = std::pin::pin!(store.ready());
    let mut subscription = store.subscribe();
    assert!(
        readiness.as_mut().poll(&mut context).is_pending()
            && readiness.as_mut().poll(&mut context).is_pending()
    );
    assert!(subscription.poll_next(&mut context).is_pending());
    store.apply(&Event::Init);
    apply(&store, "a/x", 1);
    assert_eq!(count.0.load(Ordering::SeqCst), 0);
    store.apply(&Event::InitDone);
    assert_eq!(count.0.load(Ordering::SeqCst), 2, "one for each of the two who wait");
    assert!(readiness.as_mut().poll(&mut context).is_ready());
    assert!(
        matches!(subscription.poll_next(&mut context), Poll::Ready(change) if change.key == key("a/x"))
    );
}

proptest! {
    #[test]
    fn a_store_is_a_map(acts in prop::collection::vec((0..40_u64, 0..4_u64), 0..200)) {
        let store = ready();
        let mut model = BTreeMap::new();
        delete(&store, "a/x");
        delete(&store, "b/y");
        let mut snapshots = Vec::new();
        for (version, (number, act)) in acts.iter().enumerate() {
            let name = format!("ns{}/thing-{number}", number % 3);
            if *act == 0 {
                delete(&store, &name);
                model.remove(&name);
            } else {
                apply(&store, &name, version as u64);
                model.insert(name, version.to_string());
            }
            if *act == 1 {
                snapshots.push((store.snapshot(), model.clone()));
            }
        }
        snapshots.push((store.snapshot(), model));
        for (snapshot, model) in snapshots {
            prop_assert_eq!(snapshot.len(), model.len());
            let found: BTreeMap<_, _> = snapshot.iter().map(|(key, thing)| (key.to_string(), version(&thing))).collect();
            prop_assert_eq!(&found, &model);
            let even = model.values().filter(|version| version.parse::<u64>().unwrap() % 2 == 0).count();
            prop_assert_eq!(snapshot.find("parity", "even").len(), even);
            let in_namespace = model.keys().filter(|name| name.starts_with("ns1/")).count();
            prop_assert_eq!(snapshot.find("namespace", "ns1").len(), in_namespace);
        }
    }
}

/// Whether a future is ready, and how often it was woken.
struct Polled<F> {
    future: std::pin::Pin<Box<F>>,
    wakes: Arc<Wakes>,
}

impl<F: Future<Output = ()>> Polled<F> {
    fn new(future: F) -> Self {
        Self { future: Box::pin(future), wakes: Arc::default() }
    }

    fn poll(&mut self) -> (bool, usize) {
        let waker = Waker::from(Arc::clone(&self.wakes));
        let is_ready = self.future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready();
        (is_ready, self.wakes.0.load(Ordering::Relaxed))
    }
}

#[test]
fn all_stores_are_waited_for() {
    let first = Things::new();
    let second = Store::<kapigen_runtime::dynamic::Object>::new();
    let stores: [&dyn Synced; 3] = [&first, &second, &ready()];
    let mut synced = Polled::new(all_synced(&stores));
    assert_eq!(synced.poll(), (false, 0));
    second.apply(&Event::InitDone);
    assert_eq!(synced.poll(), (false, 0));
    first.apply(&Event::InitDone);
    assert_eq!(synced.poll(), (true, 1));
}

#[test]
fn a_written_version_is_waited_for_until_the_store_shows_it() {
    use kapigen_runtime::dynamic::Object;
    let store = Store::<Object>::new();
    let show = |version: &str| {
        let mut object = Object::new("v1", "Pod").named("x").within("a");
        object.metadata.resource_version = Some(version.to_owned());
        store.apply(&Event::Applied { key: key("a/x"), object: Arc::new(object) });
    };
    let x = key("a/x");
    let mut ordered = Polled::new(store.wait_for(&x, "10", Versions::Ordered));
    let mut opaque = Polled::new(store.wait_for(&x, "10", Versions::Opaque));
    assert_eq!((ordered.poll(), opaque.poll()), ((false, 0), (false, 0)));
    show("9");
    assert_eq!(
        (ordered.poll(), opaque.poll()),
        ((false, 1), (false, 1)),
        "not as text, by which 9 is greater"
    );
    store.apply(&Event::Applied { key: key("a/y"), object: Arc::default() });
    assert_eq!(ordered.poll(), (false, 1), "another object");
    show("11");
    assert_eq!((ordered.poll().0, opaque.poll().0), (true, false), "a later one");
    show("10");
    assert!(
        opaque.poll().0 && Polled::new(store.wait_for(&x, "10", Versions::Opaque)).poll().0,
        "at once"
    );
    // Versions that are no numbers can only be equal.
    assert!(!Polled::new(store.wait_for(&x, "a", Versions::Ordered)).poll().0);
    let mut gone = Polled::new(store.wait_until(&x, |object| object.is_none()));
    assert_eq!(gone.poll(), (false, 0));
    store.apply(&Event::Deleted { key: key("a/x"), object: None });
    assert_eq!(gone.poll(), (true, 1));
}

#[test]
fn nothing_is_left_of_a_wait_that_was_given_up() {
    let store = Things::new();
    let x = key("a/x");
    let count = Arc::new(Wakes::default());
    for _ in 0..100 {
        let mut wait = Box::pin(store.wait_until(&x, |object| object.is_some()));
        let waker = Waker::from(Arc::clone(&count));
        assert!(wait.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    }
    assert_eq!(Arc::strong_count(&count), 1, "no waker is kept");
    // The others still wait.
    let mut kept = Polled::new(store.wait_until(&x, |object| object.is_some()));
    let mut dropped = Polled::new(store.wait_until(&x, |object| object.is_some()));
    assert_eq!((kept.poll(), dropped.poll()), ((false, 0), (false, 0)));
    drop(dropped);
    apply(&store, "a/x", 1);
    assert_eq!(kept.poll(), (true, 1));
}

#[test]
fn indexes_by_path_have_all_values_that_it_leads_to() {
    let paths = [
        ("app", r#"metadata.labels["app.kubernetes.io/name"]"#),
        ("owner", "metadata.ownerReferences.uid"),
        ("managing", "metadata.ownerReferences.controller"),
        ("generation", "metadata.generation"),
        ("created", "metadata.creationTimestamp"),
    ];
    let store =
        Things::with_indexes(paths.map(|(name, path)| Index::by_path(name, path).expect(path)));
    let object = r#"{"metadata":{"name":"x","generation":7,"creationTimestamp":"2026-01-02T03:04:05Z",
        "labels":{"app.kubernetes.io/name":"web","other":"no"},
        "ownerReferences":[{"uid":"u1","controller":true},{"uid":"u2"}]}}"#;
    store.apply(&Event::Applied {
        key: key("x"),
        object: Arc::new(from_slice(object.as_bytes()).unwrap()),
    });
    let found = |index: &str, value: &str| store.snapshot().find(index, value).len();
    for (index, value) in [
        ("app", "web"),
        ("owner", "u1"),
        ("owner", "u2"),
        ("managing", "true"),
        ("generation", "7"),
        ("created", "2026-01-02T03:04:05Z"),
    ] {
        assert_eq!(found(index, value), 1, "{index} {value}");
    }
    assert_eq!((found("app", "no"), found("owner", ""), found("managing", "false")), (0, 0, 0));
    let wrong =
        Index::<PartialObjectMetadata>::by_path("owner", "metadata.ownerReference").unwrap_err();
    assert!(wrong.to_string().contains("metadata.ownerReferences"), "{wrong}");
}

#[test]
fn lookups_have_values_of_a_type() {
    const BY_PAIR: Lookup<PartialObjectMetadata, (String, i64)> = Lookup::new("pair");
    let index = BY_PAIR.index(|thing| vec![(version(thing), 1), (String::new(), 2)]);
    let store = Things::with_indexes([index]);
    apply(&store, "a/x", 1);
    apply(&store, "a/y", 2);
    let found =
        |text: &str, number| store.snapshot().get_all(&BY_PAIR, &(text.to_owned(), number)).len();
    assert_eq!((found("1", 1), found("", 2), found("1", 2)), (1, 2, 0));
    // Two values are never the text of two others.
    assert_ne!(("a", "1 b").index_text(), ("a1 ", "b").index_text());
    assert_ne!(("1", "2").index_text(), ("12", "").index_text());
}
