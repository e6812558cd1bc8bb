//! Two interfaces, item by item.

use super::change::{Change, ChangeKind, Item, ItemKind};
use super::interface::{FunctionItem, Interface, Member, ShapeItem, TypeItem, Written};
use crate::model::TypeId;
use std::collections::{BTreeMap, BTreeSet};

/// The changes, sorted.
pub(super) fn interfaces(old: &Interface, new: &Interface) -> Vec<Change> {
    let mut changes = Changes::default();
    changes.modules(old, new);
    changes.types(old, new);
    changes.parameters(old, new);
    changes.functions(old, new);
    changes.list.sort();
    changes.list
}

/// The changes so far.
#[derive(Default)]
struct Changes {
    list: Vec<Change>,
    /// Modules that only one side has. Their items are not reported.
    whole: BTreeSet<String>,
}

/// A part of an item by its names in Rust and in JSON.
#[derive(Clone, Copy)]
struct Part<'a> {
    name: &'a str,
    wire: Option<&'a str>,
}

impl Changes {
    fn push(
        &mut self,
        item: &Item,
        kind: ChangeKind,
        part: Option<Part<'_>>,
        old: Option<&str>,
        new: Option<&str>,
    ) {
        self.list.push(Change {
            item: item.clone(),
            kind,
            part: part.map(|part| part.name.to_owned()),
            wire: part.and_then(|part| part.wire).map(str::to_owned),
            old: old.map(str::to_owned),
            new: new.map(str::to_owned),
            held: None,
        });
    }

    fn modules(&mut self, old: &Interface, new: &Interface) {
        for (name, before, now) in both(&old.modules, &new.modules) {
            let item = Item { path: name.clone(), kind: ItemKind::Module };
            let kind = match (before, now) {
                (Some(before), Some(_)) => {
                    if before != name {
                        self.push(&item, ChangeKind::Renamed, None, Some(before), Some(name));
                    }
                    continue;
                }
                (Some(_), None) => ChangeKind::Removed,
                (None, _) => ChangeKind::Added,
            };
            self.push(&item, kind, None, None, None);
            self.whole.insert(name.clone());
        }
    }

    fn types(&mut self, old: &Interface, new: &Interface) {
        self.identities(&old.types, &new.types);
        for (id, before, now) in both(&old.types, &new.types) {
            let (kind, one) = match (before, now) {
                (Some(old), Some(new)) => {
                    self.type_changes(old, new);
                    continue;
                }
                (Some(old), None) => (ChangeKind::Removed, old),
                (None, Some(new)) => (ChangeKind::Added, new),
                (None, None) => continue,
            };
            if !self.whole.contains(&id.module) {
                self.push(&one.item(), kind, None, None, None);
            }
        }
    }

    /// Names of one type that are names of several now, and the other way round.
    fn identities(&mut self, old: &BTreeMap<TypeId, TypeItem>, new: &BTreeMap<TypeId, TypeItem>) {
        let common = || old.iter().filter_map(|(id, before)| Some((id, before, new.get(id)?)));
        let first_before = first_names(common().map(|(id, before, _)| (id, &before.definition)));
        let first_now = first_names(common().map(|(id, _, now)| (id, &now.definition)));
        for (_, before, now) in common() {
            let item = now.item();
            let first = first_before[&before.definition];
            let counterpart = first_now[&now.definition];
            if new[first].definition != now.definition {
                self.push(&item, ChangeKind::Split, None, Some(&old[first].path), None);
            }
            if old[counterpart].definition != before.definition {
                self.push(&item, ChangeKind::Joined, None, None, Some(&new[counterpart].path));
            }
        }
    }

    fn type_changes(&mut self, old: &TypeItem, new: &TypeItem) {
        let item = new.item();
        if old.is_renamed {
            self.push(&item, ChangeKind::Renamed, None, Some(&old.path), Some(&new.path));
        }
        // An alias has the changes of its target.
        if old.target.is_some() && old.target == new.target {
            return;
        }
        self.deprecation(&item, None, old.deprecated, new.deprecated);
        self.optional(
            &item,
            (ChangeKind::KindAdded, ChangeKind::KindChanged),
            old.kind.as_ref(),
            new.kind.as_ref(),
        );
        if new.kind.is_some() {
            self.optional(
                &item,
                (ChangeKind::RoleAdded, ChangeKind::RoleChanged),
                old.role.as_ref(),
                new.role.as_ref(),
            );
        }
        match (&old.shape, &new.shape) {
            (ShapeItem::Struct(old), ShapeItem::Struct(new)) => self.members(&item, old, new),
            (ShapeItem::Enum(old), ShapeItem::Enum(new)) => self.values(&item, old, new),
            _ => {
                let old = old.item().kind.as_str();
                let new = item.kind.as_str();
                self.push(&item, ChangeKind::ShapeChanged, None, Some(old), Some(new));
            }
        }
    }

