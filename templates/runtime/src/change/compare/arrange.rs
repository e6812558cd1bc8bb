//! Lists with elements that are moved and removed.

use crate::codec::List;

/// Puts the elements with these indices in this order, and removes all others.
pub(crate) fn arrange(list: &mut dyn List, order: &[usize]) {
    let count = list.count();
    if order.iter().copied().eq(0..count) {
        return;
    }
    // Where each element is now, and which element is there.
    let mut positions: Vec<_> = (0..count).collect();
    let mut elements = positions.clone();
    for (to, element) in order.iter().enumerate() {
        let from = positions[*element];
        let moved = elements[to];
        list.swap(from, to);
        elements.swap(from, to);
        positions[moved] = from;
        positions[*element] = to;
    }
    list.truncate(order.len());
}
