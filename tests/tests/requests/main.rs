//! Requests: functions and their parameters, up to the HTTP request.

mod building; // Paths, queries, headers, bodies and patches; arguments that are refused.
mod client; // Requests and operations as HTTP clients and authorization use them.
mod deletes; // Delete parameters merged with delete options.
mod endpoints; // Every operation of `spec/` has a function that sends all that the operation takes.
mod verbs; // Traits of verbs, which build what the functions build.
