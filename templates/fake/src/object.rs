//! Objects as trees: access to the members that every object has.

use serde_json::{Map, Value, json};

/// Access to members and metadata, by name.
pub(crate) trait Tree {
    /// A member that is a string. Empty if it is absent.
    fn text(&self, name: &str) -> &str;
    fn metadata(&self, name: &str) -> Option<&Value>;
    /// A string of the metadata. Empty if it is absent.
    fn metadata_text(&self, name: &str) -> &str;
    fn set_metadata(&mut self, name: &str, value: Value);
    fn remove_metadata(&mut self, name: &str) -> Option<Value>;
    /// The value at a path with dots.
    fn at(&self, path: &str) -> Option<&Value>;
    /// The elements of a list at a path with dots. Empty if it is absent.
    fn list(&self, path: &str) -> &[Value];
    /// Puts a value at a path with dots, and creates absent objects on the way.
    fn put(&mut self, path: &str, value: Value);
}

impl Tree for Value {
    fn text(&self, name: &str) -> &str {
        self.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn metadata(&self, name: &str) -> Option<&Value> {
        self.get("metadata")?.get(name).filter(|value| !value.is_null())
    }

    fn metadata_text(&self, name: &str) -> &str {
        self.metadata(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn set_metadata(&mut self, name: &str, value: Value) {
        if let Some(metadata) = metadata_mut(self) {
            metadata.insert(name.to_owned(), value);
        }
    }

    fn remove_metadata(&mut self, name: &str) -> Option<Value> {
        metadata_mut(self)?.shift_remove(name)
    }

    fn at(&self, path: &str) -> Option<&Value> {
        path.split('.').try_fold(self, |value, step| value.get(step))
    }

    fn list(&self, path: &str) -> &[Value] {
        self.at(path).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    fn put(&mut self, path: &str, value: Value) {
        let mut target = self;
        for step in path.split('.') {
            if !target.is_object() {
                *target = Value::Object(Map::new());
            }
            let Value::Object(members) = target else { return };
            target = members.entry(step).or_insert(Value::Null);
        }
        *target = value;
    }
}

/// The metadata of an object, made if it is absent.
fn metadata_mut(object: &mut Value) -> Option<&mut Map<String, Value>> {
    const METADATA: &str = "metadata";
    let members = object.as_object_mut()?;
    if members.get(METADATA).is_none_or(Value::is_null) {
        members.insert(METADATA.to_owned(), json!({}));
    }
    members.get_mut(METADATA)?.as_object_mut()
}

/// Writes numbers without a fraction as integers. Servers hold custom resources as trees, and
/// encode numbers in the shortest form.
pub(crate) fn normalize_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            // A float of this size is a whole number that fits.
            let whole = number
                .as_f64()
                .filter(|float| number.is_f64() && float.fract() == 0.0 && float.abs() < 9e15);
            if let Some(whole) = whole {
                #[expect(clippy::cast_possible_truncation, reason = "it is whole")]
                let whole = whole as i64;
                *value = json!(whole);
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(normalize_numbers),
        Value::Object(members) => members.values_mut().for_each(normalize_numbers),
        _ => {}
    }
}

/// The greatest depth of stored objects. The record of managers repeats the members of the object
/// further down, and the parser's limit is 128.
const DEEPEST: usize = 100;

/// Whether an object is nested too deeply to be stored.
pub(crate) fn is_too_deep(object: &Value) -> bool {
    fn exceeds(value: &Value, left: usize) -> bool {
        match value {
            Value::Array(_) | Value::Object(_) if left == 0 => return true,
            Value::Array(elements) => {
                for element in elements {
                    if exceeds(element, left - 1) {
                        return true;
                    }
                }
            }
            Value::Object(members) => {
                for member in members.values() {
                    if exceeds(member, left - 1) {
                        return true;
                    }
                }
            }
            _ => {}
        }
        false
    }
    exceeds(object, DEEPEST)
}

/// Whether an object is marked as deleted.
pub(crate) fn is_terminating(object: &Value) -> bool {
    object.metadata("deletionTimestamp").is_some()
}

/// Marks an object as deleted, with this end and this grace period in seconds.
pub(crate) fn mark_deleted(object: &mut Value, end: &str, grace: i64) {
    object.set_metadata("deletionTimestamp", json!(end));
    object.set_metadata("deletionGracePeriodSeconds", json!(grace));
    // Objects of kinds without generations have none.
    if let Some(generation) = object.metadata("generation").and_then(Value::as_i64) {
        object.set_metadata("generation", json!(generation.saturating_add(1)));
    }
}

/// The references of an object to its owners.
pub(crate) fn owners(object: &Value) -> impl Iterator<Item = &Value> {
    object.metadata("ownerReferences").and_then(Value::as_array).into_iter().flatten()
}

/// The finalizers that hold an object.
pub(crate) fn finalizers(object: &Value) -> Vec<&str> {
    let list = object.metadata("finalizers").and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).collect()
}
