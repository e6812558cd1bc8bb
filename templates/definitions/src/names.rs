//! The names that servers accept, and their refusals of others.

const LABEL_1035: &str = "a DNS-1035 label must consist of lower case alphanumeric characters or \
                          '-', start with an alphabetic character, and end with an alphanumeric \
                          character (e.g. 'my-name',  or 'abc-123', regex used for validation is \
                          '[a-z]([-a-z0-9]*[a-z0-9])?')";
const LABEL: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric \
                     characters or '-', and must start and end with an alphanumeric character \
                     (e.g. 'my-name',  or '123-abc', regex used for validation is \
                     '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric \
                         characters, '-' or '.', and must start and end with an alphanumeric \
                         character (e.g. 'example.com', regex used for validation is \
                         '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/// The longest label.
const LONGEST_LABEL: usize = 63;
/// The longest subdomain.
const LONGEST_SUBDOMAIN: usize = 253;

/// Lists why a name is not a subdomain of DNS (RFC 1123), in the words of servers. Empty if it is
/// one.
#[must_use]
pub fn subdomain_errors(name: &str) -> Vec<String> {
    errors(name, LONGEST_SUBDOMAIN, (!is_subdomain(name)).then_some(SUBDOMAIN))
}

/// Lists why a name is not a label of DNS (RFC 1123), in the words of servers. Empty if it is one.
#[must_use]
pub fn label_errors(name: &str) -> Vec<String> {
    let rule = if is_subdomain(name) { "must not contain dots" } else { LABEL };
    errors(name, LONGEST_LABEL, (!is_part(name)).then_some(rule))
}

/// Why a name is not a label of DNS that begins with a letter, in the words of servers. `None` if
/// it is one.
#[must_use]
pub fn bad_label(name: &str) -> Option<String> {
    let good = is_part(name) && name.starts_with(|first: char| first.is_ascii_lowercase());
    join(&errors(name, LONGEST_LABEL, (!good).then_some(LABEL_1035)))
}

/// Why a name is not a subdomain.
pub(crate) fn bad_subdomain(name: &str) -> Option<String> {
    join(&subdomain_errors(name))
}

fn is_subdomain(name: &str) -> bool {
    name.split('.').all(is_part)
}

/// Whether a name begins and ends with a letter or digit, and has dashes at most between them.
fn is_part(name: &str) -> bool {
    name.starts_with(is_plain)
        && name.ends_with(is_plain)
        && name.chars().all(|c| is_plain(c) || c == '-')
}

fn is_plain(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit()
}

fn errors(name: &str, most: usize, rule: Option<&str>) -> Vec<String> {
    let long = (name.len() > most).then(|| format!("must be no more than {most} characters"));
    long.into_iter().chain(rule.map(str::to_owned)).collect()
}

fn join(all: &[String]) -> Option<String> {
    (!all.is_empty()).then(|| all.join(","))
}
