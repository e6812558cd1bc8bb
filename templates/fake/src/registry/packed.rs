// not vendored
//! The documents of Kubernetes, compressed, in this crate.
//!
//! `cargo xtask data embed` makes the files, of documents that a server published.

use super::Registry;
use super::document::{Document, DocumentSource, parse};
use miniz_oxide::inflate::decompress_to_vec_zlib;
use serde_json::Value;
use std::sync::{Arc, OnceLock};

/// A compressed document. It is parsed on demand, once in a process.
#[derive(Debug)]
pub(super) struct Packed {
    /// The path below `/openapi/v3/`.
    path: &'static str,
    bytes: &'static [u8],
    document: OnceLock<Arc<Document>>,
}

macro_rules! packed {
    ($($path:literal),* $(,)?) => {
        [$(Packed {
            path: $path,
            bytes: include_bytes!(concat!("kubernetes/", $path, ".json.zz")),
            document: OnceLock::new(),
        }),*]
    };
}

/// The minor version of the release that the documents are from.
const RELEASE: u32 = 36;

/// The stable groups and versions of Kubernetes 1.36.
static DOCUMENTS: [Packed; 22] = packed![
    "api/v1",
    "apis/admissionregistration.k8s.io/v1",
    "apis/apiextensions.k8s.io/v1",
    "apis/apiregistration.k8s.io/v1",
    "apis/apps/v1",
    "apis/authentication.k8s.io/v1",
    "apis/authorization.k8s.io/v1",
    "apis/autoscaling/v1",
    "apis/autoscaling/v2",
    "apis/batch/v1",
    "apis/certificates.k8s.io/v1",
    "apis/coordination.k8s.io/v1",
    "apis/discovery.k8s.io/v1",
    "apis/events.k8s.io/v1",
    "apis/flowcontrol.apiserver.k8s.io/v1",
    "apis/networking.k8s.io/v1",
    "apis/node.k8s.io/v1",
    "apis/policy/v1",
    "apis/rbac.authorization.k8s.io/v1",
    "apis/resource.k8s.io/v1",
    "apis/scheduling.k8s.io/v1",
    "apis/storage.k8s.io/v1",
];

/// Adds the kinds of Kubernetes.
pub(crate) fn add_kubernetes(registry: &mut Registry) {
    registry.release = Some(RELEASE);
    for packed in &DOCUMENTS {
        let (group, version) = packed.version();
        registry.sources(group, version).given.push(DocumentSource::Packed(packed));
    }
}

impl Packed {
    /// The group and the version.
    pub(super) fn version(&self) -> (&str, &str) {
        let (group, version) = self.path.rsplit_once('/').unwrap_or_default();
        (group.strip_prefix("apis/").unwrap_or_default(), version)
    }

    pub(super) fn document(&self) -> &Document {
        self.document.get_or_init(|| parse(&self.text()))
    }

    /// The document as a tree.
    pub(super) fn value(&self) -> Value {
        serde_json::from_str(&self.text()).unwrap_or_default()
    }

    fn text(&self) -> String {
        let bytes = decompress_to_vec_zlib(self.bytes).unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    }
}
