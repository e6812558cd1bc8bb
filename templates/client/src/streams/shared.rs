//! The task that runs a session over its connection, and the state that it shares with the handles.
//!
//! Bytes that arrive go to the buffer of their handle. While the buffer of one is full, nothing is
//! read from the connection: what stands behind those bytes has to wait. Writing goes on.

use super::upgraded::Connection;
use crate::alarm::Alarm;
use crate::error::{BoxError, ErrorKind};
use kapigen_runtime::streams::{Bytes, Event, Exit, Session, StreamError};
use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::io;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// The bytes of a full buffer.
pub(super) const FULL: usize = 256 << 10;
/// The bytes that wait to be written, from which on nothing is read: more than handles write, so that
/// only responses to pings that the peer does not read come there.
const MOST_WAITING: usize = 2 * FULL;

/// A running session. Dropped, it closes the connection.
pub(super) struct Running {
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

/// The state, for each handle.
pub(super) struct Shared(Mutex<State>);

pub(super) struct State {
    session: Session,
    /// `None` after the end.
    connection: Option<Connection>,
    start: Instant,
    alarm: Alarm,
    /// Whether a handle was used: then bytes are not kept for handles that nobody took.
    has_begun: bool,
    /// Output and error output.
    buffers: [Buffer; 2],
    was_paused: bool,
    /// `None` while it runs.
    end: Option<Result<Exit, String>>,
    task: Option<Waker>,
    writer: Option<Waker>,
    waiting: Vec<Waker>,
}

/// The bytes of a handle that it has not read yet.
#[derive(Default)]
struct Buffer {
    bytes: VecDeque<Bytes>,
    length: usize,
    /// Whether there is a handle. Without one, bytes are discarded.
    is_open: bool,
    reader: Option<Waker>,
}

impl Running {
    /// Runs a session in a task of tokio. Its clock begins with the first use of a handle.
    pub(super) fn new(session: Session, connection: Connection) -> Self {
        let state = State {
            session,
            connection: Some(connection),
            start: Instant::now(),
            alarm: Alarm::default(),
            has_begun: false,
            buffers: Default::default(),
            was_paused: false,
            end: None,
            task: None,
            writer: None,
            waiting: Vec::new(),
        };
        let shared = Arc::new(Shared(Mutex::new(state)));
        let of_task = Arc::clone(&shared);
        let mut input = vec![0; 32 << 10];
        let task = tokio::spawn(poll_fn(move |context| of_task.lock().poll(context, &mut input)));
        Self { shared, task }
    }

    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
        self.shared.lock().finish(Err("the session was dropped".to_owned()));
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").finish_non_exhaustive()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a buffer for its only handle. False once bytes of it may have been discarded.
    pub(super) fn open(&self, index: usize) -> bool {
        let state = &mut *self.lock();
        !state.has_begun && !mem::replace(&mut state.buffers[index].is_open, true)
    }

    /// Discards what is and will be in a buffer.
    pub(super) fn discard(&self, index: usize) {
        let state = &mut *self.lock();
        state.buffers[index] = Buffer::default();
        state.wake_task();
    }

    /// Reads from a buffer. At the end of the session it reads nothing.
    pub(super) fn poll_read(
        &self,
        index: usize,
        context: &mut Context<'_>,
        target: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let state = &mut *self.lock();
        let buffer = &mut state.buffers[index];
        let was_full = buffer.length >= FULL;
        if buffer.read(target) || target.remaining() == 0 {
            if was_full {
                state.wake_task();
            }
            return Poll::Ready(Ok(()));
        }
        match &state.end {
            None => {
                buffer.reader = Some(context.waker().clone());
                state.begin();
                Poll::Pending
            }
            Some(Ok(_)) => Poll::Ready(Ok(())),
            Some(Err(cause)) => Poll::Ready(Err(io::Error::other(cause.clone()))),
        }
    }

    /// Sends bytes, if those before them were written.
    pub(super) fn poll_write(
        &self,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let state = &mut *self.lock();
        ready!(state.poll_written(context, FULL))?;
        let count = bytes.len().min(32 << 10);
        state.session.send(&bytes[..count]);
        state.begin();
        Poll::Ready(Ok(count))
    }

    /// Waits until all bytes were written to the connection, or the server ended the session.
    pub(super) fn poll_flush(&self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let state = &mut *self.lock();
        if let Some(Ok(_)) = state.end {
            return Poll::Ready(Ok(()));
        }
        state.poll_written(context, 0)
    }

    /// Changes the session, unless it has ended.
    pub(super) fn change<E: Into<BoxError>>(
        &self,
        change: impl FnOnce(&mut Session) -> Result<(), E>,
    ) -> io::Result<()> {
        let state = &mut *self.lock();
        if state.end.is_some() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        change(&mut state.session)
            .map_err(|error| io::Error::new(io::ErrorKind::Unsupported, error))?;
        state.begin();
        Ok(())
    }

    /// Waits for the end.
    pub(super) fn poll_end(&self, context: &mut Context<'_>) -> Poll<Result<Exit, ErrorKind>> {
        let state = &mut *self.lock();
        state.begin();
        match &state.end {
            Some(Ok(exit)) => Poll::Ready(Ok(exit.clone())),
            Some(Err(cause)) => Poll::Ready(Err(ErrorKind::Transport(cause.clone().into()))),
            None => {
                state.waiting.push(context.waker().clone());
                Poll::Pending
            }
        }
    }

