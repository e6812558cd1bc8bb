//! Types that versions of a definition share.

use crate::folder::{Folder, assert_output};
use std::fs;
use std::process::Output;

const SPEC: &str = "com.example.v1beta1.Boat/properties/spec";
const TYPE: &str = "example_com_v1beta1::BoatSpec";

struct Boats(Folder);

impl Boats {
    fn new(name: &str) -> Self {
        Self(Folder::new(&format!("versions-{name}")))
    }

    /// Generates the crate, over the one that is there, from a member of the spec in each version.
    fn generate(&self, [v1, v1beta1]: [&str; 2], arguments: &[&str]) -> Output {
        let version = |name: &str, member: &str| {
            format!(
                "{{name: {name}, served: true, storage: {}, schema: {{openAPIV3Schema: {{type: \
                 object, properties: {{spec: {{type: object, properties: {{sail: {{type: \
                 {member}}}}}}}}}}}}}}}",
                name == "v1",
            )
        };
        let definition = format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: \
             boats.example.com}}\nspec:\n  group: example.com\n  scope: Namespaced\n  names: \
             {{plural: boats, kind: Boat}}\n  versions:\n  - {}\n  - {}\n",
            version("v1", v1),
            version("v1beta1", v1beta1),
        );
        self.0.put("boats.yaml", &definition);
        let generate = ["generate", "--spec", "boats.yaml", "--out", "boats"];
        self.0.kapigen(&[&generate, arguments].concat())
    }

    fn is_shared(&self) -> bool {
        let types = self.0.0.join("boats/src/example_com_v1beta1/types/mod.rs");
        fs::read_to_string(types).unwrap().contains("pub use crate::example_com_v1::BoatSpec;")
    }

    fn interface(&self) -> String {
        fs::read_to_string(self.0.0.join("boats/src/interface.json")).unwrap_or_default()
    }
}

const STRING: &str = "string, maxLength: 9";

#[test]
fn a_shared_type_is_reported() {
    let boats = Boats::new("reported");
    let output = boats.generate(["string", STRING], &["--verbose"]);
    let line = format!("shared  {TYPE}: example_com_v1::BoatSpec\n");
    assert_output(&output, 0, &["shared  1 type with other versions\n", &line], "");
    assert!(boats.is_shared());
    assert_eq!(boats.interface(), "", "documents say it all");
}

#[test]
fn a_version_keeps_its_own_type_on_request() {
    let boats = Boats::new("own");
    boats.0.put("own.yaml", &format!("own: [{SPEC}]"));
    let strings = ["string", STRING];
    assert_output(&boats.generate(strings, &["--groups", "own.yaml"]), 0, &["made"], "");
    assert!(!boats.is_shared());
    // And it stays, with and without the request.
    for arguments in [&["--groups", "own.yaml"][..], &[]] {
        assert_output(&boats.generate(strings, arguments), 0, &["0 files changed"], "");
    }
    assert_eq!(boats.interface(), format!("{{\n\"apart\": {{\n\"{SPEC}\": \"{SPEC}\"\n}}\n}}\n"));
    assert_output(&boats.generate(strings, &["--accept", TYPE]), 0, &["shared"], "");
    assert!(boats.is_shared());
    assert_eq!(boats.interface(), "");
}

#[test]
fn a_crate_keeps_its_types_when_they_become_equal() {
    let boats = Boats::new("equal");
    assert_output(&boats.generate(["string, enum: [a]", "string"], &[]), 0, &[], "");
    assert_output(&boats.generate(["string", "string"], &["--follow"]), 0, &["shared"], "");
    assert_output(&boats.generate(["boolean", "string"], &["--follow"]), 0, &[], "");
    assert!(!boats.is_shared());
    let sail = "example_com_v1::BoatSpec.sail";
    assert_output(&boats.generate(["string", "string"], &["--accept", sail]), 0, &[], "");
    assert!(!boats.is_shared());
    assert_output(&boats.generate(["string", "string"], &["--accept", TYPE]), 0, &["shared"], "");
    assert!(boats.is_shared());
}

#[test]
fn a_shared_type_that_would_split_is_refused() {
    let boats = Boats::new("split");
    assert_output(&boats.generate(["string", "string"], &[]), 0, &["shared"], "");
    let integer = ["string", "integer"];
    let help = format!("take the new form with `--accept {TYPE}`");
    let error = format!("error: `{TYPE}` cannot be held (split): `example_com_v1::BoatSpec` would");
    let output = boats.generate(integer, &[]);
    assert!(String::from_utf8_lossy(&output.stderr).contains(&error), "{output:?}");
    assert_output(&output, 2, &[], &help);
    let accept = ["--accept", TYPE, "--accept", "example_com_v1beta1::BoatSpec.sail"];
    assert_output(&boats.generate(integer, &accept), 0, &[], "");
    assert!(!boats.is_shared());
}
