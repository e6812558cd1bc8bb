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
    let mut copier = Copier { text, members: members.iter().peekable(), omits: &omits, output, lacks_opener: false };
    copier.range(0..text.len());
    copier.output
}

struct Copier<'a> {
    text: &'a [u8],
    members: Peekable<Iter<'a, Omissible>>,
    omits: &'a dyn Fn(&Omissible, &[u8]) -> bool,
    output: Vec<u8>,
    /// Whether the brace that opens the current object went with its first member.
    lacks_opener: bool,
}

impl Copier<'_> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The member with this name, whose value ends before `end`.
    fn member(text: &str, name: &'static str, end: &str) -> Omissible {
        let start = text.find(&format!("\"{name}\":")).unwrap() - 1;
        let value = start + name.len() + 4;
        let position = start..value + text[value..].find(end).unwrap();
        Omissible { names: vec![name], position, value, is_empty_scalar: false }
    }

    #[test]
    fn objects_stay_well_formed_whichever_members_are_left_out() {
        let text = r#"{"a":"","b":{"c":"","d":""},"e":[{"f":""}],"g":""}"#;
        let members = [("a", ","), ("b", r#","e""#), ("c", ","), ("d", "}"), ("f", "}"), ("g", "}")];
        let members = members.map(|(name, end)| member(text, name, end));
        for omitted in 0_usize..64 {
            let number = |name: &str| members.iter().position(|member| member.names == [name]).unwrap();
            let omits = |member: &Omissible, _: &[u8]| omitted >> number(member.names[0]) & 1 == 1;
            let mut expected: serde_json::Value = serde_json::from_str(text).unwrap();
            for (pointer, name) in [("/e/0", "f"), ("/b", "c"), ("/b", "d"), ("", "a"), ("", "b"), ("", "g")] {
                if omitted >> number(name) & 1 == 1 {
                    expected.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(name);
                }
            }
            let left = without(text.as_bytes(), &members, omits);
            assert_eq!(serde_json::from_slice::<serde_json::Value>(&left).unwrap(), expected, "{omitted:b}");
        }
    }

    #[test]
    fn members_are_judged_by_what_is_left_of_them() {
        let text = r#"{"b":{"c":{"d":""}},"g":1}"#;
        let members = [("b", r#","g""#), ("c", r#"},"g""#), ("d", "}")].map(|(name, end)| member(text, name, end));
        let left = without(text.as_bytes(), &members, |_, value| matches!(value, b"{}" | b"\"\""));
        assert_eq!(String::from_utf8(left).unwrap(), r#"{"g":1}"#);
    }
}
