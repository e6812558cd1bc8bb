//! One type for nested schemas that are the same.
//!
//! Custom resources write every object out where it is used, so that one document has the same schema hundreds of
//! times. Nested schemas of a module that differ in nothing but prose, limits and rules become one type.
//!
//! No name may depend on which other kinds the crate has, so a type that two kinds use cannot have one name for both:
//! that of either would go with its kind, and one without a kind would belong to whichever schema came first. So every
//! schema with a name of its own names the types below it by itself: of the same schemas below the same property name,
//! the one with the fewest properties on its path, then the first in alphabetical order. Where several schemas or
//! several property names lead to one type, it has several names, and all but one of them are re-exports.

mod classes;
mod prose;

use crate::input::Selection;
use crate::model::{Alias, Api, Kind, Module, Role, Type, TypeDef, TypeId};
use crate::openapi::resolve::Documents;
use crate::openapi::schema::SchemaId;
use classes::Classes;
use std::collections::BTreeMap;

/// A nested schema that has become a type.
#[derive(Debug)]
struct Nested<'a> {
    schema: SchemaId,
    pointer: &'a str,
    label: &'a str,
    document: usize,
    type_id: &'a TypeId,
    /// Whether the selection gives it its name.
    renamed: bool,
    path: Path<'a>,
}

/// The way to a nested schema.
#[derive(Debug, PartialEq, Eq)]
struct Path<'a> {
    /// Pointer of the schema with a name, or of the request or response, that it is a part of.
    owner: &'a str,
    /// The number of properties on the way from there.
    depth: usize,
    /// The last of them.
    property: Option<&'a str>,
}

/// Makes one type of each class of nested schemas that are the same.
pub(super) fn share(schemas: &BTreeMap<TypeId, SchemaId>, documents: &Documents, selection: &Selection, api: &mut Api) {
    let mut all = nested(schemas, documents, selection, api);
    // Those with smaller ranks name the types.
    all.sort_by(|a, b| a.rank().cmp(&b.rank()));
    let classes = classes::of(&all, schemas, documents, api);
    let names = names(&classes);
    let shared: Vec<TypeDef> = classes.iter().map(|class| prose::unite(class, api)).collect();
    for (class, def) in classes.iter().zip(shared) {
        replace(class, def, &names, api);
    }
    for module in api.modules.values_mut() {
        rename(module, &names);
    }
}

impl<'a> Nested<'a> {
    fn rank(&self) -> (bool, usize, &'a str, SchemaId) {
        (!self.renamed, self.path.depth, self.pointer, self.schema)
    }
}

fn nested<'a>(
    schemas: &'a BTreeMap<TypeId, SchemaId>,
    documents: &'a Documents,
    selection: &Selection,
    api: &Api,
) -> Vec<Nested<'a>> {
    let nested = schemas.iter().filter(|(id, schema)| documents.name(**schema).is_none() && api.get(id).is_some());
    let nested = nested.map(|(type_id, schema)| {
        let (pointer, label) = (documents.pointer(*schema), documents.label(*schema));
        let renamed = selection.renamed(label, None).is_ok_and(|name| name.is_some());
        Nested {
            schema: *schema,
            pointer,
            label,
            document: documents.document(*schema),
            type_id,
            renamed,
            path: path(pointer),
        }
    });
    nested.collect()
}

fn path(pointer: &str) -> Path<'_> {
    let owner = owner(pointer);
    let mut path = Path { owner, depth: 0, property: None };
    let mut steps = pointer[owner.len()..].split('/').skip(1);
    while let Some(step) = steps.next() {
        if step == "properties" {
            path.property = steps.next();
            path.depth += 1;
        }
    }
    path
}

fn owner(pointer: &str) -> &str {
    const NAMED: &str = "/components/schemas/";
    const UNNAMED: &str = "/schema";
    let end = match pointer.strip_prefix(NAMED) {
        Some(rest) => rest.find('/').map(|at| NAMED.len() + at),
        None => pointer.find(&format!("{UNNAMED}/")).map(|at| at + UNNAMED.len()),
    };
    &pointer[..end.unwrap_or(pointer.len())]
}

/// The names of the types whose names are not their own any more. A name that was chosen stays.
fn names(classes: &Classes<'_>) -> BTreeMap<TypeId, TypeId> {
    let mut names = BTreeMap::new();
    for class in classes {
        let mut first = BTreeMap::new();
        for nested in class {
            let Path { owner, property, .. } = nested.path;
            let first = first.entry((nested.document, owner, property)).or_insert(nested.type_id);
            if *first != nested.type_id && !nested.renamed {
                names.insert(nested.type_id.clone(), first.clone());
            }
        }
    }
    names
}

/// Puts one type in the place of a class, with all of its names.
fn replace(class: &[&Nested<'_>], def: TypeDef, names: &BTreeMap<TypeId, TypeId>, api: &mut Api) {
    let target = class[0].type_id;
    let Some(module) = api.modules.get_mut(&target.module) else { return };
    for nested in class {
        module.types.remove(&nested.type_id.name);
        if nested.type_id != target && !names.contains_key(nested.type_id) {
            let alias = Alias { target: target.clone(), schema: nested.label.to_owned() };
            module.aliases.insert(nested.type_id.name.clone(), alias);
        }
    }
    module.types.insert(target.name.clone(), def);
}

/// Renames every use of a type.
fn rename(module: &mut Module, names: &BTreeMap<TypeId, TypeId>) {
    let update = |id: &mut TypeId| {
        if let Some(name) = names.get(id) {
            id.clone_from(name);
        }
    };
    for def in module.types.values_mut() {
        if let Some(Kind { role: Role::List { item }, .. }) = &mut def.kind {
            update(item);
        }
        def.fields_mut().iter_mut().filter_map(|field| field.ty.named_mut()).for_each(update);
    }
    for operation in module.resources.values_mut().flat_map(|resource| &mut resource.operations) {
        let responses = operation.responses.values_mut().filter_map(|response| response.ty.as_mut());
        let body = operation.body.as_mut().map(|body| &mut body.ty);
        responses.chain(body).filter_map(Type::named_mut).for_each(update);
    }
}
