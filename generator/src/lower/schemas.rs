//! Schemas to types, from the ones that are needed to the ones that they need.

use super::facets::Facets;
use super::kinds::{self, Home, Packages, Served};
use crate::error::{Error, Errors, Location};
use crate::library::{Library, SchemaId};
use crate::model::{Api, Field, Merge, Presence, Shape, Type, TypeDef, TypeId, Variant};
use crate::selection::Selection;
use crate::{names, wellknown};
use indexmap::IndexMap;
use openapiv3::{AdditionalProperties, ReferenceOr, Schema};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Types that were asked for, and those that are still to be looked into.
pub(super) struct Types<'a> {
    pub(super) library: &'a Library,
    pub(super) selection: &'a Selection,
    pub(super) packages: &'a Packages,
    /// The group-version of each document, for schemas that do not say theirs.
    pub(super) documents: &'a [Home],
    pub(super) served: &'a Served,
    pub(super) errors: &'a mut Errors,
    pub(super) renames_used: BTreeSet<String>,
    names: BTreeMap<TypeId, SchemaId>,
    queue: VecDeque<(SchemaId, TypeId)>,
    /// Who asked for a schema first.
    origins: BTreeMap<SchemaId, Origin>,
}

/// Who asks for a schema.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// An operation, a selection: something with a name.
    Named(String),
    /// Another schema, whose type has this name.
    Type(SchemaId, String),
}

/// Where a schema is used: what a nested type is named after, and who asks.
#[derive(Clone, Debug)]
pub(super) struct Use<'a> {
    pub(super) parent: &'a TypeId,
    pub(super) member: &'a str,
    pub(super) origin: &'a Origin,
}

impl<'a> Types<'a> {
    pub(super) fn new(
        library: &'a Library,
        selection: &'a Selection,
        packages: &'a Packages,
        documents: &'a [Home],
        served: &'a Served,
        errors: &'a mut Errors,
    ) -> Self {
        Self {
            library,
            selection,
            packages,
            documents,
            served,
            errors,
            renames_used: BTreeSet::new(),
            names: BTreeMap::new(),
            queue: VecDeque::new(),
            origins: BTreeMap::new(),
        }
    }

    /// The type of a schema that stands in a document, usually as a reference.
    pub(super) fn used(&mut self, at: &SchemaId, item: &ReferenceOr<Schema>, how: &Use<'_>) -> Option<Type> {
        let id = self.target(at, item, how.origin)?;
        self.ty(&id, how, &mut Vec::new())
    }

    /// The type of a schema that is asked for by name.
    pub(super) fn named(&mut self, id: &SchemaId, origin: &Origin) -> Option<Type> {
        let parent = TypeId { module: String::new(), name: String::new() };
        self.ty(id, &Use { parent: &parent, member: "", origin }, &mut Vec::new())
    }

    /// Looks into every type that was asked for, until none is left.
    pub(super) fn finish(&mut self, api: &mut Api) {
        while let Some((id, type_id)) = self.queue.pop_front() {
            let Some(schema) = self.library.schema(&id) else { continue };
            let home = self.home(&id);
            if let Some(def) = self.define(&id, &type_id, schema, &home) {
                let module = api.modules.entry(type_id.module).or_default();
                module.group_version = home.group_version;
                module.types.insert(type_id.name, def);
            }
        }
    }

    fn home(&self, id: &SchemaId) -> Home {
        self.packages.home(id, &self.documents[id.document])
    }

    fn target(&mut self, at: &SchemaId, item: &ReferenceOr<Schema>, origin: &Origin) -> Option<SchemaId> {
        let ReferenceOr::Reference { reference } = item else {
            self.fail(at, "a schema that was not taken apart", None, origin);
            return None;
        };
        match self.library.resolve(at.document, reference) {
            Ok(id) => Some(id),
            Err(unresolved) => {
                let error = unresolved.at(self.library.location(at));
                self.report(error, origin);
                None
            }
        }
    }

