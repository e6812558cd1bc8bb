//! Checks of names, labels and other metadata, which are the same for all kinds.

use crate::object::Tree;
use kapigen_definitions::Cause;
use kapigen_definitions::{label_errors, subdomain_errors};
use serde_json::{Value, json};

const NAME_PART: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start \
                         and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  \
                         or '123-abc', regex used for validation is \
                         '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const LABEL_VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or \
     '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  \
     or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/// The maximum number of bytes that annotations have together.
const MOST_ANNOTATIONS: usize = 256 << 10;

/// The longest a label value or the name part of a key may be.
const LONGEST: usize = 63;

fn is_name_part(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.ends_with(|c: char| c.is_ascii_alphanumeric())
}

/// The reasons for which a string cannot be the key of a label, or a name like it.
pub(crate) fn label_key_errors(key: &str) -> Vec<String> {
    let (prefix, name) = match key.split_once('/') {
        None => (None, key),
        Some((prefix, name)) if !name.contains('/') => (Some(prefix), name),
        Some(_) => {
            let rest = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
            return vec![format!("a valid label key {NAME_PART} {rest}")];
        }
    };
    let mut errors = Vec::new();
    match prefix {
        Some("") => errors.push("prefix part must be non-empty".to_owned()),
        Some(prefix) => {
            errors.extend(subdomain_errors(prefix).iter().map(|why| format!("prefix part {why}")));
        }
        None => {}
    }
    if name.is_empty() {
        errors.push("name part must be non-empty".to_owned());
    } else if name.len() > LONGEST {
        errors.push("name part must be no more than 63 bytes".to_owned());
    }
    if !is_name_part(name) {
        errors.push(format!("name part {NAME_PART}"));
    }
    errors
}

/// The reasons for which a string cannot be the key of an annotation. In lower case, it has to be
/// the key of a label.
pub(crate) fn annotation_key_errors(key: &str) -> Vec<String> {
    let has_other_case = key.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii());
    if has_other_case { label_key_errors(&key.to_lowercase()) } else { label_key_errors(key) }
}

/// The reasons for which a string cannot be the value of a label.
pub(crate) fn label_value_errors(value: &str) -> Vec<String> {
    let mut errors = Vec::new();
    if value.len() > LONGEST {
        errors.push("must be no more than 63 bytes".to_owned());
    }
    if !value.is_empty() && !is_name_part(value) {
        errors.push(LABEL_VALUE.to_owned());
    }
    errors
}

/// The rule for the names of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum NameRule {
    /// A DNS subdomain.
    #[default]
    Subdomain,
    /// A single DNS label.
    Label,
    /// Anything that can be a segment of a path.
    PathSegment,
}

impl NameRule {
    /// The reasons for which a name is refused.
    pub(crate) fn errors(self, name: &str) -> Vec<String> {
        match self {
            Self::Subdomain => subdomain_errors(name),
            Self::Label => label_errors(name),
            Self::PathSegment => match name {
                "." => vec!["may not be '.'".to_owned()],
                ".." => vec!["may not be '..'".to_owned()],
                _ => {
                    let bad = ["/", "%"].into_iter().filter(|bad| name.contains(bad));
                    bad.map(|bad| format!("may not contain '{bad}'")).collect()
                }
            },
        }
    }
}

/// The number of times that each check of metadata runs. Servers run some of them more than once
/// and report all errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MetadataChecks {
    /// How often an update checks labels, annotations and owners.
    pub(crate) on_update: usize,
    /// How often an update checks finalizers.
    pub(crate) of_finalizers: usize,
    /// Whether finalizers without a prefix are refused unless they are standard.
    pub(crate) of_standard: bool,
    /// Whether an update reports these after all other errors of finalizers, as often as it checks
    /// them.
    pub(crate) is_apart: bool,
}

/// Checks the metadata of a new object.
pub(crate) fn metadata(object: &Value, rule: NameRule, checks: MetadataChecks) -> Vec<Cause> {
    let mut causes = Vec::new();
    let prefix = object.metadata_text("generateName");
    if !prefix.is_empty() {
        let errors = rule.errors(&format!("{prefix}x"));
        causes.extend(
            errors.iter().map(|why| Cause::invalid("metadata.generateName", &json!(prefix), why)),
        );
    }
    let name = object.metadata_text("name");
    if name.is_empty() {
        causes.push(Cause::required("metadata.name", "name or generateName is required"));
    } else {
        causes.extend(
            rule.errors(name).iter().map(|why| Cause::invalid("metadata.name", &json!(name), why)),
        );
    }
    causes.extend(shared(object));
    causes.extend(finalizers(object));
    causes.extend(standard_finalizers(object, checks));
    causes
}

