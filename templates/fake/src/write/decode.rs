//! From the body of a request to an object of the kind.

use super::{conform, structural};
use crate::call::Call;
use crate::failure::Failure;
use crate::object::Tree;
use crate::registry::api_version;
use crate::tree::MOST_REPORTED;
use serde_json::{Value, json};

/// The kind that a body must have.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) group: String,
    pub(super) version: String,
    pub(super) kind: String,
}

impl Call<'_> {
    /// The kind of the resource.
    pub(super) fn own_kind(&self) -> Wanted {
        let resource = &self.resource;
        Wanted { group: resource.group.clone(), version: resource.version.clone(), kind: resource.kind.clone() }
    }

    /// Checks the `apiVersion` and `kind` of a body, and sets absent ones.
    pub(super) fn check_kind(&self, object: &mut Value, wanted: &Wanted) -> Result<(), Failure> {
        let text = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (stated_version, stated_kind) = (text("apiVersion"), text("kind"));
        let expected = api_version(&wanted.group, &wanted.version);
        let Wanted { kind, .. } = wanted;
        if !object.is_object() {
            let found = conform::mistyped(&self.state.registry.schemas, self.resource.schema, object);
            return Err(Failure::bad_request(format!(
                "couldn't get version/kind; json parse error: {}",
                found.unwrap_or_default()
            )));
        }
        if self.resource.custom.is_some() {
            let unrecognized = |what: &str| {
                let message = format!(
                    "the object provided is unrecognized (must be of type {kind}): Object '{what}' is missing in '{object}' ({object})"
                );
                Failure::bad_request(message)
            };
            if stated_kind.is_empty() {
                return Err(unrecognized("Kind"));
            }
            if stated_version.is_empty() {
                return Err(unrecognized("apiVersion"));
            }
        }
        let is_other_version = !stated_version.is_empty() && stated_version != expected;
        if is_other_version && (self.resource.custom.is_some() || stated_kind == *kind) {
            let message = format!(
                "the API version in the data ({stated_version}) does not match the expected API version ({expected})"
            );
            return Err(Failure::bad_request(message));
        }
        if !stated_kind.is_empty() && stated_kind != *kind {
            let (_, version) = stated_version.rsplit_once('/').unwrap_or(("", &stated_version));
            let own = if wanted.group.is_empty() { "core" } else { wanted.group.split('.').next().unwrap_or_default() };
            let message = format!(
                "{stated_kind} in version \"{version}\" cannot be handled as a {kind}: converting ({version}.{stated_kind}) to \
                 ({own}.{kind}): unknown conversion"
            );
            return Err(Failure::bad_request(message));
        }
        state_kind(object, &expected, kind);
        Ok(())
    }

    /// Removes unknown members, and reports them and those that the body has twice: not at all, with warnings, or with a
    /// refusal.
    pub(super) fn check_members(&mut self, object: &mut Value, duplicates: &[String]) -> Result<(), Failure> {
        match self.strictness(object, duplicates)? {
            Some(problems) => {
                let (kind, version) = (&self.resource.kind, &self.resource.version);
                Err(Failure::bad_request(format!(
                    "{kind} in version \"{version}\" cannot be handled as a {kind}: {problems}"
                )))
            }
            None => Ok(()),
        }
    }

    /// Prunes an object, and reports as `fieldValidation` demands. Returns the problems that refuse the request.
    pub(super) fn strictness(&mut self, object: &mut Value, duplicates: &[String]) -> Result<Option<String>, Failure> {
        let unknown = conform::prune(&self.state.registry.schemas, self.resource.schema, object);
        let is_unknown = |path: &String| {
            let is_below = |known: &String| path.strip_prefix(known.as_str()).is_some_and(|rest| !starts_name(rest));
            self.resource.custom.is_none() && unknown.iter().any(is_below)
        };
        let duplicates = duplicates.iter().filter(|path| !is_unknown(path)).map(|path| ("duplicate", path));
        let problems = duplicates.chain(unknown.iter().map(|path| ("unknown", path)));
        let lines: Vec<_> =
            problems.map(|(what, path)| format!("{what} field {}", json!(path))).take(MOST_REPORTED).collect();
        match self.request.get("fieldValidation") {
            "Ignore" => {}
            "Strict" if !lines.is_empty() => return Ok(Some(format!("strict decoding error: {}", lines.join(", ")))),
            "" | "Warn" | "Strict" => lines.into_iter().for_each(|line| self.warn(line)),
            other => {
                let supported = ["", "Ignore", "Strict", "Warn"];
                let cause = crate::failure::Cause::unsupported("fieldValidation", &json!(other), &supported);
                return Err(Failure::invalid_options(self.options_kind(), cause));
            }
        }
        Ok(None)
    }

    pub(super) fn options_kind(&self) -> &'static str {
        match self.request.method {
            "POST" => "CreateOptions",
            "PATCH" => "PatchOptions",
            "DELETE" => "DeleteOptions",
            _ => "UpdateOptions",
        }
    }

    /// Refuses values of a mismatched type, as decoding into a struct does.
    pub(super) fn check_types(&self, object: &Value) -> Result<(), String> {
        if self.resource.custom.is_some() {
            let metadata = self.state.registry.schemas.member(self.resource.schema, "metadata").0;
            let value = object.get("metadata").unwrap_or(&Value::Null);
            return conform::mistyped(&self.state.registry.schemas, metadata, value).map_or(Ok(()), Err);
        }
        conform::mistyped(&self.state.registry.schemas, self.resource.schema, object).map_or(Ok(()), Err)
    }

    /// Fills in the members that objects of the kind always have, and the defaults of a custom resource.
    pub(super) fn complete(&self, object: &mut Value) {
        let schemas = &self.state.registry.schemas;
        if self.resource.custom.is_some() {
            structural::fill_defaults(schemas, self.resource.schema, object);
            let metadata = schemas.member(self.resource.schema, "metadata").0;
            if let Some(value) = object.get_mut("metadata") {
                conform::complete(schemas, metadata, value);
            }
        } else {
            conform::complete(schemas, self.resource.schema, object);
            if self.resource.group.is_empty() && self.resource.plural == "secrets" {
                encode_strings(object);
            }
        }
    }

    /// The checks of parameters that all writes have.
    pub(super) fn check_options(&self) -> Result<(), Failure> {
        let refuse = |cause| Err(Failure::invalid_options(self.options_kind(), cause));
        if self.request.has("dryRun") && self.request.get("dryRun") != "All" {
            let cause = crate::failure::Cause::unsupported("dryRun", &json!([self.request.get("dryRun")]), &["All"]);
            return refuse(cause);
        }
        if self.request.get("fieldManager").len() > 128 {
            let message = "Too long: may not be more than 128 bytes".to_owned();
            let field = "fieldManager".to_owned();
            return refuse(crate::failure::Cause { reason: "FieldValueTooLong", field, message });
        }
        Ok(())
    }
}

