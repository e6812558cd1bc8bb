//! Server-side apply, and the managers of other writes.

use crate::encode::encode_characters;
use crate::schema::{ListType, Node, Scalar, Schema, Shape};
use kapigen_definitions::quoted;
use kapigen_runtime::change::{ChangeError, FieldPart, FieldSet, list_order};
use kapigen_runtime::meta_v1::Time;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::LazyLock;

/// The manager to which a server ascribes what was there before managers were tracked.
const BEFORE: &str = "before-first-apply";

/// Members of every object that no manager owns.
const UNOWNED: &[&[&str]] = &[
    &["apiVersion"],
    &["kind"],
    &["metadata"],
    &["metadata", "clusterName"],
    &["metadata", "creationTimestamp"],
    &["metadata", "generation"],
    &["metadata", "managedFields"],
    &["metadata", "name"],
    &["metadata", "namespace"],
    &["metadata", "resourceVersion"],
    &["metadata", "selfLink"],
    &["metadata", "uid"],
];

/// An error of applying a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApplyError {
    /// Other managers own fields that the configuration sets to another value.
    Conflicts(Vec<FieldConflict>),
    /// The object or the configuration is invalid.
    Invalid(ChangeError),
}

/// A field that another manager owns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldConflict {
    /// The path of the field, such as `.spec.replicas`.
    pub path: String,
    /// Its manager in the words of a server: `"hpa" with subresource "scale"`.
    pub manager: String,
}

