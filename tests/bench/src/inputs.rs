//! Input: lists made of the fixtures of this project, the same in every run.

use crate::order::Order;
use crate::random::Random;
use serde_json::{Value, json};

/// A list, or a stream of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Pods as servers send them, with their records of field managers.
    Pods,
    /// Pods with nearly every possible field.
    FullPods,
    Leases,
    Events,
    /// The same pods as in `Pods`, one event in each line.
    Watch,
}

pub const ALL: [Input; 5] =
    [Input::Pods, Input::FullPods, Input::Leases, Input::Events, Input::Watch];

const SEED: u64 = 20_260_801;

macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("../../fixtures/", $name, ".json"))
    };
}

/// Each about as often as in a cluster: most pods are plain.
const PODS: [&str; 6] = [
    fixture!("pods/managed-fields-deep"),
    fixture!("pods/in-place-resize"),
    fixture!("pods/terminating-with-finalizers"),
    fixture!("pods/managed-fields-deep"),
    fixture!("pods/probes-every-handler"),
    fixture!("pods/env-from-every-source"),
];

/// Together they have nearly every field.
const PARTS_OF_FULL_PODS: [&str; 9] = [
    fixture!("pods/every-container-field"),
    fixture!("pods/every-pod-spec-field"),
    fixture!("pods/all-volume-sources"),
    fixture!("pods/container-states-all"),
    fixture!("pods/affinity-topology-tolerations"),
    fixture!("pods/env-from-every-source"),
    fixture!("pods/probes-every-handler"),
    fixture!("pods/security-contexts-linux-and-windows"),
    fixture!("pods/resource-claims-and-devices"),
];

const LEASES: [&str; 3] = [
    fixture!("leases/node-heartbeat"),
    fixture!("leases/leader-election"),
    fixture!("leases/api-server-identity"),
];

const EVENTS: [&str; 3] = [
    fixture!("events/every-field-with-related"),
    fixture!("events/series-micro-time"),
    fixture!("events/legacy-null-event-time"),
];

impl Input {
    pub fn name(self) -> &'static str {
        match self {
            Input::Pods => "pods",
            Input::FullPods => "full pods",
            Input::Leases => "leases",
            Input::Events => "events",
            Input::Watch => "watch of pods",
        }
    }

    pub fn by_name(name: &str) -> Option<Self> {
        ALL.into_iter().find(|input| input.name() == name)
    }

    /// The number of objects, unless the run is to be quick.
    pub fn count(self, quick: bool) -> usize {
        let count = match self {
            Input::Pods | Input::Watch => 1000,
            Input::FullPods => 200,
            Input::Leases => 10_000,
            Input::Events => 4000,
        };
        if quick { count / 50 } else { count }
    }

    /// So many objects.
    pub fn text(self, count: usize) -> Vec<u8> {
        let mut random = Random::new(SEED);
        let order = order();
        let items = (0..count).map(|index| order.text(&self.item(index, &mut random)));
        match self {
            Input::Pods | Input::FullPods => list("PodList", "v1", items),
            Input::Leases => list("LeaseList", "coordination.k8s.io/v1", items),
            Input::Events => list("EventList", "v1", items),
            Input::Watch => items.flat_map(|pod| event(&pod).into_bytes()).collect(),
        }
    }

    /// Objects of the list, each as its text, with these in place of its name and its resource
    /// version.
    pub fn templates(self, count: usize, name: &str, version: &str) -> Vec<String> {
        let mut random = Random::new(SEED);
        let order = order();
        let template = |index| {
            let mut object = self.item(index, &mut random);
            object["metadata"]["name"] = json!(name);
            object["metadata"]["resourceVersion"] = json!(version);
            order.text(&object)
        };
        (0..count).map(template).collect()
    }

    /// An object of the list, as servers write it there: without its kind.
    pub fn item(self, index: usize, random: &mut Random) -> Value {
        let of = |texts: &[&str]| parse(texts[index % texts.len()]);
        let mut object = match self {
            Input::Pods | Input::Watch => of(&PODS),
            Input::FullPods => full_pod(),
            Input::Leases => of(&LEASES),
            Input::Events => of(&EVENTS),
        };
        object
            .as_object_mut()
            .expect("fixtures are objects")
            .retain(|key, _| key != "kind" && key != "apiVersion");
        stamp(&mut object["metadata"], index, random);
        if matches!(self, Input::Pods | Input::Watch) {
            run(&mut object, random);
        }
        object
    }
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("fixtures are JSON")
}

