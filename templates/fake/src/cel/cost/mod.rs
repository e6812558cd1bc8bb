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

/// Where in the schema of a rule the value of a part is.
#[derive(Clone, Debug)]
enum Place {
    /// The value is made by an expression.
    None,
    At(Arc<Decl>),
    /// The schema does not declare the value.
    Undeclared,
}

/// The cost of a part of an expression, and the facts that the cost of its user depends on.
#[derive(Clone, Debug)]
struct Part {
    cost: u64,
    size: Option<Size>,
    entry: Option<Entry>,
    place: Place,
    own: Type,
}

impl Part {
    fn size(&self) -> Size {
        self.size.unwrap_or(UNKNOWN)
    }

    /// Adds the size of a part that has none: the one that its schema, its type or its variable has.
    fn sized(self) -> Self {
        let declared = match &self.place {
            Place::At(decl) => Some(Size { least: 0, most: decl.longest }),
            _ => None,
        };
        let size = self.size.or(declared).or_else(|| self.own.is_scalar().then_some(ONE));
        Self { size, ..self }
    }
}

/// A variable of a macro.
#[derive(Debug)]
struct Local {
    place: Place,
    size: Option<Size>,
    entry: Option<Entry>,
}

/// The most that an expression can cost for a value of a declared type.
pub(super) fn most(node: &Node, typed: &Typed, root: &Arc<Decl>) -> u64 {
    Estimator { root, typed, scope: Vec::new() }.part(node).cost
}

struct Estimator<'a> {
    root: &'a Arc<Decl>,
    typed: &'a Typed,
    /// Variables of macros, the inner ones last.
    scope: Vec<(&'a str, Local)>,
}

impl<'a> Estimator<'a> {
    /// A place below another one. Below no place, it is the root, as servers have it.
    fn below(&self, place: &Place, next: impl Fn(&Decl) -> Option<&Arc<Decl>>) -> Place {
        match place {
            Place::None => Place::At(self.root.clone()),
            Place::At(decl) => next(decl).cloned().map_or(Place::Undeclared, Place::At),
            Place::Undeclared => Place::Undeclared,
        }
    }

    /// The place of the keys of a collection. Elements of a list have none.
    fn key(&self, place: &Place) -> Place {
        match place {
            Place::At(decl) if matches!(decl.kind, DeclKind::Map(_)) => Place::At(Decl::key()),
            Place::None => Place::At(self.root.clone()),
            _ => Place::Undeclared,
        }
    }

    /// The place of the elements or entries of a collection.
    fn element(&self, place: &Place) -> Place {
        self.below(place, Decl::element)
    }

    fn part(&mut self, node: &'a Node) -> Part {
        let own = self.typed.of(node);
        let free = |size| Part { cost: 0, size, entry: None, place: Place::None, own: own.clone() };
        match &node.expr {
            Expr::Null | Expr::Bool(_) | Expr::Int(_) | Expr::Uint(_) | Expr::Double(_) => {
                free(Some(ONE))
            }
            Expr::String(text) => free(Some(Size::of(text.chars().count() as u64))),
            Expr::Bytes(bytes) => free(Some(Size::of(bytes.len() as u64))),
            Expr::Name(name) => self.name(name, own),
            // The name of a type with dots.
            Expr::Select { field, .. } if matches!(own, Type::Kind(_)) => self.name(field, own),
            Expr::Select { of, is_optional: true, .. } => {
                let of = self.part(of);
                Part { cost: of.cost.saturating_add(1), ..free(None) }.sized()
            }
            Expr::Select { of, field, .. } => {
                let of = self.part(of);
                let is_counted = matches!(of.own, Type::Map(..) | Type::Object(_) | Type::Named(_));
                let place = self.below(&of.place, |decl| decl.field(field));
                let cost = of.cost.saturating_add(u64::from(is_counted));
                Part { cost, place, ..free(None) }.sized()
            }
            Expr::Has { of, .. } => Part { cost: self.part(of).cost, ..free(Some(ONE)) },
            Expr::And(all) | Expr::Or(all) => {
                let parts = all.iter().map(|operand| self.part(operand).cost);
                Part { cost: parts.fold(0, u64::saturating_add), ..free(Some(ONE)) }
            }
            Expr::List(elements) => {
                let parts: Vec<_> =
                    elements.iter().map(|(element, _)| self.part(element)).collect();
                collection(&parts, None, 10, own)
            }
            Expr::Map(entries) => {
                let keys: Vec<_> = entries.iter().map(|(key, ..)| self.part(key)).collect();
                let values: Vec<_> = entries.iter().map(|(_, value, _)| self.part(value)).collect();
                collection(&values, Some(&keys), 30, own)
            }
            Expr::Fold(fold) => self.fold(fold, own),
            _ => self.call(node, own),
        }
    }

