//! The columns of built-in kinds.

use super::age_of;
use super::{Cell, Column, age, column, member, name};
use crate::object::{Tree, is_terminating};
use crate::select::selector_text;
use kapigen_runtime::jiff::Timestamp;
use serde_json::{Value, json};

/// The columns of a built-in kind. `None` for kinds that have none of their own here.
pub(super) fn columns(group: &str, plural: &str) -> Option<Vec<Column>> {
    Some(match (group, plural) {
        ("", "configmaps") => {
            let data = column(
                "Data",
                "string",
                "Number of entries.",
                Cell::Count(&["data", "binaryData"]),
            );
            vec![name(), data, age()]
        }
        ("", "secrets") => {
            let data = column("Data", "string", "Number of entries.", Cell::Count(&["data"]));
            vec![name(), member("Type", "Type of the secret.", "type"), data, age()]
        }
        ("", "namespaces") => {
            vec![name(), member("Status", "Phase of the namespace.", "status.phase"), age()]
        }
        ("", "serviceaccounts") => {
            let secrets =
                column("Secrets", "string", "Number of secrets.", Cell::Count(&["secrets"]));
            vec![name(), secrets, age()]
        }
        ("", "pods") => pods(),
        ("", "services") => services(),
        ("", "endpoints") => {
            vec![
                name(),
                text("Endpoints", "Addresses and ports.", |object, _| endpoints(object)),
                age(),
            ]
        }
        ("", "events") => events(),
        ("apps", "deployments") => deployments(),
        ("apps", "replicasets") => replica_sets(),
        ("image.openshift.io", "images") => {
            let description = "Reference by which the image can be pulled.";
            vec![name(), member("Image Reference", description, "dockerImageReference")]
        }
        ("coordination.k8s.io", "leases") => {
            vec![name(), member("Holder", "Identity of the holder.", "spec.holderIdentity"), age()]
        }
        _ => return None,
    })
}

/// The columns of a scale.
pub(super) fn scale() -> Vec<Column> {
    vec![
        Column { format: "".into(), ..name() },
        number("Desired", "Wanted replicas.", |object| count(object, "spec.replicas", 0)),
        number("Available", "Replicas that exist.", |object| count(object, "status.replicas", 0)),
        age(),
    ]
}

/// A string that is computed from an object and the time.
fn text(
    title: &'static str,
    description: &'static str,
    value: fn(&Value, Timestamp) -> String,
) -> Column {
    column(title, "string", description, Cell::Text(value))
}

fn number(title: &'static str, description: &'static str, value: fn(&Value) -> i64) -> Column {
    column(title, "integer", description, Cell::Number(value))
}

/// A column that is shown on demand.
fn wide(column: Column) -> Column {
    Column { priority: 1, ..column }
}

fn string<'a>(object: &'a Value, path: &str) -> &'a str {
    object.at(path).and_then(Value::as_str).unwrap_or_default()
}

fn count(object: &Value, path: &str, default: i64) -> i64 {
    object.at(path).and_then(Value::as_i64).unwrap_or(default)
}

fn or_none(text: impl Into<String>) -> String {
    Some(text.into()).filter(|text| !text.is_empty()).unwrap_or_else(|| "<none>".to_owned())
}

fn joined<'a>(values: impl Iterator<Item = &'a str>) -> String {
    values.collect::<Vec<_>>().join(",")
}

fn pods() -> Vec<Column> {
    vec![
        name(),
        text("Ready", "Ready containers of all.", |pod, _| {
            let statuses = pod.list("status.containerStatuses").iter();
            let ready = statuses.filter(|status| status.get("ready") == Some(&json!(true)));
            format!("{}/{}", ready.count(), pod.list("spec.containers").len())
        }),
        text("Status", "Phase, or the reason why it does not go on.", |pod, _| pod_status(pod)),
        text("Restarts", "Restarts of all containers.", |pod, _| {
            let statuses = pod.list("status.containerStatuses").iter();
            let restarts = statuses.map(|status| count(status, "restartCount", 0));
            restarts.fold(0, i64::saturating_add).to_string()
        }),
        age(),
        wide(text("IP", "Address of the pod.", |pod, _| or_none(string(pod, "status.podIP")))),
        wide(text("Node", "Node that runs it.", |pod, _| or_none(string(pod, "spec.nodeName")))),
        wide(text("Nominated Node", "Node on which it takes the place of others.", |pod, _| {
            or_none(string(pod, "status.nominatedNodeName"))
        })),
        wide(text(
            "Readiness Gates",
            "Fulfilled conditions of all that it waits for.",
            |pod, _| gates(pod),
        )),
    ]
}

/// No kubelet has seen a pod without a phase yet.
fn pod_status(pod: &Value) -> String {
    if is_terminating(pod) {
        return "Terminating".to_owned();
    }
    let of_container = pod.list("status.containerStatuses").iter().find_map(|status| {
        ["state.waiting.reason", "state.terminated.reason"]
            .iter()
            .find_map(|path| status.at(path)?.as_str())
    });
    let reason = of_container.or_else(|| pod.at("status.reason")?.as_str());
    reason.or_else(|| pod.at("status.phase")?.as_str()).unwrap_or("Pending").to_owned()
}

fn gates(pod: &Value) -> String {
    let gates = pod.list("spec.readinessGates");
    if gates.is_empty() {
        return or_none("");
    }
    let fulfilled = gates.iter().filter(|gate| {
        pod.list("status.conditions").iter().any(|condition| {
            condition.get("type") == gate.get("conditionType")
                && condition.get("status") == Some(&json!("True"))
        })
    });
    format!("{}/{}", fulfilled.count(), gates.len())
}

