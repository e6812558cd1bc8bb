//! The functions of each operation, before it is known which parameter structs they take: their
//! names, parameters, request bodies and responses.

use super::{Endpoints, Field, Function, ParamsDef, ParamsRef, RequestBody, ResponseKind};
use crate::model::json_type::JsonType;
use crate::model::{Api, Operation, Param, Resource, Scope, StandardParams, Type, TypeId, Verb};
use crate::names;
use std::collections::{BTreeMap, BTreeSet};

/// Query parameters that turn a list into a watch, or only matter in one.
pub(super) const ONLY_WATCH: [&str; 3] = ["watch", "allowWatchBookmarks", "sendInitialEvents"];
/// Query parameters that servers do not support in a watch.
const ONLY_LIST: [&str; 2] = ["continue", "limit"];

pub(super) fn drafts(api: &Api) -> Vec<Draft<'_>> {
    let mut drafts = Vec::new();
    for (module, content) in &api.modules {
        for (plural, resource) in &content.resources {
            let types = ResourceTypes::new(api, resource);
            let common = common(resource);
            for operation in &resource.operations {
                let common = common.get(&operation.verb).cloned().unwrap_or_default();
                let calls = calls(operation).into_iter();
                drafts
                    .extend(calls.map(|call| {
                        Draft::new((module, plural), operation, call, &types, &common)
                    }));
            }
        }
    }
    drafts
}

/// The query parameters that the operations on the whole objects of a resource take, by verb.
fn common(resource: &Resource) -> BTreeMap<Verb, BTreeSet<&str>> {
    let mut common = BTreeMap::<_, BTreeSet<_>>::new();
    for operation in resource.operations.iter().filter(|operation| operation.subresource.is_none())
    {
        let names = operation.query_params.iter().map(|param| param.wire.as_str());
        common.entry(operation.verb).or_default().extend(names);
    }
    common
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
pub(super) struct Draft<'a> {
    pub(super) resource: (&'a str, &'a str),
    pub(super) operation: &'a Operation,
    call: Call,
    params: Vec<&'a Param>,
    /// The names of its own parameters, which no operation with its verb on whole objects has.
    own: BTreeSet<&'a str>,
    body: RequestBody<'a>,
    response: ResponseKind,
    object: Option<&'a TypeId>,
}

/// The properties that distinguish one set of parameters from another: the name of each parameter,
/// its type and whether it is required, and whether there are options in the body.
pub(super) type Signature<'a> = (Vec<(&'a str, &'a Type, bool)>, bool);

impl<'a> Draft<'a> {
    fn new(
        (module, plural): (&'a String, &'a String),
        operation: &'a Operation,
        call: Call,
        types: &ResourceTypes<'a>,
        common: &BTreeSet<&str>,
    ) -> Self {
        let left_out: &[&str] = match call {
            Call::Plain if operation.verb == Verb::List => &ONLY_WATCH,
            // Servers document them for custom resources, because they share code with lists.
            Call::Plain if operation.verb == Verb::DeleteCollection => &ONLY_WATCH[..2],
            // The function adds it on its own.
            Call::Legacy => &ONLY_WATCH[..1],
            Call::Watch => &[ONLY_WATCH[0], ONLY_LIST[0], ONLY_LIST[1]],
            Call::Plain => &[],
        };
        let params =
            operation.query_params.iter().filter(|param| !left_out.contains(&param.wire.as_str()));
        let own = operation
            .query_params
            .iter()
            .map(|param| param.wire.as_str())
            .filter(|name| !common.contains(name));
        Self {
            resource: (module, plural),
            operation,
            call,
            params: params.collect(),
            own: own.collect(),
            body: request_body(operation),
            response: response_kind(operation, call, types),
            object: types.object,
        }
    }

