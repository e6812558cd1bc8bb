// not vendored
//! Types of expressions, as far as a schema states them.
//!
//! Expressions of unknown types are never refused.

use super::Fault;
use super::macros::{Fold, FoldKind};
use super::names::escape;
use super::parser::{Expr, Node};
use super::rule::shown;
use kapigen_definitions::schema_keywords::{EMBEDDED, INT_OR_STRING};
use serde_json::Value;
use std::fmt;

/// A type. Whatever is not known is `Any`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type<'a> {
    Any,
    Bool,
    Int,
    Uint,
    Double,
    String,
    Bytes,
    Null,
    Duration,
    Timestamp,
    List(Box<Type<'a>>),
    Map(Box<Type<'a>>),
    /// An object with the members of a schema. With `true`, it is a resource.
    Object(&'a Value, bool),
    /// Metadata, of which expressions see the names.
    Metadata,
}

impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Any => "dyn",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Double => "double",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::Null => "null",
            Self::Duration => "duration",
            Self::Timestamp => "timestamp",
            Self::Object(..) | Self::Metadata => "object",
            Self::List(of) => return write!(f, "list({of})"),
            Self::Map(of) => return write!(f, "map(string, {of})"),
        })
    }
}

/// Functions whose results have one type, by their names.
const RESULTS: [(Type<'_>, &[&str]); 5] = [
    (
        Type::Bool,
        &[
            "bool",
            "contains",
            "endsWith",
            "hasValue",
            "isCIDR",
            "isIP",
            "isQuantity",
            "isSorted",
            "isURL",
            "matches",
            "startsWith",
        ],
    ),
    (Type::Double, &["double"]),
    (Type::Int, &["indexOf", "int", "lastIndexOf", "size"]),
    (
        Type::String,
        &["charAt", "join", "lowerAscii", "replace", "string", "substring", "trim", "upperAscii"],
    ),
    (Type::Uint, &["uint"]),
];

impl<'a> Type<'a> {
    /// The type of the values of a schema.
    pub(super) fn of(schema: &'a Value, is_root: bool) -> Self {
        let text = |key: &str| schema.get(key).and_then(Value::as_str).unwrap_or_default();
        let is_set = |key: &str| schema.get(key) == Some(&Value::Bool(true));
        let below = |key: &str| schema.get(key).filter(|below| below.is_object());
        let of = |below: &'a Value| Box::new(Self::of(below, false));
        if is_set(INT_OR_STRING) {
            return Self::Any;
        }
        match (text("type"), text("format")) {
            ("boolean", _) => Self::Bool,
            ("integer", _) => Self::Int,
            ("number", _) => Self::Double,
            ("string", "byte") => Self::Bytes,
            ("string", "date" | "date-time") => Self::Timestamp,
            ("string", "duration") => Self::Duration,
            ("string", _) => Self::String,
            ("array", _) => below("items").map_or(Self::Any, |items| Self::List(of(items))),
            ("object", _) => match below("additionalProperties") {
                Some(entries) => Self::Map(of(entries)),
                None if below("properties").is_some() => {
                    Self::Object(schema, is_root || is_set(EMBEDDED))
                }
                None => Self::Any,
            },
            _ => Self::Any,
        }
    }

    /// The type of a member. `None` if an object has no such member.
    fn member(&self, name: &str) -> Option<Self> {
        match self {
            Self::Object(_, true) if name == "metadata" => Some(Self::Metadata),
            Self::Object(_, true) if ["apiVersion", "kind"].contains(&name) => Some(Self::String),
            Self::Object(schema, _) => {
                let mut properties = schema.get("properties")?.as_object()?.iter();
                let (_, found) = properties.find(|(own, _)| escape(own) == name)?;
                Some(Self::of(found, false))
            }
            Self::Metadata if ["name", "generateName"].contains(&name) => Some(Self::String),
            Self::Metadata => None,
            Self::Map(entry) => Some((**entry).clone()),
            _ => Some(Self::Any),
        }
    }

    fn is_number(&self) -> bool {
        matches!(self, Self::Int | Self::Uint | Self::Double)
    }

    /// Whether values of both types can be equal.
    fn fits(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Any, _)
            | (_, Self::Any)
            | (Self::Object(..) | Self::Metadata, Self::Object(..) | Self::Metadata) => true,
            (Self::List(one), Self::List(other)) | (Self::Map(one), Self::Map(other)) => {
                one.fits(other)
            }
            (Self::Null, of) | (of, Self::Null) => matches!(
                of,
                Self::Null | Self::Object(..) | Self::Metadata | Self::Duration | Self::Timestamp
            ),
            (one, other) => one == other,
        }
    }
}

