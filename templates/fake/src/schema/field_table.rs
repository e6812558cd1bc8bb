//! The fields of a struct.

use super::SchemaId;
use std::collections::BTreeMap;

/// The fields of a struct by name, sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct FieldTable(BTreeMap<String, SchemaId>);

impl FieldTable {
    /// The schema of a field.
    pub(crate) fn get(&self, name: &str) -> Option<&SchemaId> {
        self.0.get(name)
    }

    /// The fields in the order of their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, SchemaId)> {
        self.0.iter().map(|(name, schema)| (name.as_str(), *schema))
    }

    /// The same fields, and these in place of those with their names.
    pub(crate) fn with(&self, more: &[(&str, SchemaId)]) -> Self {
        let own = self.0.clone().into_iter();
        own.chain(more.iter().map(|(name, id)| ((*name).to_owned(), *id))).collect()
    }
}

impl FromIterator<(String, SchemaId)> for FieldTable {
    fn from_iter<I: IntoIterator<Item = (String, SchemaId)>>(fields: I) -> Self {
        Self(fields.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::FieldTable;

    #[test]
    fn fields_are_replaced_by_name() {
        let [one, two, three] = [1, 2, 3].map(super::SchemaId);
        let table: FieldTable = [("b".to_owned(), one), ("a".to_owned(), two)].into_iter().collect();
        let table = table.with(&[("c", three), ("b", three)]);
        let found: Vec<_> = table.iter().collect();
        assert_eq!(found, [("a", two), ("b", three), ("c", three)]);
    }
}
