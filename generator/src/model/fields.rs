//! The members of a struct.

use super::Type;
use std::collections::BTreeMap;

/// A member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its key in JSON.
    pub wire: String,
    /// Its name in Rust.
    pub name: String,
    /// What it means.
    pub description: Option<String>,
    /// The rules that servers check of it, and of its parts that have no type of their own.
    pub rules: Vec<Rule>,
    /// Whether the document advises against it.
    pub deprecated: bool,
    /// What it holds.
    pub ty: Type,
    /// Whether it is always there.
    pub presence: Presence,
    /// How servers merge it.
    pub merge: Merge,
}

/// A paragraph about something that servers check.
pub type Rule = Vec<Words>;

/// A part of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Words {
    /// Words of ours or of the document.
    Prose(String),
    /// An expression of the document.
    Code(String),
}

/// Whether a member is always there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Presence {
    /// Always, as a plain value.
    Required,
    /// Not always.
    Optional,
    /// Not always, and kept on the heap.
    Boxed,
}

/// What a server does with a list or a map when it merges changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Merge {
    /// `x-kubernetes-list-type`: `atomic`, `set` or `map`.
    pub list_type: Option<String>,
    /// `x-kubernetes-list-map-keys`.
    pub list_map_keys: Vec<String>,
    /// The defaults of these keys, as JSON. Those that have none are absent.
    pub key_defaults: BTreeMap<String, String>,
    /// `x-kubernetes-map-type`: `atomic` or `granular`.
    pub map_type: Option<String>,
    /// `x-kubernetes-patch-strategy`.
    pub patch_strategy: Option<String>,
    /// `x-kubernetes-patch-merge-key`.
    pub patch_merge_key: Option<String>,
}
