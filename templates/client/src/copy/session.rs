//! The processes in the container, and what they report.

use super::error::CopyError;
use super::options::{Copied, CopyOptions};
use super::pack::pack;
use super::pipe::{CHUNK, CHUNKS, Sink, Source};
use super::unpack::{Unpacked, unpack};
use crate::error::{Error, ErrorKind};
use crate::streams::{Exit, OutputReader, Process};
use bytes::Bytes;
use std::future::poll_fn;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc::{Sender, channel};
use tokio::task::{JoinError, JoinHandle, spawn_blocking};
use tokio::time::timeout;

/// Sends `$2` in the folder `$1`. A server drops the output of a process that has ended: so it
/// reports the end of tar on both outputs, and waits.
const READ: &str = r#"tar -c -f - -C "$1" "$2"
code=$?
printf '\n%s\n' "$3"
printf '\n%s %s\n' "$3" "$code" >&2
read -r end"#;
/// Takes `$1`, by the folder `$2`. Nothing is at its place before the last member has arrived.
const WRITE: &str = r#"printf '%s\n' "$3"
command -v tar >/dev/null || exit 127
(umask 077 && mkdir "$2") || exit
trap 'chmod -R u+rwx "$2"; rm -rf "$2"' EXIT
tar -x -o -p -f - -C "$2" || exit
[ -e "$2/done" ] || { echo "the archive was cut" >&2; exit 74; }
if [ ! -d "$2/data" ]; then
  [ ! -d "$1" ] || { echo "$1 is a folder" >&2; exit 73; }
  mv -f "$2/data" "$1"
elif [ -d "$1" ]; then
  (cd "$2/data" && { tar -c -f - . || : >../cut; }) | tar -x -o -p -f - -C "$1" && [ ! -e "$2/cut" ]
else
  mv "$2/data" "$1"
fi"#;
/// The names of members for [`WRITE`].
pub(super) const DATA: &str = "data";
const LAST: &str = "done";
/// The bytes of error output that are kept.
const TAIL: usize = 8 << 10;
/// The longest time without bytes, once tar has reported its end.
const QUIET: Duration = Duration::from_secs(60);
/// The longest time from the end of a copy to the end of its process.
const CLOSING: Duration = Duration::from_secs(5);

/// The command that sends a file or folder, by a shell if there is one.
pub(super) fn reading(has_shell: bool, folder: &str, name: &str, nonce: &str) -> Vec<String> {
    let name = if name == "." { name.to_owned() } else { format!("./{name}") };
    let command: &[&str] = if has_shell {
        &["sh", "-c", READ, "sh", folder, &name, nonce]
    } else {
        &["tar", "-c", "-f", "-", "-C", folder, &name]
    };
    command.iter().map(|&part| part.to_owned()).collect()
}

/// The command that takes a file or folder, as [`reading`].
pub(super) fn writing(has_shell: bool, folder: &str, name: &str, nonce: &str) -> Vec<String> {
    let target = format!("{folder}/{name}");
    let staging = format!("{folder}/.kapigen-copy-{nonce}");
    let command: &[&str] = if has_shell {
        &["sh", "-c", WRITE, "sh", &target, &staging, nonce]
    } else {
        // It lists what it has taken.
        &["tar", "-x", "-v", "-o", "-p", "-f", "-", "-C", folder]
    };
    command.iter().map(|&part| part.to_owned()).collect()
}

/// A copy, for the thread that reads or writes files.
#[derive(Clone)]
pub(super) struct Plan {
    /// The path that members begin with.
    pub(super) top: PathBuf,
    pub(super) local: PathBuf,
    /// A number that the container has in no output of its own.
    pub(super) nonce: String,
    pub(super) options: CopyOptions,
}

/// The end of a process that says no more of it.
enum End {
    Success,
    /// Its program does not exist.
    NoProgram,
    Failed(Option<i32>),
}

impl End {
    fn from_exit(exit: &Exit) -> Self {
        match exit {
            Exit::Code(0) => Self::Success,
            // Container runtimes report a missing program in one of these ways.
            Exit::Failed(_) | Exit::Code(126 | 127) => Self::NoProgram,
            exit => Self::Failed(exit.code()),
        }
    }
}

/// The messages of a process.
#[derive(Default)]
struct Heard {
    /// The exit code behind the nonce.
    code: Option<i32>,
    lines: usize,
    tail: Vec<u8>,
}

