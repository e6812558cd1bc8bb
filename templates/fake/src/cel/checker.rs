// not vendored
//! The types of the parts of an expression, and what is wrong with them.

use super::Fault;
use super::functions::{qualified_type, type_named};
use super::literals;
use super::macros::{Fold, FoldKind};
use super::overloads::{Overload, overloads, qualified};
use super::parser::{Expr, Node};
use super::types::{Bindings, Type};
use std::collections::HashMap;
use std::sync::Arc;

/// The type of each part of an expression, and the signatures that fit each call.
#[derive(Debug, Default)]
pub(super) struct Typed {
    types: HashMap<*const Node, Type>,
    calls: HashMap<*const Node, Vec<&'static Overload>>,
    bindings: Bindings,
}

impl Typed {
    /// The type of a part.
    pub(super) fn of(&self, node: &Node) -> Type {
        let own = self.types.get(&std::ptr::from_ref(node));
        own.map_or(Type::Dyn, |own| self.bindings.finish(own))
    }

    /// The signatures that fit a call or an operator.
    pub(super) fn overloads(&self, node: &Node) -> &[&'static Overload] {
        self.calls.get(&std::ptr::from_ref(node)).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Finds the types of an expression, with the types of its variables.
///
/// # Errors
/// When operators, functions or members do not fit types, in the words of servers.
pub(super) fn check(node: &Node, variables: Vec<(&str, Type)>) -> Result<Typed, Vec<Fault>> {
    let mut checker = Checker { scope: variables, typed: Typed::default(), faults: Vec::new() };
    checker.check(node);
    let Checker { typed, mut faults, .. } = checker;
    if faults.is_empty() {
        literals::check(node, &typed, false, &mut faults);
    }
    faults.sort_by_key(|fault| fault.at);
    if faults.is_empty() { Ok(typed) } else { Err(faults) }
}

struct Checker<'a> {
    /// Variables, the inner ones last.
    scope: Vec<(&'a str, Type)>,
    typed: Typed,
    faults: Vec<Fault>,
}

impl<'a> Checker<'a> {
    fn check(&mut self, node: &'a Node) -> Type {
        let found = self.expression(node);
        self.typed.types.insert(std::ptr::from_ref(node), found.clone());
        found
    }

    fn check_all(&mut self, nodes: impl IntoIterator<Item = &'a Node>) -> Vec<Type> {
        nodes.into_iter().map(|node| self.check(node)).collect()
    }

    fn expression(&mut self, node: &'a Node) -> Type {
        match &node.expr {
            Expr::Null => Type::Null,
            Expr::Bool(_) => Type::Bool,
            Expr::Int(_) => Type::Int,
            Expr::Uint(_) => Type::Uint,
            Expr::Double(_) => Type::Double,
            Expr::String(_) => Type::String,
            Expr::Bytes(_) => Type::Bytes,
            Expr::Name(name) => self.name(name, node.at),
            Expr::Select { of, field, is_optional } => match self.named_type(of, field) {
                Some(own) => own,
                None => self.select(of, field, *is_optional, node.at),
            },
            Expr::Has { of, field } => {
                self.select(of, field, false, node.at);
                Type::Bool
            }
            Expr::Index { of, index, is_optional } => {
                let name = if *is_optional { "_[?_]" } else { "_[_]" };
                self.operator(node, name, [&**of, index])
            }
            Expr::Not(operand) => self.operator(node, "!_", [&**operand]),
            Expr::Negate(operand) => self.operator(node, "-_", [&**operand]),
            Expr::And(all) | Expr::Or(all) => {
                for operand in all {
                    let own = self.check(operand);
                    self.require(&Type::Bool, &own, operand.at);
                }
                Type::Bool
            }
            Expr::Conditional(parts) => self.operator(node, "_?_:_", parts.iter()),
            Expr::Binary("in", operands) => self.operator(node, "@in", operands.iter()),
            Expr::Binary(operator, operands) => {
                self.operator(node, &format!("_{operator}_"), operands.iter())
            }
            Expr::List(elements) => {
                let mut joined = None;
                for (element, is_optional) in elements {
                    self.join(&mut joined, element, *is_optional);
                }
                Type::list(self.bounded(joined))
            }
            Expr::Map(entries) => {
                let (mut keys, mut values) = (None, None);
                for (key, value, is_optional) in entries {
                    self.join(&mut keys, key, false);
                    self.join(&mut values, value, *is_optional);
                }
                Type::map(self.bounded(keys), self.bounded(values))
            }
            Expr::Call { name, target, arguments } => {
                self.call(node, name, target.as_deref(), arguments)
            }
            Expr::Fold(fold) => self.fold(node, fold),
        }
    }

    fn refuse(&mut self, at: usize, why: String) -> Type {
        self.faults.push(Fault { at, why });
        Type::Error
    }

    fn undeclared(&mut self, at: usize, name: &str) -> Type {
        self.refuse(at, format!("undeclared reference to '{name}' (in container '')"))
    }

    fn require(&mut self, wanted: &Type, found: &Type, at: usize) {
        if !self.typed.bindings.unify(wanted, found) {
            self.refuse(at, format!("expected type '{wanted}' but found '{found}'"));
        }
    }

    fn variable(&self, name: &str) -> Option<&Type> {
        self.scope.iter().rev().find(|(known, _)| *known == name).map(|(_, own)| own)
    }

    fn name(&mut self, name: &str, at: usize) -> Type {
        if let Some(own) = self.variable(name) {
            return own.clone();
        }
        match type_named(name) {
            Some(name) => Type::Kind(Arc::new(type_of(name))),
            None => self.undeclared(at, name),
        }
    }

    /// The type that a selection names, such as `google.protobuf.Timestamp`.
    fn named_type(&self, of: &Node, field: &str) -> Option<Type> {
        let name = qualified_type(of, field)?;
        let root = name.split('.').next().unwrap_or_default();
        self.variable(root).is_none().then(|| Type::Kind(Arc::new(type_of(name))))
    }

    fn select(&mut self, of: &'a Node, field: &str, is_optional: bool, at: usize) -> Type {
        let own = self.check(of);
        let own = self.typed.bindings.substitute(&own);
        let (own, is_optional) = match own {
            Type::Optional(own) => ((*own).clone(), true),
            own => (own, is_optional),
        };
        let found = match &own {
            Type::Map(_, value) => (**value).clone(),
            Type::Object(object) => match object.decl.field(field) {
                Some(decl) => decl.to_type(&format!("{}.{field}", object.name)),
                None => self.refuse(at, format!("undefined field '{field}'")),
            },
            Type::Variable(_) => {
                self.typed.bindings.unify(&Type::Dyn, &own);
                Type::Dyn
            }
            Type::Dyn | Type::Error => Type::Dyn,
            own => {
                self.refuse(at, format!("type '{own}' does not support field selection"));
                Type::Dyn
            }
        };
        if is_optional { Type::optional(found) } else { found }
    }

    /// Adds an element to the common type of others.
    fn join(&mut self, joined: &mut Option<Type>, element: &'a Node, is_optional: bool) {
        let mut own = self.check(element);
        if is_optional {
            match &own {
                Type::Optional(inner) => own = (**inner).clone(),
                Type::Dyn => {}
                _ => self.require(&Type::optional(own.clone()), &own, element.at),
            }
        }
        *joined = Some(match joined.take() {
            None => own,
            Some(known) if self.typed.bindings.unify(&known, &own) => known.most_general(&own),
            Some(_) => Type::Dyn,
        });
    }

    /// The type of elements, or a variable if there are none.
    fn bounded(&mut self, joined: Option<Type>) -> Type {
        match joined {
            Some(own) => self.typed.bindings.substitute(&own),
            None => self.typed.bindings.variable(),
        }
    }

    fn operator(
        &mut self,
        node: &'a Node,
        name: &str,
        operands: impl IntoIterator<Item = &'a Node>,
    ) -> Type {
        let types = self.check_all(operands);
        self.resolve(node, name, false, &types)
    }

    fn call(
        &mut self,
        node: &'a Node,
        name: &str,
        target: Option<&'a Node>,
        arguments: &'a [Node],
    ) -> Type {
        let mut types = self.check_all(arguments);
        let Some(target) = target else { return self.resolve(node, name, false, &types) };
        if let Expr::Name(space) = &target.expr
            && let Some(name) = qualified(space, name)
        {
            return self.resolve(node, name, false, &types);
        }
        types.insert(0, self.check(target));
        self.resolve(node, name, true, &types)
    }

    /// The result of a function for types of arguments.
    fn resolve(&mut self, node: &Node, name: &str, is_member: bool, types: &[Type]) -> Type {
        let Some(all) = overloads(name) else { return self.undeclared(node.at, name) };
        let mut result = None;
        let mut fitting = Vec::new();
        for overload in all.iter().filter(|overload| overload.is_member == is_member) {
            let first = self.typed.bindings.add(2);
            let parameters: Vec<_> =
                overload.parameters.iter().map(|own| shifted(own, first)).collect();
            if !self.typed.bindings.unify_all(types, &parameters) {
                continue;
            }
            fitting.push(overload);
            let own = self.typed.bindings.substitute(&shifted(&overload.result, first));
            result = Some(match result {
                None => own,
                Some(known) if known == own => known,
                Some(_) => Type::Dyn,
            });
        }
        self.typed.calls.insert(std::ptr::from_ref(node), fitting);
        result.unwrap_or_else(|| {
            let shown = types.iter().map(|own| self.typed.bindings.finish(own).to_string());
            let shown: Vec<_> = shown.collect();
            let signature = match shown.split_first() {
                Some((target, others)) if is_member => format!("{target}.({})", others.join(", ")),
                _ => format!("({})", shown.join(", ")),
            };
            let why = format!("found no matching overload for '{name}' applied to '{signature}'");
            self.refuse(node.at, why)
        })
    }

    /// The type of a macro: the one of the expression that a server makes of it.
    fn fold(&mut self, node: &'a Node, fold: &'a Fold) -> Type {
        let range = self.check(&fold.range);
        let range = self.typed.bindings.substitute(&range);
        let outer = self.scope.len();
        let types = match fold.kind {
            FoldKind::Optional(_) => {
                self.resolve(node, "hasValue", true, std::slice::from_ref(&range));
                vec![self.resolve(node, "value", true, std::slice::from_ref(&range))]
            }
            _ => self.elements(&range, fold),
        };
        self.scope.extend(fold.variables.iter().map(String::as_str).zip(types.clone()));
        let filter = fold.filter.as_ref().map(|filter| self.check(filter));
        let body = self.check(&fold.body);
        self.scope.truncate(outer);
        match fold.kind {
            FoldKind::All | FoldKind::Exists => {
                self.require(&Type::Bool, &body, fold.body.at);
                Type::Bool
            }
            FoldKind::ExistsOne => {
                self.chosen(node, Some(body), Type::Int);
                Type::Bool
            }
            FoldKind::Filter => self.chosen(node, Some(body), Type::list(types[0].clone())),
            FoldKind::Map => self.chosen(node, filter, Type::list(body)),
            FoldKind::MapValues => self.chosen(node, filter, Type::map(types[0].clone(), body)),
            FoldKind::MapEntries => {
                let [key, value] = [(); 2].map(|()| self.typed.bindings.variable());
                let found =
                    self.resolve(node, "cel.@mapInsert", false, &[Type::map(key, value), body]);
                self.chosen(node, filter, found)
            }
            FoldKind::Optional(is_flat) => {
                let empty = Type::optional(self.typed.bindings.variable());
                let own = if is_flat { body } else { Type::optional(body) };
                self.resolve(node, "_?_:_", false, &[Type::Bool, own, empty])
            }
            FoldKind::SortBy => {
                self.resolve(node, "@sortByAssociatedKeys", true, &[range, Type::list(body)])
            }
        }
    }

    /// The type of a step of a macro, which a filter may skip.
    fn chosen(&mut self, node: &'a Node, filter: Option<Type>, own: Type) -> Type {
        match filter {
            Some(filter) => self.resolve(node, "_?_:_", false, &[filter, own.clone(), own]),
            None => own,
        }
    }

    /// The types of the variables over the elements of a range.
    fn elements(&mut self, range: &Type, fold: &Fold) -> Vec<Type> {
        let (first, second) = match range {
            Type::List(element) if fold.variables.len() == 1 => ((**element).clone(), Type::Dyn),
            Type::List(element) => (Type::Int, (**element).clone()),
            Type::Map(key, value) => ((**key).clone(), (**value).clone()),
            Type::Dyn | Type::Error | Type::Variable(_) => {
                self.typed.bindings.unify(&Type::Dyn, range);
                (Type::Dyn, Type::Dyn)
            }
            range => {
                let why = format!(
                    "expression of type '{range}' cannot be range of a comprehension (must be \
                     list, map, or dynamic)"
                );
                self.refuse(fold.range.at, why);
                (Type::Error, Type::Error)
            }
        };
        vec![first, second]
    }
}

/// A type with other variables.
fn shifted(own: &Type, first: usize) -> Type {
    match own {
        Type::Variable(number) => Type::Variable(first + number),
        own => own.with(|of| shifted(of, first)),
    }
}

/// The type of a name.
fn type_of(name: &str) -> Type {
    match name {
        "bool" => Type::Bool,
        "bytes" => Type::Bytes,
        "double" => Type::Double,
        "google.protobuf.Duration" => Type::Duration,
        "google.protobuf.Timestamp" => Type::Timestamp,
        "int" => Type::Int,
        "list" => Type::list(Type::Dyn),
        "map" => Type::map(Type::Dyn, Type::Dyn),
        "null_type" => Type::Null,
        "optional_type" => Type::optional(Type::Dyn),
        "string" => Type::String,
        "type" => Type::Kind(Arc::new(Type::Dyn)),
        "uint" => Type::Uint,
        _ => Type::Dyn,
    }
}
