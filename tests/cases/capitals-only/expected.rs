// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/htt_pget.rs
/// Three.
///
/// Schema `HTTPget`.
#[derive(Clone, Default, PartialEq)]
pub struct HTTPget {
    /// Two.
    pub other: Option<Box<HttpGet>>,
}
static TABLE: codec::Table =
    codec::Table::new("HTTPget", "! other");

// file: src/spec/types/http_get.rs
/// One.
///
/// Schema `HTTPGet`.
#[derive(Clone, Default, PartialEq)]
pub struct HTTPGet {
    /// `path`.
    pub path: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("HTTPGet", "! path");

// file: src/spec/types/http_get_2.rs
/// Two.
///
/// Schema `HttpGet`.
#[derive(Clone, Default, PartialEq)]
pub struct HttpGet {
    /// One.
    pub other: Option<Box<HTTPGet>>,
}
static TABLE: codec::Table =
    codec::Table::new("HttpGet", "! other");

// file: src/spec/types/mod.rs
pub use http_get::HTTPGet;
pub use htt_pget::HTTPget;
pub use http_get_2::HttpGet;

