//! The objects of a file: its documents, and the items of its lists.

use crate::error::Position;
use crate::read::{Document, Place, Reader, Repeated};
use crate::tree::Step;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A document, or an item of a list, where an object is expected.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Object {
    /// The number of its document, from 1.
    pub document: usize,
    /// The position of its document.
    pub position: Position,
    /// Its index in the innermost list around it, if there is one.
    pub item: Option<usize>,
    /// The JSON pointer of the object, or of the error, in its document.
    pub pointer: String,
    /// The members, or the reason for which this is not an object.
    pub members: Result<Map<String, Value>, String>,
}

/// The greatest number of lists in each other. Each has a part of the path of its items.
const MOST_LISTS: usize = 8;

/// The longest `apiVersion` and `kind` of a list that items can have: each has a copy. A group has at
/// most 253 bytes, a version or kind 63.
const LONGEST: usize = 253 + 1 + 63;

impl Document {
    /// Calls `each` with the objects of the document: itself, or the items of a list such as `List`
    /// and `PodList`. The items of the latter have its version and kind, as they need not state
    /// them. An empty document has no objects. Never are all of many items opened at once.
    ///
    /// ```
    /// let list = b"{kind: PodList, apiVersion: v1, items: [{}, 7]}";
    /// let mut objects = Vec::new();
    /// kapigen_yaml::Reader::new().document(list)?.each_object(|object| objects.push(object));
    /// assert_eq!(objects[0].members.as_ref().unwrap()["kind"], "Pod");
    /// assert_eq!(objects[0].pointer, "/items/0");
    /// assert_eq!(objects[1].members, Err("expected an object, found a number".to_owned()));
    /// # Ok::<(), kapigen_yaml::Error>(())
    /// ```
    pub fn each_object(self, mut each: impl FnMut(Object)) {
        if !self.value.is_null() {
            let Self { number: document, position, value, .. } = self;
            let location = Location { document, position, item: None, pointer: "", levels: 0 };
            location.open(value, &mut each);
        }
    }
}

/// The place of a value in a document.
#[derive(Clone, Copy)]
struct Location<'a> {
    document: usize,
    position: Position,
    item: Option<usize>,
    pointer: &'a str,
    /// The number of lists around it.
    levels: usize,
}

impl Location<'_> {
    fn object(&self, below: &str, members: Result<Map<String, Value>, String>) -> Object {
        let Location { document, position, item, pointer, .. } = *self;
        Object { document, position, item, pointer: format!("{pointer}{below}"), members }
    }

    fn open(&self, value: Value, each: &mut dyn FnMut(Object)) {
        let Value::Object(mut members) = value else {
            let message = format!("expected an object, found {}", described(&value));
            return each(self.object("", Err(message)));
        };
        match take_items(&mut members) {
            Some(items) => self.items(items, &members, each),
            None => each(self.object("", Ok(members))),
        }
    }

    fn items(&self, items: Vec<Value>, list: &Map<String, Value>, each: &mut dyn FnMut(Object)) {
        if self.levels == MOST_LISTS {
            let message = format!("lists are nested deeper than {MOST_LISTS} levels");
            return each(self.object("", Err(message)));
        }
        let of_items = of_items(list);
        if let Some((name, _)) = of_items.iter().find(|(_, text)| text.len() > LONGEST) {
            let message = format!("the `{name}` of a list has more than {LONGEST} bytes");
            return each(self.object(&format!("/{name}"), Err(message)));
        }
        for (index, mut item) in items.into_iter().enumerate() {
            if let Value::Object(item) = &mut item {
                for (name, text) in &of_items {
                    item.entry(*name).or_insert_with(|| (*text).into());
                }
            }
            let pointer = format!("{}/items/{index}", self.pointer);
            let levels = self.levels + 1;
            Location { item: Some(index), pointer: &pointer, levels, ..*self }.open(item, each);
        }
    }
}

/// Takes the items out of a list. `None`: it is another object.
fn take_items(members: &mut Map<String, Value>) -> Option<Vec<Value>> {
    if !text(members, "kind")?.ends_with("List") {
        return None;
    }
    match members.get_mut("items")? {
        Value::Array(items) => Some(std::mem::take(items)),
        // Go writes a list that was never made so.
        Value::Null => Some(Vec::new()),
        _ => None,
    }
}

/// The `apiVersion` and `kind` that the items of a typed list such as `PodList` do not state.
fn of_items(list: &Map<String, Value>) -> Vec<(&'static str, &str)> {
    let kind = text(list, "kind").and_then(|kind| kind.strip_suffix("List"));
    let Some(kind) = kind.filter(|kind| !kind.is_empty()) else { return Vec::new() };
    let version = text(list, "apiVersion").map(|version| ("apiVersion", version));
    version.into_iter().chain([("kind", kind)]).collect()
}

fn text<'a>(members: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    members.get(name).and_then(Value::as_str)
}

/// The type of a value in a sentence, such as `a list`.
#[must_use]
pub fn described(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// The places of JSON pointers in the documents of a file.
#[derive(Clone, Debug, Default)]
pub struct Places(BTreeMap<usize, BTreeMap<String, Place>>);

impl Places {
    /// The place of a pointer in the document with this number.
    #[must_use]
    pub fn get(&self, document: usize, pointer: &str) -> Option<Place> {
        self.0.get(&document)?.get(pointer).copied()
    }
}

impl Reader {
    /// Finds JSON pointers in documents, each with the number of its document. In an invalid
    /// document, only pointers before the error are found. One pass over the input serves all.
    #[must_use]
    pub fn locate<'p>(
        &self,
        bytes: &[u8],
        pointers: impl IntoIterator<Item = (usize, &'p str)>,
    ) -> Places {
        let mut wanted: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
        for (document, pointer) in pointers {
            wanted.entry(document).or_default().insert(pointer);
        }
        if wanted.is_empty() {
            return Places::default();
        }
        Places(self.positions_in(bytes, &wanted))
    }
}

/// The error, such as ``duplicate key `spec.size` ``.
impl fmt::Display for Repeated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("duplicate key `")?;
        for (index, step) in self.path.iter().enumerate() {
            match step {
                Step::Member(name) if index == 0 => f.write_str(name)?,
                Step::Member(name) => write!(f, ".{name}")?,
                Step::Element(index) => write!(f, "[{index}]")?,
            }
        }
        let dot = if self.path.is_empty() { "" } else { "." };
        write!(f, "{dot}{}`", self.name)
    }
}
