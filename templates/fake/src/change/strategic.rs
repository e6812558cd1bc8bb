//! Strategic merge patches: merge patches that know the keys of lists.

use crate::schema::{SchemaId, Schemas, Shape};
use serde_json::{Map, Value};

const DIRECTIVE: &str = "$patch";
const DELETE_SCALARS: &str = "$deleteFromPrimitiveList/";
const ORDER: &str = "$setElementOrder/";
const RETAIN: &str = "$retainKeys";

/// Applies a strategic merge patch.
///
/// # Errors
/// When the patch does not fit the schema, as an API server words it.
pub(crate) fn apply(schemas: &Schemas, schema: SchemaId, target: &mut Value, patch: &Value) -> Result<(), String> {
    match (target, patch) {
        (Value::Object(target), Value::Object(patch)) => object(schemas, schema, target, patch),
        (target, patch) => {
            *target = without_directives(patch);
            Ok(())
        }
    }
}

fn object(
    schemas: &Schemas,
    schema: SchemaId,
    target: &mut Map<String, Value>,
    patch: &Map<String, Value>,
) -> Result<(), String> {
    match patch.get(DIRECTIVE).and_then(Value::as_str) {
        Some("replace") => {
            let Value::Object(new) = without_directives(&Value::Object(patch.clone())) else { return Ok(()) };
            *target = new;
            return Ok(());
        }
        Some("delete") => {
            target.clear();
            return Ok(());
        }
        Some("merge") | None => {}
        Some(other) => return Err(format!("unknown patch type: {other}")),
    }
    if let Some(Value::Array(kept)) = patch.get(RETAIN) {
        target.retain(|name, _| kept.iter().any(|known| known.as_str() == Some(name)));
    }
    for (name, change) in patch {
        if let Some(list) = name.strip_prefix(DELETE_SCALARS) {
            delete_scalars(target, list, change);
        } else if !name.starts_with('$') {
            member(schemas, schemas.member(schema, name).0, target, name, change)?;
        }
    }
    for (name, order) in patch {
        if let Some(list) = name.strip_prefix(ORDER) {
            let member = schemas.member(schema, list).0;
            reorder(schemas, member, target.get_mut(list), order);
        }
    }
    Ok(())
}

fn member(
    schemas: &Schemas,
    schema: SchemaId,
    target: &mut Map<String, Value>,
    name: &str,
    change: &Value,
) -> Result<(), String> {
    match change {
        Value::Null => _ = target.shift_remove(name),
        Value::Array(changes) if is_merged(schemas, schema) => {
            let old = target.entry(name).or_insert_with(|| Value::Array(Vec::new()));
            if !old.is_array() {
                *old = Value::Array(Vec::new());
            }
            if let Value::Array(old) = old {
                list(schemas, schema, old, changes)?;
            }
        }
        Value::Object(_) => {
            let old = target.entry(name).or_insert_with(|| Value::Object(Map::new()));
            apply(schemas, schema, old, change)?;
        }
        other => _ = target.insert(name.to_owned(), without_directives(other)),
    }
    Ok(())
}

fn is_merged(schemas: &Schemas, schema: SchemaId) -> bool {
    schemas.get(schema).strategy.merge && matches!(schemas.shape(schema), Shape::List(..))
}

fn list(schemas: &Schemas, schema: SchemaId, target: &mut Vec<Value>, changes: &[Value]) -> Result<(), String> {
    let Some(key) = &schemas.get(schema).strategy.key else {
        for change in changes {
            if !target.contains(change) {
                target.push(change.clone());
            }
        }
        return Ok(());
    };
    if changes.iter().any(|change| directive(change) == Some("replace")) {
        let is_element = |change: &&Value| directive(change) != Some("replace");
        *target = changes.iter().filter(is_element).map(without_directives).collect();
        return Ok(());
    }
    for change in changes {
        let wanted = change.get(key);
        let missing = || format!("map: {change} does not contain declared merge key: {key}");
        let wanted = wanted.ok_or_else(missing)?;
        if directive(change) == Some("delete") {
            target.retain(|element| element.get(key) != Some(wanted));
            continue;
        }
        let element = schemas.element(schema);
        match target.iter_mut().find(|old| old.get(key) == Some(wanted)) {
            Some(old) => apply(schemas, element, old, change)?,
            None => target.push(without_directives(change)),
        }
    }
    Ok(())
}

