//! The documents that a server offers.

use super::kubectl::Kubectl;
use super::offers::{Offer, Offers};
use crate::error::Error;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The path below which a server publishes its documents.
const ROOT: &str = "/openapi/v3";

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

/// The documents of the server.
pub(super) fn offers(kubectl: &Kubectl<'_>) -> Result<Offers, Error> {
    let text = kubectl.get(ROOT)?;
    let index: Index = serde_json::from_str(&text).map_err(|error| {
        Error::new(format!("{ROOT} of the server is not an index of OpenAPI documents: {error}"))
            .help(
                "servers publish one since Kubernetes 1.24; connect to the server itself rather \
                 than to a proxy",
            )
    })?;
    let offers = index.paths.iter();
    let offers: Vec<Offer> =
        offers.filter_map(|(path, entry)| Offer::new(path, url(path, &entry.url))).collect();
    if offers.is_empty() {
        return Err(Error::new(format!("{ROOT} of the server lists no group and version"))
            .help("connect to the API server itself rather than to a proxy"));
    }
    Ok(Offers { origin: "the server".to_owned(), offers })
}

/// The URL of a document. If the index has another path, the document is requested by its own.
fn url(path: &str, stated: &str) -> String {
    let path = format!("{ROOT}/{path}");
    let is_same = stated.split('?').next() == Some(path.as_str());
    if is_same { stated.to_owned() } else { path }
}
