//! The columns of tables.

use super::builtin;
use crate::registry::Resource;
use kapigen_runtime::jiff::Timestamp;
use serde_json::Value;
use std::borrow::Cow;

/// A column: its definition, and the content of its cells.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(super) name: Cow<'static, str>,
    pub(super) kind: Cow<'static, str>,
    pub(super) format: Cow<'static, str>,
    pub(super) description: Cow<'static, str>,
    pub(super) priority: i64,
    pub(super) cell: Cell,
}

/// The content of a cell.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    Name,
    Age,
    /// The creation time as it is.
    Created,
    /// The member at a path. Absent ones are empty.
    Member(String),
    /// The same, but nothing at all where it is absent.
    Custom(String, bool),
    /// A string that is computed from the object and the time.
    Text(fn(&Value, Timestamp) -> String),
    /// A number that is computed from the object.
    Number(fn(&Value) -> i64),
    /// The number of entries or elements of several members.
    Count(&'static [&'static str]),
}

pub(super) fn column(name: &'static str, kind: &'static str, description: &'static str, cell: Cell) -> Column {
    let format = if matches!(cell, Cell::Name) { "name" } else { "" };
    Column {
        name: name.into(),
        kind: kind.into(),
        format: format.into(),
        description: description.into(),
        priority: 0,
        cell,
    }
}

pub(super) fn name() -> Column {
    column("Name", "string", "Name of the object, unique within its namespace.", Cell::Name)
}

pub(super) fn age() -> Column {
    column("Age", "string", "Time since the object was created.", Cell::Age)
}

pub(super) fn member(name: &'static str, description: &'static str, path: &str) -> Column {
    column(name, "string", description, Cell::Member(path.to_owned()))
}

/// The columns of kinds that have none of their own.
pub(super) fn basic() -> Vec<Column> {
    let created = column("Created At", "date", "Time at which the object was created.", Cell::Created);
    vec![name(), created]
}

pub(super) fn of(resource: &Resource) -> Vec<Column> {
    if let Some(custom) = &resource.custom {
        let own = custom.columns.iter().map(|own| Column {
            name: own.name.clone().into(),
            kind: own.kind.clone().into(),
            format: own.format.clone().into(),
            description: own.description.clone().into(),
            priority: own.priority,
            cell: Cell::Custom(own.path.clone(), own.kind == "date"),
        });
        let mut columns: Vec<_> = std::iter::once(name()).chain(own).collect();
        if custom.columns.is_empty() {
            columns.push(Column { kind: "date".into(), ..age() });
        }
        return columns;
    }
    builtin::of(&resource.group, &resource.plural).unwrap_or_else(basic)
}
