//! Bytes between a session, which waits for a connection, and a thread, which waits for files.

use bytes::Bytes;
use std::io::{self, Read, Write};
use std::mem;
use tokio::sync::mpsc::{Receiver, Sender};

/// The size of a chunk.
pub(super) const CHUNK: usize = 64 << 10;
/// The number of chunks between the two.
pub(super) const CHUNKS: usize = 4;

/// The end of a thread that reads. It ends when the session drops its sender.
pub(super) struct Source {
    receiver: Receiver<Bytes>,
    chunk: Bytes,
}

/// The end of a thread that writes.
pub(super) struct Sink {
    sender: Sender<Bytes>,
    chunk: Vec<u8>,
}

impl Source {
    pub(super) fn new(receiver: Receiver<Bytes>) -> Self {
        Self { receiver, chunk: Bytes::new() }
    }
}

impl Read for Source {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        while self.chunk.is_empty() {
            let Some(chunk) = self.receiver.blocking_recv() else { return Ok(0) };
            self.chunk = chunk;
        }
        let count = self.chunk.len().min(target.len());
        target[..count].copy_from_slice(&self.chunk.split_to(count));
        Ok(count)
    }
}

impl Sink {
    pub(super) fn new(sender: Sender<Bytes>) -> Self {
        Self { sender, chunk: Vec::new() }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.chunk.extend_from_slice(bytes);
        if self.chunk.len() >= CHUNK {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let chunk = mem::take(&mut self.chunk);
        self.sender.blocking_send(chunk.into()).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}
