// file: src/example_com_v1/mod.rs
//! `example.com/v1`: types, and a module of requests for each resource.
pub mod things;
pub mod words;
pub use types::*;

// file: src/example_com_v1/things.rs
//! Requests for `things`.
/// `GET /apis/example.com/v1/things`. Responses: 200. RBAC: `list` on `things`. [Errors](self#errors).
#[doc(alias = "listThing")]
pub fn list() -> Result<Request<ThingList>, Error>
/// Watches what [`list`] returns.
///
/// The response is a stream of the events after `resourceVersion`. Without it, the stream begins with
/// the objects that exist.
///
/// `GET /apis/example.com/v1/things?watch=true`. Responses: 200. RBAC: `watch` on `things`.
/// [Errors](self#errors).
#[doc(alias = "listThing")]
pub fn watch() -> Result<Request<Text>, Error>
/// `DELETE /apis/example.com/v1/things`. Responses: 200. RBAC: `deletecollection` on `things`.
/// [Errors](self#errors).
#[doc(alias = "deleteThings")]
pub fn delete_collection(params: &DeleteCollectionParams) -> Result<Request<DeletedCollection<ThingList>>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listThing", "GET", "/apis/example.com/v1/things")
    .resource("example.com", "v1", "things")
    .parameters(&["watch"]);
pub const DELETE_COLLECTION: Operation = Operation::new(Verb::DeleteCollection, "deleteThings", "DELETE", "/apis/example.com/v1/things")
    .resource("example.com", "v1", "things")
    .parameters(&[
        "dryRun",
        "gracePeriodSeconds",
        "orphanDependents",
        "propagationPolicy",
    ])
    .media_types(&["application/json"]);

// file: src/example_com_v1/types/mod.rs
pub use thing::Thing;
pub use thing_list::ThingList;
pub use word::Word;
pub use word_list::WordList;

// file: src/example_com_v1/types/thing.rs
/// A thing that does not state its kind.
///
/// Schema `com.example.v1.Thing`.
#[derive(Clone, Default, PartialEq)]
pub struct Thing {
    /// `name`.
    pub name: Option<String>,
}
static TABLE: codec::Table =
    codec::Table::new("Thing", "! name");

// file: src/example_com_v1/types/thing_list.rs
/// Things.
///
/// Kind `ThingList` of `example.com/v1`. Schema `com.example.v1.ThingList`.
#[derive(Clone, PartialEq)]
pub struct ThingList {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `items`.
    pub items: Vec<Thing>,
    /// `kind`.
    pub kind: Option<String>,
    /// Metadata of a list, and of responses such as Status that are not stored objects.
    pub metadata: ListMeta,
}
impl ThingList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for ThingList
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "ThingList";
    const API_VERSION: &'static str = "example.com/v1";
static TABLE: codec::Table =
    codec::Table::new("ThingList", "! apiVersion items! kind metadata!").identities(&[codec::Identity::new("example.com/v1", "ThingList")]);

// file: src/example_com_v1/types/word.rs
/// A word.
///
/// Schema `com.example.v1.Word`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Word {
    /// `a`
    A,
    /// `b`
    B,
    /// A value that the document does not list.
    Other(String),
}
impl Word {
    /// The string of the value in JSON.
    pub fn as_str(&self) -> &str
            Self::A => "a",
            Self::B => "b",
}
impl From<&str> for Word
            "a" => Self::A,
            "b" => Self::B,
kapigen_runtime::__private::open_enum!(Word);

// file: src/example_com_v1/types/word_list.rs
/// Words.
///
/// Kind `WordList` of `example.com/v1`. Schema `com.example.v1.WordList`.
#[derive(Clone, PartialEq)]
pub struct WordList {
    /// `apiVersion`.
    pub api_version: Option<String>,
    /// `items`.
    pub items: Option<Vec<Word>>,
    /// `kind`.
    pub kind: Option<String>,
    /// Metadata of a list, and of responses such as Status that are not stored objects.
    pub metadata: ListMeta,
}
impl WordList {
    /// The value that states this `apiVersion` and `kind`, and is empty otherwise.
    fn stating(api_version: Option<String>, kind: Option<String>) -> Self
}
impl Kind for WordList
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "WordList";
    const API_VERSION: &'static str = "example.com/v1";
static TABLE: codec::Table =
    codec::Table::new("WordList", "! apiVersion items kind metadata!").identities(&[codec::Identity::new("example.com/v1", "WordList")]);

// file: src/example_com_v1/words.rs
//! Requests for `words`.
/// `GET /apis/example.com/v1/words`. Responses: 200. RBAC: `list` on `words`. [Errors](self#errors).
#[doc(alias = "listWord")]
pub fn list() -> Result<Request<WordList>, Error>
pub const LIST: Operation = Operation::new(Verb::List, "listWord", "GET", "/apis/example.com/v1/words")
    .resource("example.com", "v1", "words");

