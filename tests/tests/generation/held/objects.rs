//! One program over an older crate, and over one that holds all changes at once.

use super::{STARS, documents, folder, over, sources};
use kapigen::input::Holding;
use kapigen_fake::{NextEvent, ReplyBody, Server};
use kapigen_tests::places;
use openshift_api::jiff::Timestamp;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, iter};
use test_support::workspace::Workspace;

/// With all changes at once, a program sends the bytes that it sent before, and every object of a
/// newer server comes back as it was.
#[test]
fn objects_keep_their_bytes_through_a_held_crate() {
    let old = kapigen::generate(&sources(STARS, &[])).unwrap_or_else(|errors| panic!("{errors}"));
    let held = over(&old, STARS, documents::HELD, Holding::default())
        .unwrap_or_else(|errors| panic!("{errors}"));
    let again = over(&held, STARS, documents::HELD, Holding::default());
    assert!(again.is_ok_and(|again| again.tree == held.tree), "a second run changes nothing");
    let published = held.tree.iter().find(|(path, _)| *path == "src/documents/example_com_v1.json");
    let document = published.expect("the crate has it").1.to_owned();
    let names = ["old", "old-program", "held", "held-program"];
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("held");
    let workspace = Workspace::new(folder, &names);
    for (name, mut output) in [("old", old), ("held", held)] {
        output.add_package(&places::package(name)).expect("it is a name");
        output.tree.write(&workspace.folder.join(name)).expect("a crate can be written");
        write_program(&workspace, name);
    }
    _ = workspace.cargo(&["build", "--workspace", "--quiet"], "RUSTFLAGS");
    let input: String = objects().into_iter().map(|object| object.to_string() + "\n").collect();
    let [before, now] =
        ["old-program", "held-program"].map(|program| workspace.run(program, input.clone()));
    assert!(before.lines().count() > 7 * 30, "{before}");
    assert_eq!(now, before);
    let sent: Vec<&str> = now.lines().rev().take(4).collect();
    assert!(
        sent.iter().all(|line| !line.contains("\"twin\"") && !line.contains("null")),
        "{sent:?}"
    );
    let [before, now] =
        ["old-program", "held-program"].map(|program| served(&workspace, program, &document));
    assert_eq!(now, before);
}

/// The requests and events of a program over a server of the newer documents.
fn served(workspace: &Workspace, program: &str, document: &str) -> Vec<Value> {
    let server = Server::default();
    server.add_document_text(document).expect("it is a document");
    let mut child = Command::new(workspace.target.join("debug").join(program))
        .arg("served")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it has an input");
    let objects = accepted();
    let names = (0..objects.len()).map(|index| format!("star-{index}"));
    for (mut object, name) in objects.into_iter().zip(names.clone()) {
        object["metadata"]["name"] = name.into();
        writeln!(stdin, "{object}").expect("the program reads");
    }
    writeln!(stdin).expect("the program reads");
    let mut seen = Vec::new();
    let mut informed = BTreeMap::new();
    for line in BufReader::new(child.stdout.take().expect("it has an output")).lines() {
        let line = line.expect("it writes UTF-8");
        if let Some(request) = line.strip_prefix("> ") {
            writeln!(stdin, "{}", reply(&server, request)).expect("the program reads");
            let mut request: Value = serde_json::from_str(request).expect("it is JSON");
            // A member that only the newer crate knows may have another place.
            request[3] =
                serde_json::from_str(request[3].as_str().unwrap_or_default()).unwrap_or_default();
            seen.push(request);
        } else if let Some(object) = line.strip_prefix("informed ") {
            let object: Value = serde_json::from_str(object).expect("it is JSON");
            informed.insert(object["metadata"]["name"].as_str().map(str::to_owned), object);
        }
    }
    assert!(
        child.wait().is_ok_and(|status| status.success()),
        "{program}, after {:?}",
        seen.last()
    );
    for name in names {
        let stored = server.get_json("example.com/v1", "Star", "", &name);
        assert_eq!(informed.get(&Some(name)), stored.as_ref());
    }
    seen
}

