//! OpenAPI documents: from source to schemas and operations with references that can be resolved.

pub mod document;
pub mod fixups;
pub mod load;
pub mod resolve;
pub mod schema;
