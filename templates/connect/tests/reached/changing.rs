//! Certificates that change while a program runs, prefixes, proxies, and many streams at once.

use crate::server::{Authority, OPEN, Seen, Server, acceptor, connect, der, run_again};
use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use kapigen_connect::rustls::DEFAULT_VERSIONS;
use kapigen_connect::rustls::version::{TLS12, TLS13};
use kapigen_connect::{Body, Cluster, Connection, Credentials, Finder, User};
use std::fs;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tower_service::Service;

/// A finder of a server by its URL, without a kubeconfig.
fn finder(authority: &Authority, server: &Server, over: Cluster) -> Finder {
    let url = over.server.unwrap_or(format!("https://{}", server.address));
    let data = authority.pem.clone().into_bytes();
    let cluster = Cluster { server: Some(url), certificate_authority_data: Some(data), ..over };
    Finder::new().path(folder("none").join("config")).over_cluster(cluster)
}

/// A folder with an empty kubeconfig.
fn folder(name: &str) -> PathBuf {
    let name = format!("kapigen-changing-{}-{name}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("config"), "").expect("a file");
    folder
}

async fn open(connection: &Connection, path: &str) -> http::Response<Body> {
    let request = Request::get(path).body(Full::<Bytes>::default()).expect("a request");
    connection.clone().call(request).await.expect("a response")
}

async fn get(connection: &Connection, path: &str) -> u16 {
    open(connection, path).await.status().as_u16()
}

#[tokio::test]
async fn requests_have_the_prefix_and_the_headers_of_their_user() {
    let authority = Authority::new("server-ca");
    let server = Server::start(&authority.issue(&["127.0.0.1"]), Arc::new(|_, _: &Seen| 200)).await;
    let url = format!("https://{}/k8s/clusters/c-1/", server.address);
    let over = Cluster { server: Some(url), ..Cluster::default() };
    let user = User {
        token: Some("t-1".into()),
        impersonate: Some("jane".to_owned()),
        impersonate_groups: vec!["a".to_owned(), "b".to_owned()],
        impersonate_extra: [("example.com/Key".to_owned(), vec!["v".to_owned()])].into(),
        ..User::default()
    };
    let config = finder(&authority, &server, over).over_user(user).find().expect("a cluster");
    let connection = connect(config).expect("a connection");
    assert_eq!(get(&connection, "/api/v1/pods?limit=5").await, 200);
    assert_eq!(get(&connection, "https://other.test/k8s/clusters/c-1/api").await, 200);
    assert_eq!(server.seen()[1].path, "/k8s/clusters/c-1/api");
    let seen = &server.seen()[0];
    assert_eq!(seen.path, "/k8s/clusters/c-1/api/v1/pods?limit=5");
    assert_eq!(seen.authorization.as_deref(), Some("Bearer t-1"));
    let mut impersonate = seen.impersonate.clone();
    impersonate.sort();
    let [extra, user] = ["impersonate-extra-example.com%2fkey: v", "impersonate-user: jane"];
    assert_eq!(impersonate, [extra, "impersonate-group: a", "impersonate-group: b", user]);
    let agent = seen.user_agent.clone().expect("a header");
    // Servers take what stands before the first `/` for the field manager.
    let program = std::env::current_exe().expect("a program");
    let manager = agent.split('/').next();
    assert_eq!(manager, program.file_stem().and_then(|name| name.to_str()), "{agent}");
    assert!(agent.contains(") kapigen-connect/"), "{agent}");
}

#[tokio::test]
async fn servers_speak_both_versions_of_tls() {
    let authority = Authority::new("server-ca");
    let certificate = authority.issue(&["127.0.0.1"]);
    for version in [&TLS12, &TLS13] {
        let tls = acceptor(&certificate, &[version]);
        let server = Server::start_with(tls, Arc::new(|_, _: &Seen| 200)).await;
        let found = finder(&authority, &server, Cluster::default()).find();
        let connection = connect(found.expect("a cluster")).expect("a connection");
        assert_eq!(get(&connection, "/api").await, 200);
    }
}

#[tokio::test]
async fn client_certificates_and_authorities_in_files_are_read_again() {
    let authority = Authority::new("server-ca");
    let users = Authority::new("user-ca");
    let server = Server::start(&authority.issue(&["127.0.0.1"]), Arc::new(|_, _: &Seen| 200)).await;
    let folder = folder("rotated");
    let write = |(certificate, key): &(String, String)| {
        fs::write(folder.join("crt.pem"), certificate).expect("a file");
        fs::write(folder.join("key.pem"), key).expect("a file");
    };
    let [old, new] = ["old", "new"].map(|name| users.issue(&[name]));
    write(&old);
    let user = User {
        client_certificate: Some(folder.join("crt.pem")),
        client_key: Some(folder.join("key.pem")),
        ..User::default()
    };
    let found = finder(&authority, &server, Cluster::default()).over_user(user).find();
    let connection = connect(found.expect("a cluster")).expect("a connection");
    let later = async |seconds: u64| {
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(seconds)).await;
        tokio::time::resume();
    };
    get(&connection, "/old").await;
    write(&new);
    get(&connection, "/kept").await;
    // A key that does not fit is there only for a moment.
    fs::write(folder.join("key.pem"), &old.1).expect("a file");
    later(301).await;
    get(&connection, "/halfway").await;
    write(&new);
    later(301).await;
    get(&connection, "/new").await;
    get(&connection, "/again").await;
    let seen = server.seen();
    let [old, new] = [old, new].map(|(certificate, _)| Some(der(&certificate).to_vec()));
    let certificates: Vec<_> = seen.iter().map(|seen| seen.certificate.clone()).collect();
    assert_eq!(certificates, [old.clone(), old.clone(), old, new.clone(), new]);
    assert_eq!(seen[3].connection, seen[4].connection, "it is kept for the next request");
    fs::remove_dir_all(folder).expect("a folder");
}

