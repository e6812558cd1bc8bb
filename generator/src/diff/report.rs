//! Changes for people, for pull requests, and for programs.

use super::change::{Change, ChangeKind, ItemKind};
use crate::emit::markdown::Markdown;
use crate::visible::{quoted, visible};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::{Arguments, Write};

/// The changes for a terminal. `highlight` formats the word that marks breaking changes.
#[must_use]
pub fn text(changes: &[Change], highlight: &dyn Fn(&str) -> String) -> String {
    let mark = highlight("breaking");
    let space = " ".repeat("breaking".len());
    let mut text = String::new();
    for group in groups(changes, &quoted) {
        text += &(wrapped(&group.kind(), &group.paths) + "\n");
        for (is_breaking, sentence) in &group.sentences {
            line(
                &mut text,
                format_args!("  {} {sentence}", if *is_breaking { &mark } else { &space }),
            );
        }
    }
    text + &total(changes) + "\n"
}

/// The width of lines with more than one path.
const WIDTH: usize = 100;

/// Paths after a word, in several lines if they are many.
fn wrapped(word: &str, paths: &[&str]) -> String {
    let mut text = word.to_owned();
    let mut width = text.len();
    for (index, path) in paths.iter().enumerate() {
        let path = visible(path);
        let comma = if index + 1 < paths.len() { "," } else { "" };
        let fits = index == 0 || width + 1 + path.len() + comma.len() <= WIDTH;
        let space = if fits { " " } else { "\n    " };
        width = if fits { width + 1 } else { 4 } + path.len() + comma.len();
        text.extend([space, &path, comma]);
    }
    text
}

/// The changes for a pull request: breaking ones first, the others folded.
#[must_use]
pub fn markdown(changes: &[Change]) -> String {
    let (breaking, others): (Vec<Change>, Vec<Change>) =
        changes.iter().cloned().partition(Change::is_breaking);
    let mut text = format!("**{}**\n", total(changes));
    if !breaking.is_empty() {
        line(&mut text, format_args!("\n### Breaking changes\n\n{}", list(&breaking)));
    }
    if !others.is_empty() {
        let list = list(&others);
        line(
            &mut text,
            format_args!("\n<details><summary>Other changes</summary>\n\n{list}\n</details>"),
        );
    }
    text
}

fn list(changes: &[Change]) -> String {
    let items = groups(changes, &code).into_iter().flat_map(|group| {
        let paths: Vec<String> = group.paths.iter().map(|path| code(path)).collect();
        let head = format!("- {} {}", group.kind(), paths.join(", "));
        [head]
            .into_iter()
            .chain(group.sentences.into_iter().map(|(_, sentence)| format!("  - {sentence}")))
    });
    items.collect::<Vec<_>>().join("\n")
}

pub(super) fn code(string: &str) -> String {
    Markdown::code(string).to_string()
}

/// Items that change alike.
struct Group<'a> {
    kind: ItemKind,
    paths: Vec<&'a str>,
    /// The changes in words, and whether they break programs.
    sentences: Vec<(bool, String)>,
}

impl Group<'_> {
    fn kind(&self) -> String {
        let plural =
            if self.paths.len() > 1 && self.kind != ItemKind::Parameters { "s" } else { "" };
        format!("{}{plural}", self.kind.as_str())
    }
}

/// The items with their changes, breaking ones first.
fn groups<'a>(changes: &'a [Change], code: &dyn Fn(&str) -> String) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut indices: BTreeMap<(ItemKind, Vec<(bool, String)>), usize> = BTreeMap::new();
    for changes in changes.chunk_by(|one, other| one.item == other.item) {
        let item = &changes[0].item;
        let sentences = changes.iter().map(|change| {
            let held = match change.held {
                Some(true) => " (held)",
                Some(false) => " (refused)",
                None => "",
            };
            (change.is_breaking(), sentence(change, code) + held)
        });
        let sentences: Vec<_> = sentences.collect();
        let index = *indices.entry((item.kind, sentences.clone())).or_insert(groups.len());
        match groups.get_mut(index) {
            Some(group) => group.paths.push(&item.path),
            None => groups.push(Group { kind: item.kind, paths: vec![&item.path], sentences }),
        }
    }
    groups.sort_by_key(|group| !group.sentences.iter().any(|(is_breaking, _)| *is_breaking));
    groups
}

/// The changes for programs.
#[must_use]
pub fn json(changes: &[Change]) -> Value {
    let list = changes.iter().map(|change| {
        json!({
            "item": change.item.path,
            "itemKind": change.item.kind.as_str(),
            "change": change.kind.as_str(),
            "breaking": change.is_breaking(),
            "held": change.held,
            "part": change.part,
            "wire": change.wire,
            "old": change.old,
            "new": change.new,
        })
    });
    json!({ "breaking": breaking(changes), "changes": list.collect::<Vec<_>>() })
}

