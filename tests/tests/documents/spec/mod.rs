//! Compares `spec/` with the documents of API servers, with the list of documented groups, and with
//! our rules of writing. Only `newer` uses the generator: the documents are parsed here
//! independently.

mod documented;
mod documents;
mod intended;
mod newer;
mod published;
mod releases;
mod writing;
