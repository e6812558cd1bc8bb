// file: src/spec/mod.rs
//! `spec`: types, and a module of requests for each resource.
pub use types::*;

// file: src/spec/types/all.rs
/// Uses them all, and the real ones by its shape.
///
/// Schema `All`.
#[derive(Clone, Default, PartialEq)]
pub struct All {
    /// Called `Option`.
    pub option: Option<Box<Option_>>,
    /// `strings`.
    pub strings: Option<Vec<String_>>,
    /// Called `Vec`.
    pub vec: Option<Box<Vec_>>,
    /// Called `Box`.
    pub boxed: Option<Box<Box_>>,
    /// `results`.
    pub results: BTreeMap<String, Result_>,
}
static TABLE: codec::Table =
    codec::Table::new("All", "! option strings vec boxed results!");

// file: src/spec/types/b_tree_map.rs
/// Called `BTreeMap`.
///
/// Schema `BTreeMap`.
#[derive(Clone, Default, PartialEq)]
pub struct BTreeMap {
    /// `name`.
    pub name: Option<String>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
    /// `more`.
    pub more: Option<std::collections::BTreeMap<String, String>>,
}
static TABLE: codec::Table =
    codec::Table::new("BTreeMap", "! name at more");

// file: src/spec/types/box_.rs
/// Called `Box`.
///
/// Schema `Box`.
#[derive(Clone, Default, PartialEq)]
pub struct Box_ {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Box_", "! name");

// file: src/spec/types/clone.rs
/// Called `Clone`.
///
/// Schema `Clone`.
#[derive(Clone, Default, PartialEq)]
pub struct Clone {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Clone", "! name");

// file: src/spec/types/default.rs
/// An enum.
///
/// Schema `Default`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Default_ {
    /// `Some`
    Some,
    /// `None`
    None,
    /// `Ok`
    Ok,
    /// `Err`
    Err,
    /// `Default`
    Default,
    /// `Option`
    Option,
    /// A value that the document does not list.
    Other(String),
}
impl Default_ {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::Some => "Some",
            Self::None => "None",
            Self::Ok => "Ok",
            Self::Err => "Err",
            Self::Default => "Default",
            Self::Option => "Option",
}
impl From<&str> for Default_
            "Some" => Self::Some,
            "None" => Self::None,
            "Ok" => Self::Ok,
            "Err" => Self::Err,
            "Default" => Self::Default,
            "Option" => Self::Option,
kapigen_runtime::__private::open_enum!(Default_);

// file: src/spec/types/from.rs
/// Called `From`.
///
/// Schema `From`.
#[derive(Clone, Default, PartialEq)]
pub struct From {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("From", "! name");

// file: src/spec/types/identity.rs
/// Called `Identity`.
///
/// Schema `Identity`.
#[derive(Clone, Default, PartialEq)]
pub struct Identity {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Identity", "! name");

// file: src/spec/types/kind.rs
/// Called `Kind`.
///
/// Schema `Kind`.
#[derive(Clone, Default, PartialEq)]
pub struct Kind {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Kind", "! name");

// file: src/spec/types/mod.rs
pub use all::All;
pub use b_tree_map::BTreeMap;
pub use box_::Box_;
pub use clone::Clone;
pub use default::Default_;
pub use from::From;
pub use identity::Identity;
pub use kind::Kind;
pub use object::Object;
pub use option::Option_;
pub use raw_json::RawJson;
pub use request::Request;
pub use result::Result_;
pub use self_::Self_;
pub use some::Some_;
pub use string::String_;
pub use table::Table;
pub use time::Time;
pub use value::Value;
pub use vec::Vec_;

// file: src/spec/types/object.rs
/// Called `Object`.
///
/// Schema `Object`.
#[derive(Clone, Default, PartialEq)]
pub struct Object {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Object", "! name");

// file: src/spec/types/option.rs
/// Called `Option`.
///
/// Schema `Option`.
#[derive(Clone, Default, PartialEq)]
pub struct Option_ {
    /// `name`.
    pub name: Option<String>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
    /// `more`.
    pub more: Option<BTreeMap<String, String>>,
}
static TABLE: codec::Table =
    codec::Table::new("Option_", "! name at more");

// file: src/spec/types/raw_json.rs
/// Called `RawJson`.
///
/// Schema `RawJson`.
#[derive(Clone, Default, PartialEq)]
pub struct RawJson {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("RawJson", "! name");

// file: src/spec/types/request.rs
/// Called `Request`.
///
/// Schema `Request`.
#[derive(Clone, Default, PartialEq)]
pub struct Request {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Request", "! name");

// file: src/spec/types/result.rs
/// Called `Result`.
///
/// Schema `Result`.
#[derive(Clone, Default, PartialEq)]
pub struct Result_ {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Result_", "! name");

// file: src/spec/types/self_.rs
/// Called `Self`.
///
/// Schema `Self`.
#[derive(Clone, Default, PartialEq)]
pub struct Self_ {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Self_", "! name");

// file: src/spec/types/some.rs
/// Called `Some`.
///
/// Schema `Some`.
#[derive(Clone, Default, PartialEq)]
pub struct Some_ {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Some_", "! name");

// file: src/spec/types/string.rs
/// Called `String`.
///
/// Schema `String`.
#[derive(Clone, Default, PartialEq)]
pub struct String_ {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("String_", "! name");

// file: src/spec/types/table.rs
/// Called `Table`.
///
/// Schema `Table`.
#[derive(Clone, Default, PartialEq)]
pub struct Table {
    /// `name`.
    pub name: Option<String>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
    /// `more`.
    pub more: Option<BTreeMap<String, String>>,
}
static TABLE: codec::Table =
    codec::Table::new("Table", "! name at more");

// file: src/spec/types/time.rs
/// Called `Time`.
///
/// Schema `Time`.
#[derive(Clone, Default, PartialEq)]
pub struct Time {
    /// `name`.
    pub name: Option<String>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<kapigen_runtime::meta_v1::Time>,
    /// `more`.
    pub more: Option<BTreeMap<String, String>>,
}
static TABLE: codec::Table =
    codec::Table::new("Time", "! name at more");

// file: src/spec/types/value.rs
/// Called `Value`.
///
/// Schema `Value`.
#[derive(Clone, Default, PartialEq)]
pub struct Value {
    /// `name`.
    pub name: Option<String>,
    /// A point in time in RFC 3339 form. The server accepts any offset and fraction, but returns whole
    /// seconds in UTC, as `2001-02-03T04:05:06Z`, and `null` for no time.
    pub at: Option<Time>,
    /// `more`.
    pub more: Option<BTreeMap<String, String>>,
}
static TABLE: codec::Table =
    codec::Table::new("Value", "! name at more");

// file: src/spec/types/vec.rs
/// Called `Vec`.
///
/// Schema `Vec`.
#[derive(Clone, Default, PartialEq)]
pub struct Vec_ {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Vec_", "! name");

