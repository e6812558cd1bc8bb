//! Operations: their parameters, request bodies and responses.

use super::context::{Origin, Usage};
use super::kinds;
use super::modules::ModuleAssignment;
use super::paths::{self, ResourcePath, verb_of_action};
use super::types::Types;
use crate::error::Location;
use crate::hold::{DEMANDED_EXTENSION, LEFT_OUT_EXTENSION};
use crate::model::{
    Api, Body, GroupVersion, GroupVersionKind, Operation, Param, Resource, Response, Type, Verb,
};
use crate::names;
use crate::openapi::resolve::{Documents, Resolved, Unresolved};
use crate::pointer::escape;
use kapigen_definitions::schema_keywords::{ACTION, KINDS};
use openapiv3::{
    Content, Parameter, ParameterData, ParameterSchemaOrContent, PathItem, StatusCode,
};
use std::collections::{BTreeMap, BTreeSet};

/// An operation of a document, before its schemas are lowered.
pub(super) struct FoundOperation<'a> {
    pub(super) document: usize,
    pub(super) path: &'a str,
    pub(super) method: &'a str,
    pub(super) item: &'a PathItem,
    pub(super) operation: &'a openapiv3::Operation,
    pub(super) resource: ResourcePath,
}

impl FoundOperation<'_> {
    /// The JSON pointer of its path.
    pub(super) fn path_pointer(&self) -> String {
        format!("/paths/{}", escape(self.path))
    }

    /// The JSON pointer of a part of it.
    pub(super) fn pointer(&self, below: &str) -> String {
        format!("{}/{}{below}", self.path_pointer(), self.method)
    }
}

/// All operations on resources of all documents, in their order.
pub(super) fn find(documents: &Documents) -> Vec<FoundOperation<'_>> {
    let mut found = Vec::new();
    for (document, path, item) in documents.paths() {
        let Some(resource) = ResourcePath::parse(path) else { continue };
        for (method, operation) in item.iter() {
            found.push(FoundOperation {
                document,
                path,
                method,
                item,
                operation,
                resource: resource.clone(),
            });
        }
    }
    found
}

