// not vendored
//! The costs of functions and operators.

use super::{Costed, ONE, Origin, Size, UNKNOWN, scaled};
use crate::cel::overloads::{CIDR, FORMAT, IP, Overload, QUANTITY, SEMVER, URL, qualified};
use crate::cel::parser::{Expr, Node};
use crate::cel::types::Type;

/// The cost of visiting a character or a byte.
const VISIT: f64 = 0.1;
/// The cost of a character of a pattern, for each visited one of a string.
const PATTERN: f64 = 0.25;
/// The length of the longest pattern of a named format.
const LONGEST_PATTERN: f64 = 128.0;

/// A call, as functions see it.
pub(super) struct Call<'p> {
    pub(super) target: Option<&'p Costed>,
    pub(super) arguments: &'p [Costed],
    /// The arguments that are numbers.
    pub(super) numbers: Vec<Option<i64>>,
}

impl Call<'_> {
    /// The number at an index, or this one where there is none.
    fn number(&self, index: usize, other: u64) -> u64 {
        match self.numbers.get(index) {
            Some(Some(number)) => u64::try_from(*number).unwrap_or_default(),
            _ => other,
        }
    }
}

/// The cost of a call without its operands, and the size of its result.
pub(super) type Estimate = (u64, Option<Size>);

pub(super) fn estimate(name: &str, overload: &Overload, call: &Call<'_>) -> Option<Estimate> {
    let found = of_kubernetes(name, overload, call);
    found.or_else(|| of_lists(name, overload, call)).or_else(|| of_language(name, overload, call))
}

/// Functions of Kubernetes, and those for which it has costs of its own.
fn of_kubernetes(name: &str, overload: &Overload, call: &Call<'_>) -> Option<Estimate> {
    let target = call.target.map(Costed::size);
    let first = call.arguments.first().map(Costed::size);
    Some(match name {
        "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" => {
            let list = call.target?;
            let cost = match &list.own {
                Type::List(own) => target?.most.saturating_mul(compared(list, own)),
                _ => visited(target?),
            };
            (cost, None)
        }
        "url" => (visited(first?), first),
        "lowerAscii" | "upperAscii" | "substring" | "trim" => (visited(target?), target),
        "replace" => {
            let with = call.arguments.get(1)?.size();
            (scaled(target?.most, 2.0 * VISIT), Some(replaced(target?, first?, with)))
        }
        "split" => {
            let most = call.numbers.get(1).copied().flatten();
            let most = most.map_or(target?.most, i64::cast_unsigned);
            (scaled(target?.most, 2.0 * VISIT), Some(Size { least: 0, most }))
        }
        "join" => {
            let size = joined(call.target?, first);
            (visited(size), Some(size))
        }
        "find" | "findAll" => {
            let most = target?.most;
            (matched(target?, first?), Some(Size { least: 0, most }))
        }
        "ip" if overload.is_member => (1, None),
        "ip" | "cidr" | "isIP" | "isCIDR" | "quantity" | "isQuantity" | "semver" | "isSemver" => {
            (visited(first?), None)
        }
        "ip.isCanonical" => (scaled(first?.most, 2.0 * VISIT), None),
        "containsIP" | "containsCIDR" => {
            // Addresses have at most 16 bytes.
            let own = if name == "containsIP" { 4 } else { 4 + 2 + 1 };
            let is_text = overload.parameters.get(1) == Some(&Type::String);
            let parsed = if is_text { visited(first?) } else { 0 };
            (parsed.saturating_add(own), None)
        }
        "validate" => (scaled(visited(first?), LONGEST_PATTERN * PATTERN), None),
        "_==_" => equal(call)?,
        _ => return None,
    })
}

/// The cost of visiting all of a value once.
fn visited(size: Size) -> u64 {
    scaled(size.most, VISIT)
}

