//! The reasons for which a server refuses a definition, in its order and words.
//!
//! A server checks a definition in its internal form. There, the fields that all versions share are
//! stated once, above the versions, and the paths of fields refer to this form.

use crate::cause::{Cause, Causes};
use crate::checks::{Checks, Unchecked};
use crate::conversion;
use crate::definition::MOST_VERSIONS;
use crate::names::{bad_label, bad_subdomain};
use crate::path::Path;
use crate::rules::{self, SchemaContext};
use crate::structural::{self, is_set, members, text, wrong_type};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The annotation by which groups of the community are approved.
const APPROVAL: &str = "api-approved.kubernetes.io";

/// The causes for which a server refuses to create a definition, up to 256 KiB of text. Expressions,
/// patterns and defaults are not checked. Unlike servers, it refuses more than 100 versions.
#[must_use]
pub fn refusals(manifest: &Value) -> Vec<Cause> {
    refusals_with(manifest, &Unchecked)
}

/// As [`refusals`], with further checks.
#[doc(hidden)]
#[must_use]
pub fn refusals_with(manifest: &Value, checks: &dyn Checks) -> Vec<Cause> {
    let mut causes = Causes::default();
    let spec = members(&manifest["spec"]);
    let name = manifest.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
    let names = members(spec.get("names").unwrap_or(&Value::Null));
    if name != format!("{}.{}", text(names, "plural"), text(spec, "group")) {
        let path = Path::Start("metadata.name", "/metadata/name");
        causes.invalid(&path, name, "must be spec.names.plural+\".\"+spec.group");
    }
    check_spec(manifest, checks, &mut causes);
    causes.into_list()
}

/// The causes for which a server refuses to replace a definition, as it is stored, by another.
#[must_use]
pub fn refusals_of_change(manifest: &Value, stored: &Value) -> Vec<Cause> {
    refusals_of_change_with(manifest, stored, &Unchecked)
}

/// As [`refusals_of_change`], with further checks.
#[doc(hidden)]
#[must_use]
pub fn refusals_of_change_with(
    manifest: &Value,
    stored: &Value,
    checks: &dyn Checks,
) -> Vec<Cause> {
    let mut causes = Causes::default();
    check_spec(manifest, checks, &mut causes);
    let conditions = stored.pointer("/status/conditions").and_then(Value::as_array);
    let is_established = conditions
        .into_iter()
        .flatten()
        .any(|condition| condition["type"] == "Established" && condition["status"] == "True");
    let fields = [
        ("spec.scope", "/spec/scope", is_established),
        ("spec.names.kind", "/spec/names/kind", is_established),
        ("spec.group", "/spec/group", true),
        ("spec.names.plural", "/spec/names/plural", true),
    ];
    for (field, pointer, is_immutable) in fields {
        let [wanted, present] = [manifest, stored]
            .map(|object| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default());
        if is_immutable && wanted != present {
            causes.invalid(&Path::Start(field, pointer), wanted, "field is immutable");
        }
    }
    let names: BTreeSet<&str> =
        versions(members(&manifest["spec"])).map(|version| text(version, "name")).collect();
    let known = stored.pointer("/status/storedVersions").and_then(Value::as_array);
    for (index, version) in known.into_iter().flatten().filter_map(Value::as_str).enumerate() {
        if !names.contains(version) {
            let why = format!(
                "missing from spec.versions; {version} was previously a storage version, and must \
                 remain in spec.versions until a storage migration ensures no data remains \
                 persisted in {version} and removes {version} from status.storedVersions"
            );
            let path = Path::Start("status.storedVersions", "/spec/versions");
            causes.invalid(&path.index(index), version, &why);
        }
    }
    causes.into_list()
}

/// The causes for which a server refuses the names of a definition. [`refusals`] and
/// [`refusals_of_change`] have them, too.
#[must_use]
pub fn refusals_of_names(manifest: &Value) -> Vec<Cause> {
    let mut causes = Causes::default();
    check_names(members(&manifest["spec"]), &SPEC, &mut causes);
    causes.into_list()
}

const SPEC: Path<'static> = Path::Start("spec", "/spec");

/// The versions. A version that is `null` has no members.
fn versions(spec: &Map<String, Value>) -> impl Iterator<Item = &Map<String, Value>> {
    spec.get("versions").and_then(Value::as_array).into_iter().flatten().map(members)
}

