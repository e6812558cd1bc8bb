//! The fake API server, beside what a real one did.

mod behaviours; // Replays recorded scenarios, and lists where the fake server differs and why.
mod compare; // Compares a response with a recorded one, whatever uids, versions and times are.
mod differences; // Where the fake server differs, as data with reasons.
mod replay; // Sends the requests of a scenario, and collects the responses.