impl Heard {
    fn failed(&self, code: Option<i32>) -> CopyError {
        let text = String::from_utf8_lossy(&self.tail);
        let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        CopyError::Failed { code, messages: lines.join("; ") }
    }
}

/// Reads until the nonce and a code, or the end, and keeps the end of it.
async fn listen(mut output: OutputReader, nonce: String) -> Heard {
    let mut heard = Heard::default();
    let mark = format!("\n{nonce} ");
    let mut chunk = vec![0; 4096];
    while let Ok(count @ 1..) = output.read(&mut chunk).await {
        heard.lines += chunk[..count].split(|byte| *byte == b'\n').count() - 1;
        heard.tail.extend_from_slice(&chunk[..count]);
        let at = heard.tail.windows(mark.len()).position(|bytes| bytes == mark.as_bytes());
        if let Some(at) = at
            && let Some(code) = heard.tail[at + mark.len()..].strip_suffix(b"\n")
        {
            heard.code = std::str::from_utf8(code).ok().and_then(|code| code.parse().ok());
            heard.tail.truncate(at);
            return heard;
        }
        let over = heard.tail.len().saturating_sub(TAIL);
        heard.tail.drain(..over);
    }
    heard
}

/// Passes output on, and counts it, until nobody takes it, or it ends with the nonce.
async fn pump(
    mut output: OutputReader,
    sender: Sender<Bytes>,
    passed: Arc<AtomicU64>,
    nonce: String,
) {
    let mark = format!("\n{nonce}\n");
    let mut end = Vec::new();
    let mut chunk = vec![0; CHUNK];
    while let Ok(count @ 1..) = output.read(&mut chunk).await {
        end.extend_from_slice(&chunk[count.saturating_sub(mark.len())..count]);
        end.drain(..end.len().saturating_sub(mark.len()));
        let is_taken = sender.send(Bytes::copy_from_slice(&chunk[..count])).await.is_ok();
        if !is_taken || end == mark.as_bytes() {
            break;
        }
        passed.fetch_add(count as u64, Ordering::Relaxed);
    }
}

/// The result of a thread. A panic goes on.
fn finished<T>(result: Result<Result<T, CopyError>, JoinError>) -> Result<T, CopyError> {
    result.unwrap_or_else(|error| match error.try_into_panic() {
        Ok(panic) => resume_unwind(panic),
        Err(_) => Err(CopyError::Cut),
    })
}

/// Takes the archive of a process that runs [`reading`]. `None` if its program does not exist.
pub(super) async fn receive(
    process: Process,
    has_shell: bool,
    plan: Plan,
) -> Result<Option<Unpacked>, CopyError> {
    let handles = (process.stdin(), process.stdout(), process.stderr());
    let (Some(mut stdin), Some(stdout), Some(stderr)) = handles else { return Err(CopyError::Cut) };
    let (sender, receiver) = channel(CHUNKS);
    let passed = Arc::new(AtomicU64::new(0));
    tokio::spawn(pump(stdout, sender, Arc::clone(&passed), plan.nonce.clone()));
    let mut listening = tokio::spawn(listen(stderr, plan.nonce.clone()));
    let mut unpacking = spawn_blocking(move || {
        unpack(Source::new(receiver), &plan.top, &plan.local, &plan.nonce, &plan.options)
    });
    let mut unpacked = None;
    let heard = poll_fn(|context| {
        if unpacked.is_none()
            && let Poll::Ready(result) = Pin::new(&mut unpacking).poll(context)
        {
            unpacked = Some(finished(result));
        }
        // The process may go on for long after an archive that is refused.
        match &unpacked {
            Some(Err(error)) if !matches!(error, CopyError::Cut) => Poll::Ready(None),
            _ => Pin::new(&mut listening).poll(context).map(Result::ok),
        }
    });
    let is_there = match heard.await {
        Some(heard) => is_there(&process, has_shell, &heard).await,
        None => Ok(true),
    };
    if unpacked.is_none() && matches!(is_there, Ok(true)) {
        unpacked = rest(&mut unpacking, &passed).await;
    }
    match (is_there, unpacked) {
        (Ok(true), Some(unpacked)) => {
            if has_shell && unpacked.is_ok() {
                let _ = stdin.write_all(b"\n").await;
                drop(stdin);
                let _ = timeout(CLOSING, process.wait()).await;
            }
            unpacked.map(Some)
        }
        (is_there, unpacked) => {
            // The thread removes what it has written, once nothing more comes.
            drop(process);
            let unpacked = match unpacked {
                Some(unpacked) => unpacked,
                None => finished(unpacking.await),
            };
            let _ = spawn_blocking(move || drop(unpacked)).await;
            if is_there? { Err(CopyError::Cut) } else { Ok(None) }
        }
    }
}