/// In the order of servers, which begin with the kind.
fn list(kind: &str, api_version: &str, items: impl Iterator<Item = String>) -> Vec<u8> {
    let items: Vec<String> = items.collect();
    let head = format!(
        r#"{{"kind":"{kind}","apiVersion":"{api_version}","metadata":{{"resourceVersion":"12345678"}}"#
    );
    format!(r#"{head},"items":[{}]}}"#, items.join(",")).into_bytes()
}

fn event(pod: &str) -> String {
    let members = pod.strip_prefix('{').expect("a pod is an object");
    format!(
        "{{\"type\":\"MODIFIED\",\"object\":{{\"kind\":\"Pod\",\"apiVersion\":\"v1\",{members}}}\n"
    )
}

/// The order of members in the fixtures.
fn order() -> Order {
    Order::from_documents(&[&PODS[..], &PARTS_OF_FULL_PODS, &LEASES, &EVENTS].concat())
}

/// The differences between any two objects.
fn stamp(metadata: &mut Value, index: usize, random: &mut Random) {
    metadata["name"] = json!(format!("web-{}-{index}", random.hex(5)));
    metadata["uid"] = json!(random.uid());
    metadata["resourceVersion"] = json!((1_000_000 + random.below(99_000_000)).to_string());
    metadata["creationTimestamp"] = json!(random.time());
}

/// Members that a pod has in a cluster: an owner, labels, addresses, and field managers.
fn run(pod: &mut Value, random: &mut Random) {
    let metadata = &mut pod["metadata"];
    metadata["labels"]["app.kubernetes.io/name"] = json!("web");
    metadata["labels"]["pod-template-hash"] = json!(random.hex(10));
    let owner = json!({"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-7d9c", "uid": random.uid(),
        "controller": true, "blockOwnerDeletion": true});
    metadata["ownerReferences"] = json!([owner]);
    let address = format!("10.1.{}.{}", random.below(256), random.below(256));
    pod["spec"]["nodeName"] = json!(format!("worker-{}.example.com", random.below(50)));
    pod["status"]["podIP"] = json!(address);
    pod["status"]["podIPs"] = json!([{"ip": address}]);
    let of_controller = json!({"metadata": pod["metadata"]["labels"], "spec": pod["spec"]});
    let managers = [
        ("kube-controller-manager", "", of_controller),
        ("kubelet", "status", json!({"status": pod["status"]})),
    ];
    let managers = managers.map(|(manager, subresource, owned)| {
        let mut entry = json!({"manager": manager, "operation": "Update", "apiVersion": "v1", "time": random.time(),
            "fieldsType": "FieldsV1", "fieldsV1": fields(&owned)});
        if !subresource.is_empty() {
            entry["subresource"] = json!(subresource);
        }
        entry
    });
    pod["metadata"]["managedFields"] = json!(managers);
}

/// The fields of one owner of a whole value, in the `FieldsV1` format.
fn fields(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            members.iter().map(|(key, value)| (format!("f:{key}"), fields(value))).collect()
        }
        // A list of elements without keys is owned as a whole.
        Value::Array(elements) => {
            let owned: Option<Vec<_>> = elements.iter().map(owned_element).collect();
            owned
                .filter(|owned| !owned.is_empty())
                .map_or_else(|| json!({}), |owned| owned.into_iter().collect())
        }
        _ => json!({}),
    }
}

/// An element of a list is identified by its key.
fn owned_element(element: &Value) -> Option<(String, Value)> {
    const KEYS: [&str; 6] = ["name", "type", "containerPort", "mountPath", "ip", "key"];
    let key = KEYS.into_iter().find(|key| element.get(*key).is_some())?;
    let mut owned = json!({".": {}});
    merge(&mut owned, &fields(element));
    Some((format!("k:{}", json!({key: element[key]})), owned))
}

fn full_pod() -> Value {
    let mut pod = json!({});
    PARTS_OF_FULL_PODS.iter().for_each(|part| merge(&mut pod, &parse(part)));
    pod
}

/// Adds absent members.
fn merge(into: &mut Value, from: &Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (Value::Array(into), Value::Array(from)) => {
            into.iter_mut().zip(from).for_each(|(into, from)| merge(into, from));
            into.extend(from.iter().skip(into.len()).cloned());
        }
        (into @ Value::Null, from) => *into = from.clone(),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, Input, fields};
    use serde_json::json;

    #[test]
    fn inputs_are_the_same_in_every_run_and_their_objects_differ() {
        for input in ALL {
            let text = input.text(12);
            assert!(text == input.text(12), "{}", input.name());
            let uids = String::from_utf8(text).unwrap();
            let uids: std::collections::BTreeSet<&str> =
                uids.split("\"uid\":\"").skip(1).map(|rest| &rest[..36]).collect();
            assert!(uids.len() >= 12, "{}: {}", input.name(), uids.len());
        }
    }

    #[test]
    fn members_stand_in_the_order_of_servers() {
        let text = String::from_utf8(Input::FullPods.text(1)).unwrap();
        let places: Vec<_> = [
            "\"metadata\":{\"name\"",
            "\"uid\"",
            "\"spec\":{\"volumes\"",
            "\"containers\"",
            "\"status\":{",
        ]
        .map(|part| text.find(part))
        .into();
        assert!(places.is_sorted() && places[0].is_some(), "{places:?}");
    }

    #[test]
    fn pods_are_as_large_as_those_of_clusters() {
        let size = Input::Pods.text(60).len() / 60;
        assert!((4000..12_000).contains(&size), "{size} bytes");
    }

    #[test]
    fn owned_fields_have_the_form_of_servers() {
        let value = json!({"spec": {"ports": [{"name": "a", "port": 1}], "args": ["x"], "rules": [{"a": 1}]}});
        let owned = json!({"f:spec": {"f:ports": {"k:{\"name\":\"a\"}": {".": {}, "f:name": {}, "f:port": {}}}, "f:args": {}, "f:rules": {}}});
        assert_eq!(fields(&value), owned);
    }
}
