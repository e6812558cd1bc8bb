//! Functions that would take other arguments because their operations have further query parameters.

use crate::functions::{self, Function};
use crate::hold::Parameters;
use crate::model::Api;
use std::collections::{BTreeMap, BTreeSet};

/// The query parameters without which the functions of an older crate take the arguments that they
/// took. One that servers require is none of them: no request would be right without it.
pub(super) fn further(before: &Api, now: &Api) -> Parameters {
    let now: BTreeMap<_, _> = all(now).map(|function| (key(&function), function)).collect();
    let mut further = Parameters::new();
    for function in all(before) {
        let Some(now) = now.get(&key(&function)).filter(|now| now.params != function.params) else {
            continue;
        };
        let known: BTreeSet<&str> =
            function.operation.query_params.iter().map(|param| param.wire.as_str()).collect();
        let free = now.operation.query_params.iter().filter(|param| {
            !param.required && !param.demanded && !known.contains(param.wire.as_str())
        });
        let free: BTreeSet<String> = free.map(|param| param.wire.clone()).collect();
        if !free.is_empty() {
            further.entry(operation(now)).or_default().extend(free);
        }
    }
    further
}

fn all(api: &Api) -> impl Iterator<Item = Function<'_>> {
    functions::plan(api).resources.into_values().flat_map(|resource| resource.functions)
}

fn operation(function: &Function<'_>) -> String {
    format!("{} {}", function.operation.method, function.operation.path)
}

fn key(function: &Function<'_>) -> (String, bool, bool) {
    (operation(function), function.legacy, function.watch)
}
