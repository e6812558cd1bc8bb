//! The example in the documentation of a crate, which is compiled and run as a test of it.

use super::markdown::Block;
use crate::functions::{Endpoints, Function, KindVerbs, ResourceEndpoints};
use crate::model::{Api, Operation};
use crate::names;

/// A request for a list, and its response: of the resource that has most functions.
pub(super) fn of_list(crate_name: &str, api: &Api, endpoints: &Endpoints<'_>) -> Option<Block> {
    let root = names::package_ident(crate_name);
    let is_ident = root.starts_with(|c: char| c.is_ascii_alphabetic())
        && root.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let lists =
        endpoints.resources.iter().filter_map(|((module, _), resource)| Some((*module, resource, list(resource)?)));
    let has_feature = |module: &str| api.modules.contains_key(module) && module != crate::model::wellknown::META;
    let mut lists: Vec<_> = lists.filter(|(module, ..)| has_feature(module) && is_ident).collect();
    // Of several with as many the first one, since the sort is stable.
    lists.sort_by_key(|(_, resource, _)| std::cmp::Reverse(resource.functions.len()));
    let (module, resource, (verbs, function)) = lists.into_iter().next()?;
    let path = function.operation.path.replace("{namespace}", "default");
    let arguments = if path == function.operation.path { "" } else { "\"default\", " };
    let (kind, name, resource) = (&verbs.kind.name, &function.name, &resource.module);
    let lines = [
        format!("# #[cfg(feature = \"{module}\")]"),
        format!("# fn example() -> Result<(), {root}::Error> {{"),
        format!("use {root}::{module}::{{{kind}, {resource}}};"),
        format!("use {root}::params::ListParams;"),
        format!("use {root}::prelude::*;"),
        String::new(),
        "// Nothing is sent: any HTTP client can do that.".to_owned(),
        format!("let request = {resource}::{name}({arguments}&ListParams::default())?;"),
        "let http = request.to_http();".to_owned(),
        format!("assert_eq!((http.method().as_str(), http.uri().path()), (\"GET\", \"{path}\"));"),
        String::new(),
        "// The request decodes the response.".to_owned(),
        format!(
            "let response = {root}::http::Response::new(r#\"{{\"items\":[{{\"metadata\":{{\"name\":\"a\"}}}}]}}\"#);"
        ),
        format!("let items: Vec<{kind}> = request.decode(&response)?.body.take_items();"),
        "assert_eq!(items[0].metadata().name.as_deref(), Some(\"a\"));".to_owned(),
        "# Ok(())".to_owned(),
        "# }".to_owned(),
        format!("# #[cfg(feature = \"{module}\")]"),
        "# example().unwrap();".to_owned(),
    ];
    Some(Block::Example(lines.into()))
}

/// The function that lists the kind of a resource, if anybody can call it with the standard parameters.
fn list<'a>(resource: &'a ResourceEndpoints<'a>) -> Option<(&'a KindVerbs<'a>, &'a Function<'a>)> {
    let verbs = resource.verbs.as_ref()?;
    let operation: &Operation = verbs.list.as_ref()?.operation;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/.-_{}".contains(c);
    let lists = |function: &&Function<'_>| {
        let is_standard = function.params.as_ref().is_some_and(|params| params.standard);
        is_standard && !function.watch && std::ptr::eq(function.operation, operation)
    };
    let function = resource.functions.iter().find(lists)?;
    operation.path.chars().all(is_plain).then_some((verbs, function))
}
