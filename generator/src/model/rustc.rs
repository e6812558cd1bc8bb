//! Limits of rustc, and of the hand-written Rust: types that are too large or too deep, and names
//! that are taken.

use crate::error::{Error, Errors, Location, Position};
use crate::model::wellknown;
use crate::model::{
    Api, Merge, Operation, Presence, Shape, Type, TypeDef, TypeId, Verb, WellKnown,
};
use std::collections::{BTreeMap, BTreeSet};

/// Fields of a struct. `rustc` 1.88 to 1.95 overflows its stack in the derived `PartialEq` of
/// 6,000; 5,000 are fine.
const MOST_FIELDS: usize = 3000;

/// Values of an enum: each is a variant with documentation and an arm of two matches, and 50,000
/// take half a minute to emit.
const MOST_VALUES: usize = 3000;

/// Layers of types in each other, as [`weight`] counts them. `rustc` has a recursion limit of 128
/// for the drop check and for the last field of a struct, and programs wrap types of their own
/// around the crate's. To find out whether a type is `Send` takes more: a program that requires it
/// of more than 26 optional lists in each other raises its own `recursion_limit`, as rustc advises.
const MOST_LAYERS: usize = 100;

/// Layers beyond which `rustc` may not find out with its recursion limit of 128 whether a type is
/// `Sync`, as kinds must be: a list takes five steps, a map nine.
const MOST_LAYERS_OF_SYNC: usize = 40;

/// The depth at which types are still cut, as a multiple of the depth that rustc takes.
const DEEPEST_CUT: usize = 10;

/// The number of fields that are made free JSON because types are nested too deep.
const MOST_CUTS: usize = 100;

const FREE: &str = "let it be free JSON, or an object that it holds \
                    (`x-kubernetes-preserve-unknown-fields: true`), or leave out what needs it";

/// Reports types and operations that would not compile.
pub fn check(api: &Api, errors: &mut Errors) {
    for (id, def) in api.types() {
        check_type(&id, def, errors);
    }
    check_layers(api, errors);
    let resources = api.modules.values().flat_map(|module| module.resources.values());
    for operation in resources.flat_map(|resource| &resource.operations) {
        check_operation(api, operation, errors);
    }
}

fn check_type(id: &TypeId, def: &TypeDef, errors: &mut Errors) {
    let fields = def.fields().len();
    if fields > MOST_FIELDS {
        let message = format!("`{id}` would have {fields} fields; rustc accepts {MOST_FIELDS}");
        errors.push(Error::at(def.location.clone(), message).help(FREE));
    }
    if let Shape::Enum(variants) = &def.shape
        && variants.len() > MOST_VALUES
    {
        let message =
            format!("`{id}` would have {} variants; kapigen accepts {MOST_VALUES}", variants.len());
        let help = "leave out its `enum`: then it is a string";
        errors.push(Error::at(def.location.clone(), message).help(help));
    }
    // The module of the shared types also has the hand-written ones, which hide others.
    if id.module == wellknown::META && WellKnown::by_name(&id.name).is_some() {
        let message = format!("`{id}` is a hand-written type, and not the one of this schema");
        let help = format!("rename it in groups.yaml: `rename: {{ \"{}\": Name }}`", def.schema);
        errors.push(Error::at(def.location.clone(), message).help(help));
    }
}

fn check_operation(api: &Api, operation: &Operation, errors: &mut Errors) {
    let function = format!("{} {}", operation.method, operation.path);
    let params = operation.query_params.len().max(operation.path_params.len());
    if params > MOST_FIELDS {
        let message = format!("an operation with {params} parameters; rustc accepts {MOST_FIELDS}");
        errors.push(
            Error::at(operation.location.clone(), message)
                .needed_by(&function)
                .help("leave some of them out"),
        );
    }
    let Some(body) = operation.body.as_ref().filter(|_| is_delete(operation.verb)) else { return };
    let is_struct = match &body.ty {
        Type::Named(id) => api.get(id).is_none_or(|def| matches!(def.shape, Shape::Struct(_))),
        _ => false,
    };
    if !is_struct {
        let message = "the body of a delete is not an object with `properties`";
        let help = "a server with a body ignores the query, so options that both may have must be \
                    known: let it refer to `DeleteOptions` with its `properties`, or leave out \
                    the body";
        errors
            .push(Error::at(body_of(&operation.location), message).needed_by(&function).help(help));
    }
}

fn is_delete(verb: Verb) -> bool {
    matches!(verb, Verb::Delete | Verb::DeleteCollection)
}

fn body_of(operation: &Location) -> Location {
    match &operation.position {
        Position::Pointer(pointer) => {
            Location::pointer(&operation.document, format!("{pointer}/requestBody"))
        }
        _ => operation.clone(),
    }
}

/// Whether the crate must raise the recursion limit of rustc.
#[must_use]
pub fn is_deep(api: &Api) -> bool {
    layers(api).values().any(|layers| *layers > MOST_LAYERS_OF_SYNC)
}