impl fmt::Display for FieldConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "conflict with {}: {}", self.manager, self.path)
    }
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ApplyError::Conflicts(conflicts) => {
                write!(f, "{} fields have other managers", conflicts.len())?;
                conflicts.iter().try_for_each(|conflict| write!(f, "; {conflict}"))
            }
            ApplyError::Invalid(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ApplyError {}

impl From<ChangeError> for ApplyError {
    fn from(error: ChangeError) -> Self {
        ApplyError::Invalid(error)
    }
}

/// Applies a configuration to an object, as a server does: merges it, removes what this manager
/// applied before and does not any more, and writes the owners of fields into
/// `metadata.managedFields`.
///
/// The object may be `null`, which is none. With `force` the manager takes fields that others own.
///
/// ```
/// use kapigen_fake::change::{ApplyError, FieldWriter, Schema, apply_configuration};
/// use serde_json::{Value, json};
///
/// let schema = Schema::from_definition(&json!({"type": "object"}));
/// let writer = |name| FieldWriter { name, subresource: "", api_version: "v1", time: None };
/// let labels = |tier| json!({"metadata": {"name": "web", "labels": {"tier": tier}}});
/// let live = apply_configuration(&Value::Null, &labels("front"), &schema, &writer("first"), false)?;
/// let refused = apply_configuration(&live, &labels("back"), &schema, &writer("second"), false);
/// assert!(matches!(refused, Err(ApplyError::Conflicts(conflicts)) if conflicts[0].path == ".metadata.labels.tier"));
/// let live = apply_configuration(&live, &labels("back"), &schema, &writer("second"), true)?;
/// assert_eq!(live["metadata"]["labels"]["tier"], "back");
/// # Ok::<(), ApplyError>(())
/// ```
///
/// # Errors
/// When other managers own fields of the configuration, and their values would change. When the
/// configuration has `managedFields`, elements of lists without their keys or with the same ones,
/// or `managedFields` of the object cannot be read.
pub fn apply_configuration(
    live: &Value,
    configuration: &Value,
    schema: &Schema,
    writer: &FieldWriter<'_>,
    force: bool,
) -> Result<Value, ApplyError> {
    let node = schema.root();
    if !configuration["metadata"]["managedFields"].is_null() {
        let message = "must be absent: the server keeps it";
        return Err(ChangeError::new("metadata.managedFields", message).into());
    }
    check_keys(configuration, node, &mut String::new())?;
    let mut managers = managers_of(live)?;
    let before = without_managers(live);
    if managers.is_empty() && !live.is_null() {
        let first = FieldWriter { name: BEFORE, ..*writer };
        managers.push(
            first.manager(Operation::Update, Changes::between(&json!({}), &before, node).set),
        );
    }
    let all = fields_of(configuration, node);
    let mut own = writer.manager(Operation::Apply, all.difference(&UNOWNED_SET));
    let former =
        managers.iter().position(|manager| manager.is_same(&own)).map(|at| managers.remove(at));
    let mut after = merged(&before, configuration, node);
    let merged = former.as_ref().map(|_| after.clone());
    if let Some(former) = &former {
        own.time = former.time;
        let others = managers
            .iter()
            .fold(FieldSet::default(), |others, manager| others.union(&manager.fields));
        prune(&mut after, node, [&former.fields, &all, &others]);
    }
    let changes = Changes::between(&before, &after, node);
    let conflicts = take_over(&mut managers, &changes);
    if !force && !conflicts.is_empty() {
        return Err(ApplyError::Conflicts(conflicts));
    }
    if before != after {
        own.time = writer.time;
    }
    managers.push(own);
    if let Some(merged) = &merged {
        drop_emptied(&mut after, merged);
    }
    write_managers(&mut after, managers);
    Ok(after)
}

/// Writes the owners of fields into an object that was created, replaced or patched: the manager
/// owns what it has changed.
///
/// The old object may be `null`, which is none. If the new one has no `managedFields` that can be
/// read, or the writer is that of a subresource, those of the old one count; an empty list, or one
/// with a single empty entry, forgets all managers. A stored object without managers is not tracked
/// until the next apply.
pub fn track_update(old: &Value, new: &mut Value, schema: &Schema, writer: &FieldWriter<'_>) {
    let node = schema.root();
    let stated = take_record(new);
    if stated.as_array().is_some_and(|entries| {
        matches!(&entries[..], [] | [_]) && entries.iter().all(is_empty_entry)
    }) {
        return;
    }
    let is_main = writer.subresource.is_empty();
    let mut managers = stated_managers(&stated, writer).filter(|_| is_main).unwrap_or_else(|| {
        // A record that cannot be read is none.
        managers_of(old).unwrap_or_default()
    });
    if managers.is_empty() && old["metadata"]["uid"].as_str().is_some_and(|uid| !uid.is_empty()) {
        return;
    }
    let changes = Changes::between(old, new, node);
    take_over(&mut managers, &changes);
    if !changes.set.is_empty() {
        let mut own = writer.manager(Operation::Update, changes.set);
        if let Some(at) = managers.iter().position(|manager| manager.is_same(&own)) {
            own.fields = own.fields.union(&managers.remove(at).fields);
        }
        managers.push(own);
        unite_oldest(&mut managers);
    }
    write_managers(new, managers);
}

/// The managers of a record that a request states: none if it cannot be read, or has nothing.
/// Managers of other groups are forgotten.
fn stated_managers(record: &Value, writer: &FieldWriter<'_>) -> Option<Vec<Manager>> {
    let entries = record.as_array()?;
    let mut managers =
        managers_of_record(record).ok().filter(|_| entries.iter().all(is_readable))?;
    if managers.is_empty() {
        return None;
    }
    let group = |version: &str| version.split_once('/').map_or("", |(group, _)| group).to_owned();
    let own = group(writer.api_version);
    managers.retain(|manager| group(&manager.api_version) == own);
    Some(managers)
}

/// Whether an entry of a record states all that one has to.
fn is_readable(entry: &Value) -> bool {
    let text = |key: &str| entry[key].as_str().unwrap_or_default();
    Operation::of(text("operation")).is_some()
        && !text("apiVersion").is_empty()
        && text("fieldsType") == "FieldsV1"
}

/// The maximum number of managers that update an object, beside the one that represents all earlier
/// ones of a version.
const MOST_UPDATERS: usize = 10;
/// The manager to which a server ascribes the fields of the oldest ones.
const ANCIENT: &str = "ancient-changes";

/// Unites the oldest managers that update, each with the others of its version, until there are few
/// enough.
fn unite_oldest(managers: &mut Vec<Manager>) {
    let mut updaters: Vec<_> =
        managers.extract_if(.., |manager| manager.operation == Operation::Update).collect();
    let mut excess = updaters.len().saturating_sub(MOST_UPDATERS);
    updaters.sort_by(|one, other| {
        let order =
            |manager: &Manager| (manager.time.map(|time| time.to_string()), manager.name.clone());
        order(one).cmp(&order(other))
    });
    let mut kept: Vec<Manager> = Vec::new();
    let mut firsts: BTreeMap<String, usize> = BTreeMap::new();
    for manager in updaters {
        let version = manager.api_version.clone();
        match firsts.get(&version) {
            Some(first) if excess > 0 => {
                let bucket = &mut kept[*first];
                ANCIENT.clone_into(&mut bucket.name);
                bucket.subresource.clear();
                bucket.fields = bucket.fields.union(&manager.fields);
                bucket.time = manager.time;
                excess -= 1;
            }
            _ => {
                firsts.entry(version).or_insert(kept.len());
                kept.push(manager);
            }
        }
    }
    managers.append(&mut kept);
}

fn is_empty_entry(entry: &Value) -> bool {
    entry.as_object().is_some_and(Map::is_empty)
}

/// Takes the record of managers out of an object. `null` if it has none.
fn take_record(object: &mut Value) -> Value {
    let metadata = object.get_mut("metadata").and_then(Value::as_object_mut);
    metadata.and_then(|metadata| metadata.shift_remove("managedFields")).unwrap_or_default()
}

fn without_managers(object: &Value) -> Value {
    let mut object = object.clone();
    take_record(&mut object);
    object
}

/// The members of every object that no manager owns, as a set.
static UNOWNED_SET: LazyLock<FieldSet> = LazyLock::new(|| {
    let mut set = FieldSet::default();
    for names in UNOWNED {
        let field = names.iter().fold(&mut set, |set, name| {
            set.children.entry(FieldPart::Field((*name).to_owned())).or_default()
        });
        field.is_member = true;
    }
    set
});

/// The fields that differ between two objects.
struct Changes {
    /// Those that have another value, or none before.
    set: FieldSet,
    /// Those that have no value any more.
    removed: FieldSet,
}

impl Changes {
    fn between(old: &Value, new: &Value, node: Node<'_>) -> Self {
        let owned = |old: &Value, new: &Value, with_modified| {
            let mut fields = FieldSet::default();
            compare(Some(old).filter(|old| !old.is_null()), new, node, with_modified, &mut fields);
            fields.subtract(&UNOWNED_SET);
            fields
        };
        Self { set: owned(old, new, true), removed: owned(new, old, false) }
    }
}

/// The fields that a comparison finds, in ascending order.
trait Fields: Sized {
    /// Takes a value: whether it is a field itself, and the fields within it. Returns whether there
    /// are any.
    fn value(&mut self, is_field: bool, find: impl FnOnce(&mut Self) -> bool) -> bool;
    /// Takes a part of the path and the value that it leads to, unless that has no fields. Returns
    /// whether it has any.
    fn part(&mut self, part: Part<'_>, find: impl FnOnce(&mut Self) -> bool) -> bool;
}

/// The part of a path that leads to a member or to an element of a list.
#[derive(Clone, Copy)]
enum Part<'a> {
    Member(&'a str),
    Element(&'a FieldPart),
}

impl Fields for FieldSet {
    fn value(&mut self, is_field: bool, find: impl FnOnce(&mut Self) -> bool) -> bool {
        self.is_member = is_field;
        find(self) || is_field
    }

    fn part(&mut self, part: Part<'_>, find: impl FnOnce(&mut Self) -> bool) -> bool {
        let mut below = Self::default();
        let is_found = find(&mut below);
        if is_found {
            let part = match part {
                Part::Member(name) => FieldPart::Field(name.to_owned()),
                Part::Element(part) => part.clone(),
            };
            self.children.insert(part, below);
        }
        is_found
    }
}

/// Fields as the JSON of `fieldsV1`, without a set in between.
struct FieldsText(Vec<u8>);

impl Fields for FieldsText {
    fn value(&mut self, is_field: bool, find: impl FnOnce(&mut Self) -> bool) -> bool {
        let start = self.0.len();
        self.0.extend_from_slice(if is_field { b"{\".\":{}," } else { b"{" });
        let is_found = find(self);
        if is_found {
            // In place of the last comma.
            self.0.pop();
            self.0.push(b'}');
        } else {
            self.0.truncate(start);
            self.0.extend_from_slice(if is_field { b"{}" } else { b"" });
        }
        is_found || is_field
    }

    fn part(&mut self, part: Part<'_>, find: impl FnOnce(&mut Self) -> bool) -> bool {
        let start = self.0.len();
        self.0.push(b'"');
        match part {
            Part::Member(name) => {
                self.0.extend_from_slice(b"f:");
                encode_characters(name, &mut self.0);
            }
            Part::Element(part) => encode_characters(&part.encode(), &mut self.0),
        }
        self.0.extend_from_slice(b"\":");
        let is_found = find(self);
        if is_found {
            self.0.push(b',');
        } else {
            self.0.truncate(start);
        }
        is_found
    }
}

/// Finds the fields of a new object or of its metadata beside those of one without content, but for
/// those that no manager owns.
fn find_owned(
    around: Option<&str>,
    blank: &Value,
    new: &Value,
    node: Node<'_>,
    fields: &mut FieldsText,
) -> bool {
    const METADATA: &str = "metadata";
    let is_unowned = |name: &str| {
        UNOWNED.iter().any(|path| match (around, path) {
            (None, [own]) => *own == name,
            (Some(around), [parent, own]) => *parent == around && *own == name,
            _ => false,
        })
    };
    let mut is_found = false;
    for (name, new) in new.as_object().into_iter().flat_map(in_order) {
        let below = node.member(name);
        if around.is_none() && name == METADATA {
            is_found |= fields.part(Part::Member(name), |fields| {
                fields.value(false, |fields| {
                    find_owned(Some(METADATA), &blank[METADATA], new, below, fields)
                })
            });
        } else if !is_unowned(name) {
            is_found |= fields.part(Part::Member(name), |fields| {
                compare(blank.get(name), new, below, true, fields)
            });
        }
    }
    is_found
}

/// The members of an object by their names.
fn in_order(members: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut members: Vec<_> = members.iter().collect();
    members.sort_unstable_by_key(|(name, _)| *name);
    members
}

/// Records the writer of a new object, but for the fields that it owns: `fieldsV1` is `null`, and
/// its JSON is returned. `None` if it owns nothing.
pub(crate) fn record_new(
    blank: &Value,
    new: &mut Value,
    schema: &Schema,
    writer: &FieldWriter<'_>,
) -> Option<Vec<u8>> {
    let mut fields = FieldsText(Vec::with_capacity(1024));
    if !fields.value(false, |fields| find_owned(None, blank, new, schema.root(), fields)) {
        return None;
    }
    write_record(
        new,
        vec![writer.manager(Operation::Update, FieldSet::default()).into_entry(Value::Null)],
    );
    Some(fields.0)
}

/// Finds the fields that only the new object has, and those that have another value in it if they
/// count. Returns whether there are any.
fn compare<F: Fields>(
    old: Option<&Value>,
    new: &Value,
    node: Node<'_>,
    with_modified: bool,
    fields: &mut F,
) -> bool {
    let is_merged = !node.is_atomic();
    let is_free = is_free(node);
    let old = old.filter(|old| is_free || !old.is_null());
    let is_added = old.is_none();
    match (old, new) {
        (Some(old), new) if old == new => false,
        (_, Value::Null) if !is_free => false,
        (old, Value::Object(members))
            if is_merged && old.is_none_or(|old| old.is_null() || old.is_object()) =>
        {
            fields.value(is_added, |fields| {
                in_order(members).into_iter().fold(false, |is_found, (name, new)| {
                    let old = old.and_then(|old| old.get(name));
                    let below = node.member(name);
                    fields.part(Part::Member(name), |fields| {
                        compare(old, new, below, with_modified, fields)
                    }) | is_found
                })
            })
        }
        (old, Value::Array(elements))
            if is_merged
                && *node.list_type() != ListType::Atomic
                && old.is_none_or(|old| old.is_null() || old.is_array()) =>
        {
            let old = old.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            fields
                .value(is_added, |fields| compare_lists(old, elements, node, with_modified, fields))
        }
        _ => (is_added || with_modified) && fields.value(true, |_| false),
    }
}

/// As [`compare`], of the elements of lists.
fn compare_lists<F: Fields>(
    old: &[Value],
    new: &[Value],
    node: Node<'_>,
    with_modified: bool,
    fields: &mut F,
) -> bool {
    let old: BTreeMap<FieldPart, &Value> = parts(old, node).into_iter().zip(old).collect();
    let mut new: Vec<_> = parts(new, node).into_iter().zip(new).collect();
    // The last one of several equal elements counts.
    new.reverse();
    new.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut last = None;
    for (part, new) in &new {
        let old = old.get(part).copied();
        if last != Some(part)
            && fields.part(Part::Element(part), |fields| {
                compare(old, new, node.element(), with_modified, fields)
            })
        {
            last = Some(part);
        }
    }
    last.is_some()
}

/// Takes the changed fields from all managers. Returns those that were taken.
fn take_over(managers: &mut [Manager], changes: &Changes) -> Vec<FieldConflict> {
    let mut conflicts = Vec::new();
    for manager in managers {
        let taken = manager.fields.intersection(&changes.set);
        if !taken.is_empty() {
            let shown = shown(manager);
            conflicts.extend(
                taken
                    .paths()
                    .into_iter()
                    .map(|path| FieldConflict { path, manager: shown.clone() }),
            );
            manager.fields.subtract(&taken);
        }
        manager.fields.subtract(&changes.removed);
    }
    conflicts
}

fn shown(manager: &Manager) -> String {
    let mut text = quoted(&manager.name);
    if !manager.subresource.is_empty() {
        text.extend([" with subresource ", &quoted(&manager.subresource)]);
    }
    if manager.operation == Operation::Update {
        text.extend([" using ", &manager.api_version]);
    }
    text
}

/// The object with the members of a configuration.
fn merged(live: &Value, configuration: &Value, node: Node<'_>) -> Value {
    match (live, configuration) {
        (Value::Object(old), Value::Object(new)) if !node.is_atomic() => {
            let mut all = old.clone();
            for (key, new) in new {
                let old = old.get(key).unwrap_or(&Value::Null);
                all.insert(key.clone(), merged(old, new, node.member(key)));
            }
            Value::Object(all)
        }
        (Value::Array(old), Value::Array(new)) if *node.list_type() != ListType::Atomic => {
            Value::Array(merged_list(old, new, node))
        }
        _ => configuration.clone(),
    }
}

fn merged_list(old: &[Value], new: &[Value], node: Node<'_>) -> Vec<Value> {
    let pairs = list_order::merged(&parts(old, node), &parts(new, node));
    let elements = pairs.into_iter().filter_map(|pair| match pair {
        (Some(at), Some(with)) => Some(merged(&old[at], &new[with], node.element())),
        (Some(at), None) => old.get(at).cloned(),
        (None, with) => new.get(with?).cloned(),
    });
    elements.collect()
}

/// Removes what the manager owned, and neither it nor others own any more.
fn prune(value: &mut Value, node: Node<'_>, [former, own, others]: [&FieldSet; 3]) {
    let empty = FieldSet::default();
    let stays =
        |part: &FieldPart| own.children.contains_key(part) || others.children.contains_key(part);
    let inner = |part: &FieldPart| {
        [former, own, others].map(|set| set.children.get(part).unwrap_or(&empty))
    };
    match value {
        Value::Object(members) => members.retain(|key, value| {
            let part = FieldPart::Field(key.clone());
            if !former.children.contains_key(&part) {
                return true;
            }
            prune(value, node.member(key), inner(&part));
            stays(&part)
        }),
        Value::Array(elements) => {
            let mut index = 0;
            elements.retain_mut(|element| {
                let part = part_of(element, index, node);
                index += 1;
                if !former.children.contains_key(&part) {
                    return true;
                }
                prune(element, node.element(), inner(&part));
                stays(&part)
            });
        }
        _ => {}
    }
}

/// Puts `null` in the place of lists and objects that lost all that they had.
fn drop_emptied(value: &mut Value, before: &Value) {
    let (Value::Object(members), Value::Object(before)) = (value, before) else { return };
    for (key, value) in members {
        match before.get(key) {
            Some(before) if is_empty(value) && !is_empty(before) => *value = Value::Null,
            Some(before) => drop_emptied(value, before),
            None => {}
        }
    }
}

/// Whether a value is a list or an object without content.
fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty) || value.as_object().is_some_and(Map::is_empty)
}

/// Rejects lists whose elements have no keys or duplicate ones.
fn check_keys(value: &Value, node: Node<'_>, path: &mut String) -> Result<(), ChangeError> {
    let length = path.len();
    match value {
        Value::Object(members) if !node.is_atomic() => {
            for (key, value) in members {
                path.extend([".", key]);
                check_keys(value, node.member(key), path)?;
                path.truncate(length);
            }
        }
        Value::Array(elements) if *node.list_type() != ListType::Atomic => {
            let mut seen = BTreeSet::new();
            for (index, element) in elements.iter().enumerate() {
                path.extend(["[", &index.to_string(), "]"]);
                let part = part_of(element, index, node);
                if matches!((&part, node.list_type()), (FieldPart::Key(key), ListType::Map(keys)) if key == "{}" && !keys.is_empty())
                {
                    return Err(ChangeError::new(
                        &*path,
                        "has none of the members that identify elements",
                    ));
                }
                if !seen.insert(part) {
                    return Err(ChangeError::new(&*path, "another element has the same key"));
                }
                check_keys(element, node.element(), path)?;
                path.truncate(length);
            }
        }
        _ => {}
    }
    Ok(())
}

/// The fields of a value: its scalars and what is replaced as a whole, the elements of lists that
/// are merged, and empty objects.
fn fields_of(value: &Value, node: Node<'_>) -> FieldSet {
    let mut set = FieldSet::default();
    match value {
        Value::Object(members) if !node.is_atomic() => {
            for (key, value) in members {
                let mut below = fields_of(value, node.member(key));
                let is_known = node.known(key).is_some();
                let is_empty = value.is_null() || value.as_object().is_some_and(Map::is_empty);
                below.is_member |= is_empty || !is_known;
                set.children.insert(FieldPart::Field(key.clone()), below);
            }
        }
        Value::Array(elements) if *node.list_type() != ListType::Atomic => {
            for (index, element) in elements.iter().enumerate() {
                let mut below = fields_of(element, node.element());
                below.is_member = true;
                set.children.insert(part_of(element, index, node), below);
            }
        }
        _ => set.is_member = true,
    }
    set
}

/// The part of a path that leads to an element of a list.
fn part_of(element: &Value, index: usize, node: Node<'_>) -> FieldPart {
    match node.list_type() {
        ListType::Atomic => FieldPart::Index(index),
        ListType::Set => FieldPart::value(element),
        ListType::Map(keys) => {
            let elements = node.element();
            FieldPart::key(keys.iter().filter_map(|key| {
                let stated = element.get(key).filter(|value| !value.is_null());
                Some((key.as_str(), stated.or_else(|| elements.member(key).default())?))
            }))
        }
    }
}

/// The parts that lead to the elements of a list.
fn parts(elements: &[Value], node: Node<'_>) -> Vec<FieldPart> {
    elements.iter().enumerate().map(|(index, element)| part_of(element, index, node)).collect()
}

/// Whether `null` is a value: it is one in free JSON, where a schema allows it, and for times that
/// are not set.
fn is_free(node: Node<'_>) -> bool {
    matches!(node.shape(), Shape::Any | Shape::Scalar(Scalar::Time | Scalar::MicroTime))
        || node.is_nullable()
}

/// How a manager writes fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operation {
    /// By server-side apply.
    Apply,
    /// By any other write.
    Update,
}

