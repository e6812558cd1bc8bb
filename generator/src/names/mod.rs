//! Wire names to Rust names. The only place that makes names.

mod distinct;
mod modules;

use crate::hash::fnv;
use crate::pointer::unescape;
pub use distinct::{arguments, distinct, files, is_device, parameters, resource_modules};
use heck::{ToLowerCamelCase, ToSnakeCase, ToUpperCamelCase};
pub use modules::{LONGEST_MODULE, LONGEST_RESOURCE, default_module, full_module, is_cut};
use std::collections::BTreeSet;

/// Keywords, which no field, function or module can have as a name.
const KEYWORDS: [&str; 51] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The field of every struct for unknown members. No property has this name: names end with an
/// underscore only if they are keywords without it.
pub const UNKNOWN: &str = "unknown_";

/// Names that mean something else inside an emitted file.
const TAKEN_TYPES: [&str; 11] =
    ["Self", "Box", "Default", "Err", "None", "Ok", "Option", "Result", "Some", "String", "Vec"];

/// The longest name of a type. rustdoc writes a file for each, and file names end at 255 bytes.
pub const LONGEST_TYPE: usize = 200;

/// Wire names that no rule splits into the right words.
const FIELDS: [(&str, &str); 1] = [("openAPIV3Schema", "open_api_v3_schema")];

/// The name of a field: `hostIPs` is `host_ips`, `type` is `type_`, `$ref` is `ref_`.
///
/// `None` when the wire name has no letter or digit to make a name of.
#[must_use]
pub fn field(wire: &str) -> Option<String> {
    if let Some((_, name)) = FIELDS.iter().find(|(key, _)| *key == wire) {
        return Some((*name).to_owned());
    }
    identifier(&lower_plural_acronyms(wire).to_snake_case())
}

/// The name of a package in paths.
#[must_use]
pub fn package_ident(package: &str) -> String {
    package.replace('-', "_")
}

/// Names of crates that mean something else in every crate.
const TAKEN_CRATES: [&str; 6] = ["alloc", "build", "core", "proc-macro", "std", "test"];

/// Whether a package may have a name.
#[must_use]
pub fn is_package_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// Whether emitted code can name a package.
#[must_use]
pub fn is_crate_name(name: &str) -> bool {
    is_package_name(name)
        && is_identifier(&package_ident(name))
        && !TAKEN_CRATES.contains(&name.replace('_', "-").as_str())
}

/// Whether a string is an identifier as it is.
#[must_use]
pub fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && text != "Self"
        && !KEYWORDS.contains(&text)
}

/// Whether a wire name is the name of its field in camelCase: of `proxyUrl` and `proxyURL`, the
/// first.
#[must_use]
pub fn is_exact_camel(wire: &str) -> bool {
    field(wire).is_some_and(|name| name.to_lower_camel_case() == wire)
}

/// The name of a module or a function, from any string.
#[must_use]
pub fn module(text: &str) -> Option<String> {
    identifier(&text.to_snake_case())
}

/// The name of a type, from the last part of a schema name: kept as it is where it can be.
#[must_use]
pub fn type_name(wire: &str) -> Option<String> {
    let name = upper_camel(wire)?;
    Some(if TAKEN_TYPES.contains(&name.as_str()) { format!("{name}_") } else { name })
}

/// The name of a type or a variant, which others may have too.
fn upper_camel(wire: &str) -> Option<String> {
    let plain = wire.starts_with(|c: char| c.is_ascii_uppercase())
        && wire.chars().all(|c| c.is_ascii_alphanumeric());
    let name = if plain { wire.to_owned() } else { ascii(wire).to_upper_camel_case() };
    let name = match name.chars().next()? {
        first if first.is_ascii_digit() => format!("N{name}"),
        _ => name,
    };
    Some(name)
}

/// The name of a nested type: the name of its parent, followed by the name of its property.
///
/// `None` when the property has no letter or digit to make a name of.
#[must_use]
pub fn nested_type_name(parent: &str, member: &str) -> Option<String> {
    let member = ascii(member).to_upper_camel_case();
    if member.is_empty() { None } else { type_name(&format!("{parent}{member}")) }
}

/// The number of letters of a hash in a shortened name.
const HASH: usize = 5;