    /// A trait that a type may implement. A new implementation breaks no program.
    fn optional(
        &mut self,
        item: &Item,
        (added, changed): (ChangeKind, ChangeKind),
        old: Option<&Written>,
        new: Option<&Written>,
    ) {
        let is_same = match (old, new) {
            (Some(old), Some(new)) => old.is_same(new),
            (old, new) => old.is_none() && new.is_none(),
        };
        if !is_same {
            let kind = if old.is_none() { added } else { changed };
            self.push(item, kind, None, old.map(Written::text), new.map(Written::text));
        }
    }

    fn deprecation(&mut self, item: &Item, part: Option<Part<'_>>, old: bool, new: bool) {
        if old != new {
            let kind = if new { ChangeKind::Deprecated } else { ChangeKind::Undeprecated };
            self.push(item, kind, part, None, None);
        }
    }

    fn members(&mut self, item: &Item, old: &[Member], new: &[Member]) {
        for (_, before, now) in both(&by_wire(old), &by_wire(new)) {
            match (before, now) {
                (Some(old), Some(new)) => self.member(item, old, new),
                (Some(old), None) => {
                    self.push(
                        item,
                        ChangeKind::FieldRemoved,
                        Some(old.part()),
                        Some(old.ty.text()),
                        None,
                    );
                }
                (None, Some(new)) => {
                    let kind = if new.required {
                        ChangeKind::RequiredFieldAdded
                    } else {
                        ChangeKind::FieldAdded
                    };
                    self.push(item, kind, Some(new.part()), None, Some(new.ty.text()));
                }
                (None, None) => {}
            }
        }
    }

    fn member(&mut self, item: &Item, old: &Member, new: &Member) {
        let part = Some(new.part());
        if old.name != new.name {
            self.push(item, ChangeKind::FieldRenamed, part, Some(&old.name), Some(&new.name));
        }
        if !old.ty.is_same(&new.ty) {
            let same = old.inner == new.inner && old.optional != new.optional;
            let kind =
                if same { ChangeKind::OptionalityChanged } else { ChangeKind::FieldTypeChanged };
            self.push(item, kind, part, Some(old.ty.text()), Some(new.ty.text()));
        }
        self.deprecation(item, part, old.deprecated, new.deprecated);
        if old.merge != new.merge {
            let [before, now] =
                [(&old.merge, &new.merge), (&new.merge, &old.merge)].map(|(one, other)| {
                    let differs =
                        one.iter().filter(|(name, value)| other.get(*name) != Some(*value));
                    differs
                        .map(|(name, value)| format!("{name}={value}"))
                        .collect::<Vec<_>>()
                        .join(" ")
                });
            self.push(item, ChangeKind::MergeChanged, part, not_empty(&before), not_empty(&now));
        }
    }

    fn values(
        &mut self,
        item: &Item,
        old: &BTreeMap<String, String>,
        new: &BTreeMap<String, String>,
    ) {
        for (wire, before, now) in both(old, new) {
            let part = |name| Some(Part { name, wire: Some(wire) });
            match (before, now) {
                (Some(old), Some(new)) if old != new => {
                    self.push(item, ChangeKind::ValueRenamed, part(new), Some(old), Some(new));
                }
                (Some(_), Some(_)) | (None, None) => {}
                (Some(old), None) => {
                    self.push(item, ChangeKind::ValueRemoved, part(old), None, None);
                }
                (None, Some(new)) => self.push(item, ChangeKind::ValueAdded, part(new), None, None),
            }
        }
    }

    fn parameters(&mut self, old: &Interface, new: &Interface) {
        for (path, before, now) in both(&old.parameters, &new.parameters) {
            let item = Item { path: path.clone(), kind: ItemKind::Parameters };
            let (kind, one) = match (before, now) {
                (Some(old), Some(new)) => {
                    self.members(&item, &old.members, &new.members);
                    continue;
                }
                (Some(old), None) => (ChangeKind::Removed, old),
                (None, Some(new)) => (ChangeKind::Added, new),
                (None, None) => continue,
            };
            if !self.whole.contains(&one.module) {
                self.push(&item, kind, None, None, None);
            }
        }
    }

