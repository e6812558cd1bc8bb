//! Errors of definitions from which no client can be generated.

use crate::pointer::escape;
use kapigen_definitions::{Definition, Incomplete, MOST_VERSIONS, Version};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A definition, and the index of its manifest.
pub(super) struct Indexed<'a> {
    pub(super) index: usize,
    pub(super) definition: Definition<'a>,
}

impl<'a> Indexed<'a> {
    /// The group and plural name of its resource.
    fn key(&self) -> (&'a str, &'a str) {
        (self.definition.group(), self.definition.plural())
    }

    /// The name of its resource, such as `widgets.example.com`.
    pub(super) fn resource(&self) -> String {
        format!("{}.{}", self.definition.plural(), self.definition.group())
    }
}

/// An error of a definition.
pub(super) struct Refusal {
    /// The index of the manifest, and the pointer in it.
    pub(super) place: (usize, String),
    pub(super) message: String,
    pub(super) help: String,
    /// The place of a definition that this one contradicts.
    pub(super) other: Option<(usize, String)>,
}

impl Refusal {
    pub(super) fn new(
        index: usize,
        pointer: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let place = (index, pointer.into());
        Self { place, message: message.into(), help: help.into(), other: None }
    }
}

const FEWER_VERSIONS: &str = "leave out the versions that no client uses any more";

/// The members that a definition lacks to name its resource.
pub(super) fn incomplete(
    index: usize,
    manifest: &Value,
    absent: Vec<Incomplete>,
) -> impl Iterator<Item = Refusal> {
    let all_are_lists = absent.iter().all(|absent| {
        let list = manifest.pointer(&absent.pointer).and_then(Value::as_array);
        list.is_some_and(|list| !list.is_empty())
    });
    let help = if all_are_lists {
        FEWER_VERSIONS
    } else if absent.len() > 2 {
        "it seems to be cut, or a patch: give the whole definition"
    } else {
        "complete it: no server accepts a definition without it"
    };
    absent
        .into_iter()
        .map(move |absent| Refusal::new(index, absent.pointer.clone(), absent.to_string(), help))
}

/// The end of a source.
#[derive(Clone, Copy)]
pub(super) struct End {
    is_key: bool,
    is_line: bool,
}

impl End {
    pub(super) fn parse(text: &str) -> Self {
        Self { is_key: text.trim_end().ends_with(':'), is_line: text.ends_with('\n') }
    }
}

/// The places at which a manifest seems to end before its end, although it is YAML.
pub(super) fn cut(one: &Indexed<'_>, end: End) -> Vec<Refusal> {
    const HELP: &str = "the manifest seems to be cut: give all of it";
    let Indexed { index, definition } = one;
    let name = one.resource();
    let mut refusals = Vec::new();
    for version in definition.versions() {
        let value = definition.manifest().pointer(version.pointer()).unwrap_or(&Value::Null);
        // These follow the schema in the manifests of most tools.
        let is_cut = value.get("served").is_none() && value.get("storage").is_none();
        if version.pointer() != "/spec" && is_cut {
            let message = format!(
                "version `{}` of `{name}` has neither `served` nor `storage`",
                version.name()
            );
            refusals.push(Refusal::new(*index, version.pointer(), message, HELP));
        }
    }
    let last = last(definition.manifest());
    let is_in_schema = last.contains("/openAPIV3Schema/");
    // To a server, `null` is an absent keyword, and no schema of a property.
    let is_property = last.rsplit('/').nth(1) == Some("properties");
    let ends_there = end.is_key && (is_property || !end.is_line);
    if is_in_schema
        && ends_there
        && definition.manifest().pointer(&last).is_some_and(Value::is_null)
    {
        let message = format!("the definition of `{name}` ends in a member without a value");
        refusals.push(Refusal::new(*index, last, message, HELP));
    }
    refusals
}

/// The pointer of the last value in a value.
fn last(mut value: &Value) -> String {
    let mut pointer = String::new();
    loop {
        let (token, inner) = match value {
            Value::Object(members) => match members.iter().next_back() {
                Some((name, inner)) => (escape(name).into_owned(), inner),
                None => return pointer,
            },
            Value::Array(elements) => match elements.last() {
                Some(inner) => ((elements.len() - 1).to_string(), inner),
                None => return pointer,
            },
            _ => return pointer,
        };
        pointer.push('/');
        pointer.push_str(&token);
        value = inner;
    }
}

