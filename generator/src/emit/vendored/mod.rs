//! Copies of hand-written crates in the folder of a generated one: of the runtime, and of crates that stand on it.

#[cfg(feature = "runtime")]
mod manifest;
#[cfg(feature = "vendor")]
mod siblings;

#[cfg(not(feature = "runtime"))]
use crate::input::runtime::without_runtime;
#[cfg(feature = "runtime")]
use kapigen_runtime::sources;
#[cfg(feature = "vendor")]
pub(super) use siblings::sibling;

use crate::error::Error;
#[cfg(not(feature = "vendor"))]
use crate::input::package::{Dependency, Sibling};

/// Files by their path.
type Files = Vec<(String, String)>;

/// The files of a copy of the runtime, as a package with this name.
#[cfg(feature = "runtime")]
pub(super) fn runtime(package: &str) -> Result<Files, Error> {
    let manifest = manifest::render("kapigen-runtime", sources::MANIFEST, package, None)?;
    let index = ("src/index.json".to_owned(), sources::INDEX.to_owned());
    let files = sources::FILES.iter().map(|(path, text)| (*path, *text));
    Ok(self::files(manifest, sources::LICENSE, files).into_iter().chain([index]).collect())
}

#[cfg(not(feature = "runtime"))]
pub(super) fn runtime(_: &str) -> Result<Files, Error> {
    Err(without_runtime())
}

#[cfg(not(feature = "vendor"))]
pub(super) fn sibling(sibling: Sibling, _: &str, _: &Dependency) -> Result<Files, Error> {
    let message =
        format!("kapigen was built without its feature `vendor`, and has no copy of {}", sibling.package_name());
    Err(Error::new(message).help("enable the feature"))
}

#[cfg(feature = "runtime")]
fn files<'a>(manifest: String, license: &str, sources: impl Iterator<Item = (&'a str, &'a str)>) -> Files {
    let sources = sources.map(|(path, text)| (format!("src/{path}"), without_tests(text)));
    let beside = [("Cargo.toml".to_owned(), manifest), ("LICENSE".to_owned(), license.to_owned())];
    beside.into_iter().chain(sources).collect()
}

/// A source without the parts that are not vendored: tests in files of their own, and lines that are marked.
#[cfg(feature = "runtime")]
fn without_tests(text: &str) -> String {
    let text = text.replace("#[cfg(test)]\nmod tests;\n", "");
    let text: String =
        text.split_inclusive('\n').filter(|line| !line.trim_end().ends_with("// not vendored")).collect();
    // Where the marked lines were the last ones.
    text.trim_end().to_owned() + "\n"
}