/// Whether the objects of each resource live in namespaces.
pub(super) fn namespaced(found: &[FoundOperation<'_>]) -> BTreeMap<(GroupVersion, String), bool> {
    let mut namespaced = BTreeMap::new();
    for FoundOperation { resource, .. } in found {
        let entry = namespaced
            .entry((resource.group_version.clone(), resource.plural.clone()))
            .or_insert(false);
        *entry |= resource.in_namespace;
    }
    namespaced
}

/// Lowers operations into the modules of an API.
pub(super) struct Operations<'a, 'b> {
    pub(super) types: &'b mut Types<'a>,
    /// `operationId` of every operation of each document so far, and where it is.
    pub(super) ids: BTreeMap<(usize, String), Location>,
}

impl Operations<'_, '_> {
    pub(super) fn lower(
        &mut self,
        found: &FoundOperation<'_>,
        assignment: &ModuleAssignment,
        namespaced: bool,
        api: &mut Api,
    ) {
        let path = &found.resource;
        let location = self.location(found, "");
        let function = format!("{} {}", found.method.to_uppercase(), found.path);
        let origin = Origin::Named(function);
        if self.check_path(found, &origin).is_none() {
            return;
        }
        let verb = self.verb(found, &origin);
        let kind = self.kind(found, &origin);
        self.check_id(found, &location, &origin);
        self.check_scope(found, &origin);
        let (path_params, query_params) = self.params(found, &origin);
        let operation = Operation {
            id: id(found),
            method: found.method.to_uppercase(),
            path: found.path.to_owned(),
            group_version: path.group_version.clone(),
            description: found
                .operation
                .description
                .clone()
                .or_else(|| found.operation.summary.clone()),
            verb,
            subresource: path.subresource.clone(),
            below: path.below.clone(),
            scope: path.scope(namespaced),
            deprecated: found.operation.deprecated || path.watch,
            kind: kind.clone(),
            path_params,
            query_params,
            body: self.body(found, verb, &origin),
            responses: self.responses(found, &origin),
            location,
        };
        let feature = self.feature(path, &assignment.module);
        let resource =
            assignment.module_in(api).resources.entry(path.plural.clone()).or_insert_with(|| {
                Resource {
                    plural: path.plural.clone(),
                    kind: None,
                    namespaced,
                    feature,
                    warning: None,
                    operations: Vec::new(),
                }
            });
        if path.subresource.is_none() && resource.kind.is_none() {
            resource.kind = kind.map(|kind| kind.kind);
        }
        resource.operations.push(operation);
    }

    /// The feature of a resource that is selected apart from its module.
    fn feature(&self, path: &ResourcePath, module: &str) -> Option<String> {
        let selection = self.types.context.selection;
        let is_apart = selection.is_apart(&path.group_version, &path.plural);
        is_apart.then(|| format!("{module}_{}", names::module(&path.plural).unwrap_or_default()))
    }

    /// Where a part of an operation is.
    pub(super) fn location(&self, found: &FoundOperation<'_>, below: &str) -> Location {
        self.types.context.documents.location_in(found.document, &found.pointer(below))
    }

    /// Where the path of an operation is.
    pub(super) fn path_location(&self, found: &FoundOperation<'_>) -> Location {
        self.types.context.documents.location_in(found.document, &found.path_pointer())
    }

    /// The verb of an operation. An action that servers do not have is reported.
    fn verb(&mut self, found: &FoundOperation<'_>, origin: &Origin) -> Verb {
        let by_path = found.resource.verb(found.method);
        match found.operation.extensions.get(ACTION).map(verb_of_action) {
            None => by_path,
            Some(Ok(verb)) => verb,
            Some(Err(message)) => {
                let help = "correct it, or leave it out: then the verb follows from the method \
                            and the path";
                let location = self.location(found, &format!("/{ACTION}"));
                self.types.context.fail_at(location, message, help, origin);
                by_path
            }
        }
    }

    /// The kind that an operation works on. One that cannot be read is reported.
    fn kind(&mut self, found: &FoundOperation<'_>, origin: &Origin) -> Option<GroupVersionKind> {
        let extension = found.operation.extensions.get(KINDS)?;
        if let Some(kind) = kinds::only_kind_in(extension) {
            return Some(kind);
        }
        let (message, help) = match extension.as_array().map(Vec::len) {
            Some(2..) => {
                ("lists several kinds", "an operation works on objects of one; keep that one")
            }
            _ => (
                "must be an object with `group`, `version` and `kind`",
                "all three are strings; the core group is the empty one",
            ),
        };
        let message = format!("`{KINDS}` {message}");
        let location = self.location(found, &format!("/{KINDS}"));
        self.types.context.fail_at(location, message, help, origin);
        None
    }

    /// Checks the path of an operation. None: it has an error.
    fn check_path(&mut self, found: &FoundOperation<'_>, origin: &Origin) -> Option<()> {
        let Some((message, help)) = paths::mistake(found.path, &found.resource) else {
            return Some(());
        };
        let at = self.path_location(found);
        self.types.context.fail_at(at, message, help, origin);
        None
    }

    fn check_id(&mut self, found: &FoundOperation<'_>, location: &Location, origin: &Origin) {
        let Some(id) = &found.operation.operation_id else { return };
        if let Some(other) = self.ids.insert((found.document, id.clone()), location.clone()) {
            let message = format!("duplicate operationId `{id}`");
            let help = format!("the other is {}", other.inline());
            self.types.context.fail_at(location.clone(), message, &help, origin);
        }
    }

    fn check_scope(&mut self, found: &FoundOperation<'_>, origin: &Origin) {
        if !found.operation.callbacks.is_empty() {
            let help =
                "no API server of the Kubernetes family has callbacks; leave the operation out";
            self.types.context.fail_at(
                self.location(found, "/callbacks"),
                "callbacks are out of scope",
                help,
                origin,
            );
        }
    }
}

/// `operationId`, or one made of method and path.
pub(super) fn id(found: &FoundOperation<'_>) -> String {
    let made = || format!("{} {}", found.method, found.path);
    found.operation.operation_id.clone().unwrap_or_else(made)
}

/// An extension of a shared parameter: the standard structs that have it although no operation
/// takes it. `spec/` has the operations of one release, and the structs are for newer ones, too.
const STANDARD_EXTENSION: &str = "x-kapigen-standard";

/// The parameters that an operation or its path declares.
#[derive(Default)]
struct Declared {
    path: BTreeMap<String, (Param, Location)>,
    query: BTreeMap<String, Param>,
    /// Whether one has an error, so that one that seems to be missing may be that.
    broken: bool,
}

impl Operations<'_, '_> {
    /// The path parameters, in the order of the path, and the query parameters, by name.
    pub(super) fn params(
        &mut self,
        found: &FoundOperation<'_>,
        origin: &Origin,
    ) -> (Vec<Param>, Vec<Param>) {
        let shared = format!("{}/parameters", found.path_pointer());
        let own = found.pointer("/parameters");
        let mut declared = Declared::default();
        // The operation's parameters replace the path's.
        for (pointer, list) in
            [(shared, &found.item.parameters), (own, &found.operation.parameters)]
        {
            let mut names = BTreeSet::new();
            for (index, item) in list.iter().enumerate() {
                let pointer = format!("{pointer}/{index}");
                let documents = self.types.context.documents;
                let at = documents.location_in(found.document, &pointer);
                let resolved =
                    documents.parameter(Unresolved { document: found.document, pointer, item });
                let Some(parameter) = self.types.context.resolved(resolved, at.clone(), origin)
                else {
                    declared.broken = true;
                    continue;
                };
                self.check_unique(parameter.item, &mut names, at, origin);
                declared.broken |= self.param(&parameter, &mut declared, origin).is_none();
            }
        }
        let path = self.path_params(found, &mut declared, origin);
        (path, declared.query.into_values().collect())
    }

    /// The parameters that standard structs have although no operation takes them, by the name of
    /// the struct.
    pub(super) fn standard_params(&mut self) -> BTreeMap<String, Vec<Param>> {
        let documents = self.types.context.documents;
        let mut standard = BTreeMap::<_, Vec<_>>::new();
        for (document, pointer, item) in documents.shared_parameters() {
            let data = item.parameter_data_ref();
            let structs =
                data.extensions.get(STANDARD_EXTENSION).and_then(|structs| structs.as_array());
            let Some(structs) = structs else { continue };
            let origin = Origin::Named(data.name.clone());
            let at = documents.location_in(document, &pointer);
            let Some(param) =
                self.lower_param(&Resolved { document, pointer, item }, data, &at, &origin)
            else {
                continue;
            };
            for name in structs.iter().filter_map(|name| name.as_str()) {
                standard.entry(name.to_owned()).or_default().push(param.clone());
            }
        }
        standard
    }

    /// Reports a parameter that the same list has already.
    fn check_unique<'p>(
        &mut self,
        parameter: &'p Parameter,
        names: &mut BTreeSet<(bool, &'p str)>,
        at: Location,
        origin: &Origin,
    ) {
        let name = parameter.parameter_data_ref().name.as_str();
        // The others are refused, which is enough.
        let is_known = matches!(parameter, Parameter::Path { .. } | Parameter::Query { .. });
        if is_known && !names.insert((matches!(parameter, Parameter::Path { .. }), name)) {
            let message = format!("duplicate parameter `{name}`");
            self.types.context.fail_at(at, message, "remove one of the two", origin);
        }
    }

    fn param(
        &mut self,
        parameter: &Resolved<'_, Parameter>,
        declared: &mut Declared,
        origin: &Origin,
    ) -> Option<()> {
        let at = self.types.context.documents.location_in(parameter.document, &parameter.pointer);
        match parameter.item {
            Parameter::Path { parameter_data: data, .. } => {
                let param = self.lower_param(parameter, data, &at, origin)?;
                declared.path.insert(data.name.clone(), (param, at));
            }
            Parameter::Query { parameter_data: data, .. }
                if data.extensions.contains_key(LEFT_OUT_EXTENSION) =>
            {
                declared.query.remove(&data.name);
            }
            Parameter::Query { parameter_data: data, .. } => {
                let param = self.lower_param(parameter, data, &at, origin)?;
                declared.query.insert(data.name.clone(), param);
            }
            Parameter::Header { parameter_data: data, .. } => {
                self.refuse("header", data, at, origin)?;
            }
            Parameter::Cookie { parameter_data: data, .. } => {
                self.refuse("cookie", data, at, origin)?;
            }
        }
        Some(())
    }

    fn refuse(
        &mut self,
        kind: &str,
        data: &ParameterData,
        at: Location,
        origin: &Origin,
    ) -> Option<()> {
        let message = format!("the {kind} parameter `{}` is out of scope", data.name);
        let help = "API servers of the Kubernetes family read parameters from path and query \
                    only; remove it";
        self.types.context.fail_at(at, message, help, origin);
        None
    }

    fn lower_param(
        &mut self,
        parameter: &Resolved<'_, Parameter>,
        data: &ParameterData,
        at: &Location,
        origin: &Origin,
    ) -> Option<Param> {
        let ParameterSchemaOrContent::Schema(schema) = &data.format else {
            let message = format!("the parameter `{}` has `content`", data.name);
            self.types.context.fail_at(at.clone(), message, "give it a `schema` instead", origin);
            return None;
        };
        let ty = self.types.used(
            parameter.document,
            &parameter.pointer,
            schema,
            &Usage::in_url(origin),
        )?;
        let fits = match (&ty, parameter.item) {
            (Type::List(inner), Parameter::Query { .. }) => is_scalar(inner),
            (ty, _) => is_scalar(ty),
        };
        if !fits {
            let message = format!("the value of the parameter `{}` does not fit a URL", data.name);
            let help =
                "a query holds strings, numbers, booleans and lists of them, a path no lists";
            self.types.context.fail_at(at.clone(), message, help, origin);
            return None;
        }
        Some(Param {
            wire: data.name.clone(),
            description: data.description.clone(),
            ty,
            required: data.required,
            demanded: data.extensions.contains_key(DEMANDED_EXTENSION),
        })
    }

    /// The parameters that the path template names, in its order. Others that claim to be in it are
    /// errors too.
    fn path_params(
        &mut self,
        found: &FoundOperation<'_>,
        declared: &mut Declared,
        origin: &Origin,
    ) -> Vec<Param> {
        let mut params = Vec::new();
        for name in template_names(found.path) {
            match declared.path.remove(name) {
                Some((param, _)) => params.push(param),
                None if declared.broken => {}
                None => {
                    let at = self.path_location(found);
                    let message = format!(
                        "the path has `{{{name}}}`, but no path parameter `{name}` is declared"
                    );
                    self.types.context.fail_at(
                        at,
                        message,
                        "declare it under `parameters` of the path",
                        origin,
                    );
                }
            }
        }
        for (name, (_, at)) in &declared.path {
            let message =
                format!("the path parameter `{name}` is not in the path `{}`", found.path);
            self.types.context.fail_at(
                at.clone(),
                message,
                "remove it, or put it into the path",
                origin,
            );
        }
        params
    }
}

/// The names between braces, in order.
fn template_names(path: &str) -> impl Iterator<Item = &str> {
    path.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

fn is_scalar(ty: &Type) -> bool {
    matches!(ty, Type::Bool | Type::Int32 | Type::Int64 | Type::Double | Type::String)
}

/// The content of a request body or a response, and its location.
struct Message<'a> {
    content: &'a Content,
    document: usize,
    pointer: String,
    form: &'static str,
    /// The name of the type of an inline schema in it.
    name: Option<String>,
}

impl Operations<'_, '_> {
    pub(super) fn body(
        &mut self,
        found: &FoundOperation<'_>,
        verb: Verb,
        origin: &Origin,
    ) -> Option<Body> {
        let item = found.operation.request_body.as_ref()?;
        let unresolved =
            Unresolved { document: found.document, pointer: found.pointer("/requestBody"), item };
        let resolved = self.types.context.documents.request_body(unresolved);
        let Resolved { document, pointer, item } =
            self.types.context.resolved(resolved, self.location(found, "/requestBody"), origin)?;
        let content = &item.content;
        let required = item.required;
        let message = Message {
            content,
            document,
            pointer,
            form: "request body",
            name: nested_name(found, "Body"),
        };
        if content.values().all(|media| media.schema.is_none()) {
            let help = "give the media type a schema, or leave the resource out of groups.yaml";
            self.fail(&message, "a request body with no schema", help, origin);
            return None;
        }
        let ty = self.only(&message, origin)?;
        let media_types = content.keys().cloned().collect();
        Some(Body { ty, required, media_types, patch: verb == Verb::Patch })
    }

    pub(super) fn responses(
        &mut self,
        found: &FoundOperation<'_>,
        origin: &Origin,
    ) -> BTreeMap<u16, Response> {
        let mut responses = BTreeMap::new();
        for (status, item) in &found.operation.responses.responses {
            // Ranges and failures are the same for all operations.
            let StatusCode::Code(status @ 200..300) = status else { continue };
            let below = format!("/responses/{status}");
            let unresolved =
                Unresolved { document: found.document, pointer: found.pointer(&below), item };
            let resolved = self.types.context.documents.response(unresolved);
            let resolved =
                self.types.context.resolved(resolved, self.location(found, &below), origin);
            let Some(Resolved { document, pointer, item }) = resolved else { continue };
            let name = nested_name(found, "Response");
            let message =
                Message { content: &item.content, document, pointer, form: "response", name };
            let ty = self.only(&message, origin);
            responses.insert(
                *status,
                Response { ty, media_types: item.content.keys().cloned().collect() },
            );
        }
        responses
    }

    /// The one type of all media types. None: there is no schema, or an error was reported.
    fn only(&mut self, message: &Message<'_>, origin: &Origin) -> Option<Type> {
        let usage = Usage::new(message.name.clone(), origin);
        let mut types: Vec<Type> = Vec::new();
        for (media_type, media) in message.content {
            let Some(schema) = &media.schema else { continue };
            let pointer = format!("{}/content/{}", message.pointer, escape(media_type));
            types.push(self.types.used(message.document, &pointer, schema, &usage)?);
        }
        types.dedup();
        let ty = types.pop();
        if !types.is_empty() {
            let help = "all media types of one message must have the same schema";
            self.fail(message, &format!("a {} with several schemas", message.form), help, origin);
            return None;
        }
        ty
    }

    fn fail(&mut self, message: &Message<'_>, error: &str, help: &str, origin: &Origin) {
        let location = self.types.context.documents.location_in(message.document, &message.pointer);
        self.types.context.fail_at(location, error, help, origin);
    }
}

fn nested_name(found: &FoundOperation<'_>, role: &str) -> Option<String> {
    names::nested_type_name(&names::type_name(&id(found))?, role)
}