/// Judges the end of tar, or of the process. False if its program does not exist.
async fn is_there(process: &Process, has_shell: bool, heard: &Heard) -> Result<bool, CopyError> {
    match heard.code {
        Some(0) => Ok(true),
        Some(127) => Err(CopyError::NoTar),
        Some(code) => Err(heard.failed(Some(code))),
        None => match End::from_exit(&process.wait().await?) {
            End::NoProgram => Ok(false),
            End::Success if has_shell => Err(CopyError::Cut),
            End::Success => Ok(true),
            End::Failed(code) => Err(heard.failed(code)),
        },
    }
}

/// Waits for the rest of an archive that the container has sent, as long as it arrives.
async fn rest(
    unpacking: &mut JoinHandle<Result<Unpacked, CopyError>>,
    passed: &AtomicU64,
) -> Option<Result<Unpacked, CopyError>> {
    loop {
        let before = passed.load(Ordering::Relaxed);
        match timeout(QUIET, &mut *unpacking).await {
            Ok(result) => return Some(finished(result)),
            Err(_) if passed.load(Ordering::Relaxed) == before => return None,
            Err(_) => {}
        }
    }
}

/// Sends an archive to a process that runs [`writing`]. `None` if its program does not exist.
pub(super) async fn send(
    process: Process,
    has_shell: bool,
    plan: Plan,
) -> Result<Option<Copied>, CopyError> {
    let handles = (process.stdin(), process.stdout(), process.stderr());
    let (Some(mut stdin), Some(mut stdout), Some(stderr)) = handles else {
        return Err(CopyError::Cut);
    };
    let messages = tokio::spawn(listen(stderr, plan.nonce.clone()));
    let is_ready = !has_shell || is_ready(&mut stdout, &plan.nonce).await;
    let names = tokio::spawn(listen(stdout, plan.nonce.clone()));
    let mut packed = Ok(Copied::default());
    let mut is_taken = true;
    if is_ready {
        let (sender, mut receiver) = channel(CHUNKS);
        let last = has_shell.then_some(LAST);
        let packing = spawn_blocking(move || {
            pack(&plan.local, &plan.top, last, Sink::new(sender), &plan.options)
        });
        while is_taken && let Some(chunk) = receiver.recv().await {
            is_taken = stdin.write_all(&chunk).await.is_ok();
        }
        drop(receiver);
        packed = finished(packing.await);
    }
    let copied = match packed {
        Err(error) if is_taken => {
            // The shell removes what it has.
            drop(stdin);
            let _ = timeout(CLOSING, process.wait()).await;
            return Err(error);
        }
        packed => packed.unwrap_or_default(),
    };
    if is_taken && is_ready {
        let shut_down = stdin.shutdown().await;
        shut_down.map_err(|error| Error::from(ErrorKind::Transport(error.into())))?;
    }
    let end = End::from_exit(&process.wait().await?);
    let (heard, names) = (messages.await.unwrap_or_default(), names.await.unwrap_or_default());
    let members = copied.files + copied.folders + copied.links;
    match end {
        End::NoProgram if is_ready && has_shell => Err(CopyError::NoTar),
        End::NoProgram => Ok(None),
        End::Failed(code) => Err(heard.failed(code)),
        End::Success if !is_taken || !is_ready => Err(CopyError::Cut),
        End::Success if !has_shell && ((heard.lines + names.lines) as u64) < members => {
            Err(CopyError::Cut)
        }
        End::Success => Ok(Some(copied)),
    }
}

/// Reads the nonce, which the shell writes first. False if there is none.
async fn is_ready(stdout: &mut OutputReader, nonce: &str) -> bool {
    let mut line = vec![0; nonce.len() + 1];
    stdout.read_exact(&mut line).await.is_ok() && line == format!("{nonce}\n").as_bytes()
}
