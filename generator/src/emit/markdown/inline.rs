//! Escapes markup of Markdown and rustdoc within a line.

/// Escapes a line outside its code spans, in which spaces become [`GAP`](super::GAP).
pub(super) fn escape(line: &str) -> String {
    let mut output = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        let (before, from) = rest.split_at(start);
        text(before, &mut output);
        let length = if let Some(length) = code_span(from) {
            output.push_str(&from[..length].replace(' ', super::GAP.encode_utf8(&mut [0; 4])));
            length
        } else {
            let row = from.len() - from.trim_start_matches('`').len();
            output.push_str(&"\\`".repeat(row));
            row
        };
        rest = &from[length..];
    }
    text(rest, &mut output);
    output
}

/// The length of a code span between single backticks at the start of a string.
fn code_span(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('`').filter(|inner| !inner.starts_with('`'))?;
    let end = inner.find('`').filter(|end| !inner[*end..].starts_with("``"))?;
    let content = inner[..end].trim();
    (!content.is_empty()).then_some(end + 2)
}

/// Escapes text that has no code spans, and makes links of addresses.
fn text(text: &str, output: &mut String) {
    let mut rest = text;
    while let Some(start) = address(rest) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c: char| c.is_whitespace() || "<>[]()\"'`\\^{|}*".contains(c)).unwrap_or(from.len());
        let address = from[..end].trim_end_matches(['.', ',', ';', ':', '!', '?']);
        markup(before, output);
        if address.ends_with("://") {
            let mut scheme = String::new();
            markup(address, &mut scheme);
            output.push_str(&scheme.replace("://", ":\\//"));
        } else {
            output.extend(["<", address, ">"]);
        }
        rest = &from[address.len()..];
    }
    markup(rest, output);
}

/// Where the first address begins.
fn address(text: &str) -> Option<usize> {
    let is_address = |at: &usize| ["http://", "https://"].iter().any(|scheme| text[*at..].starts_with(scheme));
    text.match_indices("http").map(|(at, _)| at).find(is_address)
}

fn markup(text: &str, output: &mut String) {
    for (at, c) in text.char_indices() {
        let rest = &text[at..];
        let is_markup = matches!(c, '\\' | '<' | '>' | '[' | ']' | '*' | '_' | '~' | '|');
        // Punctuation that rustdoc makes another of: the words of a command line would no longer be those.
        let is_smart = rest.starts_with("--") || rest.starts_with("...");
        if is_markup || is_smart || is_entity(rest) {
            output.push('\\');
        }
        output.push(c);
    }
}

/// Whether a string starts with `&lt;` or the like. The longest name of an entity has 31 letters.
fn is_entity(text: &str) -> bool {
    let Some(name) = text.strip_prefix('&') else { return false };
    let length = name.bytes().take(40).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    length > 0 && name[length..].starts_with(';')
}

/// Where a backslash keeps a word at the start of a line from being a heading, a list, a rule or the like, if it would.
pub(super) fn block_marker(word: &str) -> Option<usize> {
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 {
        return word[digits..].starts_with(['.', ')']).then_some(digits);
    }
    word.starts_with(['#', '+', '-', '=', ':']).then_some(0)
}

/// A word that begins no block.
pub(super) fn guarded(word: &str) -> String {
    let (before, after) = word.split_at(block_marker(word).unwrap_or_default());
    let escape = if block_marker(word).is_some() { "\\" } else { "" };
    format!("{before}{escape}{after}")
}
