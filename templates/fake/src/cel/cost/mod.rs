// not vendored
//! The cost of an expression in the worst case.
//!
//! Each part has a cost and, where it is known, a size: the number of its elements, entries,
//! characters or bytes. Sizes come from literals, from what a schema limits, and from the parts.

mod calls;

use super::checker::Typed;
use super::decl::{Decl, DeclKind};
use super::macros::{Fold, FoldKind};
use super::parser::{Expr, Node};
use super::types::Type;
use calls::Call;
use std::sync::Arc;

/// The least and the greatest size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    least: u64,
    most: u64,
}

const UNKNOWN: Size = Size { least: 0, most: u64::MAX };
const ONE: Size = Size::of(1);

impl Size {
    const fn of(size: u64) -> Self {
        Self { least: size, most: size }
    }

    fn add(self, other: Self) -> Self {
        Self {
            least: self.least.saturating_add(other.least),
            most: self.most.saturating_add(other.most),
        }
    }

    fn times(self, other: Self) -> Self {
        Self {
            least: self.least.saturating_mul(other.least),
            most: self.most.saturating_mul(other.most),
        }
    }

    fn union(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }
}

/// The product, rounded up.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an estimate"
)]
fn scaled(size: u64, factor: f64) -> u64 {
    // The conversion saturates.
    (size as f64 * factor).ceil() as u64
}

/// The sizes of the keys and of the values of a collection that an expression makes.
#[derive(Clone, Copy, Debug)]
struct Entry {
    is_list: bool,
    key: Size,
    value: Size,
}

impl Entry {
    fn union(self, other: Self) -> Self {
        let [key, value] = [self.key.union(other.key), self.value.union(other.value)];
        Self { is_list: self.is_list, key, value }
    }
}

/// The schema that a value is from, in the schema of the rule.
#[derive(Clone, Debug)]
enum Origin {
    /// The value is made by an expression.
    None,
    At(Arc<Decl>),
    /// The schema does not declare the value.
    Undeclared,
}

/// The cost of a part of an expression, and the facts that the cost of its user depends on.
#[derive(Clone, Debug)]
struct Costed {
    cost: u64,
    size: Option<Size>,
    entry: Option<Entry>,
    origin: Origin,
    own: Type,
}

impl Costed {
    /// A value without a cost of its own or an origin.
    fn free(own: Type, size: Option<Size>) -> Self {
        Self { cost: 0, size, entry: None, origin: Origin::None, own }
    }

    fn size(&self) -> Size {
        self.size.unwrap_or(UNKNOWN)
    }

    /// Adds the size of a part that has none: the one that its schema, its type or its variable has.
    fn sized(self) -> Self {
        let declared = match &self.origin {
            Origin::At(decl) => Some(Size { least: 0, most: decl.longest }),
            _ => None,
        };
        let size = self.size.or(declared).or_else(|| self.own.is_scalar().then_some(ONE));
        Self { size, ..self }
    }
}

/// A variable of a macro.
#[derive(Debug)]
struct Local {
    origin: Origin,
    size: Option<Size>,
    entry: Option<Entry>,
}

/// The most that an expression can cost for a value of a declared type.
pub(super) fn most(node: &Node, typed: &Typed, root: &Arc<Decl>) -> u64 {
    Estimator { root, typed, scope: Vec::new() }.estimate(node).cost
}

struct Estimator<'a> {
    root: &'a Arc<Decl>,
    typed: &'a Typed,
    /// Variables of macros, the inner ones last.
    scope: Vec<(&'a str, Local)>,
}

impl<'a> Estimator<'a> {
    /// The origin of a value below another one. Below a value without one it is the root, as
    /// servers have it.
    fn below(&self, origin: &Origin, next: impl Fn(&Decl) -> Option<&Arc<Decl>>) -> Origin {
        match origin {
            Origin::None => Origin::At(self.root.clone()),
            Origin::At(decl) => next(decl).cloned().map_or(Origin::Undeclared, Origin::At),
            Origin::Undeclared => Origin::Undeclared,
        }
    }

    /// The origin of the keys of a collection. Indexes of a list have none.
    fn key(&self, origin: &Origin) -> Origin {
        match origin {
            Origin::At(decl) if matches!(decl.kind, DeclKind::Map(_)) => Origin::At(Decl::key()),
            Origin::None => Origin::At(self.root.clone()),
            _ => Origin::Undeclared,
        }
    }

