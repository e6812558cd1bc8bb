//! What a schema is: a scalar, a list, a map, or a type with a name. From the schemas that are needed to the ones that
//! they need.

use super::Context;
use super::facets::{Facets, kubernetes_type};
use super::kinds::Home;
use super::origin::{Asked, Origin, Use};
use super::type_names::{Claims, TypeNames};
use crate::error::Errors;
use crate::input::selection;
use crate::model::wellknown;
use crate::model::{Api, ExternType, Type, TypeId};
use crate::names;
use crate::note::Note;
use crate::openapi::resolve::{Library, SchemaId};
use openapiv3::{AdditionalProperties, ReferenceOr, Schema};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Types that were asked for, and those that are still to be looked into.
pub(super) struct Types<'a> {
    pub(super) context: Context<'a>,
    pub(super) library: &'a Library,
    pub(super) errors: &'a mut Errors,
    /// The types of other crates that are used.
    #[allow(clippy::struct_field_names)] // these are not of this crate
    pub(super) extern_types: BTreeMap<TypeId, ExternType>,
    pub(super) notes: Vec<Note>,
    pub(super) renames_used: BTreeSet<String>,
    /// Labels of the nested schemas that were met, if the selection says anything of such.
    pub(super) nested_seen: BTreeSet<String>,
    /// Who asked for a schema first.
    pub(super) origins: BTreeMap<SchemaId, Asked>,
    /// The number of further names for which a similar one is looked for.
    pub(super) suggestions: usize,
    pub(super) claims: Claims,
    decided: &'a TypeNames,
    names: BTreeMap<SchemaId, TypeId>,
    queue: VecDeque<Named>,
}

/// A schema that is a type.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) id: SchemaId,
    pub(super) type_id: TypeId,
    /// The natural name of the type, which those of nested ones begin with.
    pub(super) base: String,
}

/// Schemas that stand for others, one behind the other. No document has more than two or three.
const LONGEST_CHAIN: usize = 64;

/// Each is a comparison with all names. Whoever has more errors than this is helped by the first of them.
const MOST_SUGGESTIONS: usize = 20;

impl<'a> Types<'a> {
    pub(super) fn new(context: &Context<'a>, decided: &'a TypeNames, errors: &'a mut Errors) -> Self {
        Self {
            context: *context,
            library: context.library,
            errors,
            extern_types: BTreeMap::new(),
            notes: Vec::new(),
            renames_used: BTreeSet::new(),
            nested_seen: BTreeSet::new(),
            origins: BTreeMap::new(),
            suggestions: MOST_SUGGESTIONS,
            claims: Claims::default(),
            decided,
            names: BTreeMap::new(),
            queue: VecDeque::new(),
        }
    }

    /// The type of a schema that stands in a document, usually as a reference.
    pub(super) fn used(&mut self, at: &SchemaId, item: &ReferenceOr<Schema>, how: &Use<'_>) -> Option<Type> {
        let id = self.target(at, item, how.origin)?;
        self.ty(&id, how, &mut Vec::new())
    }

    /// The type of a schema that is asked for by its id.
    pub(super) fn of(&mut self, id: &SchemaId, how: &Use<'_>) -> Option<Type> {
        self.ty(id, how, &mut Vec::new())
    }

    /// Looks into every type that was asked for, until none is left.
    pub(super) fn finish(&mut self, api: &mut Api) {
        while let Some(named) = self.queue.pop_front() {
            let Some(schema) = self.library.schema(&named.id) else { continue };
            let home = self.home(&named.id);
            if let Some(def) = self.define(&named, schema, &home) {
                home.module_in(api).types.insert(named.type_id.name, def);
            }
        }
    }

    /// The schema of each type.
    pub(super) fn schemas(&self) -> BTreeMap<TypeId, SchemaId> {
        self.names.iter().map(|(schema, type_id)| (type_id.clone(), schema.clone())).collect()
    }

    /// The schema that stands at a place: what its reference leads to.
    pub(super) fn target(&mut self, at: &SchemaId, item: &ReferenceOr<Schema>, origin: &Origin) -> Option<SchemaId> {
        let ReferenceOr::Reference { reference } = item else {
            unreachable!("`document` leaves nothing but references in schemas");
        };
        match self.library.resolve(at.document, reference) {
            Ok(id) => Some(id),
            Err(unresolved) => {
                self.unresolved(unresolved, self.library.location(at), origin);
                None
            }
        }
    }

    fn home(&self, id: &SchemaId) -> Home {
        self.context.packages.home(id, &self.context.documents[id.document])
    }

