// not vendored
//! Evaluation of expressions within a budget.

use super::budget::Budget;
use super::fold::{Folded, insert};
use super::functions;
use super::macros::{Fold, FoldKind};
use super::operators;
use super::outcome::{Evaluated, NO_OVERLOAD, Outcome, decides, error};
use super::overloads;
use super::parser::{Expr, Node};
use super::value::{Key, Text, Value};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Variables, and the steps that may still be taken.
#[derive(Debug)]
pub(super) struct Evaluator<'a> {
    scope: Vec<(&'a str, Value<'a>)>,
    budget: Budget,
}

impl<'a> Evaluator<'a> {
    /// An evaluation that may take this number of steps.
    pub(super) fn new(scope: Vec<(&'a str, Value<'a>)>, steps: u64) -> Self {
        Self { scope, budget: Budget::new(steps) }
    }

    /// The steps that are left.
    pub(super) fn left(&self) -> u64 {
        self.budget.left()
    }

    pub(super) fn eval(&mut self, node: &'a Node) -> Outcome<'a> {
        self.budget.spend(1)?;
        Ok(match &node.expr {
            Expr::Null => Value::Null,
            Expr::Bool(flag) => Value::Bool(*flag),
            Expr::Int(number) => Value::Int(*number),
            Expr::Uint(number) => Value::Uint(*number),
            Expr::Double(number) => Value::Double(*number),
            Expr::String(text) => text.as_str().into(),
            Expr::Bytes(bytes) => {
                self.budget.spend_bytes(bytes.len())?;
                Value::Bytes(bytes.as_slice().into())
            }
            Expr::Name(name) => return self.name(name),
            Expr::Select { of, field, is_optional } => {
                return self.select(of, field, *is_optional);
            }
            Expr::Has { of, field } => return self.has(of, field),
            Expr::Index { of, index, is_optional } => return self.index(of, index, *is_optional),
            Expr::Not(operand) => match self.eval(operand)? {
                Value::Bool(flag) => Value::Bool(!flag),
                _ => return error(NO_OVERLOAD),
            },
            Expr::Negate(operand) => return operators::negate(&self.eval(operand)?),
            Expr::And(all) => return self.logic(all, false),
            Expr::Or(all) => return self.logic(all, true),
            Expr::Conditional(parts) => return self.conditional(parts),
            Expr::Binary(operator, operands) => return self.binary(operator, operands),
            Expr::List(elements) => return self.list(elements),
            Expr::Map(entries) => return self.map(entries),
            Expr::Call { name, target, arguments } => {
                return self.call(name, target.as_deref(), arguments);
            }
            Expr::Fold(fold) => return self.fold(fold),
        })
    }

    fn is_variable(&self, name: &str) -> bool {
        self.scope.iter().any(|(known, _)| *known == name)
    }

    fn name(&mut self, name: &'a str) -> Outcome<'a> {
        if let Some((_, value)) = self.scope.iter().rev().find(|(known, _)| *known == name) {
            return Ok(value.clone());
        }
        match functions::type_named(name) {
            Some(known) => Ok(Value::Type(known)),
            None => error(format!("no such attribute(s): {name}")),
        }
    }

    fn select(&mut self, of: &'a Node, field: &'a str, is_optional: bool) -> Outcome<'a> {
        if let Some(name) =
            functions::qualified_type(of, field).filter(|name| !self.is_variable(root(name)))
        {
            return Ok(Value::Type(name));
        }
        let value = self.eval(of)?;
        let key = Key::String(Text::Borrowed(field));
        entry(&value, &key, is_optional)
    }

    fn has(&mut self, of: &'a Node, field: &'a str) -> Outcome<'a> {
        let value = self.eval(of)?;
        let value = match &value {
            Value::Optional(None) => return Ok(false.into()),
            Value::Optional(Some(inner)) => inner,
            value => value,
        };
        if value.map_len().is_none() {
            return error(NO_OVERLOAD);
        }
        Ok(value.entry(&Key::String(Text::Borrowed(field))).is_some().into())
    }