    /// The origin of the elements or entries of a collection.
    fn element(&self, origin: &Origin) -> Origin {
        self.below(origin, Decl::element)
    }

    fn estimate(&mut self, node: &'a Node) -> Costed {
        let own = self.typed.of(node);
        match &node.expr {
            Expr::Null | Expr::Bool(_) | Expr::Int(_) | Expr::Uint(_) | Expr::Double(_) => {
                Costed::free(own, Some(ONE))
            }
            Expr::String(text) => Costed::free(own, Some(Size::of(text.chars().count() as u64))),
            Expr::Bytes(bytes) => Costed::free(own, Some(Size::of(bytes.len() as u64))),
            Expr::Name(name) => self.name(name, own),
            // The name of a type with dots.
            Expr::Select { field, .. } if matches!(own, Type::Kind(_)) => self.name(field, own),
            Expr::Select { of, is_optional: true, .. } => {
                let of = self.estimate(of);
                Costed { cost: of.cost.saturating_add(1), ..Costed::free(own, None) }.sized()
            }
            Expr::Select { of, field, .. } => {
                let of = self.estimate(of);
                let is_counted = matches!(of.own, Type::Map(..) | Type::Object(_) | Type::Named(_));
                let origin = self.below(&of.origin, |decl| decl.field(field));
                let cost = of.cost.saturating_add(u64::from(is_counted));
                Costed { cost, origin, ..Costed::free(own, None) }.sized()
            }
            Expr::Has { of, .. } => {
                Costed { cost: self.estimate(of).cost, ..Costed::free(own, Some(ONE)) }
            }
            Expr::And(all) | Expr::Or(all) => {
                let parts = all.iter().map(|operand| self.estimate(operand).cost);
                let cost = parts.fold(0, u64::saturating_add);
                Costed { cost, ..Costed::free(own, Some(ONE)) }
            }
            Expr::List(elements) => {
                let parts: Vec<_> =
                    elements.iter().map(|(element, _)| self.estimate(element)).collect();
                collection(&parts, None, 10, own)
            }
            Expr::Map(entries) => {
                let keys: Vec<_> = entries.iter().map(|(key, ..)| self.estimate(key)).collect();
                let values: Vec<_> =
                    entries.iter().map(|(_, value, _)| self.estimate(value)).collect();
                collection(&values, Some(&keys), 30, own)
            }
            Expr::Fold(fold) => self.fold(fold, own),
            _ => self.call(node, own),
        }
    }

    fn name(&self, name: &str, own: Type) -> Costed {
        let local = self.scope.iter().rev().find(|(known, _)| *known == name);
        let Some((_, local)) = local else {
            let origin = Origin::At(self.root.clone());
            return Costed { cost: 1, size: None, entry: None, origin, own }.sized();
        };
        let origin = local.origin.clone();
        let costed = Costed { cost: 1, size: None, entry: local.entry, origin, own }.sized();
        Costed { size: costed.size.or(local.size), ..costed }
    }

    /// The cost of a function or an operator, with its operands.
    fn call(&mut self, node: &'a Node, own: Type) -> Costed {
        let (name, target, operands) = calls::split(&node.expr);
        let arguments: Vec<_> = operands.iter().map(|operand| self.estimate(operand)).collect();
        let target = target.map(|target| self.estimate(target));
        let costs = arguments.iter().chain(&target).map(|costed| costed.cost);
        let numbers = operands.iter().map(|operand| match operand.expr {
            Expr::Int(number) => Some(number),
            _ => None,
        });
        let operands = costs.fold(0, u64::saturating_add);
        let mut costed = Costed { cost: 0, size: None, entry: None, origin: Origin::None, own };
        match (&*name, &*arguments) {
            ("dyn", [value]) => {
                let cost = operands.saturating_add(1);
                return Costed { cost, size: value.size, entry: value.entry, ..costed };
            }
            ("_?_:_", [condition, yes, no]) => {
                costed.cost = condition.cost.saturating_add(yes.cost.max(no.cost));
                costed.size = Some(yes.size().union(no.size()));
                costed.entry = yes.entry.zip(no.entry).map(|(yes, no)| yes.union(no));
                return costed;
            }
            ("_[_]", [of, _]) => costed.size = of.entry.map(|entry| entry.value),
            ("_+_", [left, right]) => {
                costed.entry = left.entry.zip(right.entry).map(|(left, right)| left.union(right));
            }
            _ => {}
        }
        let call =
            Call { target: target.as_ref(), arguments: &arguments, numbers: numbers.collect() };
        for overload in self.typed.overloads(node) {
            let (cost, size) = calls::estimate(&name, overload, &call).unwrap_or((1, None));
            costed.cost = costed.cost.max(cost);
            costed.size = match (costed.size, size) {
                (Some(one), Some(other)) => Some(one.union(other)),
                (one, other) => one.or(other),
            };
            if name == "_[_]" && !matches!(overload.parameters[0], Type::Optional(_)) {
                costed.origin = self.element(&arguments[0].origin);
            }
            costed = costed.sized();
        }
        costed.cost = costed.cost.saturating_add(operands);
        costed
    }

