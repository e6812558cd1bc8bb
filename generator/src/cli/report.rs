//! The report of a run: changed files, their differences, and a summary.

use crate::hold::Report;
use crate::input::Sources;
use crate::input::package::Sibling;
use crate::lower::{Nested, OtherPaths};
use crate::model::Api;
use crate::note::Note;
use crate::openapi::fixups::Applied;
use crate::pipeline::{Manifests, Output};
use crate::tree::workspace::Enclosing;
use crate::tree::{Difference, FileChange, MOST_LISTED};
use crate::visible::{shown, visible, visible_line};
use anstyle::{AnsiColor, Style};
use similar::TextDiff;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One line for each file that differs: the change, and the path.
#[must_use]
pub fn changes(differences: &[Difference]) -> String {
    differences.iter().map(change).collect()
}

/// New files are counted, unless they are few or `verbose` asks for them; so are others if they are
/// many.
#[must_use]
pub fn summary_of_changes(differences: &[Difference], verbose: bool) -> String {
    let kinds = [FileChange::New, FileChange::Changed, FileChange::Removed];
    let kinds = kinds.map(|kind| {
        let files = differences.iter().filter(|difference| difference.change() == kind);
        (kind, files.collect::<Vec<_>>())
    });
    if verbose || kinds.iter().all(|(_, files)| files.len() <= MOST_LISTED) {
        return changes(differences);
    }
    let texts = kinds.map(|(kind, files)| match files.len() {
        0..=MOST_LISTED => files.into_iter().map(change).collect(),
        many => format!("{} {}; `--verbose` lists them\n", marked(kind), count(many, "file")),
    });
    texts.concat()
}

/// The report when all files are new: their number.
#[must_use]
pub fn all_new(differences: &[Difference]) -> String {
    format!("{} {}\n", marked(FileChange::New), count(differences.len(), "file"))
}

/// Why a new crate has a copy of the runtime.
#[must_use]
pub fn copied(why: Option<&str>) -> String {
    match why {
        Some(why) => format!("copy    of the runtime, since {why}; `--runtime` names another\n"),
        None => String::new(),
    }
}

/// The steps after the first run, and after the first one with copies of other crates.
#[must_use]
pub fn next_step(differences: &[Difference], out: &Path) -> String {
    let out = shown(out);
    let mut text = String::new();
    if is_new("Cargo.toml", differences) {
        text = format!(
            "next    depend on it by `path = {out:?}`, or read it: `cargo doc --open \
             --manifest-path {}`\n",
            argument(&format!("{out}/Cargo.toml"))
        );
    }
    if Sibling::ALL.iter().any(|sibling| is_new(&sibling.mark(), differences)) {
        let line = format!(
            "next    also depend on the copies of other crates: {}/README.md has the lines\n",
            visible(&out)
        );
        text.push_str(&line);
    }
    text
}

fn is_new(path: &str, differences: &[Difference]) -> bool {
    differences
        .iter()
        .any(|difference| difference.path == path && difference.change() == FileChange::New)
}

/// An argument for a shell, in quotes where it needs them.
fn argument(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| c.is_alphanumeric() || "/\\:.,_+-".contains(c)) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("\"{}\"", visible(text)))
    }
}

/// The command that removes the differences. `changed` are the files that users changed.
#[must_use]
pub fn remedy(changed: &[&str]) -> String {
    let command = "to update it, run `kapigen generate` with the same arguments";
    match changed.len() {
        0 => command.to_owned(),
        number => format!(
            "{command}, and `--overwrite`: {} changed since kapigen wrote it, such as {}",
            if number == 1 { "1 file was".to_owned() } else { format!("{number} files were") },
            changed[0]
        ),
    }
}

/// Files that select or correct and are beside documents, but are not used.
#[must_use]
pub fn unused(files: &[PathBuf]) -> String {
    let notes = files.iter().map(|file| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let file = shown(file);
        format!(
            "note    {} is not used, since `--spec` is not one folder; name it with `--{}` to use \
             it\n",
            visible(&file),
            visible(&name)
        )
    });
    notes.collect()
}

