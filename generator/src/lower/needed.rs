//! What the hand-written part of every crate uses of the shared types.

use super::origin::{Origin, Use};
use super::types::Types;
use crate::error::{Error, Errors};
use crate::library::Library;
use crate::model::{Api, Field, Presence, Shape, Type, TypeDef};
use crate::wellknown::{Form, META, NEEDED, NEEDED_SCHEMAS, Needed, meta_schema};

/// Asks for these types.
pub(super) fn lower(types: &mut Types<'_>) {
    let origin = Origin::Named("every crate".to_owned());
    for name in NEEDED_SCHEMAS {
        if let Some(id) = types.library.named(&meta_schema(name)) {
            types.of(&id, &Use::new(None, &origin));
        }
    }
}

/// Reports what they lack. Without this, a crate would be made that does not compile.
pub(super) fn check(library: &Library, api: &Api, errors: &mut Errors) {
    for needed in NEEDED {
        let def = api.modules.get(META).and_then(|module| module.types.get(needed.schema));
        let schema = || library.named(&meta_schema(needed.schema)).map(|id| library.location(&id));
        // Where there is no such schema at all, that is said of whatever refers to it.
        let Some(location) = def.map(|def| def.location.clone()).or_else(schema) else { continue };
        if !def.is_some_and(|def| fields(def).iter().any(|field| is(field, &needed))) {
            let message =
                format!("`{}` must have a member `{}` that is {}", needed.schema, needed.member, says(needed.form));
            let error = Error::at(location, message)
                .needed_by(format!("{}, in every crate", needed.used_for))
                .help("every API server has it: correct the schema, or leave it away and that of kapigen is used");
            errors.push(error);
        }
    }
}

fn fields(def: &TypeDef) -> &[Field] {
    match &def.shape {
        Shape::Struct(fields) => fields,
        Shape::Enum(_) => &[],
    }
}

fn is(field: &Field, needed: &Needed) -> bool {
    let ty = match needed.form {
        Form::Text => field.ty == Type::String,
        Form::Texts => field.ty == Type::Map(Box::new(Type::String)),
        Form::Integer => matches!(field.ty, Type::Int32 | Type::Int64),
        Form::Struct(name) => matches!(&field.ty, Type::Named(id) if id.module == META && id.name == name),
    };
    let is_plain = field.presence == Presence::Required;
    field.wire == needed.member && ty && is_plain == (needed.member == "metadata")
}

fn says(form: Form) -> String {
    match form {
        Form::Text => "an optional string".to_owned(),
        Form::Texts => "an optional map of strings".to_owned(),
        Form::Integer => "an optional integer".to_owned(),
        // Of kinds only it is always there.
        Form::Struct("ListMeta") => {
            "a reference to `ListMeta`, and be a kind (`x-kubernetes-group-version-kind`)".to_owned()
        }
        Form::Struct(name) => format!("an optional reference to `{name}`"),
    }
}