/// The type of an expression, with the type of the value and of the old one.
///
/// # Errors
/// When operators or members do not fit types, in the words of servers.
pub(super) fn check<'a>(
    node: &'a Node,
    text: &str,
    own: &Type<'a>,
    old: Type<'a>,
) -> Result<Type<'a>, String> {
    let scope = vec![("self", own.clone()), ("oldSelf", old)];
    let mut checker = Checker { scope, faults: Vec::new() };
    let found = checker.check(node);
    let mut faults = checker.faults;
    faults.sort_by_key(|fault| fault.at);
    if faults.is_empty() { Ok(found) } else { Err(shown(text, &faults)) }
}

/// Finds the types of an expression, and what is wrong with them.
struct Checker<'a> {
    /// Variables, the inner ones last.
    scope: Vec<(&'a str, Type<'a>)>,
    faults: Vec<Fault>,
}

impl<'a> Checker<'a> {
    fn check(&mut self, node: &'a Node) -> Type<'a> {
        match &node.expr {
            Expr::Null => Type::Null,
            Expr::Bool(_) => Type::Bool,
            Expr::Int(_) => Type::Int,
            Expr::Uint(_) => Type::Uint,
            Expr::Double(_) => Type::Double,
            Expr::String(_) => Type::String,
            Expr::Bytes(_) => Type::Bytes,
            Expr::Name(name) => {
                let known = self.scope.iter().rev().find(|(known, _)| known == name);
                known.map_or(Type::Any, |(_, own)| own.clone())
            }
            Expr::Select { of, field, is_optional } => {
                let of = self.check(of);
                let found = self.select(&of, field, node.at);
                if *is_optional { Type::Any } else { found }
            }
            Expr::Has { of, field } => {
                let of = self.check(of);
                self.select(&of, field, node.at);
                Type::Bool
            }
            Expr::Index { of, index, is_optional } => {
                let (of, _) = (self.check(of), self.check(index));
                match of {
                    Type::List(element) | Type::Map(element) if !is_optional => *element,
                    _ => Type::Any,
                }
            }
            Expr::Not(operand) => self.logic("!_", std::slice::from_ref(&**operand), node.at),
            Expr::And(all) => self.logic("_&&_", all, node.at),
            Expr::Or(all) => self.logic("_||_", all, node.at),
            Expr::Negate(operand) => self.check(operand),
            Expr::Conditional(parts) => {
                let [condition, yes, no] = parts.each_ref().map(|part| self.check(part));
                if !condition.fits(&Type::Bool) || !yes.fits(&no) {
                    return self.refuse("_?_:_", &[condition, yes, no], node.at);
                }
                if yes == no { yes } else { Type::Any }
            }
            Expr::Binary(operator, operands) => {
                let [left, right] = operands.each_ref().map(|operand| self.check(operand));
                self.binary(operator, left, right, node.at)
            }
            Expr::List(elements) => {
                let types = elements.iter().map(|(element, is_optional)| {
                    let own = self.check(element);
                    if *is_optional { Type::Any } else { own }
                });
                let types: Vec<_> = types.collect();
                let first = types.first().cloned().unwrap_or(Type::Any);
                let is_uniform = types.iter().all(|own| *own == first);
                Type::List(Box::new(if is_uniform { first } else { Type::Any }))
            }
            Expr::Map(entries) => {
                for (key, value, _) in entries {
                    self.check(key);
                    self.check(value);
                }
                Type::Any
            }
            Expr::Call { name, target, arguments } => {
                for operand in target.as_deref().into_iter().chain(arguments) {
                    self.check(operand);
                }
                let known = RESULTS.iter().find(|(_, names)| names.contains(&name.as_str()));
                known.map_or(Type::Any, |(own, _)| own.clone())
            }
            Expr::Fold(fold) => self.fold(fold),
        }
    }

    fn select(&mut self, of: &Type<'a>, field: &str, at: usize) -> Type<'a> {
        if of.is_number() || matches!(of, Type::Bool | Type::String | Type::List(_)) {
            let why = format!("type '{of}' does not support field selection");
            self.faults.push(Fault { at, why });
            return Type::Any;
        }
        of.member(field).unwrap_or_else(|| {
            self.faults.push(Fault { at, why: format!("undefined field '{field}'") });
            Type::Any
        })
    }

    /// Operands that must be booleans.
    fn logic(&mut self, operator: &str, operands: &'a [Node], at: usize) -> Type<'a> {
        let types: Vec<_> = operands.iter().map(|operand| self.check(operand)).collect();
        if types.iter().any(|own| !own.fits(&Type::Bool)) {
            return self.refuse(operator, &types, at);
        }
        Type::Bool
    }

    fn binary(&mut self, operator: &str, left: Type<'a>, right: Type<'a>, at: usize) -> Type<'a> {
        let name = || if operator == "in" { "@in".to_owned() } else { format!("_{operator}_") };
        let is_comparison = ["<", "<=", ">", ">="].contains(&operator);
        let is_any = left == Type::Any || right == Type::Any;
        let result = match operator {
            "==" | "!=" => left.fits(&right).then_some(Type::Bool),
            "in" => match &right {
                Type::List(element) => left.fits(element).then_some(Type::Bool),
                Type::Map(_) => left.fits(&Type::String).then_some(Type::Bool),
                _ => Some(Type::Bool),
            },
            _ if is_comparison => {
                let is_numeric = left.is_number() && right.is_number();
                (is_any || is_numeric || left == right).then_some(Type::Bool)
            }
            _ if is_any => Some(Type::Any),
            _ => arithmetic(operator, &left, &right),
        };
        result.unwrap_or_else(|| {
            let refused = self.refuse(&name(), &[left, right], at);
            if is_comparison || operator.ends_with('=') { Type::Bool } else { refused }
        })
    }

    fn refuse(&mut self, operator: &str, types: &[Type<'a>], at: usize) -> Type<'a> {
        let types: Vec<_> = types.iter().map(ToString::to_string).collect();
        let types = types.join(", ");
        let why = format!("found no matching overload for '{operator}' applied to '({types})'");
        self.faults.push(Fault { at, why });
        Type::Any
    }

    fn fold(&mut self, fold: &'a Fold) -> Type<'a> {
        let range = self.check(&fold.range);
        let element = match (&range, &*fold.variables) {
            (_, [_, _]) => Type::Any,
            (Type::List(element), _) => (**element).clone(),
            (Type::Map(_), _) => Type::String,
            _ => Type::Any,
        };
        let outer = self.scope.len();
        let own = fold.variables.iter().map(|name| (name.as_str(), element.clone()));
        self.scope.extend(own);
        if let Some(filter) = &fold.filter {
            self.check(filter);
        }
        let body = self.check(&fold.body);
        self.scope.truncate(outer);
        match fold.kind {
            FoldKind::All | FoldKind::Exists | FoldKind::ExistsOne => Type::Bool,
            FoldKind::Filter if matches!(range, Type::List(_)) => range,
            FoldKind::Map => Type::List(Box::new(body)),
            _ => Type::Any,
        }
    }
}

/// The result of an operator for two known types. `None` if it takes others.
fn arithmetic<'a>(operator: &str, left: &Type<'a>, right: &Type<'a>) -> Option<Type<'a>> {
    let is_moment = |own: &Type<'_>| matches!(own, Type::Timestamp | Type::Duration);
    match (operator, left, right) {
        ("%", Type::Double, _) => None,
        (_, left, right) if left.is_number() && left == right => Some(left.clone()),
        ("+", Type::String, Type::String) | ("+", Type::Bytes, Type::Bytes) => Some(left.clone()),
        ("+", Type::List(_), Type::List(_)) if left.fits(right) => Some(left.clone()),
        ("+" | "-", left, right) if is_moment(left) && is_moment(right) => Some(Type::Any),
        _ => None,
    }
}
