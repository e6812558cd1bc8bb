//! Requests that a client sends again after failures: none of them acts twice.

use crate::testing::{pod, server, time};
use http::{Response, StatusCode};
use kapigen_client::{Body, BoxError, Client, Error, ErrorKind};
use kapigen_fake::Server;
use openshift_api::core_v1::{EndpointSubset, Endpoints, endpoints};
use openshift_api::meta_v1::{DeleteOptions, ObjectMeta, Preconditions};
use openshift_api::params::{
    CreateParams, DeleteCollectionParams, DeleteParams, GetParams, ListParams, PatchParams,
    ReplaceParams,
};
use openshift_api::retry::Repeat;
use openshift_api::{Patch, Request, Text, change::PatchOperation};
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
    RawCreate,
    RawReplace,
    RawAddElement,
    RawMerge,
    RawDelete,
    RawEvict,
    /// To something behind the server, which acts on each request.
    RawConnection(&'static str, &'static str),
}

/// Methods and paths of connections.
const CONNECTIONS: [(&str, &str); 6] = [
    ("GET", "/api/v1/namespaces/default/pods/a/exec?command=rm"),
    ("POST", "/api/v1/namespaces/default/pods/a/attach?dryRun=All"),
    ("GET", "/api/v1/namespaces/default/pods/a/portforward"),
    ("PUT", "/api/v1/namespaces/default/services/a/proxy/x"),
    ("PATCH", "/api/v1/nodes/a/proxy/x?dryRun=All"),
    ("GET", "/api/v1/namespaces/default/pods/a/%70roxy/x"),
];

/// A server behind a network.
#[derive(Clone)]
struct Network {
    server: Server,
    fates: Arc<Mutex<VecDeque<Fate>>>,
    /// The number of changes that the server made for the client.
    acts: Arc<Mutex<u32>>,
}

impl Network {
    fn handle(&self, request: http::Request<Vec<u8>>) -> Response<Body> {
        let is_connection =
            |path: &str| CONNECTIONS.iter().any(|(_, other)| other.split('?').next() == Some(path));
        if is_connection(request.uri().path()) {
            *self.acts.lock().unwrap() += 1;
            return Response::new(Body::from(Vec::new()));
        }
        let before = self.server.version();
        let response = self.server.handle(request, time(0)).response;
        *self.acts.lock().unwrap() += u32::from(self.server.version() != before);
        response.map(|body| Body::from(body.into_whole().expect("a whole response").to_vec()))
    }

