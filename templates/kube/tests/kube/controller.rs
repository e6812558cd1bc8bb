//! kube's `Controller`, finalizers and events.

use crate::{client, create, eventually, image, server};
use futures::StreamExt;
use kapigen_fake::Server;
use kapigen_kube::Kube;
use kube::api::{DeleteParams, Patch, PatchParams};
use kube::runtime::controller::{Action, Controller};
use kube::runtime::events::{Event, EventType, Recorder};
use kube::runtime::finalizer::{self, finalizer};
use kube::runtime::watcher::{self, watcher};
use kube::runtime::{WatchStreamExt, reflector};
use kube::{Api, Client, Resource, ResourceExt};
use openshift_api::image_v1::Image;
use serde_json::json;
use stars::example_com_v1::Star;
use std::fmt;
use std::future::ready;
use std::sync::Arc;
use std::time::Duration;

#[derive(Debug)]
struct Failed(String);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failed {}

fn failed(error: impl fmt::Display) -> Failed {
    Failed(error.to_string())
}

fn retry<K>(_: Arc<K>, error: &Failed, _: Arc<Client>) -> Action {
    panic!("{error}")
}

/// Labels an image with the registry that it is in.
async fn label(image: Arc<Kube<Image>>, client: Arc<Client>) -> Result<Action, Failed> {
    let reference = image.docker_image_reference.as_deref().unwrap_or_default();
    let registry = reference.split('/').next().unwrap_or_default();
    if image.labels().get("registry").is_some_and(|label| label == registry) {
        return Ok(Action::await_change());
    }
    let mut patch = Kube::<Image>::default();
    patch.metadata.name.clone_from(&image.metadata.name);
    patch.labels_mut().insert("registry".to_owned(), registry.to_owned());
    let images: Api<Kube<Image>> = Api::all((*client).clone());
    let params = PatchParams::apply("labels");
    images.patch(&image.name_any(), &params, &Patch::Apply(&patch)).await.map_err(failed)?;
    Ok(Action::await_change())
}

#[tokio::test]
async fn a_controller_reconciles_images() {
    let server = server();
    create(&server, &image("a"));
    let client = client(&server);
    let controller =
        Controller::new(Api::<Kube<Image>>::all(client.clone()), watcher::Config::default());
    let store = controller.store();
    let run = controller.run(label, retry, Arc::new(client)).for_each(|_| ready(()));
    let is_labelled = |server: &Server, name: &str| {
        let image = server.get_json("image.openshift.io/v1", "Image", "", name).expect("an image");
        image["metadata"]["labels"]["registry"] == "registry.example.com"
    };
    let changes = async {
        eventually("the first image is labelled", || is_labelled(&server, "a")).await;
        create(&server, &image("b"));
        eventually("an image that comes later is labelled", || is_labelled(&server, "b")).await;
        eventually("the store has both", || store.len() == 2).await;
    };
    tokio::select! {
        () = run => panic!("a controller never ends"),
        () = changes => {}
    }
    let stored = store.find(|image| image.name_any() == "b").expect("an image");
    assert_eq!(stored.docker_image_reference.as_deref(), Some("registry.example.com/b:1"));
}

/// Records in events that a star has come, and before it goes.
async fn announce(star: Arc<Kube<Star>>, client: Arc<Client>) -> Result<Action, Failed> {
    let stars: Api<Kube<Star>> = Api::all((*client).clone());
    let recorder = Recorder::new((*client).clone(), "astronomer".into());
    let record = async |star: &Kube<Star>, reason: &str| {
        let note = star.magnitude.map(|magnitude| format!("magnitude {magnitude}"));
        let reason = reason.to_owned();
        let action = "Observe".to_owned();
        let event = Event { type_: EventType::Normal, reason, note, action, secondary: None };
        recorder.publish(&event, &star.object_ref(&())).await
    };
    let reconcile = async |event: finalizer::Event<Kube<Star>>| {
        match event {
            finalizer::Event::Apply(star) => record(&star, "Appeared").await?,
            finalizer::Event::Cleanup(star) => record(&star, "Vanished").await?,
        }
        Ok::<_, kube::Error>(Action::await_change())
    };
    finalizer(&stars, "example.com/astronomer", star, reconcile).await.map_err(failed)
}

fn reasons(server: &Server) -> Vec<String> {
    let events = openshift_api::http::Request::get("/apis/events.k8s.io/v1/events")
        .body(Vec::new())
        .unwrap();
    let reply = server.handle(events, openshift_api::jiff::Timestamp::now());
    let kapigen_fake::ReplyBody::Whole(body) = reply.response.into_body() else {
        panic!("a stream")
    };
    let list: serde_json::Value = serde_json::from_slice(&body).unwrap();
    let items = list["items"].as_array().unwrap().iter();
    items
        .map(|event| {
            assert_eq!(event["regarding"]["kind"], "Star");
            format!("{}: {}", event["reason"].as_str().unwrap(), event["note"].as_str().unwrap())
        })
        .collect()
}

#[tokio::test]
async fn custom_resources_have_finalizers_and_events() {
    let server = server();
    let client = client(&server);
    let stars: Api<Kube<Star>> = Api::all(client.clone());
    let (store, writer) = reflector::store();
    let updates =
        reflector(writer, watcher(stars.clone(), watcher::Config::default())).touched_objects();
    let run = Controller::for_stream(updates, store.clone()).run(
        announce,
        retry,
        Arc::new(client.clone()),
    );
    let created = json!({"apiVersion": "example.com/v1", "kind": "Star", "metadata": {"name": "sun"}, "magnitude": -26.74});
    let changes = async {
        create(&server, &created);
        eventually("the star is announced", || reasons(&server) == ["Appeared: magnitude -26.74"])
            .await;
        assert_eq!(stars.get("sun").await.unwrap().finalizers(), ["example.com/astronomer"]);
        stars.delete("sun", &DeleteParams::default()).await.unwrap();
        eventually("the star is gone", || {
            server.get_json("example.com/v1", "Star", "", "sun").is_none()
        })
        .await;
        eventually("the store has no star", || store.is_empty()).await;
    };
    tokio::select! {
        () = run.for_each(|_| ready(())) => panic!("a controller never ends"),
        () = changes => {}
        () = tokio::time::sleep(Duration::from_secs(200)) => panic!("too slow"),
    }
    let mut reasons = reasons(&server);
    reasons.sort_unstable();
    assert_eq!(reasons, ["Appeared: magnitude -26.74", "Vanished: magnitude -26.74"]);
}
