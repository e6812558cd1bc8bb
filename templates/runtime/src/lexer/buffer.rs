//! Bytes that arrive in chunks.

use std::ops::Range;

/// Buffers chunks, and returns their bytes in pieces. The cost is linear in the bytes, for chunks
/// of any size.
#[derive(Default)]
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    /// Where the unread bytes begin.
    start: usize,
}

impl Buffer {
    /// Adds a chunk.
    pub(crate) fn push(&mut self, chunk: &[u8]) {
        // Consumed bytes are discarded here and not piece by piece, since a chunk may hold
        // thousands of pieces, and only when there is less to move than to discard.
        if self.start >= self.pending() {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        self.bytes.extend_from_slice(chunk);
    }

    /// The number of unread bytes.
    pub(crate) fn pending(&self) -> usize {
        self.bytes.len() - self.start
    }

    /// The unread bytes.
    pub(crate) fn unread(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Consumes so many of the unread bytes. Returns their range, for [`piece`](Self::piece).
    pub(crate) fn consume(&mut self, length: usize) -> Range<usize> {
        let piece = self.start..self.start + length;
        self.start = piece.end;
        piece
    }

    /// Consumed bytes. They last until the next chunk is added.
    pub(crate) fn piece(&self, piece: Range<usize>) -> &[u8] {
        &self.bytes[piece]
    }
}

#[cfg(test)]
mod tests {
    use super::Buffer;

    #[test]
    fn drops_consumed_bytes_when_that_moves_few() {
        let mut buffer = Buffer::default();
        buffer.push(b"one two thr");
        let piece = buffer.consume(4);
        assert_eq!((buffer.piece(piece), buffer.unread()), (b"one " as &[u8], b"two thr" as &[u8]));
        buffer.push(b"e");
        assert_eq!(
            (buffer.pending(), buffer.bytes.len()),
            (8, 12),
            "4 bytes are not worth moving 7"
        );
        buffer.consume(4);
        buffer.push(b"!");
        assert_eq!((buffer.unread(), buffer.bytes.len()), (b"thre!" as &[u8], 5));
    }
}
