//! Paths to resources and their operations.

use super::kinds::{self, Home};
use super::paths::ResourcePath;
use super::schemas::{Origin, Types, Use};
use crate::document::escape;
use crate::error::Location;
use crate::library::{Found, Library, Place, SchemaId, Unresolved};
use crate::model::{Answer, Api, Body, GroupVersion, Operation, Param, Resource, Type, TypeId, Verb};
use crate::names;
use openapiv3::{
    Parameter, ParameterSchemaOrContent, PathItem, ReferenceOr, RequestBody, Response, StatusCode,
};
use std::collections::{BTreeMap, BTreeSet};

/// One operation of a document, before its schemas are looked into.
pub(super) struct FoundOperation<'a> {
    pub(super) document: usize,
    pub(super) path: &'a str,
    pub(super) method: &'a str,
    pub(super) item: &'a PathItem,
    pub(super) operation: &'a openapiv3::Operation,
    pub(super) resource: ResourcePath,
}

/// All operations of all documents, in their order. One that stands in two documents counts once.
pub(super) fn find(library: &Library) -> Vec<FoundOperation<'_>> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (document, content) in library.documents.iter().enumerate() {
        for (path, item) in &content.paths {
            let Some(resource) = ResourcePath::parse(path) else { continue };
            for (method, operation) in item.iter() {
                if seen.insert((path, method)) {
                    let resource = resource.clone();
                    found.push(FoundOperation { document, path, method, item, operation, resource });
                }
            }
        }
    }
    found
}

