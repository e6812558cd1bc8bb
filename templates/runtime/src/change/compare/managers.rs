//! The managers of an object, and what each of them owns.

use super::tree_between;
use crate::change::ChangeError;
use crate::change::fields::{FieldPart, FieldSet};
use crate::codec::change::schema::{Node, Schema, Shape};
use crate::codec::path::{MESSAGE, shortened};
use crate::codec::table::ListType;
use crate::codec::{Object, Slot, Target, View, json, unknown};
use crate::kind::AnyResource;
use crate::meta_v1::{ObjectMeta, RawJson, Time};
use serde_json::{Map, Value, json};

/// A manager of fields, with the fields that it owns: an entry of `metadata.managedFields`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Manager {
    /// Its name: the `fieldManager` of its requests.
    pub name: String,
    /// `Apply` for server-side apply, `Update` for any other write.
    pub operation: String,
    /// The subresource through which it wrote, such as `status`; empty for the object itself.
    pub subresource: String,
    /// The API version of its request.
    pub api_version: String,
    /// When it last changed the object.
    pub time: Option<Time>,
    /// The fields that it owns.
    pub fields: FieldSet,
}

/// The managers of an object, in the order of `metadata.managedFields`.
///
/// ```
/// use kapigen_runtime::AnyResource;
/// use kapigen_runtime::change::{ChangeError, managers};
///
/// fn print_managers<T: AnyResource>(live: &T) -> Result<(), ChangeError> {
///     for manager in managers(live)? {
///         println!("{}: {}", manager.name, manager.fields.paths().join(", "));
///     }
///     Ok(())
/// }
/// ```
///
/// # Errors
/// When the fields of one of them are not in the format `FieldsV1`.
#[inline]
pub fn managers<T: AnyResource>(live: &T) -> Result<Vec<Manager>, ChangeError> {
    ChangeError::check_whole(live.unboxed())?;
    of_metadata(live.metadata())
}

/// Not generic, so that it is compiled once.
pub(super) fn of_metadata(metadata: &ObjectMeta) -> Result<Vec<Manager>, ChangeError> {
    let entries = metadata.managed_fields.iter().flatten();
    let entries = entries.enumerate().map(|(index, entry)| {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        Ok(Manager {
            name: text(&entry.manager),
            operation: text(&entry.operation),
            subresource: text(&entry.subresource),
            api_version: text(&entry.api_version),
            time: entry.time,
            fields: fields(
                index,
                &entry.fields_v1.as_ref().map_or(Ok(json!({})), RawJson::to_value),
            )?,
        })
    });
    entries.collect()
}

/// The fields of an entry.
fn fields(
    index: usize,
    fields: &Result<Value, serde_json::Error>,
) -> Result<FieldSet, ChangeError> {
    let path = format!("metadata.managedFields[{index}].fieldsV1");
    match fields {
        Ok(fields) => FieldSet::from_fields_v1(fields).map_err(|error| error.below(&path)),
        Err(error) => Err(ChangeError::new(path, error.to_string())),
    }
}

/// The part of an object that a manager owns, as its type: the fields that the manager applied
/// last, with their current values.
///
/// Change it and [apply](crate::Patch::apply) it again: then the manager keeps what it owns, and
/// owns nothing else. It remembers which required members the manager owns: an empty one is sent if
/// the manager owns it, and left out if not. Name and namespace are the object's.
///
/// Extracting and applying gives up zero values that the server does not encode, such as
/// `paused: false` of a Deployment: the manager owns the field, but the object that was read does
/// not have it, so the apply lacks it. Set such a field again before the apply if the manager is to
/// keep it.
///
/// The subresource is the one through which the manager writes, such as `status`, or nothing. If it
/// has applied and also updated, only the applied fields count.
///
/// ```
/// use kapigen_runtime::change::{ChangeError, extract};
/// use kapigen_runtime::{AnyResource, Patch};
///
/// /// Adds a label to those that `labeler` has applied before.
/// fn add_label<T: AnyResource>(live: &T) -> Result<Patch, ChangeError> {
///     let mut own = extract(live, "labeler", "")?;
///     own.metadata_mut().labels.get_or_insert_default().insert("tier".to_owned(), "front".to_owned());
///     Ok(Patch::apply(&own))
/// }
/// ```
///
/// # Errors
/// When there is no such manager, when its fields are not in the format `FieldsV1`, or when the
/// object has free JSON that a tree cannot hold.
#[inline]
pub fn extract<T: AnyResource>(
    live: &T,
    manager: &str,
    subresource: &str,
) -> Result<T, ChangeError> {
    ChangeError::check_whole(live.unboxed())?;
    let mut extracted = T::empty();
    let identity = [("apiVersion", live.api_version()), ("kind", live.kind())];
    let live = Live {
        object: live.unboxed(),
        metadata: live.metadata(),
        schema: Schema::of::<T>(),
        identity,
    };
    live.extract(extracted.unboxed_mut(), manager, subresource)?;
    Ok(extracted)
}

/// An object of any type, apart from the type.
struct Live<'a> {
    object: &'a dyn Object,
    metadata: &'a ObjectMeta,
    schema: Schema,
    /// The members that state its kind.
    identity: [(&'static str, &'a str); 2],
}

