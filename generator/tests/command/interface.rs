//! The interface of a crate, over newer documents.

use super::folder::{Folder, assert_output};
use std::fs;

const GENERATE: [&str; 5] = ["generate", "--spec", "spec", "--out", "out"];
const CHECK: [&str; 5] = ["check", "--spec", "spec", "--out", "out"];

/// A group with one resource, which has a member of each kind that can change.
const DOCUMENT: &str = r"
openapi: 3.0.3
info: {title: Stars, version: v1}
paths:
  /apis/example.com/v1/stars/{name}:
    parameters:
      - {name: name, in: path, required: true, schema: {type: string}}
    get:
      operationId: readStar
      parameters:
        - {name: pretty, in: query, schema: {type: string}}
        - {name: depth, in: query, schema: {type: integer}}
      responses:
        '200':
          description: OK
          content:
            application/json:
              schema: {$ref: '#/components/schemas/com.example.v1.Star'}
      x-kubernetes-action: get
      x-kubernetes-group-version-kind: {group: example.com, version: v1, kind: Star}
    # begin
    delete:
      operationId: deleteStar
      responses:
        '200':
          description: OK
          content:
            application/json:
              schema: {$ref: '#/components/schemas/com.example.v1.Star'}
      x-kubernetes-action: delete
      x-kubernetes-group-version-kind: {group: example.com, version: v1, kind: Star}
    # end
components:
  schemas:
    com.example.v1.Orbit:
      type: object
      required: [period]
      properties:
        period: {type: integer, format: int64}
        center: {type: string}
    com.example.v1.Star:
      type: object
      required: [orbit]
      properties:
        apiVersion: {type: string}
        kind: {type: string}
        metadata: {$ref: '../meta/v1.yaml#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'}
        class: {type: string}
        color: {type: string, enum: [Blue, Red]}
        orbit: {$ref: '#/components/schemas/com.example.v1.Orbit'}
        seen: {type: string}
        any: {}
      x-kubernetes-group-version-kind: [{group: example.com, version: v1, kind: Star}]
";

const SPEC: &str = "spec/example.com/v1.yaml";
const STAR: &str = "out/src/example_com_v1/types/star.rs";
const STARS: &str = "out/src/example_com_v1/stars.rs";

/// A crate of [`DOCUMENT`], and newer documents in which each of the strings is replaced.
fn upgraded(name: &str, changes: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(&format!("interface-{name}"));
    folder.put(SPEC, DOCUMENT);
    assert_output(&folder.kapigen(&GENERATE), 0, &[], "");
    assert!(!folder.0.join("out/src/interface.json").exists(), "documents say it all");
    let mut document = DOCUMENT.to_owned();
    for (old, new) in changes {
        assert!(document.contains(old), "{old}");
        document = document.replace(old, new);
    }
    folder.put(SPEC, &document);
    folder
}

fn read(folder: &Folder, path: &str) -> String {
    fs::read_to_string(folder.0.join(path)).unwrap()
}

/// Holds the interface: these lines stay in this file, the documents are the newer ones, and
/// another run changes nothing.
#[track_caller]
fn held(name: &str, changes: &[(&str, &str)], file: &str, lines: &[&str]) -> Folder {
    let folder = upgraded(name, changes);
    let before = read(&folder, file);
    assert_output(&folder.kapigen(&GENERATE), 0, &["kept    "], "");
    let text = read(&folder, file);
    for line in lines {
        assert!(before.contains(line) && text.contains(line), "no {line:?} in:\n{text}");
    }
    assert_output(&folder.kapigen(&CHECK), 0, &["; 0 files not as generated"], "");
    let follow = folder.kapigen(&[&GENERATE[..], &["--follow"]].concat());
    assert_output(&follow, 0, &[], "");
    let other = read(&folder, "out/src/documents/example_com_v1.json");
    assert!(!other.contains("x-kapigen"), "{other}");
    folder
}

#[test]
fn members_stay_optional_or_required() {
    let changes = [
        ("required: [orbit]", "required: [class]"),
        ("required: [period]", "required: [center, period]"),
    ];
    held("required", &changes, STAR, &["pub orbit: Orbit,", "pub class: Option<String>,"]);
}

const TIME: &str =
    "seen: {$ref: '../meta/v1.yaml#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time'}";

