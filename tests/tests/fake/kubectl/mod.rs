//! kubectl, over a socket. The tests need one: `$KUBECTL`, or `kubectl` on the path.

use crate::testing::{pod, server, time};
use kapigen_fake::Server;
use kapigen_tests::places;
use serde_json::json;
use std::env;
use std::io::Write;
use std::process::{Command, Stdio};

/// Runs kubectl, and returns its output, or its errors if it fails.
fn kubectl(url: &str, arguments: &[&str], input: &str) -> Result<String, String> {
    let program = env::var("KUBECTL").unwrap_or_else(|_| "kubectl".to_owned());
    let cache = places::root().join("target/tmp/kubectl");
    let mut command = Command::new(program);
    command.args(["--server", url, "--cache-dir"]).arg(cache.join(url.replace([':', '/'], "_")));
    command.env("KUBECONFIG", "/dev/null").env("HOME", &cache).args(arguments);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("kubectl");
    child.stdin.take().expect("an input").write_all(input.as_bytes()).expect("an input");
    let output = child.wait_with_output().expect("an output");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

fn widgets(server: &Server) {
    let definition = json!({
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"plural": "widgets", "kind": "Widget", "shortNames": ["wd"]},
            "versions": [{
                "name": "v1", "served": true,
                "additionalPrinterColumns": [{"name": "Size", "type": "integer", "jsonPath": ".spec.size"}],
                "schema": {"openAPIV3Schema": {
                    "type": "object",
                    "properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer"}}}},
                }},
            }],
        },
    });
    server.add_definition(&definition).expect("a definition");
}

#[test]
#[cfg_attr(not(kubectl), ignore = "needs kubectl")]
fn kubectl_reads_and_writes() {
    let server = server();
    widgets(&server);
    server.create("default", &pod("web"), time(0)).expect("a pod");
    let listening = server.listen("127.0.0.1:0").expect("a socket");
    let run = |arguments: &[&str], input: &str| {
        let result = kubectl(&listening.url(), arguments, input);
        result.unwrap_or_else(|error| panic!("kubectl {arguments:?}: {error}"))
    };
    let resources = run(&["api-resources"], "");
    assert!(resources.contains("widgets") && resources.contains("po "), "{resources}");
    let pods = run(&["get", "pods"], "");
    assert!(pods.starts_with("NAME") && pods.contains("web"), "{pods}");
    let widget =
        r#"{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": {"size": 3}}"#;
    run(&["apply", "--server-side", "--validate=false", "-f", "-"], widget);
    let table = run(&["get", "wd"], "");
    assert!(table.contains("SIZE") && table.contains('3'), "{table}");
    run(&["label", "widget", "a", "x=y"], "");
    run(&["patch", "widget", "a", "--type=merge", "-p", r#"{"spec": {"size": 4}}"#], "");
    let yaml = run(&["get", "widget", "a", "-o", "yaml"], "");
    assert!(yaml.contains("size: 4") && yaml.contains("x: \"y\""), "{yaml}");
    assert!(run(&["delete", "widget", "a"], "").contains("deleted"));
    let missing = kubectl(&listening.url(), &["get", "widget", "a"], "").unwrap_err();
    assert!(missing.contains("NotFound"), "{missing}");
}
