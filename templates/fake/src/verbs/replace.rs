//! Replaces objects: the steps that all changes of an object share.

use super::body::{self, check_depth, stated_version};
use super::ownership::{self, Writer};
use super::parts;
use super::prepared::{Candidate, Effect};
use super::{Warnings, definition, embedded, namespace};
use crate::failure::{Cause, Failure};
use crate::kinds;
use crate::object::{Tree, finalizers, is_terminating};
use crate::request::Request;
use crate::schema::structural;
use crate::store::Stored;
use crate::validate;
use kapigen_definitions::quoted;
use kapigen_runtime::Verb;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// Metadata that never changes.
const KEPT: [&str; 6] = [
    "uid",
    "creationTimestamp",
    "generation",
    "resourceVersion",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
];

/// Replaces an object, as far as the writer may. An unchanged object keeps its version. A
/// terminating object without finalizers is removed.
pub(super) fn replace(
    request: &Request<'_>,
    found: Arc<Stored>,
    live: &Value,
    mut object: Value,
    writer: &Writer<'_>,
    warnings: &mut Warnings,
) -> Result<Candidate, Failure> {
    check_depth(&object)?;
    namespace::set(request, &mut object)?;
    parts::check_containers(request, &object, live, writer.part)?;
    let record = object.metadata("managedFields").cloned().unwrap_or_default();
    parts::reset_others(request, &mut object, live, writer.part);
    let mut filled = body::fill(request, &mut object, Some(live))?;
    // Servers record what a request states, and only then restore what it cannot change.
    ownership::record_change(request, &mut object, (live, record), writer);
    parts::keep_others(request, &mut object, live, writer.part);
    let number = live.metadata_text("resourceVersion").parse().unwrap_or_default();
    body::admit(request, &mut object, Some(live), number);
    check_immutable(request, &object, live)?;
    for name in KEPT {
        match live.metadata(name) {
            Some(value) => object.set_metadata(name, value.clone()),
            None => _ = object.remove_metadata(name),
        }
    }
    // Storage has none.
    object.remove_metadata("selfLink");
    unite_owners(&mut object, warnings);
    definition::store_version(request, &mut object);
    validate(request, &object, Some(live), warnings)?;
    check_finalizers(request, &object, live)?;
    warn_of_finalizers(request, &object, Some(live), warnings);
    raise_generation(request, &mut object, live);
    filled += body::fill(request, &mut object, Some(live))?;
    let effect = effect(request, &object, live);
    Ok(Candidate { key: request.key(request.name), found: Some(found), object, filled, effect })
}

fn effect(request: &Request<'_>, object: &Value, live: &Value) -> Effect {
    if object == live || request.is_dry_run() {
        return Effect::Nothing;
    }
    let is_over =
        is_terminating(object) && finalizers(object).is_empty() && is_released(request, object);
    if is_over { Effect::Remove } else { Effect::Store }
}

/// Whether nothing but finalizers holds a terminating object: no grace, and no finalizers of a
/// namespace.
fn is_released(request: &Request<'_>, object: &Value) -> bool {
    let grace =
        object.metadata("deletionGracePeriodSeconds").and_then(Value::as_i64).unwrap_or_default();
    grace == 0 && !namespace::is_held(request, object)
}

/// Checks that a stated uid is the uid of the object.
pub(super) fn check_uid(
    request: &Request<'_>,
    object: &Value,
    live: Option<&Value>,
) -> Result<(), Failure> {
    let stated = object.metadata_text("uid");
    let known = live.map_or("", |live| live.metadata_text("uid"));
    if stated.is_empty() || stated == known {
        return Ok(());
    }
    let resource = &request.resource;
    let name = request.name;
    let group =
        if resource.custom.is_some() { format!("{}/", resource.group) } else { String::new() };
    let namespace = request.namespace.map(|namespace| format!("{namespace}/")).unwrap_or_default();
    let key = format!("/registry/{group}{}/{namespace}{name}", resource.plural);
    let why = format!(
        "StorageError: invalid object, Code: 4, Key: {key}, ResourceVersion: 0, \
         AdditionalErrorMsg: Precondition failed: UID in precondition: {stated}, UID in object \
         meta: {known}"
    );
    Err(Failure::conflict(&resource.group, &resource.plural, name, &why))
}

