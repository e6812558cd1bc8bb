//! Masks: the members of a value that are decoded, as a tree that mirrors its tables.
//!
//! Few programs have masks, so all of it is inline: it is compiled where a mask is made.

use super::nearest::nearest;
use super::path::{KEY, PathStep, parse_path, push_key, shortened};
use super::value::{Object, Slot};
use std::mem;
use std::sync::Arc;

/// The parts of a value that are decoded; for a list, the parts of each element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MaskNode {
    /// Whether it is the whole value. Then nothing else is set.
    pub(crate) is_whole: bool,
    /// The members of a table, by their indices. A map and free JSON have none.
    members: Box<[Selection]>,
    /// Other names that have a rule of their own, in order: keys of maps, members of free JSON,
    /// unknown members.
    names: Vec<(Box<str>, Selection)>,
    /// All others.
    others: Selection,
    /// Whether decoded objects are marked, as some that must not be written.
    pub(crate) is_marked: bool,
}

/// The decoded parts of a member, or nothing of one that is skipped.
pub(crate) type Selection = Option<Arc<MaskNode>>;

/// A path that was checked against the tables.
#[derive(Debug)]
pub(crate) struct MaskSteps(Vec<MaskStep>);

/// A step from a value to a part of it.
#[derive(Debug)]
enum MaskStep {
    /// The member with this index, of an object that has so many.
    Member { index: usize, count: usize },
    /// The entry or the member of this name.
    Name(String),
    /// All entries of a map.
    Entries,
}

impl MaskNode {
    /// The whole value.
    #[inline]
    pub(crate) fn whole() -> Self {
        Self { is_whole: true, ..Self::default() }
    }

    /// All members of an object that has so many, but only a part of this one.
    #[inline]
    pub(crate) fn around(member: &Arc<Self>, index: usize, count: usize) -> Self {
        let whole = Some(Arc::new(Self::whole()));
        let mut members = vec![whole.clone(); count];
        members[index] = Some(Arc::clone(member));
        Self { members: members.into(), others: whole, ..Self::default() }
    }

    /// The decoded parts of the member with this index.
    #[inline]
    pub(crate) fn member(&self, index: usize) -> Option<&Self> {
        self.members.get(index).unwrap_or(&self.others).as_deref()
    }

    /// The decoded parts of an entry of a map, of a member of free JSON, or of an unknown member.
    #[inline]
    pub(crate) fn named(&self, name: &str) -> Option<&Self> {
        self.find(name).map_or(&self.others, |index| &self.names[index].1).as_deref()
    }

    #[inline]
    fn find(&self, name: &str) -> Result<usize, usize> {
        self.names.binary_search_by(|(other, _)| (**other).cmp(name))
    }

    /// Whether any part of the value at a path is decoded.
    #[inline]
    pub(crate) fn has(&self, path: &MaskSteps) -> bool {
        path.0.iter().try_fold(self, Self::child).is_some()
    }

    #[inline]
    fn child(&self, step: &MaskStep) -> Option<&Self> {
        match step {
            _ if self.is_whole => Some(self),
            MaskStep::Member { index, .. } => self.member(*index),
            MaskStep::Name(name) => self.named(name),
            MaskStep::Entries => self.others.as_deref(),
        }
    }

    /// Adds the value at a path.
    #[inline]
    pub(crate) fn include(&mut self, path: &MaskSteps) {
        self.set(&path.0, &Some(Arc::new(Self::whole())));
    }

    /// Removes the value at a path.
    #[inline]
    pub(crate) fn exclude(&mut self, path: &MaskSteps) {
        self.set(&path.0, &None);
    }

