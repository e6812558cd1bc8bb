// not vendored
//! Named formats of strings.

use super::budget::Budget;
use super::outcome::Called;
use super::value::Value;
use crate::schema::fits_format;
use crate::validate::{label_key_errors, label_value_errors};
use kapigen_definitions::{label_errors, subdomain_errors};

/// The check of a format: the reasons for which a string has it not.
type Check = fn(&str) -> Vec<String>;

const FORMATS: [(&str, Check); 13] = [
    ("byte", |text| plain(text, "byte", "invalid base64")),
    ("date", |text| plain(text, "date", "invalid date")),
    ("datetime", |text| plain(text, "datetime", "invalid datetime")),
    ("dns1035Label", labels_of_1035),
    ("dns1035LabelPrefix", |text| labels_of_1035(&prefixed(text))),
    ("dns1123Label", label_errors),
    ("dns1123LabelPrefix", |text| label_errors(&prefixed(text))),
    ("dns1123Subdomain", subdomain_errors),
    ("dns1123SubdomainPrefix", |text| subdomain_errors(&prefixed(text))),
    ("labelValue", label_value_errors),
    ("qualifiedName", label_key_errors),
    ("uri", |text| plain(text, "uri", "invalid URI")),
    ("uuid", |text| plain(text, "uuid", "does not match the UUID format")),
];

fn plain(text: &str, format: &str, why: &str) -> Vec<String> {
    if fits_format(format, text) { Vec::new() } else { vec![why.to_owned()] }
}

/// A prefix of a name with the shortest rest: prefixes may end with a dash.
fn prefixed(text: &str) -> String {
    text.strip_suffix('-').map_or_else(|| text.to_owned(), |text| format!("{text}a"))
}

fn labels_of_1035(text: &str) -> Vec<String> {
    let mut errors = label_errors(text);
    if errors.is_empty() && text.starts_with(|c: char| c.is_ascii_digit()) {
        errors.push(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start \
             with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name', \
              or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
                .to_owned(),
        );
    }
    errors
}

pub(super) fn call<'a>(budget: &mut Budget, name: &str, values: &[Value<'a>]) -> Called<'a> {
    match (name, values) {
        ("format.named", [Value::String(wanted)]) => {
            Some(Ok(Value::optional(format_of(wanted).map(|(known, _)| Value::Format(known)))))
        }
        ("validate", [Value::Format(format), Value::String(text)]) => {
            if let Err(failure) = budget.spend_bytes(text.len()) {
                return Some(Err(failure));
            }
            let (_, check) = format_of(format)?;
            let errors: Vec<_> = check(text).into_iter().map(Value::from).collect();
            let errors = Some(errors).filter(|errors| !errors.is_empty());
            Some(Ok(Value::optional(errors.map(Value::from))))
        }
        (name, []) => {
            let (known, _) = format_of(name.strip_prefix("format.")?)?;
            Some(Ok(Value::Format(known)))
        }
        _ => None,
    }
}

/// The format of a name, with its check.
fn format_of(wanted: &str) -> Option<&'static (&'static str, Check)> {
    FORMATS.iter().find(|(known, _)| *known == wanted)
}
