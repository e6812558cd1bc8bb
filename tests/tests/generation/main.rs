//! The generator: documents in, the files of a crate or errors out.

mod accepted; // Whatever is accepted compiles: distinct names, sizes and depths that a compiler takes.
mod apart; // Resources with a feature of their own.
mod documentation; // Strings of documents in documentation, parsed as rustdoc parses them.
mod documents; // The documents of a crate: generating from them gives it again.
mod externs; // Crates that use the types of other generated crates, each with a runtime.
mod goldens; // `tests/cases/`: what small documents become.
mod held; // `tests/upgrades/`: what a crate holds against newer documents, and what not.
mod injection; // Strings of documents that try to become code.
mod instances; // Objects made from schemas, through the types of these.
mod interrupted; // Runs that are cut off after each step.
mod names; // Clashing names, whatever the order of the input.
mod nested; // Identical nested schemas: one type, and names that depend on no other kind.
mod outline; // The outline of a generated file, for goldens.
mod refusals; // `tests/refusals/`: wrong input and its exact errors.
mod robustness; // Random, truncated and hostile documents: a crate or errors, never a panic.
mod tree; // Comparing a folder with the files of a run, and writing it.
mod vendored; // Copies of kapigen-client and others, over the runtime of a generated crate.