    /// Adds the variables of a macro over a range.
    fn enter(&mut self, fold: &'a Fold, range: &Costed) {
        let is_list = range.entry.map_or(matches!(range.own, Type::List(_)), |entry| entry.is_list);
        let key = Local {
            origin: self.key(&range.origin),
            size: range.entry.map(|entry| entry.key),
            entry: None,
        };
        let value = Local {
            origin: self.element(&range.origin),
            size: range.entry.map(|entry| entry.value),
            entry: None,
        };
        match &*fold.variables {
            [one] => self.scope.push((one, if is_list { value } else { key })),
            [first, second] => self.scope.extend([(&**first, key), (&**second, value)]),
            _ => {}
        }
    }

    /// The cost of a macro: the one of the loop that a server makes of it.
    fn fold(&mut self, fold: &'a Fold, own: Type) -> Costed {
        let range = self.estimate(&fold.range);
        let outer = self.scope.len();
        let variable = fold.variables.first().map(String::as_str).unwrap_or_default();
        if let FoldKind::Optional(_) = fold.kind {
            self.scope.push((variable, Local { origin: Origin::None, size: None, entry: None }));
        } else {
            self.enter(fold, &range);
        }
        let filter = fold.filter.as_ref().map_or(0, |filter| self.estimate(filter).cost);
        let body = self.estimate(&fold.body);
        let made = match (fold.kind, &own) {
            (FoldKind::Map, _) => Some(body.size()),
            (FoldKind::Filter, Type::List(own)) => {
                Some(self.name(variable, (**own).clone()).size())
            }
            _ => None,
        };
        self.scope.truncate(outer);
        let (before, each) = match fold.kind {
            FoldKind::All => (1, 3),
            FoldKind::Exists => (1, 4),
            FoldKind::ExistsOne => (2, 2),
            FoldKind::Filter => (11, 13),
            FoldKind::Map | FoldKind::SortBy => (11, 12),
            FoldKind::MapValues => (31, 3),
            FoldKind::MapEntries => (31, 2),
            // The value is found twice, and a list is made for its variable.
            FoldKind::Optional(is_flat) => {
                let cost = range.cost.saturating_mul(2).saturating_add(body.cost);
                let cost = cost.saturating_add(if is_flat { 12 } else { 13 });
                let costed = Costed { cost, size: None, entry: None, origin: Origin::None, own };
                return costed.sized();
            }
        };
        let step = body.cost.saturating_add(filter).saturating_add(each);
        let count = range.size();
        let cost =
            range.cost.saturating_add(before).saturating_add(count.most.saturating_mul(step));
        let entry = made.map(|made| Entry {
            is_list: true,
            key: ONE,
            value: Size { least: 0, most: made.most },
        });
        let (cost, size) = match fold.kind {
            FoldKind::All | FoldKind::Exists | FoldKind::ExistsOne => (cost, ONE),
            FoldKind::SortBy => calls::sorted_by(cost, count, &body.own),
            _ => (cost, count),
        };
        Costed { cost, size: Some(size), entry, origin: Origin::None, own }
    }
}

/// A list, or a map if there are keys.
fn collection(values: &[Costed], keys: Option<&[Costed]>, base: u64, own: Type) -> Costed {
    let entry =
        Entry { is_list: keys.is_none(), key: keys.map_or(ONE, union), value: union(values) };
    let costs = values.iter().chain(keys.into_iter().flatten()).map(|costed| costed.cost);
    Costed {
        cost: costs.fold(base, u64::saturating_add),
        size: Some(Size::of(values.len() as u64)),
        entry: Some(entry),
        origin: Origin::None,
        own,
    }
}

/// The size that fits each of these values.
fn union(parts: &[Costed]) -> Size {
    parts.iter().map(Costed::size).reduce(Size::union).unwrap_or(Size::of(0))
}
