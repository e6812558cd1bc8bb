//! Operations to functions: what each is called, what it takes, and what its answer is read as.

mod messages;
mod naming;
mod standard;
mod verbs;

use crate::model::json_type::json_type;
use crate::model::{Api, Operation, Param, StandardParams, Type, TypeId, Verb};
use crate::names;
use messages::{ResourceTypes, answers, sends};
use standard::Signature;
pub use standard::standard;
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
    /// Stands in the module `legacy`: servers have another path for it now.
    pub legacy: bool,
    /// Adds `watch=true`.
    pub watch: bool,
    /// What is asked for.
    pub operation: &'a Operation,
    /// Its arguments for the parameters in the path, in the order of the path.
    pub arguments: Vec<String>,
    /// Its parameter struct.
    pub params: Option<ParamsRef>,
    /// The query parameters that it takes.
    pub query: Vec<Field<'a>>,
    /// What it sends.
    pub sends: Sends<'a>,
    /// What its answer is read as.
    pub answers: Answers,
}

impl Function<'_> {
    /// The verbs that RBAC rules must allow. A list that is watched needs another one.
    #[must_use]
    pub fn rbac_verbs(&self) -> &'static [&'static str] {
        if self.watch { &["watch"] } else { self.operation.rbac_verbs() }
    }

    /// Whether `watch=true` is sent. Old paths watch without it, but take some parameters only beside it.
    #[must_use]
    pub fn sends_watch(&self) -> bool {
        self.watch || self.legacy && self.operation.query_params.iter().any(|param| param.wire == ONLY_WATCH[0])
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
    /// What its operations do.
    pub verb: Verb,
    /// Its fields. What a document says of them is taken from the first operation that has them.
    pub params: Vec<Field<'a>>,
    /// The type of the options that are sent with a delete.
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

/// What a function sends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sends<'a> {
    /// Nothing.
    Nothing,
    /// An object.
    Object(&'a Type),
    /// A patch.
    Patch,
    /// Options, which stand in its parameter struct.
    Options,
}

/// What an answer is read as.
#[derive(Clone, Debug, PartialEq)]
pub enum Answers {
    /// An object.
    Object(TypeId),
    /// A stream of changes.
    Watch(TypeId),
    /// Bytes.
    Text,
    /// A connection.
    Upgrade,
    /// An object or a status.
    Deleted(TypeId),
    /// A list or a status.
    DeletedCollection(TypeId),
}

/// Query parameters that turn a list into a watch, or only matter in one.
const ONLY_WATCH: [&str; 3] = ["watch", "allowWatchBookmarks", "sendInitialEvents"];
/// Query parameters that servers do not support in a watch.
const ONLY_LIST: [&str; 2] = ["continue", "limit"];

/// Plans the functions of all resources.
#[must_use]
pub fn plan(api: &Api) -> Endpoints<'_> {
    let mut endpoints = Endpoints::default();
    for (module, content) in &api.modules {
        for (plural, name) in names::resource_modules(content.resources.keys().map(String::as_str)) {
            endpoints.resources.entry((module, plural)).or_default().module = name;
        }
    }
    for draft in drafts(api) {
        draft.place(&api.standard_params, &mut endpoints);
    }
    for ((module, plural), resource) in &mut endpoints.resources {
        resource.verbs = verbs::of(api, &api.modules[*module].group_version, plural, resource);
    }
    endpoints
}

fn drafts(api: &Api) -> Vec<Draft<'_>> {
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
enum Call {
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
struct Draft<'a> {
    resource: (&'a str, &'a str),
    operation: &'a Operation,
    call: Call,
    params: Vec<&'a Param>,
    sends: Sends<'a>,
    answers: Answers,
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
            // That it watches is said by the function.
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
            sends: sends(operation),
            answers: answers(operation, call, types),
            object: types.object,
        }
    }

    fn signature(&self) -> Signature<'a> {
        let params = self.params.iter().map(|param| (param.wire.as_str(), &param.ty, param.required)).collect();
        (params, self.sends == Sends::Options)
    }

    fn def(&self) -> ParamsDef<'a> {
        let options = self.operation.body.as_ref().map(|body| &body.ty).filter(|_| self.sends == Sends::Options);
        let params = naming::fields(&self.params, options.is_some());
        ParamsDef { verb: self.operation.verb, params, options }
    }

    /// The standard struct of operations like this one.
    fn standard_name(&self) -> Option<&'static str> {
        naming::standard_params(self.call, self.operation.verb)
    }

    /// Whether a standard struct serves: it has all parameters, and options if these are taken. What the operation does
    /// not take of it is refused when a request is built.
    fn fits(&self, standard: &StandardParams) -> bool {
        let has = |param: &&Param| !param.required && standard.query.get(&param.wire) == Some(&json_type(&param.ty));
        self.params.iter().all(has) && (standard.options || self.sends != Sends::Options)
    }

    fn place(self, standard: &BTreeMap<String, StandardParams>, endpoints: &mut Endpoints<'a>) {
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
            sends: if options { Sends::Options } else { self.sends },
            answers: self.answers,
        });
    }
}
