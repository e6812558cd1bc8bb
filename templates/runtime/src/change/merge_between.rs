//! Merge patches (RFC 7386) that turn one value into another.

use super::path::Path;
use super::{ChangeError, pairs, tree};
use crate::codec::View;
use crate::codec::schema::Schema;
use serde_json::{Map, Value, json};

/// The patch that turns the old object into the new one, as JSON.
pub(crate) fn between(old: View<'_>, new: View<'_>, schema: &Schema) -> Result<Vec<u8>, ChangeError> {
    let version = pairs::version(old);
    let [old, new] = tree::differing(old, new, schema.root())?;
    let mut replaces_list = false;
    let mut change = members(&Path::ROOT, &old, &new, &mut replaces_list)?;
    // Somebody else may have changed another element of the list: with its version, the server notices.
    if let Some(version) = version.filter(|_| replaces_list) {
        let metadata = change.entry("metadata").or_insert_with(|| json!({}));
        if let Value::Object(metadata) = metadata {
            metadata.insert("resourceVersion".to_owned(), version.into());
        }
    }
    Ok(Value::Object(change).to_string().into_bytes())
}

fn members(
    path: &Path<'_>,
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    replaces_list: &mut bool,
) -> Result<Map<String, Value>, ChangeError> {
    let mut change = Map::new();
    let gone = old.keys().filter(|key| !new.contains_key(*key) && !path.key(key).is_metadata("resourceVersion"));
    change.extend(gone.map(|key| (key.clone(), Value::Null)));
    for (key, new) in new {
        let path = path.key(key);
        if path.is_metadata("resourceVersion") {
            continue;
        }
        let changed = match (old.get(key), new) {
            (Some(old), new) if !new.is_object() && old == new => continue,
            (Some(Value::Object(old)), Value::Object(new)) => {
                let inner = members(&path, old, new, replaces_list)?;
                if inner.is_empty() {
                    continue;
                }
                Value::Object(inner)
            }
            (old, new) => {
                if new.is_null() || tree::has_null_member(new) {
                    return Err(ChangeError::new(path, "a merge patch cannot set `null`: use a JSON patch"));
                }
                *replaces_list |= matches!(old, Some(Value::Array(_)));
                new.clone()
            }
        };
        change.insert(key.clone(), changed);
    }
    Ok(change)
}
