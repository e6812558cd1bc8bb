//! What functions send, and what answers are read as.

use super::{Answers, Call, Sends};
use crate::model::{Api, Operation, Resource, Type, TypeId, Verb};

/// The types that the operations of a resource work on.
pub(super) struct ResourceTypes<'a> {
    pub(super) object: Option<&'a TypeId>,
    list: Option<&'a TypeId>,
}

impl<'a> ResourceTypes<'a> {
    pub(super) fn of(api: &'a Api, resource: &'a Resource) -> Self {
        let answer = |verb| {
            let mut operations = resource.operations.iter().filter(|op| op.verb == verb && op.subresource.is_none());
            operations.find_map(named_answer)
        };
        let list = answer(Verb::List);
        let item = list.and_then(|list| api.list_item(list));
        let object = item.or(answer(Verb::Get)).or(answer(Verb::Create)).or(answer(Verb::Replace));
        Self { object, list }
    }
}

fn named_answer(operation: &Operation) -> Option<&TypeId> {
    operation.answers.values().find_map(|answer| match &answer.ty {
        Some(Type::Named(id)) => Some(id),
        _ => None,
    })
}

pub(super) fn sends(operation: &Operation) -> Sends<'_> {
    match (&operation.body, operation.verb) {
        (None, _) => Sends::Nothing,
        (Some(_), Verb::Patch) => Sends::Patch,
        (Some(_), Verb::Delete | Verb::DeleteCollection) => Sends::Options,
        (Some(body), _) => Sends::Object(&body.ty),
    }
}

pub(super) fn answers(operation: &Operation, call: Call, types: &ResourceTypes<'_>) -> Answers {
    let named = named_answer(operation).cloned();
    match (call, operation.verb, types.object, types.list) {
        (Call::Watch | Call::Legacy, _, Some(object), _) => Answers::Watch(object.clone()),
        // Of objects that may be anything no event can be made.
        (Call::Watch | Call::Legacy, ..) => Answers::Text,
        (_, Verb::Connect, ..) if operation.subresource.as_deref() == Some("proxy") => Answers::Text,
        (_, Verb::Connect, ..) => Answers::Upgrade,
        (_, Verb::Delete, Some(object), _) => Answers::Deleted(object.clone()),
        (_, Verb::DeleteCollection, _, Some(list)) => Answers::DeletedCollection(list.clone()),
        _ => named.map_or(Answers::Text, Answers::Object),
    }
}
