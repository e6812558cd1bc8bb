//! Each way in which newer documents can differ from the documents of a crate, in the document
//! `tests/upgrades/stars.yaml`: what the crate holds, and what becomes of it if the new form is
//! accepted. The differences from the older crate are in `tests/upgrades/expected.txt`.
//!
//! `BLESS=1 cargo test -p kapigen-tests --test generation held` writes it anew.

use crate::outline;
use kapigen::input::{Existing, Holding, Source};
use kapigen::model::documents::DOCUMENTS;
use kapigen::{Output, Sources, hold};
use kapigen_tests::{cases, places};
use serde_json::{Value, json};
use similar::TextDiff;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use test_support::workspace::Workspace;

/// A change of the document: its name, and the strings that are replaced.
type Change = (&'static str, &'static [(&'static str, &'static str)]);

const SEEN: &str =
    "seen: {$ref: '../meta/v1.yaml#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time'}";
const SINCE: &str = "since: {$ref: \
    '../meta/v1.yaml#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time'}";
const NAMED: &str = "    com.example.v1.StarCore: {type: object, properties: {radius: {type: \
                     integer}}}\n    com.example.v1.Orbit:\n";
const RING: &str =
    "        ring: {$ref: '#/components/schemas/com.example.v1.StarCore'}\n        mass:";
const TWIN: &str = "twin: {$ref: '#/components/schemas/com.example.v1.Orbit'}";

/// The changes that a crate holds.
const HELD: [Change; 21] = [
    (
        "a member is new, and required",
        &[
            ("        mass:", "        crew: {type: string}\n        mass:"),
            ("size]", "size, crew]"),
        ],
    ),
    ("members that are required now", &[(", size", ", size, twin, tags, mass, class")]),
    (
        "members that are optional now",
        &[("[orbit, names, ", "["), ("required: [period]", "required: [center]")],
    ),
    (
        "a string is an enum",
        &[("class: {type: string}", "class: {type: string, enum: [Dwarf, Giant]}")],
    ),
    ("a string is a time", &[("seen: {type: string}", SEEN)]),
    ("a string is bytes", &[("code: {type: string}", "code: {type: string, format: byte}")]),
    (
        "a string is a quantity",
        &[
            (
                "light: {type: string}",
                "light: {$ref: \
                 '#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity'}",
            ),
            (
                "  schemas:\n",
                "  schemas:\n    io.k8s.apimachinery.pkg.api.resource.Quantity: {type: string}\n",
            ),
        ],
    ),
    (
        "an enum is any string",
        &[("color: {type: string, enum: [Blue, Red]}", "color: {type: string}")],
    ),
    ("an enum lost a value, and has a new one", &[("[Old, Young]", "[Young, Dead]")]),
    (
        "an integer is short",
        &[("size: {type: integer, format: int64}", "size: {type: integer, format: int32}")],
    ),
    (
        "free JSON has a schema",
        &[("any: {}", "any: {type: object, properties: {rays: {type: integer}}}")],
    ),
    ("a member is lost", &[("        lost: {type: string}\n", "")]),
    (
        "a type is lost",
        &[("        dust: {type: object, properties: {grains: {type: integer}}}\n", "")],
    ),
    (
        "a type splits",
        &[
            (TWIN, "twin: {$ref: '#/components/schemas/com.example.v1.Path'}"),
            (
                "    com.example.v1.Orbit:\n",
                "    com.example.v1.Path: {type: object, required: [period], properties: {\
                 period: {type: integer, format: int64}, speed: {type: integer}}}\n    \
                 com.example.v1.Orbit:\n",
            ),
        ],
    ),
    (
        "another schema claims the name of a type",
        &[("    com.example.v1.Orbit:\n", NAMED), ("        mass:", RING)],
    ),
    (
        "another property claims the name of a field",
        &[("        Halo:", "        halo: {type: string}\n        Halo:")],
    ),
    (
        "two types are equal",
        &[(
            "core: {type: object, properties: {",
            "core: {type: object, properties: {glow: {type: \
           integer}, ",
        )],
    ),
    (
        "an operation is lost",
        &[
            ("operationId: deleteStar", "operationId: createStar"),
            ("    delete:\n", "    post:\n"),
            ("-action: delete", "-action: post"),
        ],
    ),
    (
        "a parameter is lost",
        &[("        - {name: since, in: query, schema: {type: string}}\n", "")],
    ),
    (
        "a parameter is required",
        &[("{name: depth, in: query,", "{name: depth, in: query, required: true,")],
    ),
    (
        "a parameter is new",
        &[(
            "        - {name: depth,",
            "        - {name: width, in: query, schema: {type: integer}}\n        - {name: depth,",
        )],
    ),
];

