//! Requests that a client sends again after failures: none of them acts twice.

use crate::testing::{server, time};
use http::{Response, StatusCode};
use kapigen_client::{Body, BoxError, Client, Error};
use kapigen_fake::Server;
use openshift_api::core_v1::{EndpointSubset, Endpoints, endpoints};
use openshift_api::meta_v1::{DeleteOptions, ObjectMeta, Preconditions};
use openshift_api::params::{
    CreateParams, DeleteCollectionParams, DeleteParams, GetParams, ListParams, PatchParams, ReplaceParams,
};
use openshift_api::{Patch, change::PatchOperation};
use proptest::prelude::*;
use std::collections::VecDeque;
use std::future::{Ready, ready};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

/// The fate of an attempt.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Served,
    /// The connection breaks before the request has arrived.
    LostRequest,
    /// The server acts, and the connection breaks before its response.
    LostResponse,
    /// As `LostResponse`, and then somebody else writes the object, or creates it again.
    LostResponseAndWritten,
    /// A proxy refuses with this status code before the server.
    Refused(u16),
    /// A proxy gives up after the server has acted.
    Late(u16),
}

/// A request of a client.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Create,
    Generate,
    ReplaceVersion,
    AddElement,
    AddElementToVersion,
    Apply,
    Merge,
    Delete,
    DeleteUid,
    DeleteAll,
    List,
}

/// A server behind a network.
#[derive(Clone)]
struct Network {
    server: Server,
    fates: Arc<Mutex<VecDeque<Fate>>>,
    /// How often the server changed something for the client.
    acts: Arc<Mutex<u32>>,
}

impl Network {
    fn handle(&self, request: http::Request<Vec<u8>>) -> Response<Body> {
        let before = self.server.version();
        let response = self.server.handle(request, time(0)).response;
        *self.acts.lock().unwrap() += u32::from(self.server.version() != before);
        response.map(|body| Body::from(body.into_whole().expect("a whole response").to_vec()))
    }

    /// Somebody else writes the object, or creates it.
    fn write(&self) {
        let write = |request: http::Request<Vec<u8>>| self.server.handle(request, time(0)).response.status();
        let params = CreateParams::default();
        let create = endpoints::create("default", &named("a"), &params).expect("a request").into_http();
        if write(create) == StatusCode::CONFLICT {
            let patch = Patch::merge(
                &serde_json::json!({"metadata": {"labels": {"other": self.server.version().to_string()}}}),
            );
            let patch = endpoints::patch("default", "a", &patch, &PatchParams::default()).expect("a request");
            assert_eq!(write(patch.into_http()), StatusCode::OK);
        }
    }
}

impl tower_service::Service<http::Request<Vec<u8>>> for Network {
    type Response = Response<Body>;
    type Error = BoxError;
    type Future = Ready<Result<Self::Response, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Vec<u8>>) -> Self::Future {
        let fate = self.fates.lock().unwrap().pop_front().unwrap_or(Fate::Served);
        let refusal = |code| Ok(Response::builder().status(code).body(Body::from(Vec::new())).expect("a response"));
        let lost = || Err(BoxError::from("connection reset"));
        ready(match fate {
            Fate::Served => Ok(self.handle(request)),
            Fate::LostRequest => lost(),
            Fate::LostResponse | Fate::LostResponseAndWritten => {
                self.handle(request);
                if matches!(fate, Fate::LostResponseAndWritten) {
                    self.write();
                }
                lost()
            }
            Fate::Refused(code) => refusal(code),
            Fate::Late(code) => {
                self.handle(request);
                refusal(code)
            }
        })
    }
}

fn named(name: &str) -> Endpoints {
    let metadata = ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() };
    Endpoints { metadata, ..Endpoints::default() }
}