fn services() -> Vec<Column> {
    vec![
        name(),
        member("Type", "How the service is exposed.", "spec.type"),
        text("Cluster-IP", "Address inside of the cluster.", |service, _| {
            or_none(string(service, "spec.clusterIP"))
        }),
        text("External-IP", "Addresses outside of the cluster.", |service, _| {
            let own = service.list("spec.externalIPs").iter().filter_map(Value::as_str);
            let name = Some(string(service, "spec.externalName")).filter(|name| !name.is_empty());
            or_none(joined(own.chain(name)))
        }),
        text("Port(s)", "Ports and their protocols.", |service, _| or_none(ports(service))),
        age(),
        wide(text("Selector", "Labels of the pods.", |service, _| {
            selector(service, "spec.selector")
        })),
    ]
}

fn ports(service: &Value) -> String {
    let shown = service.list("spec.ports").iter().map(|port| {
        let protocol = port.get("protocol").and_then(Value::as_str).unwrap_or("TCP");
        match (count(port, "port", 0), count(port, "nodePort", 0)) {
            (number, 0) => format!("{number}/{protocol}"),
            (number, node) => format!("{number}:{node}/{protocol}"),
        }
    });
    shown.collect::<Vec<_>>().join(",")
}

fn selector(object: &Value, path: &str) -> String {
    or_none(object.at(path).map(selector_text).unwrap_or_default())
}

/// The addresses of endpoints, at most three of them.
fn endpoints(object: &Value) -> String {
    let mut all = Vec::new();
    for subset in object.list("subsets") {
        for address in subset.list("addresses") {
            for port in subset.list("ports") {
                all.push(format!("{}:{}", string(address, "ip"), count(port, "port", 0)));
            }
        }
    }
    let (shown, rest) = all.split_at(all.len().min(3));
    let more = if rest.is_empty() { String::new() } else { format!(" + {} more...", rest.len()) };
    or_none(shown.join(",") + &more)
}

fn events() -> Vec<Column> {
    vec![
        text("Last Seen", "Time since it last happened.", |event, now| {
            seen(event, now, ["series.lastObservedTime", "lastTimestamp", "eventTime"])
        }),
        member("Type", "Normal or warning.", "type"),
        member("Reason", "Reason, for programs.", "reason"),
        text("Object", "Object that it is about.", |event, _| {
            let kind = string(event, "involvedObject.kind").to_lowercase();
            format!("{kind}/{}", string(event, "involvedObject.name"))
        }),
        wide(member(
            "Subobject",
            "Part of the object that it is about.",
            "involvedObject.fieldPath",
        )),
        wide(text("Source", "Component that reported it.", |event, _| {
            let parts = ["source.component", "source.host"].map(|path| string(event, path));
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
        })),
        text("Message", "Description, for people.", |event, _| {
            string(event, "message").trim().to_owned()
        }),
        wide(text("First Seen", "Time since it first happened.", |event, now| {
            seen(event, now, ["firstTimestamp", "eventTime", ""])
        })),
        wide(text_number("Count", "Number of times that it happened.", |event| {
            let times = event.at("series.count").or(event.get("count")).and_then(Value::as_i64);
            times.filter(|times| *times > 0).unwrap_or(1)
        })),
        wide(name()),
    ]
}

/// The time since the first of these times that is present.
fn seen(event: &Value, now: Timestamp, paths: [&str; 3]) -> String {
    age_of(paths.iter().find_map(|path| event.at(path)?.as_str()).unwrap_or_default(), now)
}

fn deployments() -> Vec<Column> {
    let mut columns = vec![
        name(),
        text("Ready", "Ready pods of those wanted.", |object, _| {
            format!(
                "{}/{}",
                count(object, "status.readyReplicas", 0),
                count(object, "spec.replicas", 1)
            )
        }),
        text_number("Up-to-date", "Pods of the newest template.", |object| {
            count(object, "status.updatedReplicas", 0)
        }),
        text_number("Available", "Available pods.", |object| {
            count(object, "status.availableReplicas", 0)
        }),
        age(),
    ];
    columns.extend(template());
    columns
}

/// A number in a column of type string.
fn text_number(title: &'static str, description: &'static str, value: fn(&Value) -> i64) -> Column {
    Column { kind: "string".into(), ..number(title, description, value) }
}

fn replica_sets() -> Vec<Column> {
    let mut columns = vec![
        name(),
        number("Desired", "Wanted pods.", |object| count(object, "spec.replicas", 1)),
        number("Current", "Pods that exist.", |object| count(object, "status.replicas", 0)),
        number("Ready", "Ready pods.", |object| count(object, "status.readyReplicas", 0)),
        age(),
    ];
    columns.extend(template());
    columns
}

/// The columns about the template of a workload.
fn template() -> [Column; 3] {
    fn containers(object: &Value, member: &str) -> String {
        let containers = object.list("spec.template.spec.containers").iter();
        joined(containers.map(|container| string(container, member)))
    }
    [
        wide(text("Containers", "Names of the containers.", |object, _| {
            containers(object, "name")
        })),
        wide(text("Images", "Images of the containers.", |object, _| containers(object, "image"))),
        wide(text("Selector", "Labels of the pods.", |object, _| {
            selector(object, "spec.selector")
        })),
    ]
}
