//! The columns of tables.

use crate::registry::Resource;
use std::borrow::Cow;

/// A column: its definition, and the content of its cells.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) name: Cow<'static, str>,
    pub(super) kind: Cow<'static, str>,
    pub(super) format: Cow<'static, str>,
    pub(super) description: Cow<'static, str>,
    pub(super) priority: i64,
    pub(super) cell: Cell,
}

/// The content of a cell.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    Name,
    Age,
    /// The creation time as it is.
    Created,
    /// The member at a path. Absent ones are empty.
    Member(String),
    /// The same, but nothing at all where it is absent.
    Custom(String, bool),
    /// The same, but `<none>` where it is absent.
    Stated(&'static str),
    /// The number of entries or elements of several members.
    Count(&'static [&'static str]),
    /// A fact that several members of a pod make.
    Pod(PodFact),
}

/// A fact that several members of a pod make.
#[derive(Clone, Copy, Debug)]
pub(super) enum PodFact {
    /// The containers that are ready, of all: `1/2`.
    Ready,
    /// `Terminating`, the reason of the status, or its phase.
    Status,
    /// The restarts of all containers.
    Restarts,
}

fn column(name: &'static str, kind: &'static str, description: &'static str, cell: Cell) -> Column {
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

fn name() -> Column {
    column("Name", "string", "Name of the object, unique within its namespace.", Cell::Name)
}

fn age() -> Column {
    column("Age", "string", "Time since the object was created.", Cell::Age)
}

fn member(name: &'static str, description: &'static str, path: &str) -> Column {
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
    match (resource.group.as_str(), resource.plural.as_str()) {
        ("", "configmaps") => {
            let data = column("Data", "string", "Number of entries.", Cell::Count(&["data", "binaryData"]));
            vec![name(), data, age()]
        }
        ("", "secrets") => {
            let data = column("Data", "string", "Number of entries.", Cell::Count(&["data"]));
            vec![name(), member("Type", "Type of the secret.", "type"), data, age()]
        }
        ("", "namespaces") => vec![name(), member("Status", "Phase of the namespace.", "status.phase"), age()],
        ("", "serviceaccounts") => {
            let secrets = column("Secrets", "string", "Number of secrets.", Cell::Count(&["secrets"]));
            vec![name(), secrets, age()]
        }
        ("", "pods") => pods(),
        ("coordination.k8s.io", "leases") => {
            vec![name(), member("Holder", "Identity of the holder.", "spec.holderIdentity"), age()]
        }
        _ => basic(),
    }
}

fn pods() -> Vec<Column> {
    let wide = |column: Column| Column { priority: 1, ..column };
    let restarts = column("Restarts", "string", "Restarts of all containers.", Cell::Pod(PodFact::Restarts));
    vec![
        name(),
        column("Ready", "string", "Containers that are ready, of all.", Cell::Pod(PodFact::Ready)),
        column("Status", "string", "Phase of the pod, or the reason of its state.", Cell::Pod(PodFact::Status)),
        restarts,
        age(),
        wide(column("IP", "string", "Address of the pod.", Cell::Stated("status.podIP"))),
        wide(column("Node", "string", "Node of the pod.", Cell::Stated("spec.nodeName"))),
    ]
}
