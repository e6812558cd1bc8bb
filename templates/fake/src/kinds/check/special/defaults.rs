//! Defaults of built-in kinds that depend on other members.

use super::services;
use crate::kinds::check::walk::{Fill, elements, entries, is_zero, text};
use crate::object::Tree;
use serde_json::{Value, json};

pub(in super::super) fn named(name: &str) -> Fill {
    match name {
        "volume" => volume,
        "container" => container,
        "account" => account,
        "requests" => pod_requests,
        "rolling" => rolling,
        "rolling_daemon" => rolling_daemon,
        "partition" => partition,
        "selector_of_template" => selector_of_template,
        "completions" => completions,
        "job" => job,
        "policy_types" => policy_types,
        "target_port" => target_port,
        "traffic" => traffic,
        "subject" => subject,
        "scale_up" => scale_up,
        "metrics" => metrics,
        other => panic!("there is no default {other}"),
    }
}

/// Sets an absent member.
fn default(value: &mut Value, name: &str, default: impl FnOnce() -> Value) {
    if value.get(name).is_none_or(Value::is_null)
        && let Value::Object(members) = value
    {
        members.insert(name.to_owned(), default());
    }
}

/// A volume without a source is an empty folder; others have modes of files.
fn volume(volume: &mut Value) {
    if entries(volume).all(|(name, source)| name == "name" || source.is_null()) {
        default(volume, "emptyDir", || json!({}));
    }
    for source in ["configMap", "downwardAPI", "projected", "secret"] {
        if let Some(source) = volume.get_mut(source) {
            default(source, "defaultMode", || json!(0o644));
        }
    }
    if let Some(path) = volume.get_mut("hostPath") {
        default(path, "type", || json!(""));
    }
}

/// An image is pulled always if it may have changed; what is limited is requested.
fn container(container: &mut Value) {
    let image = text(&container["image"]);
    let name = image.rsplit('/').next().unwrap_or_default();
    let is_latest =
        !image.contains('@') && name.split_once(':').is_none_or(|(_, tag)| tag == "latest");
    if text(&container["imagePullPolicy"]).is_empty() {
        let policy = if is_latest { "Always" } else { "IfNotPresent" };
        if let Value::Object(members) = container {
            members.insert("imagePullPolicy".to_owned(), json!(policy));
        }
    }
}

/// In pods, what is limited is requested.
fn requests(container: &mut Value) {
    let limits = container["resources"]["limits"].clone();
    for (name, limit) in entries(&limits) {
        if container["resources"]["requests"].get(name).is_none() {
            container["resources"]["requests"][name] = limit.clone();
        }
    }
}

/// The account of a pod has two names.
fn account(spec: &mut Value) {
    let names = ["serviceAccountName", "serviceAccount"];
    let stated = names.iter().map(|name| spec[*name].clone()).find(|name| !is_zero(name));
    if let (Some(stated), Value::Object(members)) = (stated, spec) {
        for name in names {
            members.insert(name.to_owned(), stated.clone());
        }
    }
}

fn pod_requests(pod: &mut Value) {
    for list in ["containers", "initContainers"] {
        let containers = pod["spec"].get_mut(list).and_then(Value::as_array_mut);
        containers.into_iter().flatten().for_each(requests);
    }
}

/// The class of the quality of service of a pod, which follows from its requests.
fn quality(pod: &Value) -> &'static str {
    let all: Vec<_> = ["containers", "initContainers"]
        .iter()
        .flat_map(|list| elements(&pod["spec"][*list]))
        .map(|container| &container["resources"])
        .collect();
    if all.iter().all(|own| is_open(own)) {
        "BestEffort"
    } else if all.iter().all(|own| is_fixed(own)) {
        "Guaranteed"
    } else {
        "Burstable"
    }
}

/// Whether there are no limits and no requests of CPU and memory.
fn is_open(resources: &Value) -> bool {
    let parts = [&resources["limits"], &resources["requests"]];
    parts.iter().all(|part| part["cpu"].is_null() && part["memory"].is_null())
}

/// Whether there are limits of CPU and memory, and the requests are the same.
fn is_fixed(resources: &Value) -> bool {
    ["cpu", "memory"].iter().all(|name| {
        let [limit, request] = ["limits", "requests"].map(|part| &resources[part][*name]);
        !limit.is_null() && limit == request
    })
}

/// Writes into an object what servers write once clients own the rest. A number makes what is
/// allocated different from that of other objects.
pub(crate) fn admit(named: (&str, &str), object: &mut Value, live: Option<&Value>, number: u64) {
    match named {
        ("", "pods") => {
            tolerate(object, live);
            if live.is_none() {
                default(&mut object["spec"], "priority", || json!(0));
                default(&mut object["spec"], "preemptionPolicy", || json!("PreemptLowerPriority"));
                object["status"] = json!({"phase": "Pending", "qosClass": quality(object)});
            }
        }
        ("", "services") => services::admit(object, live, number),
        ("", "persistentvolumeclaims" | "persistentvolumes") if live.is_none() => {
            object["status"] = json!({"phase": "Pending"});
        }
        _ => {}
    }
}

/// A pod stays on a node that fails for five minutes, unless it states something else. An update
/// cannot take that away.
fn tolerate(pod: &mut Value, live: Option<&Value>) {
    for key in ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"] {
        if tolerates(pod, key) || live.is_some_and(|live| !tolerates(live, key)) {
            continue;
        }
        let toleration = json!({
            "key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300,
        });
        match pod["spec"].get_mut("tolerations").and_then(Value::as_array_mut) {
            Some(all) => all.push(toleration),
            None => pod["spec"]["tolerations"] = json!([toleration]),
        }
    }
}

