//! The errors of wrong configurations, servers and plugins, word for word.

use crate::server::{Authority, Seen, Server, connect};
use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use kapigen_connect::{Cluster, Config, Error, Finder, Kubeconfig, User};
use std::fs;
use std::net::SocketAddr;
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
    let connection = match config.and_then(connect) {
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
    let serve = async |names: &[&str], years| {
        let certificate = authority.issue_between(names, years);
        Server::start(&certificate, Arc::clone(&answer)).await.address
    };
    let now = [2000, 4000];
    let address = serve(&["127.0.0.1"], now).await;
    let error = refused(config(format!("https://{address}"), Some(&other))).await;
    let text = "the server's certificate is not from the `certificate-authority-data` of the \
                cluster, which has `other-ca`";
    assert_eq!(error, unreachable(address, text));
    let path = file("other.crt", &other.pem);
    let cluster = Cluster {
        server: Some(format!("https://{address}")),
        certificate_authority: Some(path.clone()),
        ..Cluster::default()
    };
    let error = refused(Finder::new().path(file("none", "")).over_cluster(cluster).find()).await;
    let text = format!(
        "the server's certificate is not from an authority in {}, which has `other-ca`",
        path.display()
    );
    assert_eq!(error, unreachable(address, &text));
    for (names, years, text) in [
        (["127.0.0.1"], [2000, 2001], "the server's certificate has expired"),
        (
            ["127.0.0.1"],
            [3000, 3001],
            "the server's certificate is not valid yet: is the clock here right?",
        ),
        (
            ["api.test"],
            now,
            "the server's certificate is not for `127.0.0.1`: set `tls-server-name` to a name that \
             it has",
        ),
    ] {
        let address = serve(&names, years).await;
        let error = refused(config(format!("https://{address}"), Some(&authority))).await;
        assert_eq!(error, unreachable(address, text));
    }
}

#[tokio::test]
async fn servers_with_another_name_or_without_a_check_are_reached_if_that_is_configured() {
    let [authority, other] = ["server-ca", "other-ca"].map(Authority::new);
    let answer: crate::server::Answer = Arc::new(|_, _: &Seen| 200);
    let server = Server::start(&authority.issue(&["api.test"]), answer).await;
    let given = |cluster: Cluster| {
        let server = Some(format!("https://{}", server.address));
        Finder::new().path(file("given", "")).over_cluster(Cluster { server, ..cluster }).find()
    };
    let name = Some("api.test".to_owned());
    let data = |authority: &Authority| Some(authority.pem.clone().into_bytes());
    let several = Some(format!("{}{}", other.pem, authority.pem).into_bytes());
    for config in [
        given(Cluster {
            tls_server_name: name.clone(),
            certificate_authority_data: several,
            ..Cluster::default()
        }),
        given(Cluster { insecure_skip_tls_verify: Some(true), ..Cluster::default() }),
    ] {
        let connection = config.and_then(connect).expect("a connection");
        let request = Request::get("/api").body(Full::<Bytes>::default()).expect("a request");
        let response = connection.clone().call(request).await.expect("a response");
        assert_eq!(response.status(), 200);
    }
    let strange = given(Cluster {
        tls_server_name: name,
        certificate_authority_data: data(&other),
        ..Cluster::default()
    });
    assert!(refused(strange).await.contains("is not from"));
}

fn unreachable(server: SocketAddr, text: &str) -> String {
    format!("cannot reach {server}: client error (Connect): {text}")
}