/// Sends a request of this kind for the object `stored`.
async fn send(client: &Client<Network, Vec<u8>>, kind: Kind, stored: &Endpoints) -> Result<(), Error> {
    let version = stored.metadata.resource_version.clone().expect("a version");
    let uid = stored.metadata.uid.clone();
    let add = PatchOperation::add("/subsets/-", &EndpointSubset::default());
    let params = PatchParams::default();
    let delete = |uid| DeleteOptions {
        preconditions: Some(Box::new(Preconditions { uid, ..Preconditions::default() })),
        ..DeleteOptions::default()
    };
    match kind {
        Kind::Create => drop(client.send(endpoints::create("default", &named("b"), &CreateParams::default())?).await?),
        Kind::Generate => {
            let metadata = ObjectMeta { generate_name: Some("b-".to_owned()), ..ObjectMeta::default() };
            let generated = Endpoints { metadata, ..Endpoints::default() };
            client.send(endpoints::create("default", &generated, &CreateParams::default())?).await?;
        }
        Kind::ReplaceVersion => {
            let mut object = stored.clone();
            object.metadata.labels = Some([("own".to_owned(), String::new())].into());
            client.send(endpoints::replace("default", "a", &object, &ReplaceParams::default())?).await?;
        }
        Kind::AddElement => drop(client.send(endpoints::patch("default", "a", &Patch::json(&[add]), &params)?).await?),
        Kind::AddElementToVersion => {
            let steps = [PatchOperation::test("/metadata/resourceVersion", &version), add];
            client.send(endpoints::patch("default", "a", &Patch::json(&steps), &params)?).await?;
        }
        Kind::Apply => {
            let mut own = named("a");
            own.metadata.labels = Some([("own".to_owned(), String::new())].into());
            let params = params.field_manager("test").force(true);
            client.send(endpoints::patch("default", "a", &Patch::apply(&own), &params)?).await?;
        }
        Kind::Merge => {
            let patch = Patch::merge(&serde_json::json!({"metadata": {"labels": {"own": ""}}}));
            client.send(endpoints::patch("default", "a", &patch, &params)?).await?;
        }
        Kind::Delete => drop(client.send(endpoints::delete("default", "a", &DeleteParams::default())?).await?),
        Kind::DeleteUid => {
            let params = DeleteParams::default().options(delete(uid));
            client.send(endpoints::delete("default", "a", &params)?).await?;
        }
        Kind::DeleteAll => {
            client.send(endpoints::delete_collection("default", &DeleteCollectionParams::default())?).await?;
        }
        Kind::List => drop(client.send(endpoints::list("default", &ListParams::default())?).await?),
    }
    Ok(())
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        Just(Fate::Served),
        Just(Fate::LostRequest),
        Just(Fate::LostResponse),
        Just(Fate::LostResponseAndWritten),
        prop::sample::select(vec![429, 500, 502, 503, 504]).prop_map(Fate::Refused),
        prop::sample::select(vec![500, 502, 503, 504]).prop_map(Fate::Late),
    ]
}

fn kind() -> impl Strategy<Value = Kind> {
    use Kind::*;
    let all = vec![
        Create,
        Generate,
        ReplaceVersion,
        AddElement,
        AddElementToVersion,
        Apply,
        Merge,
        Delete,
        DeleteUid,
        DeleteAll,
        List,
    ];
    prop::sample::select(all)
}

proptest! {
    #[test]
    fn nothing_acts_twice(kind in kind(), fates in prop::collection::vec(fate(), 0..6)) {
        let network = Network { server: server(), fates: Arc::default(), acts: Arc::default() };
        network.write();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let client = Client::new(network.clone());
        let result = runtime.block_on(async {
            let params = GetParams::default();
            let mut stored = client.send(endpoints::get("default", "a", &params).unwrap()).await.unwrap().body;
            stored.subsets = Some(Vec::new());
            let first = endpoints::replace("default", "a", &stored, &ReplaceParams::default()).unwrap();
            let stored = client.send(first).await.unwrap().body;
            *network.acts.lock().unwrap() = 0;
            network.fates.lock().unwrap().extend(&fates);
            send(&client, kind, &stored).await
        });
        let acts = *network.acts.lock().unwrap();
        // A declaration that somebody else has overwritten is declared again.
        let may_declare = matches!(kind, Kind::Apply | Kind::Merge) && fates.iter().any(|fate| matches!(fate, Fate::LostResponseAndWritten));
        prop_assert!(acts <= 1 || may_declare, "{kind:?} acted {acts} times: {result:?}");
        match result {
            Ok(()) => prop_assert!(acts == 1 || may_declare || matches!(kind, Kind::List), "{kind:?}"),
            Err(Error::Uncertain { attempts, .. }) => {
                let is_lost = |fate: &Fate| !matches!(fate, Fate::Served | Fate::Refused(429));
                prop_assert!(attempts > 1 && fates.iter().any(is_lost), "{kind:?}");
            }
            // A refusal of the server itself would mean that it did not act.
            Err(error) => prop_assert!(!error.is_conflict() && !error.is_not_found(), "{kind:?}: {error}"),
        }
    }
}
