//! Prints what a program sends and keeps: for objects of the input, and for new ones.

use api::change::merge;
use api::example_com_v1::{Orbit, Star, StarColor, StarCore, StarPhase, stars};
use api::mask::FieldMask;
use api::params::GetParams;
use api::{Patch, from_str, to_string};
use std::io::{Read, stdin};

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
    let response = api::http::Response::new(line.as_bytes());
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

fn main() {
    let mut input = String::new();
    stdin().read_to_string(&mut input).unwrap();
    input.lines().for_each(decoded);
    made();
}
