//! Metadata of a new object, written without a tree.

use super::cursor::Cursor;
use super::scan::Member;
use super::write_string;
use crate::validate::{self, NameRule};
use std::ops::Range;

/// The members of metadata, as ranges of the JSON of their object.
#[derive(Debug, Default)]
pub(super) struct Metadata(pub(super) Vec<Member>);

/// Members that come from the server.
#[derive(Debug, Default)]
pub(super) struct Stamps {
    json: Vec<u8>,
    /// The names, and the values as ranges of `json`.
    members: Vec<(&'static str, Range<usize>)>,
}

impl Stamps {
    /// Adds a member, whose value a function writes.
    pub(super) fn add(&mut self, name: &'static str, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.json.len();
        write(&mut self.json);
        self.members.push((name, start..self.json.len()));
    }

    pub(super) fn string(&mut self, name: &'static str, value: &str) {
        self.add(name, |json| write_string(value, json));
    }

    pub(super) fn clear(&mut self) {
        self.json.clear();
        self.members.clear();
    }

    /// The names, and the values as JSON.
    fn iter(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
        self.members.iter().map(|(name, value)| (*name, &self.json[value.clone()]))
    }
}

impl Metadata {
    /// A member as JSON.
    fn get<'j>(&self, json: &'j [u8], name: &str) -> Option<&'j str> {
        let member = self.0.iter().find(|member| &json[member.name.clone()] == name.as_bytes())?;
        std::str::from_utf8(&json[member.value.clone()]).ok()
    }

    /// A string without escapes. Empty if it is absent.
    pub(super) fn string<'j>(&self, json: &'j [u8], name: &str) -> Option<&'j str> {
        match self.get(json, name) {
            None | Some("null") => Some(""),
            Some(value) => Some(value.strip_prefix('"')?.strip_suffix('"')?).filter(|text| !text.contains('\\')),
        }
    }

    /// Whether it is valid and changes nothing of a create. Of metadata that may be invalid it is `false`: the way
    /// through a tree then finds the reason.
    pub(super) fn is_plain(&self, json: &[u8], rule: NameRule, namespace: Option<&str>) -> bool {
        self.has_plain_names(json, rule, namespace).unwrap_or_default()
            && self.0.iter().all(|member| {
                let value = std::str::from_utf8(&json[member.value.clone()]).unwrap_or_default();
                value == "null" || is_plain_member(&json[member.name.clone()], value).unwrap_or_default()
            })
    }

    fn has_plain_names(&self, json: &[u8], rule: NameRule, namespace: Option<&str>) -> Option<bool> {
        let (name, prefix) = (self.string(json, "name")?, self.string(json, "generateName")?);
        let stated = self.string(json, "namespace")?;
        let is_named = if name.is_empty() { !prefix.is_empty() } else { rule.check(name).is_ok() };
        let has_valid_prefix = prefix.is_empty() || rule.check(&format!("{prefix}x")).is_ok();
        let is_here = stated.is_empty() || namespace.is_none_or(|namespace| namespace == stated);
        Some(is_named && has_valid_prefix && is_here && self.string(json, "resourceVersion")?.is_empty())
    }

    /// Writes it as it is stored, without the last bracket. Stamps stand where the body has such a member, unless that is
    /// dropped, or else at the end.
    pub(super) fn write(&self, json: &[u8], stamps: &Stamps, dropped: &[&str], out: &mut Vec<u8>) {
        out.push(b'{');
        let mut write = |name: &[u8], value: &[u8]| {
            out.push(b'"');
            out.extend_from_slice(name);
            out.extend_from_slice(b"\":");
            out.extend_from_slice(value);
            out.push(b',');
        };
        for Member { name, value } in &self.0 {
            let (name, value) = (&json[name.clone()], &json[value.clone()]);
            if dropped.iter().any(|dropped| dropped.as_bytes() == name) {
                continue;
            }
            match stamps.iter().find(|(stamp, _)| stamp.as_bytes() == name) {
                Some((_, value)) => write(name, value),
                None if matches!(value, b"null" | b"[]" | b"{}") => {}
                None => write(name, value),
            }
        }
        let is_written = |name| !dropped.contains(&name) && self.get(json, name).is_some();
        for (name, value) in stamps.iter().filter(|(name, _)| !is_written(name)) {
            write(name.as_bytes(), value);
        }
    }
}

