// not vendored
//! A rule of a schema, compiled.

use super::checker::check;
use super::decl::Decl;
use super::names::field_path;
use super::parser::{Expr, Node, parse};
use super::types::Type;
use super::{Fault, cost};
use crate::object::Tree;
use serde_json::Value;
use std::fmt::Write;
use std::sync::Arc;

/// An element of `x-kubernetes-validations`.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// The expression, or the reason for which it is none.
    pub(super) program: Result<Program, String>,
    /// The expression that makes the message. It is compiled if the rule is valid.
    pub(super) message_program: Option<Result<Program, String>>,
    /// The rule or its message, as errors name it.
    pub(super) shown: String,
    /// The message of a value that the rule refuses.
    pub(super) message: String,
    pub(super) reason: String,
    /// The path of the refused member below the value.
    pub(super) field_path: Option<String>,
    /// Whether the rule also holds without an old value.
    pub(super) is_old_optional: bool,
    /// Whether the rule compares with the old value.
    pub(super) uses_old: bool,
}

/// An expression that compiles.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) node: Node,
    /// The most that it can cost for a value.
    pub(super) cost: u64,
}

impl Rule {
    /// Compiles a rule of a schema, for values that it declares.
    pub(super) fn read(rule: &Value, schema: &Value, decl: &Arc<Decl>) -> Self {
        let [source, message] = ["rule", "message"].map(|key| rule.text(key).trim());
        let is_old_optional = rule.get("optionalOldSelf") == Some(&Value::Bool(true));
        let compile = |key: &str, result: &Type| {
            let own = decl.to_type(OWN_TYPE);
            let old = if is_old_optional { Type::optional(own.clone()) } else { own.clone() };
            compile(rule.text(key), vec![("self", own), ("oldSelf", old)], result, decl)
        };
        let program = compile("rule", &Type::Bool).map_err(|why| match why {
            Some(why) => format!("compilation failed: {why}"),
            None => "cel expression must evaluate to a bool".to_owned(),
        });
        let has_message = program.is_ok() && !rule.text("messageExpression").is_empty();
        let message_program = has_message.then(|| {
            compile("messageExpression", &Type::String).map_err(|why| match why {
                Some(why) => format!("messageExpression compilation failed: {why}"),
                None => "messageExpression must evaluate to a string".to_owned(),
            })
        });
        let is_given = !message.is_empty();
        Self {
            uses_old: program.as_ref().is_ok_and(|program| uses(&program.node, "oldSelf")),
            program,
            message_program,
            shown: if is_given { message.to_owned() } else { source.to_owned() },
            message: if is_given { message.to_owned() } else { format!("failed rule: {source}") },
            reason: rule.text("reason").to_owned(),
            field_path: field_path(rule.text("fieldPath"), schema),
            is_old_optional,
        }
    }
}

/// The name of the type of a value. Servers add a number to it.
const OWN_TYPE: &str = "selfType0";

/// Compiles an expression with variables of these types.
///
/// # Errors
/// When it is none, in the words of servers, or `None` if its result is of another type.
fn compile(
    text: &str,
    variables: Vec<(&str, Type)>,
    result: &Type,
    decl: &Arc<Decl>,
) -> Result<Program, Option<String>> {
    let node = parse(text).map_err(|fault| shown(text, &[fault]))?;
    let typed = check(&node, variables).map_err(|faults| shown(text, &faults))?;
    let cost = cost::most(&node, &typed, decl);
    if typed.of(&node) == *result { Ok(Program { node, cost }) } else { Err(None) }
}

/// The most faults of an expression that are shown.
const MOST_FAULTS: usize = 100;

/// Faults in the words of servers, each with its line.
pub(super) fn shown(text: &str, faults: &[Fault]) -> String {
    let mut all = String::new();
    for Fault { at, why } in faults.iter().take(MOST_FAULTS) {
        let before = &text[..*at];
        let number = before.matches('\n').count() + 1;
        let line = text.lines().nth(number - 1).unwrap_or_default();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
        if !all.is_empty() {
            all.push('\n');
        }
        let dots = ".".repeat(column);
        // A string takes everything.
        let _ = write!(all, "ERROR: <input>:{number}:{}: {why}\n | {line}\n | {dots}^", column + 1);
    }
    all
}

/// Whether an expression names a variable of the rule.
fn uses(node: &Node, variable: &str) -> bool {
    let is_shadowed = match &node.expr {
        Expr::Name(name) => return name == variable,
        Expr::Fold(fold) => fold.variables.iter().any(|name| name == variable),
        _ => false,
    };
    !is_shadowed && node.expr.children().any(|child| uses(child, variable))
}
