//! Applying configurations.

use super::ownership::{self, Writer, field_writer};
use super::parts::{self, ObjectPart};
use super::prepared::{Prepared, Response};
use super::{Warnings, body, convert, create, live, replace};
use crate::change::{ApplyError, FieldConflict, apply_configuration};
use crate::failure::Failure;
use crate::object::{Tree, normalize_numbers};
use crate::request::Request;
use crate::schema::typed;
use crate::state::State;
use crate::tree::{Body, from_json, from_yaml};
use serde_json::{Value, json};

/// PATCH with a configuration.
pub(super) fn prepare(
    state: &mut State,
    request: &Request<'_>,
    part: ObjectPart,
    warnings: &mut Warnings,
) -> Result<Prepared, Failure> {
    let mut config = config(request, warnings)?;
    check_config(request, &config)?;
    parts::drop_others(request, &mut config, part);
    let by = Writer::new(request, true, part);
    let Some(found) = state.store.get(&request.key(request.name)).cloned() else {
        if part != ObjectPart::Main {
            return Err(Failure::missing(&request.resource, request.name));
        }
        let object = new_object(request, &config, &by)?;
        return create::prepare_object(state, request, object, &by, warnings);
    };
    convert::check_stored(&request.resource)?;
    let live = live(request, &found);
    complete_name(request, &mut config);
    let object = merged(request, &live, &config, &by)?;
    body::check_name(request, &object)?;
    if let Some(stated) = body::stated_version(&config)
        && stated != live.metadata_text("resourceVersion")
    {
        return Err(Failure::stale(&request.resource, request.name));
    }
    replace::check_same_uid(request, &config, &live)?;
    let candidate = replace::replace(request, found, &live, object, &by, warnings)?;
    Ok(Prepared::write(candidate, Response::Object(200)))
}

/// The object that a configuration creates.
fn new_object(request: &Request<'_>, config: &Value, by: &Writer<'_>) -> Result<Value, Failure> {
    let object = merged(request, &Value::Null, config, by)?;
    let uid = object.metadata_text("uid");
    if !uid.is_empty() {
        let why = format!(
            "uid mismatch: the provided object specified uid {uid}, and no existing object was \
             found"
        );
        return Err(Failure::conflict(
            &request.resource.group,
            &request.resource.plural,
            request.name,
            &why,
        ));
    }
    body::check_name(request, &object)?;
    Ok(object)
}

/// The body of an apply, which is YAML.
pub(super) fn config(request: &Request<'_>, warnings: &mut Warnings) -> Result<Value, Failure> {
    let parsed = from_json(request.incoming.body).or_else(|_| from_yaml(request.incoming.body));
    let Body { mut tree, repeated_keys, .. } =
        parsed.map_err(|why| Failure::bad_request(format!("error decoding YAML: {why}")))?;
    // Numbers in JSON are read as in YAML, too.
    normalize_numbers(&mut tree);
    if !repeated_keys.is_empty() {
        report_repeated(repeated_keys, request, warnings)?;
    }
    match tree {
        Value::Object(_) => Ok(tree),
        Value::Null => Ok(json!({})),
        other => {
            let what = body::unmarshal(&other, "map[string]interface {}");
            Err(Failure::bad_request(format!(
                "error decoding YAML: error unmarshaling JSON: while decoding JSON: {what}"
            )))
        }
    }
}

/// Reports keys that the configuration has twice.
fn report_repeated(
    lines: Vec<String>,
    request: &Request<'_>,
    warnings: &mut Warnings,
) -> Result<(), Failure> {
    match request.get("fieldValidation") {
        "Ignore" => {}
        "Strict" => {
            let what = format!("yaml: unmarshal errors:\n  {}", lines.join("\n  "));
            return Err(Failure::bad_request(format!("error strict decoding YAML: {what}")));
        }
        _ => lines.into_iter().for_each(|line| warnings.add(line)),
    }
    Ok(())
}

/// Names the configuration of an object that exists, which need not state its name: the result has
/// it.
fn complete_name(request: &Request<'_>, config: &mut Value) {
    if config.get("metadata").is_none_or(Value::is_null) {
        config["metadata"] = json!({});
    }
    if config["metadata"].get("name").is_none_or(|name| name.is_null() || name == "") {
        config.set_metadata("name", json!(request.name));
    }
}

fn check_config(request: &Request<'_>, config: &Value) -> Result<(), Failure> {
    let version = config.text("apiVersion");
    let kind = config.text("kind");
    if (version, kind) != (request.resource.api_version(), request.resource.kind.as_str()) {
        let shown = if version.contains('/') { version.to_owned() } else { format!("/{version}") };
        return Err(Failure::bad_request(format!("invalid object type: {shown}, Kind={kind}")));
    }
    if config
        .get("metadata")
        .and_then(|metadata| metadata.get("managedFields"))
        .is_some_and(|record| !record.is_null())
    {
        return Err(Failure::bad_request("metadata.managedFields must be nil"));
    }
    typed::check(request.resource.schema.root(), config).map_err(|found| {
        let group = &request.resource.group;
        let version = &request.resource.version;
        let name = config.metadata_text("name");
        let kind = &request.resource.kind;
        let namespace = config.metadata_text("namespace");
        let what = format!("({namespace}/{name}; {group}/{version}, Kind={kind})");
        Failure::internal(format!("failed to create typed patch object {what}: {found}"))
    })
}

/// Merges a configuration into an object, or into nothing. An empty record represents all managers
/// that gave up.
pub(super) fn merged(
    request: &Request<'_>,
    live: &Value,
    config: &Value,
    by: &Writer<'_>,
) -> Result<Value, Failure> {
    let schema = &request.resource.schema;
    let force = request.incoming.is_set("force");
    match apply_configuration(live, config, schema, &field_writer(request, by), force) {
        Ok(mut object) => {
            ownership::drop_identities(&mut object, by);
            if object.metadata("managedFields").is_none() {
                object.set_metadata("managedFields", json!([]));
            }
            Ok(object)
        }
        Err(ApplyError::Conflicts(conflicts)) => Err(refusal(&conflicts)),
        Err(error) => Err(Failure::internal(error.to_string())),
    }
}

/// 409 with a cause for each field.
pub(super) fn refusal(conflicts: &[FieldConflict]) -> Failure {
    let causes: Vec<_> = conflicts
        .iter()
        .map(|FieldConflict { manager, path, .. }| {
            json!({"reason": "FieldManagerConflict", "message": format!("conflict with {manager}"), "field": path})
        })
        .collect();
    let text = if let [FieldConflict { manager, path, .. }] = conflicts {
        format!("Apply failed with 1 conflict: conflict with {manager}: {path}")
    } else {
        let mut lines = Vec::new();
        for (index, FieldConflict { manager, path, .. }) in conflicts.iter().enumerate() {
            if index == 0 || conflicts[index - 1].manager != *manager {
                lines.push(format!("conflicts with {manager}:"));
            }
            lines.push(format!("- {path}"));
        }
        format!("Apply failed with {} conflicts: {}", conflicts.len(), lines.join("\n"))
    };
    Failure::new(409, text).with_details(json!({"causes": causes}))
}
