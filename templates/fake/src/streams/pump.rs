//! The server's end of a WebSocket: from its channels to pipes, and back.

use super::Work;
use bytes::{Buf, Bytes};
use kapigen_runtime::streams::{CLOSE, Frame, Frames, RESIZE, StreamError};
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::watch;
use tokio::time::Sleep;

/// The bytes of a message, and of what is read at once.
const CHUNK: usize = 32 << 10;
/// The most bytes that wait for the client, before nothing more is read from it. Only responses to
/// its pings come near.
const MOST_WAITING: usize = 16 * CHUNK;
/// The code of the close frame after a frame that the protocol does not allow.
const PROTOCOL_ERROR: u16 = 1002;
/// The most bytes of a reason in a close frame.
const LONGEST_REASON: usize = 123;
/// The longest time from the close frame to the client's.
const CLOSING: Duration = Duration::from_secs(10);

/// The server's end of a WebSocket, and the tasks that it is for.
pub(crate) struct Pump {
    frames: Frames,
    tasks: Vec<Task>,
    buffer: Vec<u8>,
    /// The time at which the client should have closed the WebSocket, once the server has.
    closing: Option<Pin<Box<Sleep>>>,
}

/// The work of a test: a process, or a connection to a port.
pub(super) struct Task {
    /// `None` at its end.
    work: Option<Work<Option<Vec<u8>>>>,
    /// The channel of what it reports at its end.
    last_channel: u8,
    last: Option<Vec<u8>>,
    outputs: Vec<Output>,
    input: Input,
    sizes: Option<watch::Sender<(u16, u16)>>,
}

/// Bytes from a task to the client.
pub(super) struct Output {
    channel: u8,
    /// `None` at its end.
    pipe: Option<Box<dyn AsyncRead + Send + Unpin>>,
    is_sent: bool,
}

/// Bytes from the client to a task.
pub(super) struct Input {
    channel: u8,
    /// `None` at its end.
    pipe: Option<Box<dyn AsyncWrite + Send + Unpin>>,
    /// What the task has not taken yet. Then nothing more is read from the connection.
    pending: Bytes,
}

impl Output {
    /// A pipe that is read to its end, and discarded if it is not sent.
    pub(super) fn new(
        channel: u8,
        pipe: impl AsyncRead + Send + Unpin + 'static,
        is_sent: bool,
    ) -> Self {
        Self { channel, pipe: Some(Box::new(pipe)), is_sent }
    }

    /// Reads once. Whether it did.
    fn poll(&mut self, context: &mut Context<'_>, frames: &mut Frames, buffer: &mut [u8]) -> bool {
        let Some(pipe) = &mut self.pipe else { return false };
        let mut target = ReadBuf::new(buffer);
        let read = Pin::new(pipe).poll_read(context, &mut target);
        match (read, target.filled()) {
            (Poll::Pending, _) => return false,
            (Poll::Ready(Ok(())), bytes @ [_, ..]) if self.is_sent => {
                frames.send(self.channel, bytes);
            }
            (Poll::Ready(Ok(())), [_, ..]) => {}
            _ => self.pipe = None,
        }
        true
    }
}

impl Input {
    /// A pipe that is written. Without one, all is discarded.
    pub(super) fn new<W: AsyncWrite + Send + Unpin + 'static>(
        channel: u8,
        pipe: Option<W>,
    ) -> Self {
        let pipe = pipe.map(|pipe| Box::new(pipe) as _);
        Self { channel, pipe, pending: Bytes::new() }
    }

    /// Writes once. Whether it did.
    fn poll(&mut self, context: &mut Context<'_>) -> bool {
        let Some(pipe) = &mut self.pipe else {
            self.pending.clear();
            return false;
        };
        if self.pending.is_empty() {
            return false;
        }
        match Pin::new(pipe).poll_write(context, &self.pending) {
            Poll::Pending => return false,
            Poll::Ready(Ok(count @ 1..)) => self.pending.advance(count),
            // The task does not read any more.
            Poll::Ready(_) => self.pipe = None,
        }
        true
    }
}

impl Task {
    pub(super) fn new(
        work: Work<Option<Vec<u8>>>,
        last_channel: u8,
        outputs: Vec<Output>,
        input: Input,
    ) -> Self {
        Self { work: Some(work), last_channel, last: None, outputs, input, sizes: None }
    }

    /// A task that learns the sizes of a terminal.
    pub(super) fn with_sizes(self, sizes: watch::Sender<(u16, u16)>) -> Self {
        Self { sizes: Some(sizes), ..self }
    }

    /// Goes on, as far as is possible now. Whether anything happened.
    fn poll(&mut self, context: &mut Context<'_>, frames: &mut Frames, buffer: &mut [u8]) -> bool {
        let mut has_moved = self.input.poll(context);
        if let Some(work) = &mut self.work
            && let Poll::Ready(last) = work.as_mut().poll(context)
        {
            (self.work, self.last) = (None, last);
            has_moved = true;
        }
        for output in &mut self.outputs {
            has_moved |= frames.output().len() < CHUNK && output.poll(context, frames, buffer);
        }
        if self.is_over()
            && let Some(last) = self.last.take()
        {
            frames.send(self.last_channel, &last);
        }
        has_moved
    }

