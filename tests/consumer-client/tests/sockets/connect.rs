//! Clients of a cluster that is found as kubectl finds it: an informer goes on while its token, its
//! certificate and the authority of the server change, and servers learn the name of the program.

use crate::{block_on, pod, put, server};
use kapigen_client::Client;
use kapigen_client::kapigen_connect::{Cluster, Config, Finder, User};
use openshift_api::core_v1::{Pod, pods};
use openshift_api::election::ElectionEvent;
use openshift_api::informer::Event;
use openshift_api::params::{GetParams, ListParams, ReplaceParams};
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig, crypto::ring};

/// A server that speaks TLS before another one, and takes requests with one token and one client
/// certificate.
struct Front {
    address: SocketAddr,
    accepted: Arc<Mutex<(TlsAcceptor, String)>>,
    connections: Arc<Mutex<JoinSet<io::Result<()>>>>,
    /// The number of requests that were refused.
    refused: Arc<Mutex<usize>>,
}

impl Front {
    async fn start(behind: SocketAddr, tls: TlsAcceptor, token: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let front = Self {
            address: listener.local_addr().expect("an address"),
            accepted: Arc::new(Mutex::new((tls, token.to_owned()))),
            connections: Arc::default(),
            refused: Arc::default(),
        };
        let (accepted, refused) = (Arc::clone(&front.accepted), Arc::clone(&front.refused));
        let connections = Arc::clone(&front.connections);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (tls, token) = accepted.lock().unwrap().clone();
                let pass = pass(tls, stream, behind, token, refused.clone());
                connections.lock().unwrap().spawn(pass);
            }
        });
        front
    }

    /// Takes another token from now on, and cuts all connections.
    fn rotate_token(&self, token: &str) {
        token.clone_into(&mut self.accepted.lock().unwrap().1);
        self.connections.lock().unwrap().abort_all();
    }

    fn rotate(&self, tls: TlsAcceptor, token: &str) {
        self.accepted.lock().unwrap().0 = tls;
        self.rotate_token(token);
    }
}

/// New certificates of a server and its user: files of the user, and what the server accepts.
fn certificates(folder: &Folder) -> TlsAcceptor {
    let provider = Arc::new(ring::default_provider());
    let issue = |name: &str| rcgen::generate_simple_self_signed([name.to_owned()]).expect("a key");
    let [own, user] = ["127.0.0.1", "user"].map(issue);
    // Each is its own authority.
    folder.write("ca.pem", &own.cert.pem());
    folder.write("crt.pem", &user.cert.pem());
    folder.write("key.pem", &user.signing_key.serialize_pem());
    let mut users = RootCertStore::empty();
    users.add(user.cert.der().clone()).expect("an authority");
    let verifier =
        WebPkiClientVerifier::builder_with_provider(Arc::new(users), Arc::clone(&provider));
    let key = PrivateKeyDer::try_from(own.signing_key.serialize_der()).expect("a key");
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_client_cert_verifier(verifier.build().expect("a verifier"))
        .with_single_cert(vec![own.cert.der().clone()], key)
        .expect("a certificate");
    TlsAcceptor::from(Arc::new(config))
}