/// A shorter name for a nested type with a name that is too long: the outer kind, the last
/// properties that fit, and letters of a hash of the whole path. It depends only on the label of
/// the schema.
#[must_use]
pub fn shortened_type(label: &str) -> Option<String> {
    let (schema, path) = label.split_once('/')?;
    let outer = type_name(split_schema(schema).1)?;
    let mut tokens = path.split('/');
    let mut words = Vec::new();
    while let Some(token) = tokens.next() {
        let property = if token == "properties" { tokens.next() } else { None };
        words.extend(property.map(|property| ascii(&unescape(property)).to_upper_camel_case()));
    }
    let most = LONGEST_TYPE.checked_sub(outer.len() + HASH)?;
    let mut length = 0;
    let kept = words.iter().rev().take_while(|word| {
        length += word.len();
        length <= most
    });
    let kept = kept.count();
    Some(format!("{outer}{}{}", words[words.len() - kept..].concat(), letters(label)))
}

/// Letters of a hash that is the same on every machine.
fn letters(text: &str) -> String {
    let mut hash = fnv(text.bytes());
    let mut letters = String::new();
    for index in 0..HASH {
        let first = if index == 0 { b'A' } else { b'a' };
        letters.push(char::from(first + u8::try_from(hash % 26).unwrap_or_default()));
        hash /= 26;
    }
    letters
}

/// The error of a name longer than [`LONGEST_TYPE`].
#[must_use]
pub fn too_long_type(name: &str) -> String {
    format!("a type's name of {} characters; rustdoc accepts {LONGEST_TYPE}", name.len())
}

/// Whether a string can be the name of a type as it is.
#[must_use]
pub fn is_type_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase()) && type_name(text).as_deref() == Some(text)
}

/// Whether a string can be the name of a field or a module as it is.
#[must_use]
pub fn is_snake_name(text: &str) -> bool {
    module(text).as_deref() == Some(text)
}

/// The names of the variants of an enum, one for each value and all different. The values must be
/// different.
#[must_use]
pub fn variants(values: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut taken = BTreeSet::new();
    for (index, value) in values.iter().enumerate() {
        let made = if value.is_empty() { Some("Empty".to_owned()) } else { upper_camel(value) };
        let numbered = (index..).map(|number| format!("Value{number}"));
        // `Other` is the variant of values that the document does not have; `Self` is a keyword.
        let mut possible =
            made.into_iter().chain(numbered).filter(|name| name != "Other" && name != "Self");
        let free = possible.find(|name| !taken.contains(name));
        taken.extend(free.clone());
        names.extend(free);
    }
    names
}

/// The package of a schema name, which ends at the last dot, and the rest.
#[must_use]
pub fn split_schema(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or(("", name))
}

/// Comparing takes time that grows with the square of the length, and longer names are not
/// mistyped.
const LONGEST_ALIKE: usize = 200;

/// The most similar candidate, if one is similar: it is spelled much like the name, or it is the
/// name with its package.
#[must_use]
pub fn nearest<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    if let Some(with_package) = candidates.clone().find(|one| split_schema(one).1 == name) {
        return Some(with_package);
    }
    candidates
        .filter(|one| one.len().abs_diff(name.len()) <= 3 && one.len() <= LONGEST_ALIKE)
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// `hostIPs` has the words `host` and `IPs`, not `host`, `I` and `Ps`: lowers the tail of capitals
/// before a plural s.
fn lower_plural_acronyms(wire: &str) -> String {
    let chars: Vec<char> = wire.chars().collect();
    let mut lowered = chars.clone();
    for (at, letter) in chars.iter().enumerate() {
        let ends = chars.get(at + 1).is_none_or(|next| !next.is_lowercase());
        let start = chars[..at].iter().rposition(|c| !c.is_ascii_uppercase()).map_or(0, |i| i + 1);
        if *letter == 's' && ends && at - start >= 2 {
            lowered[start + 1..at].iter_mut().for_each(char::make_ascii_lowercase);
        }
    }
    lowered.into_iter().collect()
}

