//! The fake API server on a socket, and a front of it that speaks TLS: `clients-server FOLDER
//! OBJECTS`. Stores the objects, one in each line of the file, writes the kubeconfigs `tls` and
//! `plain` to the folder, says so, and serves until its input ends. Then it says how many services
//! programs made, `web-0` and on.

use kapigen_fake::Server;
use kapigen_fake::streams::{Forwarded, Process};
use serde_json::{Value, json};
use std::error::Error;
use std::io::{self, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::{ServerConfig, crypto::ring};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, objects] = &arguments[..] else { return Err("a folder and a file".into()) };
    let server = Server::new(&[openshift_api::DOCUMENTS, gateway_api::DOCUMENTS]);
    let objects = std::fs::read_to_string(objects)?;
    let objects: Vec<Value> =
        objects.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    server.seed(objects)?;
    server.on_exec(exec);
    server.on_forward(forward);
    let listening = server.listen("127.0.0.1:0")?;
    let folder = Path::new(folder);
    let plain = json!({"server": listening.url()});
    std::fs::write(folder.join("plain"), kubeconfig(&plain))?;

    let certificate = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()])?;
    std::fs::write(folder.join("ca.pem"), certificate.cert.pem())?;
    let key = PrivateKeyDer::try_from(certificate.signing_key.serialize_der())?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![certificate.cert.der().clone()], key)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"))?;
    let url = format!("https://{}", listener.local_addr()?);
    let tls = json!({"server": url, "certificate-authority": "ca.pem"});
    std::fs::write(folder.join("tls"), kubeconfig(&tls))?;
    std::thread::spawn(move || {
        runtime.block_on(front(listener, TlsAcceptor::from(Arc::new(config)), listening.address()))
    });
    println!("ready");
    io::stdin().read_to_end(&mut Vec::new())?;
    let service = |index| server.get_json("v1", "Service", "default", &format!("web-{index}"));
    println!("{} services", (0..).map_while(service).count());
    Ok(())
}

fn kubeconfig(cluster: &Value) -> String {
    let clusters = [json!({"name": "fake", "cluster": cluster})];
    let contexts = [json!({"name": "fake", "context": {"cluster": "fake", "user": "fake"}})];
    let users = [json!({"name": "fake", "user": {"token": "secret"}})];
    json!({"apiVersion": "v1", "kind": "Config", "current-context": "fake",
        "clusters": clusters, "contexts": contexts, "users": users})
    .to_string()
}

async fn front(listener: TcpListener, acceptor: TlsAcceptor, behind: SocketAddr) {
    while let Ok((stream, _)) = listener.accept().await {
        let acceptor = acceptor.clone();
        tokio::spawn(async move {
            stream.set_nodelay(true)?;
            let mut client = acceptor.accept(stream).await?;
            let mut server = TcpStream::connect(behind).await?;
            server.set_nodelay(true)?;
            tokio::io::copy_bidirectional(&mut client, &mut server).await
        });
    }
}

/// A command that is a number writes so many bytes; another one does nothing.
async fn exec(mut process: Process) -> Result<i32, String> {
    let bytes = process.command[0].parse().unwrap_or_default();
    write(&mut process.stdout, bytes).await?;
    Ok(0)
}

/// Writes as many bytes as the first eight say.
async fn forward(mut forwarded: Forwarded) -> Result<(), String> {
    let bytes = forwarded.connection.read_u64().await.map_err(|error| error.to_string())?;
    write(&mut forwarded.connection, bytes).await
}

async fn write(output: &mut (impl AsyncWrite + Unpin), mut bytes: u64) -> Result<(), String> {
    let buffer = vec![b'x'; 32 * 1024];
    while bytes > 0 {
        let part = usize::try_from(bytes).unwrap_or(usize::MAX).min(buffer.len());
        output.write_all(&buffer[..part]).await.map_err(|error| error.to_string())?;
        bytes -= part as u64;
    }
    output.flush().await.map_err(|error| error.to_string())
}