/// Checks that a stated version is the version of the object.
pub(super) fn check_version(
    request: &Request<'_>,
    object: &Value,
    live: &Value,
) -> Result<(), Failure> {
    let is_patch = request.verb == Verb::Patch;
    if !is_patch {
        check_uid(request, object, Some(live))?;
    }
    match stated_version(object) {
        Some(stated) if stated.parse::<u64>().is_err() => {
            let why = format!("strconv.ParseUint: parsing \"{stated}\": invalid syntax");
            let why = if is_patch {
                why
            } else {
                format!("resourceVersion: Invalid value: \"{stated}\": {why}")
            };
            Err(Failure::internal(why))
        }
        Some(stated) if stated != live.metadata_text("resourceVersion") => {
            Err(Failure::stale(&request.resource, request.name))
        }
        None if !request.resource.facts.allows_blind_update => {
            Err(Failure::unversioned(&request.resource, request.name))
        }
        _ if is_patch => check_same_uid(request, object, live),
        _ => Ok(()),
    }
}

/// A patch cannot change the uid: servers validate it as an immutable field, and not as a
/// precondition.
pub(super) fn check_same_uid(
    request: &Request<'_>,
    object: &Value,
    live: &Value,
) -> Result<(), Failure> {
    let Some(stated) =
        object.metadata("uid").filter(|stated| Some(*stated) != live.metadata("uid"))
    else {
        return Ok(());
    };
    let cause = Cause::immutable("metadata.uid", stated);
    Err(Failure::invalid_object(
        &request.resource,
        live.metadata_text("name"),
        &[cause.clone(), cause],
    ))
}

fn check_immutable(request: &Request<'_>, object: &Value, live: &Value) -> Result<(), Failure> {
    let changed =
        ["deletionTimestamp", "deletionGracePeriodSeconds"].into_iter().filter_map(|name| {
            let stated =
                object.metadata(name).filter(|stated| Some(*stated) != live.metadata(name))?;
            // Once an object is marked as deleted, a stated time of deletion is ignored.
            let is_ignored = name == "deletionTimestamp" && is_terminating(live);
            (!is_ignored).then(|| Cause::immutable(format!("metadata.{name}"), stated))
        });
    let changed: Vec<_> = changed.collect();
    if changed.is_empty() {
        return Ok(());
    }
    Err(Failure::invalid_object(
        &request.resource,
        request.name,
        &[changed.clone(), changed].concat(),
    ))
}

/// Refuses new finalizers of a terminating object.
fn check_finalizers(request: &Request<'_>, object: &Value, live: &Value) -> Result<(), Failure> {
    if !is_terminating(live) {
        return Ok(());
    }
    let known: BTreeSet<_> = finalizers(live).into_iter().collect();
    let added: Vec<_> = finalizers(object)
        .into_iter()
        .filter(|name| !known.contains(name))
        .map(|name| json!(name).to_string())
        .collect();
    if added.is_empty() {
        return Ok(());
    }
    let why = format!(
        "no new finalizers can be added if the object is being deleted, found new finalizers \
         []string{{{}}}",
        added.join(", ")
    );
    let cause = Cause::forbidden("metadata.finalizers", &why);
    Err(Failure::invalid_object(&request.resource, request.name, &[cause.clone(), cause]))
}

/// Raises the generation if anything has changed except metadata and, if it is a subresource, the
/// status.
fn raise_generation(request: &Request<'_>, object: &mut Value, live: &Value) {
    if !request.resource.facts.has_generation {
        return;
    }
    let has_status = request.resource.has_status();
    let members = [&*object, live].into_iter().filter_map(Value::as_object).flatten();
    let names: BTreeSet<_> = members.map(|(name, _)| name.as_str()).collect();
    let is_changed = names.into_iter().any(|name| {
        let is_apart = name == "metadata" || has_status && name == "status";
        !is_apart && object.get(name) != live.get(name)
    });
    let generation = live.metadata("generation").and_then(Value::as_i64).unwrap_or_default();
    if is_changed {
        object.set_metadata("generation", json!(generation + 1));
    }
}

