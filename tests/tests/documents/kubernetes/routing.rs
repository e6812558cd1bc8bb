//! Routing of all operations that servers publish.

use super::compiles::workspace;
use super::crates::{IMAGE, NEWEST};
use kapigen_tests::places::log;
use std::fs;
use test_support::workspace::Workspace;

/// The name of the program.
pub(crate) const NAME: &str = "routes";

/// Writes it, for all of the newest release and the live document.
pub(crate) fn write(workspace: &Workspace) {
    let folder = workspace.folder.join(NAME);
    fs::create_dir_all(folder.join("src")).expect("a folder can be made");
    let manifest = format!(
        "[package]\nname = \"{NAME}\"\nversion = \"0.0.0\"\nedition = \
         \"2024\"\n\n[dependencies]\nkubernetes = {{ package = \"{0}\", path = \"../{0}\" \
         }}\nimages = {{ package = \"{1}\", path = \"../{1}\", features = [\"route\"] }}\n",
        NEWEST.name, IMAGE.name
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("a file can be written");
    fs::write(folder.join("src/main.rs"), PROGRAM).expect("a file can be written");
}

/// Sends each operation with all its arguments and parameters, and prints those that routing
/// changes.
const PROGRAM: &str = r#"//! Routes requests of all operations.

use images::http::Request;
use images::route::Router;
use images::Operation;

fn main() {
    let apis = [kubernetes::API, images::API];
    let router = Router::new(&apis);
    for operation in apis.iter().flat_map(|api| api.operations) {
        println!("{}\t{}", operation.id, routed(&router, operation).unwrap_or_else(|fault| fault));
    }
}

fn routed(router: &Router, operation: &Operation) -> Result<String, String> {
    let mut arguments = Vec::new();
    let mut path = Vec::new();
    for segment in operation.path.split('/') {
        let Some(name) = segment.strip_prefix('{') else {
            path.push(segment.to_owned());
            continue;
        };
        // The rest of a proxied path may have slashes.
        let rest = if operation.path.ends_with("/proxy/{path}") && name == "path}" { "/b" } else { "" };
        path.push(format!("{}-%C3%BC%201{rest}", name.trim_end_matches('}')));
        arguments.push(format!("{}-\u{fc} 1{rest}", name.trim_end_matches('}')));
    }
    let query: Vec<_> = operation.parameters.iter().map(|name| format!("{name}={name}%26+1")).collect();
    let uri = format!("{}?{}", path.join("/"), query.join("&"));
    let mut request = Request::builder().method(operation.method).uri(uri);
    if let Some(media_type) = operation.media_types.first() {
        request = request.header("content-type", *media_type);
    }
    let request = request.body(Vec::new()).map_err(|error| error.to_string())?;
    let route = router.route(&request).map_err(|refusal| refusal.to_string())?;
    if route.operation() != operation {
        return Err(format!("is routed to {}", route.operation().id));
    }
    if route.arguments() != arguments {
        return Err(format!("has the arguments {:?}", route.arguments()));
    }
    for name in operation.parameters {
        if route.parameter(name) != Some(&format!("{name}& 1")) {
            return Err(format!("has the parameter {name} as {:?}", route.parameter(name)));
        }
    }
    Ok(String::new())
}
"#;

#[test]
fn all_operations_are_routed_back() {
    let workspace = workspace();
    _ = workspace.cargo(&["build", "--package", NAME, "--quiet"], "RUSTFLAGS");
    let printed = workspace.run(NAME, String::new());
    let faults: Vec<_> = printed.lines().filter(|line| !line.ends_with('\t')).collect();
    assert!(faults.is_empty(), "{} operations:\n{}", faults.len(), faults.join("\n"));
    let count = printed.lines().count();
    assert!(count > 1000, "{count} operations are too few");
    log(&format!("{count} operations of 1.34 and of images are routed back"));
}
