//! The command `kapigen`, and `Build`, in folders of their own. One binary: each would link all of
//! kapigen.

mod build;
#[cfg(unix)]
mod cluster;
#[cfg(target_os = "linux")]
mod costs;
mod definition_diffs;
mod diff;
mod examples;
mod externs;
mod folder;
mod help;
mod interface;
#[cfg(unix)]
mod killed;
mod listed;
mod names;
mod origin;
#[cfg(unix)]
mod pull;
#[cfg(unix)]
mod readme;
mod refused;
mod release;
mod runs;
#[cfg(unix)]
mod special;
mod together;
mod users_files;
mod vendor;
mod versions;
