//! Manifests: documents, lists, folders, and every error with its place.

use kapigen_client::manifest::{self, Errors, Manifest, Manifests, parse};
use kapigen_runtime::prelude::*;
use std::fs;
use std::path::PathBuf;

/// The objects of a file, as `kind name line:column`.
fn objects(manifests: &Manifests) -> Vec<String> {
    let shown = |manifest: &Manifest| {
        let Manifest { object, origin, .. } = manifest;
        format!(
            "{} {} {} {}:{}",
            object.api_version(),
            object.kind(),
            object.name(),
            origin.line,
            origin.column
        )
    };
    manifests.objects.iter().map(shown).collect()
}

fn read(text: &str) -> Manifests {
    parse("a.yaml", text.as_bytes()).unwrap_or_else(|errors| panic!("{errors}"))
}

fn refused(text: &str) -> String {
    let errors = parse("a.yaml", text.as_bytes()).unwrap_err();
    assert_eq!(format!("{errors:?}"), errors.to_string(), "as `main` prints it");
    assert!(format!("{errors:#?}").starts_with("Errors {"));
    errors.to_string()
}

#[test]
fn empty_documents_are_counted() {
    let manifests = read(
        "---\n# nothing\n---\nkind: A\napiVersion: v1\n---\n---\n{kind: B, apiVersion: v1}\n...\n",
    );
    assert_eq!(objects(&manifests), ["v1 A  4:1", "v1 B  8:1"]);
    assert_eq!(manifests.empty, 2);
    assert_eq!(read("").objects.len(), 0);
}

#[test]
fn json_is_read_as_one_value_after_another() {
    let manifests =
        read("{\"kind\":\"A\",\"apiVersion\":\"v1\"}\n{\"kind\":\"B\",\"apiVersion\":\"v2\"}");
    assert_eq!(objects(&manifests), ["v1 A  1:1", "v2 B  2:1"]);
}

#[test]
fn values_are_those_of_kubectl() {
    let manifests =
        read("kind: A\napiVersion: v1\nspec: {on: yes, mode: 0644, size: 1.50, name: \"yes\"}\n");
    let object = kapigen_runtime::to_string(&manifests.objects[0].object);
    let expected =
        r#"{"apiVersion":"v1","kind":"A","spec":{"true":true,"mode":420,"size":1.5,"name":"yes"}}"#;
    assert_eq!(object, expected);
}

#[test]
fn lists_are_opened() {
    let text = "\
kind: List
apiVersion: v1
items:
- kind: A
  apiVersion: v1
  metadata: {name: a}
- kind: List
  apiVersion: v1
  items:
  - kind: B
    apiVersion: v1
    metadata:
      name: b
---
kind: PodList
apiVersion: v1
items:
- metadata: {name: c}
- {kind: Other, apiVersion: v2, metadata: {name: d}}
---
kind: AllowList
apiVersion: example.com/v1
items: none
";
    let manifests = read(text);
    let expected = [
        "v1 A a 4:3",
        "v1 B b 10:5",
        "v1 Pod c 18:3",
        "v2 Other d 19:3",
        "example.com/v1 AllowList  21:1",
    ];
    assert_eq!(objects(&manifests), expected);
    assert_eq!(manifests.objects[1].origin.item, Some(0));
}

#[test]
fn lists_without_items_are_empty() {
    for items in ["null", "[]", ""] {
        for kind in ["List", "PodList"] {
            let manifests = read(&format!("kind: {kind}\napiVersion: v1\nitems: {items}\n"));
            assert_eq!((objects(&manifests), manifests.empty), (Vec::new(), 0), "{kind} {items}");
        }
    }
}

#[test]
fn errors_have_file_document_line_and_column() {
    let text = "\
apiVersion: v1
metadata: {name: a}
---
kind: 7
apiVersion: v1
---
- a
---
kind: A
apiVersion: v1
metadata:
  name: a
  labels:
    a.b/c: d
    e: [1]
---
kind: List
apiVersion: v1
items:
- kind: A
  apiVersion: ''
- 3
- {apiVersion: v1}
";
    let expected = "\
a.yaml:1:1: the object has no `kind`
a.yaml:4:7: `kind`: expected a string, found a number (document 2)
a.yaml:7:1: expected an object, found a list (document 3)
a.yaml:15:8: metadata.labels.e: expected a string, found an array (document 4)
a.yaml:21:15: the `apiVersion` of the object is empty (document 5, item 0)
a.yaml:22:3: expected an object, found a number (document 5, item 1)
a.yaml:23:3: the object has no `kind` (document 5, item 2)";
    assert_eq!(refused(text), expected);
}

#[test]
fn a_file_with_an_error_of_syntax_is_refused_from_there() {
    let text = "apiVersion: v1\n---\nkind: A\napiVersion: v1\n---\nkind: [\n";
    let errors = refused(text);
    assert!(
        errors.starts_with("a.yaml:1:1: the object has no `kind`\na.yaml:6:7: invalid YAML: "),
        "{errors}"
    );
    assert!(errors.ends_with(" (document 3)"), "{errors}");
    let bytes = parse("a.yaml", b"kind: \xff").unwrap_err().to_string();
    assert!(bytes.starts_with("a.yaml"), "{bytes}");
}

#[test]
fn documents_that_are_glued_are_found() {
    let glued = "kind: A\napiVersion: v1\nmetadata: {name: a}\nkind: B\napiVersion: v1\nspec: {a: \
                 1, a: 2}\n";
    let expected = "\
a.yaml:4:1: duplicate key `kind`: is `---` missing between two objects?
a.yaml:5:1: duplicate key `apiVersion`: is `---` missing between two objects?
a.yaml:6:14: duplicate key `spec.a`";
    assert_eq!(refused(glued), expected);
}

