//! Informers as sources of kube's reflectors and controllers.

use crate::{client, create, eventually, image, metadata, server};
use futures::{FutureExt, StreamExt, stream};
use kapigen_fake::{Action as Effect, Fault, Server};
use kapigen_kube::{Kube, KubeService, watcher_events};
use kapigen_runtime::informer::{Event, FailureKind, Key};
use kube::runtime::controller::{Action, Controller};
use kube::runtime::reflector::{self, Store};
use kube::runtime::{WatchStreamExt, watcher};
use kube::{Client, ResourceExt};
use openshift_api::image_v1::{Image, images};
use openshift_api::jiff::Timestamp;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

fn applied(name: &str, reference: &str) -> Event<Image> {
    let reference = Some(reference.to_owned());
    let image =
        Image { metadata: metadata(name), docker_image_reference: reference, ..Image::default() };
    Event::Applied { key: Key::new("", name), object: Arc::new(image) }
}

fn deleted(name: &str) -> Event<Image> {
    Event::Deleted { key: Key::new("", name), object: None }
}

/// The events of kube for the events of an informer, in short.
fn converted(events: Vec<Event<Image>>) -> Vec<String> {
    let events =
        watcher_events(stream::iter(events)).map(|event| event.expect("no errors").to_string());
    events.collect::<Vec<_>>().now_or_never().expect("all events are there")
}

#[test]
fn the_first_objects_come_between_init_and_its_end() {
    let events =
        vec![Event::Init, applied("a", "1"), Event::InitDone, applied("b", "1"), deleted("a")];
    assert_eq!(converted(events), ["Init", "InitApply(a)", "InitDone", "Apply(b)", "Delete(a)"]);
}

#[test]
fn a_relist_is_a_series_of_changes() {
    let events = vec![Event::Init, applied("a", "1"), applied("b", "1"), Event::InitDone];
    let relist = vec![Event::Init, applied("b", "2"), deleted("a"), Event::InitDone];
    let expected = ["Init", "InitApply(a)", "InitApply(b)", "InitDone", "Apply(b)", "Delete(a)"];
    assert_eq!(converted(events.into_iter().chain(relist).collect()), expected);
}

#[test]
fn an_init_that_begins_again_keeps_what_came_before() {
    let events =
        vec![Event::Init, applied("a", "1"), Event::Init, applied("b", "1"), Event::InitDone];
    assert_eq!(converted(events), ["Init", "InitApply(a)", "InitApply(b)", "InitDone"]);
}

#[test]
fn objects_that_vanish_during_init_are_deleted_after_it() {
    let events = vec![
        Event::Init,
        applied("a", "1"),
        applied("b", "1"),
        Event::Init,
        deleted("a"),
        deleted("b"),
        applied("b", "2"),
        Event::InitDone,
        applied("c", "1"),
    ];
    let expected = [
        "Init",
        "InitApply(a)",
        "InitApply(b)",
        "InitApply(b)",
        "InitDone",
        "Delete(a)",
        "Apply(c)",
    ];
    assert_eq!(converted(events), expected);
}

#[test]
fn objects_that_cannot_be_decoded_are_no_errors() {
    let error = kapigen_runtime::from_str::<Image>("[]").unwrap_err();
    let events = vec![
        Event::Init,
        Event::Undecodable { key: Some(Key::new("", "a")), error },
        Event::Failed(FailureKind::Disconnected(String::new()).into()),
        Event::InitDone,
    ];
    assert_eq!(converted(events), ["Init", "InitDone"]);
}

#[test]
fn an_informer_that_cannot_send_ends_with_an_error() {
    let unsendable = || Event::Failed(FailureKind::Unsendable("no host".to_owned()).into());
    let end = |events: Vec<Event<Image>>| {
        let events = watcher_events(stream::iter(events)).collect::<Vec<_>>();
        events
            .now_or_never()
            .expect("all events are there")
            .pop()
            .unwrap()
            .map_err(|error| error.to_string())
    };
    let cause = "ServiceError: the request cannot be sent: no host";
    let list = format!("failed to perform initial object list: {cause}");
    assert_eq!(end(vec![Event::Init, unsendable()]).unwrap_err(), list);
    let watch = format!("watch stream failed: {cause}");
    assert_eq!(end(vec![Event::Init, Event::InitDone, unsendable()]).unwrap_err(), watch);
    // A stream that is dropped while its informer waits has no error.
    let broken = Event::Failed(FailureKind::Disconnected(String::new()).into());
    assert!(end(vec![Event::Init, Event::InitDone, broken]).is_ok());
}

