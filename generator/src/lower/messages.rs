//! What operations send and what they answer.

use super::operations::{FoundOperation, Operations, id};
use super::origin::{Origin, Use};
use crate::model::{Answer, Body, Type, Verb};
use crate::names;
use crate::openapi::resolve::{Found, SchemaId};
use crate::pointer::escape;
use openapiv3::{Content, StatusCode};
use std::collections::BTreeMap;

/// The content of a body or an answer, and where it stands.
struct Message<'a> {
    content: &'a Content,
    at: SchemaId,
    what: &'static str,
    /// What an inline schema in it is called.
    name: Option<String>,
}

impl Operations<'_, '_> {
    pub(super) fn body(&mut self, found: &FoundOperation<'_>, verb: Verb, origin: &Origin) -> Option<Body> {
        let item = found.operation.request_body.as_ref()?;
        let pointer = format!("/paths/{}/{}/requestBody", escape(found.path), found.method);
        let resolved = self.types.library.request_body(Found { document: found.document, pointer, item });
        let place = self.keep(resolved, self.location(found, "/requestBody"), origin)?;
        let at = SchemaId { document: place.document, pointer: place.pointer };
        let content = &place.item.content;
        let name = nested_name(found, "Body");
        let message = Message { content, at, what: "request body", name };
        if content.values().all(|media| media.schema.is_none()) {
            let help = "give the media type a schema, or leave the resource out of groups.yaml";
            self.types.fail(&message.at, "a request body with no schema", help, origin);
            return None;
        }
        let ty = self.only(&message, origin)?;
        let media_types = content.keys().cloned().collect();
        Some(Body { ty, required: place.item.required, media_types, patch: verb == Verb::Patch })
    }

    pub(super) fn answers(&mut self, found: &FoundOperation<'_>, origin: &Origin) -> BTreeMap<u16, Answer> {
        let mut answers = BTreeMap::new();
        for (status, item) in &found.operation.responses.responses {
            // Ranges and failures say nothing that differs between operations.
            let StatusCode::Code(status @ 200..300) = status else { continue };
            let below = format!("/responses/{status}");
            let pointer = format!("/paths/{}/{}{below}", escape(found.path), found.method);
            let resolved = self.types.library.response(Found { document: found.document, pointer, item });
            let Some(place) = self.keep(resolved, self.location(found, &below), origin) else { continue };
            let at = SchemaId { document: place.document, pointer: place.pointer };
            let content = &place.item.content;
            let name = nested_name(found, "Answer");
            let ty = self.only(&Message { content, at, what: "response", name }, origin);
            answers.insert(*status, Answer { ty, media_types: content.keys().cloned().collect() });
        }
        answers
    }

    /// The one type of all media types. None: there is no schema, or an error was reported.
    fn only(&mut self, message: &Message<'_>, origin: &Origin) -> Option<Type> {
        let how = Use::new(message.name.clone(), origin);
        let mut types: Vec<Type> = Vec::new();
        for (media_type, media) in message.content {
            let Some(schema) = &media.schema else { continue };
            let at = message.at.below(&format!("content/{}", escape(media_type)));
            types.push(self.types.used(&at, schema, &how)?);
        }
        types.dedup();
        let ty = types.pop();
        if !types.is_empty() {
            let help = "all media types of one message must have the same schema";
            self.types.fail(&message.at, &format!("a {} with several schemas", message.what), help, origin);
            return None;
        }
        ty
    }
}

fn nested_name(found: &FoundOperation<'_>, role: &str) -> Option<String> {
    names::nested_type_name(&names::type_name(&id(found))?, role)
}