    #[inline]
    fn set(&mut self, steps: &[MaskStep], value: &Selection) {
        let Some((step, rest)) = steps.split_first() else { return };
        if self.is_whole {
            let whole = Some(Arc::new(mem::take(self)));
            self.others = whole;
        }
        match step {
            MaskStep::Member { index, count } => {
                if self.members.is_empty() {
                    self.members = vec![self.others.clone(); *count].into();
                }
                set(&mut self.members[*index], rest, value);
            }
            MaskStep::Name(name) => {
                let index = self.find(name).unwrap_or_else(|index| {
                    self.names.insert(index, (name.as_str().into(), self.others.clone()));
                    index
                });
                set(&mut self.names[index].1, rest, value);
            }
            MaskStep::Entries => {
                self.names.iter_mut().for_each(|(_, part)| set(part, rest, value));
                set(&mut self.others, rest, value);
            }
        }
        self.normalize();
    }

    /// The union of two.
    #[inline]
    pub(crate) fn union(&self, other: &Self) -> Self {
        if self.is_whole || other.is_whole {
            return Self::whole();
        }
        let both = |one: &Selection, other: &Selection| match (one, other) {
            (Some(one), Some(other)) => Some(Arc::new(one.union(other))),
            (part, None) | (None, part) => part.clone(),
        };
        let count = self.members.len().max(other.members.len());
        let member = |index| {
            let [one, other] =
                [self, other].map(|part| part.members.get(index).unwrap_or(&part.others));
            both(one, other)
        };
        let mut names: Vec<Box<str>> = [self, other]
            .iter()
            .flat_map(|part| &part.names)
            .map(|(name, _)| name.clone())
            .collect();
        names.sort_unstable();
        names.dedup();
        let of_name = |name: Box<str>| {
            let [one, other] = [self, other]
                .map(|part| part.find(&name).map_or(&part.others, |index| &part.names[index].1));
            let part = both(one, other);
            (name, part)
        };
        let mut union = Self {
            is_whole: false,
            members: (0..count).map(member).collect(),
            names: names.into_iter().map(of_name).collect(),
            others: both(&self.others, &other.others),
            is_marked: self.is_marked || other.is_marked,
        };
        union.normalize();
        union
    }

    /// Normalizes the part, so that masks with the same selection are equal.
    #[inline]
    fn normalize(&mut self) {
        let Self { names, others, .. } = self;
        names.retain(|(_, part)| part != others);
        let is_whole = |part: &Selection| part.as_ref().is_some_and(|part| part.is_whole);
        if self.names.is_empty() && is_whole(&self.others) && self.members.iter().all(is_whole) {
            *self = Self::whole();
        }
    }
}

#[inline]
fn set(part: &mut Selection, steps: &[MaskStep], value: &Selection) {
    if steps.is_empty() {
        part.clone_from(value);
        return;
    }
    match part {
        // Nothing can be selected from an absent value.
        None if value.is_none() => {}
        part => Arc::make_mut(part.get_or_insert_default()).set(steps, value),
    }
}

/// Checks a path against the tables, beginning with the slot of an empty value. If `is_open`, the
/// value may have any other members, too.
///
/// # Errors
/// The problem, with the form to use.
#[inline]
pub(crate) fn resolve(slot: Slot<'_>, path: &str, is_open: bool) -> Result<MaskSteps, String> {
    let steps = parse_path(path)?;
    let mut resolver = Resolver { steps: &steps, key: None, done: Vec::new() };
    resolver.follow(slot, 0, is_open)?;
    Ok(MaskSteps(resolver.done))
}

/// Follows a path from an empty value to one of its parts.
struct Resolver<'p> {
    steps: &'p [PathStep<'p>],
    /// The step that was taken for the key of a map, if it is not in brackets.
    key: Option<usize>,
    done: Vec<MaskStep>,
}

