//! The constants of operations, as strings, like the [tables](super::tables) of types.

use super::markdown::Markdown;
use super::tables::{literal, slice};
use crate::model::{GroupVersion, Operation, Param, Type, Verb};
use std::collections::BTreeMap;

/// The constant of an operation.
pub(super) struct Constant<'a> {
    pub(super) name: String,
    pub(super) operation: &'a Operation,
    /// The query parameters that its parameter struct has no field for.
    pub(super) extra: Vec<&'a Param>,
}

/// The constants of the operations of a resource. One that has everything but its verb, ID, method and path in common
/// with an earlier one is made of that: the compiler takes time for each literal, and more for each list of them.
pub(super) fn all(constants: &[Constant<'_>], plural: &str) -> Vec<String> {
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

/// The constant of an operation: a call with its verb, ID, method and path, and the rest. The variants of the runtime's
/// `Verb` have the names of those of the model.
fn constant(name: &str, operation: &Operation, call: &str, rest: &str) -> String {
    let Operation { id, method, path, verb, .. } = operation;
    let docs = Markdown::code(&format!("{method} {path}"));
    let [id, method, path] = [id, method, path].map(|text| literal(text));
    // Those of other verbs follow from the verb.
    let rbac_verbs = if *verb == Verb::Connect {
        step("rbac_verbs", &literals(operation.rbac_verbs().iter().copied()))
    } else {
        String::new()
    };
    format!(
        "/// The operation {docs}.\n\
         pub const {name}: Operation = {call}(Verb::{verb:?}, {id}, {method}, {path}){rest}{rbac_verbs};\n"
    )
}

/// The properties that operations can have in common, as calls.
fn shared(operation: &Operation, extra: &[&Param], plural: &str) -> String {
    let GroupVersion { group, version } = &operation.group_version;
    let mut text = step("resource", &[group, version, plural].map(literal).join(", "));
    let mut add = |name: &str, argument: &str| text.push_str(&step(name, argument));
    if let Some(kind) = &operation.kind {
        add("kind", &literal(&kind.kind));
    }
    if let Some(subresource) = &operation.subresource {
        add("subresource", &literal(subresource));
    }
    if !operation.query_params.is_empty() {
        add("parameters", &literals(operation.query_params.iter().map(|param| param.wire.as_str())));
    }
    if !extra.is_empty() {
        add("extra_parameters", &slice(&extra.iter().map(|param| extra_parameter(param)).collect::<Vec<_>>()));
    }
    if let Some(body) = &operation.body {
        add("media_types", &literals(body.media_types.iter().map(String::as_str)));
    }
    if operation.deprecated {
        add("deprecated", "");
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

#[cfg(test)]
mod tests {
    use super::{Constant, all};
    use crate::error::{Location, Position};
    use crate::model::{GroupVersion, Operation, Scope, Verb};
    use std::collections::BTreeMap;

    fn operation(subresource: Option<&str>) -> Operation {
        Operation {
            id: "listThings".to_owned(),
            method: "GET".to_owned(),
            path: "/api/v1/things".to_owned(),
            group_version: GroupVersion { group: String::new(), version: "v1".to_owned() },
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
        let named = named.map(|(name, operation)| Constant { name: name.to_owned(), operation, extra: Vec::new() });
        let constants = all(&named.collect::<Vec<_>>(), "things");
        let call = |index: usize| constants[index].lines().nth(1).and_then(|line| line.split(['=', '(']).nth(1));
        assert_eq!([0, 1, 2].map(call), [Some(" Operation::new"), Some(" Operation::new"), Some(" A.sibling")]);
    }
}
