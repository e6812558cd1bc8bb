//! Reads so many bytes from so many processes at once, or from so many forwarded ports:
//! `streams-over-kube exec 1000000 10`.

use futures_util::future::try_join_all;
use k8s_openapi::api::core::v1::Pod;
use kube::api::AttachParams;
use kube::{Api, Client};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, what, bytes, sessions] = &arguments[..] else {
        return Err("exec or forward, bytes, sessions".into());
    };
    let (bytes, sessions): (u64, usize) = (bytes.parse()?, sessions.parse()?);
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let pods = Api::namespaced(Client::try_default().await?, "default");
        if what == "exec" {
            try_join_all((0..sessions).map(|_| exec(&pods, bytes))).await?;
        } else {
            try_join_all((0..sessions).map(|_| forward(&pods, bytes))).await?;
        }
        Ok(())
    })
}

async fn exec(pods: &Api<Pod>, bytes: u64) -> Result<()> {
    let params = AttachParams::default().stdout(true).stderr(false);
    let mut process = pods.exec("web", [bytes.to_string()], &params).await?;
    let stdout = process.stdout().ok_or("the request asks for output")?;
    let status = process.take_status().ok_or("nobody took it")?;
    read(stdout, bytes).await?;
    let status = status.await.and_then(|status| status.status);
    if status.as_deref() == Some("Success") { Ok(()) } else { Err("it failed".into()) }
}

async fn forward(pods: &Api<Pod>, bytes: u64) -> Result<()> {
    let mut forwarder = pods.portforward("web", &[8080]).await?;
    let mut pod = forwarder.take_stream(8080).ok_or("nobody took it")?;
    pod.write_all(&bytes.to_be_bytes()).await?;
    read(pod, bytes).await
}

/// Reads to the end, and counts.
async fn read(mut stream: impl AsyncRead + Unpin, bytes: u64) -> Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    let mut count = 0;
    loop {
        match stream.read(&mut buffer).await? {
            0 if count == bytes => return Ok(()),
            0 => return Err(format!("{count} of {bytes} bytes").into()),
            more => count += more as u64,
        }
    }
}