impl Resolver<'_> {
    /// Follows the steps from this one on.
    #[inline]
    fn follow(&mut self, slot: Slot<'_>, at: usize, is_open: bool) -> Result<(), String> {
        let Some(step) = self.steps.get(at) else { return Ok(()) };
        match slot {
            Slot::List(list) => match step {
                PathStep::Name(_) => self.follow(list.push(true), at, false),
                PathStep::Each => self.follow(list.push(true), at + 1, false),
                PathStep::Key(_) | PathStep::Index(_) => Err(format!(
                    "a mask has all elements of a list: write `{}`",
                    self.with(at, at + 1, &[])
                )),
            },
            Slot::Map(map) => {
                self.done.push(match step {
                    PathStep::Each => MaskStep::Entries,
                    step => MaskStep::Name(key_of(step)),
                });
                self.key = matches!(step, PathStep::Name(_)).then_some(at);
                self.follow(map.insert(String::new(), true), at + 1, false)
            }
            Slot::Object(object) => self.follow_member(object, at, is_open),
            Slot::Raw(_) | Slot::Unknown(_) => self.follow_json(at),
            Slot::BySerde(_) => {
                let path = self.with(at, self.steps.len(), &[]);
                Err(format!("serde decodes `{path}`, as a whole: write `{path}`"))
            }
            _ => Err(self.no_members(at)),
        }
    }

    #[inline]
    fn follow_member(
        &mut self,
        object: &mut dyn Object,
        at: usize,
        is_open: bool,
    ) -> Result<(), String> {
        let table = object.table();
        let names = table.keys.names();
        let name = match &self.steps[at] {
            PathStep::Name(name) => (*name).to_owned(),
            PathStep::Each => {
                let path = self.with(at, at + 1, &[]);
                return Err(format!(
                    "{} has no elements: write `{path}`",
                    self.value(at, table.name)
                ));
            }
            step if names.contains(&&*key_of(step)) => {
                let path = self.with(at, at + 1, &[PathStep::Name(&key_of(step))]);
                return Err(format!("{} is not a map: write `{path}`", self.value(at, table.name)));
            }
            step => key_of(step),
        };
        if let Some(index) = table.keys.index().find(&name) {
            self.done.push(MaskStep::Member { index, count: names.len() });
            return self.follow(object.member_mut(index, true), at + 1, false);
        }
        if is_open {
            return self.follow_json(at);
        }
        let help = match nearest(&name, names.iter().copied()) {
            Some(near) => {
                format!("; did you mean `{}`?", self.with(at, at + 1, &[PathStep::Name(near)]))
            }
            None => String::new(),
        };
        Err(format!(
            "{} has no member `{}`{help}",
            self.value(at, table.name),
            shortened(&name, KEY)
        ))
    }

    /// Follows the steps in free JSON, where any may lead somewhere.
    #[inline]
    fn follow_json(&mut self, at: usize) -> Result<(), String> {
        for (index, step) in self.steps.iter().enumerate().skip(at) {
            self.done.push(match step {
                PathStep::Name(_) | PathStep::Key(_) => MaskStep::Name(key_of(step)),
                PathStep::Each | PathStep::Index(_) => {
                    let path = self.with(index, index + 1, &[]);
                    return Err(format!("a mask has all elements of a list: write `{path}`"));
                }
            });
        }
        Ok(())
    }

    /// The error of a step into a value that has no parts.
    #[inline]
    fn no_members(&self, at: usize) -> String {
        // Keys have dots more often than values of maps have members.
        if let Some(start) = self.key {
            let keys: Vec<_> = self.steps[start..].iter().map(key_of).collect();
            let path = self.with(start, self.steps.len(), &[PathStep::Key(keys.join(".").into())]);
            return format!("a key with a dot needs brackets: write `{path}`");
        }
        let path = self.with(at, self.steps.len(), &[]);
        format!("`{path}` is a single value, without members: write `{path}`")
    }

    /// The value to which the first steps lead.
    #[inline]
    fn value(&self, at: usize, name: &str) -> String {
        let article = if name.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
        match at {
            0 => format!("{article} {name}"),
            _ => format!("`{}`, {article} {name},", self.with(at, self.steps.len(), &[])),
        }
    }

    /// The path with these steps in place of the steps from one index to another.
    #[inline]
    fn with(&self, from: usize, to: usize, others: &[PathStep<'_>]) -> String {
        let mut path = String::new();
        for step in self.steps[..from].iter().chain(others).chain(&self.steps[to..]) {
            match step {
                PathStep::Name(name) => push_key(&mut path, name),
                PathStep::Key(key) => push_entry(&mut path, key),
                PathStep::Index(index) => push_brackets(&mut path, &index.to_string()),
                PathStep::Each => path.push_str("[]"),
            }
        }
        shortened(&path, 2 * KEY).into_owned()
    }
}

