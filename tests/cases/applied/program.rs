//! An apply of a custom resource sends what was set and nothing else.

use case_applied::keda_example_com_v1alpha1::{ScaledObject, ScaledObjectSpec, ScaledObjectSpecByZone};
use case_applied::meta_v1::ObjectMeta;
use case_applied::Patch;
use serde_json::{Value, json};

fn spec(patch: &Patch) -> Value {
    let mut body: Value = serde_json::from_slice(patch.body()).unwrap();
    assert_eq!((&body["apiVersion"], &body["kind"]), (&json!("keda.example.com/v1alpha1"), &json!("ScaledObject")));
    body["spec"].take()
}

fn undecided(patch: &Patch) -> Vec<&str> {
    patch.error().unwrap().undecided().iter().map(|member| &*member.path).collect()
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
    // A number that may have been set is decided as soon as anything else of its object is set.
    object.spec.limits.unit = Some("s".to_owned());
    let patch = Patch::apply(&object);
    assert_eq!(undecided(&patch), ["spec.limits.polling", "spec.limits.strict"]);
    let patch = patch.omit("spec.limits.polling");
    assert_eq!(undecided(&patch), ["spec.limits.strict"]);
    assert_eq!(spec(&patch.keep("spec.limits.strict"))["limits"], json!({"strict": false, "unit": "s"}));
    assert_eq!(spec(&Patch::apply(&object).omit("spec.limits"))["limits"], json!({"unit": "s"}));
    object.spec.limits.unit = None;
    object.spec.limits.polling = 3;
    object.spec.limits.strict = true;
    assert_eq!(spec(&Patch::apply(&object))["limits"], json!({"polling": 3, "strict": true}));
    assert_eq!(spec(&Patch::apply(&named(ScaledObjectSpec::default()))), Value::Null);
    // Through maps and lists, and by names with dots.
    let zones = [("a.b".to_owned(), vec![ScaledObjectSpecByZone { least: 0.5, ..Default::default() }, Default::default()])];
    object.spec.by_zone = Some(zones.into());
    let patch = Patch::apply(&object);
    let zone = r#"spec.byZone["a.b"]"#;
    let paths = [r#"[0]["max.most"]"#, "[1].least", r#"[1]["max.most"]"#].map(|path| format!("{zone}{path}"));
    assert_eq!(undecided(&patch), paths);
    let message = patch.error().unwrap().to_string();
    assert!(message.contains(r#".omit("spec.byZone[][].least").omit("spec.byZone[][][\"max.most\"]")"#), "{message}");
    let patch = patch.omit("spec.byZone[][].least").keep(r#"spec.byZone[][]["max.most"]"#);
    assert_eq!(spec(&patch)["byZone"], json!({"a.b": [{"least": 0.5, "max.most": 0}, {"max.most": 0}]}));
    // What was decoded is decided, set or not.
    let text = r#"{"spec":{"limits":{"unit":"s","strict":true,"polling":0},"triggers":[{"type":"a"}]}}"#;
    let mut decoded: ScaledObject = case_applied::from_str(text).unwrap();
    decoded.spec.limits.strict = false;
    let expected = json!({"limits": {"unit": "s", "strict": false, "polling": 0}, "triggers": [{"type": "a"}]});
    assert_eq!(spec(&Patch::apply(&decoded)), expected);
    println!("all is well");
}
