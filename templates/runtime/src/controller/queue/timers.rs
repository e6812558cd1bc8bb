//! The times of entries, the earliest first.

use super::NONE;

/// The number of children of an element: this many are adjacent in a cache line.
const CHILDREN: usize = 4;

/// A heap that knows the position of each entry, so that a time can be changed in place: an entry
/// never takes more than one element.
#[derive(Debug, Default)]
pub(super) struct Timers {
    heap: Vec<Timer>,
    /// By entry.
    positions: Vec<u32>,
    next_order: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Timer {
    time: u64,
    /// Timers of one time are in the order in which they were set.
    order: u32,
    entry: u32,
}

impl Timers {
    pub(super) fn len(&self) -> usize {
        self.heap.len()
    }

    /// The entry with the earliest time.
    pub(super) fn first(&self) -> Option<(u64, u32)> {
        self.heap.first().map(|timer| (timer.time, timer.entry))
    }

    /// Sets the time of an entry, replacing an earlier one.
    pub(super) fn set(&mut self, entry: u32, time: u64) {
        self.remove(entry);
        let order = self.next_order;
        self.next_order = order.wrapping_add(1);
        let last = self.heap.len();
        self.heap.push(Timer { time, order, entry });
        self.up(last);
    }

    /// Removes an entry, if it has a time.
    pub(super) fn remove(&mut self, entry: u32) {
        let Some(position) = self.positions.get_mut(entry as usize) else { return };
        let index = std::mem::replace(position, NONE) as usize;
        if index >= self.heap.len() {
            return;
        }
        self.heap.swap_remove(index);
        if let Some(Timer { entry: moved, .. }) = self.heap.get(index).copied() {
            self.up(index);
            self.down(self.positions[moved as usize] as usize);
        }
    }

    /// Renumbers the entries, of which there are this many.
    pub(super) fn renumber(&mut self, renumbered: &[u32], entries: usize) {
        self.positions = Vec::new();
        self.positions.resize(entries, NONE);
        self.heap.shrink_to_fit();
        for index in 0..self.heap.len() {
            self.heap[index].entry = renumbered[self.heap[index].entry as usize];
            self.note(index);
        }
    }

    /// Removes all, and releases their memory.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    fn up(&mut self, mut index: usize) {
        let timer = self.heap[index];
        while index > 0 && timer < self.heap[(index - 1) / CHILDREN] {
            let parent = (index - 1) / CHILDREN;
            self.heap[index] = self.heap[parent];
            self.note(index);
            index = parent;
        }
        self.heap[index] = timer;
        self.note(index);
    }

    fn down(&mut self, mut index: usize) {
        let timer = self.heap[index];
        loop {
            let first = CHILDREN * index + 1;
            let children = first..self.heap.len().min(first + CHILDREN);
            let least = children.min_by_key(|child| self.heap[*child]);
            let Some(child) = least.filter(|child| self.heap[*child] < timer) else { break };
            self.heap[index] = self.heap[child];
            self.note(index);
            index = child;
        }
        self.heap[index] = timer;
        self.note(index);
    }

    /// Remembers the position of an element.
    #[expect(clippy::cast_possible_truncation, reason = "there is at most one for each entry")]
    fn note(&mut self, index: usize) {
        let entry = self.heap[index].entry as usize;
        if self.positions.len() <= entry {
            self.positions.resize(entry + 1, NONE);
        }
        self.positions[entry] = index as u32;
    }
}
