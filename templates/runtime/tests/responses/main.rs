//! Responses: whole ones, errors, and streams, from bytes in any pieces.

mod decoding; // Whole responses: codes of success, warnings, other kinds, deletes.
mod errors; // Refusals of servers: reasons, causes, when to retry.
mod forms; // Responses of another type: tables, metadata, free JSON, types of users.
mod lists; // `Items`: lists decoded item by item.
mod masks; // Masks: decoded members, errors of paths, writes that are refused.
mod pages; // Lists in pages: tokens, expired ones.
mod streams; // Streams of events in any pieces, with bad lines, and large ones.
mod watches; // `Watch`: events decoded one by one.