/// Reports the paths of documents for which no functions are generated.
fn left_out(paths: &OtherPaths) -> String {
    let mut parts = Vec::new();
    if paths.discovery > 0 {
        parts.push(format!("{} of discovery", paths.discovery));
    }
    if let Some(first) = paths.unknown.first() {
        let more = if paths.unknown.len() > 1 { ", …" } else { "" };
        parts.push(format!("{} of no resource (`{}`{more})", paths.unknown.len(), visible(first)));
    }
    let number = count(paths.discovery + paths.unknown.len(), "path");
    if parts.is_empty() {
        String::new()
    } else {
        format!("note    left out {number}: {}\n", parts.join(", "))
    }
}

/// What the run decided beside its input, and what it left out.
#[must_use]
pub fn decisions(made: &Output, verbose: bool) -> String {
    let corrections = if verbose { fixups(&made.fixups) } else { String::new() };
    let parts = [
        corrections,
        listed(&made.nested, verbose),
        of_versions(&made.api, verbose),
        held(&made.held, verbose),
        notes(&made.notes),
        left_out(&made.other_paths),
    ];
    parts.concat()
}

/// The report of an interface that is held against the documents: a line, and with `verbose` one for
/// each place.
fn held(report: &Report, verbose: bool) -> String {
    if *report == Report::default() {
        return String::new();
    }
    let parts = [
        (report.held.len(), "as the crate has it"),
        (report.kept.len(), "that the documents lack"),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, what)| format!("{} {what}", count(*number, "item")))
        .collect();
    let more = if verbose { "" } else { "; `--verbose` lists them" };
    let mut text = format!("kept    {}{more}\n", parts.join(", "));
    if verbose {
        let held = report.held.iter().map(|(place, what)| format!("{place}: {what}"));
        let kept = report.kept.iter().map(|place| format!("{place}: not in the documents"));
        text.extend(held.chain(kept).map(|line| format!("kept    {}\n", visible_line(&line))));
    }
    text
}

/// The report of nested schemas that became listed types: a line, and with `verbose` one for each,
/// and for each that fits several.
fn listed(nested: &Nested, verbose: bool) -> String {
    let Nested { listed, undecided, .. } = nested;
    if listed.is_empty() && undecided.is_empty() {
        return String::new();
    }
    let more = if verbose { "" } else { "; `--verbose` lists them" };
    let several = match undecided.len() {
        0 => String::new(),
        number => format!(", {number} could be one of several types, and are their own"),
    };
    let number = count(listed.len(), "nested schema");
    let mut text = format!("shared  {number} became types of other crates{several}{more}\n");
    if verbose {
        let one = listed.iter().map(|(label, name)| format!("{label}: {name}"));
        let several =
            undecided.iter().map(|(label, names)| format!("{label}: {}?", names.join(" or ")));
        text.extend(one.chain(several).map(|line| format!("shared  {}\n", visible_line(&line))));
    }
    text
}

/// The report of types that are types of other versions of their definitions: a line, and with
/// `verbose` one for each.
fn of_versions(api: &Api, verbose: bool) -> String {
    let aliases = api.modules.iter().flat_map(|(module, content)| {
        let others =
            content.aliases.iter().filter(move |(_, alias)| alias.target.module != *module);
        others.map(move |(name, alias)| format!("{module}::{name}: {}", alias.target))
    });
    let aliases: Vec<String> = aliases.collect();
    if aliases.is_empty() {
        return String::new();
    }
    let more = if verbose { "" } else { "; `--verbose` lists them" };
    let number = count(aliases.len(), "type");
    let lines = aliases.iter().filter(|_| verbose).map(|line| format!("shared  {line}\n"));
    format!("shared  {number} with other versions{more}\n") + &lines.collect::<String>()
}

