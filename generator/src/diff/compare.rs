//! Two interfaces, item by item.

use super::change::{Change, ChangeKind, Item, ItemKind};
use super::interface::{FunctionItem, Interface, Member, MergeRules, ShapeItem, TypeItem, Written};
use crate::model::TypeId;
use std::collections::{BTreeMap, BTreeSet};

/// The changes between two interfaces, sorted.
pub(super) fn compare(old: &Interface, new: &Interface) -> Vec<Change> {
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
    reported_modules: BTreeSet<String>,
}

impl Changes {
    fn modules(&mut self, old: &Interface, new: &Interface) {
        for (name, pair) in pairs(&old.modules, &new.modules) {
            let item = Item { path: name.clone(), kind: ItemKind::Module };
            let kind = match pair {
                Pair::Both(old, _) => {
                    if old != name {
                        self.list.push(
                            Change::of(&item, ChangeKind::Renamed).with_old(old).with_new(name),
                        );
                    }
                    continue;
                }
                Pair::Old(_) => ChangeKind::Removed,
                Pair::New(_) => ChangeKind::Added,
            };
            self.list.push(Change::of(&item, kind));
            self.reported_modules.insert(name.clone());
        }
    }

    fn types(&mut self, old: &Interface, new: &Interface) {
        self.shared_names(&old.types, &new.types);
        for (id, pair) in pairs(&old.types, &new.types) {
            let (kind, one) = match pair {
                Pair::Both(old, new) => {
                    self.type_changes(old, new);
                    continue;
                }
                Pair::Old(old) => (ChangeKind::Removed, old),
                Pair::New(new) => (ChangeKind::Added, new),
            };
            if !self.reported_modules.contains(&id.module) {
                self.list.push(Change::of(&one.item(), kind));
            }
        }
    }

    /// Names of one type that are names of several now, and the other way round.
    fn shared_names(&mut self, old: &BTreeMap<TypeId, TypeItem>, new: &BTreeMap<TypeId, TypeItem>) {
        let common: Vec<_> =
            old.iter().filter_map(|(id, old)| Some((id, old, new.get(id)?))).collect();
        let old_names = first_names(common.iter().map(|(id, old, _)| (*id, &old.definition)));
        let new_names = first_names(common.iter().map(|(id, _, new)| (*id, &new.definition)));
        for (id, old_type, new_type) in common {
            let item = new_type.item();
            let old_name = old_names[&old_type.definition];
            let new_name = new_names[&new_type.definition];
            if new[old_name].definition != new[id].definition {
                self.list.push(Change::of(&item, ChangeKind::Split).with_old(&old[old_name].path));
            }
            if old[new_name].definition != old[id].definition {
                self.list.push(Change::of(&item, ChangeKind::Joined).with_new(&new[new_name].path));
            }
        }
    }

    fn type_changes(&mut self, old: &TypeItem, new: &TypeItem) {
        let item = new.item();
        if old.is_renamed {
            self.list.push(
                Change::of(&item, ChangeKind::Renamed).with_old(&old.path).with_new(&new.path),
            );
        }
        // An alias has the changes of its target.
        if old.target.is_some() && old.target == new.target {
            return;
        }
        self.deprecation(&item, None, old.deprecated, new.deprecated);
        self.implementation(
            &item,
            (ChangeKind::KindAdded, ChangeKind::KindChanged),
            old.kind.as_ref(),
            new.kind.as_ref(),
        );
        if new.kind.is_some() {
            self.implementation(
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
                self.list
                    .push(Change::of(&item, ChangeKind::ShapeChanged).with_old(old).with_new(new));
            }
        }
    }

