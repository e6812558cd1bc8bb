//! Lists that return items as they arrive.

use super::{Exception, Pieces, whole};
use openshift_api::{Error, Items, ResourceList};
use serde::de::{DeserializeOwned, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Debug};

const KIND: &str = "only `Items` refuses it: ";

pub(super) const SECOND_ITEMS: Exception = Exception {
    message: KIND,
    reason: "items that were returned cannot be replaced by those of a second array",
    example: (r#"{"items":[{}],"items":[]}"#, "io.k8s.api.core.v1.PodList"),
    excuses: |text| repeats(text, &["items"]),
};

pub(super) const SECOND_KIND: Exception = Exception {
    message: KIND,
    reason: "items are not returned before the `kind` of their list is known to be right",
    example: (r#"{"kind":"v1","items":[],"kind":"PodList"}"#, "io.k8s.api.core.v1.PodList"),
    excuses: |text| repeats(text, &["kind", "apiVersion"]),
};

/// Checks all ways to read a list.
pub(super) fn check<L>(text: &[u8], seed: u64) -> Result<bool, String>
where
    L: ResourceList + DeserializeOwned + Serialize + PartialEq + Debug,
    L::Item: PartialEq + Debug,
{
    let expected = whole::<L>(text, seed)?.map(|mut list| (list.take_items(), list));
    let found = handed_out::<L>(text, seed);
    match (found, expected) {
        (Ok(found), Some(expected)) if found == expected => Ok(true),
        (Ok(found), expected) => Err(format!("`Items` reads {found:?}\ninstead of {expected:?}")),
        (Err(error), Some(_)) => Err(format!("{KIND}{error}")),
        (Err(_), None) => Ok(false),
    }
}

fn handed_out<L: ResourceList>(text: &[u8], seed: u64) -> Result<(Vec<L::Item>, L), Error> {
    let mut items = Items::<L>::default();
    let mut found = Vec::new();
    for piece in Pieces::new(text, seed) {
        items.push(piece);
        while let Some(item) = items.next_item() {
            found.push(item?);
        }
    }
    Ok((found, items.finish()?))
}

/// Whether one of these members comes more than once.
fn repeats(text: &[u8], names: &[&str]) -> bool {
    let Ok(Members(members)) = serde_json::from_slice(text) else { return false };
    names.iter().any(|name| members.iter().filter(|member| member == name).count() > 1)
}

/// The names of all members of an object.
struct Members(Vec<String>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Members;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut names = Vec::new();
                while let Some((name, IgnoredAny)) = map.next_entry()? {
                    names.push(name);
                }
                Ok(Members(names))
            }
        }
        deserializer.deserialize_map(Names)
    }
}
