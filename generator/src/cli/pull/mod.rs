//! `kapigen pull`: the documents or the definitions of a cluster, fetched by kubectl.

mod definitions;
mod kubectl;
mod print;
mod server;

use super::{Outcome, progress, report};
use crate::error::{Error, Errors};
use crate::input::Source;
use crate::input::crates::needs_folder;
use crate::parallel;
use crate::tree::documents::{Document, Record};
use crate::tree::refused;
use crate::visible::{shown, visible};
use clap::Args;
use kubectl::Kubectl;
use server::{Offer, Server};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

pub(super) const EXAMPLES: &str = "\
Examples:
  kapigen pull --out spec
  kapigen pull --kubectl oc --context staging --groups core,apps/v1,image.openshift.io --out spec
  kapigen pull --definitions --groups cert-manager.io --out crds";

#[derive(Args, Debug)]
pub(super) struct PullArguments {
    /// The folder of the documents: `api/v1.json`, `apis/apps/v1.json` and so on; of definitions,
    /// `definitions/widgets.example.com.yaml`.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// Groups such as `apps` and `core`, or groups and versions such as `apps/v1` [default: all].
    #[arg(long, short, value_name = "GROUP", value_delimiter = ',')]
    groups: Vec<String>,
    /// Fetch the definitions of custom resources, and no documents: manifests without status and
    /// managed fields.
    #[arg(long)]
    definitions: bool,
    /// The program that has access to the cluster: `kubectl`, `oc`, or a path.
    #[arg(long, value_name = "PROGRAM", default_value = "kubectl")]
    kubectl: PathBuf,
    /// The context of the kubeconfig [default: its current one].
    #[arg(long, value_name = "CONTEXT")]
    context: Option<String>,
    /// Print only errors.
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(arguments: &PullArguments) -> Outcome {
    needs_folder(&arguments.out, "the documents need")?;
    let kubectl = Kubectl::new(&arguments.kubectl, arguments.context.as_deref());
    let progress = progress::start(arguments.quiet, "asking the server");
    let record = Record::read(&arguments.out).map_err(|error| refused(&error))?;
    let Pulled { server, documents, kind } = if arguments.definitions {
        let documents = definitions::fetch(&kubectl, &arguments.groups)?;
        Pulled { server: server::version(&kubectl), documents, kind: "definition" }
    } else {
        let server = Server::fetch(&kubectl)?;
        let documents = documents(&kubectl, &server, &record, arguments, &progress)?;
        Pulled { server: server.version, documents, kind: "document" }
    };
    let differences = record
        .replace(&arguments.out, server.clone(), &documents)
        .map_err(|error| refused(&error))?;
    drop(progress);
    if !arguments.quiet {
        let version =
            server.map_or_else(String::new, |version| format!(" of {}", visible(&version)));
        let out = visible(&shown(&arguments.out)).into_owned();
        let fetched = documents.values().filter(|document| document.text.is_some()).count();
        write!(anstream::stdout(), "{}", report::changes(&differences))?;
        writeln!(
            anstream::stdout(),
            "{}{version} in {out}: {fetched} fetched, {} as before; {} changed",
            report::count(documents.len(), kind),
            documents.len() - fetched,
            report::count(differences.len(), "file"),
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The documents that a run has fetched, and the ones that were current.
struct Pulled {
    /// The version of the server.
    server: Option<String>,
    documents: BTreeMap<String, Document>,
    /// The word for one of them.
    kind: &'static str,
}

/// Fetches the selected documents that are out of date. Current ones are returned without text.
fn documents(
    kubectl: &Kubectl<'_>,
    server: &Server,
    record: &Record,
    arguments: &PullArguments,
    progress: &progress::Progress,
) -> Result<BTreeMap<String, Document>, Errors> {
    let offers = server.select(&arguments.groups)?;
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
    let document = |(offer, text): (&Offer, _)| {
        (offer.file.clone(), Document { hash: offer.hash().map(str::to_owned), text })
    };
    Ok(all.map(document).collect())
}

/// Fetches a document.
fn fetch(kubectl: &Kubectl<'_>, offer: &Offer) -> Result<String, Error> {
    print::print(&Source::new(offer.url.clone(), kubectl.get(&offer.url)?))
}