/// The cost of comparing an element of a list.
fn compared(list: &Costed, element: &Type) -> u64 {
    let is_text = matches!(element, Type::String | Type::Bytes);
    let visited = if is_text { visited(declared(list)) } else { 0 };
    visited.saturating_add(1)
}

/// The declared size of the elements of a list.
fn declared(list: &Costed) -> Size {
    match &list.origin {
        Origin::At(decl) => {
            decl.element().map_or(UNKNOWN, |element| Size { least: 0, most: element.longest })
        }
        _ => UNKNOWN,
    }
}

/// The size of the joined elements of a list, with a separator.
fn joined(list: &Costed, separator: Option<Size>) -> Size {
    let count = list.size();
    let between = Size { least: count.least.saturating_sub(1), most: count.most.saturating_sub(1) };
    let own = match &list.own {
        Type::List(_) => count.times(declared(list)),
        _ => Size::of(0),
    };
    separator.map_or(own, |separator| own.add(separator.times(between)))
}

/// The name of a function or an operator, the value that it is called on, and its operands.
pub(super) fn split(expr: &Expr) -> (String, Option<&Node>, Vec<&Node>) {
    let (name, operands) = match expr {
        Expr::Index { of, index, is_optional } => {
            (if *is_optional { "_[?_]" } else { "_[_]" }, vec![&**of, &**index])
        }
        Expr::Not(operand) => ("!_", vec![&**operand]),
        Expr::Negate(operand) => ("-_", vec![&**operand]),
        Expr::Conditional(parts) => ("_?_:_", parts.iter().collect()),
        Expr::Binary("in", operands) => ("@in", operands.iter().collect()),
        Expr::Binary(name, operands) => {
            return (format!("_{name}_"), None, operands.iter().collect());
        }
        Expr::Call { name, target, arguments } => {
            let arguments = arguments.iter().collect();
            match target.as_deref() {
                Some(Node { expr: Expr::Name(space), .. })
                    if let Some(name) = qualified(space, name) =>
                {
                    (name, arguments)
                }
                target => return (name.clone(), target, arguments),
            }
        }
        _ => ("", Vec::new()),
    };
    (name.to_owned(), None, operands)
}

/// Functions of lists and sets.
fn of_lists(name: &str, overload: &Overload, call: &Call<'_>) -> Option<Estimate> {
    let target = call.target.map(Costed::size);
    Some(match (name, overload.parameters.first()) {
        ("slice", _) => {
            let length = call.number(1, target?.most).wrapping_sub(call.number(0, 0));
            made(Size::of(length), 1.0)
        }
        ("lists.range", _) => made(Size::of(call.number(0, u64::MAX)), 1.0),
        ("reverse", Some(Type::List(_))) => made(target?, 1.0),
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        ("flatten", _) => {
            let depth = if call.numbers.is_empty() { 1 } else { call.number(0, u64::MAX) };
            made(target?, depth as f64)
        }
        ("distinct", _) => made(target?.times(target?), 2.0),
        ("sort", Some(Type::List(own))) => {
            let (cost, size) = sorting(target?, own);
            (cost, Some(size))
        }
        ("sets.contains" | "sets.intersects" | "sets.equivalent", _) => {
            let [one, other] = call.arguments else { return None };
            let factor = if name == "sets.equivalent" { 2 } else { 1 };
            let product = one.size().times(other.size()).most;
            (product.saturating_mul(factor).saturating_add(1), None)
        }
        _ => return None,
    })
}

/// The cost of a new list with this work for each element, and its size.
fn made(size: Size, factor: f64) -> Estimate {
    (scaled(size.most, factor).saturating_add(1 + 10), Some(size))
}

/// The cost of sorting a list of a size, and the size that servers assume for the result.
fn sorting(size: Size, own: &Type) -> (u64, Size) {
    let factor = if matches!(own, Type::String | Type::Bytes) { 2.0 + VISIT } else { 2.0 };
    let compared = size.times(size);
    (scaled(compared.most, factor).saturating_add(1 + 10), compared)
}

