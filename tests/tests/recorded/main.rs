//! Bytes of a real server, through the crates that read them.

mod discovery; // Resources of servers, in both forms, by the names that people use.
mod recorded; // Exchanges, through what they belong to.
