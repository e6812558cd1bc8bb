//! Reads the table of rules once.

use super::walk::{Mark, PathStep, Row, Rules};
use super::{special, syntax, table};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The rules by resource and by type.
pub(super) fn rules() -> &'static Rules {
    static RULES: LazyLock<Rules> = LazyLock::new(read);
    &RULES
}

fn read() -> Rules {
    let mut all: HashMap<_, Vec<Row>> = HashMap::new();
    let mut name = "";
    for line in table::TABLE.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix("  ") {
            Some(line) => all.entry(name).or_default().push(row(line)),
            None => name = line,
        }
    }
    Rules(all)
}

fn row(line: &'static str) -> Row {
    let (path, mut rest) = line.split_once(' ').unwrap_or((line, ""));
    let alias = rest.strip_prefix("as ").map(|named| {
        let (alias, after) = named.split_once(' ').unwrap_or((named, ""));
        rest = after;
        alias
    });
    let mut marks = Vec::new();
    while !rest.is_empty() {
        marks.push(mark(&mut rest));
    }
    Row { path, steps: steps(path), alias, marks }
}

fn steps(path: &'static str) -> Vec<PathStep> {
    let mut steps = Vec::new();
    for step in path.split('.').filter(|step| *step != "self") {
        let (step, is_list) = step.strip_suffix("[]").map_or((step, false), |step| (step, true));
        let name = step.trim_end_matches('?');
        steps.push(PathStep::Member { name, is_optional: name != step });
        steps.extend(is_list.then_some(PathStep::Each));
    }
    steps
}

/// Takes the next word.
fn word(rest: &mut &'static str) -> &'static str {
    let (word, after) = rest.split_once(' ').unwrap_or((*rest, ""));
    *rest = after;
    word
}

fn number(rest: &mut &'static str) -> i64 {
    word(rest).parse().expect("a number")
}

/// Takes a text in quotes, if there is one.
fn quoted(rest: &mut &'static str) -> &'static str {
    let Some((quoted, after)) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) else {
        return "";
    };
    *rest = after.trim_start();
    quoted
}

fn quoted_or(rest: &mut &'static str, usual: String) -> String {
    let stated = quoted(rest);
    if stated.is_empty() { usual } else { stated.to_owned() }
}

fn mark(rest: &mut &'static str) -> Mark {
    let kind = word(rest);
    if let Some((is_for_zero, value)) = kind
        .strip_prefix(":=")
        .map(|value| (true, value))
        .or_else(|| kind.strip_prefix('=').map(|value| (false, value)))
    {
        let value = serde_json::from_str(value).expect("a default in JSON");
        return Mark::Default { value, is_for_zero };
    }
    match kind {
        "req" => Mark::Required(quoted(rest)),
        "none" => Mark::None(quoted(rest)),
        "min" => {
            let least = number(rest);
            let usual = format!("must be greater than or equal to {least}");
            Mark::Range { least, most: i64::MAX, why: quoted_or(rest, usual) }
        }
        "range" => {
            let [least, most] = [number(rest), number(rest)];
            let usual = format!("must be between {least} and {most}, inclusive");
            Mark::Range { least, most, why: quoted_or(rest, usual) }
        }
        "in" => Mark::In(word(rest).split('|').collect()),
        "one" => Mark::One(word(rest).split('|').collect()),
        "is" => Mark::Is(syntax::named(word(rest))),
        "unique" => Mark::Unique(word(rest)),
        "same" => Mark::Same(quoted(rest)),
        "new" => Mark::New,
        "do" => Mark::Do(special::named(word(rest))),
        "fill" => Mark::Fill(special::defaults::named(word(rest))),
        ">" => Mark::Type(word(rest)),
        other => panic!("the table of rules has no {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::rules;
    use crate::kinds::check::walk::Mark;

    #[test]
    fn the_table_is_readable_and_all_types_are_used() {
        let all = &rules().0;
        let marks = || all.values().flatten().flat_map(|row| &row.marks);
        let used: Vec<_> = marks()
            .filter_map(|mark| if let Mark::Type(name) = mark { Some(*name) } else { None })
            .collect();
        for name in &used {
            assert!(all.contains_key(name), "{name}");
        }
        let types = all.keys().filter(|name| !name.contains('/'));
        types.for_each(|name| assert!(used.contains(name), "{name}"));
    }
}