/// Checks metadata and, for custom resources, the schema.
pub(super) fn validate(
    request: &Request<'_>,
    object: &Value,
    live: Option<&Value>,
    #[cfg_attr(not(feature = "cel"), expect(unused_variables, reason = "only rules warn"))]
    warnings: &mut Warnings,
) -> Result<(), Failure> {
    check_kind(request, object)?;
    let mut causes = definition::causes(request, object, live);
    let resource = &request.resource;
    let checks = resource.facts.metadata_checks;
    let mut all = match live {
        None => validate::metadata(object, resource.facts.name_rule, checks),
        Some(_) => validate::changed_metadata(object, checks),
    };
    let is_of_containers = request.subresource == "ephemeralcontainers";
    if resource.custom.is_none() && (request.subresource.is_empty() || is_of_containers) {
        let named = (&*resource.group, &*resource.plural);
        if request.is_checked {
            causes.extend(kinds::causes(named, object, live));
        }
        if is_of_containers {
            causes.extend(live.map(|live| kinds::debugged(object, live)).unwrap_or_default());
        } else {
            causes.extend(kinds::limits(named, object, live));
        }
    }
    if let Some(custom) = &resource.custom {
        let part = Some("status").filter(|part| *part == request.subresource);
        let replicas = custom.replicas();
        // The name of a stored object cannot change, and is not held to them again.
        let metadata = custom.metadata.as_deref().filter(|_| live.is_none());
        let checked =
            structural::Checked { object, old: live, part, replicas: &replicas, metadata };
        let schema = resource.schema.root();
        let embedded = embedded::causes(schema, object);
        causes.extend(structural::validate(schema, checked, &all, embedded));
        #[cfg(feature = "cel")]
        if let Some(schema) = &custom.expressions
            && !structural::blocks_expressions(all.iter().chain(&causes))
        {
            let verdict = crate::cel::validate(schema, object, live);
            causes.extend(verdict.causes);
            verdict.warnings.into_iter().for_each(|warning| warnings.add(warning));
        }
    }
    all.append(&mut causes);
    if all.is_empty() {
        return Ok(());
    }
    Err(Failure::invalid_object(&request.resource, object.metadata_text("name"), &all))
}

/// Refuses a custom resource of another kind or version, by the name of which it is refused.
fn check_kind(request: &Request<'_>, object: &Value) -> Result<(), Failure> {
    let resource = &request.resource;
    let wanted = [("kind", &*resource.kind), ("apiVersion", resource.api_version())];
    let others = wanted
        .into_iter()
        .filter(|(member, wanted)| resource.custom.is_some() && object.text(member) != *wanted);
    let causes = others.map(|(member, wanted)| {
        Cause::invalid(member, &json!(object.text(member)), &format!("must be {wanted}"))
    });
    let causes: Vec<_> = causes.collect();
    if causes.is_empty() {
        return Ok(());
    }
    Err(Failure::invalid(
        &resource.group,
        object.text("kind"),
        object.metadata_text("name"),
        &causes,
    ))
}

/// Warns of new finalizers of a custom resource that have no prefix and are not standard.
pub(super) fn warn_of_finalizers(
    request: &Request<'_>,
    object: &Value,
    live: Option<&Value>,
    warnings: &mut Warnings,
) {
    if request.resource.custom.is_none() {
        return;
    }
    let known = live.map(finalizers).unwrap_or_default();
    let added: BTreeSet<_> = finalizers(object)
        .into_iter()
        .filter(|name| !known.contains(name) && validate::is_odd_finalizer(name))
        .collect();
    for name in added {
        let path = if name.contains('.') { " including a path (/)" } else { "" };
        warnings.add(format!(
            "metadata.finalizers: {}: prefer a domain-qualified finalizer name{path} to avoid \
             accidental conflicts with other finalizer writers",
            quoted(name)
        ));
    }
}

/// Drops repeated owners, with a warning.
pub(super) fn unite_owners(object: &mut Value, warnings: &mut Warnings) {
    let Some(owners) = object.metadata("ownerReferences").and_then(Value::as_array) else { return };
    if owners.len() < 2 {
        return;
    }
    let owners = owners.clone();
    warn_of_owners(&owners, warnings);
    let mut known = HashSet::new();
    let united = owners.into_iter().filter(|owner| known.insert(owner.clone()));
    object.set_metadata("ownerReferences", united.collect());
}

fn warn_of_owners(owners: &[Value], warnings: &mut Warnings) {
    let mut uids = owners.iter().filter_map(|owner| owner.get("uid")?.as_str());
    let mut known = BTreeSet::new();
    if let Some(uid) = uids.find(|uid| !known.insert(*uid)) {
        warnings.add(format!(
            ".metadata.ownerReferences contains duplicate entries; API server dedups owner \
             references in 1.20+, and may reject such requests as early as 1.24; please fix your \
             requests; duplicate UID(s) observed: {uid}"
        ));
    }
}
