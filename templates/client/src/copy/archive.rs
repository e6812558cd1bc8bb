//! The members of an archive of tar, in bounded memory whatever it states.

use super::error::CopyError;
use std::borrow::Cow;
use std::io::{ErrorKind, Read};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tar::{EntryType, Header};

const BLOCK: usize = 512;
/// The longest name, and the longest list of attributes, of a member.
const LONGEST: u64 = 1 << 20;

/// A member of an archive.
pub(super) struct Member {
    pub(super) name: Vec<u8>,
    pub(super) kind: Kind,
    pub(super) mode: u32,
    pub(super) modified: SystemTime,
}

/// The kind of a member.
#[derive(Debug, PartialEq)]
pub(super) enum Kind {
    File,
    Folder,
    /// A symbolic link, and its target.
    Link(Vec<u8>),
    /// Another name of an earlier member.
    HardLink(Vec<u8>),
    /// A device, a pipe, or a file in a form of its own.
    Special,
}

/// An archive that is read.
pub(super) struct Archive<R> {
    source: R,
    /// The bytes of the current member that were not read, and the padding behind them.
    content: u64,
    padding: u64,
    /// The most bytes, and those that were read.
    largest: Option<u64>,
    sum: u64,
}

/// The name, target and size that members before a member state for it.
#[derive(Default)]
struct Extensions {
    name: Option<Vec<u8>>,
    target: Option<Vec<u8>>,
    size: Option<u64>,
    modified: Option<SystemTime>,
    is_sparse: bool,
}

impl<R: Read> Archive<R> {
    pub(super) fn new(source: R, largest: Option<u64>) -> Self {
        Self { source, content: 0, padding: 0, largest, sum: 0 }
    }

    /// The next member, after the rest of the one before. `None` at the end of the archive, which
    /// is two blocks of zeros.
    pub(super) fn next(&mut self) -> Result<Option<Member>, CopyError> {
        let mut stated = Extensions::default();
        loop {
            self.skip()?;
            let Some(block) = self.block()? else { return Ok(None) };
            let header = Header::from_byte_slice(&block);
            let size = header.entry_size();
            self.start(size.map_err(|_| CopyError::Malformed("a member has no valid size"))?);
            match header.entry_type() {
                EntryType::GNULongName => stated.name = Some(self.text()?),
                EntryType::GNULongLink => stated.target = Some(self.text()?),
                EntryType::XHeader => {
                    let why = "the attributes of a member are not valid";
                    stated.read(&self.collect()?).ok_or(CopyError::Malformed(why))?;
                }
                EntryType::XGlobalHeader => {}
                kind => {
                    if let Some(size) = stated.size {
                        self.start(size);
                    }
                    return Ok(Some(stated.member(header, kind)));
                }
            }
        }
    }

    /// Reads of the current member. 0 at its end.
    pub(super) fn read(&mut self, target: &mut [u8]) -> Result<usize, CopyError> {
        let most = usize::try_from(self.content).unwrap_or(usize::MAX).min(target.len());
        if most == 0 {
            return Ok(0);
        }
        let count = loop {
            match self.source.read(&mut target[..most]) {
                Ok(count) => break count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(CopyError::Cut),
            }
        };
        self.content -= count as u64;
        self.count(count)?;
        if count == 0 { Err(CopyError::Cut) } else { Ok(count) }
    }

    fn count(&mut self, bytes: usize) -> Result<(), CopyError> {
        self.sum += bytes as u64;
        match self.largest {
            Some(largest) if self.sum > largest => Err(CopyError::TooLarge(largest)),
            _ => Ok(()),
        }
    }

    fn start(&mut self, size: u64) {
        self.content = size;
        self.padding = size.wrapping_neg() % BLOCK as u64;
    }

    fn skip(&mut self) -> Result<(), CopyError> {
        self.content = self.content.checked_add(self.padding).ok_or(CopyError::Cut)?;
        self.padding = 0;
        let mut target = [0; 4096];
        while self.read(&mut target)? > 0 {}
        Ok(())
    }

