//! One type for equal nested schemas.
//!
//! Custom resources write every object out where it is used, so that one document has the same
//! schema hundreds of times. Nested schemas of a module that differ only in prose, limits and rules
//! become one type. So do those of versions of one definition, so that a conversion from one version
//! to another moves whole values: the type is in the module of the most stable version.
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
    Alias, Api, Field, GroupVersion, Kind, Merge, Module, Presence, Role, Rule, Shape, Type,
    TypeDef, TypeId, Variant, Words,
};
use crate::names;
use crate::openapi::resolve::Documents;
use crate::openapi::schema::SchemaId;
use indexmap::IndexMap;
use kapigen_definitions::version_priority;
use std::cmp::Ordering;
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
    version: &'a str,
    /// The group and the kind of the definition that it is a part of.
    definition: Option<Relation<'a>>,
}

/// A module, or the group and the kind of a definition.
type Relation<'a> = (&'a str, &'a str);

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

/// The nested schemas that have become types.
pub(super) struct Shared {
    /// Each with the one that its type is made of.
    pub(super) types: BTreeMap<String, String>,
    /// Those of definitions that the crate has in several versions.
    pub(super) of_versions: BTreeSet<String>,
}

/// Makes one type of each class of nested schemas that are the same.
pub(super) fn share(
    schemas: &BTreeMap<TypeId, SchemaId>,
    documents: &Documents,
    selection: &Selection,
    api: &mut Api,
) -> Shared {
    let versions: BTreeMap<String, GroupVersion> = api
        .modules
        .iter()
        .map(|(name, module)| (name.clone(), module.group_version.clone()))
        .collect();
    let mut all = nested(schemas, documents, selection, &versions, api);
    all.sort_by(Nested::order);
    let mut classes = classes(&all, schemas, documents, api);
    let types = classes.iter().flat_map(|class| {
        let first = class[0].label;
        class.iter().map(move |nested| (nested.label.to_owned(), first.to_owned()))
    });
    let shared = Shared { types: types.collect(), of_versions: of_versions(&all) };
    classes.retain(|class| class.len() > 1);
    let names = names(&classes);
    let defs: Vec<TypeDef> = classes.iter().map(|class| unite(class, api)).collect();
    for (class, def) in classes.iter().zip(defs) {
        replace(class, def, &names, api);
    }
    for module in api.modules.values_mut() {
        rename(module, &names);
    }
    shared
}

