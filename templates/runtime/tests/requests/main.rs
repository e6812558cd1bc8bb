//! Requests: functions and their parameters, up to the HTTP request.

mod building; // Queries, headers, bodies and patches.
mod client; // Requests and operations as HTTP clients and authorization use them.
mod deletes; // Delete parameters merged with delete options.
mod dynamic; // Resources that are known at run time only build the same requests.
mod endpoints; // Every operation of `spec/` has a function that sends all that the operation takes.
mod paths; // Arguments in paths: encoded into their segment, or refused.
mod routing; // Requests turned back into operations, arguments, parameters and bodies.
mod verbs; // Traits of verbs, which build what the functions build.
