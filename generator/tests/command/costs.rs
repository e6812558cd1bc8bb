//! Documents that were made to cost much: each is read or refused at a small multiple of its size.
//!
//! Each input is so large that an algorithm with quadratic time needs minutes. A run has 20 seconds
//! of processor time and needs less than two. The limit does not depend on how busy the machine is.

use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;
use std::time::Duration;

/// Processor time in seconds, and address space in kilobytes.
const LIMITS: &str = "ulimit -t 20 && ulimit -v 1000000 && exec \"$@\"";

/// The longest output, as a multiple of the document: errors are cut.
const MOST_PRINTED: usize = 40;

#[test]
fn deep_yaml_is_refused_before_it_is_read() {
    let document = |piece: &str| {
        format!("openapi: 3.0.3\npaths:\n  {}", piece.repeat(4_000_000 / piece.len()))
    };
    let deep = |name: &str, piece: &str| {
        refused(
            name,
            &document(piece),
            None,
            "error: the document is nested deeper than 128 levels\n  --> spec.yaml:3:",
        );
    };
    deep("lists", "[");
    deep("maps", "{a: ");
    // A check that also counts brackets in strings finds no depth here.
    deep("texts", "[ \"]\", ");
    deep("block", "- ");
    let message = "error: a key is a list or a mapping, and not a string\n  --> spec.yaml:3:";
    refused("keys", &document("? "), None, message);
    let text = format!("openapi: 3.0.3\na: [x]]\npaths: {}", "[".repeat(4_000_000));
    refused("broken", &text, None, "--> spec.yaml:2:7");
}

#[test]
fn aliases_do_not_multiply() {
    let text = format!(
        "openapi: 3.0.3\na: &a {}\nb: [{}]\n",
        "x".repeat(1_000_000),
        "*a, ".repeat(20_000)
    );
    refused("alias", &text, None, "error: the aliases unfold to more than ");
    let merges: Vec<String> =
        (0..20_000).map(|number| format!("k{number}: {{<<: *a}}\n")).collect();
    let rest = "paths: {}\ncomponents: {schemas: {T: {type: object}}}\n";
    accepted(
        "merges",
        &format!("openapi: 3.0.3\na: &a {{b: 1}}\n{}{rest}", merges.concat()),
        Some("T"),
    );
}

#[test]
fn many_errors_cost_as_much_as_they_are_many() {
    let wrong = (0..10_000)
        .map(|number| (format!("T{number}"), json!({"type": "object", "bogus": 1})))
        .collect();
    refused("errors", &document(&wrong), None, "\n\n10000 errors\n");
    // The line of each, another one for each error, is looked for far below the beginning.
    let wrong: Value = serde_json::from_str(&document(&wrong)).unwrap();
    let text = format!("{}{wrong:#}", "\n".repeat(2_000_000));
    refused("errors-far-down", &text, None, "\n\n10000 errors\n");
    // Each error has a chain of types that need the schema with the error.
    let chain = chain(
        3_000,
        |next| json!({"properties": {"next": next, "bad": {"$ref": "#/components/schemas/No"}}}),
    );
    refused("chain-errors", &document(&chain), Some("T0"), ", …, by groups.yaml");
}

#[test]
fn dangling_references_are_compared_with_few_names() {
    let fields: Map<String, Value> = (0..12_000)
        .map(|number| {
            (
                format!("f{number}"),
                json!({"$ref": format!("#/components/schemas/com.example.v1.No{number}")}),
            )
        })
        .collect();
    let mut schemas: Map<String, Value> = (0..12_000)
        .map(|number| (format!("com.example.v1.On{number}"), json!({"type": "object"})))
        .collect();
    schemas.insert("Root".to_owned(), json!({"type": "object", "properties": fields}));
    refused("dangling", &document(&schemas), Some("Root"), "\n\n12000 errors\n");
}

#[test]
fn chains_and_wide_types_cost_little() {
    let chain = chain(4_000, |next| json!({"required": ["next"], "properties": {"next": next}}));
    refused(
        "chain",
        &document(&chain),
        Some("T0"),
        "`spec::T0` would have 4000 layers of types in each other",
    );
    let names: Vec<String> = (0..10_000).map(|number| format!("v{number}")).collect();
    let wide = json!({"type": "object", "properties": {"e": {"type": "string", "enum": names}}});
    let wide = document(&[("Wide".to_owned(), wide)].into_iter().collect());
    refused("enum", &wide, Some("Wide"), "would have 10000 variants; kapigen accepts 3000");
    // All members of a struct are objects.
    let members = |number: usize| {
        (format!("m{number}"), json!({"type": "object", "properties": {"a": {"type": "string"}}}))
    };
    let wide =
        json!({"type": "object", "properties": (0..20_000).map(members).collect::<Map<_, _>>()});
    let schemas = [("Wide".to_owned(), wide)].into_iter().collect();
    refused(
        "boxes",
        &document(&schemas),
        Some("Wide"),
        "`spec::Wide` would have 20000 fields; rustc accepts 3000",
    );
}