impl Operation {
    /// The operation of an entry of `managedFields`.
    fn of(text: &str) -> Option<Self> {
        [Self::Apply, Self::Update].into_iter().find(|operation| operation.as_str() == text)
    }

    /// The operation as an entry of `managedFields` has it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Apply => "Apply",
            Self::Update => "Update",
        }
    }
}

/// The manager on whose behalf a server writes an object.
#[derive(Clone, Copy, Debug)]
pub struct FieldWriter<'a> {
    /// Its name: `fieldManager` of the request.
    pub name: &'a str,
    /// The subresource of the request, or nothing.
    pub subresource: &'a str,
    /// The API version of the request.
    pub api_version: &'a str,
    /// The time of the request.
    pub time: Option<Time>,
}

impl FieldWriter<'_> {
    fn manager(&self, operation: Operation, fields: FieldSet) -> Manager {
        Manager {
            name: self.name.to_owned(),
            operation,
            subresource: self.subresource.to_owned(),
            api_version: self.api_version.to_owned(),
            time: self.time.filter(|_| operation == Operation::Update),
            fields,
        }
    }
}

/// A manager of fields, with the fields that it owns: an entry of `managedFields`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Manager {
    name: String,
    operation: Operation,
    subresource: String,
    api_version: String,
    time: Option<Time>,
    fields: FieldSet,
}

