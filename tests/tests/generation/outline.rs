//! The outline of a generated file: its interface, and the strings that it has of JSON.

/// Lines that follow from others, or stand in every file of their kind.
const LEFT_OUT: [&str; 9] = [
    "// @generated",
    "mod ",
    "codec::object!",
    "/// Members that this type has no field for.",
    "pub unknown_: Unknown,",
    "/// The operation `",
    "/// Sets `",
    "#[must_use]",
    "#[inline]",
];

/// Leaves out imports, private modules, and bodies of functions and of implementations of traits,
/// but for lines with strings. Only the first paragraph of the docs of a module stays.
pub(crate) fn of(text: &str) -> String {
    let mut outline: Vec<String> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        if line.starts_with("use ") {
            if !line.ends_with(';') {
                lines.find(|line| line.ends_with(';'));
            }
        } else if line == "//!" {
            lines.find(|line| line.is_empty());
        } else if is_function(code) || line.starts_with("impl ") && line.contains(" for ") {
            let indent = &line[..line.len() - code.len()];
            let head = head(code, &mut lines);
            let has_body = head.ends_with('{');
            if !head.starts_with("impl codec::Object for ") {
                outline.push(format!("{indent}{}", head.trim_end_matches(" {")));
            }
            if has_body {
                let end = format!("{indent}}}");
                let body = lines.by_ref().take_while(|line| *line != end);
                outline.extend(body.filter(|line| line.contains('"')).map(str::to_owned));
            }
        } else if !code.is_empty() && !LEFT_OUT.iter().any(|start| code.starts_with(start)) {
            outline.push(line.to_owned());
        }
    }
    outline.join("\n") + "\n"
}

fn is_function(code: &str) -> bool {
    code.trim_start_matches("pub ").trim_start_matches("const ").starts_with("fn ")
}

/// The line that begins a function or implementation, joined with those after it up to its body.
fn head<'a>(first: &str, lines: &mut impl Iterator<Item = &'a str>) -> String {
    let mut head = first.to_owned();
    while !head.ends_with(['{', ';', '}']) {
        let line = lines.next().unwrap_or("}").trim_start();
        if line.starts_with(')') {
            head.truncate(head.trim_end_matches([' ', ',']).len());
        } else if !head.ends_with('(') {
            head.push(' ');
        }
        head += line;
    }
    head
}
