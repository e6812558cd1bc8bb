//! The errors of wrong configurations, servers and plugins, word for word.

use crate::server::{Authority, Seen, Server};
use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use kapigen_connect::{Cluster, Config, Connection, Error, Finder, Kubeconfig, User};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tower_service::Service;

/// A file with this text, in a folder of its own.
fn file(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("kapigen-wrong-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    fs::write(&path, text).expect("a file");
    path
}

fn config(server: String, authority: Option<&Authority>) -> Result<Config, Error> {
    let data = authority.map(|authority| authority.pem.clone().into_bytes());
    let cluster =
        Cluster { server: Some(server), certificate_authority_data: data, ..Cluster::default() };
    Finder::new().path(file("empty", "")).over_cluster(cluster).find()
}

async fn refused(config: Result<Config, Error>) -> String {
    let connection = match config.and_then(Connection::new) {
        Ok(connection) => connection,
        Err(error) => return error.to_string(),
    };
    let request = Request::get("/api").body(Full::<Bytes>::default()).expect("a request");
    connection.clone().call(request).await.expect_err("no response").to_string()
}

#[tokio::test]
async fn servers_that_cannot_be_trusted_are_named_with_the_reason() {
    let [authority, other] = ["server-ca", "other-ca"].map(Authority::new);
    let answer: crate::server::Answer = Arc::new(|_, _: &Seen| 200);
    let server = Server::start(&authority.issue(&["api.test"]), answer).await;
    let address = server.address;
    let url = format!("https://{address}");
    let client = "client error (Connect)";
    assert_eq!(
        refused(config(url.clone(), Some(&other))).await,
        format!(
            "cannot reach {address}: {client}: the server's certificate is not from the \
             `certificate-authority-data` of the cluster"
        )
    );
    assert_eq!(
        refused(config(url, Some(&authority))).await,
        format!(
            "cannot reach {address}: {client}: the server's certificate is not for `127.0.0.1`: \
             set `tls-server-name` to a name that it has"
        )
    );
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let plain = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.expect("a response");
        std::future::pending::<()>().await;
    });
    assert_eq!(
        refused(config(format!("https://{plain}"), Some(&authority))).await,
        format!(
            "cannot reach {plain}: {client}: the server does not speak TLS: is its scheme `http`?"
        )
    );
}

#[tokio::test]
async fn a_server_that_says_nothing_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let authority = Authority::new("server-ca");
    // Once all wait, time jumps to the next deadline.
    tokio::time::pause();
    let silent = refused(config(format!("https://{address}"), Some(&authority))).await;
    assert_eq!(
        silent,
        format!("cannot reach {address}: client error (Connect): no connection within 30s")
    );
}

const KUBECONFIG: &str = "\
apiVersion: v1
kind: Config
current-context: prod
clusters:
- name: c
  cluster: {server: 'https://127.0.0.1:1'}
users:
- name: u
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: kapigen-no-such-plugin
      interactiveMode: Never
      installHint: \"install it\\e[2J\"
contexts:
- name: production
  context: {cluster: c, user: u}
- name: prot
  context: {cluster: c, user: u}
";

#[tokio::test]
async fn names_and_plugins_that_are_not_there_are_named() {
    let path = file("names", KUBECONFIG);
    let shown = path.display();
    let find = || Finder::new().path(&path);
    let error = find().find().unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{shown}: there is no context `prod`: did you mean `prot`?")
    );
    assert_eq!(format!("{error:?}"), error.to_string(), "as `main` prints it");
    let error = find().context("staging").find().unwrap_err().to_string();
    assert_eq!(
        error,
        format!("{shown}: there is no context `staging`: there is `production`, `prot`")
    );
    assert_eq!(
        refused(find().context("prot").find()).await,
        "the plugin `kapigen-no-such-plugin` is not installed, or not in `PATH`:\ninstall \
         it\\u{1b}[2J"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn plugins_that_print_without_end_are_ended() {
    let text = KUBECONFIG.replace("kapigen-no-such-plugin", "'yes'");
    assert_ne!(text, KUBECONFIG);
    let error = refused(Finder::new().path(file("endless", &text)).context("prot").find()).await;
    assert_eq!(error, "the plugin `yes` printed more than 1048576 bytes");
}

#[test]
fn problems_have_their_lines_and_no_values() {
    let text = "clusters:\n- name: c\n  cluster:\n    server: 7\nusers:\n- name: u\n  user:\n    \
                token: 12345678\n    client-key-data: hunter2!\n";
    let path = file("problems", text);
    let shown = path.display();
    let error = Kubeconfig::read(&path).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "{shown}:4: expected a string as `server`, found a number: quote it\n\
             {shown}:9: `client-key-data` is not base64\n\
             {shown}:8: expected a string as `token`, found a number: quote it"
        )
    );
    let encrypted =
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
    let key = file("encrypted", encrypted);
    let certificate = file("crt", &Authority::new("user-ca").pem);
    let user = User {
        client_certificate: Some(certificate),
        client_key: Some(key.clone()),
        ..User::default()
    };
    let cluster = Cluster { server: Some("https://a.test".to_owned()), ..Cluster::default() };
    let finder = Finder::new().path(file("empty2", "")).over_cluster(cluster).over_user(user);
    let error = finder.find().unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "{}: `client-key`: its private key is encrypted: decrypt it, for example by `openssl \
             pkey -in KEY -out DECRYPTED`",
            key.display()
        )
    );
}

#[test]
fn hostile_files_are_errors_and_cost_little() {
    let bomb = format!(
        "a: &a [x,x,x,x,x,x,x,x,x,x]\n{}",
        ('b'..='k').zip('a'..).fold(String::new(), |text, (name, before)| {
            format!("{text}{name}: &{name} [{}]\n", vec![format!("*{before}"); 10].join(","))
        })
    );
    for (path, wanted) in [
        (file("bomb", &bomb), "aliases"),
        (file("deep", &"[".repeat(100_000)), "nested"),
        (PathBuf::from("/dev/zero"), "not a file"),
        (std::env::temp_dir(), "a folder"),
    ] {
        let error = Kubeconfig::read(&path).unwrap_err().to_string();
        assert!(error.contains(wanted), "{}: {error}", path.display());
    }
    let large = file("large", "");
    let sparse = fs::OpenOptions::new().write(true).open(&large).expect("a file");
    sparse.set_len(100 << 20).expect("a length");
    let error = Kubeconfig::read(&large).unwrap_err().to_string();
    assert!(error.ends_with("it has more than 16777216 bytes"), "{error}");
    fs::remove_file(large).expect("a file");
}
