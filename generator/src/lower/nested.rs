//! One type for equal nested schemas.
//!
//! Custom resources write every object out where it is used, so that one document has the same
//! schema hundreds of times. Nested schemas of a module that differ only in prose, limits and rules
//! become one type.
//!
//! No name may depend on the other kinds of the crate, so a type that two kinds use cannot have one
//! name for both: a name derived from one of the kinds would disappear with it, and a name without
//! a kind would belong to whichever schema came first. So every named schema names the types below
//! it on its own. Of equal schemas below the same property name, the one with the fewest properties
//! on its path gives the name, then the first in alphabetical order. Where several schemas or
//! several property names lead to one type, it has several names, and all but one of them are
//! re-exports.

use crate::input::Selection;
use crate::model::{
    Alias, Api, Field, Kind, Merge, Module, Presence, Role, Rule, Shape, Type, TypeDef, TypeId,
    Variant, Words,
};
use crate::openapi::resolve::Documents;
use crate::openapi::schema::SchemaId;
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use std::iter;

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
    /// The nested schemas with which alone it shares a type.
    apart: Option<&'a str>,
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
pub(super) fn share(
    schemas: &BTreeMap<TypeId, SchemaId>,
    documents: &Documents,
    selection: &Selection,
    api: &mut Api,
) {
    let mut all = nested(schemas, documents, selection, api);
    // Schemas with smaller ranks name the types.
    all.sort_by(|a, b| a.rank().cmp(&b.rank()));
    let classes = classes(&all, schemas, documents, api);
    let names = names(&classes);
    let shared: Vec<TypeDef> = classes.iter().map(|class| unite(class, api)).collect();
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
    selection: &'a Selection,
    api: &Api,
) -> Vec<Nested<'a>> {
    let nested = schemas
        .iter()
        .filter(|(id, schema)| documents.name(**schema).is_none() && api.get(id).is_some());
    let nested = nested.map(|(type_id, schema)| {
        let pointer = documents.pointer(*schema);
        let label = documents.label(*schema);
        let renamed = selection.renamed(label, None).is_ok_and(|name| name.is_some());
        Nested {
            schema: *schema,
            pointer,
            label,
            document: documents.document(*schema),
            type_id,
            renamed,
            apart: selection.apart(label),
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

/// The types that give up their names, with the type that each is named after. A name that was
/// chosen stays.
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

/// Replaces a class by one type, with all of its names.
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
        let responses =
            operation.responses.values_mut().filter_map(|response| response.ty.as_mut());
        let body = operation.body.as_mut().map(|body| &mut body.ty);
        responses.chain(body).filter_map(Type::named_mut).for_each(update);
    }
}

/// Nested schemas that are the same, two or more in each class, in the order of their ranks.
type Classes<'a> = Vec<Vec<&'a Nested<'a>>>;

/// The form of a type: all but prose, limits and rules. Types of the same form are one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Form<'a> {
    module: &'a str,
    apart: Option<&'a str>,
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
    nullable: bool,
    merge: &'a Merge,
    deprecated: bool,
}

/// Finds the classes, given nested schemas in the order of their ranks.
fn classes<'a>(
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
            let is_inside =
                schemas.get(id).is_some_and(|schema| stands_in(documents, *schema, nested));
            is_inside.then(|| class_of.get(id).copied()).flatten()
        };
        let form = form(nested, def, &inside);
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

fn form<'a>(
    nested: &Nested<'a>,
    def: &'a TypeDef,
    class: &impl Fn(&TypeId) -> Option<usize>,
) -> Form<'a> {
    let (fields, variants): (&[Field], &[Variant]) = match &def.shape {
        Shape::Struct(fields) => (fields, &[]),
        Shape::Enum(variants) => (&[], variants),
    };
    let mut members: Vec<Member<'_>> = fields.iter().map(|field| member(field, class)).collect();
    members.sort_by_key(|member| member.wire);
    Form {
        module: &nested.type_id.module,
        apart: nested.apart,
        deprecated: def.deprecated,
        kind: def.kind.as_ref(),
        members,
        variants,
    }
}

/// A member by its form: the number of a class, in no module, represents its type.
fn member<'a>(field: &'a Field, class: &impl Fn(&TypeId) -> Option<usize>) -> Member<'a> {
    let Field { wire, name, presence, nullable, merge, deprecated, .. } = field;
    let mut ty = field.ty.clone();
    if let Some(id) = ty.named_mut()
        && let Some(class) = class(id)
    {
        *id = TypeId::own("", class.to_string());
    }
    let (presence, nullable, deprecated) = (*presence, *nullable, *deprecated);
    Member { wire, name, ty, presence, nullable, merge, deprecated }
}

/// The label of a nested schema, and a field of its type.
type SchemaField<'a> = (&'a str, &'a Field);

