// file: src/example_com_v1/mod.rs
//! `example.com/v1`: types, and a module of requests for each resource.
pub mod things;
pub use types::*;

// file: src/example_com_v1/things/mod.rs
//! Requests for `things`.
pub use operations::*;
pub use params::*;
/// `GET /apis/example.com/v1/things/{name}`. Responses: 200. RBAC: `get` on `things`.
/// [Errors](self#errors).
pub fn get(name: &str, params: &ThingParams) -> Result<Request<Thing>, Error>

// file: src/example_com_v1/things/operations.rs
//! The operations on `things` as data.
pub const GET: Operation = Operation::new(Verb::Get, "get /apis/example.com/v1/things/{name}", "GET", "/apis/example.com/v1/things/{name}")
    .resource("example.com", "v1", "things")
    .parameters(&["depth"]);

// file: src/example_com_v1/things/params.rs
//! Query parameters of requests for `things`.
/// Query parameters of [`get`](super::get).
///
/// Parameters that are not set are not sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThingParams {
    /// Query parameter `depth`.
    pub depth: Option<i64>,
}
impl ThingParams {
    pub fn depth(mut self, depth: i64) -> Self
}
impl Params for ThingParams
        query.add("depth", &self.depth);
        source.read("depth", &mut self.depth);

// file: src/example_com_v1/types/mod.rs
pub use thing::Thing;
pub use thing_color::ThingColor;
pub use thing_parts::ThingParts;

// file: src/example_com_v1/types/thing.rs
/// Kind `Thing` of `example.com/v1`. Schema `com.example.v1.Thing`.
#[derive(Clone, PartialEq)]
pub struct Thing {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `kind`.
    pub kind: Option<String>,
    /// Metadata of every stored object: identity, labels, version, ownership and the state of its deletion.
    pub metadata: ObjectMeta,
    /// Only `red`.
    pub color: Option<ThingColor>,
    /// `parts`.
    pub parts: Option<Vec<ThingParts>>,
}
impl Thing {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Thing
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Thing";
    const API_VERSION: &'static str = "example.com/v1";
static TABLE: codec::Table =
    codec::Table::new("Thing", "! apiVersion kind metadata! color parts").identities(&[codec::Identity::new("example.com/v1", "Thing")]);

// file: src/example_com_v1/types/thing_color.rs
/// Schema `com.example.v1.Thing/properties/color`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ThingColor {
    /// `red`
    Red,
    /// A value that the document does not list.
    Other(String),
}
impl ThingColor {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::Red => "red",
}
impl From<&str> for ThingColor
            "red" => Self::Red,
kapigen_runtime::__private::open_enum!(ThingColor);

// file: src/example_com_v1/types/thing_parts.rs
/// Schema `com.example.v1.Thing/properties/parts/items`.
#[derive(Clone, Default, PartialEq)]
pub struct ThingParts {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("ThingParts", "! name");

