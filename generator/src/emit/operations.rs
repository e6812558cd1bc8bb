//! Operations as data: their constants, the traits of verbs that point at them, and the list of
//! all.
//!
//! Constants and implementations are strings, like the [tables](super::tables) of types.

use super::markdown::{Block, Markdown};
use super::paths::{ident, type_tokens};
use super::tables::{literal, slice};
use super::{ResourceRef, cfg, docs};
use crate::functions::{Endpoints, KindVerbs, ListVerb, ResourceEndpoints};
use crate::model::features::Features;
use crate::model::{Api, GroupVersion, Operation, Param, Type, TypeId, Verb};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::{BTreeMap, BTreeSet};

/// Tables of a resource, and the paths that they refer to by name.
pub(super) struct Tables {
    pub(super) text: String,
    pub(super) imports: BTreeSet<String>,
}

/// The constant of an operation.
struct Constant<'a> {
    name: String,
    operation: &'a Operation,
    /// The query parameters that its parameter struct has no field for.
    extra: Vec<&'a Param>,
}

/// The documentation of the operations of a resource, where they have a file of their own.
pub(super) fn docs(resource: &ResourceRef<'_>) -> TokenStream {
    docs::inner(&[Markdown::own("The operations on ")
        .and_code(resource.plural)
        .and_own(" as data.")
        .into()])
}

/// The constants of a resource, and the implementations of the traits of its kind.
pub(super) fn tables(resource: &ResourceRef<'_>) -> Tables {
    let ResourceRef { plural, endpoints, .. } = *resource;
    let operations: Vec<_> = named(endpoints).collect();
    let constants = operations.iter().map(|(name, operation)| Constant {
        name: constant_name(name).to_string(),
        operation,
        extra: endpoints.extra(operation),
    });
    let constants: Vec<_> = constants.collect();
    let mut imports =
        BTreeSet::from(["kapigen_runtime::Operation", "kapigen_runtime::Verb"].map(str::to_owned));
    if constants.iter().any(|constant| !constant.extra.is_empty()) {
        imports.insert("kapigen_runtime::ExtraParameter".to_owned());
    }
    let mut rows = self::constants(&constants, plural);
    for Implementation { name, text } in implementations(endpoints, &operations) {
        imports.insert(format!("kapigen_runtime::verbs::{name}"));
        rows.push(text);
    }
    Tables { text: rows.join("\n"), imports }
}

/// The constants of the operations of a resource. A constant that differs from an earlier one only
/// in verb, ID, method and path is derived from it: the compiler takes time for each literal, and
/// more for each list of them.
fn constants(constants: &[Constant<'_>], plural: &str) -> Vec<String> {
    let mut earlier = BTreeMap::new();
    let constants = constants.iter().map(|Constant { name, operation, extra }| {
        let shared = shared(operation, extra, plural);
        let (start, rest) = match earlier.get(&shared) {
            Some(earlier) => (format!("{earlier}.sibling"), String::new()),
            None => ("Operation::new".to_owned(), shared.clone()),
        };
        earlier.entry(shared).or_insert(name);
        constant(name, operation, &start, &rest)
    });
    constants.collect()
}

/// The constant of an operation: a call with its verb, ID, method and path, and the rest. The
/// variants of `Verb` have the same names in the runtime and in the model.
fn constant(name: &str, operation: &Operation, call: &str, rest: &str) -> String {
    let Operation { id, method, path, verb, .. } = operation;
    let docs = Markdown::code(&format!("{method} {path}"));
    let [id, method, path] = [id, method, path].map(|text| literal(text));
    // For other verbs, the RBAC verbs follow from the verb.
    let rbac_verbs = if *verb == Verb::Connect {
        step("rbac_verbs", &literals(operation.rbac_verbs().iter().copied()))
    } else {
        String::new()
    };
    format!(
        "/// The operation {docs}.\npub const {name}: Operation = {call}(Verb::{verb:?}, {id}, \
         {method}, {path}){rest}{rbac_verbs};\n"
    )
}

/// The properties that operations can have in common, as calls.
fn shared(operation: &Operation, extra: &[&Param], plural: &str) -> String {
    let GroupVersion { group, version } = &operation.group_version;
    let mut text = step("resource", &[group, version, plural].map(literal).join(", "));
    if let Some(kind) = &operation.kind {
        text += &step("kind", &literal(&kind.kind));
    }
    if let Some(subresource) = &operation.subresource {
        text += &step("subresource", &literal(subresource));
    }
    if !operation.query_params.is_empty() {
        let names = operation.query_params.iter().map(|param| param.wire.as_str());
        text += &step("parameters", &literals(names));
    }
    if !extra.is_empty() {
        let extra: Vec<_> = extra.iter().map(|param| extra_parameter(param)).collect();
        text += &step("extra_parameters", &slice(&extra));
    }
    let mut demanded = operation.query_params.iter().filter(|param| param.demanded).peekable();
    if demanded.peek().is_some() {
        let names = demanded.map(|param| param.wire.as_str());
        text += &step("required_parameters", &literals(names));
    }
    if let Some(body) = &operation.body {
        text += &step("media_types", &literals(body.media_types.iter().map(String::as_str)));
    }
    if operation.deprecated {
        text += &step("deprecated", "");
    }
    text
}

/// A call of the constructor that the runtime's `ExtraParameter` has for the type.
fn extra_parameter(param: &Param) -> String {
    let (ty, list) = match &param.ty {
        Type::List(element) => (&**element, ".list()"),
        ty => (ty, ""),
    };
    format!("ExtraParameter::{}({}){list}", scalar(ty), literal(&param.wire))
}

/// The type of a value in a query, which is a scalar, in the words of OpenAPI.
pub(super) fn scalar(ty: &Type) -> &'static str {
    match ty {
        Type::Bool => "boolean",
        Type::Int32 | Type::Int64 => "integer",
        Type::Double => "number",
        _ => "string",
    }
}

