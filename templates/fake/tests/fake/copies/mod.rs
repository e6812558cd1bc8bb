//! Files and folders, copied to and from containers that are folders of this machine.

mod cuts;
mod hostile;
mod trips;

use crate::processes::local;
use crate::testing::{pod, server};
use kapigen_client::Client;
use kapigen_client::copy::{Copied, CopyError, CopyOptions};
use kapigen_fake::streams::Process;
use kapigen_fake::{FakeService, Server};
use openshift_api::core_v1::pods::{self, ExecParams};
use openshift_api::response::Exec;
use openshift_api::{Request, Upgrade};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use test_support::folder::Folder;

/// A client, and a server that runs processes.
fn running<F, R>(run: F) -> (Server, Client)
where
    F: Fn(Process) -> R + Send + Sync + 'static,
    R: Future<Output = Result<i32, String>> + Send + 'static,
{
    let server = server();
    server.create(&pod("web")).expect("a pod");
    server.on_exec(run);
    let client = Client::new(FakeService::new(server.clone()));
    (server, client)
}

fn exec() -> Request<Upgrade<Exec>> {
    pods::get_exec("default", "web", &ExecParams::default()).expect("a request")
}

fn folder(name: &str) -> Folder {
    Folder::new(env!("CARGO_TARGET_TMPDIR"), &format!("copies-{name}"))
}

/// A path of a container.
fn remote(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

async fn from(client: &Client, path: &Path, local: &Path) -> Result<Copied, CopyError> {
    client.copy_from(exec(), remote(path), local, &CopyOptions::default()).await
}

async fn to(client: &Client, local: &Path, path: &Path) -> Result<Copied, CopyError> {
    client.copy_to(exec(), local, remote(path), &CopyOptions::default()).await
}

/// Everything in a folder: kind, mode, time, and content or target.
fn tree(top: &Path) -> BTreeMap<PathBuf, (char, u32, i64, Vec<u8>)> {
    let mut all = BTreeMap::new();
    let mut open = vec![PathBuf::new()];
    while let Some(inner) = open.pop() {
        let path = top.join(&inner);
        let metadata = path.symlink_metadata().expect("it is there");
        let (mode, time) = (metadata.permissions().mode() & 0o777, metadata.mtime());
        let row = if metadata.is_dir() {
            let entries = fs::read_dir(&path).expect("a folder");
            open.extend(entries.map(|entry| inner.join(entry.expect("an entry").file_name())));
            ('d', mode, time, Vec::new())
        } else if metadata.is_symlink() {
            let target = fs::read_link(&path).expect("a link");
            ('l', 0, 0, target.into_os_string().into_encoded_bytes())
        } else {
            ('f', mode, time, fs::read(&path).expect("a file"))
        };
        all.insert(inner, row);
    }
    all
}

/// The names in a folder, to find what a copy has left there.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
