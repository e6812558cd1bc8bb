//! Tests of the order of lists.
use super::arrange::arrange;
use crate::change::list_order::merged;
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
fn new_elements_keep_their_order_and_others_stay_before_those_that_did_not_move() {
    let order = |olds: &str, news: &str| -> String {
        let [olds, news] = [olds, news].map(|keys| keys.chars().collect::<Vec<_>>());
        let keys = merged(&olds, &news)
            .into_iter()
            .filter_map(|(old, new)| new.map(|new| news[new]).or(old.map(|old| olds[old])));
        keys.collect()
    };
    assert_eq!(order("abc", "cd"), "abcd");
    assert_eq!(order("abc", "ca"), "bca");
    assert_eq!(order("abc", "bxa"), "bcxa");
    // Elements with one key are replaced.
    assert_eq!(order("aab", "ax"), "axb");
    assert_eq!(order("abc", "xb"), "axbc");
    assert_eq!(order("", "ab"), "ab");
    assert_eq!(order("ab", ""), "ab");
}
