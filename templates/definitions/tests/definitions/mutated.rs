//! No JSON makes the crate panic.

use super::{definition, schema};
use kapigen_definitions::{Definition, documents, is_definition, manifests, refusals};
use kapigen_yaml::pointer::escape;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

/// Values that stand where others are expected.
fn odd() -> impl Strategy<Value = Value> {
    let object = json!({"type": "object", "properties": {"": {}}});
    let choices = [
        Value::Null,
        json!(true),
        json!(false),
        json!(-1),
        json!(1e300),
        json!(""),
        json!("/~é\u{0}"),
        json!([]),
        json!([null, 1, {}]),
        json!({}),
        json!({"items": {"$ref": "#"}}),
        object,
    ];
    prop::sample::select(choices.to_vec())
}

/// All pointers of a value.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                pointers(value, &format!("{at}/{}", escape(name)), found);
            }
        }
        Value::Array(elements) => {
            for (index, value) in elements.iter().enumerate() {
                pointers(value, &format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
}

/// Replaces, removes, or moves a value.
fn change(manifest: &mut Value, at: Index, from: Index, kind: u8, odd: &Value) {
    let mut all = Vec::new();
    pointers(manifest, "", &mut all);
    let value = match kind {
        0 => odd.clone(),
        _ => manifest.pointer(from.get::<String>(&all)).cloned().unwrap_or_default(),
    };
    let at = at.get::<String>(&all);
    let (parent, name) = at.rsplit_once('/').unwrap_or(("", ""));
    match manifest.pointer_mut(parent) {
        Some(Value::Object(members)) if kind == 2 => _ = members.remove(name),
        _ => {
            if let Some(place) = manifest.pointer_mut(at) {
                *place = value;
            }
        }
    }
}

/// Everything that the crate does with a definition, and what holds for each.
fn check(manifest: &Value) {
    let _ = is_definition(manifest);
    for cause in refusals(manifest) {
        let mut there = cause.pointer.as_str();
        while manifest.pointer(there).is_none() {
            there = there.rsplit_once('/').expect("the whole is there").0;
        }
    }
    let definition = match Definition::read(manifest) {
        Ok(definition) => definition,
        Err(absent) => {
            assert!(
                !absent.is_empty()
                    && absent.iter().all(|absent| manifest.pointer(&absent.pointer).is_some())
            );
            return;
        }
    };
    let _ = (
        definition.short_names().count(),
        definition.categories().count(),
        definition.conversion(),
    );
    let _ =
        (definition.list_kind(), definition.singular(), definition.storage(), definition.name());
    for version in definition.versions() {
        let _ = (definition.warning(version), version.has_status(), version.scale());
        let _ = (version.columns().count(), version.selectable_fields().count());
        assert!(manifest.pointer(version.pointer()).is_some());
        assert_eq!(
            version.schema().is_some(),
            manifest.pointer(&version.schema_pointer()).is_some_and(|it| !it.is_null())
        );
    }
    let definitions = [definition];
    for installed in manifests(&definitions) {
        assert!(Definition::read(&installed).is_ok(), "{installed}");
    }
    for document in documents(&definitions) {
        let mut all = Vec::new();
        pointers(document.value(), "", &mut all);
        for source in all.iter().filter_map(|pointer| document.source(&definitions, pointer)) {
            assert!(manifest.pointer(&source.pointer).is_some(), "{}", source.pointer);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn mutated_definitions_never_panic(
        changes in prop::collection::vec((any::<Index>(), any::<Index>(), 0..3_u8, odd()), 0..4),
    ) {
        let mut manifest = definition(&schema());
        for (at, from, kind, odd) in changes {
            change(&mut manifest, at, from, kind, &odd);
        }
        check(&manifest);
    }
}

#[test]
fn schemas_that_are_nested_too_deep_are_not_structural() {
    let mut schema = json!({"type": "string"});
    for _ in 0..300 {
        schema = json!({"type": "array", "items": schema});
    }
    let manifest = definition(&json!({"type": "object", "properties": {"deep": schema}}));
    check(&manifest);
    let definition = Definition::read(&manifest).unwrap();
    let causes = definition.versions()[0].published().unwrap_err();
    assert_eq!(causes.len(), 1, "{causes:?}");
    assert_eq!(causes[0].message, "Forbidden: schemas may not be nested deeper than 200");
}