    fn name(&self, name: &str, own: Type) -> Part {
        let local = self.scope.iter().rev().find(|(known, _)| *known == name);
        let Some((_, local)) = local else {
            let place = Place::At(self.root.clone());
            return Part { cost: 1, size: None, entry: None, place, own }.sized();
        };
        let place = local.place.clone();
        let part = Part { cost: 1, size: None, entry: local.entry, place, own }.sized();
        Part { size: part.size.or(local.size), ..part }
    }

    /// The cost of a function or an operator, with its operands.
    fn call(&mut self, node: &'a Node, own: Type) -> Part {
        let (name, target, operands) = calls::split(&node.expr);
        let arguments: Vec<_> = operands.iter().map(|operand| self.part(operand)).collect();
        let target = target.map(|target| self.part(target));
        let costs = arguments.iter().chain(&target).map(|part| part.cost);
        let numbers = operands.iter().map(|operand| match operand.expr {
            Expr::Int(number) => Some(number),
            _ => None,
        });
        let operands = costs.fold(0, u64::saturating_add);
        let mut part = Part { cost: 0, size: None, entry: None, place: Place::None, own };
        match (&*name, &*arguments) {
            ("dyn", [value]) => {
                let cost = operands.saturating_add(1);
                return Part { cost, size: value.size, entry: value.entry, ..part };
            }
            ("_?_:_", [condition, yes, no]) => {
                part.cost = condition.cost.saturating_add(yes.cost.max(no.cost));
                part.size = Some(yes.size().union(no.size()));
                part.entry = yes.entry.zip(no.entry).map(|(yes, no)| yes.union(no));
                return part;
            }
            ("_[_]", [of, _]) => part.size = of.entry.map(|entry| entry.value),
            ("_+_", [left, right]) => {
                part.entry = left.entry.zip(right.entry).map(|(left, right)| left.union(right));
            }
            _ => {}
        }
        let call =
            Call { target: target.as_ref(), arguments: &arguments, numbers: numbers.collect() };
        for overload in self.typed.overloads(node) {
            let (cost, size) = calls::estimate(&name, overload, &call).unwrap_or((1, None));
            part.cost = part.cost.max(cost);
            part.size = match (part.size, size) {
                (Some(one), Some(other)) => Some(one.union(other)),
                (one, other) => one.or(other),
            };
            if name == "_[_]" && !matches!(overload.parameters[0], Type::Optional(_)) {
                part.place = self.element(&arguments[0].place);
            }
            part = part.sized();
        }
        part.cost = part.cost.saturating_add(operands);
        part
    }

    /// Adds the variables of a macro over a range.
    fn enter(&mut self, fold: &'a Fold, range: &Part) {
        let is_list = range.entry.map_or(matches!(range.own, Type::List(_)), |entry| entry.is_list);
        let key = Local {
            place: self.key(&range.place),
            size: range.entry.map(|entry| entry.key),
            entry: None,
        };
        let value = Local {
            place: self.element(&range.place),
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
    fn fold(&mut self, fold: &'a Fold, own: Type) -> Part {
        let range = self.part(&fold.range);
        let outer = self.scope.len();
        let variable = fold.variables.first().map(String::as_str).unwrap_or_default();
        if let FoldKind::Optional(_) = fold.kind {
            self.scope.push((variable, Local { place: Place::None, size: None, entry: None }));
        } else {
            self.enter(fold, &range);
        }
        let filter = fold.filter.as_ref().map_or(0, |filter| self.part(filter).cost);
        let body = self.part(&fold.body);
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
                let part = Part { cost, size: None, entry: None, place: Place::None, own };
                return part.sized();
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
        Part { cost, size: Some(size), entry, place: Place::None, own }
    }
}

/// A list, or a map if there are keys.
fn collection(values: &[Part], keys: Option<&[Part]>, base: u64, own: Type) -> Part {
    let union =
        |parts: &[Part]| parts.iter().map(Part::size).reduce(Size::union).unwrap_or(Size::of(0));
    let entry =
        Entry { is_list: keys.is_none(), key: keys.map_or(ONE, union), value: union(values) };
    let costs = values.iter().chain(keys.into_iter().flatten()).map(|part| part.cost);
    Part {
        cost: costs.fold(base, u64::saturating_add),
        size: Some(Size::of(values.len() as u64)),
        entry: Some(entry),
        place: Place::None,
        own,
    }
}
