//! From files to an archive.

use super::error::CopyError;
use super::options::{Copied, CopyOptions, Counter};
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::time::UNIX_EPOCH;
use tar::{Builder, EntryType, Header};

/// Writes an archive of a file or folder with the name `top`, and of an empty file `last`, if there
/// is one: an archive without it was cut.
pub(super) fn pack(
    source: &Path,
    top: &Path,
    last: Option<&str>,
    sink: impl Write,
    options: &CopyOptions,
) -> Result<Copied, CopyError> {
    let mut total = 0;
    walk(source, Path::new(""), &mut |_, _, metadata| {
        total += if metadata.is_file() { metadata.len() } else { 0 };
        Ok(())
    })?;
    let mut counter = Counter::new(options);
    counter.total = Some(total);
    let mut packer = Packer { builder: Builder::new(sink), counter };
    walk(source, Path::new(""), &mut |path, inner, metadata| {
        let name = if inner.as_os_str().is_empty() { top.to_owned() } else { top.join(inner) };
        packer.member(path, inner, &name, metadata)
    })?;
    let Packer { mut builder, counter } = packer;
    end(&mut builder, last).map_err(|_| CopyError::Cut)?;
    Ok(counter.copied)
}

/// Ends the archive, with an empty file of the name `last`.
fn end(builder: &mut Builder<impl Write>, last: Option<&str>) -> io::Result<()> {
    if let Some(last) = last {
        let mut header = Header::new_gnu();
        header.set_mode(0o600);
        header.set_size(0);
        builder.append_data(&mut header, last, io::empty())?;
    }
    builder.finish()?;
    builder.get_mut().flush()
}

type Visit<'a> = dyn FnMut(&Path, &Path, &Metadata) -> Result<(), CopyError> + 'a;

/// Visits a file or folder and everything in it, in the order of names, by path, path within the
/// copy, and metadata. Links are not followed, except the first.
fn walk(path: &Path, inner: &Path, visit: &mut Visit<'_>) -> Result<(), CopyError> {
    let is_top = inner.as_os_str().is_empty();
    let metadata = if is_top { path.metadata() } else { path.symlink_metadata() };
    let metadata = metadata.map_err(CopyError::local(path))?;
    visit(path, inner, &metadata)?;
    if metadata.is_dir() {
        let entries = fs::read_dir(path).map_err(CopyError::local(path))?;
        let names = entries.map(|entry| entry.map(|entry| entry.file_name()));
        let mut names = names.collect::<io::Result<Vec<_>>>().map_err(CopyError::local(path))?;
        names.sort();
        for name in names {
            walk(&path.join(&name), &inner.join(&name), visit)?;
        }
    }
    Ok(())
}

struct Packer<W: Write> {
    builder: Builder<W>,
    counter: Counter,
}

impl<W: Write> Packer<W> {
    fn member(
        &mut self,
        path: &Path,
        inner: &Path,
        name: &Path,
        metadata: &Metadata,
    ) -> Result<(), CopyError> {
        let mut header = Header::new_gnu();
        header.set_size(0);
        header.set_mode(mode(metadata));
        let modified =
            metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        header.set_mtime(modified.unwrap_or_default().as_secs());
        if metadata.is_file() {
            header.set_size(metadata.len());
            let file = File::open(path).map_err(CopyError::local(path))?;
            let content = Content { file, left: metadata.len(), inner, counter: &mut self.counter };
            self.builder.append_data(&mut header, name, content).map_err(CopyError::local(path))?;
            self.counter.copied.files += 1;
        } else if metadata.is_dir() {
            header.set_entry_type(EntryType::Directory);
            self.builder
                .append_data(&mut header, name, io::empty())
                .map_err(CopyError::local(path))?;
            self.counter.copied.folders += 1;
        } else if metadata.is_symlink() {
            header.set_entry_type(EntryType::Symlink);
            let target = path.read_link().map_err(CopyError::local(path))?;
            self.builder.append_link(&mut header, name, target).map_err(CopyError::local(path))?;
            self.counter.copied.links += 1;
        } else {
            return Err(CopyError::refused(inner, "it is no file, folder or link"));
        }
        self.counter.report(inner);
        Ok(())
    }
}

/// As many bytes of a file as its header states.
struct Content<'a> {
    file: File,
    left: u64,
    inner: &'a Path,
    counter: &'a mut Counter,
}

impl Read for Content<'_> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(target.len());
        let count = self.file.read(&mut target[..most])?;
        if count == 0 && most > 0 {
            return Err(io::Error::new(ErrorKind::UnexpectedEof, "the file became shorter"));
        }
        self.left -= count as u64;
        if count > 0 {
            self.counter.bytes(self.inner, count);
        }
        Ok(count)
    }
}

#[cfg(unix)]
fn mode(metadata: &Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o777
}

#[cfg(not(unix))]
fn mode(metadata: &Metadata) -> u32 {
    if metadata.is_dir() { 0o755 } else { 0o644 }
}