    pub(super) fn signature(&self) -> Signature<'a> {
        let params = self
            .params
            .iter()
            .map(|param| (param.wire.as_str(), &param.ty, param.required))
            .collect();
        (params, self.body == RequestBody::Options)
    }

    pub(super) fn def(&self) -> ParamsDef<'a> {
        self.def_with(&[])
    }

    /// The parameter struct with further parameters.
    pub(super) fn def_with(&self, further: &'a [Param]) -> ParamsDef<'a> {
        let mut params = self.params.clone();
        params.extend(
            further.iter().filter(|param| self.params.iter().all(|known| known.wire != param.wire)),
        );
        params.sort_by_key(|param| &param.wire);
        let params = param_fields(&params, self.options().is_some());
        ParamsDef { verb: self.operation.verb, params, options: self.options() }
    }

    fn options(&self) -> Option<&'a Type> {
        self.operation
            .body
            .as_ref()
            .map(|body| &body.ty)
            .filter(|_| self.body == RequestBody::Options)
    }

    /// The standard struct of operations like this one.
    pub(super) fn standard_name(&self) -> Option<&'static str> {
        standard_params(self.call, self.operation.verb)
    }

    /// The standard struct of operations like this one, and the parameters that it has no field
    /// for, if it fits. Other parameters of it are refused when a request is built.
    pub(super) fn standard(
        &self,
        structs: &'a BTreeMap<String, StandardParams>,
    ) -> Result<Standard<'a>, NonStandard<'a>> {
        let name = self.standard_name().ok_or(NonStandard::OfItsKind)?;
        let set = structs.get(name).ok_or(NonStandard::OfItsKind)?;
        let (fields, extra): (Vec<&Param>, Vec<&Param>) =
            self.params.iter().partition(|param| set.query.contains_key(&param.wire));
        let has_options = self.body == RequestBody::Options;
        if has_options && !set.options || !extra.is_empty() && fields.is_empty() && !has_options {
            return Err(NonStandard::OfItsKind);
        }
        // Parameters of a subresource such as `log` are essential to its operation.
        if self.operation.subresource.is_some()
            && extra.iter().any(|param| self.own.contains(param.wire.as_str()))
        {
            return Err(NonStandard::OfItsKind);
        }
        if let Some(param) = self.params.iter().find(|param| param.required) {
            return Err(NonStandard::Required(param));
        }
        let of_other_type = fields
            .iter()
            .find(|param| set.query.get(&param.wire) != Some(&JsonType::for_type(&param.ty)));
        match of_other_type {
            Some(param) => Err(NonStandard::Type(param)),
            None => Ok(Standard { name, extra, options: set.options }),
        }
    }

    pub(super) fn place(
        self,
        structs: &'a BTreeMap<String, StandardParams>,
        endpoints: &mut Endpoints<'a>,
    ) {
        let def = self.def();
        let standard = self.standard(structs).ok();
        let resource = endpoints.resources.entry(self.resource).or_default();
        let is_empty = def.params.is_empty() && def.options.is_none();
        let (params, query, extra) = match &standard {
            _ if is_empty => (None, Vec::new(), Vec::new()),
            Some(Standard { name, extra, .. }) => {
                let fields = self.params.iter().copied();
                let fields: Vec<_> = fields
                    .filter(|param| extra.iter().all(|extra| extra.wire != param.wire))
                    .collect();
                let params = ParamsRef { name: (*name).to_owned(), standard: true };
                (Some(params), param_fields(&fields, def.options.is_some()), extra.clone())
            }
            None => {
                let name = own_params(self.call, self.operation, self.object, self.resource.1);
                let name = free_params(&name, &def, &resource.own);
                let query = def.params.clone();
                resource.own.entry(name.clone()).or_insert(def);
                (Some(ParamsRef { name, standard: false }), query, Vec::new())
            }
        };
        let options = params.is_some() && standard.is_some_and(|standard| standard.options);
        let name = function_name(self.operation, self.call);
        let legacy = self.call == Call::Legacy;
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let name = std::iter::once(name.clone())
            .chain(numbered)
            .find(|name| resource.functions.iter().all(|f| f.name != *name || f.legacy != legacy))
            .unwrap_or(name);
        resource.functions.push(Function {
            name,
            legacy,
            watch: self.call == Call::Watch,
            operation: self.operation,
            arguments: arguments(self.operation),
            params,
            query,
            extra,
            body: if options { RequestBody::Options } else { self.body },
            response: self.response,
            replacement: None,
        });
    }
}

/// The standard struct of an operation.
pub(super) struct Standard<'a> {
    name: &'static str,
    /// The parameters that it has no field for.
    extra: Vec<&'a Param>,
    options: bool,
}

/// The reason why an operation has a parameter struct of its own.
#[derive(Clone, Copy)]
pub(super) enum NonStandard<'a> {
    /// It has other parameters than the operations with its verb.
    OfItsKind,
    /// A parameter is required.
    Required(&'a Param),
    /// A parameter has another type in the standard struct.
    Type(&'a Param),
}

/// The types that the operations of a resource work on.
struct ResourceTypes<'a> {
    pub(super) object: Option<&'a TypeId>,
    list: Option<&'a TypeId>,
}

impl<'a> ResourceTypes<'a> {
    pub(super) fn new(api: &'a Api, resource: &'a Resource) -> Self {
        let list = response_of(resource, Verb::List);
        let item = list.and_then(|list| api.list_item(list));
        let singles = [Verb::Get, Verb::Create, Verb::Replace];
        let mut objects = singles.iter().filter_map(|verb| response_of(resource, *verb));
        Self { object: item.or_else(|| objects.next()), list }
    }
}

