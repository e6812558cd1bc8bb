//! Errors on the terminal: with the line of the document that each is about.

use crate::error::{Error, Errors, Location, Position};
use crate::input::parse::positions;
use crate::input::{Input, Source};
use crate::visible::{shown, visible, visible_line};
use anstyle::{AnsiColor, Style};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const BOLD: Style = Style::new().bold();
const HELP: Style = AnsiColor::Cyan.on_default();
const FRAME: Style = AnsiColor::Blue.on_default().bold();

/// The longest line that is shown. JSON that no person wrote may have all in one.
const LONGEST: usize = 200;

/// The errors of one of a command's inputs.
#[derive(Debug)]
pub(super) struct InputErrors {
    pub(super) errors: Errors,
    pub(super) input: Input,
}

impl fmt::Display for InputErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = text(&self.errors, Some(&self.input), false);
        let paths: Vec<_> = self.input.spec.iter().map(|path| shown(path)).collect();
        writeln!(f, "{} in {}", text.trim_end(), visible(&paths.join(", ")))
    }
}

impl std::error::Error for InputErrors {}

/// The errors of a run, and how many there are. `writes` is whether the command would have written
/// files.
pub(super) fn text(errors: &Errors, input: Option<&Input>, writes: bool) -> String {
    let documents = input.map(documents).unwrap_or_default();
    let positions = found(errors, &documents);
    let lines = lines(errors, &documents, &positions);
    let mut text: String =
        errors.iter().map(|error| one(error, &lines, &positions) + "\n").collect();
    let number = super::report::count(errors.iter().count(), "error");
    text.push_str(&number);
    text.push_str(if writes && errors.wrote_nothing() { "; nothing was written\n" } else { "\n" });
    text
}

/// An error without a location.
pub(super) fn plain(message: &str) -> String {
    format!("{ERROR}error{ERROR:#}{BOLD}: {}{BOLD:#}\n", visible(message))
}

/// The sources of the input by their names. Sources that cannot be read are reported elsewhere.
fn documents(input: &Input) -> BTreeMap<String, String> {
    let Ok(sources) = input.read_again() else { return BTreeMap::new() };
    let all = sources.documents.into_iter().chain(sources.groups).chain(sources.fixups);
    all.map(|Source { name, text }| (name, text)).collect()
}

/// The lines with errors, by document and number. Each document is searched once, however many
/// errors it has.
type Lines<'a> = BTreeMap<(&'a str, usize), &'a str>;

/// Lines and columns by document and pointer.
type Positions = BTreeMap<(String, String), (usize, usize)>;

fn found(errors: &Errors, documents: &BTreeMap<String, String>) -> Positions {
    let mut wanted: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for Location { document, position } in errors.iter().filter_map(|error| error.location.as_ref())
    {
        if let Position::Pointer(pointer) = position {
            wanted.entry(document).or_default().insert(pointer);
        }
    }
    let mut found = Positions::new();
    for (document, pointers) in wanted {
        let Some(text) = documents.get(document) else { continue };
        for (pointer, position) in positions(text, &pointers) {
            found.insert((document.to_owned(), pointer), position);
        }
    }
    found
}

fn lines<'a>(
    errors: &Errors,
    documents: &'a BTreeMap<String, String>,
    positions: &Positions,
) -> Lines<'a> {
    let mut wanted: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for location in errors.iter().filter_map(|error| error.location.as_ref()) {
        if let Some((line, _)) = position(location, positions) {
            wanted.entry(&location.document).or_default().insert(line);
        }
    }
    let mut lines = Lines::new();
    for (name, text) in documents {
        let Some(numbers) = wanted.get(name.as_str()) else { continue };
        for (number, line) in (1..).zip(text.lines()) {
            if line.len() <= LONGEST && numbers.contains(&number) {
                lines.insert((name.as_str(), number), line);
            }
        }
    }
    lines
}

/// Line and column, where they are known.
fn position(location: &Location, positions: &Positions) -> Option<(usize, usize)> {
    match &location.position {
        Position::Document => None,
        Position::Pointer(pointer) => {
            positions.get(&(location.document.clone(), pointer.clone())).copied()
        }
        Position::LineColumn(line, column) => Some((*line, *column)),
    }
}

fn one(error: &Error, lines: &Lines<'_>, positions: &Positions) -> String {
    let place = error.location.as_ref().map(|location| place(location, lines, positions));
    let at = match &error.location {
        Some(Location { position: Position::Pointer(pointer), .. }) => {
            format!("  at: #{}\n", visible(pointer))
        }
        _ => String::new(),
    };
    let help = error.help.as_ref().map(|help| format!("  {HELP}help{HELP:#}: {}\n", visible(help)));
    [
        plain(&error.message),
        place.unwrap_or_default(),
        at,
        needed_by(error),
        help.unwrap_or_default(),
    ]
    .concat()
}

/// The document, with line and column and the line itself where they are known.
fn place(location: &Location, lines: &Lines<'_>, positions: &Positions) -> String {
    let document = visible(&location.document);
    let Some((number, column)) = position(location, positions) else {
        return format!("  {FRAME}-->{FRAME:#} {document}\n");
    };
    let line = lines.get(&(location.document.as_str(), number));
    let snippet = line.map_or_else(String::new, |line| snippet(line, number, column));
    format!("  {FRAME}-->{FRAME:#} {document}:{number}:{column}\n{snippet}")
}

/// The line, with a mark below the column.
fn snippet(line: &str, number: usize, column: usize) -> String {
    let number = number.to_string();
    let space = " ".repeat(number.len());
    let before: String = line.chars().take(column.saturating_sub(1)).collect();
    // Tabs and escapes are as wide as above.
    let before: String =
        visible_line(&before).chars().map(|c| if c == '\t' { c } else { ' ' }).collect();
    format!(
        "{FRAME}{space} |{FRAME:#}\n{FRAME}{number} |{FRAME:#} {}\n{FRAME}{space} |{FRAME:#} \
         {before}{ERROR}^{ERROR:#}\n",
        visible_line(line)
    )
}

fn needed_by(error: &Error) -> String {
    let needed_by: Vec<_> = error.needed_by.iter().map(|who| visible(who)).collect();
    match needed_by.as_slice() {
        [] => String::new(),
        // The nearest ones, and the one where it starts.
        [near, next, _, .., first] => format!("  needed by: {near}, by {next}, …, by {first}\n"),
        few => format!("  needed by: {}\n", few.join(", by ")),
    }
}
