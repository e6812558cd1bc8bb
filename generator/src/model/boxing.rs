//! Decides which members live on the heap.
//!
//! Every optional object does, always: so the size of a struct never changes its interface. A
//! required object is in its parent, unless it would contain itself.

use crate::model::{Api, Field, Presence, Type, TypeDef, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// Sets [`Presence::Boxed`] where it belongs.
pub fn apply(api: &mut Api) {
    let circles = circles(api);
    let mut boxed: BTreeMap<TypeId, BTreeSet<String>> = BTreeMap::new();
    for (owner, def) in api.types() {
        for field in def.fields() {
            let Type::Named(target) = &field.ty else { continue };
            let is_struct = api.is_struct(target);
            // A member of the same cycle holds a value of its owner.
            let contained = field.presence == Presence::Required
                && circles.get(api.resolve(target)) != circles.get(&owner);
            if is_struct && !contained {
                boxed.entry(owner.clone()).or_default().insert(field.wire.clone());
            }
        }
    }
    for (owner, wires) in boxed {
        let fields = api.get_mut(&owner).map(TypeDef::fields_mut).unwrap_or_default();
        for field in fields.iter_mut().filter(|field| wires.contains(&field.wire)) {
            field.presence = Presence::Boxed;
        }
    }
}

/// The cycle of every type: types that hold each other through required members have the same
/// number.
fn circles(api: &Api) -> BTreeMap<TypeId, usize> {
    let ids: Vec<TypeId> = api.types().map(|(id, _)| id).collect();
    let indices: BTreeMap<&TypeId, usize> = ids.iter().zip(0..).collect();
    let holds = ids.iter().map(|id| {
        let fields = api.get(id).map(TypeDef::fields).unwrap_or_default();
        let held = fields.iter().filter_map(required);
        held.filter_map(|target| indices.get(api.resolve(target)).copied()).collect()
    });
    let holds: Vec<Vec<usize>> = holds.collect();
    let circles = connected(&holds);
    ids.into_iter().zip(circles).collect()
}

/// A number for each node of a graph, the same for nodes that can be reached from each other. Each
/// is visited twice (Kosaraju), and nothing recurses: a chain may have thousands of types.
fn connected(next: &[Vec<usize>]) -> Vec<usize> {
    let mut back = vec![Vec::new(); next.len()];
    for (from, targets) in next.iter().enumerate() {
        for target in targets {
            back[*target].push(from);
        }
    }
    let mut order = Vec::new();
    let mut seen = vec![false; next.len()];
    for start in 0..next.len() {
        visit(start, next, &mut seen, &mut order);
    }
    let mut numbers = vec![0; next.len()];
    let mut seen = vec![false; next.len()];
    for start in order.into_iter().rev() {
        let mut members = Vec::new();
        visit(start, &back, &mut seen, &mut members);
        for member in members {
            numbers[member] = start;
        }
    }
    numbers
}

/// The type of a required member.
fn required(field: &Field) -> Option<&TypeId> {
    match &field.ty {
        Type::Named(id) if field.presence == Presence::Required => Some(id),
        _ => None,
    }
}

/// Adds all nodes that can be reached from `start` and were not seen before, each after the nodes
/// reached from it.
fn visit(start: usize, next: &[Vec<usize>], seen: &mut [bool], order: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut path = vec![(start, 0)];
    while let Some((at, done)) = path.last_mut() {
        if let Some(&further) = next[*at].get(*done) {
            *done += 1;
            if !std::mem::replace(&mut seen[further], true) {
                path.push((further, 0));
            }
        } else {
            order.push(*at);
            path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::connected;

    /// All graphs of four nodes, compared with the nodes that can be reached step by step.
    #[test]
    fn nodes_are_connected_that_reach_each_other() {
        const NODES: usize = 4;
        for graph in 0_u32..1 << (NODES * NODES) {
            let has = |from: usize, to: usize| graph >> (from * NODES + to) & 1 == 1;
            let next: Vec<Vec<usize>> =
                (0..NODES).map(|from| (0..NODES).filter(|to| has(from, *to)).collect()).collect();
            let mut reached: Vec<Vec<bool>> = (0..NODES)
                .map(|from| (0..NODES).map(|to| from == to || has(from, to)).collect())
                .collect();
            for (by, from, to) in triples(NODES) {
                reached[from][to] |= reached[from][by] && reached[by][to];
            }
            let numbers = connected(&next);
            for (_, from, to) in triples(NODES) {
                assert_eq!(
                    numbers[from] == numbers[to],
                    reached[from][to] && reached[to][from],
                    "{next:?}"
                );
            }
        }
    }

    fn triples(nodes: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        (0..nodes * nodes * nodes).map(move |n| (n / nodes / nodes, n / nodes % nodes, n % nodes))
    }
}
