//! Tables, as strings: the access of the codec to the members of each type.
//!
//! They are most of a crate, and every row has the same form. So they are emitted in their final
//! format, and are not parsed and formatted like the rest, which took most of the time of a run.

use crate::model::{Field, ListType, MapType, Merge, PatchStrategy, Presence, Type, TypeDef};
use crate::names::UNKNOWN;
use proc_macro2::Literal;
use std::collections::BTreeSet;
use std::iter;

/// The table of a struct, and the access to its members.
pub(super) fn object(name: &str, def: &TypeDef, fields: &[Field]) -> String {
    let members: Vec<_> = fields.iter().map(|field| (field.wire.as_str(), marks(field))).collect();
    let keys = joined(&members);
    let keys = wrapped(&literal(&keys));
    let slots = choice(
        fields.iter().enumerate().map(|(index, field)| format!("{index} => {},", slot(field))),
    );
    let unknown = format!("visitor.visit_unknown({}, &self.{UNKNOWN});", fields.len());
    let known = fields.iter().enumerate().map(|(index, field)| visit(index, field));
    let views = lines([unknown].into_iter().chain(known), 8);
    let index = if fields.is_empty() { "_" } else { "index" };
    let present = if fields.iter().all(is_string) { "_" } else { "is_present" };
    let (inline, inlined) = if def.is_inline { ("    #[inline]\n", "inline") } else { ("", "") };
    let (word, methods) = match def.kind {
        Some(_) => (", kind", format!("    codec::kind_methods!({inlined});\n")),
        None => ("", String::new()),
    };
    format!(
        "static TABLE: codec::Table =
    codec::Table::new(\"{name}\", {keys}){identities}{merges};

impl codec::Object for {name} {{
{inline}    fn table(&self) -> &'static codec::Table {{
        &TABLE
    }}
{inline}    fn member_mut(&mut self, {index}: usize, {present}: bool) -> codec::Slot<'_> {{
        {slots}
    }}
{inline}    fn accept<'a>(&'a self, visitor: &mut codec::MemberVisitor<'_, 'a>) {{
{views}    }}
{methods}}}

codec::object!({name}{word});
",
        identities = identities(def),
        merges = merges(def, fields),
    )
}

/// The marks of a member in the table: one if it is required, two if it is nullable, and three if it
/// is both.
fn marks(field: &Field) -> usize {
    usize::from(field.presence == Presence::Required) + 2 * usize::from(field.nullable)
}

/// The slot of a member, as an expression. The slot of a string is written out, since it shares no
/// code with others.
fn slot(field: &Field) -> String {
    let name = &field.name;
    if is_string(field) {
        format!("codec::Slot::String(&mut self.{name})")
    } else {
        format!("self.{name}.member_slot(is_present)")
    }
}

/// The visit of a member, as a statement.
fn visit(index: usize, field: &Field) -> String {
    let name = &field.name;
    if is_string(field) {
        format!("visitor.visit_string({index}, &self.{name});")
    } else {
        format!("self.{name}.visit_member({index}, visitor);")
    }
}

/// Whether the access to a member is that to a string, which is a case of its own.
pub(super) fn is_string(field: &Field) -> bool {
    field.ty == Type::String && field.presence == Presence::Required
}

/// The merge rules of a table, for members that are not merged in the usual way.
fn merges(def: &TypeDef, fields: &[Field]) -> String {
    let rules = fields.iter().enumerate().filter_map(|(index, field)| {
        let rule = codec_merge(&field.merge);
        (!rule.is_empty()).then(|| format!("({index}, codec::Merge::USUAL{rule}),"))
    });
    let rules = lines(rules, 8);
    let merges = if rules.is_empty() { rules } else { format!(".merge(&[\n{rules}    ])") };
    if def.is_atomic { merges + ".atomic()" } else { merges }
}

/// A merge rule as the `codec::Merge` of the runtime: the builder calls for the parts that differ
/// from the default.
fn codec_merge(merge: &Merge) -> String {
    let mut calls = String::new();
    match (merge.list_type, merge.map_type) {
        (Some(ListType::Set), _) => calls.push_str(".set()"),
        (Some(ListType::Map), _) => {
            let keys = merge.list_map_keys.iter().map(|key| {
                let default = merge.key_defaults.get(key).map_or("", String::as_str);
                format!("({}, {})", literal(key), literal(default))
            });
            calls.extend([".map(&[", &keys.collect::<Vec<_>>().join(", "), "])"]);
        }
        (_, Some(MapType::Atomic)) => calls.push_str(".atomic()"),
        _ if merge.map_type_of_values == Some(MapType::Atomic) => {
            calls.push_str(".atomic_values()");
        }
        _ => {}
    }
    for strategy in &merge.patch_strategies {
        match strategy {
            PatchStrategy::Merge => {
                let key = literal(merge.patch_merge_key.as_deref().unwrap_or_default());
                calls.extend([".patch_by(", &key, ")"]);
            }
            PatchStrategy::Replace => calls.push_str(".patch_replaces()"),
            PatchStrategy::RetainKeys => calls.push_str(".retains_keys()"),
        }
    }
    calls
}

/// The choice of a member by its index. Behind the last one are the unknown ones.
fn choice(arms: impl Iterator<Item = String>) -> String {
    let otherwise = format!("codec::Slot::Unknown(&mut self.{UNKNOWN})");
    let arms = lines(arms, 12);
    if arms.is_empty() {
        return otherwise;
    }
    format!("match index {{\n{arms}            _ => {otherwise},\n        }}")
}