impl Live<'_> {
    /// Decodes the part of a manager into an object without members.
    fn extract(
        &self,
        extracted: &mut dyn Object,
        manager: &str,
        subresource: &str,
    ) -> Result<(), ChangeError> {
        let fields = fields_of(self.metadata, manager, subresource)?;
        let root = self.schema.root();
        let part = select(&tree_between::tree_of(View::Object(self.object), root)?, &fields, root);
        let names = [("name", &self.metadata.name), ("namespace", &self.metadata.namespace)];
        let names = names.into_iter().filter_map(|(key, name)| Some((key, name.as_deref()?)));
        decode(Target::Object(extracted), &with_identity(part, self.identity, names))?;
        unknown::for_each(Slot::Object(extracted), &mut |unknown, _| unknown.set_exact());
        Ok(())
    }
}

fn fields_of(
    metadata: &ObjectMeta,
    name: &str,
    subresource: &str,
) -> Result<FieldSet, ChangeError> {
    let managers = of_metadata(metadata)?;
    let mut meant: Vec<_> = managers
        .iter()
        .filter(|manager| manager.name == name && manager.subresource == subresource)
        .collect();
    meant.sort_by_key(|manager| manager.operation != "Apply");
    match meant.first() {
        Some(manager) => Ok(manager.fields.clone()),
        None => Err(unknown(name, subresource, &managers)),
    }
}

fn unknown(name: &str, subresource: &str, managers: &[Manager]) -> ChangeError {
    let shown = |name: &str, subresource: &str| match subresource {
        "" => format!("`{name}`"),
        subresource => format!("`{name}` of `{subresource}`"),
    };
    let known: Vec<_> =
        managers.iter().map(|manager| shown(&manager.name, &manager.subresource)).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    let message = format!(
        "no manager {}; there are: {}",
        shown(name, subresource),
        shortened(&known, MESSAGE / 2)
    );
    ChangeError::new("metadata.managedFields", message)
}

fn with_identity<'a>(
    part: Value,
    identity: [(&str, &str); 2],
    names: impl Iterator<Item = (&'static str, &'a str)>,
) -> Value {
    let Value::Object(mut object) = part else { return part };
    // An object of any kind may not state its own.
    for (key, value) in identity.into_iter().filter(|(_, value)| !value.is_empty()) {
        object.insert(key.to_owned(), value.into());
    }
    let metadata = object.entry("metadata").or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(metadata) = metadata {
        metadata.extend(names.map(|(key, name)| (key.to_owned(), name.into())));
    }
    Value::Object(object)
}

/// Decodes a tree.
fn decode(target: Target<'_>, tree: &Value) -> Result<(), ChangeError> {
    json::read(target, tree.to_string().as_bytes()).map_err(|error| {
        ChangeError::new("", format!("the result is not an object of this type: {error}"))
    })
}

/// The fields of a value that are in a set.
fn select(value: &Value, fields: &FieldSet, node: Node<'_>) -> Value {
    let is_whole =
        node.is_atomic() || (fields.children.is_empty() && matches!(node.shape, Shape::Any));
    match value {
        _ if is_whole => value.clone(),
        Value::Object(members) => {
            let owned = members.iter().filter_map(|(key, value)| {
                let fields = fields.children.get(&FieldPart::Field(key.clone()))?;
                Some((key.clone(), select(value, fields, node.member(key))))
            });
            Value::Object(owned.collect())
        }
        Value::Array(_) if is_replaced(node.merge.list) && fields.children.is_empty() => {
            value.clone()
        }
        Value::Array(elements) => {
            let owned = elements.iter().enumerate().filter_map(|(index, element)| {
                let fields = fields.children.get(&part_of(element, index, node))?;
                Some(with_keys(select(element, fields, node.element()), element, node))
            });
            Value::Array(owned.collect())
        }
        value => value.clone(),
    }
}

/// The path segment of an element of a list.
fn part_of(element: &Value, index: usize, node: Node<'_>) -> FieldPart {
    match node.merge.list {
        ListType::Usual | ListType::Atomic | ListType::AtomicValues => FieldPart::Index(index),
        ListType::Set => FieldPart::value(element),
        ListType::Map(keys) => {
            let members = keys.iter().filter_map(|(key, default)| {
                let stated = element.get(key).filter(|value| !value.is_null()).cloned();
                Some((*key, stated.or_else(|| serde_json::from_str(default).ok())?))
            });
            let members: Vec<_> = members.collect();
            FieldPart::key(members.iter().map(|(key, value)| (*key, value)))
        }
    }
}

/// Whether an apply replaces lists of this type as a whole.
fn is_replaced(list: ListType) -> bool {
    matches!(list, ListType::Usual | ListType::Atomic)
}

/// An element with the members that identify it.
fn with_keys(mut selected: Value, element: &Value, node: Node<'_>) -> Value {
    if let (Value::Object(members), ListType::Map(keys)) = (&mut selected, node.merge.list) {
        for (key, _) in keys {
            if let Some(value) = element.get(key) {
                members.entry((*key).to_owned()).or_insert_with(|| value.clone());
            }
        }
    }
    selected
}