fn step(name: &str, argument: &str) -> String {
    format!("\n    .{name}({argument})")
}

fn literals<'a>(names: impl Iterator<Item = &'a str>) -> String {
    slice(&names.map(literal).collect::<Vec<_>>())
}

/// The implementation of a trait of verbs.
struct Implementation {
    /// The name of the trait.
    name: &'static str,
    text: String,
}

impl Implementation {
    fn new(name: &'static str, kind: &str, items: &str) -> Self {
        let items = if items.is_empty() { String::new() } else { format!("\n{items}") };
        Self { name, text: format!("impl {name} for {kind} {{{items}}}\n") }
    }
}

/// The implementations of the traits of the kind of a resource, as far as it has any.
fn implementations(
    endpoints: &ResourceEndpoints<'_>,
    operations: &[(String, &Operation)],
) -> Vec<Implementation> {
    let Some(verbs) = &endpoints.verbs else { return Vec::new() };
    let KindVerbs { kind, operations: single, list, status, markers } = verbs;
    let kind = &type_path(kind);
    let lists = list.iter().flat_map(|list| {
        let items = list_items(list, operations);
        let watch = list.watch.then(|| Implementation::new("Watchable", kind, ""));
        [Implementation::new("Listable", kind, &items)].into_iter().chain(watch)
    });
    let singles = single.iter().map(|(verb, operation)| {
        let (name, constant) = names(*verb);
        Implementation::new(name, kind, &associated(constant, operation, operations))
    });
    let status = status.map(|[get, replace, patch]| {
        let items = [("GET_STATUS", get), ("REPLACE_STATUS", replace), ("PATCH_STATUS", patch)];
        let items = items.map(|(name, operation)| associated(name, operation, operations));
        Implementation::new("HasStatus", kind, &items.concat())
    });
    let markers = markers.iter().map(|marker| Implementation::new(marker, kind, ""));
    lists.chain(singles).chain(status).chain(markers).collect()
}

fn list_items(list: &ListVerb<'_>, operations: &[(String, &Operation)]) -> String {
    let all = list.all_namespaces.map(|all| format!("Some(&{})", constant_of(all, operations)));
    let all = all.as_deref().unwrap_or("None");
    let ty = type_path(&list.list);
    let operation = associated("LIST", list.operation, operations);
    let all = format!("    const LIST_ALL_NAMESPACES: Option<&'static Operation> = {all};\n");
    format!("    type List = {ty};\n{operation}{all}")
}

