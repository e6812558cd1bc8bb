//! Implementations of the traits of verbs, as source code: each points at the constants of its operations.

use super::functions::constant_of;
use super::paths::type_tokens;
use crate::functions::{KindVerbs, ListVerb, ResourceEndpoints};
use crate::model::{Operation, Type, TypeId, Verb};

/// The implementations of the traits of the kind of a resource, as far as it has any.
pub(super) fn implementations(endpoints: &ResourceEndpoints<'_>, operations: &[(String, &Operation)]) -> Vec<String> {
    let Some(verbs) = &endpoints.verbs else { return Vec::new() };
    let KindVerbs { kind, operations: single, list, status, markers } = verbs;
    let kind = type_path(kind);
    let constant = |name: &str, operation: &Operation| {
        let value = constant_of(operation, operations);
        format!("    const {name}: &'static Operation = &{value};\n")
    };
    let implement = |name: &str, items: &str| match items {
        "" => format!("impl kapigen_runtime::verbs::{name} for {kind} {{}}\n"),
        _ => format!("impl kapigen_runtime::verbs::{name} for {kind} {{\n{items}}}\n"),
    };
    let lists = list.iter().flat_map(|list| {
        let items = list_items(list, &constant("LIST", list.operation), operations);
        let watch = list.watch.then(|| implement("Watchable", ""));
        [implement("Listable", &items)].into_iter().chain(watch)
    });
    let singles = single.iter().map(|(verb, operation)| {
        let (name, constant_name) = names(*verb);
        implement(name, &constant(constant_name, operation))
    });
    let status = status.map(|[get, replace, patch]| {
        let items = [("GET_STATUS", get), ("REPLACE_STATUS", replace), ("PATCH_STATUS", patch)];
        implement("HasStatus", &items.map(|(name, operation)| constant(name, operation)).concat())
    });
    let markers = markers.iter().map(|marker| implement(marker, ""));
    lists.chain(singles).chain(status).chain(markers).collect()
}

fn list_items(list: &ListVerb<'_>, operation: &str, operations: &[(String, &Operation)]) -> String {
    let all = list.all_namespaces.map(|all| format!("Some(&{})", constant_of(all, operations)));
    let all = all.as_deref().unwrap_or("None");
    let ty = type_path(&list.list);
    let all = format!("    const LIST_ALL_NAMESPACES: Option<&'static Operation> = {all};\n");
    format!("    type List = {ty};\n{operation}{all}")
}

/// The trait of a verb, and its constant.
fn names(verb: Verb) -> (&'static str, &'static str) {
    match verb {
        Verb::Get => ("Gettable", "GET"),
        Verb::List => ("Listable", "LIST"),
        Verb::Watch => ("Watchable", "LIST"),
        Verb::Create => ("Creatable", "CREATE"),
        Verb::Replace => ("Replaceable", "REPLACE"),
        Verb::Patch => ("Patchable", "PATCH"),
        Verb::Delete => ("Deletable", "DELETE"),
        Verb::DeleteCollection => ("CollectionDeletable", "DELETE_COLLECTION"),
        Verb::Connect => ("Connect", "CONNECT"),
    }
}

fn type_path(id: &TypeId) -> String {
    type_tokens(&Type::Named(id.clone()), "").to_string().replace(' ', "")
}