    fn functions(&mut self, old: &Interface, new: &Interface) {
        let old = &old.functions;
        let new = &new.functions;
        let is_gone = |path: &String| !new.contains_key(path);
        // The successor of a function that is gone sends the same request.
        let requests = new.iter().filter(|(path, _)| !old.contains_key(*path));
        let successors: BTreeMap<&str, &String> =
            requests.map(|(path, now)| (now.request.as_str(), path)).collect();
        let mut seen = BTreeSet::new();
        for (path, before) in old {
            let successor = successors.get(before.request.as_str()).filter(|_| is_gone(path));
            let path = successor.copied().unwrap_or(path);
            seen.insert(path);
            match new.get(path) {
                Some(now) => self.function(path, before, now, successor.is_some()),
                None => self.whole_function(path, before, ChangeKind::Removed),
            }
        }
        for (path, now) in new.iter().filter(|(path, _)| !seen.contains(*path)) {
            self.whole_function(path, now, ChangeKind::Added);
        }
    }

    fn whole_function(&mut self, path: &str, function: &FunctionItem, kind: ChangeKind) {
        if !self.whole.contains(&function.module) {
            let signature = function.signature.text();
            let (old, new) = if kind == ChangeKind::Removed {
                (Some(signature), None)
            } else {
                (None, Some(signature))
            };
            self.push(&function_item(path), kind, None, old, new);
        }
    }

    fn function(&mut self, path: &str, old: &FunctionItem, new: &FunctionItem, is_renamed: bool) {
        let item = function_item(path);
        if is_renamed {
            self.push(&item, ChangeKind::Renamed, None, Some(&old.path), Some(&new.path));
        }
        self.deprecation(&item, None, old.deprecated, new.deprecated);
        if !old.signature.is_same(&new.signature) {
            self.push(
                &item,
                ChangeKind::SignatureChanged,
                None,
                Some(old.signature.text()),
                Some(new.signature.text()),
            );
        }
        if old.request != new.request {
            self.push(
                &item,
                ChangeKind::RequestChanged,
                None,
                Some(&old.request),
                Some(&new.request),
            );
        }
        // Parameters of its own are an item of their own.
        let (Some(old), Some(new)) = (&old.standard, &new.standard) else { return };
        for (wire, before, now) in both(old, new) {
            let (kind, name) = match (before, now) {
                (Some(name), None) => (ChangeKind::QueryParameterRemoved, name),
                (None, Some(name)) => (ChangeKind::QueryParameterAdded, name),
                _ => continue,
            };
            self.push(&item, kind, Some(Part { name, wire: Some(wire) }), None, None);
        }
    }
}

/// Chooses a name for each type: the name of its definition if that is given, or else the first
/// one.
fn first_names<'a>(
    names: impl Iterator<Item = (&'a TypeId, &'a TypeId)>,
) -> BTreeMap<&'a TypeId, &'a TypeId> {
    let mut first = BTreeMap::new();
    for (name, definition) in names {
        let first = first.entry(definition).or_insert(name);
        if name == definition {
            *first = name;
        }
    }
    first
}

fn not_empty(string: &str) -> Option<&str> {
    Some(string).filter(|string| !string.is_empty())
}

fn by_wire(members: &[Member]) -> BTreeMap<Option<&str>, &Member> {
    members.iter().map(|member| (member.wire.as_deref(), member)).collect()
}

fn function_item(path: &str) -> Item {
    Item { path: path.to_owned(), kind: ItemKind::Function }
}

impl Member {
    fn part(&self) -> Part<'_> {
        Part { name: &self.name, wire: self.wire.as_deref() }
    }
}

/// The entries of two maps, key by key.
fn both<'a, K: Ord, V>(
    old: &'a BTreeMap<K, V>,
    new: &'a BTreeMap<K, V>,
) -> impl Iterator<Item = (&'a K, Option<&'a V>, Option<&'a V>)> {
    let keys: BTreeSet<&K> = old.keys().chain(new.keys()).collect();
    keys.into_iter().map(|key| (key, old.get(key), new.get(key)))
}
