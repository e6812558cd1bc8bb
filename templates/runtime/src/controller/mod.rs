//! The parts of programs that run for years: tasks of several requests as machines without I/O, and
//! types that programs use with them. The root exports each module.

pub mod conditions;
pub mod election;
pub mod informer;
pub mod log;
pub mod machine;
pub mod owners;
pub mod pages;
pub mod queue;
pub mod rbac;
pub mod recorder;
pub mod retry;
pub mod store;
pub mod update;
