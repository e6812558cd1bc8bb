//! Equal nested schemas become one type, and its name depends on no other kind or version.

use kapigen::Sources;
use kapigen::input::Source;
use kapigen::model::{Api, Field, Module, Presence, Shape, Type, TypeDef, TypeId};
use kapigen_tests::places;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Kinds by the names of their schemas.
type Kinds = BTreeMap<String, Value>;

/// The schema of each name.
type Names = BTreeMap<String, String>;

#[test]
fn names_do_not_depend_on_other_kinds() {
    for_kinds(|kinds| {
        let all = model(kinds);
        for left_out in kinds.keys() {
            let mut rest = kinds.clone();
            rest.remove(left_out);
            let fewer = model(&rest);
            for kind in rest.keys() {
                let all = names(&all, kind);
                let fewer = names(&fewer, kind);
                prop_assert_eq!(all, fewer, "{} without {}", kind, left_out);
            }
        }
        Ok(())
    });
}

#[test]
fn no_two_types_of_nested_schemas_are_the_same() {
    for_kinds(|kinds| {
        let api = model(kinds);
        let mut forms: BTreeMap<(String, String), &TypeDef> = BTreeMap::new();
        for (id, def) in api.types().filter(|(_, def)| def.schema.contains('/')) {
            let form = form(&api, &Type::Named(id.clone())).to_string();
            // In one module, and below one kind in all versions.
            let kind = def.schema.split('/').next().and_then(|name| name.rsplit('.').next());
            for place in [id.module.as_str(), kind.unwrap_or_default()] {
                let other = forms.insert((form.clone(), place.to_owned()), def);
                prop_assert!(other.is_none(), "{:?} and {id}: {def:?}", other.unwrap());
            }
        }
        Ok(())
    });
}

#[test]
fn types_have_what_every_one_of_their_schemas_has() {
    for_kinds(|kinds| {
        let api = model(kinds);
        for (kind, schema) in kinds {
            let id =
                api.types().find(|(_, def)| def.schema == *kind).expect("each kind has a type").0;
            prop_assert_eq!(form(&api, &Type::Named(id)), expected(schema));
            for (name, nested) in names(&api, kind) {
                let (module, name) =
                    name.split_once("::").expect("a name stands behind its module");
                let id = TypeId::own(module, name);
                let schema = schema
                    .pointer(&nested[kind.len()..])
                    .expect("a nested schema stands at its pointer");
                prop_assert_eq!(form(&api, &Type::Named(id)), expected(schema), "{}", nested);
            }
        }
        Ok(())
    });
}

/// Custom resources of a real operator, each kind alone and all together.
#[test]
fn names_of_real_kinds_do_not_depend_on_each_other() {
    let folder = places::data("crds/argo-cd");
    let mut compared = 0;
    for path in places::files(&folder, &["json"]) {
        let name = places::relative(&path, &folder);
        let document = Source::new(&name, places::text(&path));
        let all = select_types(&document, None);
        let kinds =
            all.types().filter(|(_, def)| def.kind.is_some() && !def.schema.contains("meta.v1"));
        for schema in kinds.map(|(_, def)| &def.schema).collect::<BTreeSet<_>>() {
            let alone = select_types(&document, Some(schema));
            assert_eq!(names(&all, schema), names(&alone, schema), "{schema}");
            compared += 1;
        }
    }
    assert_eq!(compared, 6, "three kinds and their lists");
}

/// Tries a property with random kinds, the same ones in every run.
fn for_kinds(property: impl Fn(&Kinds) -> Result<(), TestCaseError>) {
    let config = Config { cases: 32, ..Config::default() };
    let mut runner = TestRunner::new(config);
    let kind = || {
        btree_map(property_name(), schema(), 1..4).prop_map(|properties| object(&properties, true))
    };
    let kinds = vec(kind(), 2..5).prop_map(|kinds| {
        let names = ["v1.Red", "v1.Green", "v1beta1.Red", "v1beta1.Blue"];
        let names = names.map(|name| format!("com.example.{name}"));
        names.into_iter().zip(kinds).collect::<Kinds>()
    });
    runner.run(&kinds, |kinds| property(&kinds)).unwrap_or_else(|error| panic!("{error}"));
}

