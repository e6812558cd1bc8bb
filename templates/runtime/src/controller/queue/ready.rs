//! The entries that are ready, by priority.

use super::{NONE, Priority};

/// The number of priorities.
const LEVELS: usize = 3;

/// The number of times that a priority is passed over while it has entries. Then it has its turn.
const MOST_PASSED: u32 = 8;

/// A list for each priority, in the order in which the entries became ready.
#[derive(Debug)]
pub(super) struct Ready {
    levels: [Level; LEVELS],
    /// By entry.
    links: Vec<Link>,
    length: usize,
}

#[derive(Clone, Copy, Debug)]
struct Level {
    first: u32,
    last: u32,
    /// The number of turns of another priority while this one waited.
    passed: u32,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    before: u32,
    after: u32,
}

impl Default for Ready {
    fn default() -> Self {
        Self {
            levels: [Level { first: NONE, last: NONE, passed: 0 }; LEVELS],
            links: Vec::new(),
            length: 0,
        }
    }
}

impl Ready {
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Adds an entry, which is in no list.
    pub(super) fn push(&mut self, entry: u32, priority: Priority) {
        if self.links.len() <= entry as usize {
            self.links.resize(entry as usize + 1, Link { before: NONE, after: NONE });
        }
        let level = &mut self.levels[priority as usize];
        let last = std::mem::replace(&mut level.last, entry);
        self.links[entry as usize] = Link { before: last, after: NONE };
        match self.links.get_mut(last as usize) {
            Some(link) => link.after = entry,
            None => level.first = entry,
        }
        self.length += 1;
    }

    /// Removes an entry, which is in the list of this priority.
    pub(super) fn remove(&mut self, entry: u32, priority: Priority) {
        let Link { before, after } = self.links[entry as usize];
        let level = &mut self.levels[priority as usize];
        match self.links.get_mut(before as usize) {
            Some(link) => link.after = after,
            None => level.first = after,
        }
        match self.links.get_mut(after as usize) {
            Some(link) => link.before = before,
            None => level.last = before,
        }
        self.length -= 1;
    }

    /// Renumbers the entries, of which there are this many.
    pub(super) fn renumber(&mut self, renumbered: &[u32], entries: usize) {
        let new = |id: u32| renumbered.get(id as usize).copied().unwrap_or(NONE);
        let mut links = vec![Link { before: NONE, after: NONE }; entries];
        for (id, link) in renumbered.iter().zip(&self.links).filter(|(id, _)| **id != NONE) {
            links[*id as usize] = Link { before: new(link.before), after: new(link.after) };
        }
        self.links = links;
        for level in &mut self.levels {
            level.first = new(level.first);
            level.last = new(level.last);
        }
    }

    /// Takes the next entry: the first of the highest priority, or of one that was passed over too
    /// often.
    pub(super) fn pop(&mut self) -> Option<u32> {
        let waiting = |level: &&Level| level.first != NONE;
        let highest = self.levels.iter().rposition(|level| waiting(&level))?;
        let overdue = |level: &Level| level.first != NONE && level.passed >= MOST_PASSED;
        let chosen = self.levels.iter().position(overdue).unwrap_or(highest);
        for (index, level) in self.levels.iter_mut().enumerate() {
            level.passed =
                if index == chosen || level.first == NONE { 0 } else { level.passed + 1 };
        }
        let entry = self.levels[chosen].first;
        self.remove(entry, Priority::ALL[chosen]);
        Some(entry)
    }
}