#[tokio::test(start_paused = true)]
async fn token_files_are_read_again_each_minute() {
    let path = folder("token").join("token");
    fs::write(&path, "old\n").expect("a file");
    let server = Some("https://a.test".to_owned());
    let user = User { token_file: Some(path.clone()), ..User::default() };
    let finder = Finder::new().path(folder("none").join("config"));
    let over = Cluster { server, ..Cluster::default() };
    let config = finder.over_cluster(over).over_user(user).find().expect("a cluster");
    let credentials = Credentials::new(&config).expect("credentials");
    let token = async || credentials.headers().await.expect("a token")["authorization"].clone();
    assert_eq!(token().await, "Bearer old");
    fs::write(&path, "new").expect("a file");
    tokio::time::advance(Duration::from_secs(49)).await;
    assert_eq!(token().await, "Bearer old");
    tokio::time::advance(Duration::from_secs(2)).await;
    assert_eq!(token().await, "Bearer new");
    // A file may be missing while it is replaced.
    fs::remove_file(&path).expect("a file");
    tokio::time::advance(Duration::from_secs(60)).await;
    assert_eq!(token().await, "Bearer new");
}

#[tokio::test]
async fn hundreds_of_streams_do_not_hold_other_requests() {
    let authority = Authority::new("server-ca");
    let answer = |_, seen: &Seen| if seen.path == "/watch" { OPEN } else { 200 };
    let server = Server::start(&authority.issue(&["127.0.0.1"]), Arc::new(answer)).await;
    let found = finder(&authority, &server, Cluster::default()).find();
    let connection = connect(found.expect("a cluster")).expect("a connection");
    let mut watches = Vec::new();
    for _ in 0..250 {
        watches.push(open(&connection, "/watch").await);
    }
    for _ in 0..20 {
        assert_eq!(get(&connection, "/list").await, 200);
    }
    let seen = server.seen();
    let mut connections: Vec<_> = seen.iter().map(|seen| seen.connection).collect();
    connections.sort_unstable();
    connections.dedup();
    assert!((251..260).contains(&connections.len()), "{}", connections.len());
}