fn check_spec(manifest: &Value, checks: &dyn Checks, causes: &mut Causes) {
    let spec = members(&manifest["spec"]);
    let path = SPEC;
    check_group(text(spec, "group"), &path.member("group"), causes);
    let place = path.member("scope");
    match text(spec, "scope") {
        "" => causes.required(&place, ""),
        "Cluster" | "Namespaced" => {}
        scope => {
            causes.unsupported(&place, scope, &["Cluster", "Namespaced"]);
        }
    }
    if is_set(spec, "preserveUnknownFields") {
        let why = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in \
                   spec.versions[*].schema instead";
        causes.invalid(&path.member("preserveUnknownFields"), true, why);
    }
    let first = versions(spec).next();
    let (shared, own): (Vec<_>, Vec<_>) = SHAREABLE.into_iter().partition(|(name, _)| {
        versions(spec).all(|version| version.get(*name) == first.and_then(|v| v.get(*name)))
    });
    check_versions(spec, &own, checks, &path, causes);
    check_names(spec, &path, causes);
    for (name, shared_name) in shared {
        let Some(first) = first else { continue };
        let field = format!("spec.{shared_name}");
        let pointer = format!("/spec/versions/0/{name}");
        check_member(name, first, &Path::Start(&field, &pointer), checks, causes);
    }
    conversion::check(&manifest["spec"]["conversion"], causes);
    check_approval(manifest, text(spec, "group"), causes);
}

fn check_group(group: &str, path: &Path<'_>, causes: &mut Causes) {
    if group.is_empty() {
        causes.required(path, "");
    } else if let Some(why) = bad_subdomain(group) {
        causes.invalid(path, group, &why);
    } else if !group.contains('.') {
        causes.invalid(path, group, "should be a domain with at least one dot");
    }
}

/// The members of versions that are stated once if all versions have the same, each with its name
/// there.
const SHAREABLE: [(&str, &str); 4] = [
    ("schema", "validation"),
    ("subresources", "subresources"),
    ("additionalPrinterColumns", "additionalPrinterColumns"),
    ("selectableFields", "selectableFields"),
];

fn check_versions(
    spec: &Map<String, Value>,
    own: &[(&str, &str)],
    checks: &dyn Checks,
    path: &Path<'_>,
    causes: &mut Causes,
) {
    let place = path.member("versions");
    let count = versions(spec).count();
    if count > MOST_VERSIONS {
        return causes.push(|| Cause::too_many(&place, count, MOST_VERSIONS));
    }
    for (index, version) in versions(spec).enumerate() {
        if schema(version).is_none() {
            let place = place.index(index);
            let schema = place.member("schema");
            causes.required(&schema.member("openAPIV3Schema"), "");
        }
    }
    let mut known = BTreeSet::new();
    for (index, version) in versions(spec).enumerate() {
        let name = text(version, "name");
        let place = place.index(index);
        known.insert(name);
        if let Some(why) = bad_label(name) {
            causes.invalid(&place.member("name"), name, &why);
        }
        check_deprecation(version, &place, causes);
        for (name, _) in own {
            check_member(name, version, &place.member(name), checks, causes);
        }
    }
    if known.len() != count {
        causes.push(|| Cause::invalid(&place, &in_go(spec), "must contain unique version names"));
    }
    if versions(spec).filter(|version| is_set(version, "storage")).count() != 1 {
        causes.push(|| {
            Cause::invalid(
                &place,
                &in_go(spec),
                "must have exactly one version marked as storage version",
            )
        });
    }
    // Servers also keep the name of the first version separately.
    let first = versions(spec).next().map(|version| text(version, "name"));
    let first = first.filter(|name| !name.is_empty());
    if let Some((name, why)) = first.and_then(|name| Some((name, bad_label(name)?))) {
        causes.invalid(&Path::Start("spec.version", "/spec/versions/0/name"), name, &why);
    }
}

/// The versions as Go prints them when their other members are stated once.
fn in_go(spec: &Map<String, Value>) -> Value {
    if !spec.get("versions").is_some_and(Value::is_array) {
        return Value::Null;
    }
    let versions = versions(spec).map(|version| {
        json!({
            "Name": text(version, "name"),
            "Served": is_set(version, "served"),
            "Storage": is_set(version, "storage"),
            "Deprecated": is_set(version, "deprecated"),
            "DeprecationWarning": version.get("deprecationWarning"),
            "Schema": null,
            "Subresources": null,
            "AdditionalPrinterColumns": null,
            "SelectableFields": null,
        })
    });
    versions.collect()
}

fn check_deprecation(version: &Map<String, Value>, path: &Path<'_>, causes: &mut Causes) {
    let Some(warning) = version.get("deprecationWarning").and_then(Value::as_str) else { return };
    let why = if !is_set(version, "deprecated") {
        "can only be set for deprecated versions"
    } else if warning.is_empty() {
        "must not be empty"
    } else if warning.len() > 256 {
        "must be <= 256 characters long"
    } else if warning.chars().any(char::is_control) {
        "must only contain printable UTF-8 characters; non-printable characters found"
    } else {
        return;
    };
    causes.invalid(&path.member("deprecationWarning"), warning, why);
}

