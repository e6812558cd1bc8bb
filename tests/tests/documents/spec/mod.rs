//! Holds `spec/` against what API servers publish, against the list of documented groups, and
//! against our rules of writing. Nothing of the generator is used but in `newer`: the documents are
//! read here once more.

mod documented;
mod documents;
mod intended;
mod newer;
mod published;
mod releases;
mod writing;
