//! Request bodies of functions, and the types that responses are decoded as.

use super::draft::Call;
use super::{RequestBody, ResponseKind};
use crate::model::{Api, Operation, Resource, Type, TypeId, Verb};

/// The types that the operations of a resource work on.
pub(super) struct ResourceTypes<'a> {
    pub(super) object: Option<&'a TypeId>,
    list: Option<&'a TypeId>,
}

impl<'a> ResourceTypes<'a> {
    pub(super) fn of(api: &'a Api, resource: &'a Resource) -> Self {
        let named = |verb| {
            let mut operations = resource.operations.iter().filter(|op| op.verb == verb && op.subresource.is_none());
            operations.find_map(named_response)
        };
        let list = named(Verb::List);
        let item = list.and_then(|list| api.list_item(list));
        let object = item.or(named(Verb::Get)).or(named(Verb::Create)).or(named(Verb::Replace));
        Self { object, list }
    }
}

fn named_response(operation: &Operation) -> Option<&TypeId> {
    operation.responses.values().find_map(|response| match &response.ty {
        Some(Type::Named(id)) => Some(id),
        _ => None,
    })
}

pub(super) fn request_body(operation: &Operation) -> RequestBody<'_> {
    match (&operation.body, operation.verb) {
        (None, _) => RequestBody::None,
        (Some(_), Verb::Patch) => RequestBody::Patch,
        (Some(_), Verb::Delete | Verb::DeleteCollection) => RequestBody::Options,
        (Some(body), _) => RequestBody::Object(&body.ty),
    }
}

pub(super) fn response_kind(operation: &Operation, call: Call, types: &ResourceTypes<'_>) -> ResponseKind {
    let named = named_response(operation).cloned();
    match (call, operation.verb, types.object, types.list) {
        (Call::Watch | Call::Legacy, _, Some(object), _) => ResponseKind::Watch(object.clone()),
        // An event needs a type of object.
        (Call::Watch | Call::Legacy, ..) => ResponseKind::Text,
        (_, Verb::Connect, ..) if operation.subresource.as_deref() == Some("proxy") => ResponseKind::Text,
        (_, Verb::Connect, ..) => ResponseKind::Upgrade,
        (_, Verb::Delete, Some(object), _) => ResponseKind::Deleted(object.clone()),
        (_, Verb::DeleteCollection, _, Some(list)) => ResponseKind::DeletedCollection(list.clone()),
        _ => named.map_or(ResponseKind::Text, ResponseKind::Object),
    }
}
