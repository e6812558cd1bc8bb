//! Indexes: values that are computed from each object.

use super::state::Values;
use crate::codec::path::{PathStep, parse_path};
use crate::codec::presence::visit_encoded;
use crate::codec::{self, Value, View, json};
use crate::mask::{FieldMask, MaskError, Masked, Observed};
use std::any::Any;
use std::fmt;
use std::marker::PhantomData;

/// Finds objects by values that are computed from them, such as the node of a pod.
pub struct Index<T> {
    pub(super) name: &'static str,
    pub(super) values: Values,
    object: PhantomData<fn() -> T>,
}

impl<T: Send + Sync + 'static> Index<T> {
    /// An index with a name, and the function that computes the values of an object in it: none,
    /// one, or several. The function must not use the store, which is locked while it runs.
    pub fn new(
        name: &'static str,
        values: impl Fn(&T) -> Vec<String> + Send + Sync + 'static,
    ) -> Self {
        let values = move |object: &dyn Any| object.downcast_ref().map(&values).unwrap_or_default();
        Self { name, values: Values::Computed(Box::new(values)), object: PhantomData }
    }
}

impl<T: codec::Object + Value + Send + Sync + 'static> Index<T> {
    /// An index by the values at a path, such as `spec.nodeName` or `metadata.ownerReferences.uid`.
    /// A path leads through all elements of a list; `["key"]` is an entry of a map. Numbers and
    /// booleans are indexed by their JSON; absent values and objects are not indexed. Objects that
    /// are decoded by a mask have [`by_masked_path`](Index::by_masked_path).
    ///
    /// ```
    /// use kapigen_runtime::meta_v1::PartialObjectMetadata as Thing;
    /// use kapigen_runtime::store::Index;
    ///
    /// assert!(Index::<Thing>::by_path("app", r#"metadata.labels["app.kubernetes.io/name"]"#).is_ok());
    /// assert!(Index::<Thing>::by_path("app", "metadata.label").unwrap_err().to_string().contains("metadata.labels"));
    /// ```
    ///
    /// # Errors
    /// When the path does not resolve. The error names the form to use.
    pub fn by_path(name: &'static str, path: &str) -> Result<Self, MaskError> {
        FieldMask::<T>::only([path])?;
        Ok(Self::at(name, path))
    }
}

impl<T: codec::Object + Value + Send + Sync + 'static> Index<Masked<T>> {
    /// As [`by_path`](Index::by_path), of objects that are decoded by a mask.
    ///
    /// ```
    /// use kapigen_runtime::FieldMask;
    /// use kapigen_runtime::meta_v1::PartialObjectMetadata as Thing;
    /// use kapigen_runtime::store::Index;
    ///
    /// let mask = FieldMask::<Thing>::only(["metadata.labels"])?;
    /// assert!(Index::by_masked_path("app", "metadata.labels.app", &mask).is_ok());
    /// assert!(Index::by_masked_path("owner", "metadata.ownerReferences.uid", &mask).is_err());
    /// # Ok::<(), kapigen_runtime::mask::MaskError>(())
    /// ```
    ///
    /// # Errors
    /// When the path does not resolve, or the mask leaves out its target: the index would be empty.
    pub fn by_masked_path(
        name: &'static str,
        path: &str,
        mask: &FieldMask<T>,
    ) -> Result<Self, MaskError> {
        mask.check_has(path)?;
        Ok(Self::at(name, path))
    }
}

impl<T: Observed + Send + Sync + 'static> Index<T> {
    /// An index by a path that was checked.
    fn at(name: &'static str, path: &str) -> Self {
        let steps = parse_path(path).unwrap_or_default();
        let steps: Vec<String> = steps
            .into_iter()
            .filter_map(|step| match step {
                PathStep::Name(name) => Some(name.to_owned()),
                PathStep::Key(key) => Some(key.into_owned()),
                PathStep::Index(_) | PathStep::Each => None,
            })
            .collect();
        Self::new(name, move |object: &T| {
            let mut values = Vec::new();
            values_at(&View::Object(object.object()), &steps, &mut values);
            values
        })
    }
}

/// The scalars at a path, as strings.
fn values_at(view: &View<'_>, steps: &[String], values: &mut Vec<String>) {
    match (view, steps) {
        (View::List(list), _) => {
            (0..list.count()).for_each(|index| values_at(&list.element(index), steps, values));
        }
        (View::Object(object), [step, rest @ ..]) => visit_encoded(*object, &mut |name, view| {
            if name == step {
                values_at(&view, rest, values);
            }
        }),
        (View::Map(map), [step, rest @ ..]) => map.visit_entries(&mut |key, view| {
            if key == step {
                values_at(&view, rest, values);
            }
        }),
        (View::Raw(_) | View::BySerde(_), _) => {
            let text = view.free_json().unwrap_or_default();
            values_of_json(&serde_json::from_str(&text).unwrap_or_default(), steps, values);
        }
        (View::Object(_) | View::Map(_) | View::Unknown(_) | View::Absent | View::Null, _)
        | (_, [_, ..]) => {}
        (scalar, []) => values_of_json(
            &serde_json::from_slice(&json::write(scalar)).unwrap_or_default(),
            &[],
            values,
        ),
    }
}

/// [`values_at`] of free JSON.
fn values_of_json(value: &serde_json::Value, steps: &[String], values: &mut Vec<String>) {
    match (value, steps) {
        (serde_json::Value::Array(elements), _) => {
            for element in elements {
                values_of_json(element, steps, values);
            }
        }
        (serde_json::Value::Object(members), [step, rest @ ..]) => {
            members.get(step).into_iter().for_each(|member| values_of_json(member, rest, values));
        }
        (serde_json::Value::String(text), []) => values.push(text.clone()),
        (serde_json::Value::Number(_) | serde_json::Value::Bool(_), []) => {
            values.push(value.to_string());
        }
        _ => {}
    }
}

impl<T> fmt::Debug for Index<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Index").field(&self.name).finish()
    }
}
