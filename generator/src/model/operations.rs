//! What can be done with resources.

use super::{GroupVersion, GroupVersionKind, Type, TypeId};
use crate::error::Location;
use std::collections::BTreeMap;

/// A resource of an API.
#[derive(Clone, Debug, PartialEq)]
pub struct Resource {
    /// Plural name in paths.
    pub plural: String,
    /// The kind of its objects.
    pub kind: Option<String>,
    /// Whether its objects live in namespaces.
    pub namespaced: bool,
    /// What can be done with it, in the order of the document.
    pub operations: Vec<Operation>,
}

/// One thing that can be done with a resource.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// `operationId`, or one made from method and path.
    pub id: String,
    /// HTTP method, in capitals.
    pub method: String,
    /// Path template.
    pub path: String,
    /// The group and version in its path.
    pub group_version: GroupVersion,
    /// What it does.
    pub description: Option<String>,
    /// What it does, in the words of RBAC.
    pub verb: Verb,
    /// The subresource, such as `status`.
    pub subresource: Option<String>,
    /// The path below the subresource, such as `{path}` of `proxy/{path}`.
    pub below: Option<String>,
    /// What its path covers.
    pub scope: Scope,
    /// Whether the document advises against it.
    pub deprecated: bool,
    /// The kind it works on, as the document says.
    pub kind: Option<GroupVersionKind>,
    /// Parameters in the path, in its order.
    pub path_params: Vec<Param>,
    /// Parameters in the query, by name.
    pub query_params: Vec<Param>,
    /// What is sent.
    pub body: Option<Body>,
    /// What comes back, by status.
    pub responses: BTreeMap<u16, Response>,
    /// Where it is.
    pub location: Location,
}

impl Operation {
    /// The verbs that RBAC rules must allow, as servers check them. `*` where no other verb allows it.
    #[must_use]
    pub fn rbac_verbs(&self) -> &'static [&'static str] {
        match self.verb {
            Verb::Get => &["get"],
            Verb::List => &["list"],
            Verb::Watch => &["watch"],
            Verb::Create => &["create"],
            Verb::Replace => &["update"],
            Verb::Patch => &["patch"],
            Verb::Delete => &["delete"],
            Verb::DeleteCollection => &["deletecollection"],
            Verb::Connect => self.connect_verbs(),
        }
    }

    /// A connection needs the verb of its method.
    fn connect_verbs(&self) -> &'static [&'static str] {
        match self.method.as_str() {
            // Web sockets begin with GET, but what they do is no reading: servers of 1.36 ask for `create`, too.
            "GET" if self.opens_stream_of_pod() => &["get", "create"],
            "GET" | "HEAD" => &["get"],
            "POST" => &["create"],
            "PUT" => &["update"],
            "PATCH" => &["patch"],
            "DELETE" => &["delete"],
            // Servers have no verb for other methods, and only `*` allows what has none.
            _ => &["*"],
        }
    }

    /// Whether a proxy passes on a request body, of which documents do not speak.
    #[must_use]
    pub fn passes_body_on(&self) -> bool {
        self.verb == Verb::Connect
            && self.subresource.as_deref() == Some("proxy")
            && ["POST", "PUT", "PATCH"].contains(&self.method.as_str())
    }

    fn opens_stream_of_pod(&self) -> bool {
        let subresource = self.subresource.as_deref().unwrap_or_default();
        self.path.starts_with("/api/v1/namespaces/{namespace}/pods/{name}/")
            && ["exec", "attach", "portforward"].contains(&subresource)
    }
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    /// Reads one object.
    Get,
    /// Reads many objects.
    List,
    /// Follows changes, on a path of its own (deprecated) rather than by a parameter of the list.
    Watch,
    /// Makes an object.
    Create,
    /// Puts an object in place of another.
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

/// What the path of an operation covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Objects that live in no namespace.
    Cluster,
    /// One namespace.
    Namespace,
    /// All namespaces.
    AllNamespaces,
}

/// A parameter of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name in the path template or the query.
    pub wire: String,
    /// What it means.
    pub description: Option<String>,
    /// What it holds.
    pub ty: Type,
    /// Whether it must be given.
    pub required: bool,
}

/// What an operation sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// What it holds.
    pub ty: Type,
    /// Whether it must be given.
    pub required: bool,
    /// Media types, in the order of the document.
    pub media_types: Vec<String>,
    /// Whether this is a patch, which has its own type.
    pub patch: bool,
}

/// What an operation answers with one status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// What the body holds, if the document says so.
    pub ty: Option<Type>,
    /// Media types, in the order of the document.
    pub media_types: Vec<String>,
}

impl Operation {
    /// Calls `f` with every named type that is sent or comes back.
    pub fn each_named<'a>(&'a self, f: &mut dyn FnMut(&'a TypeId)) {
        let responses = self.responses.values().filter_map(|response| response.ty.as_ref());
        for ty in self.body.iter().map(|body| &body.ty).chain(responses) {
            ty.each_named(f);
        }
    }
}
