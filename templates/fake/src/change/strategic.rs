//! Applies strategic merge patches.

use crate::schema::structural::in_go;
use crate::schema::{Node, PatchRule, Schema};
use kapigen_definitions::Path;
use kapigen_definitions::schema_keywords::PatchStrategy;
use kapigen_runtime::change::{ChangeError, canonical};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

type Members = Map<String, Value>;
type Result<T = ()> = std::result::Result<T, ChangeError>;

const DIRECTIVE: &str = "$patch";
const RETAIN: &str = "$retainKeys";
const DELETE: &str = "$deleteFromPrimitiveList/";
const ORDER: &str = "$setElementOrder/";

/// The errors of malformed directives, in the words of servers.
const BAD_RETAIN: &str = "invalid patch format of retainKeys";
const BAD_SCALARS: &str = "invalid patch format of primitive list";
const BAD_ORDER: &str = "invalid patch format of setElementOrder list";

/// Whether an error reports a malformed directive, for which servers respond with 400.
pub(crate) fn is_malformed(error: &ChangeError) -> bool {
    [BAD_RETAIN, BAD_SCALARS, BAD_ORDER].contains(&error.message())
}

/// An object as errors show it.
fn shown(members: &Members) -> String {
    in_go(&Value::Object(members.clone())).0
}

/// A list as errors show it.
fn shown_list(elements: Vec<&Value>) -> String {
    let elements: Vec<_> = elements.into_iter().map(|element| in_go(element).0).collect();
    format!("[{}]", elements.join(" "))
}

/// Applies a strategic merge patch to an object.
///
/// The schema determines which lists are merged, and by which member. New elements come before
/// those that the patch does not name, as on a server.
///
/// ```
/// use kapigen_fake::change::{Schema, apply_strategic};
/// use serde_json::json;
///
/// let mut object = json!({"metadata": {"finalizers": ["a"], "labels": {"tier": "front"}}});
/// let patch = json!({"metadata": {"finalizers": ["b"], "labels": {"tier": null}}});
/// apply_strategic(&mut object, &patch, &Schema::from_definition(&json!({"type": "object"})))?;
/// assert_eq!(object, json!({"metadata": {"finalizers": ["b", "a"], "labels": {}}}));
/// # Ok::<(), kapigen_runtime::change::ChangeError>(())
/// ```
///
/// # Errors
/// When the object or the patch is not an object, an element has no merge key, a directive is
/// unknown, or the patch contradicts its own `$setElementOrder` or `$retainKeys`. The object is
/// left as it was.
pub fn apply_strategic(object: &mut Value, change: &Value, schema: &Schema) -> Result {
    let (Value::Object(target), Value::Object(change)) = (&*object, change) else {
        return Err(ChangeError::new("", "a strategic merge patch is an object, and changes one"));
    };
    let mut target = target.clone();
    members(&Path::ROOT, schema.root(), &mut target, change)?;
    *object = Value::Object(target);
    Ok(())
}

fn members(path: &Path<'_>, node: Node<'_>, target: &mut Members, change: &Members) -> Result {
    match change.get(DIRECTIVE).map(|directive| directive.as_str().unwrap_or_default()) {
        None => {}
        Some("replace") => {
            target.clear();
            target.extend(
                change
                    .iter()
                    .filter(|(key, _)| *key != DIRECTIVE)
                    .map(|(key, value)| (key.clone(), value.clone())),
            );
            return Ok(());
        }
        Some("delete") => {
            target.clear();
            return Ok(());
        }
        Some(other) => {
            let why = format!("unknown patch type: {other} in map: {}", shown(change));
            return Err(at(&path.member(DIRECTIVE), why));
        }
    }
    retain(path, target, change)?;
    target.retain(|key, _| !change.get(key).is_some_and(Value::is_null));
    let orders = orders(path, node, target, change)?;
    for (key, value) in change {
        if let Some(list) = key.strip_prefix(DELETE) {
            delete_scalars(&path.member(key), target, list, value)?;
        } else if !value.is_null() && key != RETAIN && key != DIRECTIVE && !key.starts_with(ORDER) {
            member(&path.member(key), node.member(key), target, (key, value))?;
        }
    }
    for (key, order) in orders {
        if let Some(Value::Array(list)) = target.get_mut(key) {
            order.sort(list);
        }
    }
    Ok(())
}

/// Removes all members that `$retainKeys` does not name.
fn retain(path: &Path<'_>, target: &mut Members, change: &Members) -> Result {
    let Some(retained) = change.get(RETAIN) else { return Ok(()) };
    let Some(retained) = retained.as_array() else {
        return Err(at(&path.member(RETAIN), BAD_RETAIN));
    };
    let retained: BTreeSet<&str> = retained.iter().filter_map(Value::as_str).collect();
    let mut set = change.iter().filter(|(key, value)| !value.is_null() && !key.starts_with('$'));
    if let Some((key, _)) = set.find(|(key, _)| !retained.contains(key.as_str())) {
        return Err(at(&path.member(key), BAD_RETAIN));
    }
    target.retain(|key, _| retained.contains(key.as_str()));
    Ok(())
}

