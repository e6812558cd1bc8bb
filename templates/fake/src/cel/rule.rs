// not vendored
//! A rule of a schema, compiled.

use super::Fault;
use super::functions;
use super::names::field_path;
use super::parser::{Expr, Node, parse};
use serde_json::Value;
use std::fmt::Write;

/// An element of `x-kubernetes-validations`.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// The expression, or the reason for which it is none.
    pub(super) program: Result<Node, String>,
    /// The expression that makes the message.
    pub(super) message_program: Option<Result<Node, String>>,
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

/// The member of a rule, as a string.
pub(super) fn text<'a>(rule: &'a Value, key: &str) -> &'a str {
    rule.get(key).and_then(Value::as_str).unwrap_or_default()
}

impl Rule {
    /// Compiles a rule of a schema.
    pub(super) fn read(rule: &Value, schema: &Value) -> Self {
        let [source, message] = ["rule", "message"].map(|key| text(rule, key).trim());
        let program = compile(source);
        let expression = Some(text(rule, "messageExpression").trim());
        let is_given = !message.is_empty();
        Self {
            uses_old: program.as_ref().is_ok_and(|node| uses(node, "oldSelf")),
            program,
            message_program: expression.filter(|text| !text.is_empty()).map(compile),
            shown: if is_given { message.to_owned() } else { source.to_owned() },
            message: if is_given { message.to_owned() } else { format!("failed rule: {source}") },
            reason: text(rule, "reason").to_owned(),
            field_path: field_path(text(rule, "fieldPath"), schema),
            is_old_optional: rule.get("optionalOldSelf") == Some(&Value::Bool(true)),
        }
    }
}

/// Parses an expression, and checks that its variables and functions are known.
///
/// # Errors
/// When they are not, in the words of servers.
fn compile(text: &str) -> Result<Node, String> {
    let node = parse(text).map_err(|fault| shown(text, &[fault]))?;
    let mut faults = Vec::new();
    check(&node, &mut vec!["self", "oldSelf"], &mut faults);
    faults.sort_by_key(|fault| fault.at);
    if faults.is_empty() { Ok(node) } else { Err(shown(text, &faults)) }
}

/// The most faults of an expression that are shown.
const MOST_FAULTS: usize = 10;

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

/// Collects names that are neither variables nor types nor functions.
fn check<'a>(node: &'a Node, scope: &mut Vec<&'a str>, faults: &mut Vec<Fault>) {
    let mut refuse = |name: &str| {
        let why = format!("undeclared reference to '{name}' (in container '')");
        faults.push(Fault { at: node.at, why });
    };
    match &node.expr {
        Expr::Name(name) => {
            if !scope.contains(&name.as_str()) && functions::type_named(name).is_none() {
                refuse(name);
            }
        }
        Expr::Call { name, target: Some(target), arguments } => {
            let space = match &target.expr {
                Expr::Name(space) if !scope.contains(&space.as_str()) => Some(space),
                _ => None,
            };
            if space.is_none_or(|space| functions::qualified(space, name).is_none()) {
                if !functions::is_known(name, true) {
                    refuse(name);
                }
                check(target, scope, faults);
            }
            for argument in arguments {
                check(argument, scope, faults);
            }
        }
        Expr::Call { name, target: None, arguments } => {
            if !functions::is_known(name, false) {
                refuse(name);
            }
            for argument in arguments {
                check(argument, scope, faults);
            }
        }
        Expr::Fold(fold) => {
            check(&fold.range, scope, faults);
            scope.extend(fold.variables.iter().map(String::as_str));
            for inner in fold.filter.iter().chain([&fold.body]) {
                check(inner, scope, faults);
            }
            scope.truncate(scope.len() - fold.variables.len());
        }
        // The name of a type with dots is no variable.
        Expr::Select { of, field, .. } if functions::is_type(of, field) => {}
        expr => expr.children().for_each(|child| check(child, scope, faults)),
    }
}
