//! The controller of workshops without a cluster, under the definition that kube's derive makes.

use kapigen_client::{Client, WorkQueue};
use kapigen_fake::{Action, FakeService, Fault, Server};
use kapigen_runtime::informer::Key;
use kube::CustomResourceExt;
use openshift_api::core_v1::{Container, Pod, PodSpec, PodTemplateSpec, pods};
use openshift_api::kapigen_runtime; // examples of its documentation begin with this name
use openshift_api::meta_v1::{ObjectMeta, RawJson, Time};
use openshift_api::owners::Owners;
use openshift_api::params::{
    CreateParams, DeleteParams, GetParams, ListParams, PatchParams, ReplaceParams,
};
use openshift_api::prelude::*;
use openshift_api::queue::{Handled, Queue};
use openshift_api::{Patch, Store, jiff::Timestamp};
use serde_json::json;
use std::cell::RefCell;
use std::time::Duration;
use workshop::{Workshop, WorkshopDefinition, WorkshopSpec, controller::control};

fn server() -> Server {
    let server = Server::new(&[openshift_api::DOCUMENTS]);
    let definition = serde_json::to_value(WorkshopDefinition::crd()).expect("JSON");
    server.add_definition(&definition).expect("a definition that servers accept");
    server.garbage_collection(true);
    server
}

fn workshop() -> Workshop {
    let container =
        Container { name: "main".to_owned(), image: Some("a:1".to_owned()), ..Default::default() };
    let pod = PodSpec { containers: vec![container], ..Default::default() };
    let template = PodTemplateSpec { spec: Some(Box::new(pod)), ..Default::default() };
    Workshop {
        metadata: ObjectMeta { name: Some("rust".to_owned()), ..Default::default() },
        spec: WorkshopSpec {
            template,
            port: 80.into(),
            settings: RawJson::from_value(&json!({"any": ["thing"]})),
            ..Default::default()
        },
        ..Default::default()
    }
}

/// Runs a test on a clock that jumps to the next timer.
fn run<T>(test: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(test)
}

/// Waits until the server is in a state.
async fn until(server: &Server, what: &str, mut is_reached: impl FnMut(&Server) -> bool) {
    for _ in 0..1000 {
        if is_reached(server) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the controller does not get there: {what}");
}

#[test]
fn workshops_have_a_pod_and_open_when_it_runs() {
    let server = server();
    let client = Client::new(FakeService::new(server.clone()));
    let test = async {
        let create = Workshop::create("default", &workshop(), &CreateParams::default());
        client.send(create.expect("a request")).await.expect("created");
        until(&server, "a pod", |server| server.get::<Pod>("default", "rust").is_some()).await;
        let opened = Time::from(Timestamp::UNIX_EPOCH);
        let start = |server: &Server| {
            let mut pod = server.get::<Pod>("default", "rust").expect("a pod");
            pod.status.get_or_insert_default().start_time = Some(opened);
            pods::replace_status("default", "rust", &pod, &ReplaceParams::default())
                .expect("a request")
        };
        let is_open = |server: &Server| {
            let workshop = server.get::<Workshop>("default", "rust").expect("a workshop");
            workshop.status.is_some_and(|status| status.opened == Some(opened))
        };
        assert!(!is_open(&server));
        // The informers must list again.
        server.cut_streams();
        server.compact();
        client.send(start(&server)).await.expect("replaced");
        until(&server, "an open workshop", is_open).await;
        let live = server.get::<Workshop>("default", "rust").expect("a workshop");
        assert_eq!(live.spec, workshop().spec, "the status alone was applied");
        assert_eq!(live.metadata.generation, Some(1));

        // A pod that is gone comes back, and has not been started.
        let delete =
            pods::delete("default", "rust", &DeleteParams::default().grace_period_seconds(0));
        client.send(delete.expect("a request")).await.expect("deleted");
        until(&server, "another pod", |server| {
            !is_open(server) && server.get::<Pod>("default", "rust").is_some()
        })
        .await;
        let delete = Workshop::delete("default", "rust", &DeleteParams::default());
        client.send(delete.expect("a request")).await.expect("deleted");
        until(&server, "no pod", |server| server.get::<Pod>("default", "rust").is_none()).await;
    };
    run(async {
        tokio::select! {
            ended = control(&client) => panic!("{ended:?}"),
            () = test => {}
        }
    });
}

#[test]
fn changes_keep_what_the_type_does_not_know_beside_the_spec() {
    let server = server();
    let client = Client::new(FakeService::new(server.clone()));
    run(async {
        let create = Workshop::create("default", &workshop(), &CreateParams::default());
        let old = client.send(create.expect("a request")).await.expect("created").body;
        assert!(!old.metadata.managed_fields.as_deref().unwrap_or_default().is_empty());
        let mut new = old.clone();
        new.spec.port = "http".into();
        let patch = Patch::json_between(&old, &new).without_version();
        let operations: serde_json::Value = serde_json::from_slice(patch.body()).expect("JSON");
        assert_eq!(operations, json!([{"op": "replace", "path": "/spec/port", "value": "http"}]));
        let patch = Workshop::patch("default", "rust", &patch, &PatchParams::default());
        let patched = client.send(patch.expect("a request")).await.expect("patched").body;
        assert_eq!(patched.spec, new.spec);
        let update = async |seats: &'static str| {
            let get = Workshop::get("default", "rust", &GetParams::default())?;
            let change = |workshop: &Workshop| {
                let mut workshop = workshop.clone();
                workshop.spec.sizes.insert(seats.to_owned(), "1Gi".parse().expect("a quantity"));
                Workshop::replace("default", "rust", &workshop, &ReplaceParams::default()).map(Some)
            };
            client.update(get, change).await
        };
        let updated = update("data").await.expect("updated");
        assert_eq!((updated.spec.sizes.len(), updated.metadata.generation), (1, Some(3)));
    });
}

