//! Checkouts that Cargo makes of repositories, for the build script.

use std::fs;
use std::path::Path;

/// The URL and the revision of the checkout around the folder of a package, if Cargo made it. Below
/// its home, Cargo has a checkout in `git/checkouts/NAME/SHORT_REVISION`, and what it fetched for
/// that in `git/db/NAME`. A URL with a password is not taken.
#[allow(unreachable_pub)]
pub fn of_cargo(package: &Path) -> Option<(String, String)> {
    let is_below = |folder: &Path| folder.ends_with("git/checkouts");
    let checkout =
        package.ancestors().find(|path| path.ancestors().nth(2).is_some_and(is_below))?;
    let fetched = checkout.ancestors().nth(3)?.join("db").join(checkout.parent()?.file_name()?);
    let fetched = fs::read_to_string(fetched.join("FETCH_HEAD")).ok()?;
    let url = fetched.lines().next()?.rsplit(['\t', ' ']).next()?;
    let revision = revision(&checkout.join(".git"))?;
    let is_of_folder = revision.starts_with(checkout.file_name()?.to_str()?);
    (is_of_folder && is_public(url)).then(|| (url.to_owned(), revision))
}

/// The revision that is checked out.
fn revision(git: &Path) -> Option<String> {
    let head = fs::read_to_string(git.join("HEAD")).ok()?;
    let text = match head.trim_end().strip_prefix("ref: ") {
        Some(reference) => fs::read_to_string(git.join(reference)).ok()?,
        None => head,
    };
    let revision = text.trim_end();
    let is_hash = revision.len() >= 40 && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| revision.to_owned())
}

/// Whether a URL has no password, and can stand in a manifest.
fn is_public(url: &str) -> bool {
    let Some((_, rest)) = url.split_once("://") else { return false };
    let authority = rest.split('/').next().unwrap_or_default();
    let has_password = authority.rsplit_once('@').is_some_and(|(user, _)| user.contains(':'));
    !has_password && url.bytes().all(|byte| byte.is_ascii_graphic())
}