fn identities(def: &TypeDef) -> String {
    let accepted = def.kind.iter().flat_map(|kind| &kind.accepted);
    let identities = accepted.map(|accepted| {
        let api_version = literal(&accepted.group_version.api_version());
        let kind = literal(&accepted.kind);
        format!("codec::Identity::new({api_version}, {kind})")
    });
    let identities: Vec<_> = identities.collect();
    if identities.is_empty() {
        String::new()
    } else {
        format!(".identities({})", slice(&identities))
    }
}

/// Members in one string, which compiles faster than an array of them: their names, with so many
/// marks after each. The first character is the mark, the second stands before each name. No name
/// has either. Without a member it is empty.
fn joined(members: &[(&str, usize)]) -> String {
    let used: BTreeSet<char> = members.iter().flat_map(|(name, _)| name.chars()).collect();
    // No schema has names with all characters of Unicode.
    let mut unused =
        ['!', ' '].into_iter().chain('#'..=char::MAX).filter(|char| !used.contains(char));
    let (Some(mark), Some(separator)) = (unused.next(), unused.next()) else {
        return String::new();
    };
    let mut text = String::new();
    for (name, marks) in members {
        if text.is_empty() {
            text.push(mark);
        }
        text.push(separator);
        text.push_str(name);
        text.extend(iter::repeat_n(mark, *marks));
    }
    text
}

/// A string literal on lines of limited length. The compiler ignores a line break with the spaces
/// after it. A line begins with a letter or digit: not with a space, which would be lost, nor as a
/// comment does.
fn wrapped(literal: &str) -> String {
    const ROOM: usize = 100;
    let mut text = String::new();
    let mut column = 0;
    for word in literal.split_inclusive(' ') {
        if column > 0
            && column + word.len() > ROOM
            && word.starts_with(|char: char| char.is_ascii_alphanumeric())
        {
            text.push_str("\\\n        ");
            column = 0;
        }
        text.push_str(word);
        column += word.len();
    }
    text
}

/// A slice of these expressions.
pub(super) fn slice(items: &[String]) -> String {
    format!("&{}", list(items))
}

/// A list in a member: on one line if there is room for it, else with a row for each item.
fn list(items: &[String]) -> String {
    const ROOM: usize = 70;
    let line = items.join(", ");
    if line.chars().count() <= ROOM && !line.contains('\n') {
        return format!("[{line}]");
    }
    format!("[\n{}    ]", lines(items.iter().map(|item| format!("{item},")), 8))
}

/// A line for each of these, which starts at this column.
fn lines(rows: impl Iterator<Item = String>, column: usize) -> String {
    let indent = " ".repeat(column);
    let mut lines = String::new();
    rows.for_each(|row| lines.extend([&indent, &row, "\n"]));
    lines
}

/// A string literal.
pub(super) fn literal(text: &str) -> String {
    Literal::string(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::{choice, joined, list, literal, wrapped};

    #[test]
    fn separates_and_marks_joined_names_whatever_their_characters() {
        let odd = [
            "two  spaces",
            " ",
            "",
            "     five",
            "comma, and space",
            "! and \"quotes\"",
            "line\nbreak \t",
            "\\",
        ];
        let punctuation = [" !#$%&'()*+"];
        for names in [&[][..], &[""], &["", ""], &["kind"], &odd, &odd[..4], &punctuation] {
            let members: Vec<_> =
                names.iter().zip(0..).map(|(name, index)| (*name, index % 4)).collect();
            let text = joined(&members);
            let mut characters = text.chars();
            let [mark, separator] = [(); 2].map(|()| characters.next().unwrap_or(' '));
            let found = text.split(separator).skip(1).map(|member| {
                let name = member.trim_end_matches(mark);
                (name, member[name.len()..].chars().count())
            });
            assert_eq!(found.collect::<Vec<_>>(), members);
        }
        assert_eq!(joined(&[("kind", 0), ("spec", 1), ("size", 2)]), "! kind spec! size!!");
    }

    #[test]
    fn broken_literals_have_the_same_value() {
        let plain = literal(&joined(&[("terminationGracePeriodSeconds", 0); 9]));
        let odd = literal(&"many      spaces, \"quotes\" and\nlines ".repeat(9));
        for literal in [plain, odd] {
            let broken = wrapped(&literal);
            assert!(
                broken.lines().count() > 2 && broken.lines().all(|line| line.len() < 120),
                "{broken}"
            );
            // The compiler ignores all spaces after a break.
            let mut value = String::new();
            broken.split("\\\n").for_each(|line| {
                value.push_str(if value.is_empty() { line } else { line.trim_start() });
            });
            assert_eq!(value, literal);
        }
    }

    #[test]
    fn short_lists_stand_on_one_line() {
        assert_eq!(list(&[]), "[]");
        assert_eq!(list(&["1".to_owned(), "2".to_owned()]), "[1, 2]");
        let long = "x".repeat(40);
        assert_eq!(
            list(&[long.clone(), long.clone()]),
            format!("[\n        {long},\n        {long},\n    ]")
        );
    }

    #[test]
    fn where_there_is_no_member_all_are_unknown() {
        assert_eq!(choice([].into_iter()), "codec::Slot::Unknown(&mut self.unknown_)");
        let arms = ["0 => self.a.slot(),".to_owned()].into_iter();
        let rows = "            0 => self.a.slot(),\n            _ => codec::Slot::Unknown(&mut \
                    self.unknown_),\n";
        assert_eq!(choice(arms), format!("match index {{\n{rows}        }}"));
    }
}
