//! The definitions of a cluster, as manifests.

use super::kubectl::Kubectl;
use super::offers::not_a_file;
use crate::error::{Error, Errors};
use crate::names;
use crate::tree::documents::{PulledDocument, is_document};
use crate::visible::visible;
use kapigen_definitions::{clean, is_definition};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const URL: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=100";

/// The remedy for responses that do not come from an API server.
const PROXY: &str = "connect to the API server itself rather than to a proxy";

/// Fetches the definitions of some groups, or of all if none is named: by their paths in the
/// folder, without their status and other parts that the cluster wrote.
pub(super) fn fetch(
    kubectl: &Kubectl<'_>,
    groups: &[String],
) -> Result<BTreeMap<String, PulledDocument>, Errors> {
    let all = list(kubectl)?;
    let known: BTreeSet<&str> =
        all.iter().filter_map(|definition| definition["spec"]["group"].as_str()).collect();
    let mut errors = Errors::default();
    for group in groups.iter().filter(|group| !known.contains(group.as_str())) {
        let help = match (not_a_file(group), names::nearest(group, known.iter().copied())) {
            (Some(help), _) => help.to_owned(),
            (None, Some(near)) => format!("did you mean `{near}`?"),
            (None, None) => {
                format!("it has those of {}", known.iter().copied().collect::<Vec<_>>().join(", "))
            }
        };
        errors.push(
            Error::new(format!("the server has no definition of the group `{group}`")).help(help),
        );
    }
    let mut documents = BTreeMap::new();
    for mut definition in all {
        let group = definition["spec"]["group"].as_str().unwrap_or_default();
        if !groups.is_empty() && !groups.iter().any(|wanted| wanted == group) {
            continue;
        }
        clean(&mut definition);
        let name = definition["metadata"]["name"].as_str().unwrap_or_default();
        let file = file(name, &documents);
        if !is_document(&file) {
            errors.push(Error::new(format!(
                "`{}` cannot be the name of a definition",
                visible(name)
            )));
            continue;
        }
        documents.insert(
            file,
            PulledDocument { hash: None, text: Some(kapigen_yaml::write(&definition)) },
        );
    }
    errors.into_result(documents)
}

/// The maximum length of the part of a name that begins a file name. Systems allow 255 bytes; a
/// number, the extension and the name of a staged file need some of them.
const LONGEST: usize = 200;

/// A file for a definition, and for no other.
fn file(name: &str, others: &BTreeMap<String, PulledDocument>) -> String {
    let stem: String = name.chars().take(LONGEST).collect();
    let numbered = (2..).map(|number| format!("definitions/{stem}-{number}.yaml"));
    let whole = Some(format!("definitions/{stem}.yaml"))
        .filter(|_| stem.len() == name.len() || !stem.ends_with('.'));
    whole.into_iter().chain(numbered).find(|file| !others.contains_key(file)).unwrap_or_default()
}

/// Fetches all definitions, page by page. Each page must have a new continue token and a new
/// definition, so that the list ends.
fn list(kubectl: &Kubectl<'_>) -> Result<Vec<Value>, Error> {
    let mut all = Vec::new();
    let mut url = URL.to_owned();
    let mut tokens = BTreeSet::new();
    let mut names = BTreeSet::new();
    loop {
        let text = kubectl.get(&url)?;
        let mut list: Value =
            serde_json::from_str(&text).map_err(|error| not_a_list(&url, &format!(": {error}")))?;
        let Some(items) = list["items"].as_array_mut().map(std::mem::take) else {
            return Err(not_a_list(&url, "").help(PROXY));
        };
        let mut has_new = false;
        for item in &items {
            has_new |= names.insert(item["metadata"]["name"].to_string());
        }
        // Items do not state their kind.
        all.extend(items.into_iter().filter_map(|item| item.as_object().cloned()).map(|item| {
            let kind =
                [("apiVersion", "apiextensions.k8s.io/v1"), ("kind", "CustomResourceDefinition")];
            let kind = kind.map(|(name, value)| (name.to_owned(), Value::from(value)));
            Value::Object(kind.into_iter().chain(item).collect())
        }));
        let token = list["metadata"]["continue"].as_str().unwrap_or_default();
        if token.is_empty() {
            break;
        }
        url = format!("{URL}&continue={}", encoded(token));
        let is_repeated = !tokens.insert(token.to_owned());
        if is_repeated || !has_new {
            let why = if is_repeated {
                "token that was there before"
            } else {
                "page without a new definition"
            };
            let message = format!("the list of definitions never ends: it goes on after a {why}");
            return Err(Error::new(message).help(PROXY));
        }
    }
    all.retain(is_definition);
    Ok(all)
}

fn not_a_list(url: &str, why: &str) -> Error {
    Error::new(format!("the response to {url} is not a list of definitions{why}"))
}

/// A token in a query.
fn encoded(token: &str) -> String {
    let characters = token.bytes().map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    });
    characters.collect()
}

#[cfg(test)]
mod tests {
    use super::file;
    use crate::tree::documents::{PulledDocument, is_document};
    use std::collections::BTreeMap;

    #[test]
    fn each_definition_has_a_file_of_its_own_that_systems_allow() {
        let mut others = BTreeMap::new();
        let long = "a.".repeat(120);
        for name in ["a.example.com".to_owned(), format!("{long}b"), format!("{long}c")] {
            let file = file(&name, &others);
            let end = file.strip_prefix("definitions/").unwrap_or_default();
            assert!(is_document(&file) && end.len() + 13 <= 255, "{file}");
            assert!(others.insert(file, PulledDocument { hash: None, text: None }).is_none());
        }
        assert!(others.contains_key("definitions/a.example.com.yaml"));
    }
}