#[test]
fn strings_stay_strings() {
    let changes = [
        ("class: {type: string}", "class: {type: string, enum: [Dwarf, Giant]}"),
        ("seen: {type: string}", TIME),
    ];
    let lines = ["pub class: Option<String>,", "pub seen: Option<String>,"];
    held("strings", &changes, STAR, &lines);
    let changes = [("seen: {type: string}", "seen: {type: string, format: byte}")];
    held("bytes", &changes, STAR, &lines);
    let quantity = "{$ref: '#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity'}";
    let seen = format!("seen: {quantity}");
    let schema = "  schemas:\n    io.k8s.apimachinery.pkg.api.resource.Quantity: {type: string}\n";
    let changes = [("seen: {type: string}", &*seen), ("  schemas:\n", schema)];
    held("quantity", &changes, STAR, &lines);
}

#[test]
fn free_json_stays_free() {
    let changes = [("any: {}", "any: {type: object, properties: {mass: {type: integer}}}")];
    held("free", &changes, STAR, &["pub any: Option<RawJson>,"]);
}

#[test]
fn a_type_that_splits_stays_one_with_the_members_of_both() {
    let schema = "  schemas:\n    com.example.v1.Path: {type: object, properties: {center: {type: string}, \
                  speed: {type: integer}}}\n";
    let changes = [
        (
            "orbit: {$ref: '#/components/schemas/com.example.v1.Orbit'}",
            "orbit: {$ref: '#/components/schemas/com.example.v1.Path'}",
        ),
        ("  schemas:\n", schema),
    ];
    let folder = upgraded("split", &changes);
    assert_output(&folder.kapigen(&GENERATE), 0, &["kept    "], "");
    assert!(read(&folder, STAR).contains("pub orbit: Orbit,"));
    let orbit = read(&folder, "out/src/example_com_v1/types/orbit.rs");
    assert!(
        orbit.contains("pub period: i64,") && orbit.contains("pub speed: Option<i64>,"),
        "{orbit}"
    );
    assert_output(&folder.kapigen(&CHECK), 0, &["; 0 files not as generated"], "");
}

#[test]
fn enums_stay_enums_with_all_values() {
    let changes = [("color: {type: string, enum: [Blue, Red]}", "color: {type: string}")];
    held("enum", &changes, STAR, &["pub color: Option<StarColor>,"]);
    let changes = [("enum: [Blue, Red]", "enum: [Red, White]")];
    let file = "out/src/example_com_v1/types/star_color.rs";
    held("values", &changes, file, &["    Blue,\n", "    Red,\n"]);
}

#[test]
fn integers_stay_long() {
    let changes = [("format: int64", "format: int32")];
    let file = "out/src/example_com_v1/types/orbit.rs";
    held("integers", &changes, file, &["pub period: i64,"]);
}

#[test]
fn what_is_lost_stays_deprecated() {
    let changes = [("        seen: {type: string}\n", "")];
    held("member", &changes, STAR, &["pub seen: Option<String>,"]);
    let changes = [("        orbit: {$ref: '#/components/schemas/com.example.v1.Orbit'}\n", "")];
    let folder = upgraded("type", &changes);
    folder.put("groups.yaml", "releases: {Galaxy: \"2\"}\n");
    let generate = [&GENERATE[..], &["--groups", "groups.yaml", "--verbose"]].concat();
    let lines = ["kept    com.example.v1.Star.orbit: not in the documents\n"];
    assert_output(&folder.kapigen(&generate), 0, &lines, "");
    let text = read(&folder, STAR);
    let kept = "    /// It is not in the documents since Galaxy 2.\n    ///\n    /// Deprecated.\n    \
                pub orbit: Orbit,\n";
    assert!(text.contains(kept), "{text}");
}

#[test]
fn lost_operations_and_parameters_stay() {
    let begin = DOCUMENT.find("    # begin").unwrap();
    let end = DOCUMENT.find("    # end").unwrap();
    let lines = ["pub fn delete("];
    held("operation", &[(&DOCUMENT[begin..end], "")], STARS, &lines);
    let changes = [("        - {name: depth, in: query, schema: {type: integer}}\n", "")];
    let file = "out/src/example_com_v1/stars/params.rs";
    let file = if fs::exists(file).unwrap() { file } else { STARS };
    held("parameter", &changes, file, &["pub fn get("]);
}

/// It keeps its ID, so that it is the same one: the function sends the newer request.
#[test]
fn an_operation_that_moves_is_not_kept_twice() {
    let folder = upgraded("moved", &[("    delete:\n", "    post:\n")]);
    assert_output(&folder.kapigen(&GENERATE), 0, &[], "");
    let text = read(&folder, STARS);
    assert!(text.contains("POST /apis/") && !text.contains("DELETE /apis/"), "{text}");
}

