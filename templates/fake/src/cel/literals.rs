// not vendored
//! Literals that a function refuses, and lists of elements of several types.

use super::Fault;
use super::checker::Typed;
use super::parser::{Expr, Node};
use super::time;
use super::types::Type;
use crate::schema::pattern;

/// Checks the literals in an expression that has types. What is formatted may be of any types.
pub(super) fn check(node: &Node, typed: &Typed, is_formatted: bool, faults: &mut Vec<Fault>) {
    let mut is_formatted = is_formatted;
    match &node.expr {
        Expr::Call { name, arguments, .. } => {
            argument(name, arguments, faults);
            is_formatted |= name == "format";
        }
        Expr::List(_) | Expr::Map(_) if is_formatted => {}
        Expr::List(elements) => {
            let elements = elements.iter().map(|(element, is_optional)| (element, *is_optional));
            uniform(elements, typed, faults);
        }
        Expr::Map(entries) => {
            uniform(entries.iter().map(|(key, ..)| (key, false)), typed, faults);
            let values = entries.iter().map(|(_, value, is_optional)| (value, *is_optional));
            uniform(values, typed, faults);
        }
        _ => {}
    }
    for child in node.expr.children() {
        check(child, typed, is_formatted, faults);
    }
}

fn argument(name: &str, arguments: &[Node], faults: &mut Vec<Fault>) {
    let Some(Node { expr: Expr::String(text), at, .. }) = arguments.first() else { return };
    let is_valid = match name {
        "duration" => time::duration(text).is_some(),
        "timestamp" => time::time(text).is_some(),
        "matches" => pattern::check(text, usize::MAX).is_ok(),
        _ => true,
    };
    if !is_valid {
        faults.push(Fault { at: *at, why: format!("invalid {name} argument") });
    }
}

/// Refuses the first element of which the type is not that of the first one.
fn uniform<'a>(
    elements: impl Iterator<Item = (&'a Node, bool)>,
    typed: &Typed,
    faults: &mut Vec<Fault>,
) {
    let mut all = elements.map(|(element, is_optional)| match typed.of(element) {
        Type::Optional(own) if is_optional => (element, (*own).clone()),
        own => (element, own),
    });
    let Some((_, first)) = all.next() else { return };
    if let Some((element, own)) = all.find(|(_, own)| *own != first) {
        let why = format!("expected type '{first}' but found '{own}'");
        faults.push(Fault { at: element.at, why });
    }
}