/// Few and short, so that many nested schemas are the same, and so that no two paths make the same
/// name.
fn property_name() -> impl Strategy<Value = String> {
    select(vec!["a", "b", "c"]).prop_map(str::to_owned)
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = select(vec![
        json!({"type": "string"}),
        json!({"type": "string", "description": "A string.", "maxLength": 9}),
        json!({"type": "boolean"}),
        json!({"type": "string", "enum": ["x", "y"]}),
        json!({"type": "string", "enum": ["x", "y"], "description": "An enum."}),
    ]);
    leaf.prop_recursive(4, 24, 3, |inner| {
        let properties = btree_map(property_name(), inner.clone(), 1..3);
        prop_oneof![
            4 => (properties, any::<bool>()).prop_map(|(properties, required)| object(&properties, required)),
            1 => inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            1 => inner.prop_map(|values| json!({"type": "object", "additionalProperties": values})),
        ]
    })
}

/// An object with only required or only optional members.
fn object(properties: &BTreeMap<String, Value>, required: bool) -> Value {
    let required: Vec<&String> = properties.keys().filter(|_| required).collect();
    json!({"type": "object", "required": required, "properties": properties})
}

fn model(kinds: &Kinds) -> Api {
    let document = json!({
        "openapi": "3.0.0", "info": {"title": "nested", "version": "v1"}, "paths": {}, "components": {"schemas": kinds}
    });
    let groups = json!({"groups": [], "types": kinds.keys().collect::<Vec<_>>()});
    let sources = Sources {
        documents: vec![Source::new("example.json", document.to_string())],
        groups: Some(Source::new("groups.yaml", groups.to_string())),
        ..Sources::default()
    };
    kapigen::model(&sources).unwrap_or_else(|errors| panic!("{errors}")).api
}

/// The model of one schema of a document with what it needs, or else of all resources.
fn select_types(document: &Source, schema: Option<&String>) -> Api {
    let groups = schema.map(|schema| json!({"groups": [], "types": [schema]}));
    let sources = Sources {
        documents: vec![document.clone()],
        groups: groups.map(|groups| Source::new("groups.yaml", groups.to_string())),
        ..Sources::default()
    };
    kapigen::model(&sources).unwrap_or_else(|errors| panic!("{errors}")).api
}

/// The names of the types below a kind, including aliases.
fn names(api: &Api, kind: &str) -> Names {
    let nested = format!("{kind}/");
    let of_kind = |(module, content): (&String, &'_ Module)| {
        let names = content.names().filter(|(_, schema)| schema.starts_with(&nested));
        names
            .map(|(name, schema)| (format!("{module}::{name}"), schema.to_owned()))
            .collect::<Vec<_>>()
    };
    api.modules.iter().flat_map(of_kind).collect()
}

/// A type with everything in it, in the form of `expected`.
fn form(api: &Api, ty: &Type) -> Value {
    let held = |kind: &str, inner: &Type| json!({kind: form(api, inner)});
    let id = match ty {
        Type::List(inner) => return held("list", inner),
        Type::Map(inner) => return held("map", inner),
        Type::Nullable(inner) => return held("nullable", inner),
        Type::Named(id) => id,
        other => return json!(format!("{other:?}")),
    };
    match &api.get(id).expect("a field holds a type of the model").shape {
        Shape::Enum(variants) => variants.iter().map(|variant| variant.wire.clone()).collect(),
        Shape::Struct(fields) => {
            let field = |field: &Field| {
                let required = field.presence == Presence::Required;
                (field.wire.clone(), json!([required, form(api, &field.ty)]))
            };
            Value::Object(fields.iter().map(field).collect::<Map<_, _>>())
        }
    }
}

/// The form of a random schema, read without the generator's code.
fn expected(schema: &Value) -> Value {
    match (schema["type"].as_str(), &schema["properties"], &schema["additionalProperties"]) {
        (Some("string"), ..) if schema["enum"].is_array() => schema["enum"].clone(),
        (Some("string"), ..) => json!("String"),
        (Some("boolean"), ..) => json!("Bool"),
        (Some("array"), ..) => json!({"list": expected(&schema["items"])}),
        (_, Value::Object(properties), _) => {
            let is_required = |key: &String| {
                schema["required"].as_array().is_some_and(|all| all.contains(&json!(key)))
            };
            let member = |(key, inner): (&String, &Value)| {
                (key.clone(), json!([is_required(key), expected(inner)]))
            };
            Value::Object(properties.iter().map(member).collect())
        }
        (_, _, values) => json!({"map": expected(values)}),
    }
}
