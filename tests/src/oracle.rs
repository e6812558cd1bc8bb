//! Inputs for the code of Kubernetes in `tests/oracle`: changes of pods.

use crate::places;
use openshift_api::Patch;
use openshift_api::core_v1::Pod;
use serde_json::{Value, json};

/// The number of random pairs of pods of each kind.
const PAIRS: u64 = 32;

/// A pair of pods. The first one is changed to the second.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The number of the pair.
    pub number: u64,
    /// The pods.
    pub pods: [Value; 2],
}

/// All inputs: an object and a patch for it, an object before and after an edit, or an object and a
/// configuration to apply.
///
/// # Panics
/// When the patches that are written by hand cannot be read.
#[must_use]
pub fn inputs() -> Vec<Value> {
    let applied = pairs().into_iter().map(|Pair { number, pods: [live, config] }| {
        json!({ "name": format!("configuration {number}"), "type": "apply", "live": live, "config": config })
    });
    by_hand().into_iter().chain(pairs().iter().flat_map(between)).chain(applied).collect()
}

/// Patches that are written by hand.
fn by_hand() -> Vec<Value> {
    let text = places::text(&places::root().join("tests/oracle/patches.json"));
    let by_hand: Value = serde_json::from_str(&text).expect("patches are JSON");
    let of_type = |form: &str| {
        let patches = by_hand[form].as_object().expect("patches have names");
        let line = |(name, patch): (&String, &Value)| {
            let name = format!("{form} patch {name}");
            json!({"name": name, "type": form, "old": by_hand["old"], "patch": patch})
        };
        patches.iter().map(line).collect::<Vec<_>>()
    };
    ["strategic", "merge", "json"].into_iter().flat_map(of_type).collect()
}

/// The patches between two pods, and edits that make one of the other: as a pod, and as a custom
/// resource.
fn between(pair: &Pair) -> Vec<Value> {
    let Pair { number, pods: [old, new] } = pair;
    let patch =
        |patch: &Patch| -> Value { serde_json::from_slice(patch.body()).expect("a patch is JSON") };
    let pods: [Pod; 2] =
        [old, new].map(|value| serde_json::from_value(value.clone()).expect("a pod"));
    // None where such a patch cannot express the change.
    let patches = [
        ("strategic", Patch::strategic_between(&pods[0], &pods[1]).ok()),
        ("merge", Patch::merge_between(&pods[0], &pods[1]).ok()),
        ("json", Some(Patch::json_between(&pods[0], &pods[1]))),
    ];
    let patches = patches.into_iter().filter_map(|(form, made)| {
        Some(json!({ "name": format!("{form} pair {number}"), "type": form, "old": old, "patch": patch(&made?) }))
    });
    let edits = [("v1", "Pod"), ("example.com/v1", "Thing")].map(|(version, kind)| {
        let [old, new] = [old, new].map(|value| {
            let mut object = value.clone();
            object["apiVersion"] = version.into();
            object["kind"] = kind.into();
            object["metadata"]["namespace"] = "default".into();
            object
        });
        json!({ "name": format!("edited {kind} {number}"), "type": "edit", "old": old, "new": new })
    });
    patches.chain(edits).collect()
}

/// Random pairs, the same in every run.
#[must_use]
pub fn pairs() -> Vec<Pair> {
    let pair = |number: u64| {
        let mut random = Random(number);
        let pods = [random.pod(), random.pod()];
        Pair { number, pods }
    };
    (0..PAIRS).map(pair).collect()
}

/// Makes small pods of few different parts. The sequence is its own: the results of the oracle for
/// it are recorded.
struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        let index = usize::try_from(self.below(of.len() as u64)).expect("a small number");
        of[index]
    }

    /// Some of these, each made into an element, in any order.
    fn list(&mut self, names: &[&str], mut element: impl FnMut(&mut Self, &str) -> Value) -> Value {
        let mut list = Vec::new();
        for name in names {
            if self.below(2) == 0 {
                list.push(element(self, name));
            }
        }
        if self.below(3) == 0 {
            list.reverse();
        }
        list.into()
    }

    /// An object with some of its optional members. Empty lists are absent.
    fn object(&mut self, required: Value, optional: Vec<(&str, Value)>) -> Value {
        let mut object = required;
        for (name, value) in optional {
            if self.below(3) > 0 && value != json!([]) {
                object[name] = value;
            }
        }
        object
    }

    fn map(&mut self) -> Value {
        let optional = ["a", "b", "c"].map(|name| (name, self.one(&["x", "y"]).into()));
        self.object(json!({}), optional.into())
    }

    fn pod(&mut self) -> Value {
        let owner = |random: &mut Self, uid: &str| json!({"apiVersion": "v1", "kind": "Node", "name": random.one(&["a", "b"]), "uid": uid});
        let metadata = vec![
            ("labels", self.map()),
            ("finalizers", self.list(&["f/1", "f/2", "f/3"], |_, name| name.into())),
            ("ownerReferences", self.list(&["1", "2"], owner)),
        ];
        let condition = |random: &mut Self, name: &str| json!({"type": name, "status": random.one(&["True", "False"])});
        let conditions = self.list(&["Ready", "Initialized"], condition);
        let metadata = self.object(json!({"name": "web"}), metadata);
        let spec = self.spec();
        let status = self.object(json!({}), vec![("conditions", conditions)]);
        json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status})
    }

    fn spec(&mut self) -> Value {
        let containers = self.list(&["app", "log"], Self::container);
        let spread = |random: &mut Self, key: &str| json!({"topologyKey": key, "whenUnsatisfiable": random.one(&["A", "B"]), "maxSkew": 1 + random.below(2)});
        let optional = vec![
            ("hostname", self.one(&["a", "b"]).into()),
            ("nodeSelector", self.map()),
            ("imagePullSecrets", self.list(&["a", "b"], |_, name| json!({ "name": name }))),
            ("tolerations", self.list(&["a", "b"], |_, name| json!({ "key": name }))),
            ("volumes", self.list(&["data", "tmp"], Self::volume)),
            ("topologySpreadConstraints", self.list(&["zone", "node"], spread)),
        ];
        self.object(json!({ "containers": containers }), optional)
    }

    fn container(&mut self, name: &str) -> Value {
        let port = |random: &mut Self, port: &str| {
            let port = json!({"containerPort": port.parse::<u16>().expect("a number")});
            let optional = vec![
                ("protocol", random.one(&["TCP", "UDP"]).into()),
                ("name", random.one(&["a", "b"]).into()),
            ];
            random.object(port, optional)
        };
        let optional = vec![
            ("image", self.one(&["image:1", "image:2"]).into()),
            ("args", self.list(&["a", "b", "b"], |_, name| name.into())),
            (
                "env",
                self.list(
                    &["A", "B"],
                    |random, name| json!({"name": name, "value": random.one(&["", "x"])}),
                ),
            ),
            ("ports", self.list(&["80", "443"], port)),
        ];
        self.object(json!({ "name": name }), optional)
    }

    fn volume(&mut self, name: &str) -> Value {
        if self.below(2) == 0 {
            json!({"name": name, "emptyDir": self.object(json!({}), vec![("medium", "Memory".into())])})
        } else {
            json!({"name": name, "hostPath": {"path": self.one(&["/a", "/b"])}})
        }
    }
}