fn check_names(spec: &Map<String, Value>, path: &Path<'_>, causes: &mut Causes) {
    let names = members(spec.get("names").unwrap_or(&Value::Null));
    let path = &path.member("names");
    let [plural, kind] = ["plural", "kind"].map(|name| text(names, name));
    let singular = Some(text(names, "singular").to_owned()).filter(|name| !name.is_empty());
    let singular = singular.unwrap_or_else(|| kind.to_lowercase());
    let list_kind = Some(text(names, "listKind").to_owned()).filter(|kind| !kind.is_empty());
    let list_kind = list_kind
        .unwrap_or_else(|| if kind.is_empty() { String::new() } else { format!("{kind}List") });
    let all =
        [("plural", plural), ("singular", &*singular), ("kind", kind), ("listKind", &*list_kind)];
    for (member, name) in all {
        if name.is_empty() {
            causes.required(&path.member(member), "");
        }
    }
    for (member, name) in all.into_iter().filter(|(_, name)| !name.is_empty()) {
        let is_kind = ["kind", "listKind"].contains(&member);
        let why = if is_kind { bad_label(&name.to_lowercase()) } else { bad_label(name) };
        let start = if is_kind { "may have mixed case, but should otherwise match: " } else { "" };
        if let Some(why) = why {
            causes.invalid(&path.member(member), name, &format!("{start}{why}"));
        }
    }
    check_labels(names, "shortNames", path, causes);
    if !kind.is_empty() && kind == list_kind {
        let why = "kind and listKind may not be the same";
        causes.invalid(&path.member("listKind"), kind, why);
    }
    check_labels(names, "categories", path, causes);
}

fn check_labels(names: &Map<String, Value>, member: &str, path: &Path<'_>, causes: &mut Causes) {
    let place = path.member(member);
    let list = names.get(member).and_then(Value::as_array);
    for (index, label) in list.into_iter().flatten().enumerate() {
        let label = label.as_str().unwrap_or_default();
        if let Some(why) = bad_label(label) {
            causes.invalid(&place.index(index), label, &why);
        }
    }
}

/// `openAPIV3Schema` of a version.
fn schema(version: &Map<String, Value>) -> Option<&Value> {
    version.get("schema")?.get("openAPIV3Schema").filter(|schema| !schema.is_null())
}

/// Checks a member of a version that others may share.
fn check_member(
    name: &str,
    version: &Map<String, Value>,
    path: &Path<'_>,
    checks: &dyn Checks,
    causes: &mut Causes,
) {
    let member = version.get(name).unwrap_or(&Value::Null);
    match name {
        "schema" => check_schema(version, path, checks, causes),
        "subresources" => check_scale(members(&member["scale"]), &path.member("scale"), causes),
        "additionalPrinterColumns" => check_columns(member, path, causes),
        _ => check_selectable_fields(member, schema(version), path, causes),
    }
}

fn check_schema(
    version: &Map<String, Value>,
    path: &Path<'_>,
    checks: &dyn Checks,
    causes: &mut Causes,
) {
    let Some(schema) = schema(version) else { return };
    let path = path.member("openAPIV3Schema");
    let members = match structural::decoded(schema, &path) {
        Ok(members) => members,
        Err(mistyped) => return causes.extend(mistyped),
    };
    let kind = text(members, "type");
    let has_status =
        version.get("subresources").is_some_and(|subresources| subresources["status"].is_object());
    if has_status && !kind.is_empty() && kind != "object" {
        let why = "only \"object\" is allowed as the type at the root of the schema if the status \
                   subresource is enabled";
        causes.push(|| wrong_type(&path.member("type"), kind, why));
    }
    if is_set(members, "nullable") {
        causes.forbidden(&path.member("nullable"), "nullable cannot be true at the root");
    }
    let mut found = Causes::default();
    structural::check(members, &path, &mut found);
    rules::check_patterns(members, &path, checks, &mut found);
    if found.is_empty() {
        causes.extend(checks.defaults(schema, &path));
    } else {
        // A server sorts these.
        let mut found = found.into_list();
        found.sort_by_cached_key(ToString::to_string);
        causes.extend(found);
    }
    rules::check(members, SchemaContext::ROOT, &path, causes);
}

fn check_scale(scale: &Map<String, Value>, path: &Path<'_>, causes: &mut Causes) {
    if scale.is_empty() {
        return;
    }
    let paths: [(&str, &[&str], &str); 3] = [
        ("specReplicasPath", &[".spec."], "should be a json path under .spec"),
        ("statusReplicasPath", &[".status."], "should be a json path under .status"),
        (
            "labelSelectorPath",
            &[".spec.", ".status."],
            "should be a json path under either .spec or .status",
        ),
    ];
    for (name, starts, why) in paths {
        let place = path.member(name);
        let value = text(scale, name);
        if value.is_empty() {
            if name != "labelSelectorPath" {
                causes.required(&place, "");
            }
        } else if check_simple_path(value, &place, causes)
            && !starts.iter().any(|start| value.starts_with(start))
        {
            causes.invalid(&place, value, why);
        }
    }
}

