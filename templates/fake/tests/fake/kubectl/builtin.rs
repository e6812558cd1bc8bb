//! kubectl over the kinds of Kubernetes: one test for each command.

use super::{Kubectl, each_over};
use http::Request;
use kapigen_fake::Server;
use serde_json::{Value, json};

/// Runs a test over an empty server with the kinds of Kubernetes.
#[track_caller]
fn each(test: fn(&Kubectl)) {
    each_over(Server::kubernetes, |kubectl| {
        let namespace =
            json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}});
        kubectl.listener.create(&namespace);
        test(kubectl);
    });
}

fn stored(kubectl: &Kubectl, api_version: &str, kind: &str, name: &str) -> Value {
    let found = kubectl.listener.server.get_json(api_version, kind, "default", name);
    found.unwrap_or_else(|| panic!("{kind} {name} is not there"))
}

fn deploy(kubectl: &Kubectl) {
    kubectl.run(&["create", "deployment", "web", "--image=web:1", "--replicas=2"]);
}

/// Writes the status of a deployment in which all replicas run.
fn roll_out(kubectl: &Kubectl) {
    let server = &kubectl.listener.server;
    let mut deployment = stored(kubectl, "apps/v1", "Deployment", "web");
    let replicas = deployment["spec"]["replicas"].clone();
    deployment["status"] = json!({
        "observedGeneration": deployment["metadata"]["generation"], "replicas": replicas,
        "updatedReplicas": replicas, "readyReplicas": replicas, "availableReplicas": replicas,
        "conditions": [{"type": "Available", "status": "True"}],
    });
    let path = "/apis/apps/v1/namespaces/default/deployments/web/status";
    let request = Request::put(path).body(deployment.to_string()).expect("a request");
    assert_eq!(server.handle(request, server.now()).response.status(), 200);
}

#[test]
fn create() {
    each(|kubectl| {
        for arguments in [
            &["ns", "team-a"][..],
            &["configmap", "settings", "--from-literal=a=b"],
            &["secret", "generic", "pass", "--from-literal=user=me"],
            &["deployment", "web", "--image=web:1"],
            &["service", "clusterip", "web", "--tcp=80:8080"],
            &["job", "once", "--image=busybox", "--", "date"],
            &["cronjob", "often", "--image=busybox", "--schedule=*/5 * * * *", "--", "date"],
            &["serviceaccount", "me"],
            &["role", "reader", "--verb=get", "--resource=pods"],
            &["rolebinding", "readers", "--role=reader", "--serviceaccount=default:me"],
            &["ingress", "web", "--rule=a.com/*=web:80"],
            &["quota", "small", "--hard=pods=2"],
            &["priorityclass", "high", "--value=1000"],
            &["poddisruptionbudget", "web", "--selector=app=web", "--min-available=50%"],
            &["token", "me"],
        ] {
            kubectl.run(&[&["create"], arguments].concat());
        }
        let settings = stored(kubectl, "v1", "ConfigMap", "settings");
        assert_eq!(settings["data"], json!({"a": "b"}));
        assert_eq!(stored(kubectl, "v1", "Secret", "pass")["data"], json!({"user": "bWU="}));
        let budget = stored(kubectl, "policy/v1", "PodDisruptionBudget", "web");
        assert_eq!(budget["spec"]["minAvailable"], "50%");
        let port = stored(kubectl, "v1", "Service", "web")["spec"]["ports"][0].clone();
        assert_eq!((&port["port"], &port["targetPort"]), (&json!(80), &json!(8080)));
    });
}

#[test]
fn auth() {
    each(|kubectl| {
        assert_eq!(kubectl.run(&["auth", "can-i", "list", "pods"]), "yes\n");
        assert!(kubectl.run(&["auth", "whoami"]).contains("Username"));
    });
}

#[test]
fn get() {
    each(|kubectl| {
        deploy(kubectl);
        let table = kubectl.run(&["get", "deployments"]);
        assert!(table.starts_with("NAME") && table.contains("\nweb "), "{table}");
        let all = kubectl.run(&["get", "all,ns,cm", "-o", "name"]);
        assert!(all.contains("deployment.apps/web") && all.contains("namespace/default"), "{all}");
    });
}

#[test]
fn apply() {
    each(|kubectl| {
        let service = |port: u16| {
            format!(
                "apiVersion: v1\nkind: Service\nmetadata: {{name: web}}\nspec:\n  ports:\n  - {{name: p{port}, port: {port}}}\n"
            )
        };
        for port in [80, 81] {
            kubectl.run_with(&["apply", "-f", "-"], &service(port));
        }
        kubectl.run_with(&["apply", "--server-side", "--force-conflicts", "-f", "-"], &service(82));
        let ports = &stored(kubectl, "v1", "Service", "web")["spec"]["ports"];
        assert!(ports.as_array().is_some_and(|ports| ports.iter().any(|port| port["port"] == 82)));
    });
}

#[cfg(unix)] // its editor is sed
#[test]
fn edit() {
    each(|kubectl| {
        deploy(kubectl);
        let mut command = kubectl.command(&["edit", "deployment", "web"]);
        let output = command.env("KUBE_EDITOR", "sed -i s/web:1/web:2/").output().expect("kubectl");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let deployment = stored(kubectl, "apps/v1", "Deployment", "web");
        assert_eq!(deployment["spec"]["template"]["spec"]["containers"][0]["image"], "web:2");
    });
}

#[test]
fn describe() {
    each(|kubectl| {
        deploy(kubectl);
        let described = kubectl.run(&["describe", "deployment", "web"]);
        assert!(described.contains("web:1") && described.contains("2 desired"), "{described}");
    });
}

#[test]
fn scale() {
    each(|kubectl| {
        deploy(kubectl);
        kubectl.run(&["scale", "deployment", "web", "--replicas=5"]);
        assert_eq!(stored(kubectl, "apps/v1", "Deployment", "web")["spec"]["replicas"], 5);
    });
}

#[test]
fn rollout_status_and_wait() {
    each(|kubectl| {
        deploy(kubectl);
        roll_out(kubectl);
        let status = kubectl.run(&["rollout", "status", "deployment/web", "--timeout=30s"]);
        assert!(status.contains("successfully rolled out"), "{status}");
        let arguments = ["wait", "deployment/web", "--for=condition=Available", "--timeout=30s"];
        assert_eq!(kubectl.run(&arguments), "deployment.apps/web condition met\n");
    });
}

#[test]
fn delete() {
    each(|kubectl| {
        deploy(kubectl);
        kubectl.listener.collecting(|| {
            kubectl.run(&["delete", "deployment", "web", "--timeout=30s"]);
        });
        assert!(kubectl.refused(&["get", "deployment", "web"], "").contains("NotFound"));
    });
}

#[test]
fn explain() {
    each(|kubectl| {
        let explained = kubectl.run(&["explain", "deployment.spec.replicas"]);
        assert!(explained.contains("<integer>"), "{explained}");
    });
}

#[cfg(unix)] // it runs diff
#[test]
fn diff() {
    each(|kubectl| {
        kubectl.run(&["create", "configmap", "settings", "--from-literal=a=b"]);
        let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: c}\n";
        let output = kubectl.output(&["diff", "-f", "-"], text);
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(shown.contains("-  a: b") && shown.contains("+  a: c"), "{shown}");
    });
}