/// A proxy that notes how each connection begins, and passes it on.
async fn proxy(
    tls: Option<TlsAcceptor>,
    respond: &'static str,
    begins: Arc<Mutex<Vec<String>>>,
) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        loop {
            let (client, _) = listener.accept().await.expect("a connection");
            let begins = Arc::clone(&begins);
            match &tls {
                None => drop(tokio::spawn(tunnel(client, respond, begins))),
                Some(tls) => {
                    let client = tls.accept(client);
                    tokio::spawn(async move { tunnel(client.await?, respond, begins).await });
                }
            }
        }
    });
    port
}

async fn tunnel(
    mut client: impl AsyncRead + AsyncWrite + Unpin,
    respond: &str,
    begins: Arc<Mutex<Vec<String>>>,
) -> io::Result<()> {
    let mut head = vec![0; 4096];
    let length = client.read(&mut head).await?;
    let head = String::from_utf8_lossy(&head[..length]).into_owned();
    let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
    begins.lock().unwrap().push(head);
    client.write_all(respond.as_bytes()).await?;
    let mut server = TcpStream::connect(target).await?;
    tokio::io::copy_bidirectional(&mut client, &mut server).await.map(drop)
}

/// The begin of connections to a server through a proxy.
fn assert_begin(begins: &Mutex<Vec<String>>, server: SocketAddr) {
    let head = begins.lock().unwrap()[0].to_lowercase();
    assert!(head.starts_with(&format!("connect {server}")), "{head}");
    assert!(head.contains("proxy-authorization: basic bwu6cebzcw=="), "{head}");
}

#[tokio::test]
async fn a_proxy_is_asked_to_connect() {
    let authority = Authority::new("server-ca");
    let server = Server::start(&authority.issue(&["127.0.0.1"]), Arc::new(|_, _: &Seen| 200)).await;
    let begins = Arc::default();
    let port = proxy(None, "HTTP/1.1 200 OK\r\n\r\n", Arc::clone(&begins)).await;
    let url = format!("http://me:p%40ss@127.0.0.1:{port}");
    let over = Cluster { proxy_url: Some(url.into()), ..Cluster::default() };
    let config = finder(&authority, &server, over).find().expect("a cluster");
    let connection = connect(config).expect("a connection");
    assert_eq!(get(&connection, "/api").await, 200);
    assert_begin(&begins, server.address);

    let port = proxy(None, "HTTP/1.1 407 No\r\n\r\n", Arc::default()).await;
    let over = Cluster {
        proxy_url: Some(format!("http://127.0.0.1:{port}").into()),
        ..Cluster::default()
    };
    let found = finder(&authority, &server, over).find();
    let connection = connect(found.expect("a cluster")).expect("a connection");
    let request = Request::get("/").body(Full::<Bytes>::default()).expect("a request");
    let error = connection.clone().call(request).await.unwrap_err().to_string();
    assert!(error.contains(&format!("the proxy http://127.0.0.1:{port}: ")), "{error}");
}

/// A configuration of a server without an authority of its own, through a proxy by `https`.
fn through(proxy: u16, server: SocketAddr) -> Connection {
    let cluster = Cluster {
        server: Some(format!("https://{server}")),
        proxy_url: Some(format!("https://me:p%40ss@127.0.0.1:{proxy}").into()),
        ..Cluster::default()
    };
    let found = Finder::new().path(folder("none").join("config")).over_cluster(cluster).find();
    connect(found.expect("a cluster")).expect("a connection")
}

/// The variable of a process that trusts the authority: the ports of the proxy and the server.
const PORTS: &str = "KAPIGEN_PORTS";

