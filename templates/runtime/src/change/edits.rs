//! Edits of a typed value: how to merge a tree into it without making a tree of it.

use super::fields::{Part, parts};
use super::pairs::{Members, Pairs};
use crate::codec::schema::{ListRule, Node, Schema};
use crate::codec::{List, Map, Object, Slot, Target, View, identity, json, unknown_of};
use crate::values::RawJson;
use serde_json::Value;
use std::collections::BTreeMap;

type Result = std::result::Result<(), json::DecodeError>;

/// The edits of an object, a list or a map.
pub(super) type Edits = Vec<Edit>;

/// An edit of a part of a value. Parts are JSON, for the decoder.
pub(super) enum Edit {
    /// Of the member with this index.
    Member(usize, Change),
    /// Sets an unknown member.
    Unknown(String, String),
    /// Sets an entry of a map.
    Entry(String, String),
    /// Of the element with this index.
    Element(usize, Edits),
    /// Adds an element at the end of a list.
    Push(String),
}

/// The new value of a member.
pub(super) enum Change {
    Inside(Edits),
    Whole(String),
}

/// The edits that merge a tree into a value, as server-side apply does. None if that takes more than edits: elements
/// change their order, or free JSON is merged.
pub(super) fn between(target: View<'_>, other: &Value, schema: &Schema) -> Option<Edits> {
    let root = schema.root();
    if root.is_atomic() {
        return None;
    }
    Merger { pairs: Pairs::new() }.inside(target, other, root, None)
}

struct Merger<'a> {
    pairs: Pairs<'a>,
}

impl<'a> Merger<'a> {
    /// The edits inside of a value that is merged part by part. None if it must be merged as a tree.
    fn inside(&mut self, old: View<'a>, new: &Value, node: Node<'_>, members: Option<Members>) -> Option<Edits> {
        let base = self.pairs.len();
        let edits = match (old, new) {
            (View::Object(old), Value::Object(new)) => {
                let members = members.unwrap_or_else(|| self.pairs.add(old));
                self.object(old, members, new, node)
            }
            (View::Map(old), Value::Object(new)) => self.map(old, new, node),
            (View::List(old), Value::Array(new)) => self.list(old, new, node),
            _ => None,
        };
        self.pairs.truncate(base);
        edits
    }

    fn object(
        &mut self,
        object: &dyn Object,
        members: Members,
        new: &serde_json::Map<String, Value>,
        node: Node<'_>,
    ) -> Option<Edits> {
        let text = |key: &str| new.get(key).and_then(Value::as_str).unwrap_or_default();
        if identity::mismatch(object.table(), text("apiVersion"), text("kind")).is_some() {
            return None;
        }
        let index = object.table().keys.index();
        let mut edits = Edits::with_capacity(new.len());
        for (key, new) in new {
            let member = index.find(key);
            let old = match member {
                Some(member) => self.pairs.member(members, member),
                None => self.pairs.entry(members, key),
            };
            match (self.change(old, new, node.member(key))?, member) {
                (None, _) => {}
                (Some(change), Some(member)) => edits.push(Edit::Member(member, change)),
                (Some(Change::Whole(text)), None) => edits.push(Edit::Unknown(key.clone(), text)),
                (Some(Change::Inside(_)), None) => return None,
            }
        }
        Some(edits)
    }

    fn map(&mut self, map: &'a dyn Map, new: &serde_json::Map<String, Value>, node: Node<'_>) -> Option<Edits> {
        let entries = self.pairs.add_map(map);
        let mut edits = Edits::with_capacity(new.len());
        for (key, new) in new {
            let old = self.pairs.entry(entries, key);
            match self.change(old, new, node.member(key))? {
                None => {}
                Some(Change::Whole(text)) => edits.push(Edit::Entry(key.clone(), text)),
                Some(Change::Inside(edits)) if edits.is_empty() => {}
                // No entry of a map can be edited in place.
                Some(Change::Inside(_)) => return None,
            }
        }
        Some(edits)
    }

    /// Elements that both lists have are merged in place if they keep their order, and others are added at the end.
    fn list(&mut self, list: &'a dyn List, new: &[Value], node: Node<'_>) -> Option<Edits> {
        let mut olds = BTreeMap::new();
        for index in 0..list.count() {
            let (part, members) = self.part(list.element(index), index, node)?;
            if olds.insert(part, (index, members)).is_some() {
                return None;
            }
        }
        let mut edits = Edits::new();
        let (mut next, mut is_adding) = (0, false);
        for (part, new) in parts(new, node).iter().zip(new) {
            match olds.get(part) {
                Some((index, members)) if *index >= next && !is_adding => {
                    next = index + 1;
                    if let Some(members) = *members {
                        let inside = self.inside(list.element(*index), new, node.element(), Some(members))?;
                        edits.extend((!inside.is_empty()).then_some(Edit::Element(*index, inside)));
                    }
                }
                Some(_) => return None,
                None => {
                    is_adding = true;
                    edits.push(Edit::Push(new.to_string()));
                }
            }
        }
        Some(edits)
    }

