//! Decodes the body of a request to an object of the kind.

use super::{Warnings, embedded, namespace};
use crate::failure::Failure;
use crate::kinds::{self, normalize};
use crate::object::{Tree, is_too_deep, normalize_numbers};
use crate::registry::Resource;
use crate::request::{MediaType, PROTOBUF_PREFIX, Request};
use crate::schema::conform::{self, MOST_REPORTED, Unknown};
use crate::schema::structural;
use crate::state::State;
use crate::tree::{Body, Duplicate, identity, odd_members, summary};
use kapigen_definitions::quoted;
use kapigen_runtime::Verb;
use serde_json::{Value, json};

/// Refuses bodies that are neither JSON nor YAML, nor protobuf of a kind that is read.
pub(super) fn check_media_type(request: &Request<'_>) -> Result<(), Failure> {
    let takes_object = matches!(
        request.verb,
        Verb::Create | Verb::Replace | Verb::Delete | Verb::DeleteCollection
    );
    let is_read = takes_object && !request.incoming.body.is_empty();
    let media_type = request.incoming.media_type();
    if !is_read || matches!(media_type, MediaType::Json | MediaType::Yaml) {
        return Ok(());
    }
    let is_protobuf = media_type == MediaType::Protobuf && request.reads_protobuf();
    if is_protobuf {
        if request.incoming.body.starts_with(PROTOBUF_PREFIX) {
            return Ok(());
        }
        let why = format!(
            "provided data does not appear to be a protobuf message, expected prefix [{}]",
            PROTOBUF_PREFIX.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
        );
        return Err(match request.verb {
            Verb::Delete | Verb::DeleteCollection => Failure::bad_request(why),
            _ => unrecognized(&request.resource.kind, &why, request.incoming.body),
        });
    }
    let also = if request.reads_protobuf() { ", application/vnd.kubernetes.protobuf" } else { "" };
    Err(Failure::new(
        415,
        format!(
            "the body of the request was in an unknown format - accepted media types include: \
             application/json, application/yaml{also}"
        ),
    ))
}

/// Kinds that every group and version has.
const COMMON: [&str; 7] = [
    "CreateOptions",
    "DeleteOptions",
    "GetOptions",
    "ListOptions",
    "PatchOptions",
    "UpdateOptions",
    "WatchEvent",
];
/// Kinds of the core group without a path.
const CORE: [&str; 6] =
    ["APIGroup", "APIGroupList", "APIResourceList", "APIVersions", "List", "Status"];

/// The scheme of built-in kinds, as errors name it.
const SCHEME: &str = "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30";

/// Decodes the object in the body, without unknown members. Unknown and duplicate members are
/// reported as `fieldValidation` demands.
pub(super) fn decode(
    state: &State,
    request: &Request<'_>,
    warnings: &mut Warnings,
) -> Result<Value, Failure> {
    let resource = &request.resource;
    let body = request.incoming.body;
    let Body { tree: mut object, duplicates, repeated_keys } =
        request.body().map_err(|why| unrecognized(&resource.kind, &why, body))?;
    let [api_version, kind] =
        identity(&object).map_err(|why| unrecognized(&resource.kind, &why, body))?;
    let stated = TypeMeta::new(&object);
    if resource.custom.is_some() {
        let shown = String::from_utf8_lossy(body);
        for (name, text) in [("Kind", kind), ("apiVersion", api_version)] {
            if text.is_empty() {
                let why = format!("Object '{name}' is missing in '{shown}'");
                return Err(unrecognized(&resource.kind, &why, body));
            }
        }
    } else if object.is_null() {
        object = json!({});
    }
    stated.check(state, resource).map_err(|why| stated.refusal(resource, &why))?;
    check_types(request, &object).map_err(|found| stated.refusal(resource, &found))?;
    if resource.custom.is_some() {
        normalize_numbers(&mut object);
    } else {
        stated.check_convertible(resource).map_err(|why| stated.refusal(resource, &why))?;
    }
    if stated.is_of_other_version(resource) {
        let lines = unknown_in_other_version(state, &stated, &mut object);
        if let Some(problems) = report(request, lines, warnings) {
            return Err(stated.refusal(resource, &problems));
        }
    }
    stated.check_version(resource)?;
    let is_yaml = request.incoming.media_type() == MediaType::Yaml;
    let repeated = Repeated {
        members: &duplicates,
        keys: if is_yaml { &repeated_keys } else { &[] },
        others: &[],
    };
    if let Some(problems) = strictness(request, &mut object, &repeated, warnings) {
        return Err(stated.refusal(resource, &problems));
    }
    if resource.custom.is_none() {
        state_kind(&mut object, resource.api_version(), &resource.kind);
    }
    Ok(object)
}