#[test]
fn long_names_are_refused_with_what_stands_in_them() {
    let fields: Map<String, Value> =
        (0..20_000).map(|number| (format!("f{number}"), json!({"type": "string"}))).collect();
    let long = [("N".repeat(400_000), json!({"type": "object", "properties": fields}))]
        .into_iter()
        .collect();
    refused(
        "name",
        &document(&long),
        None,
        "the JSON pointer of this place is longer than 1000 bytes",
    );
    let parameter =
        |number| json!({"name": format!("p{number}"), "in": "query", "schema": {"type": "string"}});
    let parameters: Vec<Value> = (0..20_000).map(parameter).collect();
    let path = format!("/apis/example.com/v1/{}", "n".repeat(400_000));
    let document =
        json!({"openapi": "3.0.3", "paths": {path: {"get": {"parameters": parameters}}}});
    refused(
        "path",
        &document.to_string(),
        None,
        "the JSON pointer of this place is longer than 1000 bytes",
    );
}

#[test]
fn definitions_cost_a_small_multiple_of_their_size() {
    let without = |number: usize, member: &str, rest: &Value| {
        let mut definition = definition(&format!("w{number}s"), rest);
        definition["spec"]["versions"][0].as_object_mut().unwrap().remove(member);
        format!("{definition}\n")
    };
    // The place of each error is below all definitions before it.
    let cut: String = (0..3_000).map(|number| without(number, "served", &json!({}))).collect();
    refused("definitions", &cut.replace("\"storage\"", "\"s\""), None, "\n\n3000 errors\n");
    // The path of each error has the whole name.
    for fault in [json!({}), json!(1), json!({"type": "string", "odd": 1})] {
        let faults: Map<String, Value> =
            (0..3_000).map(|number| (format!("p{number}"), fault.clone())).collect();
        let long = json!({"properties": {"n".repeat(300_000): {"properties": faults}}});
        let text = definition("widgets", &long).to_string();
        accepted("faults", &text, None);
    }
    let mut many = definition("widgets", &json!({}));
    let version = many["spec"]["versions"][0].clone();
    let named = |number: usize| {
        let mut version = version.clone();
        version["name"] = format!("v{number}").into();
        version
    };
    many["spec"]["versions"] = (1..1_000).map(named).collect();
    refused("versions", &many.to_string(), None, "is not a list of at most 100 versions");
    // Versions in several manifests are counted together.
    let parts = (0..20).map(|part| {
        many["spec"]["versions"] = (0..50).map(|number| named(part * 50 + number + 1)).collect();
        many.to_string()
    });
    let parts: Vec<String> = parts.collect();
    refused("parts", &parts.join("\n"), None, "`widgets.example.com` has more than 100 versions");
}

/// A definition with one version, which has this schema.
fn definition(plural: &str, schema: &Value) -> Value {
    let mut schema = schema.clone();
    schema["type"] = "object".into();
    let schema = json!({"openAPIV3Schema": schema});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.example.com")},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": plural, "kind": plural.to_uppercase()},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": schema}],
        },
    })
}

