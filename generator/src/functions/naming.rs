//! Names of functions and parameter structs.

use super::draft::Call;
use super::{Field, ParamsDef};
use crate::model::{Operation, Param, Scope, Type, TypeId, Verb};
use crate::names;
use std::collections::BTreeMap;

/// The name of the standard struct of an operation.
pub(super) fn standard_params(call: Call, verb: Verb) -> Option<&'static str> {
    Some(match (call, verb) {
        (Call::Watch, _) => "WatchParams",
        (Call::Legacy, _) => "LegacyWatchParams",
        (_, Verb::Get) => "GetParams",
        (_, Verb::List) => "ListParams",
        (_, Verb::Create) => "CreateParams",
        (_, Verb::Replace) => "ReplaceParams",
        (_, Verb::Patch) => "PatchParams",
        (_, Verb::Delete) => "DeleteParams",
        (_, Verb::DeleteCollection) => "DeleteCollectionParams",
        // The parameters of a connection depend on its subresource.
        (_, Verb::Connect | Verb::Watch) => return None,
    })
}

/// The name of a struct that only this resource has: `LogParams`, `ExecParams`, `PodListParams`.
pub(super) fn own_params(call: Call, operation: &Operation, object: Option<&TypeId>, plural: &str) -> String {
    let verb = match operation.verb {
        Verb::Get | Verb::Connect => "Params",
        verb => standard_params(call, verb).unwrap_or("Params"),
    };
    let subject = match (&operation.subresource, object) {
        // The path below a subresource (`proxy/{path}`) takes the parameters of the subresource.
        (Some(subresource), _) => subresource_words(subresource),
        (None, Some(object)) => object.name.clone(),
        (None, None) => plural.to_owned(),
    };
    names::nested_type_name("", &format!("{subject}_{verb}")).unwrap_or_else(|| verb.to_owned())
}

/// The name, or the name with a number if another struct has it.
pub(super) fn free_params(name: &str, def: &ParamsDef<'_>, taken: &BTreeMap<String, ParamsDef<'_>>) -> String {
    let same = |other: &ParamsDef<'_>| {
        let key = |def: &ParamsDef<'_>| -> Vec<(String, Type)> {
            def.params.iter().map(|Field { param, .. }| (param.wire.clone(), param.ty.clone())).collect()
        };
        key(other) == key(def) && other.options == def.options
    };
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| taken.get(name).is_none_or(same)).unwrap_or_else(|| name.to_owned())
}

/// The fields of a parameter struct.
pub(super) fn fields<'a>(params: &[&'a Param], has_options: bool) -> Vec<Field<'a>> {
    let mut names = names::parameters(params.iter().map(|param| param.wire.as_str()), has_options);
    let field = |param: &&'a Param| Some(Field { name: names.remove(param.wire.as_str())?, param });
    params.iter().filter_map(field).collect()
}

/// The arguments for the parameters in the path.
pub(super) fn arguments(operation: &Operation) -> Vec<String> {
    let params = &operation.path_params;
    let mut names = names::arguments(params.iter().map(|param| param.wire.as_str()));
    params.iter().filter_map(|param| names.remove(param.wire.as_str())).collect()
}

/// `list`, `get_status`, `watch_all_namespaces`, `post_exec`, `create_eviction`.
pub(super) fn function(operation: &Operation, call: Call) -> String {
    let method = operation.method.to_lowercase();
    let verb = match (call, operation.verb) {
        (Call::Watch, _) => "watch",
        // The old paths for one object and for many.
        (Call::Legacy, _) if operation.path_params.iter().any(|param| param.wire == "name") => "watch",
        (Call::Legacy, _) => "watch_list",
        (_, Verb::Get) => "get",
        (_, Verb::List) => "list",
        (_, Verb::Create) => "create",
        (_, Verb::Replace) => "replace",
        (_, Verb::Patch) => "patch",
        (_, Verb::Delete) => "delete",
        (_, Verb::DeleteCollection) => "delete_collection",
        (_, Verb::Connect | Verb::Watch) => method.as_str(),
    };
    let parts = [&operation.subresource, &operation.below].into_iter().flatten();
    let subresource = parts.map(|part| subresource_words(part));
    let scope = (operation.scope == Scope::AllNamespaces).then(|| "all_namespaces".to_owned());
    let words: Vec<String> = std::iter::once(verb.to_owned()).chain(subresource).chain(scope).collect();
    names::module(&words.join("_")).unwrap_or_else(|| verb.to_owned())
}

/// Subresources whose words run together in paths.
const SUBRESOURCES: [(&str, &str); 2] =
    [("ephemeralcontainers", "ephemeral_containers"), ("portforward", "port_forward")];

fn subresource_words(subresource: &str) -> String {
    let known = SUBRESOURCES.iter().find(|(wire, _)| *wire == subresource);
    known.map_or_else(|| subresource.replace(['{', '}'], "").replace('/', "_"), |(_, words)| (*words).to_owned())
}