    pub(super) fn was_paused(&self) -> bool {
        self.lock().was_paused
    }
}

impl State {
    /// Lets the task run: a handle is used.
    fn begin(&mut self) {
        if !mem::replace(&mut self.has_begun, true) {
            self.start = Instant::now();
        }
        self.wake_task();
    }

    fn wake_task(&mut self) {
        if let Some(task) = self.task.take() {
            task.wake();
        }
    }

    /// Ends the session, once.
    fn finish(&mut self, end: Result<Exit, String>) {
        self.connection = None;
        self.end.get_or_insert(end);
        let readers = self.buffers.iter_mut().filter_map(|buffer| buffer.reader.take());
        for waker in readers.chain(self.writer.take()).chain(self.waiting.drain(..)) {
            waker.wake();
        }
    }

    /// Waits until at most so many bytes are still to be written.
    fn poll_written(&mut self, context: &mut Context<'_>, most: usize) -> Poll<io::Result<()>> {
        if self.end.is_some() {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        if self.session.output().len() <= most {
            return Poll::Ready(Ok(()));
        }
        self.writer = Some(context.waker().clone());
        self.begin();
        Poll::Pending
    }

    /// Runs until the end of the session.
    fn poll(&mut self, context: &mut Context<'_>, input: &mut [u8]) -> Poll<()> {
        self.task = Some(context.waker().clone());
        if !self.has_begun {
            return Poll::Pending;
        }
        match ready!(self.poll_session(context, input)) {
            Ok(exit) => self.finish(Ok(exit)),
            Err(error) => self.finish(Err(error.to_string())),
        }
        Poll::Ready(())
    }

    fn poll_session(
        &mut self,
        context: &mut Context<'_>,
        input: &mut [u8],
    ) -> Poll<Result<Exit, BoxError>> {
        loop {
            let has_room = !self.is_over(FULL - 1);
            self.was_paused |= !has_room;
            let is_reading = has_room && self.session.output().len() < MOST_WAITING;
            let next = self.session.tick(self.start.elapsed(), is_reading)?;
            if let Some(exit) = self.deliver()? {
                // The response to the close frame, as far as the connection takes it at once.
                let _ = self.poll_output(context);
                return Poll::Ready(Ok(exit));
            }
            let written = self.poll_output(context);
            if is_reading && self.poll_input(context, input).is_ready() {
                if self.is_over(FULL / 2) {
                    // Readers have a turn before a buffer is full.
                    context.waker().wake_by_ref();
                    return Poll::Pending;
                }
                continue;
            }
            // Not before all was read: the server may have said why it takes no more.
            if let Poll::Ready(Err(error)) = written {
                return Poll::Ready(Err(error.into()));
            }
            ready!(self.alarm.poll(self.start, next, context));
        }
    }

    /// Whether a buffer has more than so many bytes.
    fn is_over(&self, length: usize) -> bool {
        self.buffers.iter().any(|buffer| buffer.length > length)
    }

    /// Moves what arrived to the buffers. Returns the end of the session.
    fn deliver(&mut self) -> Result<Option<Exit>, StreamError> {
        while let Some(event) = self.session.next_event()? {
            match event {
                Event::Output(bytes) => self.buffers[0].push(bytes),
                Event::Error(bytes) => self.buffers[1].push(bytes),
                Event::Ended(exit) => return Ok(Some(exit)),
                _ => {}
            }
        }
        Ok(None)
    }

    /// Writes as much of the output as the connection takes.
    fn poll_output(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Some(connection) = &mut self.connection else { return Poll::Ready(Ok(())) };
        while !self.session.output().is_empty() {
            match ready!(Pin::new(&mut *connection).poll_write(context, self.session.output()))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                count => self.session.written(count),
            }
            if let Some(writer) = self.writer.take() {
                writer.wake();
            }
        }
        Pin::new(connection).poll_flush(context)
    }

    /// Reads once.
    fn poll_input(&mut self, context: &mut Context<'_>, input: &mut [u8]) -> Poll<()> {
        let Some(connection) = &mut self.connection else { return Poll::Pending };
        let mut target = ReadBuf::new(input);
        match ready!(Pin::new(connection).poll_read(context, &mut target)) {
            Ok(()) if !target.filled().is_empty() => self.session.feed(target.filled()),
            // The session reports it, unless it is over.
            _ => self.session.end(),
        }
        Poll::Ready(())
    }
}

impl Buffer {
    fn push(&mut self, bytes: Bytes) {
        if self.is_open {
            self.length += bytes.len();
            self.bytes.push_back(bytes);
            if let Some(reader) = self.reader.take() {
                reader.wake();
            }
        }
    }

    /// Moves bytes to a target. False if there are none.
    fn read(&mut self, target: &mut ReadBuf<'_>) -> bool {
        let before = self.length;
        while let Some(bytes) = self.bytes.front_mut() {
            let count = bytes.len().min(target.remaining());
            if count == 0 {
                break;
            }
            target.put_slice(&bytes.split_to(count));
            self.length -= count;
            if bytes.is_empty() {
                self.bytes.pop_front();
            }
        }
        self.length < before
    }
}