fn tolerates(pod: &Value, key: &str) -> bool {
    elements(&pod["spec"]["tolerations"]).iter().any(|known| {
        let own = text(&known["key"]);
        (own == key || own.is_empty()) && matches!(text(&known["effect"]), "" | "NoExecute")
    })
}

fn rolls(strategy: &Value) -> bool {
    text(&strategy["type"]) == "RollingUpdate"
}

fn rolling(strategy: &mut Value) {
    if rolls(strategy) {
        default(strategy, "rollingUpdate", || json!({}));
        let update = &mut strategy["rollingUpdate"];
        default(update, "maxUnavailable", || json!("25%"));
        default(update, "maxSurge", || json!("25%"));
    }
}

fn rolling_daemon(strategy: &mut Value) {
    if rolls(strategy) {
        default(strategy, "rollingUpdate", || json!({}));
        let update = &mut strategy["rollingUpdate"];
        default(update, "maxUnavailable", || json!(1));
        default(update, "maxSurge", || json!(0));
    }
}

fn partition(strategy: &mut Value) {
    if rolls(strategy) {
        default(strategy, "rollingUpdate", || json!({}));
        default(&mut strategy["rollingUpdate"], "partition", || json!(0));
    }
}

/// A replication controller has the labels of its pods.
fn selector_of_template(controller: &mut Value) {
    let labels = controller["spec"]["template"]["metadata"]["labels"].clone();
    if is_zero(&labels) {
        return;
    }
    if is_zero(&controller["spec"]["selector"]) {
        controller["spec"]["selector"] = labels.clone();
    }
    if controller.metadata("labels").is_none() {
        controller.set_metadata("labels", labels);
    }
}

fn completions(spec: &mut Value) {
    if spec["completions"].is_null() && spec["parallelism"].is_null() {
        default(spec, "completions", || json!(1));
    }
    if !spec["podFailurePolicy"].is_null() {
        default(spec, "podReplacementPolicy", || json!("Failed"));
    }
    let rules = spec.get_mut("podFailurePolicy").and_then(|policy| policy.get_mut("rules"));
    for rule in rules.and_then(Value::as_array_mut).into_iter().flatten() {
        let conditions = rule.get_mut("onPodConditions").and_then(Value::as_array_mut);
        for condition in conditions.into_iter().flatten() {
            default(condition, "status", || json!("True"));
        }
    }
}

/// A job selects its pods by its ID. Once it is stored, its selector stays.
fn job(job: &mut Value) {
    let [uid, name] = ["uid", "name"].map(|member| job.metadata_text(member).to_owned());
    let is_manual = job["spec"]["manualSelector"] == json!(true);
    if uid.is_empty() || is_manual || !job["spec"]["selector"].is_null() {
        return;
    }
    for (label, value) in [("controller-uid", &uid), ("job-name", &name)] {
        for label in [format!("batch.kubernetes.io/{label}"), label.to_owned()] {
            job["spec"]["template"]["metadata"]["labels"][label] = json!(value);
        }
    }
    job["spec"]["selector"] = json!({"matchLabels": {"batch.kubernetes.io/controller-uid": uid}});
    job["spec"]["manualSelector"] = json!(false);
}

fn policy_types(spec: &mut Value) {
    let has_egress = !is_zero(&spec["egress"]);
    if is_zero(&spec["policyTypes"])
        && let Value::Object(members) = spec
    {
        let types = if has_egress { json!(["Ingress", "Egress"]) } else { json!(["Ingress"]) };
        members.insert("policyTypes".to_owned(), types);
    }
}

fn target_port(port: &mut Value) {
    let number = port["port"].clone();
    let target = &port["targetPort"];
    if (is_zero(target) || *target == json!("")) && !is_zero(&number) {
        port["targetPort"] = number;
    }
}

fn traffic(spec: &mut Value) {
    let kind = text(&spec["type"]).to_owned();
    if kind != "ExternalName" {
        default(spec, "internalTrafficPolicy", || json!("Cluster"));
    }
    if matches!(&*kind, "NodePort" | "LoadBalancer") {
        default(spec, "externalTrafficPolicy", || json!("Cluster"));
    }
    if kind == "LoadBalancer" {
        default(spec, "allocateLoadBalancerNodePorts", || json!(true));
    }
}

fn subject(subject: &mut Value) {
    if matches!(text(&subject["kind"]), "User" | "Group") && is_zero(&subject["apiGroup"]) {
        subject["apiGroup"] = json!("rbac.authorization.k8s.io");
    }
}

fn scale_up(behavior: &mut Value) {
    default(
        behavior,
        "scaleUp",
        || json!({"stabilizationWindowSeconds": 0, "selectPolicy": "Max"}),
    );
    let policies = [("Pods", 4), ("Percent", 100)]
        .map(|(kind, value)| json!({"type": kind, "value": value, "periodSeconds": 15}));
    default(&mut behavior["scaleUp"], "stabilizationWindowSeconds", || json!(0));
    default(&mut behavior["scaleUp"], "policies", || json!(policies));
    default(behavior, "scaleDown", || json!({"selectPolicy": "Max"}));
    let all = json!([{"type": "Percent", "value": 100, "periodSeconds": 15}]);
    default(&mut behavior["scaleDown"], "policies", || all);
}

fn metrics(spec: &mut Value) {
    if is_zero(&spec["metrics"])
        && let Value::Object(members) = spec
    {
        let target = json!({"type": "Utilization", "averageUtilization": 80});
        let metric = json!([{"type": "Resource", "resource": {"name": "cpu", "target": target}}]);
        members.insert("metrics".to_owned(), metric);
    }
}
