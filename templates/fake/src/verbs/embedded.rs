//! Resources in custom resources, `x-kubernetes-embedded-resource`: their types and metadata.

use crate::schema::{Node, Shape, conform};
use crate::validate::{self, MetadataChecks, NameRule};
use kapigen_definitions::{Cause, Path, bad_label};
use serde_json::{Map, Value, json};

/// A visitor of resources: their schemas, their members and where they are.
type Visit<'a> = dyn FnMut(Node<'_>, &Map<String, Value>, Path<'_>) + 'a;

/// Visits the resources in a value.
fn each(node: Node<'_>, value: &Value, path: Path<'_>, visit: &mut Visit<'_>) {
    match value {
        Value::Object(members) => {
            if node.is_embedded() {
                visit(node, members, path);
            }
            for (name, value) in members {
                if let Some(below) = node.described(name) {
                    let is_entry = matches!(node.shape(), Shape::Map(_));
                    let key =
                        if is_entry { Path::Key(&path, name) } else { Path::Member(&path, name) };
                    each(below, value, key, visit);
                }
            }
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                each(node.element(), element, Path::Index(&path, index), visit);
            }
        }
        _ => {}
    }
}

/// The first member that every resource has and that has another type here, as servers decode it.
pub(super) fn mistyped(node: Node<'_>, object: &Value) -> Option<String> {
    let mut first = None;
    each(node, object, Path::ROOT, &mut |node, members, path| {
        first = first.take().or_else(|| mistyped_in(node, members, path));
    });
    first
}

/// As [`mistyped`], for one resource.
pub(super) fn mistyped_in(
    node: Node<'_>,
    members: &Map<String, Value>,
    path: Path<'_>,
) -> Option<String> {
    for name in ["apiVersion", "kind"] {
        if let Some(value) = members.get(name).filter(|value| !value.is_string()) {
            let cause = Cause::invalid(&path.member(name), value, "must be a string");
            return Some(cause.to_string());
        }
    }
    let metadata = members.get("metadata")?;
    let why = conform::mistyped(node.member("metadata"), metadata)?;
    Some(Cause::invalid(&path.member("metadata"), metadata, &why).to_string())
}

/// Completes the metadata of the resources in an object, as a server decodes and encodes it.
pub(super) fn complete(node: Node<'_>, value: &mut Value) {
    match value {
        Value::Object(members) => {
            if node.is_embedded()
                && let Some(metadata) = members.get_mut("metadata")
            {
                conform::complete(node.member("metadata"), metadata);
                if let Value::Object(metadata) = metadata {
                    metadata.retain(|_, value| !value.is_null() && *value != "");
                }
            }
            for (name, value) in members {
                if let Some(below) = node.described(name) {
                    complete(below, value);
                }
            }
        }
        Value::Array(elements) => {
            for value in elements {
                complete(node.element(), value);
            }
        }
        _ => {}
    }
}

/// The causes for which the resources in an object are refused.
pub(super) fn causes(node: Node<'_>, object: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    each(node, object, Path::ROOT, &mut |_, members, path| {
        causes.extend(causes_of(members, path));
    });
    causes
}

/// The causes for which one resource is refused.
pub(super) fn causes_of(members: &Map<String, Value>, path: Path<'_>) -> Vec<Cause> {
    let mut causes = Vec::new();
    let names = ["apiVersion", "kind"];
    for name in names.into_iter().filter(|name| !members.contains_key(*name)) {
        causes.push(Cause::required(&path.member(name), ""));
    }
    for name in names {
        let Some(value) = members.get(name) else { continue };
        let why = match value.as_str() {
            None => "must be a string".to_owned(),
            Some("") => "must not be empty".to_owned(),
            Some(text) if name == "apiVersion" && text.matches('/').count() > 1 => {
                format!("unexpected GroupVersion string: {text}")
            }
            Some(text) => match bad_label(&text.to_lowercase()).filter(|_| name == "kind") {
                Some(why) => format!("may have mixed case, but should otherwise match: {why}"),
                None => continue,
            },
        };
        causes.push(Cause::invalid(&path.member(name), value, &why));
    }
    if let Some(metadata) = members.get("metadata") {
        let mut object = json!({"metadata": metadata});
        if metadata["name"].as_str().is_none_or(str::is_empty) {
            object["metadata"]["name"] = json!("fakename");
        }
        let found = validate::metadata(&object, NameRule::PathSegment, MetadataChecks::default());
        let [start, pointer] = [path.to_string(), path.pointer()];
        causes.extend(found.into_iter().map(|cause| within(&start, &pointer, cause)));
    }
    causes
}

/// A cause of a value, as one of the object that has the value at a path.
pub(super) fn within(path: &str, pointer: &str, cause: Cause) -> Cause {
    let field = match &*cause.field {
        "" | "<nil>" => path.to_owned(),
        field if path.is_empty() => field.to_owned(),
        field if field.starts_with('[') => format!("{path}{field}"),
        field => format!("{path}.{field}"),
    };
    Cause { field, pointer: format!("{pointer}{}", cause.pointer), ..cause }
}
