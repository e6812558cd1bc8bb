//! `kapigen pull`: the documents or the definitions of a cluster, fetched by kubectl, or the
//! documents of a release, fetched by git.

mod definitions;
mod kubectl;
mod offers;
mod print;
mod release;
mod server;

use super::{Outcome, progress, report};
use crate::error::{Error, Errors};
use crate::input::Source;
use crate::input::crates::needs_folder;
use crate::parallel;
use crate::tree::documents::{PulledDocument, Record};
use crate::tree::refused;
use crate::visible::{shown, visible};
use clap::Args;
use kubectl::Kubectl;
use offers::{Offer, Offers};
use release::Release;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

pub(super) const EXAMPLES: &str = "\
Examples:
  kapigen pull --out spec
  kapigen pull --kubectl oc --context staging --groups core,apps/v1,image.openshift.io --out spec
  kapigen pull --definitions --groups cert-manager.io --out crds
  kapigen pull --kubernetes 1.36 --groups core,apps/v1 --out spec";

#[derive(Args, Debug)]
pub(super) struct PullArguments {
    /// The folder of the documents: `api/v1.json`, `apis/apps/v1.json` and so on; of definitions,
    /// `definitions/widgets.example.com.yaml`.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// Groups such as `apps` and `core`, or groups and versions such as `apps/v1`: a list, and not a
    /// file as for other commands [default: all].
    #[arg(long, short, value_name = "GROUP", value_delimiter = ',')]
    groups: Vec<String>,
    /// Fetch the custom resource definitions (CRDs), and no documents: manifests without status and
    /// managed fields.
    #[arg(long)]
    definitions: bool,
    /// The program that has access to the cluster: `kubectl`, `oc`, or a path.
    #[arg(long, value_name = "PROGRAM", default_value = "kubectl")]
    kubectl: PathBuf,
    /// The context of the kubeconfig [default: its current one].
    #[arg(long, value_name = "CONTEXT")]
    context: Option<String>,
    /// Fetch the documents of a Kubernetes release, without a cluster. `1.36` means the newest
    /// patch release of 1.36.
    #[arg(long, value_name = "RELEASE", conflicts_with_all = ["definitions", "kubectl", "context"])]
    kubernetes: Option<String>,
    /// The git repository of Kubernetes that has the release: a clone, or the URL of a mirror.
    #[arg(
        long, value_name = "DIR_OR_URL", requires = "kubernetes", default_value = release::REPOSITORY
    )]
    from: String,
    /// Print only errors.
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(arguments: &PullArguments) -> Outcome {
    needs_folder(&arguments.out, "the documents need")?;
    let progress = progress::start(arguments.quiet, "asking the server");
    let record = Record::read(&arguments.out).map_err(|error| refused(&error))?;
    let pulled = match &arguments.kubernetes {
        Some(release) => pull_release(release, arguments)?,
        None => pull_cluster(&record, arguments, &progress)?,
    };
    let differences = record
        .replace(&arguments.out, pulled.version.clone(), &pulled.documents)
        .map_err(|error| refused(&error))?;
    drop(progress);
    if !arguments.quiet {
        let Pulled { version, documents, kind, bytes } = pulled;
        let version =
            version.map_or_else(String::new, |version| format!(" of {}", visible(&version)));
        let out = visible(&shown(&arguments.out)).into_owned();
        let fetched = documents.values().filter(|document| document.text.is_some()).count();
        let bytes =
            bytes.map_or_else(String::new, |bytes| format!(" ({} kB)", bytes.div_ceil(1000)));
        write!(anstream::stdout(), "{}", report::changes(&differences))?;
        writeln!(
            anstream::stdout(),
            "{}{version} in {out}: {fetched} fetched{bytes}, {} as before; {} changed",
            report::count(documents.len(), kind),
            documents.len() - fetched,
            report::count(differences.len(), "file"),
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The documents that a run has fetched, and the ones that were current.
struct Pulled {
    /// The version of the server, or the tag of the release.
    version: Option<String>,
    documents: BTreeMap<String, PulledDocument>,
    /// The word for one of them.
    kind: &'static str,
    /// The number of bytes that git fetched.
    bytes: Option<u64>,
}

fn pull_cluster(
    record: &Record,
    arguments: &PullArguments,
    progress: &progress::Progress,
) -> Result<Pulled, Errors> {
    let kubectl = Kubectl::new(&arguments.kubectl, arguments.context.as_deref());
    if arguments.definitions {
        let documents = definitions::fetch(&kubectl, &arguments.groups)?;
        let version = server::version(&kubectl);
        return Ok(Pulled { version, documents, kind: "definition", bytes: None });
    }
    let offers = server::offers(&kubectl)?;
    let version = server::version(&kubectl);
    let documents = documents(&kubectl, &offers, record, arguments, progress)?;
    Ok(Pulled { version, documents, kind: "document", bytes: None })
}

fn pull_release(release: &str, arguments: &PullArguments) -> Result<Pulled, Errors> {
    let release = Release::fetch(release, &arguments.from)?;
    let mut errors = Errors::default();
    let mut documents = BTreeMap::new();
    for offer in release.offers()?.select(&arguments.groups)? {
        let text = release.read(offer);
        let printed = text.and_then(|text| print::print(&Source::new(offer.place.clone(), text)));
        let document = PulledDocument { hash: None, text: errors.ok(printed) };
        documents.insert(offer.file.clone(), document);
    }
    let documents = errors.into_result(documents)?;
    let Release { tag, fetched, .. } = release;
    Ok(Pulled { version: Some(tag), documents, kind: "document", bytes: Some(fetched) })
}

/// Fetches the selected documents that are out of date. Current ones are returned without text.
fn documents(
    kubectl: &Kubectl<'_>,
    offers: &Offers,
    record: &Record,
    arguments: &PullArguments,
    progress: &progress::Progress,
) -> Result<BTreeMap<String, PulledDocument>, Errors> {
    let offers = offers.select(&arguments.groups)?;
    let (current, stale): (Vec<&Offer>, Vec<&Offer>) = offers
        .into_iter()
        .partition(|offer| record.is_current(&arguments.out, &offer.file, offer.hash()));
    progress.count("fetching documents", stale.len());
    let texts = parallel::map(stale, |offer| {
        let text = fetch(kubectl, offer);
        progress.step();
        text.map(|text| (offer, Some(text)))
    });
    let mut errors = Errors::default();
    let fetched: Vec<_> = texts.into_iter().filter_map(|text| errors.ok(text)).collect();
    let fetched = errors.into_result(fetched)?;
    let all = fetched.into_iter().chain(current.iter().map(|offer| (*offer, None)));
    let documents = all.map(|(offer, text)| {
        (offer.file.clone(), PulledDocument { hash: offer.hash().map(str::to_owned), text })
    });
    Ok(documents.collect())
}

/// Fetches a document.
fn fetch(kubectl: &Kubectl<'_>, offer: &Offer) -> Result<String, Error> {
    print::print(&Source::new(offer.place.clone(), kubectl.get(&offer.place)?))
}