    /// The next header. `None` for two blocks of zeros.
    fn block(&mut self) -> Result<Option<[u8; BLOCK]>, CopyError> {
        for _ in 0..2 {
            let mut block = [0; BLOCK];
            self.source.read_exact(&mut block).map_err(|_| CopyError::Cut)?;
            self.count(BLOCK)?;
            if block.iter().any(|byte| *byte != 0) {
                let header = Header::from_byte_slice(&block);
                let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
                let own: u32 = block[148..156].iter().map(|byte| u32::from(*byte)).sum();
                return match header.cksum() {
                    // The sum is taken with spaces in its place.
                    Ok(stated) if stated == sum - own + 8 * 32 => Ok(Some(block)),
                    _ => Err(CopyError::Malformed("a member has no valid header")),
                };
            }
        }
        Ok(None)
    }

    /// The content of a member that states something of the next one.
    fn collect(&mut self) -> Result<Vec<u8>, CopyError> {
        if self.content > LONGEST {
            return Err(CopyError::Malformed("a name is too long"));
        }
        let mut content = vec![0; usize::try_from(self.content).unwrap_or_default()];
        let mut filled = 0;
        while filled < content.len() {
            filled += self.read(&mut content[filled..])?;
        }
        Ok(content)
    }

    /// The content up to the first zero.
    fn text(&mut self) -> Result<Vec<u8>, CopyError> {
        let mut text = self.collect()?;
        text.truncate(text.iter().position(|byte| *byte == 0).unwrap_or(text.len()));
        Ok(text)
    }
}

impl Extensions {
    /// Reads attributes of POSIX: lines with their length, a key, and a value of any bytes. `None`
    /// if they are something else.
    fn read(&mut self, mut records: &[u8]) -> Option<()> {
        while !records.is_empty() {
            let space = records.iter().position(|byte| *byte == b' ')?;
            let length = usize::try_from(number(&records[..space])?).ok()?;
            let record = records.get(space + 1..length)?.strip_suffix(b"\n")?;
            records = &records[space + 1 + record.len() + 1..];
            let equals = record.iter().position(|byte| *byte == b'=')?;
            let (key, value) = (&record[..equals], &record[equals + 1..]);
            match key {
                b"path" => self.name = Some(value.to_vec()),
                b"linkpath" => self.target = Some(value.to_vec()),
                b"size" => self.size = Some(number(value)?),
                b"mtime" => self.modified = time(value),
                key => self.is_sparse |= key.starts_with(b"GNU.sparse."),
            }
        }
        Some(())
    }

    fn member(self, header: &Header, kind: EntryType) -> Member {
        let name = self.name.unwrap_or_else(|| header.path_bytes().into_owned());
        let target = self
            .target
            .or_else(|| header.link_name_bytes().map(Cow::into_owned))
            .unwrap_or_default();
        let kind = match kind {
            _ if self.is_sparse => Kind::Special,
            EntryType::Regular if name.ends_with(b"/") => Kind::Folder,
            EntryType::Regular | EntryType::Continuous => Kind::File,
            EntryType::Directory => Kind::Folder,
            EntryType::Symlink => Kind::Link(target),
            EntryType::Link => Kind::HardLink(target),
            _ => Kind::Special,
        };
        let seconds = Duration::from_secs(header.mtime().unwrap_or_default());
        let modified = self.modified.or_else(|| UNIX_EPOCH.checked_add(seconds));
        let mode = header.mode().unwrap_or(0o600);
        Member { name, kind, mode, modified: modified.unwrap_or(UNIX_EPOCH) }
    }
}

fn number(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// A time in seconds since 1970, with a fraction. `None` before.
fn time(value: &[u8]) -> Option<SystemTime> {
    let mut parts = value.splitn(2, |byte| *byte == b'.');
    let seconds = number(parts.next()?)?;
    let fraction = parts.next().unwrap_or_default();
    let digits = (0..9).map(|at| fraction.get(at).copied().unwrap_or(b'0'));
    let nanos = number(&digits.collect::<Vec<_>>())?;
    UNIX_EPOCH.checked_add(Duration::new(seconds, u32::try_from(nanos).ok()?))
}
