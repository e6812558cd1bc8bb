//! One view of a schema, whichever of its two forms `openapiv3` chose for it.

use crate::model::{self, wellknown};
use indexmap::IndexMap;
use openapiv3::{AdditionalProperties, AnySchema, ReferenceOr, Schema, SchemaKind, Type, VariantOrUnknownOrEmpty};
use serde_json::Value;

/// What a schema says about the shape of a value.
#[derive(Debug, Default)]
pub(super) struct Facets<'a> {
    pub(super) typ: Option<&'a str>,
    pub(super) format: Option<String>,
    pub(super) properties: Option<&'a IndexMap<String, ReferenceOr<Box<Schema>>>>,
    pub(super) required: &'a [String],
    pub(super) additional: Option<&'a AdditionalProperties>,
    pub(super) items: Option<&'a ReferenceOr<Box<Schema>>>,
    pub(super) values: Vec<Option<String>>,
    pub(super) all_of: &'a [ReferenceOr<Schema>],
    pub(super) one_of: &'a [ReferenceOr<Schema>],
    pub(super) any_of: &'a [ReferenceOr<Schema>],
}

impl<'a> Facets<'a> {
    pub(super) fn of(schema: &'a Schema) -> Self {
        match &schema.schema_kind {
            SchemaKind::Type(typ) => Self::of_type(typ),
            SchemaKind::OneOf { one_of } => Self { one_of, ..Self::default() },
            SchemaKind::AllOf { all_of } => Self { all_of, ..Self::default() },
            SchemaKind::AnyOf { any_of } => Self { any_of, ..Self::default() },
            // A value that must not look like something: that only constrains.
            SchemaKind::Not { .. } => Self::default(),
            SchemaKind::Any(any) => Self::of_any(any),
        }
    }

    /// Whether the value is one of some known texts.
    pub(super) fn is_enum(&self) -> bool {
        self.typ == Some("string") && self.values.iter().any(Option::is_some)
    }

    fn of_type(typ: &'a Type) -> Self {
        match typ {
            Type::String(string) => Self {
                typ: Some("string"),
                format: format_name(&string.format),
                values: string.enumeration.clone(),
                ..Self::default()
            },
            Type::Number(number) => {
                Self { typ: Some("number"), format: format_name(&number.format), ..Self::default() }
            }
            Type::Integer(integer) => {
                Self { typ: Some("integer"), format: format_name(&integer.format), ..Self::default() }
            }
            Type::Boolean(_) => Self { typ: Some("boolean"), ..Self::default() },
            Type::Array(array) => Self { typ: Some("array"), items: array.items.as_ref(), ..Self::default() },
            Type::Object(object) => Self {
                typ: Some("object"),
                properties: Some(&object.properties).filter(|properties| !properties.is_empty()),
                required: &object.required,
                additional: object.additional_properties.as_ref(),
                ..Self::default()
            },
        }
    }

    fn of_any(any: &'a AnySchema) -> Self {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        // Where every value is a text, that is the type, said or not.
        let texts = !any.enumeration.is_empty() && any.enumeration.iter().all(Value::is_string);
        Self {
            typ: any.typ.as_deref().or(texts.then_some("string")),
            format: any.format.clone(),
            properties: Some(&any.properties).filter(|properties| !properties.is_empty()),
            required: &any.required,
            additional: any.additional_properties.as_ref(),
            items: any.items.as_ref(),
            values: any.enumeration.iter().map(text).collect(),
            all_of: &any.all_of,
            one_of: &any.one_of,
            any_of: &any.any_of,
        }
    }
}

/// The types that only Kubernetes has, by its keywords.
pub(super) fn kubernetes_type(facets: &Facets<'_>, extensions: &IndexMap<String, Value>) -> Option<model::Type> {
    let says = |key: &str| extensions.get(key).is_some_and(|value| value == &Value::Bool(true));
    if says("x-kubernetes-int-or-string") || facets.format.as_deref() == Some("int-or-string") {
        return Some(model::Type::WellKnown(wellknown::INT_OR_STRING));
    }
    let (object, any) = (says("x-kubernetes-embedded-resource"), says("x-kubernetes-preserve-unknown-fields"));
    // A kind without members is one whose definition says nothing of them; its objects have some.
    let kind = extensions.contains_key("x-kubernetes-group-version-kind");
    // With members beside those that it names, only free JSON loses none of them.
    let open = any || ((object || kind) && facets.properties.is_none());
    (open && matches!(facets.typ, None | Some("object"))).then_some(model::Type::WellKnown(wellknown::ANY))
}

/// Whether any value fits a schema, as far as shapes go: what is left of it only constrains.
pub(super) fn says_nothing(schema: &Schema) -> bool {
    let facets = Facets::of(schema);
    let parts = facets.properties.is_some() || facets.additional.is_some() || facets.items.is_some();
    let branches = [facets.all_of, facets.one_of, facets.any_of].iter().any(|branches| !branches.is_empty());
    let typed = facets.typ.is_some() || kubernetes_type(&facets, &schema.schema_data.extensions).is_some();
    !typed && !parts && !branches
}

/// `openapiv3` keeps formats as enums of its own; what counts is the text.
fn format_name<T: FormatName>(format: &VariantOrUnknownOrEmpty<T>) -> Option<String> {
    match format {
        VariantOrUnknownOrEmpty::Item(item) => Some(item.name().to_owned()),
        VariantOrUnknownOrEmpty::Unknown(text) => Some(text.clone()),
        VariantOrUnknownOrEmpty::Empty => None,
    }
}

trait FormatName {
    fn name(&self) -> &'static str;
}

impl FormatName for openapiv3::StringFormat {
    fn name(&self) -> &'static str {
        match self {
            Self::Date => "date",
            Self::DateTime => "date-time",
            Self::Password => "password",
            Self::Byte => "byte",
            Self::Binary => "binary",
        }
    }
}

impl FormatName for openapiv3::NumberFormat {
    fn name(&self) -> &'static str {
        match self {
            Self::Float => "float",
            Self::Double => "double",
        }
    }
}

impl FormatName for openapiv3::IntegerFormat {
    fn name(&self) -> &'static str {
        match self {
            Self::Int32 => "int32",
            Self::Int64 => "int64",
        }
    }
}