    fn index(&mut self, of: &'a Node, index: &'a Node, is_optional: bool) -> Outcome<'a> {
        let value = self.eval(of)?;
        let index = self.eval(index)?;
        let (value, is_optional) = match &value {
            Value::Optional(None) => return Ok(value),
            Value::Optional(Some(inner)) => (&**inner, true),
            value => (value, is_optional),
        };
        if value.map_len().is_some() {
            let Some(key) = Key::of(&index) else { return error(NO_OVERLOAD) };
            return entry(value, &key, is_optional);
        }
        if value.list_len().is_none() {
            return error(NO_OVERLOAD);
        }
        let Some(Key::Int(number)) = Key::of(&index) else {
            return error(format!("unsupported index type '{}' in list", index.type_name()));
        };
        let found = usize::try_from(number).ok().and_then(|index| value.element(index));
        match found {
            found if is_optional => Ok(Value::optional(found)),
            Some(found) => Ok(found),
            None => error(format!("index out of bounds: {number}")),
        }
    }

    /// Evaluates operands until one decides. An error counts only if none does.
    fn logic(&mut self, operands: &'a [Node], decisive: bool) -> Outcome<'a> {
        let mut failure = None;
        for operand in operands {
            let result = self.eval(operand);
            if decides(result, decisive, &mut failure)? {
                return Ok(decisive.into());
            }
        }
        failure.map_or_else(|| Ok((!decisive).into()), Err)
    }

    fn conditional(&mut self, [condition, yes, no]: &'a [Node; 3]) -> Outcome<'a> {
        match self.eval(condition)? {
            Value::Bool(true) => self.eval(yes),
            Value::Bool(false) => self.eval(no),
            _ => error(NO_OVERLOAD),
        }
    }

    fn binary(&mut self, operator: &str, [left, right]: &'a [Node; 2]) -> Outcome<'a> {
        let left = self.eval(left)?;
        let right = self.eval(right)?;
        operators::binary(&mut self.budget, operator, &left, &right)
    }

    /// The value of an element of a literal. `None` if it is optional and absent.
    fn part(&mut self, node: &'a Node, is_optional: bool) -> Evaluated<Option<Value<'a>>> {
        match self.eval(node)? {
            Value::Optional(inner) if is_optional => Ok(inner.map(|inner| (*inner).clone())),
            _ if is_optional => error(NO_OVERLOAD),
            value => Ok(Some(value)),
        }
    }

    fn list(&mut self, elements: &'a [(Node, bool)]) -> Outcome<'a> {
        let mut list = Vec::with_capacity(elements.len());
        for (element, is_optional) in elements {
            list.extend(self.part(element, *is_optional)?);
        }
        Ok(list.into())
    }

    fn map(&mut self, entries: &'a [(Node, Node, bool)]) -> Outcome<'a> {
        let mut map = BTreeMap::new();
        for (key, value, is_optional) in entries {
            let key = self.eval(key)?;
            let Some(key) = Key::of(&key) else { return error("unsupported key type") };
            let Some(value) = self.part(value, *is_optional)? else { continue };
            insert(&mut map, key, value)?;
        }
        Ok(Value::Map(Rc::new(map)))
    }

    fn call(
        &mut self,
        name: &'a str,
        target: Option<&'a Node>,
        arguments: &'a [Node],
    ) -> Outcome<'a> {
        let mut name = name;
        let mut values = Vec::with_capacity(1 + arguments.len());
        match target {
            Some(Node { expr: Expr::Name(space), .. }) if !self.is_variable(space) => {
                match overloads::qualified(space, name) {
                    Some(known) => name = known,
                    None => values.push(self.name(space)?),
                }
            }
            Some(target) => values.push(self.eval(target)?),
            None => {}
        }
        for argument in arguments {
            values.push(self.eval(argument)?);
        }
        functions::call(&mut self.budget, name, &values)
    }

    /// Evaluates an expression with variables of its own.
    fn within(&mut self, fold: &'a Fold, values: &[Value<'a>], node: &'a Node) -> Outcome<'a> {
        let names = fold.variables.iter().map(String::as_str);
        self.scope.extend(names.zip(values.iter().cloned()));
        let result = self.eval(node);
        self.scope.truncate(self.scope.len() - values.len());
        result
    }

    fn fold(&mut self, fold: &'a Fold) -> Outcome<'a> {
        let range = self.eval(&fold.range)?;
        if let FoldKind::Optional(is_flat) = fold.kind {
            let Value::Optional(inner) = &range else { return error(NO_OVERLOAD) };
            let Some(inner) = inner else { return Ok(range) };
            let result = self.within(fold, &[(**inner).clone()], &fold.body)?;
            return Ok(if is_flat { result } else { Value::optional(Some(result)) });
        }
        let keys = range.keys();
        let Some(count) = keys.as_ref().map(Vec::len).or_else(|| range.list_len()) else {
            return error(NO_OVERLOAD);
        };
        self.budget.spend(count)?;
        let mut result = Folded::of(fold.kind);
        for index in 0..count {
            self.budget.spend(1)?;
            let key = keys.as_ref().and_then(|keys| keys.get(index));
            let element = match key {
                Some(key) => range.entry(key),
                None => range.element(index),
            };
            let Some(element) = element else { continue };
            let name = key
                .map_or_else(|| Value::Int(i64::try_from(index).unwrap_or(i64::MAX)), Key::value);
            let values = match (fold.variables.len(), key) {
                (1, None) => vec![element],
                (1, Some(_)) => vec![name.clone()],
                _ => vec![name.clone(), element],
            };
            if let Some(filter) = &fold.filter {
                match self.within(fold, &values, filter)? {
                    Value::Bool(true) => {}
                    Value::Bool(false) => continue,
                    _ => return error(NO_OVERLOAD),
                }
            }
            let body = self.within(fold, &values, &fold.body);
            if result.add(values, &name, body)? {
                break;
            }
        }
        result.finish(&mut self.budget)
    }
}

/// An entry of a map. An entry of an optional value is optional.
fn entry<'a>(value: &Value<'a>, key: &Key<'a>, is_optional: bool) -> Outcome<'a> {
    let (value, is_optional) = match value {
        Value::Optional(None) => return Ok(Value::Optional(None)),
        Value::Optional(Some(inner)) => (&**inner, true),
        value => (value, is_optional),
    };
    if value.map_len().is_none() {
        return error(NO_OVERLOAD);
    }
    match value.entry(key) {
        found if is_optional => Ok(Value::optional(found)),
        Some(found) => Ok(found),
        None => error(format!("no such key: {key}")),
    }
}

/// The first part of a name with dots.
fn root(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
}