    /// `chain` holds the schemas that stand for others on the way here, to find circles.
    pub(super) fn ty(&mut self, id: &SchemaId, how: &Use<'_>, chain: &mut Vec<SchemaId>) -> Option<Type> {
        if let Some(target) = self.same_as(id, how) {
            return self.substitute(id, &target, how, chain);
        }
        if let Some(rust) = id.name().as_deref().and_then(wellknown::by_schema) {
            return self.hand_written(rust, id, how);
        }
        if chain.contains(id) {
            let help = "one of the schemas in the circle must be an object with `properties`, which can hold itself";
            self.fail(id, "the schema is defined by itself", help, how.origin);
            return None;
        }
        if chain.len() == LONGEST_CHAIN {
            let message = format!("more than {LONGEST_CHAIN} lists, maps and `allOf` stand one in the other here");
            self.fail(id, &message, "no API server publishes such a schema; correct the document", how.origin);
            return None;
        }
        let schema = self.library.schema(id)?;
        let facets = Facets::of(schema);
        if let Some(ty) = kubernetes_type(&facets, &schema.schema_data.extensions) {
            return Some(ty);
        }
        chain.push(id.clone());
        let ty = match facets.typ {
            Some("string") if facets.is_enum() && !how.in_url => self.name(id, how),
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
                self.fail(id, &format!("unknown type `{other}`"), help, how.origin);
                None
            }
            None => self.untyped(id, &facets, how, chain),
        };
        chain.pop();
        ty
    }

    fn list(&mut self, id: &SchemaId, facets: &Facets<'_>, how: &Use<'_>, chain: &mut Vec<SchemaId>) -> Option<Type> {
        let Some(items) = facets.items else {
            let help = "say what the array holds; `items: {}` is anything";
            self.fail(id, "an array without `items`", help, how.origin);
            return None;
        };
        let items = self.target(id, &items.clone().unbox(), how.origin)?;
        Some(Type::List(Box::new(self.held(&items, &inside(id, how, "Item"), chain)?)))
    }

    /// The type of what a list or a map holds. A `null` among them means something, and only free JSON keeps it.
    fn held(&mut self, id: &SchemaId, how: &Use<'_>, chain: &mut Vec<SchemaId>) -> Option<Type> {
        let nullable = self.library.schema(id).is_some_and(|schema| schema.schema_data.nullable);
        if nullable { Some(Type::WellKnown(wellknown::ANY)) } else { self.ty(id, how, chain) }
    }

    fn object(&mut self, id: &SchemaId, facets: &Facets<'_>, how: &Use<'_>, chain: &mut Vec<SchemaId>) -> Option<Type> {
        match (facets.properties, facets.additional) {
            (None, None) if !facets.all_of.is_empty() && !self.only_constrained(id, facets) => {
                self.combined(id, facets, how, chain)
            }
            (Some(_), Some(AdditionalProperties::Schema(_))) => {
                let help = "keep one of the two: an object has known members, or any members of one type";
                self.fail(id, "`properties` beside a schema in `additionalProperties`", help, how.origin);
                None
            }
            // Members beside those that are named: only free JSON loses none of them.
            (Some(_), Some(AdditionalProperties::Any(true))) => Some(Type::WellKnown(wellknown::ANY)),
            (Some(_), _) => self.complete(id, facets, how).then(|| self.name(id, how))?,
            (None, Some(AdditionalProperties::Schema(values))) => {
                let values = self.target(id, values, how.origin)?;
                Some(Type::Map(Box::new(self.held(&values, &inside(id, how, "Value"), chain)?)))
            }
            (None, Some(AdditionalProperties::Any(true))) => Some(Type::Map(Box::new(Type::WellKnown(wellknown::ANY)))),
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
        self.combined(id, facets, how, chain)
    }

    /// Gives a schema a named type, and queues it.
    fn name(&mut self, id: &SchemaId, how: &Use<'_>) -> Option<Type> {
        if how.in_url {
            // An object, which does not fit there. Who asks refuses it, and no type should come of it.
            return Some(Type::WellKnown(wellknown::ANY));
        }
        if let Some(type_id) = self.names.get(id) {
            return Some(Type::Named(type_id.clone()));
        }
        if let Some(ty) = self.extern_type(id, how.origin) {
            return Some(ty);
        }
        let schema = id.label();
        let made = match id.name() {
            Some(name) => names::type_name(names::split_schema(&name).1),
            None => how.name.clone(),
        };
        let renamed = self.rename(&schema, None);
        let Some(base) = renamed.clone().or(made) else {
            let help = selection::advice(&schema, None);
            self.fail(id, &format!("no Rust name can be made of `{schema}`"), &help, how.origin);
            return None;
        };
        let natural = TypeId::own(self.home(id).module, base.clone());
        if renamed.is_none() {
            self.claims.claim(&natural, id);
        } else if let Some(other) = self.claims.choose(&natural, id) {
            let help = format!("the other is {}; choose another name", self.library.location(&other).inline());
            self.fail(id, &format!("two schemas are renamed to `{natural}`"), &help, how.origin);
            return None;
        }
        let type_id = self.decided.of(id).cloned().unwrap_or(natural);
        self.names.insert(id.clone(), type_id.clone());
        self.origins.insert(id.clone(), self.asked(how.origin));
        self.queue.push_back(Named { id: id.clone(), type_id: type_id.clone(), base });
        Some(Type::Named(type_id))
    }

    /// The name that the selection gives to a type or a member.
    pub(super) fn rename(&mut self, schema: &str, member: Option<&str>) -> Option<String> {
        self.renames_used.insert(member.map_or_else(|| schema.to_owned(), |member| format!("{schema}.{member}")));
        self.context.selection.renamed(schema, member).map(str::to_owned)
    }
}

/// How a list or a map uses what it holds. What stands in a named list is named after it, wherever the list is used.
fn inside<'a>(id: &SchemaId, how: &Use<'a>, role: &str) -> Use<'a> {
    match id.name() {
        Some(name) => how.named(names::nested_type_name(names::split_schema(&name).1, role)),
        None => how.clone(),
    }
}
