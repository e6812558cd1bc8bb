//! Wrong uses of the macro, each in a program of its own phase of the compiler.

use std::fs;
use std::path::Path;
use test_support::workspace::Workspace;

/// The attribute of a right use.
const RIGHT: &str = "#[resource(group = \"example.com\", version = \"v1\", plural = \"workshops\", scope = Namespaced, list = List)]";
const MEMBERS: &str = "pub struct Workshop { pub spec: Spec }";

#[test]
fn forms_that_the_macro_does_not_have() {
    let keys = |from: &str, to: &str| format!("{} {MEMBERS}", RIGHT.replace(from, to));
    let members = |members: &str| format!("{RIGHT} pub struct Workshop {{ {members} }}");
    let [usage, arguments] =
        ["takes a struct with the attribute `resource`", "has these keys, in this order"];
    let (scope, spec) =
        ("is `Namespaced` or `Cluster`", "`status: Option<WorkshopStatus>` or nothing");
    let uses = [
        (String::new(), usage),
        (MEMBERS.to_owned(), usage),
        (format!("{RIGHT} pub enum Workshop {{ A }}"), usage),
        (format!("{RIGHT} pub struct Workshop<T> {{ pub spec: T }}"), usage),
        (keys(", list = List", ""), arguments),
        (keys("group = \"example.com\", ", ""), arguments),
        (keys("scope = Namespaced", "namespaced"), arguments),
        (keys("\"v1\"", "v1"), arguments),
        (keys("Namespaced", "Namespace"), scope),
        (members(""), spec),
        (members("pub status: Option<Status>"), spec),
        (members("pub status: Option<Status>, pub spec: Spec"), spec),
        (members("pub spec: Spec, pub status: Status"), spec),
        (members("pub spec: Spec, pub data: Data"), spec),
        (members("pub api_version: String, pub spec: Spec"), spec),
    ];
    let in_module = |(index, (text, _)): (usize, &(String, &str))| {
        format!("mod m{index} {{ kapigen_runtime::custom_resource! {{ {text} }} }}")
    };
    let text = uses.iter().enumerate().map(in_module).collect::<Vec<_>>().join("\n");
    let errors = errors("forms", &text);
    // A scope that is none is also no type of the runtime.
    let errors: Vec<_> = errors.iter().filter(|error| !error.contains("error[E04")).collect();
    assert_eq!(errors.len(), uses.len(), "{errors:#?}");
    for (index, (text, expected)) in uses.iter().enumerate() {
        let line = format!(":{}:", index + 1);
        let of_use = |error: &&&String| error.contains(&line) && error.contains(expected);
        assert!(errors.iter().any(|error| of_use(&error)), "{text}\n{errors:#?}");
    }
}

#[test]
fn types_that_lack_a_trait() {
    let all = "Clone, Debug, Default, PartialEq, serde::Deserialize, serde::Serialize";
    for lacking in ["Debug", "Default", "serde::Deserialize", "serde::Serialize"] {
        let text = format!(
            "kapigen_runtime::custom_resource! {{ {RIGHT} pub struct Workshop {{ pub spec: Spec }} }}
            #[derive({})] pub struct Spec {{}}",
            all.replace(&format!("{lacking}, "), "").replace(&format!(", {lacking}"), "")
        );
        let errors = errors("types", &text);
        let name = lacking.trim_start_matches("serde::");
        let is_named = |error: &String| error.contains(name) && error.contains("E0277");
        assert!(errors.iter().all(is_named), "{errors:#?}");
    }
}

#[test]
fn names_that_servers_refuse() {
    for (from, to, expected) in [
        ("example.com", "", "`group` of `#[resource(…)]` is a domain with a dot"),
        ("example.com", "apps", "`group` of `#[resource(…)]` is a domain with a dot"),
        ("\"v1\"", "\"example.com/v1\"", "`version` of `#[resource(…)]` is one such as `v1`"),
        (
            "workshops",
            "Workshops",
            "`plural` of `#[resource(…)]` is the name in paths, in lower case",
        ),
    ] {
        let text = format!(
            "kapigen_runtime::custom_resource! {{ {} pub struct Workshop {{ pub spec: Option<u8> }} }}",
            RIGHT.replace(from, to)
        );
        let errors = errors("names", &text);
        assert!(errors.len() == 1 && errors[0].contains(expected), "{to}: {errors:#?}");
    }
}

/// The errors of a program, one line each.
fn errors(name: &str, text: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("custom-resource").join(name);
    let workspace = Workspace::new(folder.clone(), &[name]);
    let source = folder.join(name).join("src");
    fs::create_dir_all(&source).expect("a folder can be made");
    let runtime = env!("CARGO_MANIFEST_DIR");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         kapigen-runtime = {{ path = '{runtime}' }}\n\
         serde = {{ version = \"1.0\", features = [\"derive\"] }}\n"
    );
    fs::write(folder.join(name).join("Cargo.toml"), manifest).expect("a file can be written");
    fs::write(source.join("lib.rs"), text).expect("a file can be written");
    workspace.compile_errors(name)
}
