//! The documents that a server offers.

use super::kubectl::Kubectl;
use crate::error::Error;
use crate::model::GroupVersion;
use crate::names;
use crate::tree::documents::is_document;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The path below which a server publishes its documents.
const ROOT: &str = "/openapi/v3";

/// A server, as far as it publishes documents.
pub(super) struct Server {
    /// Its version, if it states one.
    pub(super) version: Option<String>,
    offers: Vec<Offer>,
}

/// The document of a group-version.
pub(super) struct Offer {
    group_version: GroupVersion,
    /// Its path on the server, with a hash if the server has one.
    pub(super) url: String,
    /// Its path in the folder.
    pub(super) file: String,
}

/// The index of the documents.
#[derive(Deserialize)]
struct Index {
    paths: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    #[serde(rename = "serverRelativeURL")]
    url: String,
}

/// The version of the server. Optional, since a user may have access to documents, but not to the
/// version.
pub(super) fn version(kubectl: &Kubectl<'_>) -> Option<String> {
    let text = kubectl.get("/version").ok()?;
    let version: Value = serde_json::from_str(&text).ok()?;
    Some(version.get("gitVersion")?.as_str()?.to_owned())
}

impl Server {
    pub(super) fn fetch(kubectl: &Kubectl<'_>) -> Result<Self, Error> {
        let text = kubectl.get(ROOT)?;
        let index: Index = serde_json::from_str(&text).map_err(|error| {
            Error::new(format!(
                "{ROOT} of the server is not an index of OpenAPI documents: {error}"
            ))
            .help(
                "servers publish one since Kubernetes 1.24; connect to the server itself rather \
                 than to a proxy",
            )
        })?;
        let offers: Vec<Offer> =
            index.paths.iter().filter_map(|(path, entry)| Offer::new(path, &entry.url)).collect();
        if offers.is_empty() {
            return Err(Error::new(format!("{ROOT} of the server lists no group and version"))
                .help("connect to the API server itself rather than to a proxy"));
        }
        Ok(Self { version: version(kubectl), offers })
    }

    /// The documents of some groups, or of all if none is named.
    pub(super) fn select(&self, groups: &[String]) -> Result<Vec<&Offer>, Error> {
        for group in groups {
            if !self.offers.iter().any(|offer| offer.is_in(group)) {
                return Err(self.unknown(group));
            }
        }
        let is_wanted =
            |offer: &&Offer| groups.is_empty() || groups.iter().any(|group| offer.is_in(group));
        Ok(self.offers.iter().filter(is_wanted).collect())
    }

    fn unknown(&self, group: &str) -> Error {
        let known: Vec<&str> =
            self.offers.iter().map(|offer| offer.group_version.group.as_str()).collect();
        let versions: Vec<String> =
            self.offers.iter().map(|offer| offer.group_version.api_version()).collect();
        let all = known
            .into_iter()
            .filter(|group| !group.is_empty())
            .chain(versions.iter().map(String::as_str));
        let help = names::nearest(group, all).map_or_else(
            || format!("the server has {}", versions.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        Error::new(format!("the server has no group `{group}`")).help(help)
    }
}

impl Offer {
    /// `None` for any path other than the document of a group and version, such as `apis` and
    /// `version`.
    fn new(path: &str, url: &str) -> Option<Self> {
        let file = format!("{path}.json");
        let group_version = match path.split('/').collect::<Vec<_>>().as_slice() {
            ["api", version] => {
                GroupVersion { group: String::new(), version: (*version).to_owned() }
            }
            ["apis", group, version] => {
                GroupVersion { group: (*group).to_owned(), version: (*version).to_owned() }
            }
            _ => return None,
        };
        // If the URL has another path, the document is requested by its own path.
        let path = format!("{ROOT}/{path}");
        let is_same = url.split('?').next() == Some(path.as_str());
        let url = if is_same { url.to_owned() } else { path };
        is_document(&file).then_some(Self { group_version, url, file })
    }

    /// The hash of the document, if the server states one.
    pub(super) fn hash(&self) -> Option<&str> {
        let (_, query) = self.url.split_once('?')?;
        query.split('&').find_map(|parameter| parameter.strip_prefix("hash="))
    }

    /// `group` is the name of a group, a group and a version, or `core`.
    fn is_in(&self, group: &str) -> bool {
        let GroupVersion { group: own, .. } = &self.group_version;
        let own = if own.is_empty() { "core" } else { own };
        group == own || group == self.group_version.api_version()
    }
}