/// The named type that a verb of a resource returns, other than on subresources.
fn response_of(resource: &Resource, verb: Verb) -> Option<&TypeId> {
    let mut operations =
        resource.operations.iter().filter(|op| op.verb == verb && op.subresource.is_none());
    operations.find_map(named_response)
}

fn named_response(operation: &Operation) -> Option<&TypeId> {
    operation.responses.values().find_map(|response| match &response.ty {
        Some(Type::Named(id)) => Some(id),
        _ => None,
    })
}

fn request_body(operation: &Operation) -> RequestBody<'_> {
    match (&operation.body, operation.verb) {
        (None, _) => RequestBody::None,
        (Some(_), Verb::Patch) => RequestBody::Patch,
        (Some(_), Verb::Delete | Verb::DeleteCollection) => RequestBody::Options,
        (Some(body), _) => RequestBody::Object(&body.ty),
    }
}

fn response_kind(operation: &Operation, call: Call, types: &ResourceTypes<'_>) -> ResponseKind {
    let named = named_response(operation).cloned();
    match (call, operation.verb, types.object, types.list) {
        (Call::Watch | Call::Legacy, _, Some(object), _) => ResponseKind::Watch(object.clone()),
        // An event needs a type of object.
        (Call::Watch | Call::Legacy, ..) => ResponseKind::Text,
        (_, Verb::Connect, ..) if operation.subresource.as_deref() == Some("proxy") => {
            ResponseKind::Text
        }
        (_, Verb::Connect, ..) => ResponseKind::Upgrade(operation.pod_stream()),
        (_, Verb::Delete, Some(object), _) => ResponseKind::Deleted(object.clone()),
        (_, Verb::DeleteCollection, _, Some(list)) => ResponseKind::DeletedCollection(list.clone()),
        _ => named.map_or(ResponseKind::Text, ResponseKind::Object),
    }
}

/// The name of the standard struct of an operation.
fn standard_params(call: Call, verb: Verb) -> Option<&'static str> {
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
fn own_params(call: Call, operation: &Operation, object: Option<&TypeId>, plural: &str) -> String {
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
fn free_params(name: &str, def: &ParamsDef<'_>, taken: &BTreeMap<String, ParamsDef<'_>>) -> String {
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    let free = names.find(|name| taken.get(name).is_none_or(|other| has_same_params(other, def)));
    free.unwrap_or_else(|| name.to_owned())
}

fn has_same_params(one: &ParamsDef<'_>, other: &ParamsDef<'_>) -> bool {
    let [one_params, other_params] = [one, other]
        .map(|def| def.params.iter().map(|Field { param, .. }| (&param.wire, &param.ty)));
    one_params.eq(other_params) && one.options == other.options
}

/// The fields of a parameter struct.
fn param_fields<'a>(params: &[&'a Param], has_options: bool) -> Vec<Field<'a>> {
    let mut names = names::parameters(params.iter().map(|param| param.wire.as_str()), has_options);
    let fields = params
        .iter()
        .filter_map(|param| Some(Field { name: names.remove(param.wire.as_str())?, param }));
    fields.collect()
}

/// The arguments for the parameters in the path.
pub(super) fn arguments(operation: &Operation) -> Vec<String> {
    let params = &operation.path_params;
    let mut names = names::arguments(params.iter().map(|param| param.wire.as_str()));
    params.iter().filter_map(|param| names.remove(param.wire.as_str())).collect()
}

/// `list`, `get_status`, `watch_all_namespaces`, `post_exec`, `create_eviction`.
fn function_name(operation: &Operation, call: Call) -> String {
    let method = operation.method.to_lowercase();
    let verb = match (call, operation.verb) {
        (Call::Watch, _) => "watch",
        // The old paths for one object and for many.
        (Call::Legacy, _) if operation.path_params.iter().any(|param| param.wire == "name") => {
            "watch"
        }
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
    let words: Vec<String> =
        std::iter::once(verb.to_owned()).chain(subresource).chain(scope).collect();
    names::module(&words.join("_")).unwrap_or_else(|| verb.to_owned())
}

/// Subresources with several words, which paths write without separators.
const SUBRESOURCES: [(&str, &str); 2] =
    [("ephemeralcontainers", "ephemeral_containers"), ("portforward", "port_forward")];

fn subresource_words(subresource: &str) -> String {
    let known = SUBRESOURCES.iter().find(|(wire, _)| *wire == subresource);
    known.map_or_else(
        || subresource.replace(['{', '}'], "").replace('/', "_"),
        |(_, words)| (*words).to_owned(),
    )
}
