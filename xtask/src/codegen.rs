//! `cargo xtask codegen`: makes what is made by machine, or says how it differs.

use crate::{Failure, calls, features, registry};
use kapigen::folder::Input;
use kapigen::report;
use kapigen::tree::{self, Difference};
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::{fs, io};

/// Where the documents are, below the root of the repository.
const SPEC: &str = "spec";
/// Where the crate is.
const CRATE: &str = "generated";
/// Where the list of its types is.
const REGISTRY: &str = "tests/src/registry.rs";
/// Where the list of calls of its functions is.
const CALLS: &str = "tests/src/calls.rs";

/// Generates everything that is made by machine, or with `check` only shows what differs. True: all is as it should
/// be.
///
/// # Errors
/// When the documents are wrong, or the disk fails.
pub fn run(root: &Path, check: bool, out: &mut dyn Write) -> Result<bool, Failure> {
    let sources = Input::folder(root.join(SPEC)).read()?;
    let output = kapigen::generate(&sources)?;
    let folder = root.join(CRATE);
    let mut differences = if check { output.tree.compare(&folder)? } else { output.tree.write(&folder)? };
    for difference in &mut differences {
        difference.path.insert_str(0, &format!("{CRATE}/"));
    }
    for (path, text) in [(REGISTRY, registry::registry(&output.api)), (CALLS, calls::calls(&output.api))] {
        let list = compare(root, path, text)?;
        if let Some(Difference { new: Some(text), .. }) = list.as_ref().filter(|_| !check) {
            tree::replace(&root.join(path), text)?;
        }
        differences.extend(list);
    }
    if check {
        write!(out, "{}", report::diffs(&differences))?;
    }
    write!(out, "{}", report::changes(&differences))?;
    let number = report::count(differences.len(), "file");
    let verb = if check { "not as generated" } else { "changed" };
    writeln!(out, "{}; {number} {verb}", report::summary(&sources, &output))?;
    let stale = check && !differences.is_empty();
    if stale {
        writeln!(out, "what is made by machine is stale. To mend it, run: cargo xtask codegen")?;
    }
    let advice = features::advice(&folder, &output.features)?;
    write!(out, "{}", advice.as_deref().unwrap_or_default())?;
    Ok(!stale && advice.is_none())
}

/// How a single file differs, if it does.
fn compare(root: &Path, path: &str, new: String) -> io::Result<Option<Difference>> {
    let old = match fs::read(root.join(path)) {
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let same = old.as_ref() == Some(&new);
    Ok((!same).then(|| Difference { path: path.to_owned(), old, new: Some(new) }))
}
