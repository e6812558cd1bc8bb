//! An apply of a custom resource sends what was set and nothing else.

use case_applied::keda_example_com_v1alpha1::{ScaledObject, ScaledObjectSpec};
use case_applied::meta_v1::ObjectMeta;
use case_applied::Patch;
use serde_json::{Value, json};

fn spec(patch: &Patch) -> Value {
    let mut body: Value = serde_json::from_slice(patch.body()).unwrap();
    assert_eq!((&body["apiVersion"], &body["kind"]), (&json!("keda.example.com/v1alpha1"), &json!("ScaledObject")));
    body["spec"].take()
}

fn main() {
    let named = |spec: ScaledObjectSpec| {
        let metadata = ObjectMeta { name: Some("web".to_owned()), ..Default::default() };
        ScaledObject { metadata, spec, ..Default::default() }
    };
    // Nobody has set the name of the target, so it is not taken from who has.
    let mut object = named(ScaledObjectSpec { max_replica_count: Some(5), ..Default::default() });
    assert_eq!(spec(&Patch::apply(&object)), json!({"maxReplicaCount": 5}));
    assert_eq!(spec(&Patch::apply(&object).keep("spec.scaleTargetRef.name"))["scaleTargetRef"], json!({"name": ""}));
    // A number is sent as soon as anything else of its object is.
    object.spec.limits.unit = Some("s".to_owned());
    assert_eq!(spec(&Patch::apply(&object))["limits"], json!({"polling": 0, "strict": false, "unit": "s"}));
    assert_eq!(spec(&Patch::apply(&object).omit("spec.limits.polling"))["limits"], json!({"strict": false, "unit": "s"}));
    object.spec.limits.unit = None;
    object.spec.limits.polling = 3;
    assert_eq!(spec(&Patch::apply(&object))["limits"], json!({"polling": 3, "strict": false}));
    assert_eq!(spec(&Patch::apply(&named(ScaledObjectSpec::default()))), Value::Null);
    println!("all is well");
}
