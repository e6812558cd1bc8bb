//! State machines without I/O, driven by scripts and against models of servers.

mod candidates; // a model of candidates and clocks
mod cluster; // a model of an API server with faults
mod convergence; // random histories and faults: an informer ends with what the server has
mod election; // elections: never two leaders
mod informer; // table tests: one for each rule
mod log; // logs that are followed
mod named; // failures name the request
mod once; // machines that come to an end: pages and updates
#[allow(unreachable_pub)] // it is a module of other tests, too
mod order; // the order of members
mod owners; // owners of dependents
mod queue; // queues of work, against a naive one
mod rbac; // RBAC rules of requests
mod recorder; // events about objects
mod relist; // memory while all objects are taken anew
mod retry; // retries of single requests
mod script; // a language for such tests
mod store; // stores: what readers and subscribers see
mod unsendable; // requests that no other attempt would help
