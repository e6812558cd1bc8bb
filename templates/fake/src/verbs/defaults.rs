//! The checks of a definition that need patterns and validation: of patterns and of defaults.

use super::embedded;
#[cfg(feature = "cel")]
use crate::cel;
use crate::object::normalize_numbers;
use crate::schema::{Node, Schema, Subschema, Work, conform, pattern};
use kapigen_definitions::schema_keywords::EMBEDDED;
use kapigen_definitions::{Cause, Checks, Path};
use serde_json::{Value, json};

/// The checks of a definition.
pub(super) struct DefinitionChecks;

impl Checks for DefinitionChecks {
    fn pattern(&self, pattern: &str) -> Option<String> {
        pattern::check(pattern, pattern::MOST_WEIGHT).err()
    }

    fn defaults(&self, schema: &Value, path: &Path<'_>) -> Vec<Cause> {
        let structure = Schema::from_definition(schema);
        #[cfg(feature = "cel")]
        let rules = cel::Schema::of_kind(schema);
        let root = Spot {
            raw: schema,
            node: structure.root(),
            #[cfg(feature = "cel")]
            rules: rules.as_ref(),
        };
        let mut walk = Walk { causes: Vec::new(), work: Work::default() };
        walk.visit(root, *path, Resource { root, steps: Steps::Start, is_in_meta: false });
        walk.causes
    }
}

/// A schema in a definition, in all of its forms.
#[derive(Clone, Copy)]
struct Spot<'a> {
    raw: &'a Value,
    node: Node<'a>,
    #[cfg(feature = "cel")]
    rules: Option<&'a cel::Schema>,
}

/// The resource in which a schema is: the object itself, or an embedded one.
#[derive(Clone, Copy)]
struct Resource<'a, 's> {
    root: Spot<'a>,
    steps: Steps<'s>,
    /// Whether the schema is of its type or its metadata.
    is_in_meta: bool,
}

/// The way from a resource to a schema in it.
#[derive(Clone, Copy)]
enum Steps<'s> {
    Start,
    Member(&'s Steps<'s>, &'s str),
    Element(&'s Steps<'s>),
}

impl Steps<'_> {
    /// The resource that has a value here, and nothing else.
    fn around(&self, value: Value) -> Value {
        match self {
            Self::Start => value,
            Self::Member(before, name) => before.around(json!({*name: value})),
            Self::Element(before) => before.around(json!([value])),
        }
    }
}

struct Walk {
    causes: Vec<Cause>,
    work: Work,
}

impl Walk {
    fn visit(&mut self, at: Spot<'_>, path: Path<'_>, resource: Resource<'_, '_>) {
        let is_root = std::ptr::eq(at.raw, resource.root.raw);
        let is_embedded = at.raw.get(EMBEDDED) == Some(&Value::Bool(true));
        let own = Resource { root: at, steps: Steps::Start, is_in_meta: false };
        let resource = if is_embedded { own } else { resource };
        if let Some(default) = at.raw.get("default").filter(|default| !default.is_null()) {
            let mut default = default.clone();
            normalize_numbers(&mut default);
            self.check(at, &default, path.member("default"), resource);
        }
        if let Some(raw) = at.raw.get("items").filter(|items| items.is_object()) {
            let node = at.node.element();
            #[cfg(feature = "cel")]
            let rules = at.rules.and_then(cel::Schema::items);
            let below = Spot {
                raw,
                node,
                #[cfg(feature = "cel")]
                rules,
            };
            let steps = Steps::Element(&resource.steps);
            self.visit(below, path.member("items"), Resource { steps, ..resource });
        }
        let properties = at.raw.get("properties").and_then(Value::as_object);
        let mut properties: Vec<_> = properties.into_iter().flatten().collect();
        properties.sort_by_key(|(name, _)| *name);
        for (name, raw) in properties {
            let is_meta = ["apiVersion", "kind", "metadata"].contains(&name.as_str());
            #[cfg(feature = "cel")]
            let rules = at.rules.and_then(|rules| rules.property(name));
            let below = Spot {
                raw,
                node: at.node.member(name),
                #[cfg(feature = "cel")]
                rules,
            };
            let below_resource = Resource {
                root: resource.root,
                steps: Steps::Member(&resource.steps, name),
                is_in_meta: resource.is_in_meta || is_meta && (is_root || is_embedded),
            };
            self.visit(below, path.member("properties").key(name), below_resource);
        }
    }

    /// Checks a default: that it has no unknown members, its metadata, and its values.
    fn check(&mut self, at: Spot<'_>, default: &Value, path: Path<'_>, resource: Resource<'_, '_>) {
        let is_in_meta = resource.is_in_meta;
        let mut causes = if is_in_meta {
            let why = in_meta(default, resource).map(|why| {
                let why = format!("must result in valid metadata: {why}");
                Cause::invalid(&path, default, &why)
            });
            why.into_iter().collect()
        } else {
            let mut pruned = default.clone();
            conform::prune(at.node, &mut pruned);
            if pruned != *default {
                let why = "must not have unknown fields";
                self.causes.push(Cause::invalid(&path, default, why));
            }
            match embedded::mistyped(at.node, default) {
                Some(why) => vec![Cause::new("", "FieldValueInvalid", why)],
                None => embedded::causes(at.node, default),
            }
        };
        if causes.is_empty() {
            causes = if is_in_meta {
                self.work.check(&Subschema::read(at.raw), default)
            } else {
                self.work.check(at.node, default)
            };
        }
        #[cfg(feature = "cel")]
        if causes.is_empty()
            && let Some(rules) = at.rules
        {
            causes = cel::validate(rules, default, Some(default)).causes;
            if causes.is_empty() {
                causes = cel::validate(rules, default, None).causes;
            }
        }
        let [start, pointer] = [path.to_string(), path.pointer()];
        for cause in causes {
            let is_own = cause.field.starts_with(&start);
            let cause = if is_own { cause } else { embedded::within(&start, &pointer, cause) };
            self.causes.push(cause);
        }
    }
}

/// The reason for which a resource with this default has no valid metadata.
fn in_meta(default: &Value, resource: Resource<'_, '_>) -> Option<String> {
    let mut object = resource.steps.around(default.clone());
    let members = object.as_object_mut()?;
    for (name, value) in [("kind", "Validation"), ("apiVersion", "validation/v1")] {
        members.entry(name).or_insert_with(|| json!(value));
    }
    if let Some(why) = embedded::mistyped_in(resource.root.node, members, Path::ROOT) {
        return Some(why);
    }
    let causes: Vec<_> =
        embedded::causes_of(members, Path::ROOT).iter().map(ToString::to_string).collect();
    match &causes[..] {
        [] => None,
        [one] => Some(one.clone()),
        all => Some(format!("[{}]", all.join(", "))),
    }
}
