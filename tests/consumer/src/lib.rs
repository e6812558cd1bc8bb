//! Prints the pods of a namespace, and what becomes of them.

mod cluster;
mod follow;

pub use cluster::{Cluster, Events, Failure};
pub use follow::Follower;
