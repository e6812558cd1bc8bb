//! The data of tests: `tests/data` has a compressed archive for each set, which is unpacked once
//! into `target/data`. Small inputs with what is made of them are files in [`sections`].

pub mod archive;
pub mod sections;
pub mod texts;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{env, fs, io, process};

/// The folder of the archives.
#[must_use]
pub fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The archive of a set.
#[must_use]
pub fn archive_of(set: &str) -> PathBuf {
    folder().join(format!("{set}.tar.gz"))
}

/// The names of all sets, sorted.
///
/// # Errors
/// When the folder cannot be read.
pub fn sets() -> io::Result<Vec<String>> {
    let mut sets = Vec::new();
    for entry in fs::read_dir(folder())? {
        let name = entry?.file_name();
        sets.extend(name.to_str().and_then(|name| name.strip_suffix(".tar.gz")).map(str::to_owned));
    }
    sets.sort();
    Ok(sets)
}

/// A folder or file of the data. The path begins with the name of its set: `rules/crd.json` is
/// `crd.json` in `rules.tar.gz`.
///
/// # Panics
/// When it is absent, or the disk fails.
#[must_use]
pub fn data(path: &str) -> PathBuf {
    let (set, rest) = path.split_once('/').unwrap_or((path, "."));
    let folder = unpacked(set).unwrap_or_else(|error| panic!("{path}: {error}"));
    let found = if rest == "." { folder } else { folder.join(rest) };
    assert!(found.exists(), "{path} is not in {}", archive_of(set).display());
    found
}

/// The folder of a set below `target/data`. Its name has the checksum of the archive, so that
/// another archive is unpacked again.
///
/// # Errors
/// When there is no such archive, it is damaged, or the disk fails.
pub fn unpacked(set: &str) -> io::Result<PathBuf> {
    unpacked_to(&target().join("data"), set, &archive_of(set))
}

fn unpacked_to(all: &Path, set: &str, archive: &Path) -> io::Result<PathBuf> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let named = |error| io::Error::other(format!("{}: {error}", archive.display()));
    let done = all.join(format!("{set}-{}", archive::checksum(archive).map_err(named)?));
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if done.exists() {
        return Ok(done);
    }
    // Other processes may unpack the same archive now: each has a folder of its own, and the first
    // gives it the name.
    let own = all.join(format!(".{set}-{}", process::id()));
    archive::unpack(archive, &own).map_err(named)?;
    let renamed = fs::rename(&own, &done);
    if done.exists() {
        _ = fs::remove_dir_all(&own);
        return Ok(done);
    }
    renamed.map(|()| done)
}

/// Cargo's folder of outputs.
fn target() -> PathBuf {
    let root = folder().ancestors().nth(2).expect("this package is in tests/ of the repository");
    root.join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

#[cfg(test)]
mod tests {
    use super::{archive, archive_of, sets, target, texts, unpacked_to};
    use serde_json::Value;
    use std::fs;

    #[test]
    fn no_set_has_texts() {
        let mut values = 0;
        // The set `made` is our own, and some of its files are not JSON.
        for set in sets().unwrap().into_iter().filter(|set| set != "made") {
            for (path, bytes) in archive::files(&archive_of(&set)).unwrap() {
                let lines = match path.rsplit_once('.').unwrap().1 {
                    "json" => vec![bytes.as_slice()],
                    "jsonl" => bytes.trim_ascii_end().split(|byte| *byte == b'\n').collect(),
                    _ => continue,
                };
                for line in lines {
                    let value: Value = serde_json::from_slice(line).unwrap();
                    assert!(texts::removed(value.clone()) == value, "{set}/{path} has texts");
                    values += 1;
                }
            }
        }
        assert!(values > 5_000, "only {values} values");
    }

    #[test]
    fn a_clone_stays_small() {
        let length = |set: String| fs::metadata(archive_of(&set)).unwrap().len();
        let total: u64 = sets().unwrap().into_iter().map(length).sum();
        assert!(total < 2_500_000, "{total} bytes");
    }

    #[test]
    fn another_archive_is_unpacked_again() {
        let folder = target().join("tmp/data-unpacked");
        _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let packed = folder.join("set.tar.gz");
        let unpacked = |contents: &str| {
            let files = [("a/b.json".to_owned(), contents.as_bytes().to_vec())].into();
            fs::write(&packed, archive::pack(&files).unwrap()).unwrap();
            assert_eq!(archive::files(&packed).unwrap(), files);
            let found = unpacked_to(&folder, "set", &packed).unwrap();
            assert_eq!(archive::files_of_folder(&found).unwrap(), files);
            found
        };
        let first = unpacked("[1]");
        assert_ne!(unpacked("[2]"), first);
        // The same files make the same archive, which is there already.
        fs::write(first.join("a/b.json"), "changed").unwrap();
        let files = [("a/b.json".to_owned(), b"[1]".to_vec())].into();
        fs::write(&packed, archive::pack(&files).unwrap()).unwrap();
        assert_eq!(unpacked_to(&folder, "set", &packed).unwrap(), first);
        assert_eq!(fs::read(first.join("a/b.json")).unwrap(), b"changed");
        fs::write(&packed, "no archive").unwrap();
        let error = unpacked_to(&folder, "set", &packed).unwrap_err().to_string();
        assert!(error.contains("set.tar.gz: "), "{error}");
    }
}
