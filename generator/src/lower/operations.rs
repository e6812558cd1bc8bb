//! Operations.

use super::context::{Origin, Result};
use super::kinds;
use super::modules::ModuleAssignment;
use super::paths::{self, ResourcePath, verb_of_action};
use super::types::Types;
use crate::error::Location;
use crate::model::{Api, GroupVersion, GroupVersionKind, Operation, Resource, Verb};
use crate::names;
use crate::openapi::resolve::Documents;
use crate::pointer::escape;
use kapigen_definitions::schema_keywords::{ACTION, KINDS};
use openapiv3::PathItem;
use std::collections::BTreeMap;

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
        if self.check_path(found, &origin).is_err() {
            return;
        }
        let verb = self.verb(found, &origin);
        let kind = self.kind(found, &origin).unwrap_or_default();
        self.check_id(found, &location, &origin);
        self.refuse_callbacks(found, &origin);
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
            body: self.body(found, verb, &origin).unwrap_or_default(),
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

    /// The kind that an operation works on.
    fn kind(
        &mut self,
        found: &FoundOperation<'_>,
        origin: &Origin,
    ) -> Result<Option<GroupVersionKind>> {
        let Some(extension) = found.operation.extensions.get(KINDS) else { return Ok(None) };
        if let Some(kind) = kinds::only_kind_in(extension) {
            return Ok(Some(kind));
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
        Err(self.types.context.fail_at(location, message, help, origin))
    }

    /// Checks the path of an operation.
    fn check_path(&mut self, found: &FoundOperation<'_>, origin: &Origin) -> Result<()> {
        let Some((message, help)) = paths::mistake(found.path, &found.resource) else {
            return Ok(());
        };
        Err(self.types.context.fail_at(self.path_location(found), message, help, origin))
    }

    fn check_id(&mut self, found: &FoundOperation<'_>, location: &Location, origin: &Origin) {
        let Some(id) = &found.operation.operation_id else { return };
        if let Some(other) = self.ids.insert((found.document, id.clone()), location.clone()) {
            let message = format!("duplicate operationId `{id}`");
            let help = format!("the other is {}", other.inline());
            self.types.context.fail_at(location.clone(), message, &help, origin);
        }
    }

    fn refuse_callbacks(&mut self, found: &FoundOperation<'_>, origin: &Origin) {
        if !found.operation.callbacks.is_empty() {
            let help =
                "no API server of the Kubernetes family has callbacks; leave the operation out";
            let at = self.location(found, "/callbacks");
            self.types.context.fail_at(at, "callbacks are out of scope", help, origin);
        }
    }
}

/// `operationId`, or one made of method and path.
pub(super) fn id(found: &FoundOperation<'_>) -> String {
    let id = &found.operation.operation_id;
    id.clone().unwrap_or_else(|| format!("{} {}", found.method, found.path))
}