/// The cost of `sortBy` with the one of its keys: a list is made for a variable, which is named
/// twice.
pub(super) fn sorted_by(keys: u64, size: Size, own: &Type) -> (u64, Size) {
    let (cost, size) = sorting(size, own);
    (keys.saturating_add(cost).saturating_add(12), size)
}

/// Functions and operators of the language of which the cost depends on sizes.
fn of_language(name: &str, overload: &Overload, call: &Call<'_>) -> Option<Estimate> {
    let first = call.arguments.first().map(Costed::size);
    let second = call.arguments.get(1).map(Costed::size);
    let target = call.target.map(Costed::size);
    let parameter = overload.parameters.first();
    let is_text = matches!(parameter, Some(Type::String | Type::Bytes));
    Some(match name {
        "format" => (visited(target?), None),
        "bytes" if parameter == Some(&Type::String) => {
            let size = first?;
            let most = size.most.wrapping_mul(4);
            (visited(size), Some(Size { least: size.least, most }))
        }
        "string" if parameter == Some(&Type::Bytes) => {
            let size = first?;
            (visited(size), Some(Size { least: size.least / 4, most: size.most }))
        }
        "strings.quote" => {
            let size = first?;
            let [least, most] =
                [size.least, size.most.wrapping_mul(2)].map(|size| size.wrapping_add(2));
            (visited(size), Some(Size { least, most }))
        }
        "startsWith" | "endsWith" => (visited(first?), None),
        "@in" if matches!(overload.parameters.get(1), Some(Type::List(_))) => (second?.most, None),
        "matches" if overload.is_member => (matched(target?, first?), None),
        "contains" => (visited(target?).saturating_mul(visited(first?)), None),
        "_+_" if matches!(parameter, Some(Type::List(_))) => (1, Some(first?.add(second?))),
        "_+_" if is_text => {
            let size = first?.add(second?);
            (visited(size), Some(size))
        }
        "_==_" | "_!=_" => (scaled(first?.most.min(second?.most), VISIT), None),
        "_<_" | "_<=_" | "_>_" | "_>=_" if is_text => {
            (scaled(first?.most.min(second?.most), VISIT), None)
        }
        _ => return None,
    })
}

/// The cost of comparing values of libraries.
fn equal(call: &Call<'_>) -> Option<Estimate> {
    let [one, other] = call.arguments else { return None };
    if one.own != other.own {
        return None;
    }
    if [IP, CIDR, QUANTITY, SEMVER].contains(&one.own) {
        return Some((1, None));
    }
    if one.own == FORMAT {
        return Some((scaled(64, VISIT), None));
    }
    (one.own == URL).then(|| (visited(other.size.unwrap_or(ONE)), None))
}

/// The cost of matching a string by a pattern.
fn matched(text: Size, pattern: Size) -> u64 {
    scaled(text.most.saturating_add(1), VISIT).saturating_mul(scaled(pattern.most, PATTERN))
}

/// The size of a string in which others are replaced.
fn replaced(text: Size, old: Size, new: Size) -> Size {
    let (most_times, most_kept) = if old.least == 0 {
        (text.most.saturating_add(1), text.most)
    } else if new.most <= old.least {
        (0, text.most)
    } else {
        (occurrences(text.most, old.least), 0)
    };
    let (least_times, least_kept) = if old.most == 0 {
        (text.least.saturating_add(1), text.least)
    } else if old.most <= new.least {
        (0, text.least)
    } else {
        (occurrences(text.least, old.most), 0)
    };
    let times = Size { least: least_times, most: most_times };
    times.times(new).add(Size { least: least_kept, most: most_kept })
}

/// The number of strings of a size that fill another one.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an estimate"
)]
fn occurrences(size: u64, old: u64) -> u64 {
    (size as f64 / old as f64).ceil() as u64
}