    /// `chain` holds the schemas that stand for others on the way here, to find circles.
    fn ty(&mut self, id: &SchemaId, how: &Use<'_>, chain: &mut Vec<SchemaId>) -> Option<Type> {
        if let Some(rust) = id.name().as_deref().and_then(wellknown::by_schema) {
            return Some(Type::WellKnown(rust));
        }
        if chain.contains(id) {
            self.fail(id, "this schema is defined by itself", Some("break the circle of references"), how.origin);
            return None;
        }
        let schema = self.library.schema(id)?;
        let facets = Facets::of(schema);
        if let Some(ty) = kubernetes_type(&facets, &schema.schema_data.extensions) {
            return Some(ty);
        }
        chain.push(id.clone());
        let ty = match facets.typ {
            Some("string") if facets.values.iter().any(Option::is_some) => self.name(id, how),
            Some("string") if facets.format.as_deref() == Some("byte") => Some(Type::WellKnown(wellknown::BYTES)),
            Some("string") => Some(Type::String),
            Some("boolean") => Some(Type::Bool),
            Some("integer") if facets.format.as_deref() == Some("int32") => Some(Type::Int32),
            Some("integer") => Some(Type::Int64),
            Some("number") => Some(Type::Double),
            Some("array") => self.list(id, &facets, how, chain),
            Some("object") => self.object(id, &facets, how, chain),
            Some(other) => {
                let help = "the types of OpenAPI are string, number, integer, boolean, array and object";
                self.fail(id, &format!("unknown type `{other}`"), Some(help), how.origin);
                None
            }
            None => self.untyped(id, &facets, how, chain),
        };
        chain.pop();
        ty
    }

