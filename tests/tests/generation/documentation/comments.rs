//! The documentation in Rust code.

/// A documentation comment or the note of a deprecated item.
pub(crate) struct Comment {
    /// The file and the item below the comment, by the numbers that the tests give them.
    pub(crate) item: String,
    /// The Markdown that rustdoc parses.
    pub(crate) markdown: String,
}

/// All documentation in a file.
pub(crate) fn comments(path: &str, text: &str) -> Vec<Comment> {
    let mut comments = Vec::new();
    let mut values = 0..;
    let mut lines = text.lines().map(str::trim_start).peekable();
    while let Some(line) = lines.next() {
        let is_doc = line.starts_with("#[doc") || line.starts_with("#![doc");
        assert!(!is_doc || ["#[doc(inline)]", "#[doc(hidden)]"].contains(&line), "{path}: {line}");
        if let Some((_, note)) =
            line.strip_prefix("#[deprecated").and_then(|note| note.split_once("note = "))
        {
            comments.push(Comment {
                item: format!("{path}: note"),
                markdown: note.trim_end_matches(")]").to_owned(),
            });
        }
        let Some(start) = ["///", "//!"].into_iter().find(|start| line.starts_with(start)) else {
            continue;
        };
        let mut markdown = content(&line[start.len()..]);
        while let Some(next) = lines.next_if(|line| line.starts_with(start)) {
            markdown.extend(["\n", &content(&next[start.len()..])]);
        }
        let below = lines.clone().find(|line| !line.starts_with("#[")).unwrap_or_default();
        let item = match name(below) {
            _ if start == "//!" => "file".to_owned(),
            "" => format!("value {}", values.next().unwrap_or_default()),
            name => name.to_owned(),
        };
        comments.push(Comment { item: format!("{}: {item}", file(path)), markdown });
    }
    comments
}

/// rustdoc takes away the indentation that all lines share: the space with which each of ours
/// begins.
fn content(line: &str) -> String {
    assert!(line.is_empty() || line.starts_with(' '), "{line:?}");
    line.get(1..).unwrap_or_default().to_owned()
}

/// The declaration in a line of code, without names that are made of strings of a document. Values
/// are dropped.
fn name(line: &str) -> &str {
    match line.strip_prefix("pub ") {
        Some(_) if line.starts_with("pub fn get") => "pub fn get",
        Some(_) => numbered(line),
        None if line.starts_with("Other(") => "Other",
        None => "",
    }
}

/// A path within its module, without the part that is made of the string of a document.
fn file(path: &str) -> &str {
    numbered(path.find("types/").map_or(path, |start| &path[start..]))
}

/// Up to the end of the first number.
fn numbered(text: &str) -> &str {
    let digits = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    let end = text[digits..]
        .find(|c: char| !c.is_ascii_digit())
        .map_or(text.len(), |length| digits + length);
    &text[..end]
}
