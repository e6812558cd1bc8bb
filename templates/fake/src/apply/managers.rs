//! The record of field managers, `metadata.managedFields`.

use super::Conflict;
use super::compare::Comparison;
use super::set::Set;
use serde_json::{Value, json};

/// Who writes: a name, and in which way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Manager {
    pub(crate) name: String,
    pub(crate) is_apply: bool,
    pub(crate) api_version: String,
    pub(crate) subresource: String,
}

impl Manager {
    /// As conflicts name it.
    fn shown(&self) -> String {
        let mut text = json!(self.name).to_string();
        if !self.subresource.is_empty() {
            text = format!("{text} with subresource {}", json!(self.subresource));
        }
        if !self.is_apply {
            text = format!("{text} using {}", self.api_version);
        }
        text
    }

    /// A later apply replaces an earlier one, whatever its version was.
    fn is_same(&self, other: &Self) -> bool {
        let version = self.is_apply || self.api_version == other.api_version;
        version && (&self.name, self.is_apply, &self.subresource) == (&other.name, other.is_apply, &other.subresource)
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    manager: Manager,
    /// Empty while the manager changed nothing.
    time: String,
    set: Set,
}

/// All managers of an object, and what each one owns.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Managers {
    entries: Vec<Entry>,
}

impl Managers {
    /// Of `metadata.managedFields`. `None` if an entry is malformed.
    pub(crate) fn of(record: Option<&Value>) -> Option<Self> {
        let entries = record.and_then(Value::as_array).into_iter().flatten().map(Entry::of);
        Some(Self { entries: entries.collect::<Option<_>>()? })
    }

    /// As `metadata.managedFields`: applies first, then by time and name.
    pub(crate) fn to_value(&self) -> Value {
        let mut entries: Vec<_> = self.entries.iter().filter(|entry| !entry.set.is_empty()).collect();
        entries.sort_by(|a, b| {
            let key = |entry: &Entry| (!entry.manager.is_apply, entry.time.clone(), entry.manager.name.clone());
            (key(a), &a.manager.api_version, &a.manager.subresource).cmp(&(
                key(b),
                &b.manager.api_version,
                &b.manager.subresource,
            ))
        });
        Value::Array(entries.into_iter().map(Entry::to_value).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(super) fn sets(&self) -> impl Iterator<Item = &Set> {
        self.entries.iter().map(|entry| &entry.set)
    }

    /// Takes from all managers what nobody can own.
    pub(super) fn forget_identity(&mut self) {
        for entry in &mut self.entries {
            entry.set = std::mem::take(&mut entry.set).without_identity();
        }
    }

    /// Records the time at which a manager changed something.
    pub(crate) fn touch(&mut self, by: &Manager, time: &str) {
        for entry in self.entries.iter_mut().filter(|entry| entry.manager.is_same(by)) {
            time.clone_into(&mut entry.time);
        }
    }

    /// Puts a set in place of what the manager owned, and returns that.
    pub(super) fn replace(&mut self, by: &Manager, set: Set) -> Option<Set> {
        let known = self.entries.iter_mut().find(|entry| entry.manager.is_same(by));
        if let Some(entry) = known {
            entry.manager = by.clone();
            return Some(std::mem::replace(&mut entry.set, set));
        }
        self.entries.push(Entry { manager: by.clone(), time: String::new(), set });
        None
    }

    pub(super) fn own_more(&mut self, by: &Manager, set: &Set, time: &str) {
        let known = self.entries.iter().position(|entry| entry.manager.is_same(by));
        let index = known.unwrap_or_else(|| {
            self.entries.push(Entry { manager: by.clone(), time: String::new(), set: Set::default() });
            self.entries.len() - 1
        });
        let entry = &mut self.entries[index];
        entry.set.insert_all(set);
        time.clone_into(&mut entry.time);
    }

    /// The fields that others own and a change would change.
    pub(super) fn conflicts(&self, by: &Manager, change: &Comparison) -> Vec<Conflict> {
        let mut changed = change.modified.clone();
        changed.insert_all(&change.added);
        let mut conflicts = Vec::new();
        let mut others: Vec<_> = self.entries.iter().filter(|entry| !entry.manager.is_same(by)).collect();
        others.sort_by_key(|entry| entry.manager.shown());
        for entry in others {
            let fields = entry.set.intersection(&changed).paths();
            let manager = entry.manager.shown();
            conflicts.extend(fields.into_iter().map(|field| Conflict { manager: manager.clone(), field }));
        }
        conflicts
    }

    /// Takes from all managers, except from this one, what a change changed, and from all of them what it removed.
    pub(super) fn give_way(&mut self, by: Option<&Manager>, change: &Comparison) {
        for entry in &mut self.entries {
            if by.is_some_and(|by| entry.manager.is_same(by)) {
                continue;
            }
            for set in [&change.added, &change.modified, &change.removed] {
                entry.set = entry.set.difference(set);
            }
        }
        self.entries.retain(|entry| !entry.set.is_empty() || by.is_some_and(|by| entry.manager.is_same(by)));
    }
}

impl Entry {
    fn of(entry: &Value) -> Option<Self> {
        let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let operation = text("operation");
        if !matches!(operation.as_str(), "Apply" | "Update") {
            return None;
        }
        let manager = Manager {
            name: text("manager"),
            is_apply: operation == "Apply",
            api_version: text("apiVersion"),
            subresource: text("subresource"),
        };
        let none = json!({});
        let set = Set::of_fields(entry.get("fieldsV1").filter(|fields| !fields.is_null()).unwrap_or(&none))?;
        Some(Self { manager, time: text("time"), set })
    }

    fn to_value(&self) -> Value {
        let Self { manager: Manager { name, is_apply, api_version, subresource }, time, set } = self;
        let mut entry = json!({"manager": name, "operation": if *is_apply { "Apply" } else { "Update" }});
        entry["apiVersion"] = json!(api_version);
        if !time.is_empty() {
            entry["time"] = json!(time);
        }
        entry["fieldsType"] = json!("FieldsV1");
        entry["fieldsV1"] = set.to_fields();
        if !subresource.is_empty() {
            entry["subresource"] = json!(subresource);
        }
        entry
    }
}