fn of_versions(all: &[Nested<'_>]) -> BTreeSet<String> {
    let mut versions = BTreeMap::<_, BTreeSet<_>>::new();
    for nested in all {
        versions.entry(nested.definition).or_default().insert(nested.version);
    }
    let of_several = all
        .iter()
        .filter(|nested| nested.definition.is_some() && versions[&nested.definition].len() > 1);
    of_several.map(|nested| nested.label.to_owned()).collect()
}

impl<'a> Nested<'a> {
    /// Orders the schemas of a class. The first one names the type: one of the most stable version.
    fn order(&self, other: &Self) -> Ordering {
        let by_version = version_priority(other.version).cmp(&version_priority(self.version));
        by_version.then_with(|| self.rank().cmp(&other.rank()))
    }

    fn rank(&self) -> (bool, usize, &'a str, SchemaId) {
        (!self.renamed, self.path.depth, self.pointer, self.schema)
    }

    /// Its module and its definition: equal schemas that have one of them in common are one type.
    fn relations(&self) -> impl Iterator<Item = Relation<'a>> + use<'a> {
        [(self.type_id.module.as_str(), "")].into_iter().chain(self.definition)
    }
}

fn nested<'a>(
    schemas: &'a BTreeMap<TypeId, SchemaId>,
    documents: &'a Documents,
    selection: &'a Selection,
    versions: &'a BTreeMap<String, GroupVersion>,
    api: &Api,
) -> Vec<Nested<'a>> {
    let nested = schemas
        .iter()
        .filter(|(id, schema)| documents.name(**schema).is_none() && api.get(id).is_some());
    let nested = nested.map(|(type_id, schema)| {
        let pointer = documents.pointer(*schema);
        let label = documents.label(*schema);
        let renamed = selection.renamed(label, None).is_ok_and(|name| name.is_some());
        let path = path(pointer);
        let version = &versions[&type_id.module];
        Nested {
            schema: *schema,
            pointer,
            label,
            document: documents.document(*schema),
            type_id,
            renamed,
            apart: selection.apart(label, &type_id.module),
            definition: definition(path.owner, version),
            path,
            version: &version.version,
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

fn definition<'a>(owner: &'a str, version: &'a GroupVersion) -> Option<Relation<'a>> {
    let name = owner.strip_prefix(NAMED).filter(|_| !version.version.is_empty())?;
    Some((&version.group, names::split_schema(name).1))
}

const NAMED: &str = "/components/schemas/";

fn owner(pointer: &str) -> &str {
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
    for nested in class {
        let Some(module) = api.modules.get_mut(&nested.type_id.module) else { continue };
        module.types.remove(&nested.type_id.name);
        if nested.type_id != target && !names.contains_key(nested.type_id) {
            let alias = Alias { target: target.clone(), schema: nested.label.to_owned() };
            module.aliases.insert(nested.type_id.name.clone(), alias);
        }
    }
    if let Some(module) = api.modules.get_mut(&target.module) {
        module.types.insert(target.name.clone(), def);
    }
}

/// Renames every use of a type.
fn rename(module: &mut Module, names: &BTreeMap<TypeId, TypeId>) {
    for def in module.types.values_mut() {
        if let Some(Kind { role: Role::List { item }, .. }) = &mut def.kind {
            rename_id(item, names);
        }
        for id in def.fields_mut().iter_mut().filter_map(|field| field.ty.named_mut()) {
            rename_id(id, names);
        }
    }
    for operation in module.resources.values_mut().flat_map(|resource| &mut resource.operations) {
        let responses =
            operation.responses.values_mut().filter_map(|response| response.ty.as_mut());
        let body = operation.body.as_mut().map(|body| &mut body.ty);
        for id in responses.chain(body).filter_map(Type::named_mut) {
            rename_id(id, names);
        }
    }
}

fn rename_id(id: &mut TypeId, names: &BTreeMap<TypeId, TypeId>) {
    if let Some(name) = names.get(id) {
        id.clone_from(name);
    }
}

/// Nested schemas that are the same, in their order.
type Classes<'a> = Vec<Vec<&'a Nested<'a>>>;

/// The form of a type: all but prose, limits and rules. Types of the same form are one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Form<'a> {
    apart: Option<&'a str>,
    deprecated: bool,
    kind: Option<&'a Kind>,
    /// By their names in JSON: servers do not mind the order of these, nor of values.
    members: Vec<Member<'a>>,
    variants: BTreeSet<&'a Variant>,
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

/// Finds the classes, given nested schemas in their order.
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
        let form = form(nested, def, &|id| {
            let schema = schemas.get(id)?;
            stands_in(documents, *schema, nested).then(|| class_of.get(id).copied()).flatten()
        });
        let next = forms.len();
        class_of.insert(nested.type_id, *forms.entry(form).or_insert(next));
    }
    let mut classes = vec![Vec::new(); forms.len()];
    for nested in all {
        classes[class_of[nested.type_id]].push(nested);
    }
    classes.into_iter().flat_map(related).collect()
}

/// The parts of a class that become one type each. Schemas of the same form are no more than alike
/// unless they are related, directly or by others.
fn related<'a>(class: Vec<&'a Nested<'a>>) -> Classes<'a> {
    type RelatedSchemas<'a> = (BTreeSet<Relation<'a>>, Vec<&'a Nested<'a>>);
    let mut parts: Vec<RelatedSchemas<'_>> = Vec::new();
    for nested in class {
        let (related, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(relations, _)| {
            nested.relations().any(|relation| relations.contains(&relation))
        });
        let mut related = related.into_iter();
        let mut part = related.next().unwrap_or_default();
        for (relations, members) in related {
            part.0.extend(relations);
            part.1.extend(members);
        }
        part.0.extend(nested.relations());
        part.1.push(nested);
        parts = others;
        parts.push(part);
    }
    let mut parts: Classes<'_> = parts.into_iter().map(|(_, members)| members).collect();
    for members in &mut parts {
        members.sort_by(|one, other| one.order(other));
    }
    parts
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
        apart: nested.apart,
        deprecated: def.deprecated,
        kind: def.kind.as_ref(),
        members,
        variants: variants.iter().collect(),
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

/// The type of a class: the first schema's, with the descriptions of the others of its module, and
/// the rules of all.
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
    let module = &class[0].type_id.module;
    let own = class.iter().take_while(|nested| nested.type_id.module == *module).count();
    let mut united = defs[0].clone();
    let descriptions: BTreeSet<&str> =
        defs[..own].iter().filter_map(|def| def.description.as_deref()).collect();
    united.description =
        descriptions.first().filter(|_| descriptions.len() == 1).map(|only| (*only).to_owned());
    united.copies = defs.len() - 1;
    for field in united.fields_mut() {
        let all = &fields[field.wire.as_str()];
        field.description = description(&all[..own]);
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
