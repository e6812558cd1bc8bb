//! kubectl reads.

use super::{Kubectl, each, rows};
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::thread;
use std::time::Duration;

#[test]
fn lists_resources_and_versions() {
    each(|kubectl| {
        let resources = kubectl.run(&["api-resources"]);
        let widgets = ["widgets", "wd", "example.com/v1", "true", "Widget"];
        assert!(rows(&resources).contains(&widgets.to_vec()), "{resources}");
        assert!(rows(&resources).contains(&vec!["pods", "po", "v1", "true", "Pod"]), "{resources}");
        let versions = kubectl.run(&["api-versions"]);
        assert_eq!(
            rows(&versions).concat(),
            ["coordination.k8s.io/v1", "example.com/v1", "image.openshift.io/v1", "v1"]
        );
    });
}

#[test]
fn shows_tables_and_objects() {
    each(|kubectl| {
        let pods = kubectl.run(&["get", "pods"]);
        assert_eq!(rows(&pods)[0], ["NAME", "READY", "STATUS", "RESTARTS", "AGE"]);
        assert_eq!(rows(&pods)[1][..4], ["web", "1/1", "Running", "2"]);
        let wide = kubectl.run(&["get", "pods", "--all-namespaces", "-o", "wide"]);
        assert!(
            rows(&wide)[0].ends_with(&["NODE", "NOMINATED", "NODE", "READINESS", "GATES"]),
            "{wide}"
        );
        assert!(
            rows(&wide)[1].starts_with(&["default"]) && rows(&wide)[1].ends_with(&["<none>"]),
            "{wide}"
        );
        let widgets = kubectl.run(&["get", "wd", "--show-labels"]);
        assert_eq!(rows(&widgets)[0], ["NAME", "SIZE", "AGE", "LABELS"]);
        assert_eq!(rows(&widgets)[1][..2], ["wheel", "3"]);
        let yaml = kubectl.run(&["get", "widget", "wheel", "-o", "yaml"]);
        assert!(yaml.contains("\n  color: red\n") && yaml.contains("\n  size: 3\n"), "{yaml}");
        let names = kubectl.run(&["get", "widgets,pods", "-o", "name"]);
        assert_eq!(rows(&names).concat(), ["widget.example.com/wheel", "pod/web"]);
        let none = kubectl.run(&["get", "pods", "-l", "app!=web", "-o", "name"]);
        assert_eq!(none, "");
        let running =
            kubectl.run(&["get", "pods", "--field-selector=status.phase=Running", "-o", "name"]);
        assert_eq!(running, "pod/web\n");
        let missing = kubectl.refused(&["get", "widget", "absent"], "");
        assert_eq!(
            missing,
            "Error from server (NotFound): widgets.example.com \"absent\" not found\n"
        );
    });
}

#[test]
fn describes_objects() {
    each(|kubectl| {
        let widget = rows_of(kubectl, &["describe", "widget", "wheel"]);
        for row in [["Kind:", "Widget"], ["Size:", "3"], ["Color:", "red"]] {
            assert!(widget.contains(&row.map(str::to_owned).to_vec()), "{widget:?}");
        }
        let pod = rows_of(kubectl, &["describe", "pod", "web"]);
        for row in [["Status:", "Running"], ["Image:", "app:1"], ["Ready:", "True"]] {
            assert!(pod.contains(&row.map(str::to_owned).to_vec()), "{pod:?}");
        }
    });
}

fn rows_of(kubectl: &Kubectl, arguments: &[&str]) -> Vec<Vec<String>> {
    let text = kubectl.run(arguments);
    rows(&text).into_iter().map(|row| row.into_iter().map(str::to_owned).collect()).collect()
}

#[test]
fn explains_fields() {
    each(|kubectl| {
        let size = kubectl.run(&["explain", "widget.spec.size"]);
        assert!(
            size.contains("size <integer>") && size.contains("Diameter in millimeters."),
            "{size}"
        );
        let spec = kubectl.run(&["explain", "pod.spec"]);
        assert!(spec.contains("containers\t<[]Container>"), "{spec}");
        let deep = kubectl.run(&[
            "explain",
            "pods.spec.containers.env.valueFrom.secretKeyRef",
            "--recursive",
        ]);
        assert!(deep.contains("optional\t<boolean>"), "{deep}");
    });
}

#[test]
fn reads_logs() {
    each(|kubectl| {
        kubectl.listener.server.set_log("default", "web", "app", "one\ntwo\n");
        assert_eq!(kubectl.run(&["logs", "web"]), "one\ntwo\n");
        assert!(kubectl.refused(&["logs", "absent"], "").contains("pods \"absent\" not found"));
    });
}

#[test]
fn follows_changes() {
    each(|kubectl| {
        let mut child = kubectl.command(&["get", "widgets", "--watch"]).spawn().expect("kubectl");
        let lines = BufReader::new(child.stdout.take().expect("an output")).lines();
        let mut lines =
            lines.map(|line| line.expect("a line")).map(|line| rows(&line).concat()[..2].join(" "));
        assert_eq!(
            [lines.next(), lines.next()],
            [Some("NAME SIZE".to_owned()), Some("wheel 3".to_owned())]
        );
        kubectl.run(&["patch", "wd", "wheel", "--type=merge", "-p", r#"{"spec": {"size": 4}}"#]);
        kubectl.listener.create(&json!({
            "apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "nut"}, "spec": {"size": 1},
        }));
        assert_eq!(
            [lines.next(), lines.next()],
            [Some("wheel 4".to_owned()), Some("nut 1".to_owned())]
        );
        child.kill().and_then(|()| child.wait()).expect("an end");
    });
}

#[test]
fn waits_for_states() {
    each(|kubectl| {
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(500));
                kubectl.run(&["label", "pod", "web", "ready=yes"]);
                kubectl.run(&["delete", "widget", "wheel"]);
            });
            let labels = "--for=jsonpath={.metadata.labels.ready}=yes";
            assert_eq!(
                kubectl.run(&["wait", labels, "pod/web", "--timeout=60s"]),
                "pod/web condition met\n"
            );
            kubectl.run(&["wait", "--for=delete", "widget/wheel", "--timeout=60s"]);
        });
        let late = kubectl.refused(&["wait", "--for=delete", "pod/web", "--timeout=1s"], "");
        assert!(late.contains("timed out waiting for the condition on pods/web"), "{late}");
    });
}
