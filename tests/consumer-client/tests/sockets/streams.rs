//! Connections that switch to a web socket, over the clients of the ecosystem.

use crate::transports::over_reqwest;
use crate::{block_on, hyper};
use ::hyper::body::Incoming;
use ::hyper::server::conn::http1;
use ::hyper::service::service_fn;
use bytes::Bytes;
use http_body_util::Empty;
use hyper_util::rt::TokioIo;
use kapigen_client::Client;
use kapigen_kube::KubeService;
use kapigen_runtime::streams::accept_key;
use openshift_api::core_v1::pods::{self, ExecParams};
use openshift_api::http::header::{
    CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL, UPGRADE,
};
use openshift_api::http::{Request, Response, StatusCode};
use std::convert::Infallible;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

#[test]
fn hyper_util_and_kube_give_their_connections() {
    block_on(async {
        let url = listen().await;
        echo(hyper(&url)).await;
        let kube = kube::Client::try_from(kube::Config::new(url.parse().unwrap())).unwrap();
        echo(Client::with_bodies(KubeService::new(kube))).await;
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        echo(over_reqwest(http, &url)).await;
    });
}

async fn echo(client: Client) {
    let params = ExecParams::default().command(["cat"]).stdin(true).stdout(true);
    let request = pods::get_exec("default", "web", &params).unwrap();
    let (upgrade, mut connection) = client.upgrade(request, &["v5.channel.k8s.io"]).await.unwrap();
    assert_eq!(upgrade.protocol.as_deref(), Some("v5.channel.k8s.io"));
    connection.write_all(b"hello").await.unwrap();
    let mut bytes = [0; 5];
    connection.read_exact(&mut bytes).await.unwrap();
    assert_eq!(&bytes, b"hello");
}

/// A server that switches protocols and returns what it receives. Returns its URL.
async fn listen() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let connection =
                http1::Builder::new().serve_connection(TokioIo::new(socket), service_fn(switch));
            tokio::spawn(connection.with_upgrades());
        }
    });
    url
}

async fn switch(mut request: Request<Incoming>) -> Result<Response<Empty<Bytes>>, Infallible> {
    let key = accept_key(request.headers()[SEC_WEBSOCKET_KEY].as_bytes());
    let response = Response::builder()
        .status(StatusCode::SWITCHING_PROTOCOLS)
        .header(CONNECTION, "Upgrade")
        .header(UPGRADE, "websocket")
        .header(SEC_WEBSOCKET_ACCEPT, key)
        .header(SEC_WEBSOCKET_PROTOCOL, &request.headers()[SEC_WEBSOCKET_PROTOCOL]);
    let switched = ::hyper::upgrade::on(&mut request);
    tokio::spawn(async move {
        let (mut input, mut output) =
            tokio::io::split(TokioIo::new(switched.await.expect("a client that switches")));
        tokio::io::copy(&mut input, &mut output).await
    });
    Ok(response.body(Empty::new()).unwrap())
}