/// The constant of an implementation that points at an operation.
fn associated(name: &str, operation: &Operation, operations: &[(String, &Operation)]) -> String {
    let value = constant_of(operation, operations);
    format!("    const {name}: &'static Operation = &{value};\n")
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

/// The lists of all operations and kinds of the crate.
pub(super) fn index(api: &Api, endpoints: &Endpoints<'_>) -> TokenStream {
    let features = &Features::new(api);
    let entries = endpoints.resources.iter().flat_map(|((module, plural), resource)| {
        let own = api.modules.get(*module).and_then(|module| module.resources.get(*plural));
        let own = own.and_then(|resource| resource.feature.as_deref());
        named(resource).map(move |(name, _)| {
            let module_ident = ident(module);
            let resource = ident(&resource.module);
            let name = constant_name(&name);
            let cfg = own.map(|own| cfg([own])).or_else(|| feature(module));
            quote! { #cfg crate::#module_ident::#resource::#name }
        })
    });
    let kinds = api.modules.iter().flat_map(|(module, content)| {
        let kinds = content.types.iter().filter(|(_, def)| def.kind.is_some());
        kinds.map(move |(name, _)| {
            let gate = features.gate(module, name).map(cfg);
            let cfg = gate.or_else(|| feature(module));
            let module = ident(module);
            let name = ident(name);
            quote! { #cfg ApiKind::of::<crate::#module::#name>() }
        })
    });
    let docs = docs::inner(&[Block::own("Every operation and kind of this crate.")]);
    quote! {
        #docs
        use kapigen_runtime::{Api, ApiKind, Operation};

        /// The operations and kinds of this crate, with the features that are on: for routers and
        /// other programs that work with data in place of functions and types.
        pub const API: Api = Api::new(OPERATIONS, KINDS);

        const KINDS: &[ApiKind] = &[#(#kinds),*];

        /// Every operation that this crate has a function for, with the features that are on.
        pub static OPERATIONS: &[Operation] = &[#(#entries),*];
    }
}

/// The condition under which a module exists.
fn feature(module: &str) -> Option<TokenStream> {
    (module != crate::model::wellknown::META).then(|| cfg([module]))
}

/// Each operation once, under the name of its first function.
pub(super) fn named<'a>(
    endpoints: &'a ResourceEndpoints<'a>,
) -> impl Iterator<Item = (String, &'a Operation)> {
    let mut seen = BTreeSet::new();
    let once = endpoints
        .functions
        .iter()
        .filter(move |f| seen.insert((&f.operation.path, &f.operation.method)));
    once.map(|f| {
        (if f.legacy { format!("legacy_{}", f.name) } else { f.name.clone() }, f.operation)
    })
}

fn constant_name(name: &str) -> Ident {
    ident(&name.to_uppercase())
}

/// The name of the constant of an operation.
pub(super) fn constant_of(operation: &Operation, operations: &[(String, &Operation)]) -> Ident {
    let name =
        operations.iter().find(|(_, other)| std::ptr::eq(*other, operation)).map(|(name, _)| name);
    constant_name(name.map_or("", String::as_str))
}

#[cfg(test)]
mod tests {
    use super::{Constant, constants};
    use crate::error::{Location, Position};
    use crate::model::{GroupVersion, Operation, Scope, Verb};
    use std::collections::BTreeMap;

    fn operation(subresource: Option<&str>) -> Operation {
        Operation {
            id: "listThings".to_owned(),
            method: "GET".to_owned(),
            path: "/api/v1/things".to_owned(),
            group_version: GroupVersion::new("", "v1"),
            description: None,
            verb: Verb::List,
            subresource: subresource.map(str::to_owned),
            below: None,
            scope: Scope::Cluster,
            deprecated: false,
            kind: None,
            path_params: Vec::new(),
            query_params: Vec::new(),
            body: None,
            responses: BTreeMap::new(),
            location: Location { document: "v1.yaml".to_owned(), position: Position::Document },
        }
    }

    #[test]
    fn an_operation_is_made_of_an_earlier_one_with_the_same_rest() {
        let operations = [operation(None), operation(Some("status")), operation(None)];
        let named = ["A", "B", "C"].into_iter().zip(&operations);
        let named = named.map(|(name, operation)| Constant {
            name: name.to_owned(),
            operation,
            extra: Vec::new(),
        });
        let made = constants(&named.collect::<Vec<_>>(), "things");
        let call = |index: usize| {
            made[index].lines().nth(1).and_then(|line| line.split(['=', '(']).nth(1))
        };
        assert_eq!(
            [0, 1, 2].map(call),
            [Some(" Operation::new"), Some(" Operation::new"), Some(" A.sibling")]
        );
    }
}