/// The changes that no type would hold.
const REFUSED: [Change; 8] = [
    (
        "a string is an integer or a string",
        &[("class: {type: string}", "class: {x-kubernetes-int-or-string: true}")],
    ),
    (
        "a scalar is an object",
        &[("class: {type: string}", "class: {type: object, properties: {letter: {type: string}}}")],
    ),
    (
        "a scalar is a list",
        &[("class: {type: string}", "class: {type: array, items: {type: string}}")],
    ),
    (
        "an integer is long",
        &[("port: {type: integer, format: int32}", "port: {type: integer, format: int64}")],
    ),
    ("a time is any string", &[(SINCE, "since: {type: string}")]),
    (
        "a list is a map",
        &[(
            "tags: {type: array, items: {type: string}}",
            "tags: {type: object, additionalProperties: {type: string}}",
        )],
    ),
    ("a struct is free JSON", &[(TWIN, "twin: {}")]),
    (
        "a struct contains itself",
        &[(
            "        center: {type: string}",
            "        center: {$ref: '#/components/schemas/com.example.v1.Orbit'}",
        )],
    ),
];

#[test]
fn each_change_is_held_or_refused_and_can_be_accepted() {
    let old = kapigen::generate(&sources(&[])).unwrap_or_else(|errors| panic!("{errors}"));
    let mut text = String::new();
    for (change, is_held) in
        HELD.iter().map(|change| (change, true)).chain(REFUSED.iter().map(|change| (change, false)))
    {
        let (name, _) = change;
        writeln!(text, "# {name}").unwrap();
        match over(&old, &[*change], Holding::default()) {
            Ok(held) => {
                assert!(is_held, "{name} is held");
                let report = &held.held;
                report
                    .held
                    .iter()
                    .for_each(|(place, what)| writeln!(text, "held {place}: {what}").unwrap());
                report.kept.iter().for_each(|place| writeln!(text, "kept {place}").unwrap());
                text += &differences(&old, &held);
            }
            Err(errors) => {
                assert!(!is_held, "{name}: {errors}");
                errors.iter().for_each(|error| writeln!(text, "error: {}", error.message).unwrap());
            }
        }
        let accepted = if is_held {
            kapigen::generate(&sources(&[*change]))
        } else {
            over(&old, &[*change], Holding { accept_all: true, ..Holding::default() })
        };
        let accepted = accepted.unwrap_or_else(|errors| panic!("{name}:\n{errors}"));
        writeln!(text, "{}", if is_held { "## without holding" } else { "## accepted" }).unwrap();
        text += &(differences(&old, &accepted) + "\n");
    }
    let path = folder().join("expected.txt");
    if cases::blessing() {
        kapigen::tree::replace(&path, &text).expect("a file can be written");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    let help = "if this is right: BLESS=1 cargo test -p kapigen-tests --test generation held";
    assert!(
        expected == text,
        "{}\n{help}",
        cases::diff("expected.txt", &expected, &text).unwrap_or_default()
    );
}

/// With all changes at once, a program sends the bytes that it sent before, and every object of a
/// newer server comes back as it was.
#[test]
fn objects_keep_their_bytes_through_a_held_crate() {
    let old = kapigen::generate(&sources(&[])).unwrap_or_else(|errors| panic!("{errors}"));
    let held = over(&old, &HELD, Holding::default()).unwrap_or_else(|errors| panic!("{errors}"));
    let names = ["old", "old-program", "held", "held-program"];
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("held");
    let workspace = Workspace::new(folder, &names);
    for (name, mut output) in [("old", old), ("held", held)] {
        output.add_package(&places::package(name)).expect("it is a name");
        output.tree.write(&workspace.folder.join(name)).expect("a crate can be written");
        write_program(&workspace, name);
    }
    _ = workspace.cargo(&["build", "--workspace", "--quiet"], "RUSTFLAGS");
    let input: String = objects().into_iter().map(|object| object.to_string() + "\n").collect();
    let [before, now] =
        ["old-program", "held-program"].map(|program| workspace.run(program, input.clone()));
    assert!(before.lines().count() > 7 * 30, "{before}");
    assert_eq!(now, before);
    let sent: Vec<&str> = now.lines().rev().take(4).collect();
    assert!(
        sent.iter().all(|line| !line.contains("\"twin\"") && !line.contains("null")),
        "{sent:?}"
    );
}

/// An object without each of the members that changed, with an empty one, and with one that is set.
fn objects() -> Vec<Value> {
    let members = [
        ("orbit", json!({}), json!({"period": 7, "speed": 3})),
        ("names", json!([]), json!(["sol"])),
        ("size", json!(0), json!(5)),
        ("twin", json!({}), json!({"period": 7, "speed": 3})),
        ("tags", json!([]), json!(["a"])),
        ("mass", json!(0), json!(5)),
        ("class", json!(""), json!("Giant")),
        ("seen", json!(""), json!("2026-01-02T03:04:05.000000Z")),
        ("code", json!(""), json!("AA==")),
        ("light", json!(""), json!("1000m")),
        ("color", json!(""), json!("Green")),
        ("phase", json!("Dead"), json!("Old")),
        ("any", json!({}), json!({"rays": 3, "b": null})),
    ];
    let identity =
        json!({"apiVersion": "example.com/v1", "kind": "Star", "metadata": {"name": "sol"}});
    let whole = |leave: Option<&str>| {
        let mut object = identity.clone();
        for (name, _, value) in members.iter().filter(|(name, ..)| Some(*name) != leave) {
            object[*name] = value.clone();
        }
        object
    };
    let mut objects = vec![identity.clone(), whole(None)];
    for (name, empty, set) in &members {
        objects.push(whole(Some(name)));
        for value in [empty, set] {
            let mut object = identity.clone();
            object[*name] = value.clone();
            objects.push(object);
        }
    }
    objects
}

fn write_program(workspace: &Workspace, name: &str) {
    let manifest = format!(
        "[package]\nname = \"{name}-program\"\nversion = \"0.0.0\"\nedition = \
         \"2024\"\n\n[dependencies]\napi = {{ package = \"{name}\", path = \"../{name}\", features \
         = [\"change\"] }}\nserde_json = \"1\"\n"
    );
    let package = workspace.folder.join(format!("{name}-program"));
    fs::create_dir_all(package.join("src")).expect("a folder can be made");
    fs::write(package.join("Cargo.toml"), manifest).expect("a file can be written");
    fs::copy(folder().join("program.rs"), package.join("src/main.rs")).expect("it can be copied");
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("upgrades")
}

/// The document with these changes, and the shared types.
fn sources(changes: &[Change]) -> Sources {
    let mut document = places::text(&folder().join("stars.yaml"));
    for (old, new) in changes.iter().flat_map(|(_, replaced)| *replaced) {
        assert!(document.contains(old), "{old}");
        document = document.replace(old, new);
    }
    let meta = places::text(&places::root().join("spec/meta/v1.yaml"));
    let documents =
        vec![Source::new("example.com/v1.yaml", document), Source::new("meta/v1.yaml", meta)];
    Sources { documents, shipped_fixups: true, ..Sources::default() }
}

fn over(
    old: &Output,
    changes: &[Change],
    holding: Holding,
) -> Result<Output, kapigen::error::Errors> {
    let source = |(path, text): (&str, &str)| Source::new(path, text);
    let documents = old.tree.iter().filter(|(path, _)| path.starts_with(DOCUMENTS)).map(source);
    let interface = old.tree.iter().find(|(path, _)| *path == hold::PATH).map(source);
    let existing = Existing { documents: documents.collect(), interface, holding };
    kapigen::generate(&Sources { existing: Some(existing), ..sources(changes) })
}

/// The differences of the outlines of two crates.
fn differences(old: &Output, new: &Output) -> String {
    let outline = |output: &Output| -> String {
        let files = output.tree.iter().filter(|(path, _)| path.starts_with("src/example_com_v1/"));
        let outlines = files.map(|(path, text)| format!("// {path}\n{}\n", outline::of(text)));
        outlines.collect::<Vec<_>>().concat()
    };
    let (old, new) = (outline(old), outline(new));
    let diff = TextDiff::from_lines(&old, &new);
    let lines = diff.iter_all_changes().filter_map(|change| match change.tag() {
        similar::ChangeTag::Equal => None,
        tag => Some(format!("{tag}{}", change.value())),
    });
    lines.collect()
}
