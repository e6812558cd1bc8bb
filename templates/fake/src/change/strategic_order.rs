//! The order of lists that a strategic merge patch changes.

use super::strategic::{DIRECTIVE, Members, ORDER, Result, at};
use crate::schema::{Node, PatchRule, Path};
use serde_json::Value;
use std::collections::BTreeMap;

/// The orders of the lists that are merged: those that the patch states, or else those of its own elements.
pub(super) fn orders<'a>(
    path: &Path<'_>,
    node: Node<'a>,
    target: &Members,
    change: &'a Members,
) -> Result<Vec<(&'a str, Order<'a>)>> {
    let mut orders = Vec::new();
    for (key, value) in change {
        let path = path.key(key);
        if let Some(key) = key.strip_prefix(ORDER) {
            let Some(stated) = value.as_array() else {
                return Err(at(&path, "`$setElementOrder` is no list"));
            };
            let order = Order::of(node.member(key).patch_rule(), stated, target.get(key));
            order.check(&path, change.get(key))?;
            orders.push((key, order));
            continue;
        }
        let rule = node.member(key).patch_rule();
        let is_merged = matches!(rule, PatchRule::MergeBy(_) | PatchRule::MergeScalars);
        if let Some(elements) = value.as_array().filter(|_| is_merged && !change.contains_key(&format!("{ORDER}{key}")))
        {
            let mut order = Order::of(rule, elements, target.get(key));
            // An element that is removed and added again is a new one.
            let removed = elements.iter().filter(|element| element.get(DIRECTIVE).is_some());
            removed.for_each(|element| _ = order.before.remove(&id(rule, element)));
            orders.push((key, order));
        }
    }
    Ok(orders)
}

/// The order that a patch gives to the elements of a list.
pub(super) struct Order<'a> {
    rule: &'a PatchRule,
    ranks: BTreeMap<String, usize>,
    /// The indices that elements had before the patch.
    before: BTreeMap<String, usize>,
}

impl<'a> Order<'a> {
    fn of(rule: &'a PatchRule, elements: &[Value], before: Option<&Value>) -> Self {
        let indices = |elements: &[Value]| {
            let mut indices = BTreeMap::new();
            for (index, element) in elements.iter().filter(|element| element.get(DIRECTIVE).is_none()).enumerate() {
                indices.entry(id(rule, element)).or_insert(index);
            }
            indices
        };
        let before = before.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        Self { rule, ranks: indices(elements), before: indices(before) }
    }

    fn rank(&self, element: &Value) -> Option<usize> {
        self.ranks.get(&id(self.rule, element)).copied()
    }

    fn index_before(&self, element: &Value) -> Option<usize> {
        self.before.get(&id(self.rule, element)).copied()
    }

    /// Refuses a patch whose own elements are in another order.
    fn check(&self, path: &Path<'_>, elements: Option<&Value>) -> Result {
        let elements = elements.and_then(Value::as_array).into_iter().flatten();
        let set = elements.filter(|element| element.get(DIRECTIVE).is_none());
        let ranks: Vec<_> = set.map(|element| self.rank(element)).collect();
        if ranks.iter().all(Option::is_some) && ranks.is_sorted() {
            return Ok(());
        }
        Err(at(path, "its elements are not in the order of `$setElementOrder`"))
    }

    /// Sorts the elements. Those that have no rank stay before the first of the others that stood behind them.
    pub(super) fn sort(&self, list: &mut Vec<Value>) {
        let (mut ranked, others): (Vec<_>, Vec<_>) =
            std::mem::take(list).into_iter().partition(|element| self.rank(element).is_some());
        ranked.sort_by_cached_key(|element| self.rank(element));
        let mut others = others.into_iter().map(|other| (self.index_before(&other), other)).peekable();
        for element in ranked {
            if let Some(index) = self.index_before(&element) {
                let next = || others.next_if(|(before, _)| before.is_some_and(|before| before < index));
                list.extend(std::iter::from_fn(next).map(|(_, other)| other));
            }
            list.push(element);
        }
        list.extend(others.map(|(_, other)| other));
    }
}

/// The string that identifies an element.
fn id(rule: &PatchRule, element: &Value) -> String {
    match rule {
        PatchRule::MergeBy(key) => element.get(key).unwrap_or(&Value::Null).to_string(),
        _ => element.to_string(),
    }
}
