//! The fake API server, compared with recordings of a real one.

mod behaviours; // Replays recorded scenarios against the fake server.
mod clients; // What clients over a socket share.
mod compare; // Compares a response with a recorded one, whatever uids, versions and times are.
mod differences; // Where the fake server differs, as data with reasons.
mod documents; // Discovery, and the OpenAPI documents that the server publishes.
mod generated; // The kinds and requests of a generated crate.
mod kubectl; // kubectl of any releases, over a socket.
mod python; // The Python client, over a socket.
mod replay; // Sends the requests of a scenario, and collects the responses.
mod service; // The service for clients in Rust: streams and latency.
mod testing; // What tests do to the server: failures, compaction, garbage, logs.