/// The fields of an entry.
fn entry_fields(index: usize, entry: &Value) -> Result<FieldSet, ChangeError> {
    let path = format!("metadata.managedFields[{index}].fieldsV1");
    match entry.get("fieldsV1") {
        Some(fields) => FieldSet::from_fields_v1(fields).map_err(|error| error.below(&path)),
        None => Ok(FieldSet::default()),
    }
}

/// The managers of an object.
fn managers_of(object: &Value) -> Result<Vec<Manager>, ChangeError> {
    managers_of_record(&object["metadata"]["managedFields"])
}

/// The managers that a record lists.
fn managers_of_record(record: &Value) -> Result<Vec<Manager>, ChangeError> {
    let entries = record.as_array().into_iter().flatten();
    let entries = entries
        .enumerate()
        .filter(|(_, entry)| entry.as_object().is_some_and(|entry| !entry.is_empty()));
    let entries = entries.map(|(index, entry)| {
        let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
        Ok(Manager {
            name: text("manager"),
            // A server takes any other for an update.
            operation: Operation::of(&text("operation")).unwrap_or(Operation::Update),
            subresource: text("subresource"),
            api_version: text("apiVersion"),
            time: entry["time"].as_str().and_then(|time| time.parse().ok()),
            fields: entry_fields(index, entry)?,
        })
    });
    entries.collect()
}