fn marked(kind: FileChange) -> String {
    let (word, color) = match kind {
        FileChange::New => ("new", AnsiColor::Green),
        FileChange::Changed => ("changed", AnsiColor::Yellow),
        FileChange::Removed => ("removed", AnsiColor::Red),
    };
    let style = color.on_default();
    format!("{style}{word:<7}{style:#}")
}

fn change(difference: &Difference) -> String {
    format!("{} {}\n", marked(difference.change()), difference.path)
}

/// Unified diffs of changed files, from the folder to the tree, in the colors of a terminal, and of
/// new and removed ones if they are few: nobody reads every line of a whole crate.
#[must_use]
pub fn diffs(differences: &[Difference]) -> String {
    let shows_all = hidden(differences) == 0;
    differences.iter().filter(|difference| shows_all || is_changed(difference)).map(diff).collect()
}

/// A line about the files that [`diffs`] leaves out, which the list of changes has.
#[must_use]
pub fn not_shown(differences: &[Difference]) -> String {
    match hidden(differences) {
        0 => String::new(),
        number => format!("note    the contents of {number} new and removed files are not shown\n"),
    }
}

/// The number of new and removed files, if they are many.
fn hidden(differences: &[Difference]) -> usize {
    let number = differences.iter().filter(|difference| !is_changed(difference)).count();
    if number > MOST_LISTED { number } else { 0 }
}

fn is_changed(difference: &Difference) -> bool {
    difference.change() == FileChange::Changed
}

fn diff(difference: &Difference) -> String {
    let sides = [(&difference.old, "as it is"), (&difference.new, "as generated")];
    let [old_name, new_name] = sides.map(|(text, label)| match text {
        Some(_) => format!("{}\t{label}", difference.path),
        None => "/dev/null".to_owned(),
    });
    // As in comparing, line endings do not count.
    let [old, new] =
        sides.map(|(text, _)| text.as_deref().unwrap_or_default().replace("\r\n", "\n"));
    let diff = TextDiff::from_lines(&old, &new);
    let text = diff.unified_diff().header(&old_name, &new_name).to_string();
    let lines = text.lines().enumerate().map(|(number, line)| {
        let style = if number < 2 { Style::new().bold() } else { color(line) };
        format!("{style}{}{style:#}\n", visible_line(line))
    });
    lines.collect()
}

/// A word that is highlighted as something bad.
#[must_use]
pub fn alarm(word: &str) -> String {
    let style = AnsiColor::Red.on_default();
    format!("{style}{word}{style:#}")
}

fn color(line: &str) -> Style {
    match line.as_bytes().first() {
        Some(b'-') => AnsiColor::Red.on_default(),
        Some(b'+') => AnsiColor::Green.on_default(),
        Some(b'@') => AnsiColor::Cyan.on_default(),
        _ => Style::new(),
    }
}

/// One line for each correction that was applied.
fn fixups(applied: &[Applied]) -> String {
    applied.iter().filter(|fixup| fixup.places > 0).map(fixup).collect()
}

fn fixup(fixup: &Applied) -> String {
    format!(
        "fixup   {} ({}): {}\n",
        visible(&fixup.id),
        count(fixup.places, "place"),
        visible(&fixup.reason)
    )
}

/// The maximum number of notes that are printed.
const MOST_NOTES: usize = 20;

/// One line for each decision that the input did not make, up to a limit. Beyond it, decisions with
/// the same reason are summed up.
#[must_use]
pub fn notes(notes: &[Note]) -> String {
    if notes.len() <= MOST_NOTES {
        return notes.iter().map(|one| note((one, 0))).collect();
    }
    let mut groups: Vec<(&Note, usize)> = Vec::new();
    let mut known: BTreeMap<(&str, Option<&str>), usize> = BTreeMap::new();
    for one in notes {
        let index = *known.entry((&one.message, one.help.as_deref())).or_insert(groups.len());
        match groups.get_mut(index) {
            Some((_, others)) => *others += 1,
            None => groups.push((one, 0)),
        }
    }
    let more: usize = groups.iter().skip(MOST_NOTES).map(|(_, others)| 1 + others).sum();
    let rest = (more > 0).then(|| format!("note    and {more} more\n"));
    groups.into_iter().take(MOST_NOTES).map(note).chain(rest).collect()
}