/// The members that a custom resource does not have in the version that it states. One that is not
/// served has none.
fn unknown_in_other_version(state: &State, stated: &TypeMeta, object: &mut Value) -> Vec<String> {
    let other = state.registry.of_kind(&stated.api_version, &stated.kind);
    let mut unknown: Vec<_> = if let Some(other) = other {
        conform::prune(other.schema.root(), object).iter().map(Unknown::to_string).collect()
    } else {
        let names = object.as_object().into_iter().flatten().map(|(name, _)| name);
        let names =
            names.filter(|name| !matches!(name.as_str(), "apiVersion" | "kind" | "metadata"));
        names.map(|name| format!("unknown field {}", json!(name))).collect()
    };
    unknown.sort();
    unknown.truncate(MOST_REPORTED);
    unknown
}

/// Decodes the body of a request to a subresource of another kind. The package is where Go declares
/// the internal type of the kind.
pub(super) fn decode_part(
    request: &Request<'_>,
    kind: &str,
    package: &str,
) -> Result<Value, Failure> {
    let body = request.incoming.body;
    let Body { tree, .. } = request.body().map_err(|why| unrecognized(kind, &why, body))?;
    let [api_version, stated] = identity(&tree).map_err(|why| unrecognized(kind, &why, body))?;
    if stated.is_empty() || stated == kind {
        return Ok(if tree.is_null() { json!({}) } else { tree });
    }
    if request.resource.custom.is_some() {
        let scheme = "k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go:781";
        let message =
            format!("no kind is registered for the type v1.{kind} in scheme \"{scheme}\"");
        return Err(Failure::bad_request(message));
    }
    let version = api_version.rsplit('/').next().unwrap_or_default();
    Err(Failure::bad_request(format!(
        "{stated} in version \"{version}\" cannot be handled as a {kind}: converting \
         ({version}.{stated}) to ({package}.{kind}): unknown conversion"
    )))
}

/// 400 for a body that has no kind.
pub(super) fn unrecognized(kind: &str, why: &str, body: &[u8]) -> Failure {
    let shown = summary(body);
    Failure::bad_request(format!(
        "the object provided is unrecognized (must be of type {kind}): {why} ({shown})"
    ))
}

/// Refuses an object that states an unknown or a different built-in kind, or has members of other
/// types than its kind. Errors are worded as by a server.
pub(super) fn check_stated(
    state: &State,
    request: &Request<'_>,
    object: &Value,
) -> Result<(), String> {
    let resource = &request.resource;
    let stated = TypeMeta::new(object);
    stated.check(state, resource)?;
    let [version, kind] = stated.completed(resource);
    if resource.custom.is_some() {
        return Ok(());
    }
    if let Some(other) = state.registry.of_kind(version, kind)
        && let Some(found) = conform::mistyped(other.schema.root(), object)
    {
        return Err(found);
    }
    stated.check_convertible(resource)
}

/// The version and the kind that a body states.
struct TypeMeta {
    api_version: String,
    kind: String,
}

impl TypeMeta {
    fn new(object: &Value) -> Self {
        Self {
            api_version: object.text("apiVersion").to_owned(),
            kind: object.text("kind").to_owned(),
        }
    }

    /// Refuses kinds that the server does not have. Kinds of custom resources are checked later.
    fn check(&self, state: &State, resource: &Resource) -> Result<(), String> {
        let [version, kind] = self.completed(resource);
        let is_own = version == resource.api_version() && kind == resource.kind;
        let of_element = kind.strip_suffix("List").unwrap_or(kind);
        let is_common = COMMON.contains(&kind) || version == "v1" && CORE.contains(&kind);
        if is_own
            || resource.custom.is_some()
            || state.registry.of_kind(version, of_element).is_some()
            || is_common
        {
            return Ok(());
        }
        Err(format!(
            "no kind \"{kind}\" is registered for version \"{version}\" in scheme \"{SCHEME}\""
        ))
    }

