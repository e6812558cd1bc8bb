//! Names of schemas in OpenAPI documents, as servers give them: the package of a type, a dot, and its name.
//!
//! Tables of generated crates have only the last part. So a type that several groups share has the package of the first
//! group that reaches it, and the core group is the first of all. It has the same name in every document.

use kapigen_runtime::change::is_custom;
use kapigen_runtime::codec::{ListType, Object, Slot, Table};
use kapigen_runtime::{Api, ApiKind, meta_v1};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ptr;

/// The package of the types that all groups share.
pub(super) const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1";

/// The kind of scales.
pub(super) const SCALE: &str = "io.k8s.api.autoscaling.v1.Scale";

/// Names of schemas that are made without a table.
const KNOWN: [&str; 10] = [
    "io.k8s.api.autoscaling.v1.Scale",
    "io.k8s.api.autoscaling.v1.ScaleSpec",
    "io.k8s.api.autoscaling.v1.ScaleStatus",
    "io.k8s.apimachinery.pkg.api.resource.Quantity",
    "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1",
    "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
    "io.k8s.apimachinery.pkg.apis.meta.v1.Patch",
    "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
    "io.k8s.apimachinery.pkg.runtime.RawExtension",
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
];

/// Built-in groups whose packages are not called as their first label.
const EXCEPTIONS: [(&str, &str); 5] = [
    ("", "io.k8s.api.core"),
    ("apiextensions.k8s.io", "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions"),
    ("apiregistration.k8s.io", "io.k8s.kube-aggregator.pkg.apis.apiregistration"),
    ("internal.apiserver.k8s.io", "io.k8s.api.apiserverinternal"),
    ("metrics.k8s.io", "io.k8s.metrics.pkg.apis.metrics"),
];

/// The package of a group's built-in types, such as `io.k8s.api.apps.v1`.
fn package(group: &str, version: &str) -> String {
    let first = group.split('.').next().unwrap_or_default();
    let is_built_in = match group.strip_suffix(".k8s.io") {
        Some(rest) => !rest.contains('.') || matches!(rest, "flowcontrol.apiserver" | "rbac.authorization"),
        None => !group.contains('.'),
    };
    let exception = EXCEPTIONS.iter().find(|(known, _)| *known == group);
    match exception {
        Some((_, package)) => format!("{package}.{version}"),
        None if is_built_in => format!("io.k8s.api.{first}.{version}"),
        // Clusters have definitions of the other groups of OpenShift.
        None if group.ends_with(".openshift.io") && !is_custom(group) => {
            format!("com.github.openshift.api.{first}.{version}")
        }
        None => custom_package(group, version),
    }
}

/// The package of the kinds of definitions: the group backwards, and the version.
pub(super) fn custom_package(group: &str, version: &str) -> String {
    let backwards: Vec<_> = group.rsplit('.').chain([version]).collect();
    backwards.join(".")
}

/// The address of a table. Every struct has one of its own, for as long as the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Address(usize);

impl Address {
    fn of(table: &'static Table) -> Self {
        Self(ptr::from_ref(table).addr())
    }
}

/// The names of all structs of generated crates.
#[derive(Debug, Default)]
pub(super) struct Names {
    by_table: BTreeMap<Address, String>,
    taken: BTreeSet<String>,
    /// The defaults of keys, by the address of the table of the elements.
    key_defaults: BTreeMap<Address, Vec<(&'static str, Value)>>,
}

impl Names {
    pub(super) fn of(apis: &[Api]) -> Self {
        let mut names = Self::default();
        for object in &mut shared() {
            names.add_all(META, object.as_mut());
        }
        let mut kinds: Vec<&ApiKind> = apis.iter().flat_map(|api| api.kinds).collect();
        // The core group is the first: it has no name.
        kinds.sort_by_key(|kind| (kind.group, kind.version, kind.kind));
        // A type that is nested gives way to a kind of its name.
        for kind in &kinds {
            names.add(&package(kind.group, kind.version), (kind.empty)().table());
        }
        for kind in kinds {
            names.add_parts(&package(kind.group, kind.version), (kind.empty)().as_mut());
        }
        names.taken.extend(KNOWN.map(str::to_owned));
        names
    }