fn breaking(changes: &[Change]) -> usize {
    changes.iter().filter(|change| change.is_breaking()).count()
}

fn total(changes: &[Change]) -> String {
    let breaking = breaking(changes);
    match changes.len() - breaking {
        0 if breaking == 0 => "The interface does not change.".to_owned(),
        others => {
            let held = changes.iter().filter(|change| change.held == Some(true)).count();
            let is_asked = changes.iter().any(|change| change.held.is_some());
            let held = if is_asked { format!(" ({held} held)") } else { String::new() };
            format!(
                "{breaking} breaking change{}{held}, {others} other change{}.",
                plural(breaking),
                plural(others)
            )
        }
    }
}

pub(super) fn plural(number: usize) -> &'static str {
    if number == 1 { "" } else { "s" }
}

/// The change in words; `code` writes names and types.
fn sentence(change: &Change, code: &dyn Fn(&str) -> String) -> String {
    let [part, wire, old, new] = [&change.part, &change.wire, &change.old, &change.new]
        .map(|word| word.as_deref().unwrap_or_default());
    // A field with its type.
    let [removed, added] = [old, new].map(|ty| code(&format!("{part}: {ty}")));
    let [part, wire, old, new] = [part, wire, old, new].map(code);
    match change.kind {
        ChangeKind::Added => "added".to_owned(),
        ChangeKind::Removed => "removed".to_owned(),
        ChangeKind::Renamed => format!("renamed, was {old}"),
        ChangeKind::Split => format!("no longer the same type as {old}"),
        ChangeKind::Joined => format!("now the same type as {new}"),
        ChangeKind::ShapeChanged | ChangeKind::SignatureChanged => format!("now {new}, was {old}"),
        ChangeKind::KindChanged | ChangeKind::RoleChanged => match change.new {
            Some(_) => format!("now {new}, was {old}"),
            None => format!("no longer {old}"),
        },
        ChangeKind::KindAdded | ChangeKind::RoleAdded => format!("now {new}"),
        ChangeKind::FieldRemoved => format!("field {removed} removed"),
        ChangeKind::FieldRenamed => format!("field {new} renamed, was {old}"),
        ChangeKind::FieldTypeChanged | ChangeKind::OptionalityChanged => {
            format!("field {part} now {new}, was {old}")
        }
        ChangeKind::FieldAdded => format!("field {added} added"),
        ChangeKind::RequiredFieldAdded => format!("required field {added} added"),
        ChangeKind::ValueRemoved => format!("variant {part} for {wire} removed"),
        ChangeKind::ValueRenamed => format!("variant {new} for {wire} renamed, was {old}"),
        ChangeKind::ValueAdded => format!("variant {part} for {wire} added: it was `Other` before"),
        ChangeKind::QueryParameterRemoved => format!("query parameter {part} removed"),
        ChangeKind::QueryParameterAdded => format!("query parameter {part} added"),
        ChangeKind::RequestChanged => format!("request now {new}, was {old}"),
        ChangeKind::Deprecated | ChangeKind::Undeprecated => {
            let subject =
                change.part.as_ref().map_or_else(String::new, |_| format!("field {part} "));
            let no_longer = if change.kind == ChangeKind::Deprecated { "" } else { "no longer " };
            format!("{subject}{no_longer}deprecated")
        }
        ChangeKind::MergeChanged => match (&change.old, &change.new) {
            (None, _) => format!("merge rules of field {part} added: {new}"),
            (_, None) => format!("merge rules of field {part} removed: {old}"),
            _ => format!("merge rules of field {part} now {new}, were {old}"),
        },
    }
}

pub(super) fn line(text: &mut String, line: Arguments<'_>) {
    writeln!(text, "{line}").expect("a string takes any text");
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, wrapped};

    #[test]
    fn many_paths_are_wrapped_between_paths() {
        assert_eq!(
            wrapped("structs", &["core_v1::HostAlias", "core_v1::PodIP"]),
            "structs core_v1::HostAlias, core_v1::PodIP"
        );
        let paths: Vec<String> =
            (0..30).map(|number| format!("core_v1::resource{number}::delete")).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let text = wrapped("functions", &paths);
        assert!(text.lines().count() > 5 && text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert_eq!(text.replace("\n   ", ""), format!("functions {}", paths.join(", ")));
        let long = "x".repeat(2 * WIDTH);
        assert_eq!(wrapped("struct", &[&long]), format!("struct {long}"));
    }
}
