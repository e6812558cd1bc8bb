//! Connections that switch to a web socket, over the clients of the ecosystem.

use crate::examples::Config;
use crate::transports::over_reqwest;
use crate::{block_on, hyper};
use ::hyper::body::Incoming;
use ::hyper::server::conn::http1;
use ::hyper::service::service_fn;
use bytes::Bytes;
use http_body_util::Empty;
use hyper_util::rt::TokioIo;
use kapigen_client::Client;
use kapigen_client::kapigen_connect::Finder;
use kapigen_kube::KubeService;
use kapigen_runtime::streams::{CLOSE, Frame, Frames, STATUS, STDIN, STDOUT, accept_key};
use openshift_api::core_v1::pods::{self, ExecParams, PortForwardParams};
use openshift_api::http::header::{
    CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL, UPGRADE,
};
use openshift_api::http::{Request, Response, StatusCode};
use socket2::SockRef;
use std::convert::Infallible;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[test]
fn every_transport_switches_to_web_sockets() {
    block_on(async {
        let url = listen().await;
        exercise(hyper(&url)).await;
        let file = Config::new(&url);
        let config = Finder::new().path(&file.0).find().unwrap();
        exercise(Client::connect_with(config).unwrap()).await;
        let kube = kube::Client::try_from(kube::Config::new(url.parse().unwrap())).unwrap();
        exercise(Client::with_bodies(KubeService::new(kube))).await;
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        exercise(over_reqwest(http, &url)).await;
    });
}

async fn exercise(client: Client) {
    let params = ExecParams::default().command(["cat"]).stdin(true).stdout(true);
    let process = client.exec(pods::get_exec("default", "web", &params).unwrap()).await.unwrap();
    let (mut stdin, mut stdout) = (process.stdin().unwrap(), process.stdout().unwrap());
    let input: Vec<u8> = (0..1_000_000u32).map(|number| number as u8).collect();
    let write = async {
        stdin.write_all(&input).await.unwrap();
        stdin.shutdown().await.unwrap();
    };
    let mut output = Vec::new();
    let ((), read) = tokio::join!(write, stdout.read_to_end(&mut output));
    read.unwrap();
    assert!(output == input && process.wait().await.unwrap().is_success());

    let params = PortForwardParams::default().ports([8080]);
    let request = pods::get_port_forward("default", "web", &params).unwrap();
    let listener = client.forward_listener(request, "127.0.0.1:0").await.unwrap();
    let connect = || TcpStream::connect(listener.local_addr());
    let (mut one, two) = (connect().await.unwrap(), connect().await.unwrap());
    // A reset of one connection is no end of the other.
    SockRef::from(&two).set_linger(Some(Duration::ZERO)).unwrap();
    drop(two);
    one.write_all(b"ping").await.unwrap();
    one.shutdown().await.unwrap();
    let mut output = Vec::new();
    one.read_to_end(&mut output).await.unwrap();
    assert_eq!(output, b"pingbye", "after the end of what is written, too");
    let address = listener.local_addr();
    drop(listener);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(TcpStream::connect(address).await.is_err(), "it has ended");
}

/// A server that switches protocols and runs `cat`, or forwards to a port that echoes
/// one message and says goodbye. Returns its URL.
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
    let offered = request.headers()[SEC_WEBSOCKET_PROTOCOL].to_str().unwrap();
    let response = Response::builder()
        .status(StatusCode::SWITCHING_PROTOCOLS)
        .header(CONNECTION, "Upgrade")
        .header(UPGRADE, "websocket")
        .header(SEC_WEBSOCKET_ACCEPT, key)
        .header(SEC_WEBSOCKET_PROTOCOL, offered.split(", ").next().unwrap());
    let is_forward = request.uri().path().ends_with("portforward");
    let switched = ::hyper::upgrade::on(&mut request);
    tokio::spawn(async move {
        let mut connection = TokioIo::new(switched.await.expect("a client that switches"));
        let mut frames = Frames::server();
        if is_forward {
            frames.send(0, &8080u16.to_le_bytes());
            frames.send(1, &8080u16.to_le_bytes());
        }
        let mut bytes = vec![0; 8192];
        loop {
            while let Some(frame) = frames.next_frame().unwrap() {
                match frame {
                    Frame::Data(0, bytes) if is_forward => {
                        frames.send(0, &bytes);
                        frames.send(0, b"bye");
                        frames.close(1000, "");
                    }
                    Frame::Data(STDIN, bytes) => frames.send(STDOUT, &bytes),
                    Frame::Data(CLOSE, _) => {
                        frames.send(STATUS, br#"{"status":"Success"}"#);
                        frames.close(1000, "");
                    }
                    _ => return,
                }
            }
            connection.write_all(frames.output()).await.unwrap();
            frames.written(frames.output().len());
            match connection.read(&mut bytes).await {
                Ok(0) | Err(_) => return,
                Ok(count) => frames.feed(&bytes[..count]),
            }
        }
    });
    Ok(response.body(Empty::new()).unwrap())
}
