//! Members that an encoded object may be without.

use super::applied::Names;
use std::iter::Peekable;
use std::mem;
use std::ops::Range;
use std::slice::Iter;

/// A member of an encoded object that is left out as long as it is empty.
#[derive(Clone)]
pub(super) struct Omissible {
    /// The names of members that lead to it.
    pub(super) names: Names,
    /// Its position, from the separator before it.
    pub(super) position: Range<usize>,
    /// The position where its value begins.
    pub(super) value: usize,
    /// Whether it is a scalar with the value that it has when it is not set.
    pub(super) is_empty_scalar: bool,
}

/// The text without those members for which `omits` holds, to which it passes what is left of their values. They are
/// in the order of their positions.
pub(super) fn without(text: &[u8], members: &[Omissible], omits: impl Fn(&Omissible, &[u8]) -> bool) -> Vec<u8> {
    let output = Vec::with_capacity(text.len());
    let mut copy = Copy { text, members: members.iter().peekable(), omits: &omits, output, lacks_opener: false };
    copy.range(0..text.len());
    copy.output
}

struct Copy<'a> {
    text: &'a [u8],
    members: Peekable<Iter<'a, Omissible>>,
    omits: &'a dyn Fn(&Omissible, &[u8]) -> bool,
    output: Vec<u8>,
    /// Whether the brace that opens the current object went with its first member.
    lacks_opener: bool,
}

impl Copy<'_> {
    /// Copies a range of the text without the members in it that are left out.
    fn range(&mut self, Range { mut start, end }: Range<usize>) {
        while let Some(member) = self.members.next_if(|member| member.position.start < end) {
            self.push(start..member.position.start);
            let from = self.output.len();
            self.push(member.position.start..member.value);
            let value = self.output.len();
            self.range(member.value..member.position.end);
            if (self.omits)(member, &self.output[value..]) {
                self.lacks_opener = self.output[from] == b'{';
                self.output.truncate(from);
            }
            start = member.position.end;
        }
        self.push(start..end);
    }

    /// Copies a range as it is. After a first member that was left out, it begins with a comma or the closing brace.
    fn push(&mut self, range: Range<usize>) {
        let text = &self.text[range];
        let text = match text {
            [first, rest @ ..] if mem::take(&mut self.lacks_opener) => {
                self.output.push(b'{');
                if *first == b',' { rest } else { text }
            }
            text => text,
        };
        self.output.extend_from_slice(text);
    }
}
