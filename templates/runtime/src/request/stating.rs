//! Requests for objects of kinds that are known at run time only: bodies state the kind.

use super::builder::{Builder, JSON, unwritable};
use super::{InvalidRequest, Patch};
use crate::codec::stated::check_stated;
use crate::codec::{Identified, Object, View, json};
use crate::operation::{Operation, ResourceNames, SharedOperation};
use crate::patch_type::PatchType;
use crate::values::RawJson;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Steps of [`dynamic`](crate::dynamic) resources.
impl Builder {
    /// Starts a request for a resource that is known at run time only. Its names are arguments,
    /// too.
    #[must_use]
    pub(crate) fn named(
        operation: &'static Operation,
        names: &Arc<ResourceNames>,
        arguments: &[&str],
    ) -> Self {
        let mut builder = Self::new(operation, arguments);
        builder.parts.operation = SharedOperation::Named(operation, Arc::clone(names));
        builder
    }

    /// Starts a request for this path and query.
    #[must_use]
    pub(crate) fn raw(operation: &'static Operation, target: &str) -> Self {
        let mut builder = Self::empty(SharedOperation::Constant(operation));
        let (path, query) =
            target.split_once('?').map_or((target, None), |(path, query)| (path, Some(query)));
        path.clone_into(&mut builder.parts.path);
        if let Some(query) = query {
            builder.parts.query.add_raw(query);
        }
        builder
    }

    /// Records an error, unless an earlier step failed.
    #[must_use]
    pub(crate) fn refusing(mut self, invalid: Option<InvalidRequest>) -> Self {
        if let Some(invalid) = invalid {
            self.refuse(invalid);
        }
        self
    }

    /// Sets the body to an object of this kind, which it states even where the object does not. It
    /// fails in the end when the object states another one.
    #[must_use]
    pub(crate) fn body_of(mut self, object: &dyn Object, api_version: &str, kind: &str) -> Self {
        if let Some(invalid) = unwritable(object) {
            self.refuse(invalid);
            return self;
        }
        match Identified::stating(object, api_version, kind) {
            Ok(object) => {
                self.parts.content_type = Some(JSON);
                self.parts.body = json::write(&View::Object(&object));
            }
            Err(why) => self.refuse(InvalidRequest::Body(why)),
        }
        self
    }

    /// As [`patch`](Self::patch), of an object of this kind: an apply states it even where the
    /// object does not. It fails in the end when the object states another one.
    #[must_use]
    pub(crate) fn patch_of(self, patch: &Patch, api_version: &str, kind: &str) -> Self {
        let mut builder = self.patch(patch);
        match patch.stating(api_version, kind) {
            Ok(body) => builder.parts.body = body,
            Err(why) => builder.refuse(InvalidRequest::Body(why)),
        }
        builder
    }
}

impl Patch {
    /// The request body for an object of this kind, which an apply states even where the object
    /// does not.
    ///
    /// # Errors
    /// When an apply states another kind.
    fn stating(&self, api_version: &str, kind: &str) -> Result<Vec<u8>, String> {
        let meant = [("apiVersion", api_version), ("kind", kind)];
        let mut members: BTreeMap<String, RawJson> = match self.form {
            // A body that is no object is refused by servers.
            PatchType::Apply => json::from_slice(&self.body).unwrap_or_default(),
            PatchType::Json | PatchType::Merge | PatchType::Strategic => BTreeMap::new(),
        };
        let stated = meant
            .map(|(name, _)| members.get(name).and_then(|value| value.decode::<String>().ok()));
        let stated = stated.map(Option::unwrap_or_default);
        check_stated([&stated[0], &stated[1]], [api_version, kind])?;
        if members.is_empty() || stated.iter().all(|text| !text.is_empty()) {
            return Ok(self.body.clone());
        }
        members.extend(meant.map(|(name, value)| {
            (name.to_owned(), RawJson::from_valid(json::to_string(&value.to_owned())))
        }));
        Ok(json::write(&View::Map(&members)))
    }
}
