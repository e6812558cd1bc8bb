//! Operations to functions: their names, parameters, request bodies and responses.

mod draft;
mod standard;
mod verbs;

use crate::model::{Api, Operation, Param, Type, TypeId, Verb};
use crate::names;
use draft::{ONLY_WATCH, drafts};
pub use standard::{notes, standard};
use std::collections::BTreeMap;
pub use verbs::{KindVerbs, ListVerb};

/// The functions and parameter structs of a crate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Endpoints<'a> {
    /// The functions of each resource, by module and plural name.
    pub resources: BTreeMap<(&'a str, &'a str), ResourceEndpoints<'a>>,
}

/// The functions and parameter structs of one resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceEndpoints<'a> {
    /// The name of its module.
    pub module: String,
    /// Parameter structs that only this resource has, by name.
    pub own: BTreeMap<String, ParamsDef<'a>>,
    /// The functions, in the order of the document.
    pub functions: Vec<Function<'a>>,
    /// The traits of verbs that its kind implements.
    pub verbs: Option<KindVerbs<'a>>,
}

/// A function that builds a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Function<'a> {
    /// Its name.
    pub name: String,
    /// Whether it is in the module `legacy`: servers have another path for it now.
    pub legacy: bool,
    /// Whether it adds `watch=true`.
    pub watch: bool,
    /// The operation that it calls.
    pub operation: &'a Operation,
    /// Its arguments for the parameters in the path, in the order of the path.
    pub arguments: Vec<String>,
    /// Its parameter struct.
    pub params: Option<ParamsRef>,
    /// The query parameters that are fields of its parameter struct.
    pub query: Vec<Field<'a>>,
    /// The query parameters that its standard parameter struct has no field for.
    pub extra: Vec<&'a Param>,
    /// Its request body.
    pub body: RequestBody<'a>,
    /// The type that its response is decoded as.
    pub response: ResponseKind,
    /// The function to use instead of a legacy one, if there is one.
    pub replacement: Option<Replacement>,
}

/// The function to use instead of a legacy one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The name of the function, in the module of the same resource.
    pub function: String,
    /// Whether the legacy one is about one object, which the other must select.
    pub of_one: bool,
}

impl<'a> ResourceEndpoints<'a> {
    /// The query parameters of an operation that the parameter structs of its functions have no
    /// field for.
    #[must_use]
    pub fn extra(&self, operation: &Operation) -> Vec<&'a Param> {
        let functions =
            self.functions.iter().filter(|function| std::ptr::eq(function.operation, operation));
        let extra: BTreeMap<_, _> =
            functions.flat_map(|f| &f.extra).map(|param| (&param.wire, *param)).collect();
        extra.into_values().collect()
    }
}

impl Function<'_> {
    /// The verbs that RBAC rules must allow. A list that is watched needs another one.
    #[must_use]
    pub fn rbac_verbs(&self) -> &'static [&'static str] {
        if self.watch { &["watch"] } else { self.operation.rbac_verbs() }
    }

    /// Whether `watch=true` is sent. Old paths watch without it, but take some parameters only
    /// beside it.
    #[must_use]
    pub fn sends_watch(&self) -> bool {
        self.watch
            || self.legacy
                && self.operation.query_params.iter().any(|param| param.wire == ONLY_WATCH[0])
    }
}

/// A parameter struct by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ParamsRef {
    /// Its name.
    pub name: String,
    /// Whether it is a standard one, which the runtime has.
    pub standard: bool,
}

/// A parameter struct.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamsDef<'a> {
    /// The verb of its operations.
    pub verb: Verb,
    /// Its fields, with the descriptions of the first operation that has them.
    pub params: Vec<Field<'a>>,
    /// The type of the options in the body of a delete.
    pub options: Option<&'a Type>,
}

/// A field of a parameter struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Field<'a> {
    /// Its name.
    pub name: String,
    /// The parameter in the query.
    pub param: &'a Param,
}

/// The request body of a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RequestBody<'a> {
    /// No request body.
    None,
    /// An object.
    Object(&'a Type),
    /// A patch.
    Patch,
    /// Options, a field of its parameter struct.
    Options,
}

/// The type that a response is decoded as.
#[derive(Clone, Debug, PartialEq)]
pub enum ResponseKind {
    /// An object.
    Object(TypeId),
    /// A stream of events.
    Watch(TypeId),
    /// Bytes.
    Text,
    /// A connection, of a stream of a pod or with a subprotocol that is up to the caller.
    Upgrade(Option<&'static str>),
    /// An object or a status.
    Deleted(TypeId),
    /// A list or a status.
    DeletedCollection(TypeId),
}

/// Plans the functions of all resources.
#[must_use]
pub fn plan(api: &Api) -> Endpoints<'_> {
    let mut endpoints = Endpoints::default();
    for (module, content) in &api.modules {
        for (plural, name) in names::resource_modules(content.resources.keys().map(String::as_str))
        {
            endpoints.resources.entry((module, plural)).or_default().module = name;
        }
    }
    for draft in drafts(api) {
        draft.place(&api.standard_params, &mut endpoints);
    }
    for ((module, plural), resource) in &mut endpoints.resources {
        replace_legacy(resource);
        resource.verbs = verbs::of(api, &api.modules[*module].group_version, plural, resource);
    }
    endpoints
}

/// Finds the replacement of each function with an old path: the watch of the same scope.
fn replace_legacy(resource: &mut ResourceEndpoints<'_>) {
    let watches = resource.functions.iter().filter(|function| function.watch);
    let watches: Vec<_> =
        watches.map(|watch| (watch.operation.scope, watch.name.clone())).collect();
    for legacy in resource.functions.iter_mut().filter(|function| function.legacy) {
        let watch = watches.iter().find(|(scope, _)| *scope == legacy.operation.scope);
        let of_one = legacy.operation.path_params.iter().any(|param| param.wire == "name");
        legacy.replacement = watch.map(|(_, name)| Replacement { function: name.clone(), of_one });
    }
}
