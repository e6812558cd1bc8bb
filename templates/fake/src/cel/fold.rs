// not vendored
//! The results of macros, such as `all` and `map`.

use super::eval::{Evaluator, Failure, NO_OVERLOAD, Outcome, decides, error, insert};
use super::functions;
use super::macros::FoldKind;
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
    ) -> Result<bool, Failure> {
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

    pub(super) fn finish(self, evaluator: &mut Evaluator<'a>) -> Outcome<'a> {
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
            FoldKind::SortBy => return functions::sorted(evaluator, &self.list, &self.keys),
            FoldKind::MapValues | FoldKind::MapEntries => Value::Map(Rc::new(self.map)),
            FoldKind::Optional(_) => return error(NO_OVERLOAD),
        })
    }
}