/// Whether a member that is not `null` is valid, and plain.
fn is_plain_member(name: &[u8], json: &str) -> Option<bool> {
    match name {
        // Their presence alone changes or refuses the create.
        b"deletionTimestamp" | b"deletionGracePeriodSeconds" | b"managedFields" => Some(false),
        b"labels" => every(json, b'{', b'}', |cursor| {
            let (key, value) = (cursor.name()?, cursor.string()?.inner());
            Some(validate::label_key(key).is_ok() && validate::label_value(value).is_ok())
        }),
        b"annotations" => every(json, b'{', b'}', |cursor| {
            let (key, _) = (cursor.name()?, cursor.string()?);
            Some(validate::annotation_key(key).is_ok())
        }),
        b"finalizers" => every(json, b'[', b']', |cursor| Some(validate::finalizer(cursor.string()?.inner()).is_ok())),
        b"ownerReferences" => {
            let mut controllers = 0;
            let are_valid = every(json, b'[', b']', |cursor| is_plain_owner(cursor, &mut controllers))?;
            Some(are_valid && controllers < 2)
        }
        _ => Some(true),
    }
}

/// Whether all parts of an object or an array are as they are wanted. A function reads each of them.
fn every<'a>(
    json: &'a str,
    opener: u8,
    closer: u8,
    mut is_wanted: impl FnMut(&mut Cursor<'a>) -> Option<bool>,
) -> Option<bool> {
    let mut cursor = Cursor::new(json, Vec::new());
    every_of(&mut cursor, opener, closer, &mut is_wanted)
}

fn every_of<'a>(
    cursor: &mut Cursor<'a>,
    opener: u8,
    closer: u8,
    is_wanted: &mut impl FnMut(&mut Cursor<'a>) -> Option<bool>,
) -> Option<bool> {
    let mut has_next = cursor.open(opener, closer)?;
    while has_next {
        if !is_wanted(cursor)? {
            return Some(false);
        }
        has_next = cursor.has_next(closer)?;
    }
    Some(true)
}

/// Whether an owner states all that it must. Counts those that control.
fn is_plain_owner(cursor: &mut Cursor<'_>, controllers: &mut usize) -> Option<bool> {
    let mut stated = 0;
    every_of(cursor, b'{', b'}', &mut |cursor| {
        let name = cursor.name()?;
        if cursor.peek() != b'"' {
            *controllers += usize::from(cursor.word() == "true" && name == "controller");
            return Some(true);
        }
        let value = cursor.string()?.inner();
        stated += usize::from(validate::OWNER.contains(&name) && !value.is_empty());
        Some(true)
    })?;
    Some(stated == validate::OWNER.len())
}

#[cfg(test)]
mod tests {
    use super::is_plain_member;

    #[test]
    fn valid_members_are_plain() {
        let owner = r#"{"apiVersion":"v1","kind":"A","name":"a","uid":"1","controller":true}"#;
        let other = owner.replace("true", "false");
        let without = |member: &str| format!("[{}]", owner.replace(member, ""));
        for (name, json, is_plain) in [
            ("labels", r#"{"a.b/c":"d","e":""}"#.to_owned(), true),
            ("labels", r#"{"a":"-"}"#.to_owned(), false),
            ("labels", r#"{"a/":""}"#.to_owned(), false),
            ("annotations", r#"{"A":"\n"}"#.to_owned(), true),
            ("annotations", r#"{"a b":""}"#.to_owned(), false),
            ("finalizers", r#"["a.b/c","orphan"]"#.to_owned(), true),
            ("finalizers", r#"["a"]"#.to_owned(), false),
            ("ownerReferences", format!("[{owner},{other}]"), true),
            ("ownerReferences", format!("[{owner},{owner}]"), false),
            ("ownerReferences", without(r#","uid":"1""#), false),
            ("ownerReferences", owner.replace(r#""A""#, r#""""#), false),
            ("managedFields", "[]".to_owned(), false),
            ("uid", r#""x""#.to_owned(), true),
        ] {
            assert_eq!(is_plain_member(name.as_bytes(), &json).unwrap_or_default(), is_plain, "{name}: {json}");
        }
    }
}