#[test]
fn namespaces_and_definitions_come_first() {
    let object = |version: &str, kind: &str, name: &str| {
        format!("---\napiVersion: {version}\nkind: {kind}\nmetadata: {{name: {name}}}\n")
    };
    let text = [
        object("apps/v1", "Deployment", "a"),
        object("example.com/v1", "Namespace", "b"),
        object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "c"),
        object("v1", "Namespace", "d"),
        object("v1", "Secret", "e"),
    ];
    let mut manifests = read(&text.concat());
    manifests.sort();
    let names: Vec<_> = manifests.objects.iter().map(|manifest| manifest.object.name()).collect();
    assert_eq!(names, ["d", "c", "a", "b", "e"]);
}

/// A folder that is removed when this is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let path = std::env::temp_dir().join(format!("manifests-{name}-{}", std::process::id()));
        fs::create_dir_all(path.join("within.yaml")).unwrap();
        for (file, text) in files {
            fs::write(path.join(file), text).unwrap();
        }
        Self(path)
    }

    fn open(&self) -> Result<Manifests, Errors> {
        manifest::read(&self.0)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn folders_are_read_in_the_order_of_names() {
    let one = "kind: A\napiVersion: v1\n";
    let folder = Folder::new(
        "order",
        &[
            ("b.yml", one),
            ("a.json", "{\"kind\":\"B\",\"apiVersion\":\"v1\"}"),
            ("c.yaml", "---\n---\n"),
            ("README.md", "# no manifest"),
        ],
    );
    let manifests = folder.open().unwrap();
    assert_eq!(objects(&manifests), ["v1 B  1:1", "v1 A  1:1"]);
    assert_eq!(manifests.empty, 2);
    let file = manifest::read(folder.0.join("b.yml")).unwrap();
    assert!(file.objects[0].origin.to_string().ends_with("b.yml:1:1"));
}

#[test]
fn errors_of_all_files_are_reported_at_once() {
    let folder = Folder::new("errors", &[("a.yaml", "kind: A"), ("b.yaml", "kind: [")]);
    let errors = folder.open().unwrap_err();
    let places: Vec<_> = errors.iter().map(|error| error.origin.to_string()).collect();
    assert!(places[0].ends_with("a.yaml:1:1") && places[1].contains("b.yaml:1:"), "{errors}");
    let empty = Folder::new("empty", &[]).open().unwrap_err().to_string();
    assert!(empty.ends_with(": the folder has no file that ends in .json, .yaml, .yml"), "{empty}");
    assert!(manifest::read("/does/not/exist").is_err());
}

#[test]
fn errors_are_bounded_and_show_nothing_that_controls_a_terminal() {
    let many = refused(&"--- a\n".repeat(100_000));
    assert!(many.ends_with("\nand 99900 more errors"), "{}", &many[many.len() - 100..]);
    let items = format!("kind: List\napiVersion: v1\nitems: [{}]", "{},".repeat(50_000));
    assert_eq!(refused(&items).lines().count(), 101);
    let hostile = parse("a\u{1b}[2J.yaml", b"\"\\e[2J\": 1").unwrap_err().to_string();
    assert!(!hostile.contains('\u{1b}'), "{hostile:?}");
}

#[test]
fn every_document_may_begin_with_a_byte_order_mark() {
    let manifests = read("\u{feff}kind: A\napiVersion: v1\n---\n\u{feff}kind: B\napiVersion: v1\n");
    assert_eq!(objects(&manifests), ["v1 A  1:2", "v1 B  4:2"]);
}

/// Lists in each other, the innermost with these items.
fn nested(levels: usize, items: &str) -> String {
    let open = "{kind: List, apiVersion: v1, items: [".repeat(levels);
    format!("{open}{items}{}", "]}".repeat(levels))
}

#[test]
fn lists_in_each_other_are_opened_up_to_a_depth() {
    let item = "{kind: A, apiVersion: v1}";
    assert_eq!(objects(&read(&nested(8, item))), [format!("v1 A  1:{}", 8 * 37 + 1)]);
    assert_eq!(
        refused(&nested(9, item)),
        format!(
            "a.yaml:1:{}: lists are nested deeper than 8 levels (document 1, item 0)",
            8 * 37 + 1
        )
    );
}

#[test]
fn items_copy_no_long_kind() {
    let list = |version: usize, kind: usize| {
        let version = "v".repeat(version);
        let kind = "K".repeat(kind);
        format!("apiVersion: {version}\nkind: {kind}List\nitems: [{{}}, {{}}]\n")
    };
    assert_eq!(read(&list(317, 317)).objects.len(), 2);
    assert_eq!(
        refused(&list(318, 1)),
        "a.yaml:1:13: the `apiVersion` of a list has more than 317 bytes"
    );
    assert_eq!(refused(&list(1, 318)), "a.yaml:2:7: the `kind` of a list has more than 317 bytes");
    // Nothing is copied to the items of a `List`.
    let text = format!(
        "apiVersion: {}\nkind: List\nitems: [{{kind: A, apiVersion: v1}}]",
        "v".repeat(400)
    );
    assert_eq!(read(&text).objects.len(), 1);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_read_to_its_end() {
    let error = manifest::read("/dev/zero").unwrap_err().to_string();
    assert_eq!(error, "/dev/zero: it has more than 67108864 bytes");
    let folder = Folder::new("pipe", &[("a.yaml", "kind: A\napiVersion: v1\n")]);
    let pipe = folder.0.join("b.yaml");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", folder.0.join("c.yaml")).unwrap();
    assert_eq!(folder.open().unwrap().objects.len(), 1);
}