impl Manager {
    /// The entry of `managedFields`.
    fn into_entry(self, fields: Value) -> Value {
        let mut entry = Map::new();
        let mut add = |key: &str, value: Value| _ = entry.insert(key.to_owned(), value);
        add("manager", self.name.into());
        add("operation", self.operation.as_str().into());
        add("apiVersion", self.api_version.into());
        if let Some(time) = self.time {
            add("time", time.to_string().into());
        }
        add("fieldsType", "FieldsV1".into());
        add("fieldsV1", fields);
        if !self.subresource.is_empty() {
            add("subresource", self.subresource.into());
        }
        Value::Object(entry)
    }

    /// Whether both are entries of one manager. One that applies has one entry for all versions.
    fn is_same(&self, other: &Self) -> bool {
        let applies = self.operation == Operation::Apply;
        (&self.name, &self.operation, &self.subresource)
            == (&other.name, &other.operation, &other.subresource)
            && (applies || self.api_version == other.api_version)
    }
}

/// Writes the managers into an object, in the order in which servers list them.
fn write_managers(object: &mut Value, mut managers: Vec<Manager>) {
    managers.retain(|manager| !manager.fields.is_empty());
    managers.sort_by(|one, other| {
        let order = |manager: &Manager| (manager.operation, manager.time, manager.name.clone());
        let last = |manager: &Manager| (manager.api_version.clone(), manager.subresource.clone());
        order(one).cmp(&order(other)).then_with(|| last(one).cmp(&last(other)))
    });
    let entries = managers.into_iter().map(|mut manager| {
        let fields = std::mem::take(&mut manager.fields).into_fields_v1();
        manager.into_entry(fields)
    });
    write_record(object, entries.collect());
}

