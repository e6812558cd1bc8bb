//! Tables, as `kubectl get` shows them.

mod builtin;
mod path;

use crate::object::Tree;
use crate::registry::Resource;
use kapigen_runtime::jiff::Timestamp;
use path::ColumnPath;
use serde_json::{Value, json};
use std::borrow::Cow;

/// The part of an object that a row of a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Include {
    Nothing,
    Metadata,
    Object,
}

/// The columns of a kind, of the resource or of a subresource.
pub(crate) fn columns(resource: &Resource, kind: &str) -> Vec<Column> {
    match kind {
        "Scale" => builtin::scale(),
        kind if kind == resource.kind => resource_columns(resource),
        _ => basic(),
    }
}

/// The definitions of columns.
pub(crate) fn definitions(columns: &[Column]) -> Value {
    let definitions = columns.iter().map(|column| {
        json!({
            "name": column.name, "type": column.kind, "format": column.format,
            "description": column.description, "priority": column.priority,
        })
    });
    definitions.collect()
}

/// The row of an object.
pub(crate) fn row(
    columns: &[Column],
    object: &Value,
    now: Timestamp,
    include: Include,
    version: &str,
) -> Value {
    let cells: Vec<_> = columns.iter().map(|column| cell(&column.cell, object, now)).collect();
    let object = match include {
        Include::Nothing => Value::Null,
        Include::Metadata => partial(object, version),
        Include::Object => object.clone(),
    };
    json!({"cells": cells, "object": object})
}

/// The metadata of an object alone.
pub(crate) fn partial(object: &Value, version: &str) -> Value {
    json!({"kind": "PartialObjectMetadata", "apiVersion": version, "metadata": object["metadata"]})
}

fn cell(cell: &Cell, object: &Value, now: Timestamp) -> Value {
    let created = object.metadata_text("creationTimestamp");
    match cell {
        Cell::Name => json!(object.metadata_text("name")),
        Cell::Created => json!(created),
        Cell::Age => json!(age_of(created, now)),
        Cell::Member(path) => object.at(path).cloned().unwrap_or_else(|| json!("")),
        Cell::Custom(path, kind) => {
            let found = path.as_ref().and_then(|path| path.first(object));
            match found.and_then(Value::as_str).filter(|_| kind == "date") {
                Some(then) => json!(age_of(then, now)),
                None => path::cell(kind, found),
            }
        }
        Cell::Text(text) => json!(text(object, now)),
        Cell::Number(number) => json!(number(object)),
        Cell::Count(paths) => {
            json!(paths.iter().filter_map(|path| object.at(path)).map(length).sum::<usize>())
        }
    }
}

/// The number of members or elements of a value.
fn length(value: &Value) -> usize {
    match value {
        Value::Object(members) => members.len(),
        Value::Array(elements) => elements.len(),
        _ => 0,
    }
}

/// The time since then in two units at most, such as `4m10s`.
pub(super) fn age_of(then: &str, now: Timestamp) -> String {
    let Ok(then) = then.parse::<Timestamp>() else { return "<unknown>".to_owned() };
    let seconds = now.as_second() - then.as_second();
    let minutes = seconds / 60;
    let hours = seconds / 3600;
    let days = seconds / 86400;
    match seconds {
        ..0 => "<invalid>".to_owned(),
        0..120 => format!("{seconds}s"),
        120..600 => in_units((minutes, "m"), (seconds % 60, "s")),
        600..10_800 => format!("{minutes}m"),
        10_800..28_800 => in_units((hours, "h"), (minutes % 60, "m")),
        28_800..172_800 => format!("{hours}h"),
        172_800..691_200 => in_units((days, "d"), (hours % 24, "h")),
        691_200..63_072_000 => format!("{days}d"),
        63_072_000..252_288_000 => in_units((days / 365, "y"), (days % 365, "d")),
        _ => format!("{}y", days / 365),
    }
}

/// A time in two units, or in the greater one if it is whole.
fn in_units((great, unit): (i64, &str), (small, smaller): (i64, &str)) -> String {
    if small == 0 { format!("{great}{unit}") } else { format!("{great}{unit}{small}{smaller}") }
}

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
    /// The first value at the path of a column of this type, or nothing.
    Custom(Option<ColumnPath>, String),
    /// A string that is computed from the object and the time.
    Text(fn(&Value, Timestamp) -> String),
    /// A number that is computed from the object.
    Number(fn(&Value) -> i64),
    /// The number of entries or elements of several members.
    Count(&'static [&'static str]),
}

pub(super) fn column(
    name: &'static str,
    kind: &'static str,
    description: &'static str,
    cell: Cell,
) -> Column {
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
    let created =
        column("Created At", "date", "Time at which the object was created.", Cell::Created);
    vec![name(), created]
}

/// The columns of objects of a resource.
pub(super) fn resource_columns(resource: &Resource) -> Vec<Column> {
    if let Some(custom) = &resource.custom {
        let own = custom.columns.iter().map(|own| Column {
            name: own.name.clone().into(),
            kind: own.kind.clone().into(),
            format: own.format.clone().into(),
            description: own.description.clone().into(),
            priority: own.priority,
            cell: Cell::Custom(ColumnPath::read(&format!(".{}", own.path)), own.kind.clone()),
        });
        let mut columns: Vec<_> = std::iter::once(name()).chain(own).collect();
        if custom.columns.is_empty() {
            columns.push(Column { kind: "date".into(), ..age() });
        }
        return columns;
    }
    builtin::columns(&resource.group, &resource.plural).unwrap_or_else(basic)
}

#[cfg(test)]
mod tests {
    use kapigen_runtime::jiff::Timestamp;

    #[test]
    fn ages_have_two_units_at_most() {
        let now = Timestamp::from_second(1_000_000_000).unwrap();
        let age = |seconds: i64| {
            super::age_of(
                &Timestamp::from_second(1_000_000_000 - seconds).unwrap().to_string(),
                now,
            )
        };
        assert_eq!([age(0), age(119), age(130), age(600)], ["0s", "119s", "2m10s", "10m"]);
        assert_eq!(
            [age(10_860), age(172_800), age(180_000), age(-5)],
            ["3h1m", "2d", "2d2h", "<invalid>"]
        );
        assert_eq!(super::age_of("", now), "<unknown>");
    }
}
