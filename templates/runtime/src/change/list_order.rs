//! The order of the elements of a merged list.

use crate::codec::List;
use std::collections::{BTreeMap, BTreeSet};

/// The elements of two lists with these keys, merged: the indices of each in the old list and in the new one.
///
/// Those of the new list are in its order, and before them the others that stand before them in the old list.
pub(super) fn merged<K: Ord>(olds: &[K], news: &[K]) -> Vec<(Option<usize>, Option<usize>)> {
    let in_new: BTreeSet<&K> = news.iter().collect();
    let in_old: BTreeMap<&K, usize> = olds.iter().zip(0..).collect();
    let mut at = 0;
    let mut all = Vec::with_capacity(olds.len() + news.len());
    for (index, key) in news.iter().enumerate() {
        while at < olds.len() && !in_new.contains(&olds[at]) {
            all.push((Some(at), None));
            at += 1;
        }
        let former = in_old.get(key).copied();
        at += usize::from(former == Some(at));
        all.push((former, Some(index)));
    }
    let rest = (at..olds.len()).filter(|at| !in_new.contains(&olds[*at]));
    all.extend(rest.map(|at| (Some(at), None)));
    all
}

/// Puts the elements with these indices in this order, and removes all others.
pub(super) fn arrange(list: &mut dyn List, order: &[usize]) {
    let count = list.count();
    if order.iter().copied().eq(0..count) {
        return;
    }
    // Where each element is now, and which element is there.
    let (mut positions, mut elements): (Vec<_>, Vec<_>) = ((0..count).collect(), (0..count).collect());
    for (to, element) in order.iter().enumerate() {
        let (from, moved) = (positions[*element], elements[to]);
        list.swap(from, to);
        elements.swap(from, to);
        positions[moved] = from;
        positions[*element] = to;
    }
    list.truncate(order.len());
}

#[cfg(test)]
mod tests;
