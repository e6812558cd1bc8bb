//! The fields of a struct.

use super::Type;
use std::collections::BTreeMap;

/// A field of a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its key in JSON.
    pub wire: String,
    /// Its name in Rust.
    pub name: String,
    /// Its description.
    pub description: Option<String>,
    /// The rules that servers check of it, and of its parts that have no type of their own.
    pub rules: Vec<Rule>,
    /// Whether the document advises against it.
    pub deprecated: bool,
    /// Its type.
    pub ty: Type,
    /// Whether it may be absent.
    pub presence: Presence,
    /// The way in which servers merge it.
    pub merge: Merge,
}

/// A paragraph about something that servers check.
pub type Rule = Vec<Words>;

/// A part of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Words {
    /// Prose of kapigen or of the document.
    Prose(String),
    /// An expression of the document.
    Code(String),
}

/// Whether a field may be absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Presence {
    /// Never absent: a plain value.
    Required,
    /// May be absent.
    Optional,
    /// May be absent, and is kept on the heap.
    Boxed,
}

/// The way in which servers merge changes of a list or a map.
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