fn note((note, others): (&Note, usize)) -> String {
    let others = if others > 0 {
        format!("; so in {}", count(others, "other place"))
    } else {
        String::new()
    };
    format!("note    {}{others}\n", visible(&note.to_string()))
}

/// The members to add to the workspace around a crate.
#[must_use]
pub fn enclosing(workspace: &Enclosing) -> String {
    let missing: Vec<String> = workspace.missing.iter().map(|path| format!("{path:?}")).collect();
    format!(
        "note    the crate is in the workspace of {}; unless a member depends on it, add to its \
         `members`: {}\n",
        visible(&shown(&workspace.manifest)),
        missing.join(", ")
    )
}

/// A line about the input, and one about the output, which the caller ends.
#[must_use]
pub fn summary(sources: &Sources, output: &Output) -> String {
    let operations = output.api.modules.values().flat_map(|module| module.resources.values());
    let operations = operations.map(|resource| resource.operations.len()).sum();
    let lines = output.tree.iter().map(|(_, text)| text.lines().count()).sum();
    format!(
        "read    {}{}{}{}\nmade    {}, {}: {}, {}",
        count(sources.documents.len(), "document"),
        manifests(&output.manifests),
        sources
            .groups
            .as_ref()
            .map_or_else(String::new, |groups| format!(" and {}", visible(&groups.name))),
        corrected(&output.fixups),
        count(operations, "operation"),
        count(output.api.types().count(), "type"),
        // And the list of these files.
        count(output.tree.iter().count() + 1, "file"),
        count(lines, "line"),
    )
}

/// The number of definitions, and of other objects beside them.
fn manifests(manifests: &Manifests) -> String {
    if manifests.definitions == 0 {
        return String::new();
    }
    let others = match manifests.others {
        0 => String::new(),
        number => format!("; skipped {}", count(number, "other object")),
    };
    format!(" with {}{others}", count(manifests.definitions, "definition"))
}

/// The number of corrections that had an effect, if any had.
fn corrected(applied: &[Applied]) -> String {
    let places = applied.iter().map(|fixup| fixup.places).sum();
    match applied.iter().filter(|fixup| fixup.places > 0).count() {
        0 => String::new(),
        number => {
            format!("; applied {} in {}", count(number, "correction"), count(places, "place"))
        }
    }
}

/// `1 file`, `2 files`.
#[must_use]
pub fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Location;

    #[test]
    fn prints_no_more_notes_than_people_read() {
        let note = |number: usize, message: String| Note {
            location: Location::pointer("v1.yaml", format!("/{number}")),
            message,
            help: None,
        };
        let all: Vec<Note> =
            (0..MOST_NOTES + 2).map(|number| note(number, format!("decided {number}"))).collect();
        assert_eq!(notes(&all[..1]), "note    v1.yaml#/0: decided 0\n");
        assert_eq!(notes(&all[..MOST_NOTES]).lines().count(), MOST_NOTES);
        assert_eq!(notes(&all).lines().last(), Some("note    and 2 more"));
    }

    #[test]
    fn many_notes_of_one_reason_are_summed_up() {
        let note = |number: usize| Note {
            location: Location::pointer("v1.yaml", format!("/{number}")),
            message: "decided".to_owned(),
            help: None,
        };
        let all: Vec<Note> = (0..=MOST_NOTES).map(note).collect();
        assert_eq!(notes(&all[1..]).lines().count(), MOST_NOTES);
        assert_eq!(
            notes(&all),
            format!("note    v1.yaml#/0: decided; so in {MOST_NOTES} other places\n")
        );
    }
}
