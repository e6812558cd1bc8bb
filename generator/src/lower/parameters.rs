//! Parameters of operations.

use super::context::{Origin, Reported, Result, Usage};
use super::operations::{FoundOperation, Operations};
use crate::error::Location;
use crate::hold::{DEMANDED_EXTENSION, LEFT_OUT_EXTENSION};
use crate::model::{Param, Type};
use crate::openapi::resolve::{Resolved, Unresolved};
use openapiv3::{Parameter, ParameterData, ParameterSchemaOrContent};
use std::collections::{BTreeMap, BTreeSet};

/// An extension of a shared parameter: the standard structs that have it although no operation
/// takes it. `spec/` has the operations of one release, and the structs are for newer ones, too.
const STANDARD_EXTENSION: &str = "x-kapigen-standard";

/// The parameters that an operation or its path declares.
#[derive(Default)]
struct Declared {
    path: BTreeMap<String, (Param, Location)>,
    query: BTreeMap<String, Param>,
    /// Whether one has an error, so that one that seems to be missing may be that.
    broken: bool,
}

impl Operations<'_, '_> {
    /// The path parameters, in the order of the path, and the query parameters, by name.
    pub(super) fn params(
        &mut self,
        found: &FoundOperation<'_>,
        origin: &Origin,
    ) -> (Vec<Param>, Vec<Param>) {
        let shared = format!("{}/parameters", found.path_pointer());
        let own = found.pointer("/parameters");
        let mut declared = Declared::default();
        // The operation's parameters replace the path's.
        for (pointer, list) in
            [(shared, &found.item.parameters), (own, &found.operation.parameters)]
        {
            let mut names = BTreeSet::new();
            for (index, item) in list.iter().enumerate() {
                let pointer = format!("{pointer}/{index}");
                let documents = self.types.context.documents;
                let at = documents.location_in(found.document, &pointer);
                let resolved =
                    documents.parameter(Unresolved { document: found.document, pointer, item });
                let Ok(parameter) = self.types.context.resolved(resolved, at.clone(), origin)
                else {
                    declared.broken = true;
                    continue;
                };
                self.check_unique(parameter.item, &mut names, at, origin);
                declared.broken |= self.declare(&parameter, &mut declared, origin).is_err();
            }
        }
        let path = self.path_params(found, &mut declared, origin);
        (path, declared.query.into_values().collect())
    }

    /// The parameters that standard structs have although no operation takes them, by the name of
    /// the struct.
    pub(super) fn standard_params(&mut self) -> BTreeMap<String, Vec<Param>> {
        let documents = self.types.context.documents;
        let mut standard = BTreeMap::<_, Vec<_>>::new();
        for (document, pointer, item) in documents.shared_parameters() {
            let data = item.parameter_data_ref();
            let structs =
                data.extensions.get(STANDARD_EXTENSION).and_then(|structs| structs.as_array());
            let Some(structs) = structs else { continue };
            let origin = Origin::Named(data.name.clone());
            let at = documents.location_in(document, &pointer);
            let Ok(param) =
                self.lower_param(&Resolved { document, pointer, item }, data, &at, &origin)
            else {
                continue;
            };
            for name in structs.iter().filter_map(|name| name.as_str()) {
                standard.entry(name.to_owned()).or_default().push(param.clone());
            }
        }
        standard
    }

    /// Reports a parameter that the same list has already.
    fn check_unique<'p>(
        &mut self,
        parameter: &'p Parameter,
        names: &mut BTreeSet<(bool, &'p str)>,
        at: Location,
        origin: &Origin,
    ) {
        let name = parameter.parameter_data_ref().name.as_str();
        // The others are refused, which is enough.
        let is_known = matches!(parameter, Parameter::Path { .. } | Parameter::Query { .. });
        if is_known && !names.insert((matches!(parameter, Parameter::Path { .. }), name)) {
            let message = format!("duplicate parameter `{name}`");
            self.types.context.fail_at(at, message, "remove one of the two", origin);
        }
    }