fn directive(change: &Value) -> Option<&str> {
    change.get(DIRECTIVE)?.as_str()
}

fn delete_scalars(target: &mut Map<String, Value>, list: &str, deleted: &Value) {
    if let (Some(Value::Array(target)), Value::Array(deleted)) = (target.get_mut(list), deleted) {
        target.retain(|element| !deleted.contains(element));
    }
}

/// Puts elements in the order that a patch states. Those that it does not name keep their places at the end.
fn reorder(schemas: &Schemas, schema: SchemaId, target: Option<&mut Value>, order: &Value) {
    let (Some(Value::Array(target)), Value::Array(order)) = (target, order) else { return };
    let key = schemas.get(schema).strategy.key.as_deref();
    let identity = |element: &Value| key.map_or_else(|| Some(element.clone()), |key| element.get(key).cloned());
    let wanted: Vec<_> = order.iter().map(identity).collect();
    target.sort_by_key(|element| {
        let identity = identity(element);
        wanted.iter().position(|known| *known == identity).unwrap_or(usize::MAX)
    });
}

/// A value that nothing is there to merge with. Its `null`s have nothing to remove.
fn without_directives(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.iter().filter(|(name, value)| !name.starts_with('$') && !value.is_null());
            Value::Object(kept.map(|(name, value)| (name.clone(), without_directives(value))).collect())
        }
        Value::Array(elements) => Value::Array(elements.iter().map(without_directives).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use crate::schema::{Reader, Schemas};
    use serde_json::{Map, Value, json};

    fn patched(target: Value, patch: Value) -> Result<Value, String> {
        let mut schemas = Schemas::default();
        let components = Map::new();
        let schema = Reader::new(&mut schemas, &components).read(&json!({
            "type": "object",
            "properties": {
                "ports": {
                    "type": "array",
                    "x-kubernetes-patch-strategy": "merge",
                    "x-kubernetes-patch-merge-key": "port",
                    "items": {"type": "object", "properties": {"port": {"type": "integer"}, "name": {"type": "string"}}},
                },
                "names": {"type": "array", "x-kubernetes-patch-strategy": "merge", "items": {"type": "string"}},
                "args": {"type": "array", "items": {"type": "string"}},
            },
        }));
        let mut target = target;
        super::apply(&schemas, schema, &mut target, &patch).map(|()| target)
    }

    #[test]
    fn lists_merge_by_their_key() {
        let target = json!({"ports": [{"port": 1, "name": "a"}, {"port": 2}], "args": ["x"]});
        let patch = json!({"ports": [{"port": 2, "name": "b"}, {"port": 3}], "args": ["y"]});
        let result = json!({"ports": [{"port": 1, "name": "a"}, {"port": 2, "name": "b"}, {"port": 3}], "args": ["y"]});
        assert_eq!(patched(target, patch), Ok(result));
    }

    #[test]
    fn directives_delete_replace_and_order() {
        let target = json!({"ports": [{"port": 1}, {"port": 2}], "names": ["a", "b"]});
        let patch = json!({
            "ports": [{"port": 1, "$patch": "delete"}, {"port": 3}],
            "$setElementOrder/ports": [{"port": 3}, {"port": 2}],
            "$deleteFromPrimitiveList/names": ["a"],
            "names": ["c"],
        });
        let result = json!({"ports": [{"port": 3}, {"port": 2}], "names": ["b", "c"]});
        assert_eq!(patched(target.clone(), patch), Ok(result));
        let patch = json!({"ports": [{"port": 9}, {"$patch": "replace"}]});
        assert_eq!(patched(target.clone(), patch), Ok(json!({"ports": [{"port": 9}], "names": ["a", "b"]})));
        let patch = json!({"$retainKeys": ["names"], "names": ["a"]});
        assert_eq!(patched(target, patch), Ok(json!({"names": ["a", "b"]})));
    }

    #[test]
    fn an_element_needs_its_key() {
        let error = patched(json!({"ports": []}), json!({"ports": [{"name": "a"}]})).unwrap_err();
        assert!(error.contains("merge key: port"), "{error}");
    }
}
