//! Prints what a program sends and keeps: for objects of the input, and for new ones.

use api::change::merge;
use api::example_com_v1::{Orbit, Star, StarColor, StarCore, StarPhase, stars};
use api::http::{self, Response};
use api::informer::{Event, Informer};
use api::mask::FieldMask;
use api::meta_v1::ObjectMeta;
use api::params::{GetParams, ListParams, PatchParams};
use api::{Input, Machine, Patch, Request, Step, from_str, to_string};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::env;
use std::io::{Read, stdin};
use std::time::Duration;

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// An object that was decoded, on all ways to a server.
fn decoded(line: &str) {
    let star: Star = from_str(line).unwrap();
    assert_eq!(to_string(&star), line, "decoded and encoded");
    assert_eq!(serde_json::to_string(&serde_json::from_str::<Star>(line).unwrap()).unwrap(), line);
    println!("replaced {}", text(stars::replace("sol", &star).unwrap().body()));
    println!("applied {}", text(Patch::apply(&star).body()));
    println!("merged {}", text(Patch::merge(&star).body()));
    let mut other = star.clone();
    other.code = Some("G2".to_owned());
    println!("changed {}", text(Patch::json_between(&star, &other).body()));
    println!("changed {}", text(Patch::merge_between(&star, &other).unwrap().body()));
    let mut united = Star::default();
    merge(&mut united, &star).unwrap();
    println!("united {}", to_string(&united));
    let read = stars::get("sol", &GetParams::default().with("depth", "1")).unwrap();
    let paths = ["orbit", "names", "size", "twin", "tags", "mass", "class"];
    let masked = read.masked(&FieldMask::<Star>::only(paths).unwrap());
    let response = Response::new(line.as_bytes());
    println!("masked {}", to_string(masked.decode(&response).unwrap().body.get()));
}

/// What a program makes, as it was written before the documents changed.
fn made() {
    println!("new {}", to_string(&Star::default()));
    let star = Star {
        orbit: Orbit { period: 365, ..Default::default() },
        names: vec!["sol".to_owned()],
        class: Some("dwarf".to_owned()),
        color: Some(StarColor::Blue),
        phase: Some(StarPhase::Old),
        lost: Some("here".to_owned()),
        halo: Some("bright".to_owned()),
        core: Some(Box::new(StarCore { heat: Some(15), ..Default::default() })),
        ..Default::default()
    };
    println!("created {}", text(stars::replace("sol", &star).unwrap().body()));
    println!("applied {:?}", Patch::apply(&Star { size: 7, ..Default::default() }).error());
    println!("applied {}", text(Patch::apply(&star).omit("size").body()));
}

/// Sends a request to the server: a line to it, and a line from it.
fn exchange(request: &http::Request<Vec<u8>>) -> Response<Vec<u8>> {
    let media_type = request.headers().get("content-type").map(|ty| ty.to_str().unwrap());
    let (method, uri) = (request.method().as_str(), request.uri().to_string());
    println!("> {}", json!([method, uri, media_type, text(request.body())]));
    let mut line = String::new();
    stdin().read_line(&mut line).unwrap();
    let (status, body): (u16, String) = serde_json::from_str(&line).unwrap();
    let response = Response::builder().status(status).header("content-type", "application/json");
    response.body(body.into_bytes()).unwrap()
}

/// The object in the response to a request, which has all that the server sent.
fn sent(request: &Request<Star>) -> Star {
    let response = exchange(&request.to_http());
    let star = request.decode(&response).unwrap().body;
    let [before, now]: [Value; 2] = [response.body().as_slice(), to_string(&star).as_bytes()]
        .map(|bytes| serde_json::from_slice(bytes).unwrap());
    assert_eq!(now, before);
    star
}

/// An object of the server through each way of writing it.
fn written(star: &Star) {
    let name = star.metadata.name.as_deref().unwrap();
    let created = sent(&stars::create(star).unwrap());
    assert_eq!(sent(&stars::replace(name, &created).unwrap()), created, "nothing has changed");
    let params = PatchParams::default();
    let mut other = created.clone();
    other.code = Some("RzI=".to_owned());
    let patch = Patch::json_between(&created, &other);
    let patched = sent(&stars::patch(name, &patch, &params).unwrap());
    let mut other = patched.clone();
    other.orbit.center = Some("hub".to_owned());
    let patch = Patch::merge_between(&patched, &other).unwrap();
    let mut mine = sent(&stars::patch(name, &patch, &params).unwrap());
    mine.metadata = ObjectMeta { name: Some(name.to_owned()), ..Default::default() };
    mine.halo = Some("dim".to_owned());
    let params = params.field_manager("program").force(true);
    sent(&stars::patch(name, &Patch::apply(&mine), &params).unwrap());
}

/// Prints the objects that an informer reports, until an event.
fn informed(informer: &mut Informer<Star>, now: &mut Duration, is_last: fn(&Event<Star>) -> bool) {
    let mut response = Response::default();
    let mut parts = VecDeque::new();
    loop {
        match informer.poll(*now) {
            Step::Event(event) => {
                if let Event::Applied { object, .. } = &event {
                    println!("informed {}", to_string(&**object));
                }
                if is_last(&event) {
                    return;
                }
            }
            Step::Send(request) => {
                response = exchange(&request);
                parts = VecDeque::from([0, 1, 2]);
            }
            Step::Receive { until } => {
                let input = match parts.pop_front() {
                    Some(0) => Input::Head(response.status(), response.headers()),
                    Some(1) => Input::Bytes(response.body()),
                    Some(_) => Input::End,
                    None => {
                        *now = until;
                        continue;
                    }
                };
                informer.feed(input, *now);
            }
            Step::Wait { until } => *now = until,
            Step::Done => panic!("an informer goes on"),
        }
    }
}

/// Uses the objects of a server as programs do.
fn served() {
    let lines = stdin().lines().map(Result::unwrap).take_while(|line| !line.is_empty());
    let stars: Vec<Star> = lines.map(|line| from_str(&line).unwrap()).collect();
    stars.iter().for_each(written);
    let list = stars::list(&ListParams::default()).unwrap();
    let (mut informer, mut now) = (Informer::new(list).unwrap(), Duration::ZERO);
    informed(&mut informer, &mut now, |event| matches!(event, Event::InitDone));
    let name = stars[0].metadata.name.as_deref().unwrap();
    let patch = Patch::merge(&json!({"code": "RzM="}));
    sent(&stars::patch(name, &patch, &PatchParams::default()).unwrap());
    informed(&mut informer, &mut now, |event| {
        event.object().is_some_and(|star| star.code.as_deref() == Some("RzM="))
    });
}

fn main() {
    if env::args().nth(1).is_some() {
        return served();
    }
    let mut input = String::new();
    stdin().read_to_string(&mut input).unwrap();
    input.lines().for_each(decoded);
    made();
}
