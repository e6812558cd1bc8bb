//! Addresses of mail.

/// An address, alone or in angle brackets behind a name, with comments.
pub(super) fn is_address(text: &str) -> bool {
    let Some(text) = without_comments(text) else { return false };
    let text = text.trim_matches([' ', '\t']);
    if let Some(inner) = text.strip_suffix('>') {
        let Some((name, address)) = split_outside(inner, '<') else { return false };
        return is_phrase(name) && is_plain_address(address);
    }
    is_plain_address(text)
}

/// The text without what is in parentheses. `None` if one has no end.
fn without_comments(text: &str) -> Option<String> {
    let (mut plain, mut depth) = (String::new(), 0_usize);
    let (mut is_quoted, mut is_escaped) = (false, false);
    for c in text.chars() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted || depth > 0 => is_escaped = true,
            '"' if depth == 0 => is_quoted = !is_quoted,
            '(' if !is_quoted => depth += 1,
            ')' if !is_quoted && depth > 0 => {
                depth -= 1;
                continue;
            }
            _ => {}
        }
        if depth == 0 {
            plain.push(c);
        }
    }
    (depth == 0).then_some(plain)
}

/// Splits at the last character of this kind that is not in a quoted string.
fn split_outside(text: &str, at: char) -> Option<(&str, &str)> {
    let (before, behind) = text.rsplit_once(at)?;
    before.matches('"').count().is_multiple_of(2).then_some((before, behind))
}

/// Words, quoted or not. There may be none.
fn is_phrase(text: &str) -> bool {
    text.split('"').enumerate().all(|(index, part)| {
        let is_quoted = index % 2 == 1;
        is_quoted
            || part.split([' ', '\t']).all(|word| word.chars().all(|c| c == '.' || is_atom(c)))
    })
}

fn is_plain_address(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let domain = domain.trim_start_matches([' ', '\t']);
    let quoted = local.strip_prefix('"').and_then(|inner| inner.strip_suffix('"'));
    let is_local = match quoted {
        Some(inner) => is_quotable(inner),
        None => is_dotted(local),
    };
    let literal = domain.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
    let is_domain = match literal {
        Some(inner) => super::net::loose_address(inner).is_some(),
        None => is_dotted(domain),
    };
    is_local && is_domain
}

/// Whether quotes within a quoted string are escaped.
fn is_quotable(inner: &str) -> bool {
    let mut is_escaped = false;
    let is_fine = inner.chars().all(|c| {
        let is_fine = is_escaped || c != '"' && !c.is_ascii_control();
        is_escaped = c == '\\' && !is_escaped;
        is_fine
    });
    is_fine && !is_escaped && !inner.is_empty()
}

/// Atoms with dots between them.
fn is_dotted(text: &str) -> bool {
    text.split('.').all(|part| !part.is_empty() && part.chars().all(is_atom))
}

fn is_atom(c: char) -> bool {
    c.is_ascii_alphanumeric() || !c.is_ascii() || "!#$%&'*+-/=?^_`{|}~".contains(c)
}