    /// Whether the work has ended, and all its output was sent.
    fn is_over(&self) -> bool {
        self.work.is_none() && self.outputs.iter().all(|output| output.pipe.is_none())
    }
}

impl Pump {
    pub(super) fn new(frames: Frames, tasks: Vec<Task>) -> Self {
        Self { frames, tasks, buffer: vec![0; CHUNK], closing: None }
    }

    /// Runs until the client has everything, or is gone.
    pub(crate) async fn run(mut self, mut connection: impl AsyncRead + AsyncWrite + Unpin) {
        poll_fn(|context| self.poll(context, &mut connection)).await;
        drop(self.tasks);
        // A client that is gone cannot be told.
        let _ = poll_fn(|context| Pin::new(&mut connection).poll_shutdown(context)).await;
    }

    fn poll<C>(&mut self, context: &mut Context<'_>, connection: &mut C) -> Poll<()>
    where
        C: AsyncRead + AsyncWrite + Unpin,
    {
        // First, so that a client that goes on sending cannot put it off.
        if let Some(closing) = &mut self.closing
            && closing.as_mut().poll(context).is_ready()
        {
            return Poll::Ready(());
        }
        loop {
            let mut has_moved = false;
            for task in &mut self.tasks {
                has_moved |= task.poll(context, &mut self.frames, &mut self.buffer);
            }
            if self.closing.is_none() && self.tasks.iter().all(Task::is_over) {
                self.frames.close(1000, "");
                self.closing = Some(Box::pin(tokio::time::sleep(CLOSING)));
            }
            match self.poll_output(context, connection) {
                Poll::Ready(Err(_)) => return Poll::Ready(()),
                Poll::Ready(Ok(count)) => has_moved |= count > 0,
                Poll::Pending => {}
            }
            let is_taken = self.tasks.iter().all(|task| task.input.pending.is_empty());
            if is_taken && self.frames.output().len() < MOST_WAITING {
                match self.poll_input(context, connection) {
                    Poll::Ready(false) => return Poll::Ready(()),
                    Poll::Ready(true) => has_moved = true,
                    Poll::Pending => {}
                }
            }
            if !has_moved {
                let Some(closing) = &mut self.closing else { return Poll::Pending };
                return closing.as_mut().poll(context);
            }
        }
    }

    /// Writes what there is, and counts it.
    fn poll_output<C>(
        &mut self,
        context: &mut Context<'_>,
        connection: &mut C,
    ) -> Poll<io::Result<usize>>
    where
        C: AsyncWrite + Unpin,
    {
        let mut sum = 0;
        while !self.frames.output().is_empty() {
            match Pin::new(&mut *connection).poll_write(context, self.frames.output()) {
                Poll::Pending => return if sum > 0 { Poll::Ready(Ok(sum)) } else { Poll::Pending },
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Ready(Ok(count)) => {
                    self.frames.written(count);
                    sum += count;
                }
            }
        }
        ready!(Pin::new(connection).poll_flush(context))?;
        Poll::Ready(Ok(sum))
    }

    /// Takes a message, or reads once. False at the end.
    fn poll_input<C>(&mut self, context: &mut Context<'_>, connection: &mut C) -> Poll<bool>
    where
        C: AsyncRead + AsyncWrite + Unpin,
    {
        match self.frames.next_frame() {
            Ok(Some(Frame::Data(channel, bytes))) => self.take(channel, &bytes),
            Ok(None) => {
                let mut target = ReadBuf::new(&mut self.buffer);
                match ready!(Pin::new(connection).poll_read(context, &mut target)) {
                    Ok(()) if !target.filled().is_empty() => self.frames.feed(target.filled()),
                    _ => return Poll::Ready(false),
                }
            }
            end => {
                if let Err(StreamError::Protocol(why)) = end {
                    let length = (0..=LONGEST_REASON.min(why.len()))
                        .rfind(|index| why.is_char_boundary(*index));
                    self.frames.close(PROTOCOL_ERROR, &why[..length.unwrap_or_default()]);
                }
                // As far as the connection takes it at once, and also the response to a close frame.
                let _ = self.poll_output(context, connection);
                return Poll::Ready(false);
            }
        }
        Poll::Ready(true)
    }

    /// Takes a message. As by a server, one is ignored that is of a channel that is unknown or not
    /// for a client to write, and an end or a size that cannot be read.
    fn take(&mut self, channel: u8, bytes: &Bytes) {
        for task in &mut self.tasks {
            if task.input.channel == channel {
                task.input.pending = bytes.clone();
            } else if let Some(sizes) = &task.sizes {
                match channel {
                    CLOSE if bytes[..] == [task.input.channel] => task.input.pipe = None,
                    RESIZE => {
                        if let Some(size) = size(bytes) {
                            sizes.send_replace(size);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}

/// The size of a terminal.
fn size(json: &[u8]) -> Option<(u16, u16)> {
    let size: serde_json::Value = serde_json::from_slice(json).ok()?;
    let [width, height] =
        ["Width", "Height"].map(|name| u16::try_from(size.get(name)?.as_u64()?).ok());
    width.zip(height)
}