    /// The part of a path that leads to an element, and the members of the element if it has any.
    fn part(&mut self, element: View<'a>, index: usize, node: Node<'_>) -> Option<(Part, Option<Members>)> {
        match (element, &node.merge.list) {
            (View::Object(object), ListRule::Map(keys)) if !node.element().is_atomic() => {
                let members = self.pairs.add(object);
                let mut identity = serde_json::Map::new();
                for (key, _) in keys {
                    let value = self.pairs.member(members, object.table().keys.index().find(key)?);
                    if !value.is_absent() {
                        identity.insert(key.clone().into_owned(), serde_json::to_value(value).ok()?);
                    }
                }
                Some((Part::of(&Value::Object(identity), index, node), Some(members)))
            }
            (View::Str(text), ListRule::Set) => Some((Part::of(&text.into(), index, node), None)),
            _ => None,
        }
    }

    /// The change of a value, if it changes at all. The outer None: it must be merged as a tree.
    #[allow(clippy::option_option)]
    fn change(&mut self, old: View<'a>, new: &Value, node: Node<'_>) -> Option<Option<Change>> {
        let is_merged = match (old, new) {
            (View::Str(old), Value::String(new)) if old == new => return Some(None),
            (View::Object(_) | View::Map(_), Value::Object(_)) => !node.is_atomic(),
            (View::List(_), Value::Array(_)) => !node.is_atomic() && node.merge.list != ListRule::Atomic,
            // Free JSON: only a tree knows its members.
            (View::Raw(old), Value::Object(_)) if old.trim_start().starts_with('{') && !node.is_atomic() => {
                return None;
            }
            _ => false,
        };
        Some(if is_merged {
            let edits = self.inside(old, new, node, None)?;
            (!edits.is_empty()).then_some(Change::Inside(edits))
        } else {
            Some(Change::Whole(new.to_string()))
        })
    }
}

/// Makes the edits.
pub(super) fn apply(slot: Slot<'_>, edits: Edits) -> Result {
    match slot {
        Slot::Object(object) => edits.into_iter().try_for_each(|edit| apply_to_object(object, edit)),
        Slot::List(list) => {
            for edit in edits {
                match edit {
                    Edit::Element(index, inside) => apply(list.element_mut(index, true), inside)?,
                    Edit::Push(text) => json::read(Target::Element(list), text.as_bytes())?,
                    _ => {}
                }
            }
            list.finish(true);
            Ok(())
        }
        Slot::Map(map) => edits.into_iter().try_for_each(|edit| match edit {
            Edit::Entry(key, text) => json::read(Target::Entry(map, key), text.as_bytes()),
            _ => Ok(()),
        }),
        _ => Ok(()),
    }
}

fn apply_to_object(object: &mut dyn Object, edit: Edit) -> Result {
    match edit {
        Edit::Member(index, change) => {
            match change {
                Change::Inside(edits) => apply(object.member_mut(index, true), edits)?,
                Change::Whole(text) => {
                    object.member_mut(index, false).clear();
                    json::read(Target::Member(object, index), text.as_bytes())?;
                }
            }
            if let Some(unknown) = unknown_of(object) {
                unknown.set_present(index);
            }
        }
        Edit::Unknown(key, text) => {
            if let Some(unknown) = unknown_of(object) {
                unknown.insert(key, RawJson::of_encoded(text.into_bytes()));
            }
        }
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::between;
    use crate::codec::Value as _;
    use crate::codec::schema::Schema;
    use crate::meta_v1::ObjectMeta;
    use serde_json::{Value, json};

    fn takes_edits(other: &Value) -> bool {
        let target = r#"{"finalizers":["a","b"],"labels":{"tier":"front"},"free":{"a":1},"ownerReferences":
            [{"uid":"1","name":"one"},{"uid":"2","name":"two"}]}"#;
        let target: ObjectMeta = crate::from_str(target).unwrap();
        between(target.view(), other, &Schema::of::<ObjectMeta>()).is_some()
    }

    #[test]
    fn elements_that_keep_their_order_are_merged_by_edits() {
        assert!(takes_edits(&json!({"name": "web", "labels": {"tier": "back", "team": "a"}, "other": {"b": 2}})));
        assert!(takes_edits(&json!({"finalizers": ["b", "c"]})));
    }

    #[test]
    fn elements_that_move_or_are_atomic_and_free_json_are_not() {
        assert!(!takes_edits(&json!({"finalizers": ["b", "a"]})));
        assert!(!takes_edits(&json!({"ownerReferences": [{"uid": "2", "kind": "Pod"}]})));
        assert!(!takes_edits(&json!({"free": {"b": 2}})));
    }
}