    /// Refuses a kind that cannot be converted to the resource's.
    fn check_convertible(&self, resource: &Resource) -> Result<(), String> {
        let [version, stated] = self.completed(resource);
        let kind = &resource.kind;
        if stated == kind {
            return Ok(());
        }
        let (_, version) = version.rsplit_once('/').unwrap_or(("", version));
        let own = resource.package();
        Err(format!("converting ({version}.{stated}) to ({own}.{kind}): unknown conversion"))
    }

    /// Whether a body is a custom resource in another version of its group.
    fn is_of_other_version(&self, resource: &Resource) -> bool {
        let group = self.api_version.split_once('/').map(|(group, _)| group);
        resource.custom.is_some()
            && self.kind == resource.kind
            && group == Some(&*resource.group)
            && self.api_version != resource.api_version()
    }

    fn check_version(&self, resource: &Resource) -> Result<(), Failure> {
        let [stated, _] = self.completed(resource);
        let expected = resource.api_version();
        if stated == expected {
            return Ok(());
        }
        let message = format!(
            "the API version in the data ({stated}) does not match the expected API version \
             ({expected})"
        );
        Err(Failure::bad_request(message))
    }

    /// The stated version and kind, completed from the resource.
    fn completed<'a>(&'a self, resource: &'a Resource) -> [&'a str; 2] {
        [(&*self.api_version, resource.api_version()), (&*self.kind, &*resource.kind)]
            .map(|(stated, own)| if stated.is_empty() { own } else { stated })
    }

    /// 400 for a body that cannot be decoded.
    fn refusal(&self, resource: &Resource, why: &str) -> Failure {
        let [version, stated] = self.completed(resource);
        let (_, version) = version.rsplit_once('/').unwrap_or(("", version));
        let kind = &resource.kind;
        Failure::bad_request(format!(
            "{stated} in version \"{version}\" cannot be handled as a {kind}: {why}"
        ))
    }
}

/// Refuses an object that is nested too deeply.
pub(super) fn check_depth(object: &Value) -> Result<(), Failure> {
    if is_too_deep(object) {
        Err(Failure::bad_request("the object is nested too deeply"))
    } else {
        Ok(())
    }
}

/// Checks that the name in the body is the name in the path.
pub(super) fn check_name(request: &Request<'_>, object: &Value) -> Result<(), Failure> {
    let stated = object.metadata_text("name");
    let wanted = request.name;
    if stated.is_empty() {
        let message = format!(
            "the name of the object ({wanted} based on URL) was undeterminable: name must be \
             provided"
        );
        return Err(Failure::bad_request(message));
    }
    if stated != wanted {
        let message = format!(
            "the name of the object ({stated}) does not match the name on the URL ({wanted})"
        );
        return Err(Failure::bad_request(message));
    }
    namespace::check_stated(request, object)
}

/// The duplicate members of a body: their paths, or their lines if the body is YAML.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repeated<'a> {
    pub(super) members: &'a [Duplicate],
    pub(super) keys: &'a [String],
    /// Other problems of the body, which come first.
    pub(super) others: &'a [String],
}

/// Prunes an object, and reports as `fieldValidation` demands. Returns the problems that refuse the
/// request.
pub(super) fn strictness(
    request: &Request<'_>,
    object: &mut Value,
    repeated: &Repeated<'_>,
    warnings: &mut Warnings,
) -> Option<String> {
    let mut unknown = conform::prune(request.resource.schema.root(), object);
    if request.incoming.media_type() == MediaType::Protobuf {
        // Servers skip numbers that they do not know, however strict they are.
        return None;
    }
    let mut lines = Vec::new();
    if request.resource.custom.is_some() {
        structural::drop_nulls(request.resource.schema.root(), object);
        // Metadata is decoded first, and trees have no order.
        unknown.sort_by_key(|own| (!own.pointer.starts_with("/metadata/"), own.path.clone()));
    }
    if !repeated.keys.is_empty() {
        lines.push(format!("yaml: unmarshal errors:\n  {}", repeated.keys.join("\n  ")));
        lines.extend(unknown.iter().map(Unknown::to_string));
    } else if request.resource.custom.is_some() {
        lines.extend(
            repeated.members.iter().map(|own| format!("duplicate field {}", quoted(&own.path))),
        );
        lines.extend(unknown.iter().map(Unknown::to_string));
    } else {
        let known = repeated.members.iter().filter(|own| !is_within(&own.path, &unknown));
        let known: Vec<_> = known.cloned().collect();
        lines = odd_members(request.incoming.body, &known, &unknown);
    }
    let mut lines: Vec<_> = repeated.others.iter().cloned().chain(lines).collect();
    lines.truncate(MOST_REPORTED);
    report(request, lines, warnings)
}

