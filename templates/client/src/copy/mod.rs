//! Files and folders of containers, copied by the `tar` that they have.
//!
//! [`Client::copy_from`] and [`Client::copy_to`] copy everything or return an error. Modes and
//! times stay, owners do not: files belong to the user who writes them.

mod archive;
mod error;
mod options;
mod pack;
mod paths;
mod pipe;
mod session;
mod unpack;

pub use error::CopyError;
pub use options::{Copied, CopyOptions, Progress};

use crate::client::Client;
use crate::error::Error;
use crate::random::random;
use kapigen_runtime::response::Exec;
use kapigen_runtime::{Request, Upgrade};
use paths::remote;
use session::{DATA, Plan, reading, receive, send, writing};
use std::path::Path;
use tokio::task::spawn_blocking;

impl Client {
    /// Copies a file or folder of a container to a local path: by a request of `pods::get_exec`,
    /// which names the container and has no command.
    ///
    /// The local path is the destination itself, not its parent folder. If it is an existing
    /// folder, files are merged into it, and files of the same name are replaced, but only when
    /// everything has arrived. The container needs `tar`; with `sh`, the process waits until the
    /// client has everything, so that no server drops the end.
    ///
    /// ```no_run
    /// use kapigen_client::Client;
    /// use kapigen_client::copy::{CopyError, CopyOptions};
    /// use kapigen_runtime::response::Exec;
    /// use kapigen_runtime::{Request, Upgrade};
    ///
    /// /// Copies the logs, by `pods::get_exec("default", "web", &ExecParams::default())`.
    /// async fn logs(client: &Client, exec: Request<Upgrade<Exec>>) -> Result<u64, CopyError> {
    ///     let options = CopyOptions::default().largest(1 << 30);
    ///     let copied = client.copy_from(exec, "/var/log/app", "logs", &options).await?;
    ///     Ok(copied.files)
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`exec`](Self::exec), and when `tar` fails, the connection breaks before the end, a file
    /// cannot be written, or the container sends what is not copied: paths and links that lead out
    /// of the folder, devices, more bytes than the limit.
    pub async fn copy_from(
        &self,
        exec: Request<Upgrade<Exec>>,
        path: &str,
        local: impl AsRef<Path>,
        options: &CopyOptions,
    ) -> Result<Copied, CopyError> {
        let (folder, name) = remote(path);
        let top = if name == "." { "" } else { name };
        let plan = plan(top, local.as_ref(), options);
        for has_shell in [true, false] {
            let command = reading(has_shell, folder, name, &plan.nonce);
            let process =
                self.exec(exec.clone().with_command(command).map_err(Error::from)?).await?;
            if let Some(unpacked) = receive(process, has_shell, plan.clone()).await? {
                let installed = spawn_blocking(move || unpacked.install()).await;
                return installed.unwrap_or(Err(CopyError::Cut));
            }
        }
        Err(CopyError::NoTar)
    }

    /// Copies a local file or folder to a path in a container, as [`copy_from`](Self::copy_from)
    /// the other way.
    ///
    /// Links are copied as they are, except the path itself. Without `sh` in the container, a file
    /// can be there in part after an error. A server that speaks v4 alone cannot be told the end.
    ///
    /// # Errors
    /// As [`exec`](Self::exec), and when `tar` fails, the connection breaks before the end, or a
    /// local file cannot be read, becomes shorter, or is a device.
    pub async fn copy_to(
        &self,
        exec: Request<Upgrade<Exec>>,
        local: impl AsRef<Path>,
        path: &str,
        options: &CopyOptions,
    ) -> Result<Copied, CopyError> {
        let (folder, name) = remote(path);
        for has_shell in [true, false] {
            let plan = plan(if has_shell { DATA } else { name }, local.as_ref(), options);
            let command = writing(has_shell, folder, name, &plan.nonce);
            let process =
                self.exec(exec.clone().with_command(command).map_err(Error::from)?).await?;
            if let Some(copied) = send(process, has_shell, plan).await? {
                return Ok(copied);
            }
        }
        Err(CopyError::NoTar)
    }
}

fn plan(top: &str, local: &Path, options: &CopyOptions) -> Plan {
    let nonce = format!("{:016x}", random());
    Plan { top: top.into(), local: local.to_owned(), nonce, options: options.clone() }
}
