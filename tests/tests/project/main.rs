//! The project itself: its architecture, committed files and documents.

mod drift; // Generated files match the current generator, and the check notices a difference.
mod examples; // Code blocks of the documents: compiled, run or quoted from what is.
mod layers; // Modules use only modules of lower layers.
mod prose; // Tables, and what is said twice.
mod readme; // README and its siblings: links, paths, packages.
mod walls; // Each foreign library behind one module; lengths of files and functions.
