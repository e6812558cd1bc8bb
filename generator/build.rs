//! Makes the table of the crates that `--vendor` copies, of their files in the repository. A
//! package of kapigen has them in the folder `copies`, which `cargo xtask package` writes.

#[path = "src/package/copies/packed.rs"]
#[allow(dead_code, unreachable_pub)]
mod packed;

mod checkout;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::{env, fs, io};

/// The endings of sources: code, and data that it includes.
const SOURCES: [&str; 4] = ["json", "rs", "txt", "yaml"];

/// The crate that `--vendor` never copies: copies of the client have no feature `connect`, and it
/// would take a tenth of the package.
const NEVER_COPIED: &str = "connect";

/// The folder of programs, which need features of their own.
const PROGRAMS: &str = "src/bin/";

/// A crate: its folder, and its files by path below that, with where they are on disk.
type Crate = (String, Vec<(String, PathBuf)>);

fn main() {
    let variable = |name| PathBuf::from(env::var_os(name).unwrap_or_default());
    let package = variable("CARGO_MANIFEST_DIR");
    let out = variable("OUT_DIR");
    let templates = package.join("../templates");
    let copies = package.join("copies");
    // Cargo takes a path that does not exist for changed, in each build.
    for path in [templates.join("runtime/Cargo.toml"), copies.clone()] {
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    if let Some((url, revision)) = checkout::of_cargo(&package) {
        println!("cargo::rustc-env=KAPIGEN_GIT_URL={url}");
        println!("cargo::rustc-env=KAPIGEN_GIT_REVISION={revision}");
    }
    let crates = if is_ours(&templates) {
        in_repository(&templates)
    } else {
        in_package(&copies, &out.join("copies"))
    };
    if let Err(error) = crates.and_then(|crates| fs::write(out.join("crates.rs"), table(&crates))) {
        eprintln!(
            "error: this copy of kapigen lacks the crates that it copies: {error}\n  help: depend \
             on kapigen by a version, or by the path of a clone; `cargo vendor` leaves them out \
             where it is a dependency by git"
        );
        exit(1);
    }
}

/// Whether these are the crates of this version, rather than a neighbour of an unpacked package.
fn is_ours(templates: &Path) -> bool {
    let version = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    let manifest = fs::read_to_string(templates.join("runtime/Cargo.toml")).unwrap_or_default();
    let states = |wanted: &str| manifest.lines().any(|line| line.trim_end() == wanted);
    states("name = \"kapigen-runtime\"") && (states("version.workspace = true") || states(&version))
}

/// The crates of the repository. Tests are left out: users who copy a crate do not work on it.
fn in_repository(templates: &Path) -> io::Result<Vec<Crate>> {
    let mut crates = Vec::new();
    for folder in sorted(templates)? {
        if !folder.join("Cargo.toml").is_file() || folder.ends_with(NEVER_COPIED) {
            continue;
        }
        let mut files = vec![folder.join("Cargo.toml")];
        collect(&folder.join("src"), &mut files)?;
        let mut named: Vec<_> = files
            .into_iter()
            .map(|file| (relative(&file, &folder), file))
            .filter(|(path, _)| !is_test(path) && !path.starts_with(PROGRAMS))
            .collect();
        named.sort();
        // Each file by itself, since a folder would include its tests. A new file is declared in
        // another one.
        for (_, file) in &named {
            println!("cargo::rerun-if-changed={}", file.display());
        }
        crates.push((relative(&folder, templates), named));
    }
    Ok(crates)
}

/// The crates of a package, unpacked.
fn in_package(copies: &Path, out: &Path) -> io::Result<Vec<Crate>> {
    let mut crates = Vec::new();
    for file in sorted(copies)? {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&file).map_err(|error| at(&file, &error))?;
        let invalid = || at(&file, &io::Error::other("not the packed text of a crate"));
        let mut files = Vec::new();
        for (path, text) in packed::unpack(&text).ok_or_else(invalid)? {
            let unpacked = out.join(&name).join(path);
            fs::create_dir_all(unpacked.parent().unwrap_or(out))?;
            fs::write(&unpacked, text).map_err(|error| at(&unpacked, &error))?;
            files.push((path.to_owned(), unpacked));
        }
        crates.push((name, files));
    }
    Ok(crates)
}

/// The table as Rust, and the index of the runtime, which every run reads.
fn table(crates: &[Crate]) -> String {
    let mut table = "pub(super) static CRATES: &[(&str, &[(&str, &str)])] = &[\n".to_owned();
    let mut index = None;
    for (name, files) in crates {
        let _ = writeln!(table, "({name:?}, &[");
        for (path, file) in files {
            let _ = writeln!(table, "({path:?}, include_str!({:?})),", file.to_string_lossy());
            if name == "runtime" && path == "src/index.json" {
                index = Some(file);
            }
        }
        table += "]),\n";
    }
    table += "];\n";
    if let Some(index) = index {
        let _ = writeln!(
            table,
            "pub(crate) static INDEX: &str = include_str!({:?});",
            index.to_string_lossy()
        );
    }
    table
}

/// All sources below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for path in sorted(folder)? {
        let ending = path.extension().unwrap_or_default();
        if path.is_dir() {
            collect(&path, files)?;
        } else if SOURCES.iter().any(|known| ending == *known) {
            files.push(path);
        }
    }
    Ok(())
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

/// Lists the entries of a folder in the same order on every system.
fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| at(folder, &error))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// A path below a folder, with `/` on every system.
fn relative(path: &Path, folder: &Path) -> String {
    let below = path.strip_prefix(folder).unwrap_or(path);
    below.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
