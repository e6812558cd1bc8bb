//! Definitions are JSON under their names. What is not deprecated is used without a warning beside what is.

#![deny(warnings)]

use case_deprecated_versions::{DEFINITIONS, Kind, example_com_v1, example_com_v1beta1};
use serde_json::{Value, json};

fn main() {
    let names: Vec<&str> = DEFINITIONS.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["planets.example.com", "stars.example.com"]);
    for (name, text) in DEFINITIONS {
        let manifest: Value = serde_json::from_str(text).unwrap();
        assert_eq!(manifest["kind"], "CustomResourceDefinition");
        assert_eq!(manifest["metadata"]["name"], *name);
    }
    let stars: Value = serde_json::from_str(DEFINITIONS[1].1).unwrap();
    assert_eq!(stars["metadata"]["annotations"], json!({"example.com/kept": "yes"}));
    assert!(stars.get("status").is_none());
    let versions = stars["spec"]["versions"].as_array().unwrap();
    let stored: Vec<_> = versions.iter().filter(|version| version["storage"] == true).map(|v| &v["name"]).collect();
    assert_eq!((versions.len(), stored), (4, vec![&json!("v1")]));

    assert_eq!(example_com_v1::Star::KIND, "Star");
    assert_eq!(example_com_v1beta1::Planet::KIND, "Planet");
    #[expect(deprecated)]
    let star = example_com_v1beta1::Star::default();
    #[expect(deprecated)]
    let request = example_com_v1beta1::stars::create("sky", &star, &Default::default());
    assert_eq!(request.unwrap().to_http().uri(), "/apis/example.com/v1beta1/namespaces/sky/stars");
    println!("all is well");
}
