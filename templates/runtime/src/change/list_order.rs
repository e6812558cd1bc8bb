//! The order of the elements of a merged list.

use std::collections::{BTreeMap, BTreeSet};

/// The elements of two lists with these keys, merged: the indices of each in the old list and in
/// the new one.
///
/// Elements of the new list are in its order. The others stay before the next element that did not
/// move, as on a server.
#[must_use]
pub fn merged<K: Ord>(olds: &[K], news: &[K]) -> Vec<(Option<usize>, Option<usize>)> {
    let in_new: BTreeSet<&K> = news.iter().collect();
    // Elements that share a key are not merged.
    let mut in_old: BTreeMap<&K, Option<usize>> = BTreeMap::new();
    for (index, key) in olds.iter().enumerate() {
        in_old.entry(key).and_modify(|former| *former = None).or_insert(Some(index));
    }
    // Keys that are in both lists and have not been merged yet.
    let mut shared = news.iter().filter(|key| in_old.contains_key(key)).peekable();
    let mut at = 0;
    let mut all = Vec::with_capacity(olds.len() + news.len());
    for (index, key) in news.iter().enumerate() {
        while let Some(old) = olds.get(at).filter(|old| *old != key) {
            if !in_new.contains(old) {
                all.push((Some(at), None));
                at += 1;
                continue;
            }
            // An element that moved is skipped, since it has its place in the new list.
            match shared.peek() {
                Some(next) if *next == old => break,
                Some(_) => at += 1,
                None => {
                    at += 1;
                    break;
                }
            }
        }
        at += usize::from(olds.get(at) == Some(key));
        _ = shared.next_if(|next| *next == key);
        all.push((in_old.get(key).copied().flatten(), Some(index)));
    }
    let rest = (at..olds.len()).filter(|at| !in_new.contains(&olds[*at]));
    all.extend(rest.map(|at| (Some(at), None)));
    all
}
