//! Objects: their members, and those that have defaults.

use super::fields::{Level, Repeated};
use super::scan::{Member, Next, Nulls, Scan, Scanned};
use crate::schema::{Field, SchemaId, Schemas, Shape};
use crate::write::conform;
use serde_json::{Map, Value};

/// Members of metadata that no manager owns.
const UNOWNED: [&str; 9] = [
    "clusterName",
    "creationTimestamp",
    "generation",
    "managedFields",
    "name",
    "namespace",
    "resourceVersion",
    "selfLink",
    "uid",
];

/// An object that is being read.
struct Object<'a> {
    shape: &'a Shape,
    blank: Option<&'a Map<String, Value>>,
    /// The last of its members that is a field.
    last: Option<&'a Field>,
    /// Where its copy begins.
    start: usize,
    /// The index of the entry of its first member.
    first: usize,
    /// Its fields, if they are listed one by one.
    level: Option<Level>,
    /// The treatment of its members' nulls.
    nulls: Nulls,
    /// The number of members that are present, of those that are never absent.
    stated: usize,
}

impl<'a> Scan<'a> {
    pub(super) fn members(&mut self, next: &Next<'a>) -> Option<Scanned> {
        let blank = match next.blank {
            None => None,
            Some(Value::Object(members)) => Some(members),
            Some(_) => return None,
        };
        let shape = self.schemas.shape(next.schema);
        let nulls = match shape {
            Shape::Struct { .. } if next.is_metadata => Nulls::Kept,
            Shape::Struct { .. } => Nulls::Dropped,
            Shape::Map(_) | Shape::Any => Nulls::Declined,
            _ => return None,
        };
        let has_levels = next.is_listed && !self.schemas.is_atomic(next.schema);
        let is_replaced = next.is_listed && !has_levels;
        if next.depth == 0 || is_replaced && blank.is_some_and(|blank| !blank.is_empty()) {
            return None;
        }
        let first = self.fields.count();
        let level = has_levels.then(|| self.fields.open(blank.is_none()));
        let mut object =
            Object { shape, blank, last: None, start: self.input.length(), first, level, nulls, stated: 0 };
        let mut is_cut = false;
        let mut has_next = self.input.open(b'{', b'}')?;
        while has_next {
            let before = self.input.length();
            let is_dropped = self.member(next, &mut object)?;
            has_next = self.input.has_next(b'}')?;
            if is_dropped {
                self.input.truncate(before);
                is_cut = !has_next;
            }
        }
        if is_cut {
            self.input.close();
        }
        self.add_defaults(next, &object)?;
        self.end(next, &object)
    }

    /// Reads a member. Returns whether it is left out.
    fn member(&mut self, next: &Next<'a>, object: &mut Object<'a>) -> Option<bool> {
        let (name, field) = self.name(object)?;
        let schema = match (field, object.shape) {
            (Some(field), _) => field.schema,
            (None, Shape::Map(value)) => *value,
            _ => Schemas::ANY,
        };
        let is_listed = object.level.is_some() && !(next.is_metadata && UNOWNED.contains(&name));
        match field {
            Some(field) if is_listed => self.fields.field(field),
            _ => self.begin_member(name, is_listed),
        }
        let start = self.input.length();
        let Scanned { has_field, is_dropped } = self.value(&Next {
            schema,
            blank: object.blank.and_then(|blank| blank.get(name)),
            is_listed,
            is_metadata: false,
            keys: &[],
            nulls: object.nulls,
            depth: next.depth - 1,
        })?;
        if is_listed {
            self.fields.end(has_field);
        }
        let is_always_present = field.is_some() && self.schemas.is_always_present(schema);
        if is_dropped {
            // Its default would be a second entry.
            return (!is_always_present).then_some(true);
        }
        object.stated += usize::from(is_always_present);
        if next.is_metadata {
            let name = start - name.len() - 2..start - 2;
            self.metadata.0.push(Member { name, value: start..self.input.length() });
        }
        self.note_key(next, name, start);
        Some(false)
    }

