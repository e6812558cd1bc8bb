//! Merges and patches replace values without a type as a whole, as servers do, but not free JSON of custom resources.

use case_kept_as_json::Patch;
use case_kept_as_json::change::merge;
use case_kept_as_json::example_com_v1::Orbit;
use case_kept_as_json::from_str;
use serde_json::{Value, json};

fn main() {
    let of = |value: &Value| json!({"shape": value, "center": value, "moons": {"io": value}, "notes": value});
    let mut target: Orbit = from_str(&of(&json!({"a": 1, "both": {"a": 1}})).to_string()).unwrap();
    let old = target.clone();
    let other = json!({"both": {"b": 2}});
    merge(&mut target, &from_str(&of(&other).to_string()).unwrap()).unwrap();
    let mut expected = of(&other);
    expected["notes"] = json!({"a": 1, "both": {"a": 1, "b": 2}});
    assert_eq!(serde_json::to_value(&target).unwrap(), expected);
    let patch = Patch::json_between(&old, &from_str(&of(&other).to_string()).unwrap());
    let steps: Vec<Value> = serde_json::from_slice(patch.body()).unwrap();
    for path in ["/shape", "/center", "/moons/io"] {
        let replace = json!({"op": "replace", "path": path, "value": other});
        let steps: Vec<_> = steps.iter().filter(|step| step["path"].as_str().unwrap().starts_with(path)).collect();
        assert_eq!(steps, [&replace]);
    }
    assert!(steps.contains(&json!({"op": "remove", "path": "/notes/a"})), "{steps:?}");
    println!("all is well");
}
