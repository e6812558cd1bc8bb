//! Request bodies and responses.

use super::context::{Origin, Reported, Result, Usage};
use super::operations::{FoundOperation, Operations, id};
use crate::model::{Body, Response, Type, Verb};
use crate::names;
use crate::openapi::resolve::{Resolved, Unresolved};
use crate::pointer::escape;
use openapiv3::{Content, StatusCode};
use std::collections::BTreeMap;

/// The content of a request body or a response, and its location.
struct Payload<'a> {
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
    ) -> Result<Option<Body>> {
        let Some(item) = &found.operation.request_body else { return Ok(None) };
        let unresolved =
            Unresolved { document: found.document, pointer: found.pointer("/requestBody"), item };
        let resolved = self.types.context.documents.request_body(unresolved);
        let Resolved { document, pointer, item } =
            self.types.context.resolved(resolved, self.location(found, "/requestBody"), origin)?;
        let payload = Payload {
            content: &item.content,
            document,
            pointer,
            form: "request body",
            name: nested_name(found, "Body"),
        };
        let Some(ty) = self.single_type(&payload, origin)? else {
            let help = "give the media type a schema, or leave the resource out of groups.yaml";
            return Err(self.fail(&payload, "a request body with no schema", help, origin));
        };
        let media_types = item.content.keys().cloned().collect();
        Ok(Some(Body { ty, required: item.required, media_types, patch: verb == Verb::Patch }))
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
            let Ok(Resolved { document, pointer, item }) = resolved else { continue };
            let name = nested_name(found, "Response");
            let payload =
                Payload { content: &item.content, document, pointer, form: "response", name };
            let ty = self.single_type(&payload, origin).unwrap_or_default();
            responses.insert(
                *status,
                Response { ty, media_types: item.content.keys().cloned().collect() },
            );
        }
        responses
    }

    /// The single type of all media types. None: there is no schema.
    fn single_type(&mut self, payload: &Payload<'_>, origin: &Origin) -> Result<Option<Type>> {
        let usage = Usage::new(payload.name.clone(), origin);
        let mut types: Vec<Type> = Vec::new();
        for (media_type, media) in payload.content {
            let Some(schema) = &media.schema else { continue };
            let pointer = format!("{}/content/{}", payload.pointer, escape(media_type));
            types.push(self.types.type_at(payload.document, &pointer, schema, &usage)?);
        }
        types.dedup();
        let ty = types.pop();
        if !types.is_empty() {
            let help = "all media types of one message must have the same schema";
            let message = format!("a {} with several schemas", payload.form);
            return Err(self.fail(payload, &message, help, origin));
        }
        Ok(ty)
    }

    fn fail(
        &mut self,
        payload: &Payload<'_>,
        message: &str,
        help: &str,
        origin: &Origin,
    ) -> Reported {
        let location = self.types.context.documents.location_in(payload.document, &payload.pointer);
        self.types.context.fail_at(location, message, help, origin)
    }
}

fn nested_name(found: &FoundOperation<'_>, role: &str) -> Option<String> {
    names::nested_type_name(&names::type_name(&id(found))?, role)
}
