//! Paths within a copy, which lead nowhere else.

use super::error::CopyError;
use std::path::{Component, Path, PathBuf};

/// The path of a member within the copy, without the `top` that all members begin with. Empty for
/// the top itself.
pub(super) fn within(top: &Path, name: &[u8]) -> Result<PathBuf, CopyError> {
    let path = from_bytes(name);
    let mut inner = PathBuf::new();
    for component in path.components() {
        let reason = match component {
            Component::Normal(part) if is_plain(part.to_string_lossy().as_ref()) => {
                inner.push(part);
                continue;
            }
            Component::CurDir => continue,
            Component::Normal(_) => "this system has no such names",
            Component::ParentDir => "its path leaves the folder",
            Component::RootDir | Component::Prefix(_) => "its path is absolute",
        };
        return Err(CopyError::refused(&path, reason));
    }
    match inner.strip_prefix(top) {
        Ok(inner) => Ok(inner.to_owned()),
        Err(_) => Err(CopyError::refused(&path, "it is not what was asked for")),
    }
}

/// Whether a name is one file everywhere on this system.
fn is_plain(name: &str) -> bool {
    !name.contains('\0') && (cfg!(unix) || !name.contains([':', '\\', '\u{fffd}']))
}

/// Checks that the target of a link at `path` is in the copy. The target may begin with `..`, and
/// have none behind a name: that may be a link, and `..` its own parent.
pub(super) fn check_link(path: &Path, target: &Path) -> Result<(), CopyError> {
    let mut depth = path.components().count().saturating_sub(1);
    let mut has_name = false;
    for component in target.components() {
        match component {
            Component::Normal(_) => has_name = true,
            Component::CurDir => {}
            Component::ParentDir if depth > 0 && !has_name => depth -= 1,
            Component::ParentDir => {
                return Err(CopyError::refused(path, "it is a link that can leave the folder"));
            }
            Component::RootDir | Component::Prefix(_) => {
                return Err(CopyError::refused(path, "it is a link to an absolute path"));
            }
        }
    }
    Ok(())
}

/// The path of these bytes. Where paths are characters, other bytes are replaced: then it is
/// [refused](is_plain).
#[cfg(unix)]
pub(super) fn from_bytes(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
pub(super) fn from_bytes(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// A path in a container: its folder, and its name in there. The name of a folder such as `/` or
/// `..` is a dot.
pub(super) fn remote(path: &str) -> (&str, &str) {
    let path = match path.trim_end_matches('/') {
        "" if path.starts_with('/') => "/",
        "" => ".",
        path => path,
    };
    let (folder, name) = match path.rsplit_once('/') {
        Some(("", name)) => ("/", name),
        Some((folder, name)) => (folder, name),
        None => (".", path),
    };
    if matches!(name, "" | "." | "..") { (path, ".") } else { (folder, name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remote_paths_have_a_folder_and_a_name() {
        for (path, expected) in [
            ("/etc/app", ("/etc", "app")),
            ("/etc/app/", ("/etc", "app")),
            ("app", (".", "app")),
            ("/app", ("/", "app")),
            ("a/..", ("a/..", ".")),
            ("/", ("/", ".")),
            ("", (".", ".")),
            (".", (".", ".")),
            ("-x", (".", "-x")),
        ] {
            assert_eq!(remote(path), expected, "{path}");
        }
    }

    #[test]
    fn members_stay_within() {
        let of = |name: &str| within(Path::new("app"), name.as_bytes()).ok();
        assert_eq!(of("./app/a//b/./c"), Some("a/b/c".into()));
        assert_eq!(of("app"), Some("".into()));
        for name in ["/app/a", "app/../b", "..", "other/a", "./apple", "", "app/a\0b"] {
            assert_eq!(of(name), None, "{name}");
        }
        let all = |name: &str| within(Path::new(""), name.as_bytes()).ok();
        assert_eq!((all("./a"), all("./")), (Some("a".into()), Some("".into())));
    }

    #[test]
    fn links_stay_within() {
        let is_inside =
            |path: &str, target: &str| check_link(Path::new(path), Path::new(target)).is_ok();
        for (path, target) in
            [("a", "b"), ("a/b", "../c"), ("a/b/c", "../../d/e"), ("a", "./b/c"), ("a/b", "..")]
        {
            assert!(is_inside(path, target), "{path} -> {target}");
        }
        for (path, target) in
            [("a", "/etc"), ("a", ".."), ("a/b", "../../c"), ("a", "b/../c"), ("a/b", "c/../../d")]
        {
            assert!(!is_inside(path, target), "{path} -> {target}");
        }
    }
}
