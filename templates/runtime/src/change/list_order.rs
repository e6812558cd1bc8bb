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
mod tests {
    use super::{arrange, merged};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn elements_are_arranged_in_any_order(
            order in prop::sample::subsequence((0..9_i64).collect::<Vec<_>>(), 0..=9).prop_shuffle(),
        ) {
            let mut list: Vec<i64> = (0..9).collect();
            let indices: Vec<_> = order.iter().map(|index| usize::try_from(*index).unwrap()).collect();
            arrange(&mut list, &indices);
            prop_assert_eq!(list, order);
        }
    }

    #[test]
    fn new_elements_keep_their_order_and_others_stay_before_them() {
        let order = |olds: &str, news: &str| -> String {
            let [olds, news] = [olds, news].map(|keys| keys.chars().collect::<Vec<_>>());
            let keys = merged(&olds, &news)
                .into_iter()
                .filter_map(|(old, new)| new.map(|new| news[new]).or(old.map(|old| olds[old])));
            keys.collect()
        };
        assert_eq!(order("abc", "cd"), "abcd");
        assert_eq!(order("abc", "ca"), "cab");
        assert_eq!(order("abc", "xb"), "axbc");
        assert_eq!(order("", "ab"), "ab");
        assert_eq!(order("ab", ""), "ab");
    }
}
