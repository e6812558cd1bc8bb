//! Objects of which only the members of a mask were decoded.

use crate::{client, create, image, server};
use futures::StreamExt;
use kapigen_kube::{
    Kube, KubeMasked, KubeMaskedObject, KubeObject, KubeService, masked_dynamic_watcher_events,
    masked_watcher_events,
};
use kapigen_runtime::dynamic::Resource;
use kapigen_runtime::scope::Cluster;
use kube::runtime::controller::{Action, Controller};
use kube::runtime::{WatchStreamExt, reflector};
use kube::{Resource as _, ResourceExt};
use openshift_api::FieldMask;
use openshift_api::image_v1::{Image, images};
use openshift_api::meta_v1::ObjectMeta;
use openshift_api::params::ListParams;
use serde_json::json;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

#[tokio::test]
async fn a_masked_informer_feeds_a_controller() {
    let server = server();
    let mut labelled = image("a");
    labelled.metadata.labels = Some([("app".to_owned(), "web".to_owned())].into());
    labelled.docker_image_manifest = Some("x".repeat(1000));
    create(&server, &labelled);
    let mask = FieldMask::<Image>::only(["metadata.labels", "dockerImageReference"])
        .expect("paths of images");
    let list = images::list(&ListParams::default()).expect("a request").masked(&mask);
    let informer = kapigen_client::Client::with_bodies(KubeService::new(client(&server)))
        .informer(list)
        .expect("a watch");
    let (store, writer) = reflector::store::<KubeMasked<Image>>();
    let images = reflector::reflector(writer, masked_watcher_events(informer)).touched_objects();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let reconcile = async |image: Arc<KubeMasked<Image>>, seen: Arc<Mutex<Vec<_>>>| {
        seen.lock().expect("no panic").push(image.get().clone());
        Ok::<_, Infallible>(Action::await_change())
    };
    let controller = Controller::for_stream(images, store.clone());
    let run = controller.run(reconcile, |_, _, _| Action::await_change(), Arc::clone(&seen));
    let mut done = run.map(|done| done.expect("reconciled").0.name).boxed();
    assert_eq!(done.next().await.as_deref(), Some("a"));

    let kept = &store.state()[0];
    assert_eq!((kept.labels()["app"].as_str(), kept.resource_version().is_some()), ("web", true));
    let image = seen.lock().expect("no panic").pop().expect("an image");
    assert_eq!(image.docker_image_reference.as_deref(), Some("registry.example.com/a:1"));
    assert_eq!((&image.docker_image_manifest, &image.metadata), (&None, &ObjectMeta::default()));
    let refused = serde_json::to_string(&Kube::from(image)).expect_err("it is masked").to_string();
    assert!(
        refused.starts_with("the Image was decoded by a mask, so to write it would remove"),
        "{refused}"
    );
}

#[test]
fn only_requests_decode_masked_objects() {
    let errors = [
        serde_json::from_str::<KubeMasked<Image>>("{}").expect_err("no mask").to_string(),
        serde_json::from_str::<KubeMaskedObject>("{}").expect_err("no mask").to_string(),
    ];
    for error in errors {
        assert!(
            error.starts_with("a masked object is decoded by a request with a mask: take it from"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn masked_objects_of_any_kind_feed_a_controller() {
    let server = server();
    let stars = Resource::cluster("example.com", "v1", "Star", "stars");
    let mut sun = KubeObject::new("sun", &stars);
    sun.labels_mut().insert("app".to_owned(), "web".to_owned());
    sun.set("spec", json!({"size": 3, "color": "x".repeat(1000)})).expect("a path");
    create(&server, &sun);
    let mask = FieldMask::only(["metadata.labels", "spec.size"]).expect("paths");
    let list = stars.list(Cluster, &ListParams::default()).expect("a request").masked(&mask);
    let informer = kapigen_client::Client::with_bodies(KubeService::new(client(&server)))
        .informer(list)
        .expect("a watch");
    let writer = reflector::store::Writer::<KubeMaskedObject>::new(stars.clone());
    let store = writer.as_reader();
    let objects =
        reflector::reflector(writer, masked_dynamic_watcher_events(informer)).touched_objects();
    let reconcile =
        async |_: Arc<KubeMaskedObject>, _: Arc<()>| Ok::<_, Infallible>(Action::await_change());
    let controller = Controller::for_stream_with(objects, store.clone(), stars.clone());
    let mut done =
        controller.run(reconcile, |_, _, _| Action::await_change(), Arc::new(())).boxed();
    assert_eq!(done.next().await.expect("an object").expect("reconciled").0.name, "sun");

    let kept = &store.state()[0];
    assert_eq!((kept.name_any().as_str(), kept.labels()["app"].as_str()), ("sun", "web"));
    assert_eq!(kept.get().get("spec.size"), Ok(Some(3)));
    assert_eq!(kept.get().get::<String>("spec.color"), Ok(None));
    assert_eq!(KubeMaskedObject::url_path(&stars, None), "/apis/example.com/v1/stars");
    assert!(serde_json::to_string(&KubeObject::from(kept.get().clone())).is_err(), "it is masked");
}