/// Checks that a path begins with a dot. Returns whether it does.
fn check_simple_path(value: &str, path: &Path<'_>, causes: &mut Causes) -> bool {
    let is_simple = value.starts_with('.');
    if !is_simple {
        causes.invalid(path, value, "must be a simple json path starting with .");
    }
    is_simple
}

fn check_columns(columns: &Value, path: &Path<'_>, causes: &mut Causes) {
    const TYPES: [&str; 5] = ["boolean", "date", "integer", "number", "string"];
    const FORMATS: [&str; 8] =
        ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
    for (index, column) in columns.as_array().into_iter().flatten().map(members).enumerate() {
        let place = path.index(index);
        if text(column, "name").is_empty() {
            causes.required(&place.member("name"), "");
        }
        let kind = text(column, "type");
        if !TYPES.contains(&kind) {
            let why = format!("must be one of {}", TYPES.join(","));
            causes.push(|| wrong_type(&place.member("type"), kind, &why));
        }
        let format = text(column, "format");
        if !format.is_empty() && !FORMATS.contains(&format) {
            let why = format!("must be one of {}", FORMATS.join(","));
            causes.invalid(&place.member("format"), format, &why);
        }
        let value = text(column, "jsonPath");
        let name = format!("{place}.JSONPath");
        let pointer = place.member("jsonPath").pointer();
        let place = Path::Start(&name, &pointer);
        if value.is_empty() {
            causes.required(&place, "");
        } else {
            check_simple_path(value, &place, causes);
        }
    }
}

/// The most fields by which the objects of a version can be selected.
const MOST_SELECTABLE: usize = 8;

fn check_selectable_fields(
    fields: &Value,
    schema: Option<&Value>,
    path: &Path<'_>,
    causes: &mut Causes,
) {
    let fields: Vec<_> = fields.as_array().into_iter().flatten().map(members).collect();
    if fields.is_empty() {
        return;
    }
    let Some(schema) = schema else {
        causes.invalid(path, "", "may only be set when validations.schema is included");
        return;
    };
    let mut known = BTreeSet::new();
    for (index, field) in fields.into_iter().enumerate() {
        let place = path.index(index);
        let place = place.member("jsonPath");
        let value = text(field, "jsonPath");
        if value.is_empty() {
            causes.required(&place, "");
            continue;
        }
        if value.contains('[') {
            let why = "is an invalid path: array notation is not allowed";
            causes.invalid(&place, value, why);
            continue;
        }
        let mut names = value.strip_prefix('.').unwrap_or_default().split('.');
        let found =
            names.clone().try_fold(schema, |schema, name| schema.get("properties")?.get(name));
        if found.is_some() && names.next() == Some("metadata") {
            let why = "must not point to fields in metadata";
            causes.invalid(&place, value, why);
        }
        let why = match found.map(|found| found["type"].as_str().unwrap_or_default()) {
            None => Some("is an invalid path: does not refer to a valid field"),
            Some("string" | "boolean" | "integer") => None,
            Some(_) => Some(
                "must point to a field of type string, boolean or integer. Enum string fields and \
                 strings with formats are allowed.",
            ),
        };
        if let Some(why) = why {
            causes.invalid(&place, value, why);
        }
        if found.is_some() && !known.insert(value) {
            causes.push(|| Cause::duplicate(&place, &value.into()));
        }
    }
    if known.len() > MOST_SELECTABLE {
        causes.push(|| Cause::too_many(path, known.len(), MOST_SELECTABLE));
    }
}

/// Groups of the community need an annotation with the URL of their approval, or with a reason why
/// they have none.
fn check_approval(manifest: &Value, group: &str, causes: &mut Causes) {
    let protected = ["k8s.io", "kubernetes.io"];
    if !protected.iter().any(|domain| group == *domain || group.ends_with(&format!(".{domain}"))) {
        return;
    }
    let annotation = manifest["metadata"]["annotations"][APPROVAL].as_str().unwrap_or_default();
    let path = Path::Start("metadata.annotations", "/metadata/annotations");
    let path = path.key(APPROVAL);
    let see = "see https://github.com/kubernetes/enhancements/pull/1111";
    if annotation.is_empty() {
        let why = format!("protected groups must have approval annotation \"{APPROVAL}\", {see}");
        causes.required(&path, &why);
    } else if !annotation.starts_with("unapproved") && !annotation.contains("://") {
        let why = format!(
            "protected groups must have approval annotation \"{APPROVAL}\" with either a URL or a \
             reason starting with \"unapproved\", {see}"
        );
        causes.invalid(&path, annotation, &why);
    }
}