#[test]
fn reads_endless_input_up_to_the_limit() {
    let folder = folder("endless");
    for (option, path) in
        [("--spec", "/dev/zero"), ("--groups", "/dev/zero"), ("--fixups", "/dev/zero")]
    {
        fs::write(folder.join("spec.json"), "{\"openapi\": \"3.0.3\"}").unwrap();
        let output = limited(&folder, &["--spec", "spec.json", option, path]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{option}: {said}");
        assert!(
            said.contains("error: cannot read /dev/zero: it has more than 67108864 bytes"),
            "{option}: {said}"
        );
    }
}

/// Types that hold each other, one behind the other.
fn chain(length: usize, holds: impl Fn(Value) -> Value) -> Map<String, Value> {
    let link = |number: usize| {
        let mut schema = holds(json!({"$ref": format!("#/components/schemas/T{}", number + 1)}));
        schema["type"] = "object".into();
        (format!("T{number}"), schema)
    };
    (0..length).map(link).chain([(format!("T{length}"), json!({"type": "object"}))]).collect()
}

fn document(schemas: &Map<String, Value>) -> String {
    json!({"openapi": "3.0.3", "paths": {}, "components": {"schemas": schemas}}).to_string()
}

fn refused(name: &str, text: &str, asked: Option<&str>, expected: &str) {
    let output = run(name, text, asked);
    let said = String::from_utf8_lossy(&output.stderr);
    let start: String = said.chars().take(2000).collect();
    assert_eq!(output.status.code(), Some(2), "{name}: {:?} {start}", output.status);
    assert!(said.contains(expected), "{name}: no {expected:?} in {start}");
    assert!(said.len() <= MOST_PRINTED * text.len(), "{name}: {} bytes of errors", said.len());
}

fn accepted(name: &str, text: &str, asked: Option<&str>) {
    let output = run(name, text, asked);
    let said: String = String::from_utf8_lossy(&output.stderr).chars().take(2000).collect();
    assert!(output.status.success(), "{name}: {:?} {said}", output.status);
}

fn run(name: &str, text: &str, asked: Option<&str>) -> Output {
    let folder = folder(name);
    fs::write(folder.join("spec.yaml"), text).unwrap();
    fs::write(folder.join("groups.yaml"), json!({"types": asked.as_slice()}).to_string()).unwrap();
    limited(&folder, &["--spec", "spec.yaml", "--groups", "groups.yaml"])
}

fn limited(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", LIMITS, "sh", env!("CARGO_BIN_EXE_kapigen"), "list"]).args(arguments);
    command.current_dir(folder).output().unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("costs").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A crate of twice as many kinds takes at most three times the processor time and memory, where
/// work on all pairs would take four: of each, the least of several runs by turns, so that other
/// load counts little.
#[test]
fn twice_the_kinds_cost_twice_as_much() {
    const FEW: usize = 50;
    let folder = folder("kinds");
    for count in [FEW, 2 * FEW] {
        let all: Vec<Value> = (0..count).map(unshared).collect();
        let list = json!({"apiVersion": "v1", "kind": "List", "items": all});
        fs::create_dir_all(folder.join(count.to_string())).unwrap();
        fs::write(folder.join(format!("{count}/all.json")), list.to_string()).unwrap();
    }
    let mut least = [[u64::MAX; 2]; 2];
    for _ in 0..2 {
        for (least, count) in least.iter_mut().zip([FEW, 2 * FEW]) {
            let taken = taken(
                &folder,
                &[
                    "generate",
                    "-q",
                    "--out",
                    &format!("api-{count}/api"),
                    "--spec",
                    &count.to_string(),
                ],
            );
            let _ = fs::remove_dir_all(folder.join(format!("api-{count}")));
            for (least, taken) in least.iter_mut().zip(taken) {
                *least = taken.min(*least);
            }
        }
    }
    println!("{least:?}");
    for (few, many) in least[0].into_iter().zip(least[1]) {
        assert!(many <= few * 3, "{least:?}");
    }
}

/// A definition that shares no schema with others.
fn unshared(number: usize) -> Value {
    let members = |start: &str| -> Map<String, Value> {
        (0..10).map(|member| (format!("{start}{member}"), json!({"type": "string"}))).collect()
    };
    let inner = json!({"type": "object", "properties": members(&format!("m{number}x"))});
    let spec = json!({"type": "object", "properties": {
        "inner": inner, "list": {"type": "array", "items": inner}, "number": {"type": "integer"},
    }});
    let group = format!("g{}.example.com", number / 10);
    let version = json!({"name": "v1", "served": true, "storage": true, "schema": {
        "openAPIV3Schema": {"type": "object", "properties": {"spec": spec}},
    }});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("k{number}s.{group}")},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"plural": format!("k{number}s"), "kind": format!("K{number}")},
            "versions": [version],
        },
    })
}

/// Processor time in hundredths of a second, and the most memory in kilobytes.
fn taken(folder: &Path, arguments: &[&str]) -> [u64; 2] {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kapigen"));
    let mut child = command.current_dir(folder).args(arguments).spawn().unwrap();
    let read = |name: &str| fs::read_to_string(format!("/proc/{}/{name}", child.id())).unwrap();
    let mut memory = 0;
    // Until it is waited for, an ended process keeps its time, but not its memory.
    let stat = loop {
        let status = read("status");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        memory = peak.map_or(memory, |peak| peak.trim().trim_end_matches(" kB").parse().unwrap());
        let stat = read("stat");
        let fields = stat.rsplit(") ").next().unwrap().to_owned();
        if fields.starts_with('Z') {
            break fields;
        }
        thread::sleep(Duration::from_millis(2));
    };
    assert!(child.wait().unwrap().success());
    let fields: Vec<&str> = stat.split(' ').collect();
    let time = [fields[11], fields[12]].map(|ticks| ticks.parse::<u64>().unwrap());
    [time[0] + time[1], memory]
}
