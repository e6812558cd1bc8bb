//! The operations of `spec/`, read without the generator's code.

use crate::places;
use serde_json::Value;
use std::collections::BTreeMap;

/// An operation as its document has it, with the fixups applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Documented {
    /// `operationId`.
    pub id: String,
    /// HTTP method, in capitals.
    pub method: String,
    /// Path template.
    pub path: String,
    /// `x-kubernetes-action`.
    pub action: String,
    /// The group of the path, empty for core.
    pub group: String,
    /// The version of the path.
    pub version: String,
    /// The kind that is worked on.
    pub kind: String,
    /// Whether the document advises against it.
    pub deprecated: bool,
    /// The parameters of the query.
    pub query: BTreeMap<String, Query>,
    /// The last part of the name of the schema of the body.
    pub body: Option<String>,
    /// The type of the request body.
    pub media_types: Vec<String>,
    /// The status codes of success.
    pub successes: Vec<String>,
    /// The last part of the name of the schema of a success, or its type.
    pub response: String,
}

/// A parameter of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The type of a value.
    pub ty: String,
    /// Whether servers read a list.
    pub repeated: bool,
}

/// The documents by name.
struct Library(BTreeMap<String, Value>);

/// A part of a document, and the name of the document, from which its references go.
#[derive(Clone, Copy)]
struct Part<'a> {
    document: &'a str,
    value: &'a Value,
}

/// All operations of `spec/`.
///
/// # Panics
/// When something there is not understood.
#[must_use]
pub fn documented() -> Vec<Documented> {
    let parse = |text: &str| serde_yaml::from_str::<Value>(text).expect("spec/ is YAML");
    let documents = places::documents().into_iter().map(|(name, text)| (name, parse(&text)));
    let library = Library(documents.collect());
    let mut all = Vec::new();
    for (document, content) in &library.0 {
        for (path, item) in content["paths"].as_object().into_iter().flatten() {
            for method in ["get", "put", "post", "delete", "options", "head", "patch", "trace"] {
                let item = Part { document, value: item };
                all.extend(item.value.get(method).map(|_| library.operation(path, item, method)));
            }
        }
    }
    let fixups = parse(&places::text(&places::root().join(places::FIXUPS)));
    fixups.as_array().expect("a list").iter().for_each(|fixup| fix(fixup, &mut all));
    all
}

impl Library {
    /// Follows a reference, also to another document:
    /// `../meta/v1.yaml#/components/parameters/name`.
    fn resolve<'a>(&'a self, part: Part<'a>) -> Part<'a> {
        let Some(reference) = part.value["$ref"].as_str() else { return part };
        let (file, pointer) = reference.split_once('#').expect("a reference has a pointer");
        let name = match file.strip_prefix("../") {
            // Every document is in a folder of its own.
            Some(name) => name,
            None if file.is_empty() => part.document,
            None => panic!("tests/src/operations.rs does not understand the reference {reference}"),
        };
        let (document, content) =
            self.0.get_key_value(name).unwrap_or_else(|| panic!("spec/ has no {name}"));
        let value = content.pointer(pointer).unwrap_or_else(|| panic!("{reference} leads nowhere"));
        Part { document, value }
    }

    fn operation(&self, path: &str, item: Part<'_>, method: &str) -> Documented {
        let Part { document, value } = item;
        let operation = &value[method];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let parameters = [&value["parameters"], &operation["parameters"]]
            .into_iter()
            .filter_map(Value::as_array);
        let parameters =
            parameters.flatten().map(|value| self.resolve(Part { document, value }).value);
        let query = parameters.filter(|parameter| parameter["in"] == "query").map(|parameter| {
            (
                text(&parameter["name"]),
                Query { ty: text(&parameter["schema"]["type"]), repeated: false },
            )
        });
        let body = self.resolve(Part { document, value: &operation["requestBody"] }).value;
        let responses = operation["responses"].as_object().expect("an operation has responses");
        let success = self.resolve(Part { document, value: &responses["200"] }).value;
        let group_version: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        let (group, version) = match group_version.as_slice() {
            ["apis", group, version, ..] => (*group, *version),
            ["api", version, ..] => ("", *version),
            _ => panic!("{path} is neither below /api nor below /apis"),
        };
        Documented {
            id: text(&operation["operationId"]),
            method: method.to_uppercase(),
            path: path.to_owned(),
            action: text(&operation["x-kubernetes-action"]),
            group: group.to_owned(),
            version: version.to_owned(),
            kind: text(&operation["x-kubernetes-group-version-kind"]["kind"]),
            deprecated: operation["deprecated"] == true,
            query: query.collect(),
            body: content_type(body),
            media_types: body["content"]
                .as_object()
                .into_iter()
                .flat_map(|content| content.keys().cloned())
                .collect(),
            successes: responses.keys().filter(|code| code.starts_with('2')).cloned().collect(),
            response: content_type(success).expect("a success has a content"),
        }
    }
}

/// The schema that all media types of a body share.
fn content_type(part: &Value) -> Option<String> {
    let content = part["content"].as_object()?;
    let mut schemas = content.values().map(|media_type| &media_type["schema"]);
    let first = schemas.next()?;
    assert!(schemas.all(|other| other == first), "media types hold different things: {part}");
    let name = first["$ref"].as_str().or(first["type"].as_str())?;
    Some(last_part(name).to_owned())
}

fn last_part(name: &str) -> &str {
    name.rsplit(['.', '/']).next().unwrap_or(name)
}

/// Applies a fixup if it is about operations.
fn fix(fixup: &Value, all: &mut [Documented]) {
    let about = |operation: &Documented| {
        let ends = fixup["operations"]["path-ends"].as_array();
        let has_end = ends.is_none_or(|ends| {
            ends.iter().filter_map(Value::as_str).any(|end| operation.path.ends_with(end))
        });
        fixup["operations"]["action"] == operation.action.as_str() && has_end
    };
    if let Some(name) = fixup["parameter"].as_str() {
        assert_eq!(fixup["repeated"], true, "tests/src/operations.rs does not understand {fixup}");
        all.iter_mut()
            .filter_map(|operation| operation.query.get_mut(name))
            .for_each(|query| query.repeated = true);
    } else if let Some(response) = fixup["response"].as_str() {
        all.iter_mut()
            .filter(|operation| about(operation))
            .for_each(|operation| operation.response = last_part(response).into());
    } else if let Some(parameter) = fixup.get("add-parameter") {
        let ty = parameter["schema"]["type"].as_str().expect("a parameter has a type").to_owned();
        let name = parameter["name"].as_str().expect("a parameter has a name");
        for operation in all.iter_mut().filter(|operation| about(operation)) {
            let query = Query { ty: ty.clone(), repeated: false };
            operation.query.entry(name.to_owned()).or_insert(query);
        }
    } else if let Some(body) = fixup["add-body"].as_str() {
        for operation in all.iter_mut().filter(|operation| about(operation)) {
            if operation.body.is_none() {
                operation.body = Some(last_part(body).to_owned());
                operation.media_types = vec!["application/json".to_owned()];
            }
        }
    } else if let Some(kind) = fixup["kind"].as_str() {
        all.iter_mut()
            .filter(|operation| about(operation))
            .for_each(|operation| kind.clone_into(&mut operation.kind));
    } else {
        assert!(fixup["schema"].is_string(), "tests/src/operations.rs does not understand {fixup}");
    }
}
