//! Connections that switch to a WebSocket, over the clients of the ecosystem and the socket of the
//! fake server.

use crate::examples::Config;
use crate::transports::over_reqwest;
use crate::{block_on, hyper, pod, put, server};
use kapigen_client::Client;
use kapigen_client::kapigen_connect::Finder;
use kapigen_fake::streams::{Forwarded, Script};
use kapigen_fake::{Listening, Server};
use kapigen_kube::{Kube, KubeService};
use kube::api::{Api, AttachParams};
use openshift_api::core_v1::Pod;
use openshift_api::core_v1::pods::{self, ExecParams, PortForwardParams};
use socket2::SockRef;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A server with a pod that runs `cat`, and has a port that echoes one message and says goodbye.
fn echoing() -> (Server, Listening) {
    let (server, listening) = server();
    put(&server, pod("web"));
    server.on_exec(|process| Script::default().echo().run(process));
    server.on_forward(answer);
    (server, listening)
}

async fn answer(mut forwarded: Forwarded) -> Result<(), String> {
    let mut message = *b"....";
    let connection = &mut forwarded.connection;
    connection.read_exact(&mut message).await.map_err(|error| error.to_string())?;
    connection.write_all(&[&message[..], b"bye"].concat()).await.map_err(|error| error.to_string())
}

#[test]
fn every_transport_switches_to_web_sockets() {
    let (_server, listening) = echoing();
    block_on(async {
        let url = listening.url();
        exercise(hyper(&url)).await;
        let file = Config::new(&url);
        let config = Finder::new().path(&file.0).find().unwrap();
        exercise(Client::connect_with(config).unwrap()).await;
        exercise(Client::with_bodies(KubeService::new(kube(&url)))).await;
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        exercise(over_reqwest(http, &url)).await;
    });
}

#[test]
fn kube_runs_commands_in_the_pods_of_the_server() {
    let (_server, listening) = echoing();
    block_on(async {
        let pods = Api::<Kube<Pod>>::namespaced(kube(&listening.url()), "default");
        let params = AttachParams::default().stdin(true).stderr(false);
        let mut process = pods.exec("web", ["cat"], &params).await.unwrap();
        let (mut stdin, mut stdout) = (process.stdin().unwrap(), process.stdout().unwrap());
        stdin.write_all(b"ping").await.unwrap();
        stdin.shutdown().await.unwrap();
        drop(stdin);
        let mut output = String::new();
        stdout.read_to_string(&mut output).await.unwrap();
        let status = process.take_status().unwrap().await.unwrap();
        assert_eq!((output.as_str(), status.status.as_deref()), ("ping", Some("Success")));
        process.join().await.unwrap();
    });
}

fn kube(url: &str) -> kube::Client {
    kube::Client::try_from(kube::Config::new(url.parse().unwrap())).unwrap()
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
