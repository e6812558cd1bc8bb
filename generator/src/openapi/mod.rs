//! OpenAPI documents: from source to schemas and operations whose references can be resolved.

pub mod document;
pub mod fixups;
pub mod load;
pub mod resolve;
pub mod schema;