/// The type of a class: the first schema's, with the descriptions and rules of the others.
///
/// Fields have descriptions of their own, so the type itself is described only where all schemas
/// that are described agree.
fn unite(class: &[&Nested<'_>], api: &Api) -> TypeDef {
    let defs: Vec<&TypeDef> = class.iter().filter_map(|nested| api.get(nested.type_id)).collect();
    let mut fields: BTreeMap<&str, Vec<SchemaField<'_>>> = BTreeMap::new();
    for def in &defs {
        for field in def.fields() {
            fields.entry(&field.wire).or_default().push((&def.schema, field));
        }
    }
    let mut united = defs[0].clone();
    let descriptions: BTreeSet<&str> =
        defs.iter().filter_map(|def| def.description.as_deref()).collect();
    united.description =
        descriptions.first().filter(|_| descriptions.len() == 1).map(|only| (*only).to_owned());
    united.copies = defs.len() - 1;
    for field in united.fields_mut() {
        let all = &fields[field.wire.as_str()];
        field.description = description(all);
        field.rules = rules(all);
    }
    united
}

/// The maximum number of descriptions of a field. More would not be read.
const MOST_DESCRIPTIONS: usize = 4;

/// The first description, and others with the schema that has them.
fn description(fields: &[SchemaField<'_>]) -> Option<String> {
    let described =
        fields.iter().filter_map(|(schema, field)| Some((*schema, field.description.as_deref()?)));
    let holders = holders(described);
    let first = (*holders.first()?.0).to_owned();
    let others = holders.iter().take(MOST_DESCRIPTIONS).skip(1);
    let others = others.map(|(text, schemas)| format!("{}: {text}", attribution(schemas)));
    let left_out = holders.len().saturating_sub(MOST_DESCRIPTIONS);
    let left_out =
        (left_out > 0).then(|| format!("Descriptions in other schemas: {left_out} more."));
    Some(iter::once(first).chain(others).chain(left_out).collect::<Vec<_>>().join("\n\n"))
}

/// The rules that all schemas have, and the rules of some schemas, which are named.
fn rules(fields: &[SchemaField<'_>]) -> Vec<Rule> {
    let rules =
        fields.iter().flat_map(|(schema, field)| field.rules.iter().map(|rule| (*schema, rule)));
    let mut all = Vec::new();
    for (rule, schemas) in holders(rules) {
        let mut words = Rule::new();
        if schemas.len() < fields.len() {
            words.push(Words::Prose(format!("{}: ", attribution(&schemas))));
        }
        words.extend(rule.iter().cloned());
        all.push(words);
    }
    all
}

/// The schemas that have something, for each of them, in the order in which they come.
fn holders<'a, T: Eq + Hash>(all: impl Iterator<Item = (&'a str, T)>) -> IndexMap<T, Vec<&'a str>> {
    let mut holders: IndexMap<T, Vec<&str>> = IndexMap::new();
    for (schema, one) in all {
        let schemas = holders.entry(one).or_default();
        // A schema may have the same value twice.
        if schemas.last() != Some(&schema) {
            schemas.push(schema);
        }
    }
    holders
}

/// ``In `a` and 2 other schemas``: where something holds.
fn attribution(schemas: &[&str]) -> String {
    let first = schemas.first().copied().unwrap_or_default();
    match schemas.len() {
        1 => format!("In `{first}`"),
        2 => format!("In `{first}` and one other schema"),
        many => format!("In `{first}` and {} other schemas", many - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::{description, rules};
    use crate::model::{Field, Merge, Presence, Type, Words};

    fn field(description: Option<&str>, rules: &[&str]) -> Field {
        Field {
            wire: "a".to_owned(),
            name: "a".to_owned(),
            description: description.map(str::to_owned),
            rules: rules.iter().map(|rule| vec![Words::Code((*rule).to_owned())]).collect(),
            deprecated: false,
            ty: Type::String,
            presence: Presence::Optional,
            nullable: false,
            merge: Merge::default(),
        }
    }

    #[test]
    fn descriptions_are_those_of_the_schemas_that_have_one() {
        let described = |all: &[Option<&str>]| {
            let fields: Vec<Field> = all.iter().map(|text| field(*text, &[])).collect();
            description(
                &["A", "B", "C", "D", "E", "F"].into_iter().zip(&fields).collect::<Vec<_>>(),
            )
        };
        assert_eq!(described(&[None, None]), None);
        assert_eq!(described(&[None, Some("x"), Some("x")]).as_deref(), Some("x"));
        let two = described(&[Some("x"), Some("y"), Some("y"), None]);
        assert_eq!(two.as_deref(), Some("x\n\nIn `B` and one other schema: y"));
        let many =
            described(&["u", "v", "w", "x", "y", "z"].map(Some)).expect("there are descriptions");
        assert!(many.ends_with("In `D`: x\n\nDescriptions in other schemas: 2 more."), "{many}");
    }

    #[test]
    fn rules_of_some_schemas_name_them() {
        let fields = [field(None, &["x", "x", "y"]), field(None, &["x"]), field(None, &["z", "x"])];
        let all = rules(&["A", "B", "C"].into_iter().zip(&fields).collect::<Vec<_>>());
        let prose = |words: &str| Words::Prose(words.to_owned());
        let code = |words: &str| Words::Code(words.to_owned());
        let expected = [
            vec![code("x")],
            vec![prose("In `A`: "), code("y")],
            vec![prose("In `C`: "), code("z")],
        ];
        assert_eq!(all, expected);
    }
}