/// The reply to a request, with the events that there are already.
fn reply(server: &Server, request: &str) -> Value {
    let request: [Option<String>; 4] = serde_json::from_str(request).expect("it is JSON");
    let [method, uri, media_type, body] = request.map(Option::unwrap_or_default);
    let request = http::Request::builder().method(method.as_str()).uri(uri);
    let request = request.header("content-type", media_type).body(body).expect("it is a request");
    let response = server.handle(request, Timestamp::UNIX_EPOCH).response;
    let status = response.status().as_u16();
    let body = match response.into_body() {
        ReplyBody::Whole(body) => body.to_vec(),
        ReplyBody::Stream(mut events) => {
            let next = || match events.next(Timestamp::UNIX_EPOCH) {
                NextEvent::Event(event) => Some(event),
                NextEvent::Wait(_) | NextEvent::End => None,
            };
            iter::from_fn(next).flatten().collect()
        }
    };
    json!([status, String::from_utf8(body).expect("it is UTF-8")])
}

/// An object without each of the members that changed, with an empty one, and with one that is set.
fn objects() -> Vec<Value> {
    let members = [
        ("orbit", json!({}), json!({"period": 7, "speed": 3})),
        ("names", json!([]), json!(["sol"])),
        ("size", json!(0), json!(5)),
        ("twin", json!({}), json!({"period": 7, "speed": 3})),
        ("tags", json!([]), json!(["a"])),
        ("mass", json!(0), json!(5)),
        ("class", json!(""), json!("Giant")),
        ("seen", json!(""), json!("2026-01-02T03:04:05.000000Z")),
        ("code", json!(""), json!("AA==")),
        ("light", json!(""), json!("1000m")),
        ("color", json!(""), json!("Green")),
        ("phase", json!("Dead"), json!("Old")),
        ("any", json!({}), json!({"rays": 3, "b": null})),
    ];
    let identity =
        json!({"apiVersion": "example.com/v1", "kind": "Star", "metadata": {"name": "sol"}});
    let whole = |leave: Option<&str>| {
        let mut object = identity.clone();
        for (name, _, value) in members.iter().filter(|(name, ..)| Some(*name) != leave) {
            object[*name] = value.clone();
        }
        object
    };
    let mut objects = vec![identity.clone(), whole(None)];
    for (name, empty, set) in &members {
        objects.push(whole(Some(name)));
        for value in [empty, set] {
            let mut object = identity.clone();
            object[*name] = value.clone();
            objects.push(object);
        }
    }
    objects
}

/// The objects that a server of the newer documents takes: with the members that it requires, and
/// without strings that are no value of an enum, no time, quantity or bytes.
fn accepted() -> Vec<Value> {
    let required = json!({"size": 5, "twin": {"period": 7}, "tags": [], "mass": 0,
        "class": "Giant", "crew": "two"});
    let mut objects = objects();
    objects
        .retain(|object| ["class", "seen", "light", "code"].iter().all(|name| object[*name] != ""));
    for object in objects.iter_mut().filter_map(Value::as_object_mut) {
        if object.get("phase") == Some(&"Old".into()) {
            object.insert("phase".to_owned(), "Young".into());
        }
        for (name, value) in required.as_object().into_iter().flatten() {
            object.entry(name).or_insert_with(|| value.clone());
        }
    }
    objects
}

fn write_program(workspace: &Workspace, name: &str) {
    let manifest = format!(
        "[package]\nname = \"{name}-program\"\nversion = \"0.0.0\"\nedition = \
         \"2024\"\n\n[dependencies]\napi = {{ package = \"{name}\", path = \"../{name}\", features \
         = [\"change\", \"machines\"] }}\nserde_json = \"1\"\n"
    );
    let package = workspace.folder.join(format!("{name}-program"));
    fs::create_dir_all(package.join("src")).expect("a folder can be made");
    fs::write(package.join("Cargo.toml"), manifest).expect("a file can be written");
    fs::copy(folder().join("program.rs"), package.join("src/main.rs")).expect("it can be copied");
}