    /// A trait that a type may implement. A new implementation breaks no program.
    fn implementation(
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
            let [old, new] = [old, new].map(|side| side.map(|written| written.text().to_owned()));
            self.list.push(Change { old, new, ..Change::of(item, kind) });
        }
    }

    /// The change of an item or, with a member, of one of its fields.
    fn deprecation(&mut self, item: &Item, member: Option<&Member>, old: bool, new: bool) {
        if old != new {
            let kind = if new { ChangeKind::Deprecated } else { ChangeKind::Undeprecated };
            let change = Change::of(item, kind);
            self.list.push(match member {
                Some(member) => change.member(member),
                None => change,
            });
        }
    }

    fn members(&mut self, item: &Item, old: &[Member], new: &[Member]) {
        for (_, pair) in pairs(&by_wire(old), &by_wire(new)) {
            self.list.push(match pair {
                Pair::Both(old, new) => {
                    self.member(item, old, new);
                    continue;
                }
                Pair::Old(old) => {
                    Change::of(item, ChangeKind::FieldRemoved).member(old).with_old(old.ty.text())
                }
                Pair::New(new) => {
                    let kind = if new.required {
                        ChangeKind::RequiredFieldAdded
                    } else {
                        ChangeKind::FieldAdded
                    };
                    Change::of(item, kind).member(new).with_new(new.ty.text())
                }
            });
        }
    }

    fn member(&mut self, item: &Item, old: &Member, new: &Member) {
        if old.name != new.name {
            let change = Change::of(item, ChangeKind::FieldRenamed).member(new);
            self.list.push(change.with_old(&old.name).with_new(&new.name));
        }
        if !old.ty.is_same(&new.ty) {
            let same = old.inner == new.inner && old.optional != new.optional;
            let kind =
                if same { ChangeKind::OptionalityChanged } else { ChangeKind::FieldTypeChanged };
            let change = Change::of(item, kind).member(new);
            self.list.push(change.with_old(old.ty.text()).with_new(new.ty.text()));
        }
        self.deprecation(item, Some(new), old.deprecated, new.deprecated);
        if old.merge != new.merge {
            let change = Change::of(item, ChangeKind::MergeChanged).member(new);
            let [old, new] = [differing(&old.merge, &new.merge), differing(&new.merge, &old.merge)];
            self.list.push(Change { old, new, ..change });
        }
    }

    fn values(
        &mut self,
        item: &Item,
        old: &BTreeMap<String, String>,
        new: &BTreeMap<String, String>,
    ) {
        for (wire, pair) in pairs(old, new) {
            self.list.push(match pair {
                Pair::Both(old, new) if old == new => continue,
                Pair::Both(old, new) => {
                    let change = Change::of(item, ChangeKind::ValueRenamed).part(new, wire);
                    change.with_old(old).with_new(new)
                }
                Pair::Old(old) => Change::of(item, ChangeKind::ValueRemoved).part(old, wire),
                Pair::New(new) => Change::of(item, ChangeKind::ValueAdded).part(new, wire),
            });
        }
    }

    fn parameters(&mut self, old: &Interface, new: &Interface) {
        for (path, pair) in pairs(&old.parameters, &new.parameters) {
            let item = Item { path: path.clone(), kind: ItemKind::Parameters };
            let (kind, one) = match pair {
                Pair::Both(old, new) => {
                    self.members(&item, &old.members, &new.members);
                    continue;
                }
                Pair::Old(old) => (ChangeKind::Removed, old),
                Pair::New(new) => (ChangeKind::Added, new),
            };
            if !self.reported_modules.contains(&one.module) {
                self.list.push(Change::of(&item, kind));
            }
        }
    }

    fn functions(&mut self, old: &Interface, new: &Interface) {
        let old = &old.functions;
        let new = &new.functions;
        // The successor of a function that is gone sends the same request.
        let requests = new.iter().filter(|(path, _)| !old.contains_key(*path));
        let successors: BTreeMap<&str, &String> =
            requests.map(|(path, function)| (function.request.as_str(), path)).collect();
        let mut seen = BTreeSet::new();
        for (path, function) in old {
            let successor =
                successors.get(function.request.as_str()).filter(|_| !new.contains_key(path));
            let path = successor.copied().unwrap_or(path);
            seen.insert(path);
            match new.get(path) {
                Some(next) => self.function(path, function, next, successor.is_some()),
                None => self.whole_function(path, function, ChangeKind::Removed),
            }
        }
        for (path, function) in new.iter().filter(|(path, _)| !seen.contains(*path)) {
            self.whole_function(path, function, ChangeKind::Added);
        }
    }

    fn whole_function(&mut self, path: &str, function: &FunctionItem, kind: ChangeKind) {
        if !self.reported_modules.contains(&function.module) {
            let signature = function.signature.text();
            let change = Change::of(&function_item(path), kind);
            self.list.push(if kind == ChangeKind::Removed {
                change.with_old(signature)
            } else {
                change.with_new(signature)
            });
        }
    }

    fn function(&mut self, path: &str, old: &FunctionItem, new: &FunctionItem, is_renamed: bool) {
        let item = function_item(path);
        if is_renamed {
            self.list.push(
                Change::of(&item, ChangeKind::Renamed).with_old(&old.path).with_new(&new.path),
            );
        }
        self.deprecation(&item, None, old.deprecated, new.deprecated);
        if !old.signature.is_same(&new.signature) {
            let change = Change::of(&item, ChangeKind::SignatureChanged);
            self.list.push(change.with_old(old.signature.text()).with_new(new.signature.text()));
        }
        if old.request != new.request {
            let change = Change::of(&item, ChangeKind::RequestChanged);
            self.list.push(change.with_old(&old.request).with_new(&new.request));
        }
        // Parameters of its own are an item of their own.
        let (Some(old), Some(new)) = (&old.standard, &new.standard) else { return };
        for (wire, pair) in pairs(old, new) {
            let (kind, name) = match pair {
                Pair::Old(name) => (ChangeKind::QueryParameterRemoved, name),
                Pair::New(name) => (ChangeKind::QueryParameterAdded, name),
                Pair::Both(..) => continue,
            };
            self.list.push(Change::of(&item, kind).part(name, wire));
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

/// The rules of the first map that the other one does not have. `None` if it has all of them.
fn differing(one: &MergeRules, other: &MergeRules) -> Option<String> {
    let differs = one.iter().filter(|(name, value)| other.get(*name) != Some(*value));
    let rules: Vec<String> = differs.map(|(name, value)| format!("{name}={value}")).collect();
    (!rules.is_empty()).then(|| rules.join(" "))
}

fn by_wire(members: &[Member]) -> BTreeMap<Option<&str>, &Member> {
    members.iter().map(|member| (member.wire.as_deref(), member)).collect()
}

fn function_item(path: &str) -> Item {
    Item { path: path.to_owned(), kind: ItemKind::Function }
}

impl Change {
    fn of(item: &Item, kind: ChangeKind) -> Self {
        let item = item.clone();
        Self { item, kind, part: None, wire: None, old: None, new: None, held: None }
    }

    fn member(self, member: &Member) -> Self {
        Self { part: Some(member.name.clone()), wire: member.wire.clone(), ..self }
    }

    /// A part by its names in Rust and in JSON or in the query.
    fn part(self, name: &str, wire: &str) -> Self {
        Self { part: Some(name.to_owned()), wire: Some(wire.to_owned()), ..self }
    }

    fn with_old(self, old: &str) -> Self {
        Self { old: Some(old.to_owned()), ..self }
    }

    fn with_new(self, new: &str) -> Self {
        Self { new: Some(new.to_owned()), ..self }
    }
}

/// An entry of one map, or of both.
enum Pair<'a, V> {
    Old(&'a V),
    New(&'a V),
    Both(&'a V, &'a V),
}

/// The entries of two maps, key by key.
fn pairs<'a, K: Ord, V>(
    old: &'a BTreeMap<K, V>,
    new: &'a BTreeMap<K, V>,
) -> impl Iterator<Item = (&'a K, Pair<'a, V>)> {
    let keys: BTreeSet<&K> = old.keys().chain(new.keys()).collect();
    keys.into_iter().filter_map(|key| {
        let pair = match (old.get(key), new.get(key)) {
            (Some(old), Some(new)) => Pair::Both(old, new),
            (Some(old), None) => Pair::Old(old),
            (None, new) => Pair::New(new?),
        };
        Some((key, pair))
    })
}
