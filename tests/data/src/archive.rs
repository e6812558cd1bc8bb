//! Archives: the same files always make the same bytes.

use flate2::read::GzDecoder;
use flate2::write::ZlibEncoder;
use flate2::{Compression, GzBuilder};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use tar::{Archive, Builder, EntryType, Header};

/// Files by their paths in a set, with `/`.
pub type Files = BTreeMap<String, Vec<u8>>;

/// An archive of these files.
///
/// # Errors
/// When a path is too long for an archive.
pub fn pack(files: &Files) -> io::Result<Vec<u8>> {
    let gzip = GzBuilder::new().mtime(0).operating_system(255);
    let mut archive = Builder::new(gzip.write(Vec::new(), Compression::best()));
    for (path, bytes) in files {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(0o644);
        header.set_mtime(0);
        header.set_size(bytes.len() as u64);
        archive.append_data(&mut header, path, bytes.as_slice())?;
    }
    archive.into_inner()?.finish()
}

/// Compressed bytes, in the format of zlib.
///
/// # Errors
/// Never: it is in memory.
pub fn deflated(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// The files of an archive.
///
/// # Errors
/// When it cannot be read, or is damaged.
pub fn files(archive: &Path) -> io::Result<Files> {
    let mut files = Files::new();
    for entry in open(archive)?.entries()? {
        let mut entry = entry?;
        let path = entry.path()?.to_string_lossy().into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        files.insert(path, bytes);
    }
    Ok(files)
}

/// The files below a folder.
///
/// # Errors
/// When one cannot be read.
pub fn files_of_folder(folder: &Path) -> io::Result<Files> {
    let mut files = Files::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            let below = files_of_folder(&entry.path())?;
            files.extend(below.into_iter().map(|(path, bytes)| (format!("{name}/{path}"), bytes)));
        } else {
            files.insert(name, fs::read(entry.path())?);
        }
    }
    Ok(files)
}

/// Writes the files of an archive into a folder, which it makes.
///
/// # Errors
/// When the archive cannot be read or is damaged, or the disk fails.
pub fn unpack(archive: &Path, folder: &Path) -> io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let mut archive = open(archive)?;
    archive.set_preserve_mtime(false);
    archive.unpack(folder)
}

/// The checksum and the size of the contents, as the last bytes of gzip state them.
///
/// # Errors
/// When the archive cannot be read, or is too short to be one.
pub fn checksum(archive: &Path) -> io::Result<String> {
    let mut last = [0; 8];
    let mut archive = File::open(archive)?;
    archive.seek(SeekFrom::End(-8))?;
    archive.read_exact(&mut last)?;
    Ok(format!("{:016x}", u64::from_be_bytes(last)))
}

fn open(archive: &Path) -> io::Result<Archive<GzDecoder<BufReader<File>>>> {
    Ok(Archive::new(GzDecoder::new(BufReader::new(File::open(archive)?))))
}
