// not vendored
//! Macros: calls with variables of their own.

use super::Fault;
use super::parser::{Expr, Node, Parser, too_deep};

/// A macro that evaluates an expression for each element.
#[derive(Clone, Debug)]
pub(super) struct Fold {
    pub(super) kind: FoldKind,
    pub(super) range: Node,
    pub(super) variables: Vec<String>,
    pub(super) filter: Option<Node>,
    pub(super) body: Node,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FoldKind {
    All,
    Exists,
    ExistsOne,
    Filter,
    /// A list of the results.
    Map,
    /// A map of the results by the same keys.
    MapValues,
    /// A map of the entries of the results.
    MapEntries,
    /// The result for the value of an optional one. With `true`, the result is optional itself.
    Optional(bool),
    SortBy,
}

/// The macros: the name, the numbers of variables and of other arguments.
const FOLDS: [(&str, usize, usize, FoldKind); 20] = [
    ("all", 1, 1, FoldKind::All),
    ("all", 2, 1, FoldKind::All),
    ("exists", 1, 1, FoldKind::Exists),
    ("exists", 2, 1, FoldKind::Exists),
    ("exists_one", 1, 1, FoldKind::ExistsOne),
    ("existsOne", 1, 1, FoldKind::ExistsOne),
    ("exists_one", 2, 1, FoldKind::ExistsOne),
    ("existsOne", 2, 1, FoldKind::ExistsOne),
    ("filter", 1, 1, FoldKind::Filter),
    ("map", 1, 1, FoldKind::Map),
    ("map", 1, 2, FoldKind::Map),
    ("transformList", 2, 1, FoldKind::Map),
    ("transformList", 2, 2, FoldKind::Map),
    ("transformMap", 2, 1, FoldKind::MapValues),
    ("transformMap", 2, 2, FoldKind::MapValues),
    ("transformMapEntry", 2, 1, FoldKind::MapEntries),
    ("transformMapEntry", 2, 2, FoldKind::MapEntries),
    ("optMap", 1, 1, FoldKind::Optional(false)),
    ("optFlatMap", 1, 1, FoldKind::Optional(true)),
    ("sortBy", 1, 1, FoldKind::SortBy),
];

/// A test for a member.
pub(super) fn has(at: usize, mut arguments: Vec<Node>) -> Result<Node, Fault> {
    let argument = if arguments.len() == 1 { arguments.pop() } else { None };
    let place = argument.as_ref().map_or(at, |argument| argument.at);
    match argument.map(|argument| argument.expr) {
        Some(Expr::Select { of, field, is_optional: false }) => {
            Parser::node(at, Expr::Has { of, field })
        }
        _ => Err(Fault { at: place, why: "invalid argument to has() macro".to_owned() }),
    }
}

/// The number of variables and the kind of the macro with this name and number of arguments.
pub(super) fn fold_kind(name: &str, arguments: usize) -> Option<(usize, FoldKind)> {
    let known = FOLDS
        .iter()
        .find(|(known, variables, others, _)| *known == name && variables + others == arguments);
    known.map(|(_, variables, _, kind)| (*variables, *kind))
}

/// A macro with its arguments.
pub(super) fn fold(
    at: usize,
    name: &str,
    range: Node,
    mut arguments: Vec<Node>,
) -> Result<Node, Fault> {
    let Some((count, kind)) = fold_kind(name, arguments.len()) else { return Err(too_deep(at)) };
    let rest = arguments.split_off(count);
    let variables = arguments.into_iter().map(|argument| match argument.expr {
        Expr::Name(name) => Ok(name),
        _ => Err(Fault { at: argument.at, why: "argument must be a simple name".to_owned() }),
    });
    let variables = variables.collect::<Result<_, _>>()?;
    let mut rest = rest.into_iter();
    let (first, second) = (rest.next(), rest.next());
    let (filter, body) = if second.is_some() { (first, second) } else { (None, first) };
    let Some(body) = body else { return Err(too_deep(at)) };
    Parser::node(at, Expr::Fold(Box::new(Fold { kind, range, variables, filter, body })))
}
