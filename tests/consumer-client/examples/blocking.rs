//! Keeps pods in a store without async: `blocking URL`, with the URL of `kubectl proxy`. A thread
//! for each response reads it, and ends with it.

use openshift_api::core_v1::{Pod, pods};
use openshift_api::http::{self, HeaderMap, Request, StatusCode};
use openshift_api::informer::Event;
use openshift_api::{Informer, Input, Machine, Step, Store, params::ListParams};
use std::error::Error;
use std::io::Read;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Instant;

/// A part of a response. If the channel ends before `End`, the connection broke.
enum Part {
    Head(StatusCode, HeaderMap),
    Bytes(Vec<u8>),
    End,
    /// The connection broke, for this reason.
    Broken(String),
}

fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::args().nth(1).ok_or("the URL is missing")?;
    let mut informer = Informer::new(pods::list("default", &ListParams::default())?)?;
    let store = Store::<Pod>::new();
    let start = Instant::now();
    let mut parts = channel().1;
    loop {
        match informer.poll(start.elapsed()) {
            Step::Event(event) => {
                store.apply(&event);
                match event {
                    Event::Applied { key, .. } => println!("{key}"),
                    Event::Deleted { key, .. } => println!("{key} is gone"),
                    Event::InitDone => println!("{} pods", store.snapshot().len()),
                    Event::Failed(failure) => eprintln!("{failure}"),
                    _ => {}
                }
            }
            // With a wrong URL, no attempt would succeed.
            Step::Send(request) => parts = send(&url, *request)?,
            Step::Receive { until } => {
                let part = parts.recv_timeout(until.saturating_sub(start.elapsed()));
                let input = match &part {
                    Ok(Part::Head(status, headers)) => Input::Head(*status, headers),
                    Ok(Part::Bytes(bytes)) => Input::Bytes(bytes),
                    Ok(Part::End) => Input::End,
                    Ok(Part::Broken(cause)) => Input::Disconnected(cause),
                    Err(RecvTimeoutError::Disconnected) => Input::Disconnected("the thread ended"),
                    Err(RecvTimeoutError::Timeout) => continue,
                };
                informer.feed(input, start.elapsed());
            }
            Step::Wait { until } => thread::sleep(until.saturating_sub(start.elapsed())),
            Step::Done => return Ok(()),
        }
    }
}

/// Sends a request, and reads the response on a thread.
fn send(url: &str, request: Request<Vec<u8>>) -> Result<Receiver<Part>, http::Error> {
    let (mut head, body) = request.into_parts();
    head.uri = format!("{url}{}", head.uri).parse()?;
    // Few parts are in memory: the thread waits until they are taken.
    let (sender, parts) = sync_channel(4);
    thread::spawn(move || {
        if let Err(error) = read(Request::from_parts(head, body), &sender) {
            // Fails if nobody waits for the response any more.
            _ = sender.send(Part::Broken(error.to_string()));
        }
    });
    Ok(parts)
}

fn read(request: Request<Vec<u8>>, parts: &SyncSender<Part>) -> Result<(), Box<dyn Error>> {
    let agent: ureq::Agent =
        ureq::Agent::config_builder().http_status_as_error(false).proxy(None).build().into();
    let (head, body) = agent.run(request)?.into_parts();
    parts.send(Part::Head(head.status, head.headers))?;
    let mut body = body.into_reader();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = body.read(&mut buffer)?;
        parts.send(if count == 0 { Part::End } else { Part::Bytes(buffer[..count].to_vec()) })?;
        if count == 0 {
            return Ok(());
        }
    }
}
