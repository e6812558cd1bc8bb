//! The names that servers take.

const LABEL: &str = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an \
    alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for \
    validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', \
    and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
    '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/// Why a name is no label of DNS that begins with a letter, in the words of servers. `None` if it is one.
pub(crate) fn bad_label(name: &str) -> Option<String> {
    let good = is_part(name) && name.starts_with(|first: char| first.is_ascii_lowercase());
    join(name.len() > 63, 63, !good, LABEL)
}

/// Why a name is no subdomain.
pub(crate) fn bad_subdomain(name: &str) -> Option<String> {
    join(name.len() > 253, 253, !name.split('.').all(is_part), SUBDOMAIN)
}

/// Whether a name begins and ends with a letter or digit, and has dashes at most between them.
fn is_part(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    name.starts_with(is_plain) && name.ends_with(is_plain) && name.chars().all(|c| is_plain(c) || c == '-')
}

fn join(is_long: bool, most: usize, is_bad: bool, rule: &str) -> Option<String> {
    let long = is_long.then(|| format!("must be no more than {most} characters"));
    let bad = is_bad.then(|| rule.to_owned());
    let all: Vec<_> = long.into_iter().chain(bad).collect();
    (!all.is_empty()).then(|| all.join(","))
}
