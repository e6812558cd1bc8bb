//! How servers merge the values of a property.

use super::facets::Facets;
use super::types::Types;
use crate::model::Merge;
use crate::openapi::resolve::SchemaId;
use indexmap::IndexMap;
use openapiv3::ReferenceOr;
use serde_json::Value;

/// The most schemas that stand for others on the way to the properties of an element.
const LONGEST_CHAIN: usize = 8;

impl Types<'_> {
    /// The merge rule of a property with this schema.
    pub(super) fn merge(&self, id: &SchemaId) -> Merge {
        let Some(schema) = self.library.schema(id) else { return Merge::default() };
        let extensions = &schema.schema_data.extensions;
        let text = |key: &str| extensions.get(key).and_then(Value::as_str).map(str::to_owned);
        let keys = extensions.get("x-kubernetes-list-map-keys").and_then(Value::as_array);
        let keys: Vec<_> = keys.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
        let default = |key: &String| Some((key.clone(), self.default_in_elements(id, key)?));
        Merge {
            list_type: text("x-kubernetes-list-type"),
            key_defaults: keys.iter().filter_map(default).collect(),
            list_map_keys: keys,
            map_type: text("x-kubernetes-map-type"),
            patch_strategy: text("x-kubernetes-patch-strategy"),
            patch_merge_key: text("x-kubernetes-patch-merge-key"),
        }
    }

    /// The default of a property of a list's elements, as JSON.
    fn default_in_elements(&self, list: &SchemaId, key: &str) -> Option<String> {
        let items = Facets::of(self.library.schema(list)?).items?.clone().unbox();
        let mut element = self.resolved(list, &items)?;
        for _ in 0..LONGEST_CHAIN {
            let facets = Facets::of(self.library.schema(&element)?);
            if let Some(properties) = facets.properties {
                let property = self.resolved(&element, &properties.get(key)?.clone().unbox())?;
                return self.library.schema(&property)?.schema_data.default.as_ref().map(Value::to_string);
            }
            let [only] = facets.all_of else { return None };
            element = self.resolved(&element, only)?;
        }
        None
    }

    /// The target of a reference. One that has none is reported where types are lowered.
    fn resolved(&self, at: &SchemaId, item: &ReferenceOr<openapiv3::Schema>) -> Option<SchemaId> {
        let ReferenceOr::Reference { reference } = item else { return None };
        self.library.resolve(at.document, reference).ok()
    }
}

/// Whether server-side apply replaces every value of a schema as a whole.
pub(super) fn is_atomic(extensions: &IndexMap<String, Value>) -> bool {
    extensions.get("x-kubernetes-map-type").is_some_and(|map_type| map_type == "atomic")
}