#[test]
fn the_events_of_an_informer_are_not_polled_after_their_end() {
    // It panics when it is polled again.
    let events = stream::unfold(
        vec![Event::<Image>::Init, Event::Failed(FailureKind::Unsendable(String::new()).into())]
            .into_iter(),
        |mut rest| async move { rest.next().map(|event| (event, rest)) },
    );
    let events = watcher_events(Box::pin(events))
        .collect::<Vec<_>>()
        .now_or_never()
        .expect("all events are there");
    assert!(matches!(events.as_slice(), [Ok(_), Err(_)]));
}

/// Histories of an informer: whether it takes all objects anew, and changes of objects to versions
/// (0: deleted).
fn history() -> impl Strategy<Value = Vec<(bool, Vec<(usize, usize)>)>> {
    let changes = proptest::collection::vec((0..4_usize, 0..3_usize), 0..5);
    proptest::collection::vec((any::<bool>(), changes), 1..6)
}

proptest! {
    /// An `Init` may come again before the first one has ended, and each object is deleted only
    /// after it was applied.
    #[test]
    fn a_reflector_has_what_the_informer_has_reported(history in history()) {
        let mut model = BTreeMap::new();
        let mut events = vec![Event::Init];
        for (is_complete, changes) in history {
            for (object, version) in changes {
                let name = format!("image-{object}");
                if version > 0 {
                    events.push(applied(&name, &version.to_string()));
                    model.insert(name, version.to_string());
                } else if model.remove(&name).is_some() {
                    events.push(deleted(&name));
                }
            }
            if is_complete {
                events.push(Event::InitDone);
            }
            events.push(Event::Init);
        }
        events.push(Event::InitDone);
        let (store, writer) = reflector::store::<Kube<Image>>();
        let events = reflector::reflector(writer, watcher_events(stream::iter(events)));
        events.for_each(|_| ready(())).now_or_never().expect("all events are there");
        prop_assert_eq!(contents(&store), model);
    }
}

/// The references of the images in a store, by name.
fn contents(store: &Store<Kube<Image>>) -> BTreeMap<String, String> {
    let images = store.state().into_iter();
    images
        .map(|image| (image.name_any(), image.docker_image_reference.clone().unwrap_or_default()))
        .collect()
}

fn follow(
    client: &Client,
) -> impl futures::Stream<Item = watcher::Result<watcher::Event<Kube<Image>>>> + use<> {
    let client = kapigen_client::Client::with_bodies(KubeService::new(client.clone()));
    watcher_events(client.informer(images::list(&<_>::default()).unwrap()).unwrap())
}

fn delete(server: &Server, name: &str) {
    let path = format!("/apis/image.openshift.io/v1/images/{name}");
    let request = openshift_api::http::Request::delete(path).body(Vec::new()).unwrap();
    assert_eq!(server.handle(request, Timestamp::now()).response.status(), 200);
}

/// On a clock that jumps to the next timer, past the waits of the informer.
#[tokio::test(start_paused = true)]
async fn a_reflector_survives_failures_and_missed_deletions() {
    let server = server();
    create(&server, &image("a"));
    let (store, writer) = reflector::store::<Kube<Image>>();
    let run = reflector::reflector(writer, follow(&client(&server))).for_each(|event| {
        assert!(event.is_ok());
        ready(())
    });
    let names = || contents(&store).into_keys().collect::<Vec<_>>();
    let changes = async {
        store.wait_until_ready().await.unwrap();
        assert_eq!(names(), ["a"]);
        create(&server, &image("b"));
        eventually("a new image", || names() == ["a", "b"]).await;
        // While there is no watch, an image is deleted, and its version forgotten.
        server.inject(
            Fault::new(Effect::Refuse(openshift_api::http::StatusCode::TOO_MANY_REQUESTS, Some(1)))
                .verb("watch")
                .times(1),
        );
        server.cut_streams();
        delete(&server, "a");
        server.compact();
        eventually("a deletion without a watch", || names() == ["b"]).await;
    };
    tokio::select! {
        () = run => panic!("an informer never ends"),
        () = changes => {}
        () = tokio::time::sleep(Duration::from_secs(200)) => panic!("too slow"),
    }
}

#[tokio::test]
async fn an_informer_feeds_a_controller() {
    let server = server();
    create(&server, &image("a"));
    let (store, writer) = reflector::store();
    let images = reflector::reflector(writer, follow(&client(&server))).touched_objects();
    let reconcile =
        async |_: Arc<Kube<Image>>, _: Arc<()>| Ok::<_, Infallible>(Action::await_change());
    let controller = Controller::for_stream(images, store);
    let run = controller.run(reconcile, |_, _, _| Action::await_change(), Arc::new(()));
    let mut done = run.map(|done| done.expect("reconciled").0.name).boxed();
    assert_eq!(done.next().await.as_deref(), Some("a"));
    create(&server, &image("b"));
    assert_eq!(done.next().await.as_deref(), Some("b"));
}
