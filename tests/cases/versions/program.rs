//! Converts objects from one version to another.

use case_versions::{example_com_v1 as v1, example_com_v1alpha1 as v1alpha1, example_com_v1beta1 as v1beta1};

fn convert(old: v1beta1::Kite) -> v1::Kite {
    let wind = old.status.and_then(|status| status.wind).map(|wind| {
        Box::new(v1::KiteStatusWind { speed: wind.speed, ..Default::default() })
    });
    let status = wind.map(|wind| Box::new(v1::KiteStatus { wind: Some(wind), ..Default::default() }));
    // The spec is the same type.
    v1::Kite { metadata: old.metadata, spec: old.spec, status, ..v1::Kite::default() }
}

fn main() {
    let json = r#"{"apiVersion":"example.com/v1beta1","kind":"Kite","metadata":{"name":"a"},"spec":{"line":{"knot":"Bowline","length":9},"tails":[{"color":"red"}]},"status":{"wind":{"speed":2.5}}}"#;
    let old: v1beta1::Kite = serde_json::from_str(json).unwrap();
    let new = serde_json::to_string(&convert(old.clone())).unwrap();
    assert_eq!(new, json.replace("v1beta1", "v1"));

    // A type under the names of two properties, and an enum with its values.
    let rope: v1alpha1::KiteSpecRope = v1::KiteSpecLine {
        knot: Some(v1beta1::KiteSpecLineKnot::Bowline), ..Default::default()
    };
    let spec = v1alpha1::KiteSpec { rope: Some(Box::new(rope)), ..Default::default() };
    let status = old.status;
    let oldest = v1alpha1::Kite { spec: Some(Box::new(spec)), status, ..v1alpha1::Kite::default() };
    assert_eq!(
        serde_json::to_string(&oldest).unwrap(),
        r#"{"apiVersion":"example.com/v1alpha1","kind":"Kite","metadata":{},"spec":{"rope":{"knot":"Bowline"}},"status":{"wind":{"speed":2.5}}}"#
    );
    println!("all is well");
}
