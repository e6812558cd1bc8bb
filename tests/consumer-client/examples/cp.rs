//! Copies files and folders from and to containers, as `kubectl cp` does: `cp POD:PATH LOCAL` or
//! `cp LOCAL POD:PATH`, in the namespace `default`.

use kapigen_client::Client;
use kapigen_client::copy::{CopyOptions, Progress};
use openshift_api::core_v1::pods::{self, ExecParams};
use std::io::{IsTerminal, stderr};

/// A bar of 30 characters, or the bytes where the whole is not known.
fn bar(progress: Progress<'_>) {
    let done = progress.copied.bytes;
    match progress.total {
        Some(total @ 1..) => {
            let filled = usize::try_from(30 * done / total).unwrap_or(30);
            let percent = 100 * done / total;
            eprint!("\r[{}{}] {percent:3} %", "#".repeat(filled), " ".repeat(30 - filled));
        }
        _ => eprint!("\r{} KiB, {} files", done >> 10, progress.copied.files),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let source = arguments.next().ok_or("the source is missing")?;
    let target = arguments.next().ok_or("the target is missing")?;
    let client = Client::connect().await?;
    let exec = |pod: &str| pods::get_exec("default", pod, &ExecParams::default());
    let options = CopyOptions::default();
    let options = if stderr().is_terminal() { options.progress(bar) } else { options };
    let copied = match (source.split_once(':'), target.split_once(':')) {
        (Some((pod, path)), None) => client.copy_from(exec(pod)?, path, target, &options).await?,
        (None, Some((pod, path))) => client.copy_to(exec(pod)?, source, path, &options).await?,
        _ => return Err("one of the two is POD:PATH".into()),
    };
    println!("{} files, {} bytes", copied.files, copied.bytes);
    Ok(())
}
