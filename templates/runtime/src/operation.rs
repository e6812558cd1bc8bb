//! Operations of an API, as data.

pub use crate::codec::query::{ExtraParameter, ParameterType};
use std::fmt;
#[cfg(feature = "dynamic")]
use std::sync::Arc;

/// One operation of an API: a method on a path.
///
/// A generated crate lists its operations in `OPERATIONS`; each has a function of its own that
/// builds its [`Request`](crate::Request). A request has an `Operation<&str>`: the names of a
/// resource may be known at run time only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Operation<S = &'static str> {
    /// `operationId` of the document; the verb alone for a resource that is known at run time only.
    pub id: &'static str,
    /// HTTP method.
    pub method: &'static str,
    /// Path, with parameters between braces.
    pub path: &'static str,
    /// Group of the path, empty for core.
    pub group: S,
    /// Version of the path.
    pub version: S,
    /// Kind of the objects, as the document states it. Empty where it states none.
    pub kind: S,
    /// Plural name of the resource.
    pub resource: S,
    /// Subresource, such as `status`, as RBAC names it: `proxy` for `proxy/{path}`.
    pub subresource: Option<S>,
    /// The verb, such as `get` or `list`.
    pub verb: Verb,
    /// Verbs that RBAC rules must all allow, as API servers check them; usually one. A list with
    /// `watch=true` needs `watch` in its place.
    pub rbac_verbs: &'static [&'static str],
    /// Whether the document advises against it.
    pub deprecated: bool,
    /// Media types of the request body. Empty where there is none.
    pub media_types: &'static [&'static str],
    /// Names of the query parameters.
    pub parameters: &'static [&'static str],
    /// The parameters for which the parameter struct has no field.
    pub extra_parameters: &'static [ExtraParameter],
    /// Names of query parameters that servers require and the parameter struct does not: they were
    /// optional when the interface of the crate was made. Without them no request is built.
    pub required_parameters: &'static [&'static str],
}

/// The verb of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// Reads one object.
    Get,
    /// Reads many objects.
    List,
    /// Follows changes.
    Watch,
    /// Makes an object.
    Create,
    /// Replaces an object.
    Replace,
    /// Changes parts of an object.
    Patch,
    /// Removes one object.
    Delete,
    /// Removes many objects.
    DeleteCollection,
    /// Opens a connection.
    Connect,
}

impl Verb {
    /// The name, as RBAC spells it where it has such a verb. Rules for connections have the verb of
    /// the HTTP method, see [`Operation::rbac_verbs`].
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Verb::Get => "get",
            Verb::List => "list",
            Verb::Watch => "watch",
            Verb::Create => "create",
            Verb::Replace => "update",
            Verb::Patch => "patch",
            Verb::Delete => "delete",
            Verb::DeleteCollection => "deletecollection",
            Verb::Connect => "connect",
        }
    }

    /// The verbs that RBAC rules must allow, unless the operation has others.
    ///
    /// kapigen has the same table, for documentation: it compiles without the runtime, of which it
    /// generates parts. Its tests compare the two.
    const fn rbac_verbs(self) -> &'static [&'static str] {
        match self {
            Verb::Get => &["get"],
            Verb::List => &["list"],
            Verb::Watch => &["watch"],
            Verb::Create => &["create"],
            Verb::Replace => &["update"],
            Verb::Patch => &["patch"],
            Verb::Delete => &["delete"],
            Verb::DeleteCollection => &["deletecollection"],
            Verb::Connect => &[],
        }
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The operation of a request and of its copies.
#[derive(Clone, Debug)]
pub(crate) enum SharedOperation {
    /// A constant.
    Constant(&'static Operation),
    /// A constant without names, and the names.
    #[cfg(feature = "dynamic")]
    Named(&'static Operation, Arc<ResourceNames>),
}

/// The names of a resource that is known at run time only.
#[cfg(feature = "dynamic")]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ResourceNames {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) plural: String,
    pub(crate) subresource: Option<String>,
}

impl SharedOperation {
    /// All of it but the names of the resource.
    pub(crate) fn constant(&self) -> &'static Operation {
        match self {
            Self::Constant(operation) => operation,
            #[cfg(feature = "dynamic")]
            Self::Named(operation, _) => operation,
        }
    }

    /// The operation with the names of the resource.
    pub(crate) fn named(&self) -> Operation<&str> {
        match self {
            Self::Constant(operation) => **operation,
            #[cfg(feature = "dynamic")]
            Self::Named(operation, names) => {
                let ResourceNames { group, version, kind, plural, subresource } = &**names;
                Operation {
                    group,
                    version,
                    kind,
                    resource: plural,
                    subresource: subresource.as_deref(),
                    ..**operation
                }
            }
        }
    }
}

/// Constructors for generated code: a new field breaks none of it.
#[doc(hidden)]
impl Operation {
    #[must_use]
    pub const fn new(
        verb: Verb,
        id: &'static str,
        method: &'static str,
        path: &'static str,
    ) -> Self {
        Self {
            id,
            method,
            path,
            group: "",
            version: "",
            kind: "",
            resource: "",
            subresource: None,
            verb,
            rbac_verbs: verb.rbac_verbs(),
            deprecated: false,
            media_types: &[],
            parameters: &[],
            extra_parameters: &[],
            required_parameters: &[],
        }
    }

    /// Another operation that differs from this one in these four, and in the RBAC verbs, which
    /// follow from the verb.
    #[must_use]
    pub const fn sibling(
        self,
        verb: Verb,
        id: &'static str,
        method: &'static str,
        path: &'static str,
    ) -> Self {
        Self { verb, id, method, path, rbac_verbs: verb.rbac_verbs(), ..self }
    }

    #[must_use]
    pub const fn resource(
        self,
        group: &'static str,
        version: &'static str,
        resource: &'static str,
    ) -> Self {
        Self { group, version, resource, ..self }
    }

    #[must_use]
    pub const fn subresource(self, name: &'static str) -> Self {
        Self { subresource: Some(name), ..self }
    }

    #[must_use]
    pub const fn rbac_verbs(self, rbac_verbs: &'static [&'static str]) -> Self {
        Self { rbac_verbs, ..self }
    }

    #[must_use]
    pub const fn kind(self, kind: &'static str) -> Self {
        Self { kind, ..self }
    }

    #[must_use]
    pub const fn parameters(self, parameters: &'static [&'static str]) -> Self {
        Self { parameters, ..self }
    }

    #[must_use]
    pub const fn extra_parameters(self, extra_parameters: &'static [ExtraParameter]) -> Self {
        Self { extra_parameters, ..self }
    }

    #[must_use]
    pub const fn required_parameters(self, required_parameters: &'static [&'static str]) -> Self {
        Self { required_parameters, ..self }
    }

    #[must_use]
    pub const fn media_types(self, media_types: &'static [&'static str]) -> Self {
        Self { media_types, ..self }
    }

    #[must_use]
    pub const fn deprecated(self) -> Self {
        Self { deprecated: true, ..self }
    }
}