    /// Whether a struct of a generated crate has the name, or a schema that is the same everywhere.
    pub(super) fn is_taken(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// The defaults of a struct's members that identify it as an element, in whichever list of any document.
    pub(super) fn key_defaults(&self, table: &'static Table) -> &[(&'static str, Value)] {
        self.key_defaults.get(&Address::of(table)).map_or(&[], Vec::as_slice)
    }

    /// The name of a struct.
    pub(super) fn get(&self, table: &'static Table) -> &str {
        self.by_table.get(&Address::of(table)).map_or(table.name, String::as_str)
    }

    /// Names a struct. Returns whether it had no name.
    fn add(&mut self, package: &str, table: &'static Table) -> bool {
        if self.by_table.contains_key(&Address::of(table)) {
            return false;
        }
        let plain = format!("{package}.{}", table.name);
        let name = numbered(&plain, |name| self.taken.contains(name));
        self.taken.insert(name.clone());
        self.by_table.insert(Address::of(table), name);
        true
    }

    fn add_all(&mut self, package: &str, object: &mut dyn Object) {
        if self.add(package, object.table()) {
            self.add_parts(package, object);
        }
    }

    fn add_parts(&mut self, package: &str, object: &mut dyn Object) {
        let table = object.table();
        for index in 0..table.keys.names().len() {
            if let (ListType::Map(keys), Slot::List(list)) =
                (table.merge_of(index).list, object.member_mut(index, true))
                && let Slot::Object(element) = list.push(true)
            {
                // Those without a default state "", which is no JSON.
                let defaults = keys.iter().filter_map(|(name, text)| Some((*name, serde_json::from_str(text).ok()?)));
                self.key_defaults.entry(Address::of(element.table())).or_insert_with(|| defaults.collect());
            }
            self.add_slot(package, object.member_mut(index, true));
        }
    }

    fn add_slot(&mut self, package: &str, slot: Slot<'_>) {
        match slot {
            Slot::Object(object) => self.add_all(package, object),
            Slot::List(list) => self.add_slot(package, list.push(true)),
            Slot::Map(map) => self.add_slot(package, map.insert(String::new(), true)),
            _ => {}
        }
    }
}

/// The name, with the first number behind it that makes it unused, if it is taken.
pub(super) fn numbered(plain: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{plain}{number}"));
    [plain.to_owned()].into_iter().chain(numbered).find(|name| !is_taken(name)).unwrap_or_default()
}

/// Types of the runtime that generated crates reach, without any member.
fn shared() -> Vec<Box<dyn Object>> {
    vec![
        Box::new(meta_v1::ObjectMeta::default()),
        Box::new(meta_v1::ListMeta::default()),
        Box::new(meta_v1::Status::default()),
        Box::new(meta_v1::DeleteOptions::default()),
        Box::new(meta_v1::WatchEvent::default()),
        Box::new(meta_v1::LabelSelector::default()),
        Box::new(meta_v1::Condition::default()),
        Box::new(meta_v1::FieldSelectorRequirement::default()),
        Box::new(meta_v1::PartialObjectMetadataList::default()),
        Box::new(meta_v1::Table::default()),
    ]
}

#[cfg(test)]
mod tests {
    use super::{custom_package, package};

    #[test]
    fn packages_are_those_of_servers() {
        for (group, expected) in [
            ("", "io.k8s.api.core.v1"),
            ("apps", "io.k8s.api.apps.v1"),
            ("coordination.k8s.io", "io.k8s.api.coordination.v1"),
            ("rbac.authorization.k8s.io", "io.k8s.api.rbac.v1"),
            ("flowcontrol.apiserver.k8s.io", "io.k8s.api.flowcontrol.v1"),
            ("apiextensions.k8s.io", "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1"),
            ("image.openshift.io", "com.github.openshift.api.image.v1"),
            ("security.openshift.io", "com.github.openshift.api.security.v1"),
            ("config.openshift.io", "io.openshift.config.v1"),
            ("operator.openshift.io", "io.openshift.operator.v1"),
            ("gateway.networking.k8s.io", "io.k8s.networking.gateway.v1"),
            ("example.com", "com.example.v1"),
        ] {
            assert_eq!(package(group, "v1"), expected, "{group}");
        }
        assert_eq!(custom_package("config.openshift.io", "v1"), "io.openshift.config.v1");
    }
}
