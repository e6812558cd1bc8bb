// not vendored
//! The results of macros, such as `all` and `map`.

use super::budget::Budget;
use super::functions;
use super::macros::FoldKind;
use super::outcome::{Evaluated, Failure, NO_OVERLOAD, Outcome, decides, error};
use super::value::{Key, Value};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The results of a macro so far.
pub(super) struct Folded<'a> {
    kind: FoldKind,
    /// Whether one result decided.
    is_decided: bool,
    failure: Option<Failure>,
    count: usize,
    list: Vec<Value<'a>>,
    keys: Vec<Value<'a>>,
    map: BTreeMap<Key<'a>, Value<'a>>,
}

impl<'a> Folded<'a> {
    pub(super) fn of(kind: FoldKind) -> Self {
        Self {
            kind,
            is_decided: false,
            failure: None,
            count: 0,
            list: Vec::new(),
            keys: Vec::new(),
            map: BTreeMap::new(),
        }
    }

    /// Adds the result for an element. Returns whether others do not matter.
    pub(super) fn add(
        &mut self,
        mut values: Vec<Value<'a>>,
        name: &Value<'a>,
        result: Outcome<'a>,
    ) -> Evaluated<bool> {
        match self.kind {
            FoldKind::All | FoldKind::Exists => {
                let decisive = self.kind == FoldKind::Exists;
                self.is_decided = decides(result, decisive, &mut self.failure)?;
                return Ok(self.is_decided);
            }
            FoldKind::ExistsOne | FoldKind::Filter => match result? {
                Value::Bool(true) => {
                    self.count += 1;
                    self.list.extend(values.drain(..1));
                }
                Value::Bool(false) => {}
                _ => return error(NO_OVERLOAD),
            },
            FoldKind::Map => self.list.push(result?),
            FoldKind::SortBy => {
                self.keys.push(result?);
                self.list.extend(values.drain(..1));
            }
            FoldKind::MapValues => {
                let Some(key) = Key::of(name) else { return error(NO_OVERLOAD) };
                insert(&mut self.map, key, result?)?;
            }
            FoldKind::MapEntries => {
                let entries = result?;
                let Some(keys) = entries.keys() else { return error(NO_OVERLOAD) };
                for key in keys {
                    if let Some(value) = entries.entry(&key) {
                        insert(&mut self.map, key, value)?;
                    }
                }
            }
            FoldKind::Optional(_) => return error(NO_OVERLOAD),
        }
        Ok(false)
    }

    pub(super) fn finish(self, budget: &mut Budget) -> Outcome<'a> {
        Ok(match self.kind {
            FoldKind::All | FoldKind::Exists => {
                let decisive = self.kind == FoldKind::Exists;
                return match self.failure {
                    Some(failure) if !self.is_decided => Err(failure),
                    _ => Ok((self.is_decided == decisive).into()),
                };
            }
            FoldKind::ExistsOne => (self.count == 1).into(),
            FoldKind::Filter | FoldKind::Map => self.list.into(),
            FoldKind::SortBy => return functions::sorted(budget, &self.list, &self.keys),
            FoldKind::MapValues | FoldKind::MapEntries => Value::Map(Rc::new(self.map)),
            FoldKind::Optional(_) => return error(NO_OVERLOAD),
        })
    }
}

/// Adds an entry to a map that does not have its key.
pub(super) fn insert<'a>(
    map: &mut BTreeMap<Key<'a>, Value<'a>>,
    key: Key<'a>,
    value: Value<'a>,
) -> Evaluated<()> {
    if map.contains_key(&key) {
        return error(format!("insert failed: key {key} already exists"));
    }
    map.insert(key, value);
    Ok(())
}
