//! Schemas of generated types, by their tables.

use super::{ListType, Scalar, Schema, SchemaId, Schemas, Shape};
use kapigen_runtime::ApiKind;
use kapigen_runtime::codec::{Object, Slot, Table};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The schema of a generated kind. An empty object of it says what its members are.
pub(crate) fn of_kind(schemas: &mut Schemas, kind: &ApiKind) -> SchemaId {
    let mut walk = Walk { schemas, known: BTreeMap::new() };
    walk.object((kind.empty)().as_mut())
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
        let id = self.schemas.add(Schema::default());
        self.known.insert(std::ptr::from_ref(table), id);
        let (mut fields, mut required) = (BTreeMap::new(), Vec::new());
        for (index, name) in table.keys.names().iter().enumerate() {
            if !matches!(object.member_mut(index, false), Slot::Absent) {
                required.push((*name).to_owned());
            }
            let is_plain_object = matches!(object.member_mut(index, false), Slot::Object(_));
            let field = self.slot(object.member_mut(index, true));
            let default = (is_plain_object && *name != "metadata").then(|| json!({}));
            let field = if default.is_some() { self.with_default(field, default) } else { field };
            fields.insert((*name).to_owned(), field);
        }
        let shape = Shape::Struct { fields, open: false };
        self.schemas.set(id, Schema { name: table.name.to_owned(), shape, required, ..Schema::default() });
        id
    }

    fn with_default(&mut self, target: SchemaId, default: Option<Value>) -> SchemaId {
        self.schemas.add(Schema { shape: Shape::Same(target), default, ..Schema::default() })
    }

    fn slot(&mut self, slot: Slot<'_>) -> SchemaId {
        let shape = match slot {
            Slot::Object(object) => return self.object(object),
            Slot::Bool(_) => Shape::Scalar(Scalar::Boolean),
            Slot::Int32(_) | Slot::Int64(_) => Shape::Scalar(Scalar::Integer),
            Slot::Double(_) => Shape::Scalar(Scalar::Number),
            Slot::String(_) => Shape::Scalar(Scalar::String),
            Slot::Scalar(_) => Shape::Scalar(Scalar::Either),
            Slot::List(list) => Shape::List(self.slot(list.push(true)), ListType::Atomic),
            Slot::Map(map) => Shape::Map(self.slot(map.insert(String::new(), true))),
            _ => return Schemas::ANY,
        };
        self.schemas.add(Schema { shape, ..Schema::default() })
    }
}