fn member(
    path: &Path<'_>,
    node: Node<'_>,
    target: &mut Members,
    (key, value): (&String, &Value),
) -> Result {
    let rule = node.patch_rule();
    match (target.get_mut(key), value) {
        (Some(Value::Object(target)), Value::Object(change))
            if rule.strategy != Some(PatchStrategy::Replace) =>
        {
            members(path, node, target, change)
        }
        (Some(Value::Array(list)), Value::Array(change)) => match (rule.strategy, &rule.key) {
            (Some(PatchStrategy::Merge), Some(key)) => {
                merge_elements(path, node, key, list, change)
            }
            (Some(PatchStrategy::Merge), None) => {
                merge_scalars(list, change);
                Ok(())
            }
            _ => {
                change.clone_into(list);
                Ok(())
            }
        },
        _ => {
            target.insert(key.clone(), without_directives(value));
            Ok(())
        }
    }
}

/// An error of the value at a path.
fn at(path: &Path<'_>, message: impl Into<String>) -> ChangeError {
    ChangeError::new(path, message)
}

/// The value of a patch if there is nothing to merge it with.
fn without_directives(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let set = members.iter().filter(|(key, value)| !is_directive(key) && !value.is_null());
            Value::Object(
                set.map(|(key, value)| (key.clone(), without_directives(value))).collect(),
            )
        }
        Value::Array(elements) => {
            let set = elements.iter().filter(|element| element.get(DIRECTIVE).is_none());
            Value::Array(set.map(without_directives).collect())
        }
        value => value.clone(),
    }
}

fn is_directive(key: &str) -> bool {
    [DIRECTIVE, RETAIN].contains(&key) || key.starts_with(DELETE) || key.starts_with(ORDER)
}

fn merge_scalars(list: &mut Vec<Value>, change: &[Value]) {
    let mut present: BTreeSet<String> = list.iter().map(canonical).collect();
    list.extend(change.iter().filter(|value| present.insert(canonical(value))).cloned());
}

fn delete_scalars(path: &Path<'_>, target: &mut Members, list: &str, gone: &Value) -> Result {
    let Some(gone) = gone.as_array() else { return Err(at(path, BAD_SCALARS)) };
    if let Some(Value::Array(list)) = target.get_mut(list) {
        let gone: BTreeSet<String> = gone.iter().map(canonical).collect();
        list.retain(|element| !gone.contains(&canonical(element)));
    }
    Ok(())
}

fn merge_elements(
    path: &Path<'_>,
    node: Node<'_>,
    key: &str,
    list: &mut Vec<Value>,
    change: &[Value],
) -> Result {
    if change.iter().any(|element| element[DIRECTIVE] == "replace") {
        let elements = change.iter().filter(|element| element.get(DIRECTIVE).is_none());
        *list = elements.cloned().collect();
        return Ok(());
    }
    if change.iter().any(|element| !element.is_object()) {
        let lists = [&**list, change].map(|elements| shown_list(elements.iter().collect()));
        return Err(at(
            path,
            format!("list element types are not identical: [{}]", lists.join(" ")),
        ));
    }
    let mut elements = Elements::new(std::mem::take(list), key);
    for (index, element) in change.iter().enumerate() {
        let path = path.index(index);
        let Some((element, value)) =
            element.as_object().and_then(|element| Some((element, element.get(key)?)))
        else {
            return Err(at(
                &path,
                format!("map: {} does not contain declared merge key: {key}", in_go(element).0),
            ));
        };
        if element.get(DIRECTIVE).is_some_and(|directive| directive == "delete") {
            elements.remove(value);
        } else if let Some(Value::Object(old)) = elements.first_mut(value) {
            members(&path, node.element(), old, element)?;
        } else {
            elements.push(value, without_directives(&change[index]));
        }
    }
    list.extend(elements.all.into_iter().flatten());
    Ok(())
}

/// The elements of a list, by their merge key.
struct Elements {
    /// None: removed.
    all: Vec<Option<Value>>,
    indices: BTreeMap<String, Vec<usize>>,
}

impl Elements {
    fn new(list: Vec<Value>, key: &str) -> Self {
        let mut elements = Self { all: Vec::with_capacity(list.len()), indices: BTreeMap::new() };
        for element in list {
            match element.get(key).cloned() {
                Some(value) => elements.push(&value, element),
                None => elements.all.push(Some(element)),
            }
        }
        elements
    }