/// Writes the entries of the managers of an object.
fn write_record(object: &mut Value, entries: Vec<Value>) {
    let Some(object) = object.as_object_mut() else { return };
    let metadata = object.entry("metadata").or_insert_with(|| json!({}));
    let Some(metadata) = metadata.as_object_mut() else { return };
    if entries.is_empty() {
        metadata.remove("managedFields");
    } else {
        metadata.insert("managedFields".to_owned(), Value::Array(entries));
    }
}

#[cfg(test)]
mod tests {
    use super::{FieldWriter, record_new, track_update};
    use crate::encode::{Order, encode_in};
    use crate::schema::Schema;
    use serde_json::{Value, json};

    #[test]
    fn new_objects_have_the_record_of_an_update() {
        let strings =
            json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"});
        let ports = json!({
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "protocol"],
            "items": {"type": "object", "properties": {
                "port": {"type": "integer"}, "protocol": {"type": "string", "default": "TCP"}, "name": {"type": "string"},
            }},
        });
        let properties = json!({"ports": ports, "tags": strings, "free": {"type": "array", "items": {"type": "string"}}});
        let spec = json!({"type": "object", "properties": properties});
        let schema =
            Schema::from_definition(&json!({"type": "object", "properties": {"spec": spec}}));
        let writer =
            FieldWriter { name: "m\"n", subresource: "", api_version: "a.io/v1", time: None };
        let blank = json!({"apiVersion": "a.io/v1", "kind": "A", "metadata": {}});
        for content in [
            json!({}),
            json!({"spec": {}}),
            json!({"spec": {"ports": [], "tags": [], "free": []}}),
            json!({"spec": {"ports": [{"port": 2}, {"port": 1, "protocol": "a\"b\\\n", "name": "é"}], "free": ["a"]}}),
            json!({"spec": {"tags": ["b", "a", "a", "\u{1}"], "z\"": 1, "a": null}, "status": {"x": [1]}}),
        ] {
            let mut expected = blank.clone();
            expected["metadata"] = json!({"name": "a", "uid": "1", "labels": {"b/c": "d", "a": ""}, "annotations": {}});
            expected.as_object_mut().unwrap().extend(content.as_object().unwrap().clone());
            let mut found = expected.clone();
            track_update(&blank, &mut expected, &schema, &writer);
            let fields = record_new(&blank, &mut found, &schema, &writer).unwrap_or_default();
            let found: Value =
                serde_json::from_slice(&encode_in(Order::Kept, &found, &fields)).unwrap();
            assert_eq!(found, expected, "{content}");
        }
        let mut empty = blank.clone();
        assert_eq!(record_new(&blank, &mut empty, &schema, &writer), None);
        assert_eq!(empty, blank);
    }
}