    /// Reads the name of a member, and finds its field. `None` if it is unknown in a struct without such members.
    #[inline]
    fn name(&mut self, object: &mut Object<'a>) -> Option<(&'a str, Option<&'a Field>)> {
        let Shape::Struct { fields, open } = object.shape else { return Some((self.input.name()?, None)) };
        let last = object.last;
        if let Some(field) = fields.likely_after(last)
            && self.input.take_name(field)
        {
            object.last = Some(field);
            return Some((field.name(), Some(field)));
        }
        let name = self.input.name()?;
        let field = fields.find(name);
        if let Some(field) = field {
            fields.learn_follower(last, field);
            object.last = Some(field);
        }
        (field.is_some() || *open).then_some((name, field))
    }

    /// Begins the entry of a member.
    #[inline]
    pub(super) fn begin_member(&mut self, name: &'a str, is_listed: bool) {
        if is_listed {
            self.fields.member(name);
        } else {
            self.fields.unlisted(name);
        }
    }

    /// Notes the value that ends here, if it identifies the object in its list.
    #[inline]
    fn note_key(&mut self, next: &Next<'a>, name: &str, start: usize) {
        if let Some(index) = next.keys.iter().position(|key| key == name) {
            let first = self.keys.len() - next.keys.len();
            self.keys[first + index] = Some(start..self.input.length());
        }
    }

    /// Adds the members that are never absent. `None` if their defaults are not plain.
    fn add_defaults(&mut self, next: &Next<'a>, object: &Object<'a>) -> Option<()> {
        let Shape::Struct { fields, .. } = object.shape else { return Some(()) };
        let always = self.schemas.always_present(next.schema);
        if object.stated == always.len() {
            return Some(());
        }
        self.input.reopen();
        for (name, field) in always.iter().filter_map(|index| fields.at(*index)) {
            if !self.fields.has_member(object.first, name) {
                let blank = object.blank.and_then(|blank| blank.get(name));
                let start = self.add_default(name, field, blank, object.level.is_some())?;
                self.note_key(next, name, start);
                self.input.write(b",");
            }
        }
        self.input.close();
        Some(())
    }

    /// Adds a member that is never absent, up to its comma. Returns where its value begins.
    pub(super) fn add_default(
        &mut self,
        name: &'a str,
        field: SchemaId,
        blank: Option<&Value>,
        is_listed: bool,
    ) -> Option<usize> {
        let default = self.default(name, field, blank)?;
        self.begin_member(name, is_listed);
        self.write_name(name);
        let start = self.input.length();
        self.input.write(default.as_bytes());
        if is_listed {
            self.fields.leaf();
            self.fields.end(blank.is_none());
        }
        Some(start)
    }

    /// Writes the name of a member that the body does not have, and that needs no escapes.
    pub(super) fn write_name(&mut self, name: &str) {
        for part in ["\"", name, "\":"] {
            self.input.write(part.as_bytes());
        }
    }

    /// The default of a member as JSON, if it is a single field.
    fn default(&self, name: &str, field: SchemaId, blank: Option<&Value>) -> Option<String> {
        if matches!(self.schemas.shape(field), Shape::Map(_)) || !is_plain_name(name) {
            return None;
        }
        let default = conform::default(self.schemas, field);
        let is_single = default.as_object().is_none_or(Map::is_empty);
        (is_single && blank.is_none_or(|blank| *blank == default)).then(|| default.to_string())
    }

    /// Ends an object.
    fn end(&mut self, next: &Next<'a>, object: &Object<'a>) -> Option<Scanned> {
        let has_content = self.input.length() > object.start + "{}".len();
        if !has_content && matches!(object.shape, Shape::Map(_)) {
            if let Some(level) = object.level {
                self.fields.abandon(level);
            }
            return next.nulls.absent();
        }
        if let Some(level) = object.level {
            let has_field = self.fields.close(level).map_err(|Repeated| ()).ok()?;
            return Some(Scanned { has_field, ..Scanned::default() });
        }
        self.fields.close_unlisted(object.first).map_err(|Repeated| ()).ok()?;
        // One that is empty without content, too, is no field.
        let has_field = has_content || object.blank.is_none();
        if next.is_listed && has_field {
            self.fields.leaf();
        }
        Some(Scanned { has_field, ..Scanned::default() })
    }
}

/// Whether a name of a schema is the same as JSON, between quotes.
pub(super) fn is_plain_name(name: &str) -> bool {
    name.bytes().all(|byte| byte >= b' ' && !matches!(byte, b'"' | b'\\'))
}
