//! The accepted names of definitions of custom resources. They are unique within a group.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[cfg(test)]
thread_local! {
    /// The number of definitions that were visited for another one.
    pub(crate) static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The accepted names of definitions, and the definitions that wait for a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct TakenNames {
    /// The definitions that have a name.
    owners: BTreeMap<Name, BTreeSet<Arc<str>>>,
    /// The names of each definition.
    names: BTreeMap<Arc<str>, Vec<Name>>,
    /// The definitions with a refused name, each with its group in front.
    waiting: BTreeSet<(String, Arc<str>)>,
}

/// A name in its group. The names of resources are unique there, and the names of kinds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    group: String,
    is_kind: bool,
    text: String,
}

impl Name {
    /// The name that a member of `spec.names` has. `None` for categories, which many share.
    fn parse(group: &str, member: &str, text: &Value) -> Option<Self> {
        let is_kind = match member {
            "plural" | "singular" | "shortNames" => false,
            "kind" | "listKind" => true,
            _ => return None,
        };
        Some(Self { group: group.to_owned(), is_kind, text: text.as_str()?.to_owned() })
    }
}

impl TakenNames {
    /// Whether a definition other than this one has the name of a member.
    pub(crate) fn is_by_another(
        &self,
        definition: &Arc<str>,
        group: &str,
        member: &str,
        text: &Value,
    ) -> bool {
        let owners = Name::parse(group, member, text).and_then(|name| self.owners.get(&name));
        owners.into_iter().flatten().any(|owner| {
            #[cfg(test)]
            LOOKED_AT.with(|count| count.set(count.get() + 1));
            owner != definition
        })
    }

    /// Sets the accepted names of a definition, and whether others were refused.
    pub(crate) fn set(
        &mut self,
        definition: &Arc<str>,
        group: &str,
        accepted: &Value,
        is_waiting: bool,
    ) {
        self.remove(definition);
        let members = accepted.as_object().into_iter().flatten();
        let names = members.flat_map(|(member, value)| {
            let texts = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            texts.iter().filter_map(|text| Name::parse(group, member, text))
        });
        let names: Vec<_> = names.collect();
        for name in &names {
            self.owners.entry(name.clone()).or_default().insert(definition.clone());
        }
        self.names.insert(definition.clone(), names);
        if is_waiting {
            self.waiting.insert((group.to_owned(), definition.clone()));
        }
    }

    /// Forgets a definition. Its name ends with its group.
    pub(crate) fn remove(&mut self, definition: &Arc<str>) {
        for name in self.names.remove(definition).unwrap_or_default() {
            if let Some(owners) = self.owners.get_mut(&name) {
                owners.remove(definition);
                if owners.is_empty() {
                    self.owners.remove(&name);
                }
            }
        }
        let group = definition.split_once('.').map_or("", |(_, group)| group);
        self.waiting.remove(&(group.to_owned(), definition.clone()));
    }

    /// The definitions of a group with a refused name.
    pub(crate) fn waiting(&self, group: &str) -> Vec<Arc<str>> {
        let first = (group.to_owned(), Arc::from(""));
        let of_group = self.waiting.range(first..).take_while(|(own, _)| own == group);
        of_group.map(|(_, definition)| definition.clone()).collect()
    }
}
