//! The endpoint functions as they are written in `generated/src`.

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
    /// The reason for its deprecation, if it is deprecated.
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
        if text.contains("\n//! Requests for `") {
            // A resource with parameters of its own is a folder.
            let resource = file.trim_end_matches(".rs").trim_end_matches("/mod");
            assert!(text.contains("\n//! # Errors\n//! "), "{name} does not document errors");
            all.extend(functions(module, resource, &text));
        }
    }
    all
}

/// The functions of a file. Functions of a resource start at the margin; in `legacy`, they are
/// indented once.
fn functions(module: &str, resource: &str, text: &str) -> Vec<Written> {
    let mut found = Vec::new();
    let mut docs = Vec::new();
    let mut attributes = String::new();
    let mut legacy = false;
    for line in text.lines() {
        match line {
            "pub mod legacy {" => legacy = true,
            "}" => legacy = false,
            _ => {}
        }
        let line = if legacy { line.strip_prefix("    ").unwrap_or_default() } else { line };
        if let Some(line) = line.strip_prefix("///") {
            docs.push(line.trim());
        } else if line.starts_with("#[") || (!attributes.is_empty() && !attributes.ends_with(']')) {
            attributes.push_str(line.trim());
        } else {
            let docs = std::mem::take(&mut docs).join(" ");
            let attributes = std::mem::take(&mut attributes);
            let Some(name) = line.strip_prefix("pub fn ").and_then(|rest| rest.split('(').next())
            else {
                continue;
            };
            found.push(Written {
                module: module.to_owned(),
                resource: resource.to_owned(),
                name: name.to_owned(),
                legacy,
                docs,
                deprecated: note(&attributes),
            });
        }
    }
    found
}

/// The note of a deprecation.
fn note(attributes: &str) -> Option<String> {
    let (_, rest) = attributes.split_once("#[deprecated(")?;
    rest.split('"').nth(1).map(str::to_owned)
}
