//! Notes on names of definitions for which servers refuse them.

use crate::folder::{Folder, assert_output};

const DEFINITION: &str = r"apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: moons.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    plural: moons
    kind: Moon
    shortNames: [mn]
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {number: {type: integer}}}
          status: {type: object, properties: {number: {type: integer}}}
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.number, statusReplicasPath: .status.number}
";

#[test]
fn names_that_no_server_accepts_are_noted() {
    let folder = Folder::new("names");
    let notes = |definition: &str| {
        folder.put("crds/moons.yaml", definition);
        let output = folder.kapigen(&["generate", "--spec", "crds", "--out", "moons"]);
        assert_output(&output, 0, &[], "");
        std::fs::remove_dir_all(folder.0.join("moons")).unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let notes = text.lines().filter(|line| line.contains(" no server ")).map(str::to_owned);
        notes.collect::<Vec<_>>()
    };
    assert_eq!(notes(DEFINITION), [""; 0]);
    for (from, to, expected) in [
        (
            "name: v1",
            "name: v1.2",
            "13:5: no server accepts `moons.example.com`: spec.versions[0].name: Invalid value: \"v1.2\"",
        ),
        ("name: v1", "name: V1", "13:5: "),
        (
            "plural: moons",
            "plural: With.Dot",
            "9:5: no server accepts `With.Dot.example.com`: spec.names.plural: ",
        ),
        (
            "name: moons.example.com",
            "name: moon.example.com",
            "4:3: no server accepts `moons.example.com`: metadata.name: Invalid value: \"moon.example.com\": must be spec.names.plural+\".\"+spec.group",
        ),
        ("kind: Moon", "kind: Full Moon", "10:5: "),
        ("[mn]", "[mn, M_N]", "11:22: "),
        ("group: example.com", "group: example", "6:3: "),
        ("group: example.com", "group: Example.com", "6:3: "),
        ("specReplicasPath: .spec.number", "specReplicasPath: spec.number", "24:15: "),
        ("specReplicasPath: .spec.number", "specReplicasPath: .status.number", "24:15: "),
        (
            "specReplicasPath: .spec.number",
            "specReplicasPath: '.spec.number[0]'",
            "24:7: no server finds a value for `scale` of `moons.example.com`: ",
        ),
    ] {
        let found = notes(&DEFINITION.replacen(from, to, 1));
        let expected = format!("note    moons.yaml:{expected}");
        assert!(
            found.iter().any(|note| note.starts_with(&expected)),
            "{to}: no {expected:?} in {found:#?}"
        );
    }
}