/// A controller may look into the store of dependents for what has changed.
#[test]
fn owners_are_queued_when_the_store_shows_their_dependents() {
    const COUNT: usize = 20;
    let server = server();
    server.garbage_collection(false);
    let owner = server.create(&workshop()).expect("a workshop").controller_reference();
    let pod = |index| Pod {
        metadata: ObjectMeta {
            name: Some(format!("pod-{index}")),
            owner_references: owner.clone().map(|owner| vec![owner]),
            ..Default::default()
        },
        spec: workshop().spec.template.spec,
        ..Default::default()
    };
    (0..COUNT).for_each(|index| _ = server.create(&pod(index)).expect("a pod"));
    // The queue has a turn between any two events. The server waits by the clock of the system.
    server.inject(Fault::new(Action::Trickle(Duration::from_millis(2))));
    let client = Client::new(FakeService::new(server.clone()));
    let store = Store::<Pod>::new();
    let queue = WorkQueue::new(Queue::new());
    let seen = RefCell::new(Vec::new());
    let work = queue.run(async |key: Key| {
        assert_eq!(key.to_string(), "default/rust");
        let count = store.snapshot().len();
        seen.borrow_mut().push(count);
        match seen.borrow().len() {
            1 => {
                // Missed by the watch, so that all pods are listed again.
                server.cut_streams();
                for index in 0..COUNT / 2 {
                    let params = DeleteParams::default().grace_period_seconds(0);
                    let delete = pods::delete("default", &format!("pod-{index}"), &params);
                    let done = server.handle(delete.expect("a request").into_http(), server.now());
                    assert!(done.response.status().is_success());
                }
                server.compact();
            }
            2 => _ = server.create(&pod(COUNT)).expect("a pod"),
            _ => queue.drain(),
        }
        Ok::<_, String>(Handled::Done)
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    runtime.expect("a runtime").block_on(async {
        let list = pods::list("default", &ListParams::default()).expect("a request");
        let informer = client.informer(list).expect("pods can be watched");
        let owners = Owners::of_kind::<Workshop>();
        tokio::select! {
            error = queue.follow_stored_dependents(informer, owners, &store) => panic!("{error}"),
            () = work => {}
        }
    });
    assert_eq!(seen.take(), [COUNT, COUNT / 2, COUNT / 2 + 1], "each relist is seen as a whole");
}