    fn list(
        &mut self,
        id: &SchemaId,
        facets: &Facets<'_>,
        how: &Use<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Option<Type> {
        let Some(items) = facets.items else {
            self.fail(id, "an array without `items`", Some("say what the array holds"), how.origin);
            return None;
        };
        let id = self.target(id, &unboxed(items), how.origin)?;
        Some(Type::List(Box::new(self.ty(&id, how, chain)?)))
    }

    fn object(
        &mut self,
        id: &SchemaId,
        facets: &Facets<'_>,
        how: &Use<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Option<Type> {
        match (facets.properties, facets.additional) {
            (Some(_), Some(AdditionalProperties::Schema(_))) => {
                let help = "keep one of the two: an object has known members, or any members of one type";
                self.fail(id, "`properties` beside `additionalProperties`", Some(help), how.origin);
                None
            }
            (Some(_), _) => self.name(id, how),
            (None, Some(AdditionalProperties::Schema(values))) => {
                let id = self.target(id, values, how.origin)?;
                Some(Type::Map(Box::new(self.ty(&id, how, chain)?)))
            }
            (None, Some(AdditionalProperties::Any(true))) => {
                Some(Type::Map(Box::new(Type::WellKnown(wellknown::ANY))))
            }
            // A schema of its own without members is an empty struct in all documents of Kubernetes. In another
            // schema nothing is known of such an object.
            (None, _) if id.name().is_some() => self.name(id, how),
            (None, _) => Some(Type::WellKnown(wellknown::ANY)),
        }
    }

    /// No `type`: another schema with more to say of it, or anything.
    fn untyped(
        &mut self,
        id: &SchemaId,
        facets: &Facets<'_>,
        how: &Use<'_>,
        chain: &mut Vec<SchemaId>,
    ) -> Option<Type> {
        if facets.properties.is_some() || facets.additional.is_some() {
            return self.object(id, facets, how, chain);
        }
        match (facets.all_of, facets.one_of, facets.any_of) {
            ([only], [], []) => {
                let id = self.target(id, only, how.origin)?;
                self.ty(&id, how, chain)
            }
            ([], [], []) => Some(Type::WellKnown(wellknown::ANY)),
            ([], _, _) => {
                self.out_of_scope(id, "a choice between schemas (`oneOf`, `anyOf`)", how.origin);
                None
            }
            _ => {
                self.out_of_scope(id, "`allOf` with more than one schema", how.origin);
                None
            }
        }
    }

    /// Gives a schema a named type, and queues it.
    fn name(&mut self, id: &SchemaId, how: &Use<'_>) -> Option<Type> {
        let schema = schema_name(id);
        let module = self.home(id).module;
        let renamed = self.rename(&schema, None);
        let made = match id.name() {
            Some(name) => names::type_name(names::split_schema(&name).1),
            None => names::nested_type_name(&how.parent.name, how.member),
        };
        let Some(name) = renamed.or(made) else {
            let help = format!("give it a name: `rename: {{ \"{schema}\": Name }}` in groups.yaml");
            self.fail(id, &format!("no Rust name can be made of `{schema}`"), Some(&help), how.origin);
            return None;
        };
        let type_id = TypeId { module, name };
        match self.names.get(&type_id) {
            Some(other) if other != id => {
                let other = self.library.location(&other.clone());
                let message = format!("two schemas would be `{}::{}`", type_id.module, type_id.name);
                let help = format!("rename one: `rename: {{ \"{schema}\": Name }}` in groups.yaml; the other is {other}");
                self.fail(id, &message, Some(&help), how.origin);
                return None;
            }
            Some(_) => {}
            None => {
                self.names.insert(type_id.clone(), id.clone());
                self.origins.insert(id.clone(), how.origin.clone());
                self.queue.push_back((id.clone(), type_id.clone()));
            }
        }
        Some(Type::Named(type_id))
    }

    fn rename(&mut self, schema: &str, member: Option<&str>) -> Option<String> {
        self.renames_used.insert(member.map_or_else(|| schema.to_owned(), |member| format!("{schema}.{member}")));
        self.selection.renamed(schema, member).map(str::to_owned)
    }

    fn define(&mut self, id: &SchemaId, type_id: &TypeId, schema: &Schema, home: &Home) -> Option<TypeDef> {
        let facets = Facets::of(schema);
        let mut kind = None;
        let shape = if facets.typ == Some("string") {
            let values: Vec<String> = facets.values.into_iter().flatten().collect();
            let names = names::variants(&values);
            Shape::Enum(values.into_iter().zip(names).map(|(wire, name)| Variant { wire, name }).collect())
        } else {
            let mut fields = self.fields(id, type_id, &facets)?;
            kind = kinds::kind_of(schema, &fields, home, self.served);
            if kind.is_some() {
                // A kind has its metadata always, as servers write it.
                let metadata = fields.iter_mut().find(|field| field.wire == "metadata");
                metadata.into_iter().for_each(|field| field.presence = Presence::Required);
            }
            Shape::Struct(fields)
        };
        Some(TypeDef {
            schema: schema_name(id),
            description: schema.schema_data.description.clone(),
            deprecated: schema.schema_data.deprecated,
            shape,
            kind,
            location: self.library.location(id),
        })
    }

    fn fields(&mut self, id: &SchemaId, type_id: &TypeId, facets: &Facets<'_>) -> Option<Vec<Field>> {
        let mut fields: Vec<Field> = Vec::new();
        let mut complete = true;
        for (wire, item) in facets.properties.into_iter().flatten() {
            let at = id.below(&format!("properties/{}", crate::document::escape(wire)));
            let required = facets.required.contains(wire);
            let Some(field) = self.field(&at, id, type_id, wire, &unboxed(item), required) else {
                complete = false;
                continue;
            };
            if let Some(other) = fields.iter().find(|other| other.name == field.name) {
                let message = format!("`{}` and `{wire}` would both be `{}`", other.wire, field.name);
                let help = format!("rename one: `rename: {{ \"{}.{wire}\": name }}` in groups.yaml", schema_name(id));
                self.fail(&at, &message, Some(&help), &Origin::Type(id.clone(), display(type_id)));
                complete = false;
            }
            fields.push(field);
        }
        complete.then_some(fields)
    }

    fn field(
        &mut self,
        at: &SchemaId,
        owner: &SchemaId,
        type_id: &TypeId,
        wire: &str,
        item: &ReferenceOr<Schema>,
        required: bool,
    ) -> Option<Field> {
        let origin = Origin::Type(owner.clone(), display(type_id));
        let ty = self.used(at, item, &Use { parent: type_id, member: wire, origin: &origin });
        let Some(name) = self.rename(&schema_name(owner), Some(wire)).or_else(|| names::field(wire)) else {
            let help = format!("give it a name: `rename: {{ \"{}.{wire}\": name }}` in groups.yaml", schema_name(owner));
            self.fail(at, &format!("no Rust name can be made of `{wire}`"), Some(&help), &origin);
            return None;
        };
        let target = self.target(at, item, &origin)?;
        let data = &self.library.schema(&target)?.schema_data;
        Some(Field {
            wire: wire.to_owned(),
            name,
            description: data.description.clone(),
            deprecated: data.deprecated,
            ty: ty?,
            presence: if required && !data.nullable { Presence::Required } else { Presence::Optional },
            merge: merge(&data.extensions),
        })
    }

    fn out_of_scope(&mut self, id: &SchemaId, what: &str, origin: &Origin) {
        let help = "no API server of the Kubernetes family publishes such a schema; leave out what needs it, or \
                    correct the document";
        self.fail(id, &format!("{what} is out of scope"), Some(help), origin);
    }

    fn fail(&mut self, id: &SchemaId, message: &str, help: Option<&str>, origin: &Origin) {
        let mut error = Error::at(self.library.location(id), message);
        error.help = help.map(str::to_owned);
        self.report(error, origin);
    }

    /// Reports an error with everybody who needs what is wrong, up to an operation.
    pub(super) fn report(&mut self, mut error: Error, origin: &Origin) {
        let mut origin = origin.clone();
        loop {
            match origin {
                Origin::Named(name) => {
                    error.needed_by.push(name);
                    break;
                }
                Origin::Type(id, name) => {
                    error.needed_by.push(name);
                    let Some(next) = self.origins.get(&id) else { break };
                    origin = next.clone();
                }
            }
        }
        self.errors.push(error);
    }

    /// Reports an error at a place of a document.
    pub(super) fn fail_at(&mut self, location: Location, message: impl Into<String>, help: &str, origin: &Origin) {
        self.report(Error::at(location, message).help(help), origin);
    }
}

/// The types that only Kubernetes has, by its keywords.
fn kubernetes_type(facets: &Facets<'_>, extensions: &IndexMap<String, Value>) -> Option<Type> {
    let says = |key: &str| extensions.get(key).is_some_and(|value| value == &Value::Bool(true));
    if says("x-kubernetes-int-or-string") || facets.format.as_deref() == Some("int-or-string") {
        return Some(Type::WellKnown(wellknown::INT_OR_STRING));
    }
    let open = says("x-kubernetes-preserve-unknown-fields") || says("x-kubernetes-embedded-resource");
    (open && facets.properties.is_none()).then_some(Type::WellKnown(wellknown::ANY))
}

fn merge(extensions: &IndexMap<String, Value>) -> Merge {
    let text = |key: &str| extensions.get(key).and_then(Value::as_str).map(str::to_owned);
    let keys = extensions.get("x-kubernetes-list-map-keys").and_then(Value::as_array);
    Merge {
        list_type: text("x-kubernetes-list-type"),
        list_map_keys: keys.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect(),
        map_type: text("x-kubernetes-map-type"),
        patch_strategy: text("x-kubernetes-patch-strategy"),
        patch_merge_key: text("x-kubernetes-patch-merge-key"),
    }
}

/// A schema's own name, or for a nested one the pointer below `components/schemas`.
fn schema_name(id: &SchemaId) -> String {
    id.name().unwrap_or_else(|| id.pointer.strip_prefix("/components/schemas/").unwrap_or(&id.pointer).to_owned())
}

fn display(id: &TypeId) -> String {
    format!("{}::{}", id.module, id.name)
}

fn unboxed(item: &ReferenceOr<Box<Schema>>) -> ReferenceOr<Schema> {
    item.clone().unbox()
}
