//! The OpenAPI documents that a server publishes for definitions.

use crate::definition::{Definition, Version};
use crate::operations;
use crate::schema::{self, add_embedded, add_identity};
use crate::schema_keywords::{self, KINDS, SELECTABLE};
use crate::shared::{self, reference};
use kapigen_yaml::pointer::{escape, unescape};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The OpenAPI 3.0 document of one group and version, as a server publishes it under
/// `/openapi/v3/apis/GROUP/VERSION`.
#[derive(Clone, Debug)]
pub struct Document {
    group: String,
    version: String,
    value: Value,
    /// The definition and version of each kind, by the names of its schemas and by its plural name.
    kinds: BTreeMap<String, Origin>,
}

/// A definition and a version, by their indexes.
#[derive(Clone, Copy, Debug)]
struct Origin {
    definition: usize,
    version: usize,
}

/// The place in a manifest that a place in a document comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestPlace {
    /// The index of the definition among the ones that the documents were made from.
    pub definition: usize,
    /// The index of the version in the definition.
    pub version: usize,
    /// The JSON pointer in the manifest. For parts that only the document has, it points to the
    /// nearest enclosing value.
    pub pointer: String,
}

/// Makes the documents of all served versions: one for each group and version, in the order in
/// which they first occur.
///
/// If two definitions have the same plural name or kind in a group, the first is published, as on a
/// server.
#[must_use]
pub fn documents(definitions: &[Definition<'_>]) -> Vec<Document> {
    make(definitions, |version| version.published().ok())
}

/// Makes the documents as [`documents`] does, but with the members of schemas that are not
/// structural. A server publishes none of these; this is for tools that accept more than servers
/// do.
#[must_use]
pub fn documents_with_all_members(definitions: &[Definition<'_>]) -> Vec<Document> {
    make(definitions, Version::with_all_members)
}

fn make<'a>(
    definitions: &[Definition<'a>],
    schema: fn(&Version<'a>) -> Option<Value>,
) -> Vec<Document> {
    let mut documents: Vec<Document> = Vec::new();
    let mut indexes: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (index, definition) in definitions.iter().enumerate() {
        for (number, version) in definition.versions().iter().enumerate() {
            if !version.is_served() {
                continue;
            }
            let at = *indexes.entry((definition.group(), version.name())).or_insert_with(|| {
                documents.push(Document::empty(definition.group(), version.name()));
                documents.len() - 1
            });
            let origin = Origin { definition: index, version: number };
            documents[at].add(definition, version, schema(version), origin);
        }
    }
    documents.iter_mut().for_each(Document::finish);
    documents
}

impl Document {
    fn empty(group: &str, version: &str) -> Self {
        let value = json!({
            "openapi": "3.0.0",
            "info": {"title": "Kubernetes CRD Swagger", "version": "v0.1.0"},
            "paths": {},
            "components": {"schemas": {}},
        });
        Self { group: group.to_owned(), version: version.to_owned(), value, kinds: BTreeMap::new() }
    }

    /// The group.
    #[must_use]
    pub fn group(&self) -> &str {
        &self.group
    }

    /// The version.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The document.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The document.
    #[must_use]
    pub fn into_value(self) -> Value {
        self.value
    }

    /// Moves the document out, and leaves `null`. [`Document::source`] works as before.
    #[must_use]
    pub fn take_value(&mut self) -> Value {
        self.value.take()
    }

    /// Adds the paths and schemas of a version.
    fn add(
        &mut self,
        definition: &Definition<'_>,
        version: &Version<'_>,
        schema: Option<Value>,
        origin: Origin,
    ) {
        let object = schema_name(&self.group, &self.version, definition.kind());
        let list_kind = definition.list_kind();
        let list = schema_name(&self.group, &self.version, &list_kind);
        let plural = plural_key(definition.plural());
        if [&object, &list, &plural].into_iter().any(|name| self.kinds.contains_key(name)) {
            return;
        }
        let mut schemas = [
            (object.clone(), object_schema(schema), definition.kind()),
            (list.clone(), list_schema(definition, &object, &list_kind), &*list_kind),
        ];
        let fields: Value =
            version.selectable_fields().map(|field| json!({"fieldPath": field})).collect();
        for (_, schema, kind) in &mut schemas {
            schema[KINDS] = json!([{"group": self.group, "kind": kind, "version": self.version}]);
            if fields != json!([]) {
                schema[SELECTABLE] = fields.clone();
            }
            schema.as_object_mut().into_iter().for_each(schema_keywords::sort);
        }
        let components = self.value["components"]["schemas"].as_object_mut().expect("made above");
        components.extend(schemas.map(|(name, schema, _)| (name, schema)));
        let paths = self.value["paths"].as_object_mut().expect("made above");
        operations::add(paths, definition, version, &object, &list);
        self.kinds.extend([object, list, plural].map(|name| (name, origin)));
    }

    /// Adds the schemas that all kinds share, and puts everything in order.
    fn finish(&mut self) {
        let paths = self.value["paths"].as_object_mut().expect("made above");
        paths.sort_keys();
        let has_scale = paths.keys().any(|path| path.ends_with("/{name}/scale"));
        let components = self.value["components"]["schemas"].as_object_mut().expect("made above");
        for (name, schema) in shared::schemas(has_scale) {
            components.entry(name.clone()).or_insert_with(|| schema.clone());
        }
        components.sort_keys();
    }

    /// The place in a manifest that a JSON pointer in this document comes from. `None` for parts
    /// that servers add to every document, such as the schema of metadata.
    ///
    /// `definitions` must be the ones that the document was made from.
    #[must_use]
    pub fn source(&self, definitions: &[Definition<'_>], pointer: &str) -> Option<ManifestPlace> {
        let mut tokens = pointer.split('/').skip(1).map(|token| unescape(token).into_owned());
        let section = tokens.next()?;
        let (origin, is_object) = match section.as_str() {
            "components" => {
                let name = tokens.nth(1)?;
                let origin = *self.kinds.get(&name)?;
                let kind = definitions.get(origin.definition)?.kind();
                (origin, name == schema_name(&self.group, &self.version, kind))
            }
            "paths" => (*self.kinds.get(&plural_key(&plural(&tokens.next()?)?))?, false),
            _ => return None,
        };
        let definition = definitions.get(origin.definition)?;
        let version = definition.versions().get(origin.version)?;
        let pointer = match version.schema() {
            Some(schema) if is_object => inside(schema, version.schema_pointer(), tokens),
            _ if is_object => version.pointer().to_owned(),
            _ => "/spec/names".to_owned(),
        };
        Some(ManifestPlace { definition: origin.definition, version: origin.version, pointer })
    }
}

/// The key of a resource among the names of schemas. No name of a schema has a slash.
fn plural_key(plural: &str) -> String {
    format!("/{plural}")
}

/// The plural name in a path.
fn plural(path: &str) -> Option<String> {
    let mut segments = path.split('/').skip(4);
    let first = segments.next()?;
    let plural = if first == "namespaces" { segments.nth(1).unwrap_or(first) } else { first };
    Some(plural.to_owned())
}

/// Follows tokens into a schema as far as it has them.
fn inside(schema: &Value, mut pointer: String, tokens: impl Iterator<Item = String>) -> String {
    let mut value = schema;
    let mut shifts = false;
    for token in tokens {
        let token = match (shifts, token.parse::<usize>()) {
            (true, Ok(0)) => return pointer,
            (true, Ok(index)) => (index - 1).to_string(),
            _ => token,
        };
        let is_all_of = token == "allOf";
        shifts = is_all_of && value.as_object().is_some_and(schema::shifts_all_of);
        let next = match value {
            Value::Object(members) => members.get(&token),
            Value::Array(elements) => {
                token.parse::<usize>().ok().and_then(|index| elements.get(index))
            }
            _ => None,
        };
        let Some(next) = next else { return pointer };
        value = next;
        pointer.push('/');
        pointer.push_str(&escape(&token));
    }
    pointer
}

/// The name of the schema of a kind: `io.example.v1.Widget`.
fn schema_name(group: &str, version: &str, kind: &str) -> String {
    let labels: Vec<&str> = group.split('.').rev().collect();
    format!("{}.{version}.{kind}", labels.join("."))
}

/// The schema of a kind. Without one, it has no members.
fn object_schema(schema: Option<Value>) -> Value {
    let Some(mut schema) = schema else { return json!({"type": "object"}) };
    // The definition's schemas for these members are replaced before embedded objects are searched.
    if let Value::Object(members) = &mut schema {
        add_identity(members, &shared::OBJECT_META);
    }
    add_embedded(&mut schema);
    schema
}

fn list_schema(definition: &Definition<'_>, object: &str, list_kind: &str) -> Value {
    let items = json!({
        "description": shared::items(definition.plural()),
        "type": "array",
        "items": reference(object),
    });
    let mut schema = Map::new();
    schema.insert(
        "description".to_owned(),
        format!("{list_kind} is a list of {}", definition.kind()).into(),
    );
    schema.insert("type".to_owned(), "object".into());
    schema.insert("required".to_owned(), json!(["items"]));
    schema.insert("properties".to_owned(), json!({"items": items}));
    add_identity(&mut schema, &shared::LIST_META);
    Value::Object(schema)
}