/// Anything but ASCII letters and digits only separates words.
fn ascii(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn identifier(snake: &str) -> Option<String> {
    let name =
        ascii(snake).split('_').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_");
    let first = name.chars().next()?;
    Some(if first.is_ascii_digit() {
        format!("n{name}")
    } else if KEYWORDS.contains(&name.as_str()) {
        format!("{name}_")
    } else {
        name
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_keep_the_words_of_the_wire_name() {
        let cases = [
            ("apiVersion", "api_version"),
            ("hostIPs", "host_ips"),
            ("clusterIP", "cluster_ip"),
            ("podCIDRs", "pod_cidrs"),
            ("nonResourceURLs", "non_resource_urls"),
            ("targetWWNs", "target_wwns"),
            ("serverAddressByClientCIDRs", "server_address_by_client_cidrs"),
            ("IPs", "ips"),
            ("Port", "port"),
            ("hostPID", "host_pid"),
            ("insecureSkipTLSVerifyBackend", "insecure_skip_tls_verify_backend"),
            ("x-kubernetes-list-map-keys", "x_kubernetes_list_map_keys"),
            ("$ref", "ref_"),
            ("$schema", "schema"),
            ("type", "type_"),
            ("continue", "continue_"),
            ("openAPIV3Schema", "open_api_v3_schema"),
            ("revision.authorEmail", "revision_author_email"),
            ("2fast", "n2fast"),
            ("gateway_ip", "gateway_ip"),
            ("dockerImageManifestMediaType", "docker_image_manifest_media_type"),
        ];
        for (wire, name) in cases {
            assert_eq!(field(wire).as_deref(), Some(name), "{wire}");
        }
        assert_eq!(field("$"), None);
        assert_eq!(field("名前"), None);
    }

    #[test]
    fn no_property_is_called_like_the_unknown_ones() {
        for wire in ["unknown", "unknown_", "_unknown_", "Unknown_"] {
            assert_eq!(field(wire).as_deref(), Some("unknown"));
        }
        assert!(!is_snake_name(UNKNOWN));
    }

    #[test]
    fn one_spelling_of_a_field_is_exact() {
        for wire in ["proxyUrl", "mirrorPercent", "type", "x"] {
            assert!(is_exact_camel(wire), "{wire}");
        }
        for wire in ["proxyURL", "mirror_percent", "mirror-percent", "Type", "$ref", "$"] {
            assert!(!is_exact_camel(wire), "{wire}");
        }
    }

    #[test]
    fn types_keep_their_name() {
        let cases = [
            ("Pod", "Pod"),
            ("APIResourceList", "APIResourceList"),
            ("ObjectMeta_v2", "ObjectMetaV2"),
            ("pet-store", "PetStore"),
            ("Option", "Option_"),
            ("3scale", "N3scale"),
        ];
        for (wire, name) in cases {
            assert_eq!(type_name(wire).as_deref(), Some(name), "{wire}");
        }
        assert_eq!(type_name("日本"), None);
        assert_eq!(nested_type_name("CronTab", "名前"), None);
        assert_eq!(
            nested_type_name("CronTabSpec", "jobTemplate").as_deref(),
            Some("CronTabSpecJobTemplate")
        );
    }

    #[test]
    fn variants_are_all_different() {
        let values =
            ["Always", "IfNotPresent", "", "*", "amd64", "AMD64", "Amd64", "Other", "Unknown"];
        let values: Vec<String> = values.map(str::to_owned).into();
        assert_eq!(
            variants(&values),
            [
                "Always",
                "IfNotPresent",
                "Empty",
                "Value3",
                "Amd64",
                "AMD64",
                "Value6",
                "Value7",
                "Unknown"
            ]
        );
    }

    #[test]
    fn the_nearest_name_is_suggested_only_when_it_is_near() {
        let names = ["pods", "endpoints", "events"];
        assert_eq!(nearest("pod", names.into_iter()), Some("pods"));
        assert_eq!(nearest("event", names.into_iter()), Some("events"));
        assert_eq!(nearest("zebra", names.into_iter()), None);
        assert_eq!(nearest("patternProperties", ["pattern"].into_iter()), None);
        assert_eq!(
            nearest("Pod", ["Pob", "io.k8s.api.core.v1.Pod"].into_iter()),
            Some("io.k8s.api.core.v1.Pod")
        );
    }
}
