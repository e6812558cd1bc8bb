//! Schemas of generated types, by their tables.

use super::{Described, ListType as Lists, PatchRule, Scalar, Schema, SchemaId, Schemas, Shape};
use kapigen_runtime::ApiKind;
use kapigen_runtime::codec::{ListType, Merge, Object, PatchStrategy, Slot, Table};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

const SOME_TIME: &str = "2000-01-01T00:00:00.000000Z";

/// The schema of a generated kind. An empty object of it reports its members.
pub(crate) fn of_kind(kind: &ApiKind) -> Schema {
    let mut schemas = Schemas::default();
    let mut walk = Walk { schemas: &mut schemas, known: BTreeMap::new() };
    let root = walk.object((kind.empty)().as_mut());
    Schema::new(&Arc::new(schemas), root)
}

struct Walk<'a> {
    schemas: &'a mut Schemas,
    /// By the address of the table: every struct has one of its own.
    known: BTreeMap<*const Table, SchemaId>,
}

impl Walk<'_> {
    fn object(&mut self, object: &mut dyn Object) -> SchemaId {
        let table = object.table();
        if let Some(id) = self.known.get(&std::ptr::from_ref(table)) {
            return *id;
        }
        let id = self.schemas.add(Described::default());
        self.known.insert(std::ptr::from_ref(table), id);
        let (mut fields, mut required) = (Vec::new(), Vec::new());
        for (index, name) in table.keys.names().iter().enumerate() {
            if !matches!(object.member_mut(index, false), Slot::Absent) {
                required.push((*name).to_owned());
            }
            let is_plain_object = matches!(object.member_mut(index, false), Slot::Object(_));
            let field = self.slot(object.member_mut(index, true));
            let default = (is_plain_object && *name != "metadata").then(|| json!({}));
            let field = self.merged(field, default, table.merge_of(index));
            fields.push(((*name).to_owned(), field));
        }
        let shape = Shape::Struct { fields: fields.into_iter().collect(), open: false };
        let atomic = table.is_atomic();
        self.schemas
            .set(id, Described { name: table.name.to_owned(), shape, required, atomic, ..Described::default() });
        id
    }

    /// The schema of a member, which may have a default and a way of its own to be merged.
    fn merged(&mut self, target: SchemaId, default: Option<Value>, merge: &Merge) -> SchemaId {
        let list_type = match merge.list {
            ListType::Set => Some(Lists::Set),
            ListType::Map(keys) => {
                let mut names: Vec<_> = keys.iter().map(|(name, _)| (*name).to_owned()).collect();
                names.sort();
                Some(Lists::Map(names))
            }
            ListType::Usual | ListType::Atomic => None,
        };
        let shape = match (list_type, &self.schemas.get(target).shape) {
            (Some(list_type), Shape::List(element, _)) => Shape::List(*element, list_type),
            _ => Shape::Same(target),
        };
        if let (ListType::Map(keys), Shape::List(element, _)) = (&merge.list, &shape) {
            self.set_key_defaults(*element, keys);
        }
        let atomic = merge.list == ListType::Atomic;
        let patch = match merge.patch {
            PatchStrategy::Usual => PatchRule::Usual,
            PatchStrategy::Replace => PatchRule::Replace,
            PatchStrategy::Merge("") => PatchRule::MergeScalars,
            PatchStrategy::Merge(key) => PatchRule::MergeBy(key.to_owned()),
        };
        self.schemas.add(Described { shape, default, atomic, patch, ..Described::default() })
    }

    /// The members that identify elements may have defaults.
    fn set_key_defaults(&mut self, element: SchemaId, keys: &[(&str, &str)]) {
        for (name, text) in keys {
            let Ok(default) = serde_json::from_str::<Value>(text) else { continue };
            let Shape::Struct { fields, .. } = &self.schemas.get(element).shape else { continue };
            let Some(member) = fields.get(*name).copied() else { continue };
            let schema = self.schemas.get(member).clone();
            self.schemas.set(member, Described { default: Some(default), ..schema });
        }
    }

    fn slot(&mut self, slot: Slot<'_>) -> SchemaId {
        let shape = match slot {
            Slot::Object(object) => return self.object(object),
            Slot::Bool(_) => Shape::Scalar(Scalar::Boolean),
            Slot::Int32(_) => Shape::Scalar(Scalar::Int32),
            Slot::Int64(_) => Shape::Scalar(Scalar::Int64),
            Slot::Double(_) => Shape::Scalar(Scalar::Number),
            Slot::String(_) => Shape::Scalar(Scalar::String),
            Slot::Scalar(scalar) => {
                // Times are the scalars that nothing but a time can be.
                let is_time = scalar.read_text("1").is_err() && scalar.read_text(SOME_TIME).is_ok();
                Shape::Scalar(if is_time { Scalar::Time } else { Scalar::Either })
            }
            Slot::List(list) => Shape::List(self.slot(list.push(true)), Lists::Atomic),
            Slot::Map(map) => Shape::Map(self.slot(map.insert(String::new(), true))),
            _ => return Schemas::ANY,
        };
        self.schemas.add(Described { shape, ..Described::default() })
    }
}