/// Makes fields free JSON where types are nested deeper than rustc accepts, and returns the places
/// of the fields. Types that would be cut in many places stay, and are reported.
pub fn cut_layers(api: &mut Api) -> Vec<(TypeId, String, Location)> {
    let mut cut = Vec::new();
    if deepest(&layers(api)).is_some_and(|(_, layers)| layers > MOST_LAYERS * DEEPEST_CUT) {
        return cut;
    }
    while let Some((id, field)) = too_deep(api).filter(|_| cut.len() < MOST_CUTS) {
        let module = api.modules.get_mut(&id.module);
        let Some(def) = module.and_then(|module| module.types.get_mut(&id.name)) else { break };
        let location = def.location.clone();
        let Shape::Struct(fields) = &mut def.shape else { break };
        let field = &mut fields[field];
        field.ty = Type::WellKnown(WellKnown::RawJson);
        field.merge = Merge::default();
        if field.presence == Presence::Boxed {
            field.presence = Presence::Optional;
        }
        cut.push((id, field.wire.clone(), location));
    }
    cut
}

/// The field at which the deepest type has as many layers as rustc takes: its type, and its index.
/// None: no type has too many.
fn too_deep(api: &Api) -> Option<(TypeId, usize)> {
    let layers = layers(api);
    let (mut id, _) = deepest(&layers)?;
    let mut left = MOST_LAYERS;
    let mut seen = BTreeSet::new();
    while seen.insert(id) {
        let fields = held(api.get(id)?).enumerate();
        let (index, (inner, around)) =
            fields.max_by_key(|(_, (inner, around))| around + below(*inner, &layers))?;
        // The layers around the inner type, and one for the type itself, must fit.
        left = match left.checked_sub(around + 1) {
            Some(left) => left,
            None => return Some((id.clone(), index)),
        };
        id = inner?;
    }
    None
}

/// The layers of each type.
fn layers(api: &Api) -> BTreeMap<TypeId, usize> {
    let mut layers = BTreeMap::new();
    for (id, _) in api.types() {
        count(api, id, &mut layers);
    }
    layers
}

/// The type with most layers, if they are too many. Of several with as many, the first one.
fn deepest(layers: &BTreeMap<TypeId, usize>) -> Option<(&TypeId, usize)> {
    let deepest = layers.iter().rev().max_by_key(|(_, layers)| **layers);
    deepest.map(|(id, layers)| (id, *layers)).filter(|(_, layers)| *layers > MOST_LAYERS)
}

/// Reports the type that holds most layers, if they are too many.
fn check_layers(api: &Api, errors: &mut Errors) {
    let all = layers(api);
    let Some((id, layers)) = deepest(&all) else { return };
    let Some(def) = api.get(id) else { return };
    let message = format!(
        "`{id}` would have {layers} layers of types in each other; rustc accepts {MOST_LAYERS}"
    );
    errors.push(Error::at(def.location.clone(), message).help(FREE));
}

/// Counts the layers below a type, and below all that it holds. A type that holds itself is counted
/// once. It uses a stack of its own, since a document may be too deep for the stack of the process.
fn count(api: &Api, root: TypeId, layers: &mut BTreeMap<TypeId, usize>) {
    let mut open = vec![(root, false)];
    while let Some((id, entered)) = open.pop() {
        let held: Vec<_> = api.get(&id).into_iter().flat_map(held).collect();
        if entered {
            let all = held.iter().map(|(inner, around)| around + below(*inner, layers));
            let most = all.max().unwrap_or_default();
            layers.insert(id, most);
        } else if !layers.contains_key(&id) {
            // Not counted yet, for types below that hold it.
            layers.insert(id.clone(), 0);
            open.push((id, true));
            let inner = held
                .into_iter()
                .filter_map(|(inner, _)| inner)
                .filter(|inner| !layers.contains_key(*inner));
            open.extend(inner.map(|inner| (inner.clone(), false)));
        }
    }
}

/// The layers below the type of a field, as far as they are counted.
fn below(inner: Option<&TypeId>, layers: &BTreeMap<TypeId, usize>) -> usize {
    inner.and_then(|inner| layers.get(inner)).copied().unwrap_or_default()
}

/// The types of the fields, with a name or without, and the layers around each.
fn held(def: &TypeDef) -> impl Iterator<Item = (Option<&TypeId>, usize)> {
    def.fields().iter().map(|field| {
        let (inner, wrapped) = weight(&field.ty);
        let around = match field.presence {
            Presence::Required => 0,
            Presence::Optional => 1,
            Presence::Boxed => 2,
        };
        // A struct right in another one is a layer too.
        (inner, (around + wrapped).max(usize::from(inner.is_some())))
    })
}

/// The named type in a type, if there is one, and the layers around it: a list is one, a map two,
/// an option one.
fn weight(ty: &Type) -> (Option<&TypeId>, usize) {
    let (inner, own) = match ty {
        Type::List(inner) | Type::Nullable(inner) => (weight(inner), 1),
        Type::Map(inner) => (weight(inner), 2),
        Type::Named(id) => return (Some(id), 0),
        _ => return (None, 0),
    };
    (inner.0, inner.1 + own)
}
