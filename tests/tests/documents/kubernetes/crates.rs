//! The crates that the documents of each server make.

use kapigen::input::Source;
use kapigen::{Output, Sources};
use kapigen_tests::places;
use std::sync::OnceLock;

/// The documents of one server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Server {
    /// The name of its crate.
    pub(crate) name: &'static str,
    /// The folder of its documents in the data.
    folder: &'static str,
    /// The number of documents.
    documents: usize,
}

/// Every document of 1.34, and documents of older servers, which wrote them differently.
pub(crate) const SERVERS: [Server; 4] = [
    Server { name: "kubernetes-1-34", folder: "kubernetes-1.34", documents: 36 },
    Server { name: "kubernetes-1-27", folder: "kubernetes-1.27", documents: 2 },
    Server { name: "kubernetes-1-23", folder: "kubernetes-1.23", documents: 2 },
    Server { name: "openshift-image", folder: "openshift", documents: 1 },
];

/// The newest release, whole.
pub(crate) const NEWEST: Server = SERVERS[0];
/// The live document.
pub(crate) const IMAGE: Server = SERVERS[3];

/// Files beside the live document that are not OpenAPI 3.0.
const NO_DOCUMENTS: [&str; 2] =
    ["discovery-image.openshift.io-v1.json", "image.openshift.io.v1.definitions.swagger2.json"];

impl Server {
    /// Its crate, over the runtime of this repository. It is generated once for all tests.
    pub(crate) fn output(&self) -> &'static Output {
        static OUTPUTS: [OnceLock<Output>; SERVERS.len()] =
            [const { OnceLock::new() }; SERVERS.len()];
        let index =
            SERVERS.iter().position(|server| server.name == self.name).expect("one of the servers");
        OUTPUTS[index].get_or_init(|| self.generate())
    }

    fn generate(&self) -> Output {
        let folder = places::data(self.folder);
        let files = places::files(&folder, &["json"])
            .into_iter()
            .map(|path| (places::relative(&path, &folder), path));
        let documents: Vec<Source> = files
            .filter(|(name, _)| !NO_DOCUMENTS.contains(&name.as_str()))
            .map(|(name, path)| Source::new(name, places::text(&path)))
            .collect();
        assert_eq!(documents.len(), self.documents, "{}", self.folder);
        let sources = Sources { documents, shipped_fixups: true, ..Sources::default() };
        let mut output =
            kapigen::generate(&sources).unwrap_or_else(|errors| panic!("{}:\n{errors}", self.name));
        output
            .add_package(&places::package(self.name))
            .unwrap_or_else(|error| panic!("{}:\n{error}", self.name));
        output
    }
}
