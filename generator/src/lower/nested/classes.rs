//! Classes of nested schemas that are the same.

use super::Nested;
use crate::model::{Api, Field, Kind, Merge, Presence, Shape, Type, TypeDef, TypeId, Variant};
use crate::openapi::resolve::Documents;
use crate::openapi::schema::SchemaId;
use std::collections::BTreeMap;

/// Nested schemas that are the same, two or more in each class, in the order of their ranks.
pub(super) type Classes<'a> = Vec<Vec<&'a Nested<'a>>>;

/// The form of a type: all but prose, limits and rules. Types of the same form are one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Form<'a> {
    module: &'a str,
    deprecated: bool,
    kind: Option<&'a Kind>,
    /// By their names in JSON: servers do not mind the order.
    members: Vec<Member<'a>>,
    variants: &'a [Variant],
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Member<'a> {
    wire: &'a str,
    name: &'a str,
    ty: Type,
    presence: Presence,
    merge: &'a Merge,
    deprecated: bool,
}

/// Finds the classes, given nested schemas in the order of their ranks.
pub(super) fn of<'a>(
    all: &'a [Nested<'a>],
    schemas: &BTreeMap<TypeId, SchemaId>,
    documents: &Documents,
    api: &Api,
) -> Classes<'a> {
    // A schema has a longer pointer than the one that contains it, so the inner ones come first.
    let mut inner_first: Vec<usize> = (0..all.len()).collect();
    inner_first.sort_by_key(|index| std::cmp::Reverse(all[*index].pointer.len()));
    let mut forms = BTreeMap::new();
    let mut class_of = BTreeMap::new();
    for index in inner_first {
        let nested = &all[index];
        let Some(def) = api.get(nested.type_id) else { continue };
        let inside = |id: &TypeId| {
            let is_inside = schemas.get(id).is_some_and(|schema| stands_in(documents, *schema, nested));
            is_inside.then(|| class_of.get(id).copied()).flatten()
        };
        let form = form(nested.type_id, def, &inside);
        let next = forms.len();
        class_of.insert(nested.type_id, *forms.entry(form).or_insert(next));
    }
    let mut classes = vec![Vec::new(); forms.len()];
    for nested in all {
        classes[class_of[nested.type_id]].push(nested);
    }
    classes.retain(|class| class.len() > 1);
    classes
}

fn stands_in(documents: &Documents, inner: SchemaId, outer: &Nested<'_>) -> bool {
    let rest = documents.pointer(inner).strip_prefix(outer.pointer);
    documents.document(inner) == outer.document && rest.is_some_and(|rest| rest.starts_with('/'))
}

fn form<'a>(id: &'a TypeId, def: &'a TypeDef, class: &impl Fn(&TypeId) -> Option<usize>) -> Form<'a> {
    let (fields, variants): (&[Field], &[Variant]) = match &def.shape {
        Shape::Struct(fields) => (fields, &[]),
        Shape::Enum(variants) => (&[], variants),
    };
    let mut members: Vec<Member<'_>> = fields.iter().map(|field| member(field, class)).collect();
    members.sort_by_key(|member| member.wire);
    Form { module: &id.module, deprecated: def.deprecated, kind: def.kind.as_ref(), members, variants }
}

/// A member by its form: the number of a class, in no module, represents its type.
fn member<'a>(field: &'a Field, class: &impl Fn(&TypeId) -> Option<usize>) -> Member<'a> {
    let Field { wire, name, presence, merge, deprecated, .. } = field;
    let mut ty = field.ty.clone();
    if let Some(id) = ty.named_mut()
        && let Some(class) = class(id)
    {
        *id = TypeId::own("", class.to_string());
    }
    Member { wire, name, ty, presence: *presence, merge, deprecated: *deprecated }
}