    fn declare(
        &mut self,
        parameter: &Resolved<'_, Parameter>,
        declared: &mut Declared,
        origin: &Origin,
    ) -> Result<()> {
        let at = self.types.context.documents.location_in(parameter.document, &parameter.pointer);
        match parameter.item {
            Parameter::Path { parameter_data: data, .. } => {
                let param = self.lower_param(parameter, data, &at, origin)?;
                declared.path.insert(data.name.clone(), (param, at));
            }
            Parameter::Query { parameter_data: data, .. }
                if data.extensions.contains_key(LEFT_OUT_EXTENSION) =>
            {
                declared.query.remove(&data.name);
            }
            Parameter::Query { parameter_data: data, .. } => {
                let param = self.lower_param(parameter, data, &at, origin)?;
                declared.query.insert(data.name.clone(), param);
            }
            Parameter::Header { parameter_data: data, .. } => {
                return Err(self.refuse("header", data, at, origin));
            }
            Parameter::Cookie { parameter_data: data, .. } => {
                return Err(self.refuse("cookie", data, at, origin));
            }
        }
        Ok(())
    }

    fn refuse(
        &mut self,
        kind: &str,
        data: &ParameterData,
        at: Location,
        origin: &Origin,
    ) -> Reported {
        let message = format!("the {kind} parameter `{}` is out of scope", data.name);
        let help = "API servers of the Kubernetes family read parameters from path and query \
                    only; remove it";
        self.types.context.fail_at(at, message, help, origin)
    }

    fn lower_param(
        &mut self,
        parameter: &Resolved<'_, Parameter>,
        data: &ParameterData,
        at: &Location,
        origin: &Origin,
    ) -> Result<Param> {
        let ParameterSchemaOrContent::Schema(schema) = &data.format else {
            let message = format!("the parameter `{}` has `content`", data.name);
            let help = "give it a `schema` instead";
            return Err(self.types.context.fail_at(at.clone(), message, help, origin));
        };
        let ty = self.types.type_at(
            parameter.document,
            &parameter.pointer,
            schema,
            &Usage::in_url(origin),
        )?;
        let fits = match (&ty, parameter.item) {
            (Type::List(inner), Parameter::Query { .. }) => is_scalar(inner),
            (ty, _) => is_scalar(ty),
        };
        if !fits {
            let message = format!("the value of the parameter `{}` does not fit a URL", data.name);
            let help =
                "a query holds strings, numbers, booleans and lists of them, a path no lists";
            return Err(self.types.context.fail_at(at.clone(), message, help, origin));
        }
        Ok(Param {
            wire: data.name.clone(),
            description: data.description.clone(),
            ty,
            required: data.required,
            demanded: data.extensions.contains_key(DEMANDED_EXTENSION),
        })
    }

    /// The parameters that the path template names, in its order. Others that claim to be in it are
    /// errors too.
    fn path_params(
        &mut self,
        found: &FoundOperation<'_>,
        declared: &mut Declared,
        origin: &Origin,
    ) -> Vec<Param> {
        let mut params = Vec::new();
        for name in template_names(found.path) {
            match declared.path.remove(name) {
                Some((param, _)) => params.push(param),
                None if declared.broken => {}
                None => {
                    let at = self.path_location(found);
                    let message = format!(
                        "the path has `{{{name}}}`, but no path parameter `{name}` is declared"
                    );
                    let help = "declare it under `parameters` of the path";
                    self.types.context.fail_at(at, message, help, origin);
                }
            }
        }
        for (name, (_, at)) in &declared.path {
            let message =
                format!("the path parameter `{name}` is not in the path `{}`", found.path);
            let help = "remove it, or put it into the path";
            self.types.context.fail_at(at.clone(), message, help, origin);
        }
        params
    }
}

/// The names between braces, in order.
fn template_names(path: &str) -> impl Iterator<Item = &str> {
    path.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

fn is_scalar(ty: &Type) -> bool {
    matches!(ty, Type::Bool | Type::Int32 | Type::Int64 | Type::Double | Type::String)
}
