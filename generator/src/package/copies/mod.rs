//! Copies of hand-written crates in the folder of a generated one: of the runtime, of crates over
//! it, and of the dependencies of these.
//!
//! Their sources are part of kapigen as text, so that it compiles none of them. The build script
//! makes the table.

mod manifest;
pub mod packed;

include!(concat!(env!("OUT_DIR"), "/crates.rs"));

use crate::error::Error;
use crate::input::Source;
use crate::input::package::{Dependency, Package, Runtime, Sibling};
use crate::model::documents::DOCUMENTS;
use crate::model::wellknown::{META, RUNTIME};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use toml_edit::{DocumentMut, Item, TomlError};

/// The folder of a vendored runtime.
pub const RUNTIME_FOLDER: &str = "runtime";

/// The license of all crates.
const LICENSE: &str = include_str!("../../../LICENSE");

/// The ends of lines that are left out of a copy, since they need files beside the sources, or are
/// for programs.
const NOT_VENDORED: [&str; 2] = ["// not vendored", "# not vendored"];

/// The end of lines that are copied only for the sibling that is named behind it, which is a
/// feature of its crate.
const VENDORED_WITH: &str = " vendored with ";

/// Files by their path.
type Files = BTreeMap<String, String>;

/// The folders of copies, relative to the folder of the crate.
pub fn folders() -> impl Iterator<Item = &'static str> {
    crates().map(|(folder, _)| folder)
}

/// The crates by the folders of their copies, below the folder of the generated crate: their
/// files, as they are in the repository, by path.
pub fn crates() -> impl Iterator<Item = (&'static str, &'static [(&'static str, &'static str)])> {
    CRATES.iter().copied()
}

/// The document of the runtime's listed types.
#[must_use]
pub fn runtime_document() -> Option<Source> {
    let (_, files) = crates().find(|(folder, _)| *folder == RUNTIME_FOLDER)?;
    let path = format!("{DOCUMENTS}{META}.json");
    let (_, text) = files.iter().find(|(name, _)| *name == path)?;
    Some(Source::new(format!("{path} of the runtime"), *text))
}

/// The dependency on a copy, from the folder of the crate with this name. Two packages of one name
/// and version cannot be in one lock file, so that each copy has a name of its own.
pub(super) fn dependency(name: &str, folder: &str) -> Dependency {
    Dependency {
        package: Some(format!("{name}-{folder}")),
        path: Some(folder.to_owned()),
        ..Dependency::default()
    }
}

/// The dependency on the runtime, from the folder of the crate.
pub(super) fn runtime(name: &str, package: &Package) -> Dependency {
    match &package.runtime {
        Runtime::Vendored => dependency(name, RUNTIME_FOLDER),
        Runtime::Depend(dependency) => dependency.clone(),
    }
}

/// The copies that a package asks for, and the copies that these need, by their folders.
pub(super) fn requested(
    name: &str,
    package: &Package,
) -> Result<BTreeMap<&'static str, Files>, Error> {
    let vendored = (package.runtime == Runtime::Vendored).then_some(RUNTIME_FOLDER);
    let mut open: Vec<&str> =
        package.vendor.iter().copied().map(Sibling::folder).chain(vendored).collect();
    let mut originals: BTreeMap<&'static str, Original> = BTreeMap::new();
    while let Some(folder) = open.pop() {
        let original = Original::read(folder, &package.vendor)?;
        let needed = original.needs().filter(|needed| *needed != RUNTIME_FOLDER);
        open.extend(
            needed
                .filter_map(|needed| folders().find(|folder| *folder == needed))
                .filter(|needed| !originals.contains_key(needed)),
        );
        originals.insert(original.folder, original);
    }
    let runtime = (RUNTIME.to_owned(), runtime(name, package).one_folder_down());
    let others =
        folders().map(|folder| (package_name(folder), dependency(name, folder).one_folder_down()));
    let moved: BTreeMap<String, Dependency> = others.chain([runtime]).collect();
    Ok(originals
        .into_iter()
        .map(|(folder, original)| (folder, original.copy(name, &moved)))
        .collect())
}

