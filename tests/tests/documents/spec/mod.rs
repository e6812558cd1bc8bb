//! Holds `spec/` against what API servers publish, against the list of documented groups, and against our rules of
//! writing. Nothing of the generator is used: the documents are read here once more.

mod documented;
mod documents;
mod intended;
mod published;
mod releases;
mod writing;
