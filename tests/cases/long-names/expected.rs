// file: notes.txt
note    spec.yaml#/paths/~1apis~1a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-too.example.com~1v1~1namespaces~1{namespace}~1stars~1{name}: `a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-too.example.com/v1` is the module `a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v1`, as longer names are cut; `module` in groups.yaml gives it another name
note    spec.yaml#/paths/~1apis~1a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com~1v1~1namespaces~1{namespace}~1stars~1{name}: `a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com/v1` is the module `a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v1_2`, as another group or version is `a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v1`; `module` in groups.yaml gives it another name
note    spec.yaml#/paths/~1apis~1a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com~1v2~1namespaces~1{namespace}~1stars~1{name}: `a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com/v2` is the module `a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v2`, as longer names are cut; `module` in groups.yaml gives it another name

// file: src/a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v1/mod.rs
//! `a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-too.example.com/v1`:
//! types, and a module of requests for each resource.
pub mod stars;
pub use types::*;

// file: src/a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v1/stars.rs
//! Requests for `stars`.
/// `GET /apis/a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-too.example.com/v1/namespaces/{namespace}/stars/{name}`.
/// Responses: 200. RBAC: `get` on `stars`. [Errors](self#errors).
#[doc(alias = "readOther1")]
pub fn get(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Star>, Error>
pub const GET: Operation = Operation::new(Verb::Get, "readOther1", "GET", "/apis/a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-too.example.com/v1/namespaces/{namespace}/stars/{name}")
    .resource("a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-too.example.com", "v1", "stars")
    .kind("Star")
    .parameters(&["resourceVersion"]);

// file: src/a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v1/types/mod.rs
pub use star::Star;

// file: src/a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v1/types/star.rs
/// A star.
///
/// Kind `Star` of
/// `a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-too.example.com/v1`.
/// Schema `com.example.other.v1.Star`.
#[derive(Clone, PartialEq)]
pub struct Star {
    /// The version.
    pub api_version: Option<String>,
    /// The kind.
    pub kind: Option<String>,
}
impl Star {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Star
    const GROUP: &'static str = "a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-too.example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Star";
    const API_VERSION: &'static str = "a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-too.example.com/v1";
static TABLE: codec::Table =
    codec::Table::new("Star", "! apiVersion kind").identities(&[
        codec::Identity::new("a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-too.example.com/v1", "Star"),
    ]);

// file: src/a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v1_2/mod.rs
//! `a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com/v1`:
//! types, and a module of requests for each resource.
pub mod stars;
pub use types::*;

// file: src/a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v1_2/stars.rs
//! Requests for `stars`.
/// `GET /apis/a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com/v1/namespaces/{namespace}/stars/{name}`.
/// Responses: 200. RBAC: `get` on `stars`. [Errors](self#errors).
#[doc(alias = "readStar")]
pub fn get(namespace: &str, name: &str, params: &GetParams) -> Result< Request< KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKind, >, Error, >
pub const GET: Operation = Operation::new(Verb::Get, "readStar", "GET", "/apis/a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com/v1/namespaces/{namespace}/stars/{name}")
    .resource("a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com", "v1", "stars")
    .kind("KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKind")
    .parameters(&["resourceVersion"]);

// file: src/a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v1_2/types/kind_of_a_nameind_of_a_nameind_of_a_nameind_of_a_nameind_of_a_nameind_of_a_namei.rs
/// A kind.
///
/// Kind `KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKind` of
/// `a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com/v1`.
/// Schema
/// `com.example.v1.KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKind`.
#[derive(Clone, PartialEq)]
pub struct KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKind {
    /// The version.
    pub api_version: Option<String>,
    /// The kind.
    pub kind: Option<String>,
    /// The wish.
    pub spec: Option<
        Box<
            KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKindSpec,
        >,
    >,
    /// Another.
    pub other: Option<
        Box<
            KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKindOther,
        >,
    >,
}
impl KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKind {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind
for KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKind {
    const GROUP: &'static str = "a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKind";
    const API_VERSION: &'static str = "a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com/v1";
}
static TABLE: codec::Table =
    codec::Table::new("KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKind", "! apiVersion kind spec other").identities(&[
        codec::Identity::new("a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com/v1", "KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKind"),
    ]);

// file: src/a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v1_2/types/kind_of_a_nameind_of_a_nameind_of_a_nameind_of_a_nameind_of_a_nameind_of_a_namei_2.rs
/// Another.
///
/// Schema
/// `com.example.v1.KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKind/properties/other`.
#[derive(Clone, Default, PartialEq)]
pub struct KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKindOther {
    /// The size.
    pub size: Option<i64>,
}
static TABLE: codec::Table =
    codec::Table::new("KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKindOther", "! size");

// file: src/a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v1_2/types/kind_of_a_nameind_of_a_nameind_of_a_nameind_of_a_nameind_of_a_nameind_of_a_namei_3.rs
/// The wish.
///
/// Schema
/// `com.example.v1.KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKind/properties/spec`.
#[derive(Clone, Default, PartialEq)]
pub struct KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKindSpec {
    /// The size.
    pub size: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKindSpec", "! size");

// file: src/a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v1_2/types/mod.rs
pub use kind_of_a_nameind_of_a_nameind_of_a_nameind_of_a_nameind_of_a_nameind_of_a_namei::KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKind;
pub use kind_of_a_nameind_of_a_nameind_of_a_nameind_of_a_nameind_of_a_nameind_of_a_namei_2::KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKindOther;
pub use kind_of_a_nameind_of_a_nameind_of_a_nameind_of_a_nameind_of_a_nameind_of_a_namei_3::KindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameindOfANameKindSpec;

// file: src/a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v2/mod.rs
//! `a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com/v2`:
//! types, and a module of requests for each resource.
pub mod stars;
pub use types::*;

// file: src/a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v2/stars.rs
//! Requests for `stars`.
/// `GET /apis/a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com/v2/namespaces/{namespace}/stars/{name}`.
/// Responses: 200. RBAC: `get` on `stars`. [Errors](self#errors).
#[doc(alias = "readStar2")]
pub fn get(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Star>, Error>
pub const GET: Operation = Operation::new(Verb::Get, "readStar2", "GET", "/apis/a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com/v2/namespaces/{namespace}/stars/{name}")
    .resource("a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com", "v2", "stars")
    .kind("Star")
    .parameters(&["resourceVersion"]);

// file: src/a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v2/types/mod.rs
pub use star::Star;

// file: src/a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v2/types/star.rs
/// A star.
///
/// Kind `Star` of
/// `a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com/v2`.
/// Schema `com.example.v2.Star`.
#[derive(Clone, PartialEq)]
pub struct Star {
    /// The version.
    pub api_version: Option<String>,
    /// The kind.
    pub kind: Option<String>,
}
impl Star {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Star
    const GROUP: &'static str = "a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com";
    const VERSION: &'static str = "v2";
    const KIND: &'static str = "Star";
    const API_VERSION: &'static str = "a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com/v2";
static TABLE: codec::Table =
    codec::Table::new("Star", "! apiVersion kind").identities(&[
        codec::Identity::new("a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name.example.com/v2", "Star"),
    ]);

// file: src/a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v2_2/mod.rs
//! `a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-too.example.com/v2`:
//! types, and a module of requests for each resource.
pub mod stars;
pub use types::*;

// file: src/a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v2_2/stars.rs
//! Requests for `stars`.
/// `GET /apis/a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-too.example.com/v2/namespaces/{namespace}/stars/{name}`.
/// Responses: 200. RBAC: `get` on `stars`. [Errors](self#errors).
#[doc(alias = "readOther2")]
pub fn get(namespace: &str, name: &str, params: &GetParams) -> Result<Request<Star>, Error>
pub const GET: Operation = Operation::new(Verb::Get, "readOther2", "GET", "/apis/a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-too.example.com/v2/namespaces/{namespace}/stars/{name}")
    .resource("a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-too.example.com", "v2", "stars")
    .kind("Star")
    .parameters(&["resourceVersion"]);

// file: src/a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v2_2/types/mod.rs
pub use star::Star;

// file: src/a_group_of_a_long_name_a_group_of_a_long_name_a_group_of_a_long_name_a_group_v2_2/types/star.rs
/// A star.
///
/// Kind `Star` of
/// `a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-too.example.com/v2`.
/// Schema `com.example.other.v2.Star`.
#[derive(Clone, PartialEq)]
pub struct Star {
    /// The version.
    pub api_version: Option<String>,
    /// The kind.
    pub kind: Option<String>,
}
impl Star {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for Star
    const GROUP: &'static str = "a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-too.example.com";
    const VERSION: &'static str = "v2";
    const KIND: &'static str = "Star";
    const API_VERSION: &'static str = "a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-too.example.com/v2";
static TABLE: codec::Table =
    codec::Table::new("Star", "! apiVersion kind").identities(&[
        codec::Identity::new("a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-a-group-of-a-long-name-too.example.com/v2", "Star"),
    ]);

