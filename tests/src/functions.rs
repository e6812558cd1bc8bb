//! The endpoint functions as they stand in the text of `generated/src`.

use crate::places;

/// A function that builds a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The module of its group.
    pub module: String,
    /// The module of its resource.
    pub resource: String,
    /// Its name.
    pub name: String,
    /// Whether it is in the module `legacy`.
    pub legacy: bool,
    /// Its documentation, on one line.
    pub docs: String,
    /// Why it is deprecated, if it is.
    pub deprecated: Option<String>,
}

/// All of them, by module, in their order.
///
/// # Panics
/// When `generated/src` cannot be read.
#[must_use]
pub fn written() -> Vec<Written> {
    let folder = places::root().join("generated/src");
    let mut all = Vec::new();
    for path in places::files(&folder, &["rs"]) {
        let name = places::relative(&path, &folder);
        let Some((module, file)) = name.split_once('/') else { continue };
        let text = places::text(&path);
        if text.contains("\n//! Requests for `") && !file.contains('/') {
            all.extend(functions(module, file.trim_end_matches(".rs"), &text));
        }
    }
    all
}

/// The functions of a file. Those of a resource stand at the margin, those of `legacy` one step to the right.
fn functions(module: &str, resource: &str, text: &str) -> Vec<Written> {
    let mut found = Vec::new();
    let (mut above, mut legacy) = (Vec::new(), false);
    for line in text.lines() {
        match line {
            "pub mod legacy {" => legacy = true,
            "}" if legacy => legacy = false,
            _ => {}
        }
        let line = if legacy { line.strip_prefix("    ").unwrap_or_default() } else { line };
        if line.starts_with("///") || line.starts_with('#') {
            above.push(line);
            continue;
        }
        if let Some((name, _)) = line.strip_prefix("pub fn ").and_then(|rest| rest.split_once('(')) {
            let docs: Vec<&str> = above.iter().filter_map(|line| line.strip_prefix("///")).map(str::trim).collect();
            let deprecated =
                above.iter().find_map(|line| line.strip_prefix("#[deprecated(note = \"")?.strip_suffix("\")]"));
            found.push(Written {
                module: module.to_owned(),
                resource: resource.to_owned(),
                name: name.to_owned(),
                legacy,
                docs: docs.join(" "),
                deprecated: deprecated.map(str::to_owned),
            });
        }
        above.clear();
    }
    found
}
