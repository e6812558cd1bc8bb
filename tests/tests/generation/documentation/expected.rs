//! The expected words of documentation, compared with the rendered ones.

/// A part of the expected words.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// Prose of the document, in which there are paragraphs, lists and code spans.
    Prose(String),
    /// A string of the document that is shown as code.
    Code(String),
    /// Words of ours.
    Own(&'static str),
    /// Everything else.
    Rest,
}

/// The rest of the rendered text from where it begins to differ.
pub(crate) fn mismatch(rendered: &str, pieces: &[Piece]) -> Option<String> {
    let mut rest = rendered;
    for piece in pieces {
        let left = match piece {
            Piece::Prose(prose) => skip(rest, &items(prose), false),
            Piece::Code(code) if code.trim_matches(' ').is_empty() => {
                skip(rest, &format!("`\"{code}\"`"), true)
            }
            Piece::Code(code) => skip(rest, &format!("`{code}`"), true),
            Piece::Own(words) => skip(rest, words, false),
            Piece::Rest => return None,
        };
        match left {
            Ok(left) => rest = left,
            Err(at) => return Some(at.chars().take(40).collect()),
        }
    }
    (!rest.is_empty()).then(|| rest.chars().take(40).collect())
}

/// With a hyphen for the asterisks that begin the items of a list.
fn items(prose: &str) -> String {
    let line = |line: &str| {
        let line: String = line.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
        line.trim().strip_prefix("* ").map_or(line.clone(), |item| format!("- {item}"))
    };
    prose.split('\n').map(line).collect()
}

/// Skips a string in the rendered text, which has no white space. Invisible characters are written
/// out there.
fn skip<'a>(rendered: &'a str, string: &str, is_code: bool) -> Result<&'a str, &'a str> {
    let mut rest = rendered;
    for c in string.chars() {
        let left = written_out(rest, c, is_code);
        rest = match rest.chars().next() {
            _ if left.is_some() => left.unwrap_or_default(),
            _ if c.is_whitespace() && (!is_code || c == ' ') => rest,
            Some(first) if straight(first) == straight(c) && !is_hidden(c) => {
                &rest[first.len_utf8()..]
            }
            _ => return Err(rest),
        };
    }
    Ok(rest)
}

/// The rest behind a character that is written out at the start of a string.
fn written_out(text: &str, c: char, is_code: bool) -> Option<&str> {
    let short = match c {
        '\n' => r"\n",
        '\r' => r"\r",
        '\t' => r"\t",
        _ => "",
    };
    let number = format!("\\u{{{:x}}}", u32::from(c));
    let short = text.strip_prefix(short).filter(|_| is_code && !short.is_empty());
    short.or_else(|| text.strip_prefix(&number).filter(|_| is_code || !c.is_whitespace()))
}

/// rustdoc makes quotes typographic.
fn straight(c: char) -> char {
    match c {
        '‘' | '’' => '\'',
        '“' | '”' => '"',
        c => c,
    }
}

/// Characters that must not be there as they are, of which the most harmful are listed.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || "\u{ad}\u{61c}\u{115f}\u{180e}\u{3164}\u{feff}\u{fff9}\u{e0001}\u{e0041}\u{e007f}\u{1d173}".contains(c)
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
}