/// Passes one request on, or refuses it.
async fn pass(
    acceptor: TlsAcceptor,
    stream: TcpStream,
    behind: SocketAddr,
    token: String,
    refused: Arc<Mutex<usize>>,
) -> io::Result<()> {
    let mut client = acceptor.accept(stream).await?;
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(client.read_u8().await?);
    }
    let text = String::from_utf8_lossy(&head).to_lowercase();
    let wanted = format!("authorization: bearer {token}\r\n");
    if !text.contains(&wanted) {
        *refused.lock().unwrap() += 1;
        let refusal =
            b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
        client.write_all(refusal).await?;
        return client.shutdown().await;
    }
    let mut server = TcpStream::connect(behind).await?;
    head.truncate(head.len() - 2);
    head.extend_from_slice(b"connection: close\r\n\r\n");
    server.write_all(&head).await?;
    tokio::io::copy_bidirectional(&mut client, &mut server).await?;
    client.shutdown().await
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("kapigen-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        // At once, as kubelets do.
        let new = self.0.join(format!("{name}.new"));
        fs::write(&new, text).expect("a file");
        fs::rename(new, &path).expect("a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

fn connect(folder: &Folder, front: &Front) -> Client {
    let path = |name| Some(folder.0.join(name));
    let cluster = Cluster {
        server: Some(format!("https://{}", front.address)),
        certificate_authority: path("ca.pem"),
        ..Cluster::default()
    };
    let user = User {
        token_file: path("token"),
        client_certificate: path("crt.pem"),
        client_key: path("key.pem"),
        ..User::default()
    };
    let finder = Finder::new().path(folder.write("config", "")).over_cluster(cluster);
    Client::connect_with(finder.over_user(user).find().expect("a cluster")).expect("a client")
}

#[test]
fn an_informer_loses_nothing_while_token_certificate_and_authority_change() {
    let (server, listening) = server();
    put(&server, pod("a"));
    block_on(async {
        let folder = Folder::new("rotated");
        folder.write("token", "old\n");
        let front = Front::start(listening.address(), certificates(&folder), "old").await;
        let client = connect(&folder, &front);
        let list = pods::list("default", &ListParams::default()).expect("a request");
        let mut events = client.informer(list).expect("an informer");
        let mut seen = Vec::new();
        for round in 0..5 {
            let name = format!("b{round}");
            put(&server, pod(&name));
            while !seen.contains(&name) {
                let event = tokio::time::timeout(Duration::from_secs(60), events.next()).await;
                match event.expect("an event in time").expect("informers do not end") {
                    Event::Applied { object, .. } => seen.extend(object.metadata.name.clone()),
                    // The connection is cut; nothing is refused.
                    Event::Failed(failure) => {
                        assert!(!failure.to_string().contains("401"), "{failure}");
                    }
                    _ => {}
                }
            }
            let token = format!("new-{round}");
            folder.write("token", &token);
            if round % 2 == 0 {
                front.rotate_token(&token);
            } else {
                let tls = certificates(&folder);
                // Files of certificates are read again each five minutes.
                tokio::time::pause();
                tokio::time::advance(Duration::from_secs(301)).await;
                tokio::time::resume();
                front.rotate(tls, &token);
            }
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen, ["a", "b0", "b1", "b2", "b3", "b4"]);
        let get = pods::get("default", "a", &GetParams::default()).expect("a request");
        let found = client.send(get).await.expect("a pod").body;
        assert_eq!(found.metadata.name.as_deref(), Some("a"));
        assert!((1..=6).contains(&*front.refused.lock().unwrap()), "each is renewed once");
    });
}

#[test]
fn without_a_runtime_there_is_an_error() {
    let connecting = pin!(Client::connect());
    let Poll::Ready(connected) = connecting.poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("it waits")
    };
    assert_eq!(
        connected.unwrap_err().to_string(),
        "the request cannot be sent: there is no runtime of tokio: mark `main` by \
         `#[tokio::main]`, or pass the future to `Runtime::block_on`"
    );
}

#[test]
fn the_program_is_the_manager_of_what_it_changes() {
    let (server, listening) = server();
    put(&server, pod("a"));
    let folder = Folder::new("manager");
    let cluster = Cluster { server: Some(listening.url()), ..Cluster::default() };
    let finder = Finder::new().path(folder.write("config", "")).over_cluster(cluster);
    block_on(async {
        let client = Client::connect_with(finder.find().expect("a cluster")).expect("a client");
        let get = || pods::get("default", "a", &GetParams::default()).expect("a request");
        let read: Pod = client.send(get()).await.expect("a pod").body;
        client.set_finalizer(&read, "example.com/held", true).await.expect("a finalizer");
        let label = |read: &Pod| {
            let mut pod = read.clone();
            pod.metadata.labels = Some([("a".to_owned(), "b".to_owned())].into());
            pods::replace("default", "a", &pod, &ReplaceParams::default()).map(Some)
        };
        client.update(get(), label).await.expect("a label");
        let mut election = client.elect("default", "lead", "one").expect("an election");
        while !matches!(election.next().await, Some(ElectionEvent::Leading)) {}
    });
    let program = std::env::current_exe().expect("a program");
    let program = program.file_stem().expect("a name").to_string_lossy();
    let fields = |version, kind, name| {
        let object = server.get_json(version, kind, "default", name).expect("an object");
        let entries = object["metadata"]["managedFields"].as_array().cloned().unwrap_or_default();
        let own = entries.iter().filter(|entry| entry["manager"] == *program);
        own.map(|entry| entry["fieldsV1"].to_string()).collect::<String>()
    };
    let pod = fields("v1", "Pod", "a");
    assert!(pod.contains("f:finalizers") && pod.contains("f:labels"), "{pod}");
    let lease = fields("coordination.k8s.io/v1", "Lease", "lead");
    assert!(lease.contains("f:holderIdentity"), "{lease}");
}

/// A server in Go that speaks TLS refuses requests without it in clear.
#[test]
fn a_server_that_speaks_tls_says_so() {
    block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            let refusal =
                b"HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS \
                            server.\n";
            _ = stream.read(&mut [0; 4096]).await;
            _ = stream.write_all(refusal).await;
        });
        let client = Client::connect_with(Config::of_server(&url).expect("a URL")).expect("one");
        let get = pods::get("default", "a", &GetParams::default()).expect("a request");
        let error = client.send(get).await.expect_err("a refusal").to_string();
        assert_eq!(
            error,
            format!(
                "GET {url}/api/v1/namespaces/default/pods/a (Pod): the server responded with 400 \
                 Bad Request: Client sent an HTTP request to an HTTPS server."
            )
        );
    });
}
