//! Compresses the documents that kapigen-fake contains.

use super::write;
use crate::{Failure, at};
use std::fs;
use std::io::Write;
use test_data::archive;

/// The set of the documents.
const SET: &str = "kubernetes-1.36";
/// The folder of the compressed ones, from the root of the repository.
const FOLDER: &str = "templates/fake/src/registry/kubernetes";

/// Writes a file for each document, and prints its size.
pub(super) fn run(out: &mut dyn Write) -> Result<(), Failure> {
    let root = test_data::folder().ancestors().nth(2).expect("the root of the repository");
    let folder = root.join(FOLDER);
    let mut total = 0;
    for (path, bytes) in super::files(SET)? {
        let path = folder.join(format!("{path}.zz"));
        let around = path.parent().expect("a folder");
        fs::create_dir_all(around).map_err(at(around))?;
        let compressed = archive::deflated(&bytes)?;
        write(&path, &compressed)?;
        total += compressed.len();
    }
    Ok(writeln!(out, "{}: {total} bytes", folder.display())?)
}