/// Whether a file is copied. One with a marked first line is left out as a whole.
#[must_use]
pub fn is_copied(text: &str) -> bool {
    !text.lines().next().is_some_and(is_marked)
}

/// The name of the package that is copied to a folder.
fn package_name(folder: &str) -> String {
    format!("kapigen-{folder}")
}

fn bug(folder: &str, why: &str) -> Error {
    Error::new(format!("no copy of {} can be made: {why}", package_name(folder)))
        .help("this is a bug of kapigen")
}

/// A crate as it is in the repository of kapigen.
struct Original {
    folder: &'static str,
    manifest: DocumentMut,
    sources: Files,
}

impl Original {
    /// The crate with the features of these siblings.
    fn read(folder: &str, vendor: &BTreeSet<Sibling>) -> Result<Self, Error> {
        let (folder, files) = crates()
            .find(|(known, _)| *known == folder)
            .ok_or_else(|| bug(folder, "it is not part of kapigen"))?;
        let left_out = Sibling::ALL
            .iter()
            .filter(|sibling| sibling.folder() == folder && !vendor.contains(sibling));
        let left_out: Vec<_> = left_out.map(|sibling| format!("src/{}", sibling.name())).collect();
        let mut sources = Files::new();
        for (path, text) in files.iter().filter(|(_, text)| is_copied(text)) {
            if !left_out.iter().any(|left_out| Path::new(path).starts_with(left_out)) {
                sources.insert((*path).to_owned(), copied(text, vendor));
            }
        }
        let manifest = sources.remove("Cargo.toml").unwrap_or_default();
        let manifest =
            manifest.parse().map_err(|error: TomlError| bug(folder, &error.to_string()))?;
        Ok(Self { folder, manifest, sources })
    }

    /// The folders of the crates that it depends on.
    fn needs(&self) -> impl Iterator<Item = &str> {
        let dependencies = self.manifest.get("dependencies").and_then(Item::as_table);
        dependencies.into_iter().flatten().filter_map(|(name, _)| name.strip_prefix("kapigen-"))
    }

    fn copy(self, name: &str, moved: &BTreeMap<String, Dependency>) -> Files {
        let Self { folder, manifest, mut sources } = self;
        let package = dependency(name, folder).package.unwrap_or_default();
        sources.insert(
            "Cargo.toml".to_owned(),
            manifest::render(&package_name(folder), &manifest, &package, moved),
        );
        sources.insert("LICENSE".to_owned(), LICENSE.to_owned());
        sources
    }
}

/// A source without what is compiled for tests alone. A checkout may have given its lines other
/// ends.
#[must_use]
pub fn without_tests(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let mut kept: Vec<&str> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(indent) = line.strip_suffix("#[cfg(test)]").filter(|rest| rest.trim().is_empty())
        else {
            kept.push(line);
            continue;
        };
        while kept.last().is_some_and(|line| line.trim_start().starts_with("///")) {
            kept.pop();
        }
        // An item of one line, or one that ends with a brace below its beginning.
        if lines.next().is_some_and(|first| first.ends_with('{')) {
            lines.by_ref().find(|line| line.strip_prefix(indent) == Some("}"));
        }
        while kept.last().is_some_and(|line| line.is_empty()) {
            kept.pop();
        }
    }
    kept.join("\n") + "\n"
}

/// A source without the parts that are not copied: tests, and lines that are marked, except for the
/// marks of these siblings.
fn copied(text: &str, vendor: &BTreeSet<Sibling>) -> String {
    let text = without_tests(text);
    let mut copy = String::new();
    for line in text.split_inclusive('\n').filter(|line| !is_marked(line)) {
        match line.trim_end().split_once(VENDORED_WITH) {
            Some((line, name)) if vendor.iter().any(|sibling| sibling.name() == name) => {
                copy.extend([line.trim_end_matches(['/', '#', ' ']), "\n"]);
            }
            Some(_) => {}
            None => copy.push_str(line),
        }
    }
    // Where the marked lines were the last ones.
    copy.trim_end().to_owned() + "\n"
}

