//! Prints the log of a pod while it is written, without losing or repeating a line:
//! `follow_log URL POD`, with the URL of `kubectl proxy`.

use hyper_util::{client::legacy::Client as Hyper, rt::TokioExecutor};
use kapigen_client::Client;
use openshift_api::core_v1::pods;
use openshift_api::log::LogEvent;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().ok_or("the URL is missing")?;
    let pod = arguments.next().ok_or("the name of the pod is missing")?;
    let service = Hyper::builder(TokioExecutor::new()).build_http();
    let client = Client::new(service).base(url)?;
    let mut log =
        client.follow_log(pods::get_log("default", &pod, &pods::LogParams::default())?)?;
    while let Some(event) = log.next().await {
        match event {
            LogEvent::Line(line) => println!("{}", String::from_utf8_lossy(&line.text)),
            LogEvent::Failed(failure) => eprintln!("{failure}"),
            LogEvent::Ended(Some(refusal)) => return Err(refusal.into()),
            _ => {}
        }
    }
    Ok(())
}