/// Whether a path leads to an unknown member, or to one below it.
fn is_within(path: &str, unknown: &[Unknown]) -> bool {
    unknown.iter().any(|own| path.strip_prefix(&*own.path).is_some_and(|rest| !starts_name(rest)))
}

/// Reports problems as `fieldValidation` demands. Returns them if they refuse the request.
pub(super) fn report(
    request: &Request<'_>,
    lines: Vec<String>,
    warnings: &mut Warnings,
) -> Option<String> {
    match request.get("fieldValidation") {
        "Ignore" => {}
        "Strict" if !lines.is_empty() => {
            return Some(format!("strict decoding error: {}", lines.join(", ")));
        }
        _ => lines.into_iter().for_each(|line| warnings.add(line)),
    }
    None
}

/// Refuses values of a mismatched type, as decoding into a struct does.
pub(super) fn check_types(request: &Request<'_>, object: &Value) -> Result<(), String> {
    if request.resource.custom.is_some() {
        let metadata = request.resource.schema.root().member("metadata");
        let value = object.get("metadata").unwrap_or(&Value::Null);
        let found = conform::mistyped(metadata, value)
            .or_else(|| embedded::mistyped(request.resource.schema.root(), object));
        return found.map_or(Ok(()), Err);
    }
    conform::mistyped(request.resource.schema.root(), object).map_or(Ok(()), Err)
}

/// Fills in the members that objects of the kind always have, and the defaults of a custom
/// resource. Returns the bytes of these defaults.
pub(super) fn complete(resource: &Resource, object: &mut Value) -> Result<usize, Failure> {
    let schema = resource.schema.root();
    let mut filled = 0;
    if resource.custom.is_some() {
        filled =
            structural::fill_defaults(schema, object).ok_or_else(Failure::too_large_to_store)?;
        if let Some(value) = object.get_mut("metadata") {
            conform::complete(schema.member("metadata"), value);
        }
        embedded::complete(schema, object);
    } else {
        conform::complete(schema, object);
        normalize((&resource.group, &resource.plural), object);
    }
    Ok(filled)
}

/// Completes an object that a client wrote, in the place of another. Returns the bytes of the
/// defaults of custom resources.
pub(super) fn fill(
    request: &Request<'_>,
    object: &mut Value,
    live: Option<&Value>,
) -> Result<usize, Failure> {
    let resource = &request.resource;
    if resource.custom.is_none() && request.is_checked {
        kinds::fill((&resource.group, &resource.plural), object, live);
    }
    complete(resource, object)
}

/// Writes into the object of a client what servers write once its managers are recorded. The
/// number is that of a write, which no other object has.
pub(super) fn admit(request: &Request<'_>, object: &mut Value, live: Option<&Value>, number: u64) {
    let resource = &request.resource;
    if resource.custom.is_none() && request.is_checked && request.subresource.is_empty() {
        kinds::admit((&resource.group, &resource.plural), object, live, number);
    }
}

/// Whether the rest of a path continues the name of a member, instead of leading below it.
fn starts_name(rest: &str) -> bool {
    !(rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Puts kind and version in front.
pub(super) fn state_kind(object: &mut Value, api_version: &str, kind: &str) {
    let Value::Object(members) = object else { return };
    members.shift_remove("kind");
    members.shift_remove("apiVersion");
    let rest = std::mem::take(members);
    members.insert("kind".to_owned(), json!(kind));
    members.insert("apiVersion".to_owned(), json!(api_version));
    members.extend(rest);
}

/// The version that a body states, if any.
pub(super) fn stated_version(object: &Value) -> Option<&str> {
    Some(object.metadata_text("resourceVersion"))
        .filter(|version| !version.is_empty() && *version != "0")
}

/// The error of Go for a value that does not fit a type.
pub(super) fn unmarshal(value: &Value, into: &str) -> String {
    let found = conform::type_name(value);
    format!("json: cannot unmarshal {found} into Go value of type {into}")
}
