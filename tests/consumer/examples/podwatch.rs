//! `podwatch [URL [NAMESPACE]]`: prints the pods of a namespace, and what becomes of them.

use podwatch::{Cluster, Follower};
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    // The address of `kubectl proxy`.
    let base = arguments.next().unwrap_or_else(|| "http://127.0.0.1:8001".to_owned());
    let namespace = arguments.next().unwrap_or_else(|| "default".to_owned());

    let mut follower = Follower {
        cluster: &Cluster::new(&base),
        namespace: &namespace,
        report: &mut |what, of| println!("{what:<9}{of}"),
        pause: Duration::from_millis(250),
    };
    eprintln!("podwatch: {}", follower.run());
    ExitCode::FAILURE
}
