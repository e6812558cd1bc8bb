//! The sources of the hand-written crates as text, which kapigen copies beside generated ones.

use crate::at;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The folder of the crates.
const TEMPLATES: &str = "templates";

/// The folder of the texts, a file for each crate.
const COPIES: &str = "generator/src/package/copies";

/// The folder of the runtime.
const RUNTIME: &str = "runtime";

/// The index of the runtime. As every run reads it, it has a file of its own among the texts.
const INDEX: &str = "src/index.json";

/// The folder of programs, which need features of their own.
const PROGRAMS: &str = "src/bin/";

/// The endings of sources: code, and data that it includes.
const SOURCES: [&str; 3] = ["json", "rs", "yaml"];

/// The endings of lines that a copy does not have, since they need what is beside the sources, or
/// are for programs.
const NOT_VENDORED: [&str; 2] = ["// not vendored", "# not vendored"];

/// The texts by their path. The files of crates that are made by machine are given, since those on
/// disk may be stale; without a text, they are to be removed.
pub(crate) fn files(
    root: &Path,
    made: &BTreeMap<String, Option<String>>,
) -> io::Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for folder in crates(root)? {
        let name = folder.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let mut sources = sources(&folder)?;
        let below = format!("{TEMPLATES}/{name}/");
        for (path, text) in
            made.iter().filter_map(|(path, text)| Some((path.strip_prefix(&below)?, text)))
        {
            match text {
                Some(text) => sources.insert(path.to_owned(), text.clone()),
                None => sources.remove(path),
            };
        }
        if name == RUNTIME {
            files
                .extend(sources.remove(INDEX).map(|index| (format!("{COPIES}/index.json"), index)));
        }
        files.push((format!("{COPIES}/{name}.json"), lines(&sources)));
    }
    Ok(files)
}

/// The folders of the crates.
fn crates(root: &Path) -> io::Result<Vec<PathBuf>> {
    let templates = root.join(TEMPLATES);
    let entries = fs::read_dir(&templates).map_err(at(&templates))?;
    let folders = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    let mut folders: Vec<PathBuf> =
        folders.into_iter().filter(|folder| folder.join("Cargo.toml").is_file()).collect();
    folders.sort();
    Ok(folders)
}

/// The lines of files by path, without the parts that are not copied.
fn lines(files: &BTreeMap<String, String>) -> String {
    let lines = |text: &String| copied(text).lines().map(str::to_owned).collect::<Vec<_>>();
    let files: BTreeMap<&String, Vec<String>> =
        files.iter().map(|(path, text)| (path, lines(text))).collect();
    serde_json::to_string_pretty(&files).expect("strings can be written") + "\n"
}

/// A file, which may be damaged when it is only checked.
fn text(file: &Path) -> io::Result<String> {
    let bytes = fs::read(file).map_err(at(file))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A source without the parts that are not copied: tests in files of their own, and lines that are
/// marked.
fn copied(text: &str) -> String {
    let text = text.replace("#[cfg(test)]\nmod tests;\n", "");
    let text: String = text
        .split_inclusive('\n')
        .filter(|line| !NOT_VENDORED.iter().any(|ending| line.trim_end().ends_with(ending)))
        .collect();
    // Where the marked lines were the last ones.
    text.trim_end().to_owned()
}

/// The manifest and the sources of a crate, by path. Tests are left out: users who vendor a crate
/// do not work on it.
fn sources(folder: &Path) -> io::Result<BTreeMap<String, String>> {
    let mut files = vec![folder.join("Cargo.toml")];
    collect(&folder.join("src"), &SOURCES, &mut files)?;
    let named = files
        .iter()
        .map(|file| (relative(file, folder), file))
        .filter(|(path, _)| !is_test(path) && !path.starts_with(PROGRAMS));
    named.map(|(path, file)| Ok((path, text(file)?))).collect()
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/")
}

/// All files below a folder with one of these endings.
pub(crate) fn collect(folder: &Path, endings: &[&str], files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, endings, files)?;
        } else if path
            .extension()
            .is_some_and(|ending| endings.iter().any(|known| ending == *known))
        {
            files.push(path);
        }
    }
    Ok(())
}

/// A path below a folder, with `/` on every system.
pub(crate) fn relative(path: &Path, folder: &Path) -> String {
    let below = path.strip_prefix(folder).unwrap_or(path);
    below.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}
