//! Schemas of structs of generated crates, made from their tables.

use super::names::{META, Names, numbered};
use kapigen_runtime::codec::{ListType, Merge, Object, PatchStrategy, Scalar, ScalarType, Slot, Table, View};
use serde_json::{Map, Value, json};

/// The schemas of a document by name, each added when something refers to it.
#[derive(Debug)]
pub(super) struct Components<'a> {
    names: &'a Names,
    pub(super) found: Map<String, Value>,
}

/// Members whose type cannot be seen in a table: the struct, the member, and the schema.
const OPAQUE: [(&str, &str, &str); 2] = [
    ("ManagedFieldsEntry", "fieldsV1", "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1"),
    ("WatchEvent", "object", "io.k8s.apimachinery.pkg.runtime.RawExtension"),
];

impl<'a> Components<'a> {
    pub(super) fn new(names: &'a Names) -> Self {
        Self { names, found: Map::new() }
    }

    /// Adds the schema of a struct, whose members are all absent, and those that it refers to. Returns its name.
    pub(super) fn add(&mut self, object: &mut dyn Object) -> String {
        let name = self.names.get(object.table()).to_owned();
        if !self.found.contains_key(&name) {
            // Before its members, which may refer to it.
            self.found.insert(name.clone(), Value::Null);
            let schema = self.object(object);
            self.found.insert(name.clone(), schema);
        }
        name
    }

    /// Adds the schema of patches, and returns its name.
    pub(super) fn patch(&mut self) -> String {
        let name = format!("{META}.Patch");
        self.known(&name, json!({"type": "object"}));
        name
    }

    /// A name that no other schema has, neither in this document nor in that of a generated crate.
    pub(super) fn unused(&self, plain: &str) -> String {
        numbered(plain, |name| self.names.is_taken(name) || self.found.contains_key(name))
    }

    /// A reference to a schema that is the same everywhere.
    pub(super) fn known(&mut self, name: &str, schema: Value) -> Value {
        self.found.insert(name.to_owned(), schema);
        to(name)
    }

    fn object(&mut self, object: &mut dyn Object) -> Value {
        let table = object.table();
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for (index, name) in table.keys.names().iter().enumerate() {
            let empty = object.member_mut(index, false);
            let is_struct = matches!(empty, Slot::Object(_));
            let is_stated = !matches!(empty, Slot::Absent);
            let is_of_kind = !table.identities.is_empty() && matches!(*name, "apiVersion" | "kind" | "metadata");
            if is_stated && !is_of_kind {
                required.push(*name);
            }
            let opaque = OPAQUE.iter().find(|(owner, member, _)| (*owner, *member) == (table.name, *name));
            let mut schema = match opaque {
                Some((_, _, known)) => self.known(known, json!({"type": "object"})),
                None if is_precise(object, index) => self.known(&format!("{META}.MicroTime"), time()),
                None => self.value(object.member_mut(index, true)),
            };
            // Keywords may not stand beside a reference, and servers always have some there.
            if schema.get("$ref").is_some() {
                schema = json!({"allOf": [schema]});
            }
            if is_struct {
                schema["default"] = json!({});
            }
            self.add_merge(&mut schema, table.merge_of(index));
            if let Some((_, default)) = self.names.key_defaults(table).iter().find(|(key, _)| key == name) {
                schema["default"] = default.clone();
            }
            properties.insert((*name).to_owned(), schema);
        }
        let mut schema = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        if table.is_atomic() {
            schema["x-kubernetes-map-type"] = json!("atomic");
        }
        add_identities(&mut schema, table);
        schema
    }

    fn value(&mut self, slot: Slot<'_>) -> Value {
        match slot {
            Slot::Object(object) => to(&self.add(object)),
            Slot::Bool(_) => json!({"type": "boolean"}),
            Slot::Int32(_) => json!({"type": "integer", "format": "int32"}),
            Slot::Int64(_) => json!({"type": "integer", "format": "int64"}),
            Slot::Double(_) => json!({"type": "number", "format": "double"}),
            Slot::String(_) => json!({"type": "string"}),
            Slot::Scalar(scalar) => self.scalar(scalar),
            Slot::List(list) => json!({"type": "array", "items": self.value(list.push(true))}),
            Slot::Map(map) => {
                json!({"type": "object", "additionalProperties": self.value(map.insert(String::new(), true))})
            }
            _ => json!({"x-kubernetes-preserve-unknown-fields": true}),
        }
    }