/// A step as the key of an entry.
#[inline]
fn key_of(step: &PathStep<'_>) -> String {
    match step {
        PathStep::Name(name) => (*name).to_owned(),
        PathStep::Key(key) => key.clone().into_owned(),
        PathStep::Index(index) => index.to_string(),
        PathStep::Each => String::new(),
    }
}

/// Appends the entry of a map to a path.
#[inline]
fn push_entry(path: &mut String, key: &str) {
    push_brackets(path, &format!("{:?}", shortened(key, KEY)));
}

#[inline]
fn push_brackets(path: &mut String, inside: &str) {
    path.push('[');
    path.push_str(inside);
    path.push(']');
}

/// Lists paths of parts: decoded ones and, after a `-`, skipped ones within a decoded part. `*`
/// stands for everything. The slot is a slot of an empty value.
#[inline]
pub(crate) fn list_paths(part: &MaskNode, slot: Slot<'_>, paths: &mut Vec<String>) {
    if part.is_whole || is_whole(&part.others) {
        paths.push("*".to_owned());
    }
    list_members(part, slot, &mut String::new(), paths);
}

#[inline]
fn is_whole(part: &Selection) -> bool {
    part.as_ref().is_some_and(|part| part.is_whole)
}

/// Lists the paths of a part. `is_around` states whether the part around it is decoded.
#[inline]
fn list_part(
    part: Option<&MaskNode>,
    is_around: bool,
    slot: Slot<'_>,
    path: &mut String,
    paths: &mut Vec<String>,
) {
    let has_rest = part.is_some_and(|part| part.is_whole || is_whole(&part.others));
    match (is_around, has_rest) {
        (false, true) => paths.push(path.clone()),
        (true, false) => paths.push(format!("-{path}")),
        _ => {}
    }
    let Some(part) = part.filter(|part| !part.is_whole) else { return };
    let before = paths.len();
    list_members(part, slot, path, paths);
    // Only the presence of an object is decoded.
    if !has_rest && paths.len() == before {
        paths.push(format!("{path}{{}}"));
    }
}

#[inline]
fn list_members(part: &MaskNode, slot: Slot<'_>, path: &mut String, paths: &mut Vec<String>) {
    let length = path.len();
    let has_rest = is_whole(&part.others);
    match slot {
        Slot::List(list) => return list_members(part, list.push(true), path, paths),
        Slot::Map(map) => {
            if let Some(others) = part.others.as_deref().filter(|part| !part.is_whole) {
                path.push_str("[]");
                list_part(Some(others), false, map.insert(String::new(), true), path, paths);
                path.truncate(length);
            }
            for (name, part) in &part.names {
                push_entry(path, name);
                list_part(part.as_deref(), has_rest, map.insert(String::new(), true), path, paths);
                path.truncate(length);
            }
            return;
        }
        Slot::Object(object) if !part.is_whole => {
            for (index, name) in object.table().keys.names().iter().enumerate() {
                push_key(path, name);
                list_part(
                    part.member(index),
                    has_rest,
                    object.member_mut(index, true),
                    path,
                    paths,
                );
                path.truncate(length);
            }
        }
        _ => {}
    }
    for (name, part) in &part.names {
        push_key(path, name);
        list_part(part.as_deref(), has_rest, Slot::Absent, path, paths);
        path.truncate(length);
    }
}
