//! The example `serve_images`: requests of the crate reach a handler over its router.

use openshift_api::Error;
use openshift_api::image_v1::{Image, images};
use openshift_api::meta_v1::ObjectMeta;
use podwatch::{Cluster, Failure};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

struct Running {
    child: Child,
    url: String,
}

impl Running {
    fn start() -> Self {
        // Cargo builds examples for `cargo test` beside the folder where the tests are.
        let test = std::env::current_exe().unwrap();
        let program: PathBuf =
            test.parent().unwrap().parent().unwrap().join("examples/serve_images");
        let mut command = Command::new(program.with_extension(std::env::consts::EXE_EXTENSION));
        let mut child = command.arg("127.0.0.1:0").stdout(Stdio::piped()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Self { child, url: url.trim().to_owned() }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.child.kill().and_then(|()| self.child.wait()).unwrap();
    }
}

/// The status code of a refusal, and its message.
fn refusal<T: std::fmt::Debug>(result: Result<T, Failure>) -> (u16, String) {
    let Err(Failure::Api(Error::Api(error))) = result else { panic!("{result:?}") };
    (error.code.as_u16(), error.to_string())
}

#[test]
fn images_are_created_read_and_deleted() {
    let server = Running::start();
    let cluster = Cluster::new(&server.url);
    let metadata = ObjectMeta { name: Some("sha256:abc".to_owned()), ..Default::default() };
    let image = Image {
        metadata,
        docker_image_reference: Some("quay.io/app".to_owned()),
        ..Default::default()
    };
    let created = cluster.send(&images::create(&image, &Default::default()).unwrap()).unwrap().body;
    assert_eq!(created, image);
    let list = images::list(&Default::default()).unwrap();
    assert_eq!(cluster.send(&list).unwrap().body.items, [image.clone()]);
    let get = images::get("sha256:abc", &Default::default()).unwrap();
    assert_eq!(cluster.send(&get).unwrap().body, image);
    cluster.send(&images::delete("sha256:abc", &Default::default()).unwrap()).unwrap();
    let (code, message) = refusal(cluster.send(&get));
    assert!(code == 404 && message.contains("image \"sha256:abc\" not found"), "{message}");
}

#[test]
fn other_requests_are_refused_as_a_server_does() {
    let server = Running::start();
    let cluster = Cluster::new(&server.url);
    let pods = openshift_api::core_v1::pods::list("default", &Default::default()).unwrap();
    assert_eq!(refusal(cluster.send(&pods)).0, 405);
    let request = ureq::http::Request::post("/apis/image.openshift.io/v1/images")
        .body(b"{".to_vec())
        .unwrap();
    assert_eq!(cluster.exchange(request).unwrap().status(), 400);
    let request = ureq::http::Request::get("/apis/apps/v1/deployments").body(Vec::new()).unwrap();
    assert_eq!(cluster.exchange(request).unwrap().status(), 404);
}

/// The size that makes it an example.
#[test]
fn the_handler_has_at_most_50_lines() {
    let text = include_str!("../examples/serve_images.rs");
    let lines = text.lines().map(str::trim).skip_while(|line| !line.starts_with("fn handle"));
    let lines: Vec<_> = lines.filter(|line| !line.is_empty() && !line.starts_with("//")).collect();
    assert!(lines.len() > 10 && lines.len() <= 50, "{} lines", lines.len());
}
