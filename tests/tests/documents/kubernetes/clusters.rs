//! Documents of whole clusters, with servers built from different libraries, and of custom
//! resources. They are generated as they are: nothing is selected, renamed or corrected.

use kapigen::cli::report;
use kapigen::input::Source;
use kapigen::{Output, Sources};
use kapigen_tests::places;
use std::path::Path;
use test_support::workspace::Workspace;

/// Documents of one cluster.
struct Cluster {
    /// The name of its crate.
    name: &'static str,
    /// Folders and files of the data.
    documents: &'static [&'static str],
    /// The number of decisions that a run notes.
    notes: usize,
}

const fn cluster(name: &'static str, documents: &'static [&'static str], notes: usize) -> Cluster {
    Cluster { name, documents, notes }
}

const CLUSTERS: [Cluster; 8] = [
    cluster("aggregated", &["defects/aggregated-metrics-server"], 0),
    cluster("defaults", &["defects/copies-differ-in-default-only"], 0),
    cluster("autoscalers", &["defects/vpa-and-autoscaling"], 1),
    cluster("argo-cd", &["crds/argo-cd"], 0),
    cluster("istio", &["crds/istio"], 5),
    cluster("keda", &["crds/keda"], 1),
    cluster("prometheus", &["crds/prometheus-operator"], 28),
    // One group of Kubernetes: its whole release is compiled elsewhere.
    cluster(
        "openshift",
        &["kubernetes-1.34/api", "openshift/apis__image.openshift.io__v1.json"],
        0,
    ),
];

impl Cluster {
    /// Its crate, with all that `kapigen generate` writes.
    fn output(&self) -> Output {
        let documents = self.documents.iter().flat_map(|path| sources(path)).collect();
        let sources = Sources { documents, shipped_fixups: true, ..Sources::default() };
        let mut output =
            kapigen::generate(&sources).unwrap_or_else(|errors| panic!("{}:\n{errors}", self.name));
        output
            .add_package(&places::package(self.name))
            .unwrap_or_else(|error| panic!("{}:\n{error}", self.name));
        output
    }
}

/// The documents in a folder, or the one that is a file.
fn sources(path: &str) -> Vec<Source> {
    let found = places::data(path);
    if found.is_file() {
        return vec![Source::new(path, places::text(&found))];
    }
    let files = places::files(&found, &["json"]).into_iter();
    let name = |file: &Path| format!("{path}/{}", places::relative(file, &found));
    files.map(|file| Source::new(name(&file), places::text(&file))).collect()
}

#[test]
fn clusters_need_no_edit_and_have_no_warnings() {
    let members: Vec<&str> = CLUSTERS.iter().map(|cluster| cluster.name).collect();
    let workspace =
        Workspace::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("clusters"), &members);
    for cluster in &CLUSTERS {
        let output = cluster.output();
        let notes = report::notes(&output.notes);
        assert_eq!(output.notes.len(), cluster.notes, "{}:\n{notes}", cluster.name);
        output.tree.write(&workspace.folder.join(cluster.name)).expect("a crate can be written");
    }
    _ = workspace.cargo(&["clippy", "--workspace", "--quiet", "--keep-going"], "RUSTFLAGS");
}
