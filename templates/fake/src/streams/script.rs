//! Processes that do the same in every run.

use super::forward::Forwarded;
use super::process::Process;
use bytes::Bytes;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, copy, sink, split};

/// A process that does the same in every run: steps in their order, and an exit code.
///
/// ```
/// use kapigen_fake::Server;
/// use kapigen_fake::streams::Script;
/// use std::time::Duration;
///
/// let pause = Duration::from_millis(20);
/// let script = Script::default().stdout("one\n").pause(pause).stderr("no more\n").exit(3);
/// Server::default().on_exec(move |process| script.clone().run(process));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Script {
    steps: Vec<ScriptStep>,
    code: i32,
}

#[derive(Clone, Debug)]
enum ScriptStep {
    Stdout(Bytes),
    Stderr(Bytes),
    Pause(Duration),
    Echo,
    Read,
}

impl Script {
    fn and(mut self, step: ScriptStep) -> Self {
        self.steps.push(step);
        self
    }

    /// Writes to the output.
    #[must_use]
    pub fn stdout(self, bytes: impl Into<Bytes>) -> Self {
        self.and(ScriptStep::Stdout(bytes.into()))
    }

    /// Writes to the error output.
    #[must_use]
    pub fn stderr(self, bytes: impl Into<Bytes>) -> Self {
        self.and(ScriptStep::Stderr(bytes.into()))
    }

    /// Waits.
    #[must_use]
    pub fn pause(self, time: Duration) -> Self {
        self.and(ScriptStep::Pause(time))
    }

    /// Writes all input to the output, until the input ends.
    #[must_use]
    pub fn echo(self) -> Self {
        self.and(ScriptStep::Echo)
    }

    /// Reads all input and discards it, until the input ends.
    #[must_use]
    pub fn read(self) -> Self {
        self.and(ScriptStep::Read)
    }

    /// Sets the exit code. The default is 0.
    #[must_use]
    pub fn exit(mut self, code: i32) -> Self {
        self.code = code;
        self
    }

    /// Runs the steps.
    ///
    /// # Errors
    /// When the process cannot write, since its client is gone.
    pub async fn run(self, process: Process) -> Result<i32, String> {
        let (code, Process { stdin, stdout, stderr, .. }) = (self.code, process);
        self.steps(stdin, stdout, stderr).await.map_err(|error| error.to_string())?;
        Ok(code)
    }

    /// Runs the steps over a connection to a port, and ends it: it is input and output. The error
    /// output is discarded, and the exit code has no meaning.
    ///
    /// # Errors
    /// When it cannot write, since its client is gone.
    pub async fn serve(self, forwarded: Forwarded) -> Result<(), String> {
        let (input, output) = split(forwarded.connection);
        self.steps(input, output, sink()).await.map_err(|error| error.to_string())
    }

    async fn steps(
        self,
        mut stdin: impl AsyncRead + Unpin,
        mut stdout: impl AsyncWrite + Unpin,
        mut stderr: impl AsyncWrite + Unpin,
    ) -> io::Result<()> {
        for step in self.steps {
            match step {
                ScriptStep::Stdout(bytes) => stdout.write_all(&bytes).await?,
                ScriptStep::Stderr(bytes) => stderr.write_all(&bytes).await?,
                ScriptStep::Pause(time) => tokio::time::sleep(time).await,
                ScriptStep::Echo => _ = copy(&mut stdin, &mut stdout).await?,
                ScriptStep::Read => _ = copy(&mut stdin, &mut sink()).await?,
            }
        }
        Ok(())
    }
}