/// The struct of parameters stays, and requests without the parameter are refused.
#[test]
fn parameters_that_became_required_stay_optional() {
    let changes = [("{name: depth, in: query, s", "{name: depth, in: query, required: true, s")];
    let folder = upgraded("demanded", &changes);
    let before = read(&folder, STARS);
    assert!(!before.contains(".required_parameters("), "{before}");
    assert_output(&folder.kapigen(&GENERATE), 0, &["kept    "], "");
    let text = read(&folder, STARS).replace("\n    .required_parameters(&[\"depth\"])", "");
    assert_eq!(text, before);
    assert_output(&folder.kapigen(&CHECK), 0, &["; 0 files not as generated"], "");

    let depth = "        - {name: depth, in: query, schema: {type: integer}}\n";
    let width = "        - {name: width, in: query, required: true, schema: {type: integer}}\n";
    let folder = upgraded("new-and-demanded", &[(depth, &format!("{depth}{width}"))]);
    assert_output(&folder.kapigen(&GENERATE), 0, &["kept    "], "");
    let text = read(&folder, STARS);
    assert!(text.contains(".required_parameters(&[\"width\"])"), "{text}");
    assert_output(&folder.kapigen(&CHECK), 0, &["; 0 files not as generated"], "");
}

#[test]
fn what_cannot_be_held_is_refused_and_can_be_accepted() {
    let changes = [("period: {type: integer, format: int64}", "period: {type: string}")];
    let folder = upgraded("refused", &changes);
    let refused = "\
error: `example_com_v1::Orbit.period` cannot be held (field-type-changed): `i64` would be `String`
";
    assert_output(&folder.kapigen(&GENERATE), 2, &[], refused);
    let help = "  help: take the new form with `--accept example_com_v1::Orbit.period`";
    assert_output(&folder.kapigen(&GENERATE), 2, &[], help);
    for accept in [&["--accept", "example_com_v1::Orbit.period"][..], &["--accept-all"]] {
        let folder = upgraded("accepted", &changes);
        assert_output(&folder.kapigen(&[&GENERATE[..], accept].concat()), 0, &[], "");
        let text = read(&folder, "out/src/example_com_v1/types/orbit.rs");
        assert!(text.contains("pub period: String,"), "{text}");
        assert_output(&folder.kapigen(&CHECK), 0, &[], "");
    }
    folder.put("spec/groups.yaml", "accept: {\"example_com_v1::Orbit.period\": names}\n");
    assert_output(&folder.kapigen(&GENERATE), 0, &[], "");
}

#[test]
fn accepted_members_follow_although_they_could_be_held() {
    let folder = upgraded("follows", &[("required: [orbit]", "required: [class]")]);
    let accept = ["--accept", "example_com_v1::Star.class"];
    assert_output(&folder.kapigen(&[&GENERATE[..], &accept].concat()), 0, &[], "");
    let text = read(&folder, STAR);
    assert!(text.contains("pub class: String,") && text.contains("pub orbit: Orbit,"), "{text}");
}

#[test]
fn groups_without_documents_are_kept_or_dropped() {
    let folder =
        upgraded("groups", &[("example.com", "example.org"), ("com.example", "org.example")]);
    let refused = "\
error: the crate has `example.com/v1`, and no document does
  help: give its document; or keep it as it is with `--keep example.com/v1`, or remove it with \
                   `--drop example.com/v1`
";
    assert_output(&folder.kapigen(&GENERATE), 2, &[], refused);
    let keep = [&GENERATE[..], &["--keep", "example.com/v1"]].concat();
    assert_output(&folder.kapigen(&keep), 0, &["kept    "], "");
    assert!(folder.0.join(STAR).exists());
    let check = [&CHECK[..], &["--keep", "example.com/v1"]].concat();
    assert_output(&folder.kapigen(&check), 0, &[], "");
    let drop = [&GENERATE[..], &["--drop", "example.com/v1"]].concat();
    assert_output(&folder.kapigen(&drop), 0, &[], "");
    assert!(!folder.0.join(STAR).exists());
    assert_output(&folder.kapigen(&CHECK), 0, &[], "");
}

#[test]
fn an_interface_that_cannot_be_read_is_refused() {
    let folder = upgraded("unread", &[("required: [orbit]", "required: [class]")]);
    assert_output(&folder.kapigen(&GENERATE), 0, &[], "");
    folder.put("out/src/interface.json", "{\"held\": 1}");
    let help = "restore it, or give up the interface of the crate with `--follow`";
    assert_output(&folder.kapigen(&GENERATE), 2, &[], help);
}