/// Whether the objects of each resource live in namespaces.
pub(super) fn namespaced(found: &[FoundOperation<'_>]) -> BTreeMap<(GroupVersion, String), bool> {
    let mut namespaced = BTreeMap::new();
    for FoundOperation { resource, .. } in found {
        let entry = namespaced.entry((resource.group_version.clone(), resource.plural.clone())).or_insert(false);
        *entry |= resource.in_namespace;
    }
    namespaced
}

/// Lowers operations into the modules of an API.
pub(super) struct Operations<'a, 'b> {
    pub(super) types: &'b mut Types<'a>,
    /// `operationId` of every operation so far, and where it is.
    pub(super) ids: BTreeMap<String, Location>,
}

impl Operations<'_, '_> {
    pub(super) fn lower(&mut self, found: &FoundOperation<'_>, home: &Home, namespaced: bool, api: &mut Api) {
        let path = &found.resource;
        let location = self.location(found, "");
        let verb = path.verb(action(found), found.method);
        let function = format!("{} {}", found.method.to_uppercase(), found.path);
        let origin = Origin::Named(function);
        let kind = kinds::kinds_in(&found.operation.extensions).into_iter().next();
        self.check_id(found, &location, &origin);
        self.check_scope(found, &origin);
        let (path_params, query_params) = self.params(found, &origin);
        let operation = Operation {
            id: id(found),
            method: found.method.to_uppercase(),
            path: found.path.to_owned(),
            description: found.operation.description.clone().or_else(|| found.operation.summary.clone()),
            verb,
            subresource: path.subresource.clone(),
            scope: path.scope(namespaced),
            deprecated: found.operation.deprecated || path.watch,
            kind: kind.clone(),
            path_params,
            query_params,
            body: self.body(found, verb, home, &origin),
            answers: self.answers(found, home, &origin),
            location,
        };
        let module = api.modules.entry(home.module.clone()).or_default();
        module.group_version = home.group_version.clone();
        let resource = module.resources.entry(path.plural.clone()).or_insert_with(|| Resource {
            plural: path.plural.clone(),
            kind: None,
            namespaced,
            operations: Vec::new(),
        });
        if path.subresource.is_none() && resource.kind.is_none() {
            resource.kind = kind.map(|kind| kind.kind);
        }
        resource.operations.push(operation);
    }

    fn location(&self, found: &FoundOperation<'_>, below: &str) -> Location {
        let document = &self.types.library.documents[found.document].name;
        Location::pointer(document, format!("/paths/{}/{}{below}", escape(found.path), found.method))
    }

    fn check_id(&mut self, found: &FoundOperation<'_>, location: &Location, origin: &Origin) {
        let Some(id) = &found.operation.operation_id else { return };
        if let Some(other) = self.ids.insert(id.clone(), location.clone()) {
            let message = format!("the operationId `{id}` is used twice");
            self.types.fail_at(location.clone(), message, &format!("the other is at {other}"), origin);
        }
    }

    fn check_scope(&mut self, found: &FoundOperation<'_>, origin: &Origin) {
        if !found.operation.callbacks.is_empty() {
            let help = "no API server of the Kubernetes family has callbacks; leave the operation out";
            self.types.fail_at(self.location(found, "/callbacks"), "callbacks are out of scope", help, origin);
        }
    }

    /// The parameters in the path, in its order, and those in the query, by name.
    fn params(&mut self, found: &FoundOperation<'_>, origin: &Origin) -> (Vec<Param>, Vec<Param>) {
        let shared = format!("/paths/{}/parameters", escape(found.path));
        let own = format!("/paths/{}/{}/parameters", escape(found.path), found.method);
        let shared = found.item.parameters.iter().enumerate().map(|(index, item)| (format!("{shared}/{index}"), item));
        let own = found.operation.parameters.iter().enumerate().map(|(index, item)| (format!("{own}/{index}"), item));
        // What stands at the operation replaces what stands at the path.
        let (mut in_path, mut in_query) = (BTreeMap::new(), BTreeMap::new());
        for (pointer, item) in shared.chain(own) {
            let at = Location::pointer(&self.types.library.documents[found.document].name, &pointer);
            let resolved = self.types.library.parameter(Found { document: found.document, pointer, item });
            let Some(place) = self.keep(resolved, at, origin) else { continue };
            self.param(&place, &mut in_path, &mut in_query, origin);
        }
        let path = self.path_params(found, in_path, origin);
        (path, in_query.into_values().collect())
    }

    fn param(
        &mut self,
        place: &Place<'_, Parameter>,
        in_path: &mut BTreeMap<String, Param>,
        in_query: &mut BTreeMap<String, Param>,
        origin: &Origin,
    ) {
        let at = Location::pointer(&self.types.library.documents[place.document].name, &place.pointer);
        let (data, target) = match place.item {
            Parameter::Path { parameter_data, .. } => (parameter_data, in_path),
            Parameter::Query { parameter_data, .. } => (parameter_data, in_query),
            Parameter::Header { parameter_data, .. } | Parameter::Cookie { parameter_data, .. } => {
                let message = format!("the parameter `{}` is no part of path or query", parameter_data.name);
                let help = "API servers of the Kubernetes family read parameters from path and query only; leave it out";
                self.types.fail_at(at, message, help, origin);
                return;
            }
        };
        let ParameterSchemaOrContent::Schema(schema) = &data.format else {
            let message = format!("the parameter `{}` has a media type", data.name);
            self.types.fail_at(at, message, "give it a schema instead", origin);
            return;
        };
        let id = SchemaId { document: place.document, pointer: place.pointer.clone() };
        let parent = TypeId { module: String::new(), name: "Param".to_owned() };
        let how = Use { parent: &parent, member: &data.name, origin };
        let Some(ty) = self.types.used(&id, schema, &how) else { return };
        if !is_simple(&ty) {
            let message = format!("the parameter `{}` is an object", data.name);
            self.types.fail_at(at, message, "only numbers, booleans, strings and lists of them fit a URL", origin);
            return;
        }
        let param =
            Param { wire: data.name.clone(), description: data.description.clone(), ty, required: data.required };
        target.insert(data.name.clone(), param);
    }

    /// The parameters that the path template names, in its order. Others that claim to stand there are errors too.
    fn path_params(
        &mut self,
        found: &FoundOperation<'_>,
        mut declared: BTreeMap<String, Param>,
        origin: &Origin,
    ) -> Vec<Param> {
        let mut params = Vec::new();
        for name in template_names(found.path) {
            match declared.remove(name) {
                Some(param) => params.push(param),
                None => self.types.fail_at(
                    self.location(found, ""),
                    format!("the path has `{{{name}}}`, but no path parameter `{name}` is declared"),
                    "declare it under `parameters` of the path",
                    origin,
                ),
            }
        }
        for name in declared.keys() {
            let message = format!("the path parameter `{name}` does not stand in the path");
            self.types.fail_at(self.location(found, ""), message, "remove it, or put it into the path", origin);
        }
        params
    }

    fn body(&mut self, found: &FoundOperation<'_>, verb: Verb, home: &Home, origin: &Origin) -> Option<Body> {
        let item = found.operation.request_body.as_ref()?;
        let at = self.location(found, "/requestBody");
        let pointer = format!("/paths/{}/{}/requestBody", escape(found.path), found.method);
        let resolved = self.types.library.request_body(Found { document: found.document, pointer, item });
        let Place { document, pointer, item } = self.keep(resolved, at, origin)?;
        let at = Location::pointer(&self.types.library.documents[document].name, &pointer);
        let RequestBody { content, required, .. } = item;
        let how = (home, found, "Body");
        let mut types = Vec::new();
        for (media_type, media) in content {
            let Some(schema) = &media.schema else { continue };
            let pointer = format!("{pointer}/content/{}", escape(media_type));
            types.extend(self.content(&SchemaId { document, pointer }, schema, how, origin));
        }
        let Some(ty) = self.only(types, content.len(), &at, "request body", origin) else {
            return None;
        };
        let media_types = content.keys().cloned().collect();
        Some(Body { ty, required: *required, media_types, patch: verb == Verb::Patch })
    }

    fn answers(&mut self, found: &FoundOperation<'_>, home: &Home, origin: &Origin) -> BTreeMap<u16, Answer> {
        let mut answers = BTreeMap::new();
        for (status, item) in &found.operation.responses.responses {
            // Ranges and failures say nothing that differs between operations.
            let StatusCode::Code(status @ 200..300) = status else { continue };
            let below = format!("/responses/{status}");
            let pointer = format!("/paths/{}/{}{below}", escape(found.path), found.method);
            let resolved = self.types.library.response(Found { document: found.document, pointer, item });
            let Some(place) = self.keep(resolved, self.location(found, &below), origin) else { continue };
            answers.insert(*status, self.answer(&place, home, found, origin));
        }
        answers
    }

    fn answer(
        &mut self,
        place: &Place<'_, Response>,
        home: &Home,
        found: &FoundOperation<'_>,
        origin: &Origin,
    ) -> Answer {
        let at = Location::pointer(&self.types.library.documents[place.document].name, &place.pointer);
        let mut types = Vec::new();
        for (media_type, media) in &place.item.content {
            let Some(schema) = &media.schema else { continue };
            let pointer = format!("{}/content/{}", place.pointer, escape(media_type));
            let id = SchemaId { document: place.document, pointer };
            types.extend(self.content(&id, schema, (home, found, "Answer"), origin));
        }
        let media_types: Vec<String> = place.item.content.keys().cloned().collect();
        let ty = if types.is_empty() { None } else { self.only(types, 1, &at, "response", origin) };
        Answer { ty, media_types }
    }

    fn content(
        &mut self,
        at: &SchemaId,
        schema: &ReferenceOr<openapiv3::Schema>,
        (home, found, suffix): (&Home, &FoundOperation<'_>, &str),
        origin: &Origin,
    ) -> Option<Type> {
        let name = names::type_name(&id(found)).unwrap_or_default();
        let parent = TypeId { module: home.module.clone(), name };
        self.types.used(at, schema, &Use { parent: &parent, member: suffix, origin })
    }

    /// The one type of all media types.
    fn only(
        &mut self,
        mut types: Vec<Type>,
        expected: usize,
        at: &Location,
        what: &str,
        origin: &Origin,
    ) -> Option<Type> {
        types.dedup();
        match types.len() {
            1 => types.pop(),
            0 if expected == 0 || self.types.errors.is_empty() => {
                let help = "give the media type a schema, or leave the resource out of groups.yaml";
                self.types.fail_at(at.clone(), format!("{what} with no schema"), help, origin);
                None
            }
            0 => None,
            _ => {
                let help = "all media types of one message must have the same schema";
                self.types.fail_at(at.clone(), format!("{what} with several schemas"), help, origin);
                None
            }
        }
    }

    fn keep<T>(&mut self, result: Result<T, Unresolved>, at: Location, origin: &Origin) -> Option<T> {
        result.map_err(|unresolved| self.types.report(unresolved.at(at), origin)).ok()
    }
}

/// `operationId`, or one made of method and path.
fn id(found: &FoundOperation<'_>) -> String {
    let made = || format!("{} {}", found.method, found.path);
    found.operation.operation_id.clone().unwrap_or_else(made)
}

fn action<'a>(found: &FoundOperation<'a>) -> Option<&'a str> {
    found.operation.extensions.get("x-kubernetes-action")?.as_str()
}

/// The names between braces, in order.
fn template_names(path: &str) -> impl Iterator<Item = &str> {
    path.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

fn is_simple(ty: &Type) -> bool {
    match ty {
        Type::List(inner) => !matches!(**inner, Type::List(_)) && is_simple(inner),
        Type::Map(_) | Type::Named(_) => false,
        _ => true,
    }
}