fn is_marked(line: &str) -> bool {
    NOT_VENDORED.iter().any(|ending| line.trim_end().ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_files_unpack() {
        let files = [("Cargo.toml", ""), ("src/a b.rs", "\nsrc/c.rs 3\n"), ("é", "ü\r\n")];
        let packed = packed::pack(&files);
        assert_eq!(packed::unpack(&packed), Some(files.to_vec()));
        for damaged in ["a", "a 1\n", "a x\nb\n", "a 2\nü", "a 1\nü\n", "a 0\n\nb"] {
            assert_eq!(packed::unpack(damaged), None, "{damaged:?}");
        }
    }

    #[test]
    fn lines_end_alike_and_marked_ones_are_left_out() {
        let text = "a\r\n#[cfg(test)]\r\nmod tests;\r\nb // not vendored\r\nc\r\n\
                    # d # vendored with manifest\r\n\r\ne // not vendored\r\n";
        assert_eq!(copied(text, &BTreeSet::new()), "a\nc\n");
        assert_eq!(copied(text, &[Sibling::Manifest].into()), "a\nc\n# d\n");
    }

    #[test]
    fn tests_are_left_out() {
        let text = "a\n\n#[cfg(test)]\nmod tests {\n    fn b() {\n    }\n}\n\nc\n";
        assert_eq!(without_tests(text), "a\n\nc\n");
        assert_eq!(without_tests("a\n\n#[cfg(test)]\nmod tests {\n}\n"), "a\n");
        let text =
            "fn a() {\n    #[cfg(test)]\n    b();\n    c()\n}\n\n/// D.\n#[cfg(test)]\nuse d;\n";
        assert_eq!(without_tests(text), "fn a() {\n    c()\n}\n");
    }

    #[test]
    fn copies_come_with_all_that_they_need() {
        let package = Package {
            vendor: Sibling::ALL.into_iter().collect(),
            ..Package::new("stars", Runtime::Vendored)
        };
        let copies = requested("stars", &package).unwrap();
        for (folder, files) in &copies {
            let manifest: DocumentMut = files["Cargo.toml"].parse().unwrap();
            for (name, dependency) in manifest["dependencies"].as_table().unwrap() {
                assert!(
                    dependency.get("workspace").is_none(),
                    "{folder} asks a workspace for {name}"
                );
                let Some(needed) = name.strip_prefix("kapigen-") else { continue };
                assert_eq!(
                    dependency["path"].as_str(),
                    Some(format!("../{needed}").as_str()),
                    "{folder}"
                );
                assert_eq!(
                    dependency["package"].as_str(),
                    Some(format!("stars-{needed}").as_str()),
                    "{folder}"
                );
                assert!(copies.contains_key(needed), "{folder} needs {needed}");
            }
            assert!(files.contains_key("src/lib.rs") && files.contains_key("LICENSE"), "{folder}");
        }
        assert!(copies[RUNTIME_FOLDER].contains_key("src/index.json"));
    }

    #[test]
    fn a_runtime_elsewhere_is_not_copied() {
        let runtime = Runtime::Depend(Dependency {
            version: Some("0.1".to_owned()),
            ..Dependency::default()
        });
        let mut package =
            Package { vendor: [Sibling::Client].into(), ..Package::new("stars", runtime) };
        let copies = requested("stars", &package).unwrap();
        assert_eq!(copies.keys().collect::<Vec<_>>(), [&"client"]);
        assert!(copies["client"].values().all(|text| !text.contains("kapigen_yaml")));

        // The feature brings what it needs.
        package.vendor = [Sibling::Manifest].into();
        let copies = requested("stars", &package).unwrap();
        assert_eq!(copies.keys().collect::<Vec<_>>(), [&"client", &"yaml"]);
        assert!(copies["client"].contains_key("src/manifest/mod.rs"));
        assert!(copies["client"]["Cargo.toml"].contains("\nmanifest = [\"dynamic\", "));
    }
}
