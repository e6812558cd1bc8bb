//! From an archive to files, which are not at their places before all of them are complete.

use super::archive::{Archive, Kind, Member};
use super::error::CopyError;
use super::options::{Copied, CopyOptions, Counter};
use super::paths::{check_link, from_bytes, within};
use super::pipe::CHUNK;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A copy that is complete, and not at its place.
pub(super) struct Unpacked {
    staging: Staging,
    target: PathBuf,
    folders: Vec<Folder>,
    pub(super) copied: Copied,
}

/// A folder, which gets its mode and time when all is in it.
struct Folder {
    path: PathBuf,
    mode: u32,
    modified: SystemTime,
}

/// A folder that only the user can read. It is removed when it is dropped.
struct Staging(PathBuf);

impl Drop for Staging {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Staging {
    /// Makes a folder where a rename to the target moves no bytes.
    fn near(target: &Path, nonce: &str) -> Result<Self, CopyError> {
        let folder = match target.parent() {
            _ if target.is_dir() => target,
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let path = folder.join(format!(".kapigen-copy-{nonce}"));
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&path).map_err(CopyError::local(&path))?;
        Ok(Self(path))
    }

    fn top(&self) -> PathBuf {
        self.0.join("data")
    }

    fn path(&self, inner: &Path) -> PathBuf {
        if inner.as_os_str().is_empty() { self.top() } else { self.top().join(inner) }
    }
}

/// Unpacks an archive with members below `top` beside the target.
pub(super) fn unpack(
    source: impl Read,
    top: &Path,
    target: &Path,
    nonce: &str,
    options: &CopyOptions,
) -> Result<Unpacked, CopyError> {
    let mut unpacker = Unpacker {
        top,
        staging: Staging::near(target, nonce)?,
        archive: Archive::new(source, options.largest),
        counter: Counter::new(options),
        folders: Vec::new(),
        links: Vec::new(),
    };
    while let Some(member) = unpacker.archive.next()? {
        let inner = within(top, &member.name)?;
        unpacker.member(&inner, &member)?;
    }
    unpacker.link()?;
    let Unpacker { staging, folders, counter: Counter { copied, .. }, .. } = unpacker;
    Ok(Unpacked { staging, target: target.to_owned(), folders, copied })
}

struct Unpacker<'a, R> {
    top: &'a Path,
    staging: Staging,
    archive: Archive<R>,
    counter: Counter,
    folders: Vec<Folder>,
    /// Links and their targets. They are made last, so that nothing is written through them.
    links: Vec<(PathBuf, PathBuf)>,
}

impl<R: Read> Unpacker<'_, R> {
    fn member(&mut self, inner: &Path, member: &Member) -> Result<(), CopyError> {
        let path = self.staging.path(inner);
        let is_top = inner.as_os_str().is_empty();
        if let Some(parent) = inner.parent() {
            let parent = self.staging.path(parent);
            fs::create_dir_all(&parent).map_err(CopyError::local(&parent))?;
        }
        match &member.kind {
            Kind::File => self.file(&path, inner, member)?,
            Kind::Folder => {
                fs::create_dir_all(&path).map_err(CopyError::local(&path))?;
                self.counter.copied.folders += 1;
                let (mode, modified) = (member.mode, member.modified);
                self.folders.push(Folder { path: inner.to_owned(), mode, modified });
            }
            Kind::Link(_) if is_top => {
                return Err(CopyError::refused(inner, "it is a link: copy its target"));
            }
            Kind::Link(target) => {
                let target = from_bytes(target);
                match check_link(inner, &target) {
                    Ok(()) => self.links.push((inner.to_owned(), target)),
                    Err(_) if self.counter.options.skips_links => self.counter.copied.skipped += 1,
                    Err(refused) => return Err(refused),
                }
            }
            Kind::HardLink(target) => {
                let target = self.staging.path(&within(self.top, target)?);
                fs::hard_link(&target, &path).map_err(CopyError::local(&path))?;
                self.counter.copied.files += 1;
            }
            Kind::Special => {
                return Err(CopyError::refused(inner, "it is no file, folder or link"));
            }
        }
        self.counter.report(inner);
        Ok(())
    }

    fn file(&mut self, path: &Path, inner: &Path, member: &Member) -> Result<(), CopyError> {
        // No member twice, whatever names this system takes for the same.
        let mut file = File::create_new(path).map_err(CopyError::local(path))?;
        let mut chunk = vec![0; CHUNK];
        loop {
            let count = self.archive.read(&mut chunk)?;
            if count == 0 {
                break;
            }
            file.write_all(&chunk[..count]).map_err(CopyError::local(path))?;
            self.counter.bytes(inner, count);
        }
        file.set_modified(member.modified).map_err(CopyError::local(path))?;
        set_mode(path, member.mode).map_err(CopyError::local(path))?;
        self.counter.copied.files += 1;
        Ok(())
    }

    fn link(&mut self) -> Result<(), CopyError> {
        for (inner, target) in &self.links {
            let path = self.staging.path(inner);
            symlink(target, &path).map_err(CopyError::local(&path))?;
            self.counter.copied.links += 1;
        }
        Ok(())
    }
}

impl Unpacked {
    /// Moves everything to its place: into a folder that is there, or else by one rename.
    pub(super) fn install(self) -> Result<Copied, CopyError> {
        if !self.staging.top().exists() {
            return Err(CopyError::Malformed("it is empty"));
        }
        let target = match self.target.canonicalize() {
            Ok(folder) if folder.is_dir() => folder,
            _ => self.target.clone(),
        };
        merge(&self.staging.top(), &target)?;
        // Those within a folder are behind it.
        for Folder { path, mode, modified } in self.folders.iter().rev() {
            let path = if path.as_os_str().is_empty() { target.clone() } else { target.join(path) };
            set_folder_time(&path, *modified)
                .and_then(|()| set_mode(&path, *mode))
                .map_err(CopyError::local(&path))?;
        }
        Ok(self.copied)
    }
}

/// Moves a file, link or folder, in place of a file or link of this name. Never through a link.
fn merge(from: &Path, to: &Path) -> Result<(), CopyError> {
    let is_folder = from.symlink_metadata().map_err(CopyError::local(from))?.is_dir();
    match to.symlink_metadata() {
        Ok(there) if is_folder != there.is_dir() => {
            let what = if is_folder { "there is no folder" } else { "there is a folder" };
            Err(CopyError::local(to)(io::Error::new(io::ErrorKind::AlreadyExists, what)))
        }
        Ok(_) if is_folder => {
            for entry in fs::read_dir(from).map_err(CopyError::local(from))? {
                let name = entry.map_err(CopyError::local(from))?.file_name();
                merge(&from.join(&name), &to.join(&name))?;
            }
            Ok(())
        }
        _ => fs::rename(from, to).map_err(CopyError::local(to)),
    }
}

/// Sets the mode, without the bits by which a program gets the rights of its owner.
#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o777))
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn set_folder_time(path: &Path, modified: SystemTime) -> io::Result<()> {
    File::open(path)?.set_modified(modified)
}

#[cfg(not(unix))]
fn set_folder_time(_: &Path, _: SystemTime) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn symlink(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "links are not copied to this system"))
}