#[cfg(unix)] // where a variable names the authorities of the system
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proxy_by_https_is_trusted_as_the_system_does() {
    let local = |port| SocketAddr::from(([127, 0, 0, 1], port));
    if let Ok(ports) = std::env::var(PORTS) {
        let ports: Vec<u16> = ports.split(' ').map(|port| port.parse().expect("a port")).collect();
        assert_eq!(get(&through(ports[0], local(ports[1])), "/api").await, 200);
        return;
    }
    let authority = Authority::new("system-ca");
    let certificate = authority.issue(&["127.0.0.1"]);
    let server = Server::start(&certificate, Arc::new(|_, _: &Seen| 200)).await;
    let begins = Arc::default();
    let tls = Some(acceptor(&certificate, DEFAULT_VERSIONS));
    let port = proxy(tls, "HTTP/1.1 200 OK\r\n\r\n", Arc::clone(&begins)).await;
    let path = folder("system").join("ca.pem");
    fs::write(&path, &authority.pem).expect("a file");
    let ports = format!("{port} {}", server.address.port());
    run_again("changing::a_proxy_by_https_is_trusted_as_the_system_does", |test| {
        test.env("SSL_CERT_FILE", path).env(PORTS, ports)
    });
    assert_begin(&begins, server.address);

    // Here, the system does not trust it.
    let request = Request::get("/").body(Full::<Bytes>::default()).expect("a request");
    let error = through(port, server.address).call(request).await.unwrap_err().to_string();
    let text = format!(
        "cannot reach {}: client error (Connect): the proxy https://…@127.0.0.1:{port}: tunnel \
         error: failed to create underlying connection: invalid peer certificate: UnknownIssuer",
        server.address
    );
    assert_eq!(error, text);
}

/// A proxy of SOCKS 5 that takes a name and a password. Returns its port, and what it was asked.
async fn socks(asked: Arc<Mutex<Vec<Vec<u8>>>>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        loop {
            let (mut client, _) = listener.accept().await.expect("a connection");
            let mut greeting = [0; 2];
            client.read_exact(&mut greeting).await.expect("a greeting");
            client.read_exact(&mut vec![0; greeting[1].into()]).await.expect("methods");
            client.write_all(&[5, 2]).await.expect("a choice");
            let mut login = vec![0; 64];
            let length = client.read(&mut login).await.expect("a login");
            client.write_all(&[1, 0]).await.expect("a success");
            let mut request = [0; 10];
            client.read_exact(&mut request).await.expect("a request of IPv4");
            asked.lock().unwrap().extend([login[..length].to_vec(), request.to_vec()]);
            client.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).await.expect("a response");
            let address = [request[4], request[5], request[6], request[7]];
            let port = u16::from_be_bytes([request[8], request[9]]);
            let mut server = TcpStream::connect((Ipv4Addr::from(address), port)).await.expect("it");
            tokio::spawn(async move {
                _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
            });
        }
    });
    port
}

#[tokio::test]
async fn a_proxy_of_socks_gets_name_password_and_address() {
    let authority = Authority::new("server-ca");
    let server = Server::start(&authority.issue(&["127.0.0.1"]), Arc::new(|_, _: &Seen| 200)).await;
    let asked = Arc::default();
    let port = socks(Arc::clone(&asked)).await;
    let url = format!("socks5://me:pw@127.0.0.1:{port}");
    let over = Cluster { proxy_url: Some(url.into()), ..Cluster::default() };
    let found = finder(&authority, &server, over).find();
    let connection = connect(found.expect("a cluster")).expect("a connection");
    assert_eq!(get(&connection, "/api").await, 200);
    let asked = asked.lock().unwrap().clone();
    assert_eq!(asked[0], b"\x01\x02me\x02pw");
    let port = server.address.port().to_be_bytes();
    assert_eq!(asked[1], [5, 1, 0, 1, 127, 0, 0, 1, port[0], port[1]]);
}
