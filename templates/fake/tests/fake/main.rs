//! The fake API server, compared with recordings of a real one.

mod applies; // The order of checks of an apply, and what it creates.
mod behaviours; // Replays recorded scenarios against the fake server.
mod bodies; // Random bodies of creates, repeated members, lists behind references.
mod clients; // Shared by the tests of clients over a socket.
mod compare; // Compares a response with a recorded one, whatever uids, versions and times are.
#[cfg(unix)]
mod copies; // Files and folders, to and from containers.
mod definitions; // Definitions of custom resources: their names, and their end.
mod deletes; // Grace periods, policies, garbage, and namespaces that end.
mod differences; // Where the fake server differs, as data with reasons.
mod documents; // Discovery, and the OpenAPI documents that the server publishes.
mod expressions; // Rules of definitions that are expressions, compared with recordings.
mod facts; // Facts about built-in kinds that documents do not state.
mod finalizers; // Finalizers that a client adds and removes.
mod frames; // Frames of clients that are meant to do harm.
mod generated; // The kinds and requests of a generated crate.
mod generation; // Crates that are generated from the documents of the server.
mod hostile; // Requests that are meant to do harm.
mod kubectl; // kubectl of any releases, over a socket.
mod kubernetes; // The kinds of Kubernetes that the crate contains.
mod laws; // Random definitions and objects, which hold the laws of defaults.
mod load; // Many watchers and many clients.
mod logs; // Logs: parts of them, and following them.
mod managers; // Random applies and updates of several managers, which hold the laws of apply.
mod masks; // Requests with masks: informers, stores, and servers that refuse to leave members out.
mod merges; // Results of applies and updates, and their owners.
mod model; // Random operations of several clients, compared with a model.
mod mutated; // Bodies with changed bytes, and random bytes on a socket.
mod names; // Names, identifiers and times.
mod order; // The order of members in responses.
mod parts; // Writes to one part of an object leave the others as they are.
#[cfg(unix)]
mod processes; // Processes of this machine as those of containers.
mod program; // The program, with kubectl and the clients of other languages.
mod protobuf; // Bodies in protobuf: recorded ones, made ones of every kind, malformed ones.
mod python; // The Python client, over a socket.
mod ratchets; // Updates of custom resources that were valid once.
mod replay; // Sends the requests of a scenario, and collects the responses.
mod requests; // Probes, media types of watches, and reviews.
mod retry; // Requests that a client sends again.
mod rules; // What a server takes and refuses of custom resources and of metadata.
mod schemas; // Schemas of definitions: their patterns, defaults, sets and embedded resources.
mod service; // The service for clients in Rust: streams and latency.
#[cfg(unix)]
mod sessions; // Replays recorded sessions of exec, attach and port-forward.
mod setup; // Objects that a test puts into the server.
mod sockets; // Unreadable requests on a socket, and its end.
mod streams; // Processes and ports of pods, in memory and as recorded.
mod testing; // Changes of the server by tests: failures, compaction, logs.
mod tokens; // Tokens of service accounts, and reviews of them.
mod validation; // Members that are unknown, or repeated.
