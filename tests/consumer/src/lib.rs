//! Prints the pods of a namespace, and their changes.

mod cluster;
mod follow;

pub use cluster::{Cluster, Events, Failure};
pub use follow::Follower;