#[tokio::test]
async fn the_other_scheme_is_proposed() {
    let authority = Authority::new("server-ca");
    let answer: crate::server::Answer = Arc::new(|_, _: &Seen| 200);
    let server = Server::start(&authority.issue(&["127.0.0.1"]), answer).await;
    let address = server.address;
    assert_eq!(
        refused(config(format!("http://{address}"), None)).await,
        format!(
            "cannot reach {address}: client error (SendRequest): invalid HTTP version parsed: if \
             the server speaks TLS, its scheme is `https`"
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
        unreachable(plain, "the server does not speak TLS: is its scheme `http`?")
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
    let dangling = KUBECONFIG.replace("cluster: c, user: u", "cluster: gone, user: v");
    let dangling =
        file("dangling", &dangling.replace("current-context: prod", "current-context: prot"));
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
    for (finder, text) in [
        (find().context("prot").cluster("d"), "there is no cluster `d`: did you mean `c`?"),
        (find().context("prot").user("users"), "there is no user `users`: there is `u`"),
        (Finder::new().path(&dangling), "there is no cluster `gone`: there is `c`"),
        (Finder::new().path(&dangling).cluster("c"), "there is no user `v`: did you mean `u`?"),
    ] {
        let error = finder.find().unwrap_err();
        let file = error.problems()[0].file.clone().expect("a file");
        assert_eq!(error.to_string(), format!("{}: {text}", file.display()));
    }
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

#[tokio::test]
async fn pems_that_cannot_be_used_are_named() {
    let authority = Authority::new("user-ca");
    let [(crt, _), (_, other)] = ["a", "b"].map(|name| authority.issue(&[name]));
    let (crt, other) = (file("fits.crt", &crt), file("other.key", &other));
    for (certificate, key, text) in [
        (
            &crt,
            &other,
            format!(
                "{}: `client-certificate`: its key belongs to another certificate",
                crt.display()
            ),
        ),
        (
            &other,
            &other,
            format!("{}: `client-certificate`: it has no certificate in PEM", other.display()),
        ),
        (&crt, &crt, format!("{}: `client-key`: it has no private key in PEM", crt.display())),
    ] {
        let server = Some("https://a.test".to_owned());
        let data = Some(authority.pem.clone().into_bytes());
        let cluster = Cluster { server, certificate_authority_data: data, ..Cluster::default() };
        let user = User {
            client_certificate: Some(certificate.clone()),
            client_key: Some(key.clone()),
            ..User::default()
        };
        let finder = Finder::new().path(file("empty4", "")).over_cluster(cluster);
        assert_eq!(refused(finder.over_user(user).find()).await, text);
    }
}

#[test]
fn all_contradictions_are_reported_with_their_file() {
    let text = "\
current-context: c
clusters:
- name: c
  cluster:
    server: api.test
    certificate-authority: ca.crt
    certificate-authority-data: eA==
    insecure-skip-tls-verify: true
    proxy-url: proxy.test
users:
- name: u
  user:
    token: t
    username: bob
    client-certificate: crt
    client-certificate-data: eA==
    as-groups: [a]
    auth-provider: {name: gcp}
    exec: {apiVersion: client.authentication.k8s.io/v1alpha1}
- name: v
  user:
    password: p
    client-key: key
    client-key-data: eA==
    as-uid: '1'
    exec: {apiVersion: client.authentication.k8s.io/v1, command: x}
contexts:
- name: c
  context: {cluster: c, user: u}
";
    let path = file("contradictions", text);
    let shown = |user: &str| {
        let error = Finder::new().path(&path).user(user).find().unwrap_err();
        let problems = error.problems().iter();
        let mut messages: Vec<_> = problems
            .inspect(|problem| assert_eq!(problem.file.as_ref(), Some(&path)))
            .map(|problem| problem.message.clone())
            .collect();
        messages.sort();
        messages
    };
    let of_cluster = [
        "`certificate-authority` and `certificate-authority-data` are both there",
        "`insecure-skip-tls-verify` and a certificate authority are both there",
        "`proxy-url`: it has no scheme: `http://`, `https://` or `socks5://`",
        "the server has no scheme: is it `https://…`?",
    ];
    let of_u = [
        "`as-uid`, `as-groups` and `as-user-extra` need `as`",
        "`client-certificate` and `client-certificate-data` are both there",
        "`exec` and `auth-provider` are both there",
        "`exec` has no command",
        "a token and a username are both there: only one can be sent",
        "the `apiVersion` of `exec` is `client.authentication.k8s.io/v1` or `…/v1beta1`",
        "the provider `gcp` of `auth-provider` is not supported: use a plugin, by `exec`",
        "there is a client certificate without its key",
    ];
    let of_v = [
        "`as-uid`, `as-groups` and `as-user-extra` need `as`",
        "`client-key` and `client-key-data` are both there",
        "`exec` has no `interactiveMode`, which its version v1 needs",
        "there is a client key without its certificate",
        "there is a password without a username",
    ];
    for (user, own) in [("u", &of_u[..]), ("v", &of_v)] {
        let mut expected = [&of_cluster[..], own].concat();
        expected.sort_unstable();
        assert_eq!(shown(user), expected);
    }
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

/// A key of the curve P-521, for nothing but this test.
const P521: &str = "\
-----BEGIN PRIVATE KEY-----
MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIB/T5u2NcKy46yYpVL
IbickUcPgeGVr8ffigAEQCgqF7tVO0VglQrGGMxBk7S7JLqJZ2QT4dNSkN1BJfXC
5qhieU6hgYkDgYYABAH3fJIkg0tJXcZYhjDdgzK8D7mPxbb7IY/MigMxhwyEt4wr
vPJy677ZA1LKehPiG4P3dwL6pDZJ/UPLoJgdSwnxXwCWO2JFOATD/o+/VjM+xpaq
c8RFxQhkytGc+rUfSSU9v7fdfMRqAc46dib4T+HRiRRTAXF7TSKlU5HpfSfkdZx+
6g==
-----END PRIVATE KEY-----
";

#[test]
fn ring_has_no_p521() {
    let [authority, user] = ["server-ca", "user-ca"].map(Authority::new);
    let certificate = file("p521.crt", &user.pem);
    let data = Some(authority.pem.clone().into_bytes());
    let server = Some("https://a.test".to_owned());
    let cluster = Cluster { server, certificate_authority_data: data, ..Cluster::default() };
    let user = User {
        client_certificate: Some(certificate.clone()),
        client_key_data: Some(P521.into()),
        ..User::default()
    };
    let finder = Finder::new().path(file("empty3", "")).over_cluster(cluster).over_user(user);
    let text = finder.find().and_then(connect).unwrap_err().to_string();
    assert_eq!(
        text,
        format!(
            "{}: `client-certificate`: its key cannot be used: unexpected error: failed to parse \
             private key as RSA, ECDSA, or EdDSA; for the curve P-521, enable the feature \
             `aws-lc-rs` of kapigen-connect",
            certificate.display()
        )
    );
}

#[cfg(not(any(feature = "ring", feature = "aws-lc-rs")))]
#[test]
fn without_a_provider_there_is_an_error() {
    use kapigen_connect::Connection;
    let error = config("https://127.0.0.1:1".to_owned(), None).and_then(Connection::new);
    assert_eq!(
        error.unwrap_err().to_string(),
        "there is no provider of cryptography: enable the feature `ring` or `aws-lc-rs` of \
         kapigen-connect, or give one to `Connection::with_provider`"
    );
}

#[cfg(all(feature = "ring", feature = "aws-lc-rs"))]
#[tokio::test]
async fn both_providers_are_used_at_once() {
    use kapigen_connect::Connection;
    use kapigen_connect::rustls::crypto::{CryptoProvider, aws_lc_rs, ring};
    let authority = Authority::new("server-ca");
    let answer: crate::server::Answer = Arc::new(|_, _: &Seen| 200);
    let server = Server::start(&authority.issue(&["127.0.0.1"]), answer).await;
    let config = config(format!("https://{}", server.address), Some(&authority)).expect("a server");
    let given = |provider| Connection::with_provider(config.clone(), provider);
    for connection in [
        Connection::new(config.clone()),
        given(ring::default_provider()),
        given(aws_lc_rs::default_provider()),
    ] {
        let request = Request::get("/api").body(Full::<Bytes>::default()).expect("a request");
        let response = connection.expect("a connection").call(request).await.expect("a response");
        assert_eq!(response.status(), 200);
    }
    assert!(CryptoProvider::get_default().is_none(), "none is the process's");
}