/// Checks the metadata of a changed object.
pub(crate) fn changed_metadata(object: &Value, checks: MetadataChecks) -> Vec<Cause> {
    let mut causes = vec![shared(object); checks.on_update].concat();
    let names = finalizers(object);
    let standard = standard_finalizers(object, checks);
    if checks.is_apart {
        causes.extend(
            [vec![names; checks.of_finalizers], vec![standard; checks.of_finalizers]]
                .concat()
                .concat(),
        );
    } else {
        causes.extend(vec![[names, standard].concat(); checks.of_finalizers].concat());
    }
    causes
}

/// Checks labels, annotations and owners.
fn shared(object: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    entries(object, "labels", &mut causes, true);
    entries(object, "annotations", &mut causes, false);
    let annotations =
        object.metadata("annotations").and_then(Value::as_object).into_iter().flatten();
    if annotations.map(|(key, value)| key.len() + value.as_str().map_or(0, str::len)).sum::<usize>()
        > MOST_ANNOTATIONS
    {
        causes.push(Cause::too_long("metadata.annotations", MOST_ANNOTATIONS));
    }
    owners(object, &mut causes);
    causes
}

fn entries(object: &Value, name: &str, causes: &mut Vec<Cause>, with_values: bool) {
    let field = format!("metadata.{name}");
    let Some(entries) = object.metadata(name).and_then(Value::as_object) else { return };
    for (key, value) in entries {
        let errors = if with_values { label_key_errors(key) } else { annotation_key_errors(key) };
        causes.extend(errors.iter().map(|why| Cause::invalid(&*field, &json!(key), why)));
        let errors =
            value.as_str().filter(|_| with_values).map(label_value_errors).unwrap_or_default();
        causes.extend(errors.iter().map(|why| Cause::invalid(&*field, value, why)));
    }
}

/// The members of an owner reference that are never empty.
const OWNER: [&str; 4] = ["apiVersion", "kind", "name", "uid"];

fn owners(object: &Value, causes: &mut Vec<Cause>) {
    let field = "metadata.ownerReferences";
    let owners = object.metadata("ownerReferences").and_then(Value::as_array);
    let owners: Vec<_> = owners.into_iter().flatten().collect();
    for owner in &owners {
        for key in OWNER {
            if owner.text(key).is_empty() {
                causes.push(Cause::invalid(
                    format!("{field}.{key}"),
                    &json!(""),
                    "must not be empty",
                ));
            }
        }
    }
    let controllers = owners.iter().filter(|owner| owner.get("controller") == Some(&json!(true)));
    let controllers: Vec<_> =
        controllers.map(|owner| format!("{}/{}", owner.text("kind"), owner.text("name"))).collect();
    if let [first, second, ..] = &controllers[..] {
        let why = format!(
            "Only one reference can have Controller set to true. Found \"true\" in references for \
             {first} and {second}"
        );
        causes.push(Cause::invalid(field, &json!(owners), &why));
    }
}

/// The finalizers that need no prefix.
const STANDARD_FINALIZERS: [&str; 3] = ["foregroundDeletion", "kubernetes", "orphan"];

/// The field of finalizers.
const FINALIZERS: &str = "metadata.finalizers";

fn finalizer_names(object: &Value) -> Vec<&str> {
    let list = object.metadata("finalizers").and_then(Value::as_array);
    list.into_iter().flatten().map(|name| name.as_str().unwrap_or_default()).collect()
}

/// Checks finalizers by the rules of all kinds.
fn finalizers(object: &Value) -> Vec<Cause> {
    let names = finalizer_names(object);
    let errors = names.iter().flat_map(|name| {
        let errors = label_key_errors(name).into_iter();
        errors.map(move |why| Cause::invalid(FINALIZERS, &json!(name), &why))
    });
    let mut causes: Vec<_> = errors.collect();
    if ["orphan", "foregroundDeletion"].iter().all(|policy| names.contains(policy)) {
        let why = "finalizer orphan and foregroundDeletion cannot be both set";
        causes.push(Cause::invalid(FINALIZERS, &json!(names), why));
    }
    causes
}

/// Whether a finalizer has no prefix, and is not standard.
pub(crate) fn is_odd_finalizer(name: &str) -> bool {
    !name.contains('/') && !STANDARD_FINALIZERS.contains(&name)
}

/// Checks that finalizers without a prefix are standard, if the kind demands it.
fn standard_finalizers(object: &Value, checks: MetadataChecks) -> Vec<Cause> {
    if !checks.of_standard {
        return Vec::new();
    }
    let names = finalizer_names(object);
    let odd = names.iter().enumerate().filter(|(_, name)| is_odd_finalizer(name));
    let causes = odd.map(|(index, name)| {
        let why = "name is neither a standard finalizer name nor is it fully qualified";
        Cause::invalid(format!("{FINALIZERS}[{index}]"), &json!(name), why)
    });
    causes.collect()
}