    fn scalar(&mut self, scalar: &mut dyn Scalar) -> Value {
        match scalar.scalar_type() {
            ScalarType::String => json!({"type": "string"}),
            ScalarType::Format("date-time") => self.known(&format!("{META}.Time"), time()),
            ScalarType::Format(format) => json!({"type": "string", "format": format}),
            ScalarType::IntOrString => {
                let is_quantity = scalar.read_text("no quantity").is_err();
                scalar.clear();
                if is_quantity {
                    self.known("io.k8s.apimachinery.pkg.api.resource.Quantity", json!({"type": "string"}))
                } else {
                    let schema = json!({"type": "string", "format": "int-or-string"});
                    self.known("io.k8s.apimachinery.pkg.util.intstr.IntOrString", schema)
                }
            }
        }
    }

    /// Adds the rules by which changes merge into a member.
    fn add_merge(&self, schema: &mut Value, merge: &Merge) {
        let is_list = schema["type"] == "array";
        match &merge.list {
            ListType::Usual => {}
            ListType::Atomic if is_list => schema["x-kubernetes-list-type"] = json!("atomic"),
            // A struct that is always replaced as a whole says so itself.
            ListType::Atomic if self.is_atomic(schema) => {}
            ListType::Atomic => schema["x-kubernetes-map-type"] = json!("atomic"),
            ListType::Set => schema["x-kubernetes-list-type"] = json!("set"),
            ListType::Map(keys) => {
                let names: Vec<_> = keys.iter().map(|(name, _)| *name).collect();
                schema["x-kubernetes-list-type"] = json!("map");
                schema["x-kubernetes-list-map-keys"] = json!(names);
            }
        }
        let mut strategies = Vec::new();
        match merge.patch {
            PatchStrategy::Usual => {}
            PatchStrategy::Replace => strategies.push("replace"),
            PatchStrategy::Merge(key) => {
                strategies.push("merge");
                if !key.is_empty() {
                    schema["x-kubernetes-patch-merge-key"] = json!(key);
                }
            }
        }
        strategies.extend(merge.retains_keys.then_some("retainKeys"));
        if !strategies.is_empty() {
            schema["x-kubernetes-patch-strategy"] = json!(strategies.join(","));
        }
    }

    /// Whether a schema refers to a struct that changes replace as a whole.
    fn is_atomic(&self, schema: &Value) -> bool {
        self.found.get(target(&schema["allOf"][0])).is_some_and(|found| found["x-kubernetes-map-type"] == "atomic")
    }
}

/// A reference to a schema of the same document.
pub(super) fn to(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// The name of the schema that a reference is to. Empty for any other schema.
fn target(reference: &Value) -> &str {
    reference["$ref"].as_str().and_then(|path| path.rsplit('/').next()).unwrap_or_default()
}

fn time() -> Value {
    json!({"type": "string", "format": "date-time"})
}

/// Whether a member is a time that keeps its fraction.
fn is_precise(object: &mut dyn Object, index: usize) -> bool {
    let Slot::Scalar(scalar) = object.member_mut(index, true) else { return false };
    if !matches!(scalar.scalar_type(), ScalarType::Format("date-time")) {
        return false;
    }
    // It takes any time with a zone.
    let is_read = scalar.read_text("2000-01-01T00:00:00.123456Z").is_ok();
    let mut is_precise = false;
    object.visit_members(&mut |visited, view| {
        if let (true, View::Display(printed)) = (visited == index, view) {
            is_precise = printed.to_string().contains('.');
        }
    });
    is_read && is_precise
}

/// States the kinds that a struct is.
fn add_identities(schema: &mut Value, table: &Table) {
    let kinds: Vec<_> = table
        .identities
        .iter()
        .map(|identity| {
            let (group, version) = identity.api_version.split_once('/').unwrap_or(("", identity.api_version));
            json!({"group": group, "version": version, "kind": identity.kind})
        })
        .collect();
    if !kinds.is_empty() {
        schema["x-kubernetes-group-version-kind"] = json!(kinds);
    }
}
