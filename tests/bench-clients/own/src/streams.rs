//! Reads so many bytes from so many processes at once, or from so many forwarded ports:
//! `streams exec 1000000 10`.

use futures_util::future::try_join_all;
use kapigen_client::Client;
use openshift_api::core_v1::pods::{self, ExecParams, PortForwardParams};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, what, bytes, sessions] = &arguments[..] else {
        return Err("exec or forward, bytes, sessions".into());
    };
    let (bytes, sessions): (u64, usize) = (bytes.parse()?, sessions.parse()?);
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
        let client = Client::connect().await?;
        if what == "exec" {
            try_join_all((0..sessions).map(|_| exec(&client, bytes))).await?;
        } else {
            try_join_all((0..sessions).map(|_| forward(&client, bytes))).await?;
        }
        Ok(())
    })
}

async fn exec(client: &Client, bytes: u64) -> Result<()> {
    let params = ExecParams::default().command([bytes.to_string()]).stdout(true);
    let process = client.exec(pods::get_exec("default", "web", &params)?).await?;
    let stdout = process.stdout().ok_or("the request asks for output")?;
    read(stdout, bytes).await?;
    if process.wait().await?.is_success() { Ok(()) } else { Err("it failed".into()) }
}

async fn forward(client: &Client, bytes: u64) -> Result<()> {
    let params = PortForwardParams::default().ports([8080]);
    let mut pod = client.forward(pods::get_port_forward("default", "web", &params)?).await?;
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