    /// Somebody else writes the object, or creates it.
    fn write(&self) {
        let write = |request: http::Request<Vec<u8>>| {
            self.server.handle(request, time(0)).response.status()
        };
        let params = CreateParams::default();
        let create =
            endpoints::create("default", &named("a"), &params).expect("a request").into_http();
        if write(create) == StatusCode::CONFLICT {
            let patch = Patch::merge(
                &serde_json::json!({"metadata": {"labels": {"other": self.server.version().to_string()}}}),
            );
            let patch = endpoints::patch("default", "a", &patch, &PatchParams::default())
                .expect("a request");
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
        let refusal = |code| {
            Ok(Response::builder().status(code).body(Body::from(Vec::new())).expect("a response"))
        };
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
async fn send(client: &Client, kind: Kind, stored: &Endpoints) -> Result<(), Error> {
    let version = stored.metadata.resource_version.clone().expect("a version");
    let uid = stored.metadata.uid.clone();
    let add = PatchOperation::add("/subsets/-", &EndpointSubset::default());
    let params = PatchParams::default();
    let delete = |uid| DeleteOptions {
        preconditions: Some(Box::new(Preconditions { uid, ..Preconditions::default() })),
        ..DeleteOptions::default()
    };
    match kind {
        Kind::Create => drop(
            client
                .send(endpoints::create("default", &named("b"), &CreateParams::default())?)
                .await?,
        ),
        Kind::Generate => {
            let metadata =
                ObjectMeta { generate_name: Some("b-".to_owned()), ..ObjectMeta::default() };
            let generated = Endpoints { metadata, ..Endpoints::default() };
            client
                .send(endpoints::create("default", &generated, &CreateParams::default())?)
                .await?;
        }
        Kind::ReplaceVersion => {
            let mut object = stored.clone();
            object.metadata.labels = Some([("own".to_owned(), String::new())].into());
            client
                .send(endpoints::replace("default", "a", &object, &ReplaceParams::default())?)
                .await?;
        }
        Kind::AddElement => drop(
            client.send(endpoints::patch("default", "a", &Patch::json(&[add]), &params)?).await?,
        ),
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
        Kind::Delete => {
            client.send(endpoints::delete("default", "a", &DeleteParams::default())?).await?;
        }
        Kind::DeleteUid => {
            let params = DeleteParams::default().options(delete(uid));
            client.send(endpoints::delete("default", "a", &params)?).await?;
        }
        Kind::DeleteAll => {
            client
                .send(endpoints::delete_collection("default", &DeleteCollectionParams::default())?)
                .await?;
        }
        Kind::List => drop(client.send(endpoints::list("default", &ListParams::default())?).await?),
        _ => drop(client.send(raw(kind, &version)?).await?),
    }
    Ok(())
}

/// The same operations by path. The stored object has this version.
fn raw(kind: Kind, version: &str) -> Result<Request<Text>, Error> {
    let all = "/api/v1/namespaces/default/endpoints";
    let one = "/api/v1/namespaces/default/endpoints/a";
    let json = "application/json";
    let request = |method: &str, path: &str| Request::raw(&method.parse().expect("a method"), path);
    Ok(match kind {
        Kind::RawCreate => request("POST", all)?.with_body(json, r#"{"metadata":{"name":"b"}}"#)?,
        Kind::RawReplace => {
            let metadata =
                serde_json::json!({"name": "a", "resourceVersion": version, "labels": {"own": ""}});
            request("PUT", one)?
                .with_body(json, serde_json::json!({"metadata": metadata}).to_string())?
        }
        Kind::RawAddElement => {
            let steps = r#"[{"op":"add","path":"/subsets/-","value":{}}]"#;
            request("PATCH", one)?.with_body("application/json-patch+json", steps)?
        }
        Kind::RawMerge => {
            let patch = r#"{"metadata":{"labels":{"own":""}}}"#;
            request("PATCH", one)?.with_body("application/merge-patch+json", patch)?
        }
        Kind::RawDelete => request("DELETE", one)?,
        Kind::RawEvict => {
            let body = r#"{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"a"}}"#;
            request("POST", "/api/v1/namespaces/default/pods/a/eviction")?.with_body(json, body)?
        }
        Kind::RawConnection(method @ "PATCH", path) => {
            request(method, path)?.with_body("application/merge-patch+json", "{}")?
        }
        Kind::RawConnection(method, path) => request(method, path)?,
        other => unreachable!("{other:?} is not raw"),
    })
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
        RawCreate,
        RawReplace,
        RawAddElement,
        RawMerge,
        RawDelete,
        RawEvict,
    ];
    let connections = prop::sample::select(CONNECTIONS.to_vec());
    prop_oneof![
        19 => prop::sample::select(all),
        4 => connections.prop_map(|(method, path)| RawConnection(method, path)),
    ]
}

proptest! {
    #[test]
    fn nothing_acts_twice(kind in kind(), fates in prop::collection::vec(fate(), 0..6)) {
        let network = Network { server: server(), fates: Arc::default(), acts: Arc::default() };
        network.write();
        network.server.create(&pod("a")).expect("a pod");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let client = Client::with_bodies(network.clone());
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
        let may_declare = matches!(kind, Kind::Apply | Kind::Merge | Kind::RawMerge) && fates.iter().any(|fate| matches!(fate, Fate::LostResponseAndWritten));
        prop_assert!(acts <= 1 || may_declare, "{kind:?} acted {acts} times: {result:?}");
        match result {
            Ok(()) => prop_assert!(acts == 1 || may_declare || matches!(kind, Kind::List), "{kind:?}"),
            Err(Error { kind: ErrorKind::Uncertain { attempts, .. }, .. }) => {
                let is_lost = |fate: &Fate| !matches!(fate, Fate::Served | Fate::Refused(429));
                prop_assert!(attempts > 1 && fates.iter().any(is_lost), "{kind:?}");
            }
            // A refusal of the server itself would mean that it did not act.
            Err(error) => prop_assert!(!error.is_conflict() && !error.is_not_found(), "{kind:?}: {error}"),
        }
    }
}

/// A row of the table in the documentation, and the effects of requests, as they are and as it
/// states them.
struct Row {
    verb: &'static str,
    when: &'static str,
    effects: Vec<(Repeat, Repeat)>,
}

fn row(
    verb: &'static str,
    when: &'static str,
    expected: Repeat,
    found: impl IntoIterator<Item = Repeat>,
) -> Row {
    Row { verb, when, effects: found.into_iter().map(|found| (found, expected)).collect() }
}

fn effect<T>(request: Result<Request<T>, openshift_api::Error>) -> Repeat {
    Repeat::of(&request.expect("a request"))
}

fn plain_rows() -> Vec<Row> {
    let object = named("a");
    let create = |params: CreateParams| effect(endpoints::create("default", &object, &params));
    let get = effect(endpoints::get("default", "a", &GetParams::default()));
    let list = effect(endpoints::list("default", &ListParams::default()));
    let update = effect(endpoints::replace("default", "a", &object, &ReplaceParams::default()));
    let connections = CONNECTIONS
        .map(|(method, path)| effect(Request::raw(&method.parse().expect("a method"), path)));
    let dry = create(CreateParams::default().dry_run(true));
    vec![
        row("`get`, `list`, `watch`", "always", Repeat::Safe, [get, list]),
        row(
            "`create`",
            "only when refused with 429",
            Repeat::Twice,
            [create(CreateParams::default())],
        ),
        row("`update`", "always", Repeat::Idempotent, [update]),
        row(
            "`exec`, `attach`, `portforward` and `proxy`, whatever the method",
            "never",
            Repeat::Unknown,
            connections,
        ),
        row("any of the others as a dry run", "always", Repeat::Safe, [dry]),
    ]
}

fn patch_rows() -> Vec<Row> {
    let params = PatchParams::default().field_manager("test");
    let patch = |patch: Patch| effect(endpoints::patch("default", "a", &patch, &params));
    let own = named("a");
    let merge = serde_json::json!({});
    let version = PatchOperation::test("/metadata/resourceVersion", &"5");
    let add = || PatchOperation::add("/subsets/-", &EndpointSubset::default());
    let declared = [Patch::apply(&own), Patch::merge(&merge), Patch::strategic(&merge)].map(patch);
    let mut json = row(
        "`patch` as JSON patch",
        "if it tests or sets `/metadata/resourceVersion`, as `Patch::json_between` does, else \
         only when refused with 429",
        Repeat::Idempotent,
        [patch(Patch::json(&[version, add()]))],
    );
    json.effects.push((patch(Patch::json(&[add()])), Repeat::Twice));
    vec![
        row("`patch` as apply, merge or strategic merge", "always", Repeat::Idempotent, declared),
        json,
    ]
}

fn delete_rows() -> Vec<Row> {
    let delete = |uid: Option<&str>, resource_version: Option<&str>| {
        let own = |text: Option<&str>| text.map(str::to_owned);
        let preconditions = Preconditions {
            uid: own(uid),
            resource_version: own(resource_version),
            ..Default::default()
        };
        let options = DeleteOptions {
            preconditions: Some(Box::new(preconditions)),
            ..DeleteOptions::default()
        };
        effect(endpoints::delete("default", "a", &DeleteParams::default().options(options)))
    };
    let mut one = row(
        "`delete`",
        "with the precondition `uid` or `resourceVersion`, else only when refused with 429: it \
         could delete a new object of the same name",
        Repeat::Idempotent,
        [delete(Some("5"), None), delete(None, Some("5"))],
    );
    one.effects.push((delete(None, None), Repeat::Twice));
    let all = effect(endpoints::delete_collection("default", &DeleteCollectionParams::default()));
    vec![one, row("`deletecollection`", "only when refused with 429", Repeat::Twice, [all])]
}

#[test]
fn the_documented_table_is_true() {
    let rows: Vec<Row> =
        [plain_rows(), patch_rows(), delete_rows()].into_iter().flatten().collect();
    let document = include_str!("../../../runtime/src/controller/retry.rs");
    let lines: Vec<&str> = document.lines().map(|line| line.trim_start_matches("//! ")).collect();
    let head = "| verb | repeated after a failure |";
    let begin = lines.iter().position(|line| *line == head).expect("the table");
    let table: Vec<_> =
        lines[begin + 2..].iter().take_while(|line| line.starts_with('|')).collect();
    assert_eq!(table.len(), rows.len());
    for Row { verb, when, .. } in &rows {
        let line = format!("| {verb} | {when} |");
        assert!(table.iter().any(|other| **other == line), "{verb}");
    }
    for Row { verb, effects, .. } in &rows {
        assert!(effects.iter().all(|(found, expected)| found == expected), "{verb}: {effects:?}");
    }
}