/// Refuses definitions of resources without a served version in any of their definitions.
pub(super) fn unserved(read: &[Indexed<'_>]) -> Vec<Refusal> {
    let served = read.iter().filter(|one| one.definition.served().next().is_some());
    let served: BTreeSet<_> = served.map(Indexed::key).collect();
    let mut refusals = Vec::new();
    for one in read.iter().filter(|one| !served.contains(&one.key())) {
        let message = format!("no version of `{}` is served", one.resource());
        let help = "set `served: true` in one of its versions";
        refusals.push(Refusal::new(one.index, "/spec/versions", message, help));
    }
    refusals
}

/// Resources that are defined twice with other kinds or scopes, versions that are defined twice,
/// differently, and kinds that two resources have.
pub(super) fn repeated(read: &[Indexed<'_>]) -> Vec<Refusal> {
    let mut resources: BTreeMap<_, &Indexed<'_>> = BTreeMap::new();
    let mut kinds: BTreeMap<(&str, &str, &str), (&Indexed<'_>, &Version<'_>)> = BTreeMap::new();
    let mut refusals = Vec::new();
    for one in read {
        let Indexed { index, definition } = one;
        let first = *resources.entry(one.key()).or_insert(one);
        if let Some((pointer, message)) = contradiction(first, one) {
            refusals.push(one_of_two((*index, pointer), (first.index, pointer), message));
            continue;
        }
        let [group, kind, plural] = [definition.group(), definition.kind(), definition.plural()];
        for version in definition.served() {
            let name = version.name();
            let Some((other, same)) = kinds.get(&(group, name, kind)) else {
                kinds.insert((group, name, kind), (one, version));
                continue;
            };
            let other_plural = other.definition.plural();
            let message = if plural != other_plural {
                format!(
                    "`{other_plural}` and `{plural}` of {group}/{name} have the same kind, `{kind}`"
                )
            } else if is_same((definition, version), (&other.definition, same)) {
                continue;
            } else {
                let resource = one.resource();
                format!("version `{name}` of `{resource}` is defined twice, and differently")
            };
            let place = (*index, version.pointer());
            refusals.push(one_of_two(place, (other.index, same.pointer()), message));
        }
    }
    refusals
}

/// The refusal of a place in a definition that contradicts another place.
fn one_of_two(place: (usize, &str), other: (usize, &str), message: String) -> Refusal {
    let refusal = Refusal::new(place.0, place.1, message, "remove one of the two");
    Refusal { other: Some((other.0, other.1.to_owned())), ..refusal }
}

/// The contradiction of two definitions of one resource, and its pointer.
fn contradiction(first: &Indexed<'_>, second: &Indexed<'_>) -> Option<(&'static str, String)> {
    let name = first.resource();
    let [one, other] = [first, second].map(|one| one.definition.kind());
    if one != other {
        let message = format!("`{name}` is defined twice, with the kinds `{one}` and `{other}`");
        return Some(("/spec/names/kind", message));
    }
    let [one, other] = [first, second]
        .map(|one| if one.definition.is_namespaced() { "Namespaced" } else { "Cluster" });
    let message = format!("`{name}` is defined twice, with the scopes `{one}` and `{other}`");
    (one != other).then_some(("/spec/scope", message))
}

/// Resources with more versions than a definition can have, in all definitions of them.
pub(super) fn too_many_versions(read: &[Indexed<'_>]) -> Vec<Refusal> {
    let mut names: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
    let mut refusals = Vec::new();
    for one in read {
        let names = names.entry(one.key()).or_default();
        let fitted = names.len() <= MOST_VERSIONS;
        names.extend(one.definition.versions().iter().map(Version::name));
        if fitted && names.len() > MOST_VERSIONS {
            let resource = one.resource();
            let message = format!(
                "with this definition, `{resource}` has more than {MOST_VERSIONS} versions"
            );
            refusals.push(Refusal::new(one.index, "/spec/versions", message, FEWER_VERSIONS));
        }
    }
    refusals
}

/// Refuses a definition that gives objects and lists the same kind.
pub(super) fn one_kind(one: &Indexed<'_>) -> Option<Refusal> {
    let message = format!("objects and lists of `{}` have the same kind", one.resource());
    let help = "give lists another kind, or leave out `listKind`";
    (one.definition.kind() == one.definition.list_kind())
        .then(|| Refusal::new(one.index, "/spec/names/listKind", message, help))
}

/// Whether two versions are published alike.
fn is_same(
    (one, version): (&Definition<'_>, &Version<'_>),
    (other, same): (&Definition<'_>, &Version<'_>),
) -> bool {
    one.list_kind() == other.list_kind()
        && one.is_namespaced() == other.is_namespaced()
        && version.schema() == same.schema()
        && version.has_status() == same.has_status()
        && version.scale().is_some() == same.scale().is_some()
        && version.selectable_fields().eq(same.selectable_fields())
}
