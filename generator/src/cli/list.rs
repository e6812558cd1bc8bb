//! The list of a crate: operations with their functions and parameters, and types.

use super::report::count;
use crate::functions::{self, Function, RequestBody};
use crate::model::{Api, Param};
use crate::visible::visible;
use serde_json::{Value, json};
use std::fmt::{Arguments, Write};

/// The report for people: the operations of each resource, one a line, and their numbers.
#[must_use]
pub fn text(api: &Api) -> String {
    let endpoints = functions::plan(api);
    let mut text = String::new();
    for (module, content) in &api.modules {
        let api_version = content.group_version.api_version();
        let types = count(content.types.len(), "type");
        line(&mut text, format_args!("{module}: {api_version}, {types}"));
        for plural in content.resources.keys() {
            let Some(resource) = endpoints.resources.get(&(module.as_str(), plural.as_str()))
            else {
                continue;
            };
            let names: Vec<_> =
                resource.functions.iter().map(|function| path(module, plural, function)).collect();
            let width = names.iter().map(String::len).max().unwrap_or_default();
            text.push('\n');
            line(&mut text, format_args!("  {plural}"));
            for (name, function) in names.iter().zip(&resource.functions) {
                let method = &function.operation.method;
                let path = &function.operation.path;
                let deprecated = if function.operation.deprecated { "  (deprecated)" } else { "" };
                let watch = if function.watch { "?watch=true" } else { "" };
                line(
                    &mut text,
                    format_args!("    {name:<width$}  {method:<7} {path}{watch}{deprecated}"),
                );
            }
        }
        text.push('\n');
    }
    text + &totals(api)
}

fn line(text: &mut String, line: Arguments<'_>) {
    writeln!(text, "{}", visible(&line.to_string())).expect("a string takes any text");
}

fn totals(api: &Api) -> String {
    let resources = api.modules.values().flat_map(|module| module.resources.values());
    let operations = resources.clone().map(|resource| resource.operations.len()).sum();
    let types = api.types().count();
    format!(
        "{}, {}, {}\n",
        count(resources.count(), "resource"),
        count(operations, "operation"),
        count(types, "type")
    )
}

/// For programs: the same, with parameters, bodies and the names of all types.
#[must_use]
pub fn json(api: &Api) -> Value {
    let endpoints = functions::plan(api);
    let modules = api.modules.iter().map(|(name, module)| {
        let resources = module.resources.values().map(|resource| {
            let found = endpoints.resources.get(&(name.as_str(), resource.plural.as_str()));
            let functions = found.into_iter().flat_map(|found| &found.functions);
            json!({
                "plural": resource.plural,
                "kind": resource.kind,
                "namespaced": resource.namespaced,
                "functions": functions.map(|f| function(name, &resource.plural, f)).collect::<Vec<_>>(),
            })
        });
        json!({
            "module": name,
            "group": module.group_version.group,
            "version": module.group_version.version,
            "resources": resources.collect::<Vec<_>>(),
            "types": module.names().map(|(name, schema)| json!({ "name": name, "schema": schema })).collect::<Vec<_>>(),
        })
    });
    json!({ "modules": modules.collect::<Vec<_>>() })
}

fn function(module: &str, plural: &str, function: &Function<'_>) -> Value {
    let operation = function.operation;
    json!({
        "function": path(module, plural, function),
        "operation": operation.id,
        "method": operation.method,
        "path": operation.path,
        "watch": function.watch,
        "deprecated": operation.deprecated,
        "pathParameters": operation.path_params.iter().map(param).collect::<Vec<_>>(),
        "queryParameters": operation.query_params.iter().map(param).collect::<Vec<_>>(),
        "body": operation.body.as_ref().filter(|_| function.body != RequestBody::None).map(|body| body.ty.to_string()),
    })
}

fn param(param: &Param) -> Value {
    json!({ "name": param.wire, "type": param.ty.to_string(), "required": param.required })
}

/// Where a function is, from the root of the crate.
fn path(module: &str, plural: &str, function: &Function<'_>) -> String {
    let legacy = if function.legacy { "legacy::" } else { "" };
    format!("{module}::{plural}::{legacy}{}", function.name)
}