/// `stringData` of a secret becomes `data`.
fn encode_strings(secret: &mut Value) {
    use base64::Engine;
    let Value::Object(members) = &mut *secret else { return };
    let Some(Value::Object(strings)) = members.shift_remove("stringData") else { return };
    for (name, text) in strings {
        let text = text.as_str().unwrap_or_default();
        let encoded = base64::engine::general_purpose::STANDARD.encode(text);
        let mut data = secret.get("data").cloned().unwrap_or_else(|| json!({}));
        data[name] = json!(encoded);
        secret["data"] = data;
    }
}

/// Whether the rest of a path goes on with the name of a member, rather than below it.
fn starts_name(rest: &str) -> bool {
    !(rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Puts kind and version in front.
fn state_kind(object: &mut Value, api_version: &str, kind: &str) {
    let Value::Object(members) = object else { return };
    members.shift_remove("kind");
    members.shift_remove("apiVersion");
    let rest = std::mem::take(members);
    members.insert("kind".to_owned(), json!(kind));
    members.insert("apiVersion".to_owned(), json!(api_version));
    members.extend(rest);
}

/// The version that a body states, unless it states none.
pub(super) fn stated_version(object: &Value) -> Option<&str> {
    Some(object.text("resourceVersion")).filter(|version| !version.is_empty() && *version != "0")
}
