//! The functions of each operation, before it is known which parameter structs they take.

use super::messages::{ResourceTypes, request_body, response_kind};
use super::standard::Signature;
use super::{Endpoints, Function, ParamsDef, ParamsRef, RequestBody, ResponseKind, naming};
use crate::model::json_type::json_type;
use crate::model::{Api, Operation, Param, StandardParams, TypeId, Verb};
use std::collections::BTreeMap;

/// Query parameters that turn a list into a watch, or only matter in one.
pub(super) const ONLY_WATCH: [&str; 3] = ["watch", "allowWatchBookmarks", "sendInitialEvents"];
/// Query parameters that servers do not support in a watch.
const ONLY_LIST: [&str; 2] = ["continue", "limit"];

pub(super) fn drafts(api: &Api) -> Vec<Draft<'_>> {
    let mut drafts = Vec::new();
    for (module, content) in &api.modules {
        for (plural, resource) in &content.resources {
            let types = ResourceTypes::of(api, resource);
            for operation in &resource.operations {
                let calls = calls(operation).into_iter();
                drafts.extend(calls.map(|call| Draft::new((module, plural), operation, call, &types)));
            }
        }
    }
    drafts
}

/// One way to call an operation. A list that takes `watch` has two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Call {
    Plain,
    Watch,
    Legacy,
}

fn calls(operation: &Operation) -> Vec<Call> {
    let watchable = operation.query_params.iter().any(|param| param.wire == "watch");
    match operation.verb {
        Verb::Watch => vec![Call::Legacy],
        Verb::List if watchable => vec![Call::Plain, Call::Watch],
        _ => vec![Call::Plain],
    }
}

/// A function before it is known which parameter struct it takes.
pub(super) struct Draft<'a> {
    resource: (&'a str, &'a str),
    operation: &'a Operation,
    call: Call,
    params: Vec<&'a Param>,
    body: RequestBody<'a>,
    response: ResponseKind,
    object: Option<&'a TypeId>,
}

impl<'a> Draft<'a> {
    fn new(
        (module, plural): (&'a String, &'a String),
        operation: &'a Operation,
        call: Call,
        types: &ResourceTypes<'a>,
    ) -> Self {
        let left_out: &[&str] = match call {
            Call::Plain if operation.verb == Verb::List => &ONLY_WATCH,
            // Servers document them for custom resources, because they share code with lists.
            Call::Plain if operation.verb == Verb::DeleteCollection => &ONLY_WATCH[..2],
            // The function adds it by itself.
            Call::Legacy => &ONLY_WATCH[..1],
            Call::Watch => &[ONLY_WATCH[0], ONLY_LIST[0], ONLY_LIST[1]],
            Call::Plain => &[],
        };
        let params = operation.query_params.iter().filter(|param| !left_out.contains(&param.wire.as_str()));
        Self {
            resource: (module, plural),
            operation,
            call,
            params: params.collect(),
            body: request_body(operation),
            response: response_kind(operation, call, types),
            object: types.object,
        }
    }

    pub(super) fn signature(&self) -> Signature<'a> {
        let params = self.params.iter().map(|param| (param.wire.as_str(), &param.ty, param.required)).collect();
        (params, self.body == RequestBody::Options)
    }

    pub(super) fn def(&self) -> ParamsDef<'a> {
        let options = self.operation.body.as_ref().map(|body| &body.ty).filter(|_| self.body == RequestBody::Options);
        let params = naming::fields(&self.params, options.is_some());
        ParamsDef { verb: self.operation.verb, params, options }
    }

    /// The standard struct of operations like this one.
    pub(super) fn standard_name(&self) -> Option<&'static str> {
        naming::standard_params(self.call, self.operation.verb)
    }

    /// Whether a standard struct fits: it has all parameters, and options if these are taken. Other parameters of it
    /// are refused when a request is built.
    fn fits(&self, standard: &StandardParams) -> bool {
        let has = |param: &&Param| !param.required && standard.query.get(&param.wire) == Some(&json_type(&param.ty));
        self.params.iter().all(has) && (standard.options || self.body != RequestBody::Options)
    }

    pub(super) fn place(self, standard: &BTreeMap<String, StandardParams>, endpoints: &mut Endpoints<'a>) {
        let def = self.def();
        let query = def.params.clone();
        let standard =
            self.standard_name().and_then(|name| Some((name, standard.get(name).filter(|set| self.fits(set))?)));
        let resource = endpoints.resources.entry(self.resource).or_default();
        let params = match standard {
            _ if def.params.is_empty() && def.options.is_none() => None,
            Some((name, _)) => Some(ParamsRef { name: name.to_owned(), standard: true }),
            None => {
                let name = naming::own_params(self.call, self.operation, self.object, self.resource.1);
                let name = naming::free_params(&name, &def, &resource.own);
                resource.own.entry(name.clone()).or_insert(def);
                Some(ParamsRef { name, standard: false })
            }
        };
        let options =
            params.as_ref().is_some_and(|params| params.standard) && standard.is_some_and(|(_, set)| set.options);
        let name = naming::function(self.operation, self.call);
        let legacy = self.call == Call::Legacy;
        let taken = |name: &str| resource.functions.iter().any(|f| f.name == name && f.legacy == legacy);
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let name = std::iter::once(name.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(name);
        resource.functions.push(Function {
            name,
            legacy,
            watch: self.call == Call::Watch,
            operation: self.operation,
            arguments: naming::arguments(self.operation),
            params,
            query,
            body: if options { RequestBody::Options } else { self.body },
            response: self.response,
            replacement: None,
        });
    }
}
