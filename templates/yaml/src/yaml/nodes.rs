//! The nodes of YAML, and the ones that aliases repeat.

use crate::scalar::Style;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A node of YAML, or the end of one.
#[derive(Clone, Debug)]
pub(super) enum Node<'a> {
    Document,
    Scalar(Cow<'a, str>, Style),
    Array,
    Object,
    End,
    Alias(usize),
}

/// The nodes with anchors, and the nodes that aliases repeat.
#[derive(Debug, Default)]
pub(super) struct Anchors<'a> {
    /// All nodes with anchors and the nodes within them, with their offsets.
    nodes: Vec<(Node<'a>, usize)>,
    /// By anchor, the nodes from the first to the one after the last. None while a container is
    /// open.
    ranges: BTreeMap<usize, Option<(usize, usize)>>,
    /// The anchors of open containers: with the index of the first node, and the depth around it.
    open: Vec<(usize, usize, usize)>,
    /// The number of open containers.
    depth: usize,
    /// The events that aliases still repeat, the innermost last.
    repeated: Vec<(usize, usize)>,
}

impl<'a> Anchors<'a> {
    /// Notes a node of the text, if it belongs to one with an anchor. 0 is not an anchor.
    pub(super) fn note(&mut self, node: &Node<'a>, offset: usize, anchor: usize) {
        let first = self.nodes.len();
        if anchor > 0 || !self.open.is_empty() {
            self.nodes.push((node.clone(), offset));
        }
        match node {
            Node::Array | Node::Object => {
                if anchor > 0 {
                    self.ranges.insert(anchor, None);
                    self.open.push((anchor, first, self.depth));
                }
                self.depth += 1;
            }
            Node::End => {
                self.depth = self.depth.saturating_sub(1);
                if let Some((anchor, first, _)) =
                    self.open.pop_if(|(.., depth)| *depth == self.depth)
                {
                    self.ranges.insert(anchor, Some((first, self.nodes.len())));
                }
            }
            Node::Scalar(..) if anchor > 0 => {
                self.ranges.insert(anchor, Some((first, first + 1)));
            }
            Node::Scalar(..) | Node::Alias(_) | Node::Document => {}
        }
    }

    /// Lets the nodes of an anchor come next, and returns the first of them.
    pub(super) fn repeat(&mut self, anchor: usize) -> Result<&mut Node<'a>, &'static str> {
        let range = match self.ranges.get(&anchor) {
            Some(Some(range)) => *range,
            Some(None) => return Err("the alias is within the value that it stands for"),
            None => return Err("the alias has no anchor"),
        };
        self.repeated.push(range);
        self.nodes.get_mut(range.0).map(|(node, _)| node).ok_or("the alias has no anchor")
    }

    /// The next node that an alias repeats.
    pub(super) fn next(&mut self) -> Option<(Node<'a>, usize)> {
        let (next, end) = self.repeated.last_mut()?;
        let node = self.nodes.get(*next).cloned();
        *next += 1;
        // Popped before its last node is used, so that aliases at the end of others do not pile up.
        if next >= end {
            self.repeated.pop();
        }
        node
    }
}