    fn push(&mut self, key: &Value, element: Value) {
        self.indices.entry(canonical(key)).or_default().push(self.all.len());
        self.all.push(Some(element));
    }

    /// The first element with this key.
    fn first_mut(&mut self, key: &Value) -> Option<&mut Value> {
        self.all[*self.indices.get(&canonical(key))?.first()?].as_mut()
    }

    /// Removes all elements with this key.
    fn remove(&mut self, key: &Value) {
        for index in self.indices.remove(&canonical(key)).unwrap_or_default() {
            self.all[index] = None;
        }
    }
}

/// The orders of the merged lists: as the patch states them, or else the order of its own elements.
fn orders<'a>(
    path: &Path<'_>,
    node: Node<'a>,
    target: &Members,
    change: &'a Members,
) -> Result<Vec<(&'a str, Order<'a>)>> {
    let mut orders = Vec::new();
    for (key, value) in change {
        let path = path.member(key);
        if let Some(key) = key.strip_prefix(ORDER) {
            let Some(stated) = value.as_array() else {
                return Err(at(&path, BAD_ORDER));
            };
            let order = Order::new(node.member(key).patch_rule(), stated, target.get(key));
            order.check(&path, stated, change.get(key))?;
            orders.push((key, order));
            continue;
        }
        let rule = node.member(key).patch_rule();
        let is_merged = rule.strategy == Some(PatchStrategy::Merge);
        if let Some(elements) =
            value.as_array().filter(|_| is_merged && !change.contains_key(&format!("{ORDER}{key}")))
        {
            let mut order = Order::new(rule, elements, target.get(key));
            // An element that is removed and added again is a new one.
            let removed = elements.iter().filter(|element| element.get(DIRECTIVE).is_some());
            removed.for_each(|element| _ = order.before.remove(&id(rule, element)));
            orders.push((key, order));
        }
    }
    Ok(orders)
}

/// The order that a patch gives to the elements of a list.
struct Order<'a> {
    rule: &'a PatchRule,
    ranks: BTreeMap<String, usize>,
    /// The indices that elements had before the patch.
    before: BTreeMap<String, usize>,
}

impl<'a> Order<'a> {
    fn new(rule: &'a PatchRule, elements: &[Value], before: Option<&Value>) -> Self {
        let before = before.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let [ranks, before] = [elements, before].map(|elements| {
            let mut indices = BTreeMap::new();
            for (index, element) in
                elements.iter().filter(|element| element.get(DIRECTIVE).is_none()).enumerate()
            {
                indices.entry(id(rule, element)).or_insert(index);
            }
            indices
        });
        Self { rule, ranks, before }
    }

    fn rank(&self, element: &Value) -> Option<usize> {
        self.ranks.get(&id(self.rule, element)).copied()
    }

    fn index_before(&self, element: &Value) -> Option<usize> {
        self.before.get(&id(self.rule, element)).copied()
    }

    /// Refuses a patch that lists its own elements in another order.
    fn check(&self, path: &Path<'_>, stated: &[Value], elements: Option<&Value>) -> Result {
        let elements = elements.and_then(Value::as_array).into_iter().flatten();
        let set: Vec<_> = elements.filter(|element| element.get(DIRECTIVE).is_none()).collect();
        let ranks: Vec<_> = set.iter().map(|element| self.rank(element)).collect();
        if ranks.iter().all(Option::is_some) && ranks.is_sorted() {
            return Ok(());
        }
        let [set, stated] = [set, stated.iter().collect()].map(shown_list);
        Err(at(
            path,
            format!(
                "The order in patch list:\n{set}\n doesn't match $setElementOrder \
                 list:\n{stated}\n"
            ),
        ))
    }

    /// Sorts the elements. An element without a rank stays in front of the first ranked one that
    /// followed it.
    fn sort(&self, list: &mut Vec<Value>) {
        let (mut ranked, others): (Vec<_>, Vec<_>) =
            std::mem::take(list).into_iter().partition(|element| self.rank(element).is_some());
        ranked.sort_by_cached_key(|element| self.rank(element));
        let mut others =
            others.into_iter().map(|other| (self.index_before(&other), other)).peekable();
        for element in ranked {
            if let Some(index) = self.index_before(&element) {
                while let Some((_, other)) =
                    others.next_if(|(before, _)| before.is_some_and(|before| before < index))
                {
                    list.push(other);
                }
            }
            list.push(element);
        }
        list.extend(others.map(|(_, other)| other));
    }
}

/// The string that identifies an element.
fn id(rule: &PatchRule, element: &Value) -> String {
    match (rule.strategy, &rule.key) {
        (Some(PatchStrategy::Merge), Some(key)) => {
            element.get(key).unwrap_or(&Value::Null).to_string()
        }
        _ => element.to_string(),
    }
}
