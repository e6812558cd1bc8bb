//! Resources and their operations.

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
    /// Its Cargo feature, if that is not the one of its module.
    pub feature: Option<String>,
    /// The warning of servers about its version, if a definition has one.
    pub warning: Option<String>,
    /// Its operations, in the order of the document.
    pub operations: Vec<Operation>,
}

/// An operation on a resource.
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
    /// Its description.
    pub description: Option<String>,
    /// Its verb.
    pub verb: Verb,
    /// The subresource, such as `status`.
    pub subresource: Option<String>,
    /// The path below the subresource, such as `{path}` of `proxy/{path}`.
    pub below: Option<String>,
    /// The namespaces that its path covers.
    pub scope: Scope,
    /// Whether the document advises against it.
    pub deprecated: bool,
    /// The kind that it works on, by the document.
    pub kind: Option<GroupVersionKind>,
    /// Parameters in the path, in its order.
    pub path_params: Vec<Param>,
    /// Parameters in the query, by name.
    pub query_params: Vec<Param>,
    /// The request body.
    pub body: Option<Body>,
    /// The successful responses, by status code.
    pub responses: BTreeMap<u16, Response>,
    /// The location of the operation in its document.
    pub location: Location,
}

impl Operation {
    /// The verbs that RBAC rules must allow, as servers check them. `*` where no other verb allows
    /// it.
    ///
    /// The runtime has the same table in its `Verb`, so that generated code does not repeat it. It
    /// cannot be used here: parts of the runtime are generated before it compiles.
    /// `requests::endpoints` in the tests compares the two.
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
            // WebSockets begin with GET but do more than read: servers of 1.36 require `create`,
            // too.
            "GET" if self.pod_stream().is_some() => &["get", "create"],
            "GET" | "HEAD" => &["get"],
            "POST" => &["create"],
            "PUT" => &["update"],
            "PATCH" => &["patch"],
            "DELETE" => &["delete"],
            // Servers have no verb for other methods, and only `*` allows a request without one.
            _ => &["*"],
        }
    }

    /// Whether a proxy passes on a request body, which documents do not describe.
    #[must_use]
    pub fn passes_body_on(&self) -> bool {
        self.verb == Verb::Connect
            && self.subresource.as_deref() == Some("proxy")
            && ["POST", "PUT", "PATCH"].contains(&self.method.as_str())
    }

    /// The subprotocols that it speaks, as the runtime names them, if it opens a stream of a pod.
    /// Streams of other resources have subprotocols of their own.
    #[must_use]
    pub fn pod_stream(&self) -> Option<&'static str> {
        match self.path.strip_prefix("/api/v1/namespaces/{namespace}/pods/{name}/")? {
            "attach" => Some("Attach"),
            "exec" => Some("Exec"),
            "portforward" => Some("PortForward"),
            _ => None,
        }
    }

    /// Calls `f` with every named type of the request body and the responses.
    pub fn each_named<'a>(&'a self, f: &mut dyn FnMut(&'a TypeId)) {
        let responses = self.responses.values().filter_map(|response| response.ty.as_ref());
        for ty in self.body.iter().map(|body| &body.ty).chain(responses) {
            ty.each_named(f);
        }
    }
}

/// The verb of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    /// Reads one object.
    Get,
    /// Reads many objects.
    List,
    /// Watches objects, on a path of its own (deprecated) rather than by a parameter of the list.
    Watch,
    /// Creates an object.
    Create,
    /// Replaces an object.
    Replace,
    /// Changes parts of an object.
    Patch,
    /// Deletes one object.
    Delete,
    /// Deletes many objects.
    DeleteCollection,
    /// Opens a connection.
    Connect,
}

/// The namespaces that the path of an operation covers.
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
    /// Its description.
    pub description: Option<String>,
    /// The type of its value.
    pub ty: Type,
    /// Whether it is required.
    pub required: bool,
    /// Whether servers require it although the held interface of the crate does not.
    pub demanded: bool,
}

/// A request body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// Its type.
    pub ty: Type,
    /// Whether it is required.
    pub required: bool,
    /// Media types, in the order of the document.
    pub media_types: Vec<String>,
    /// Whether this is a patch, which has its own type.
    pub patch: bool,
}

/// A response with one status code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The type of its body, if it has a schema.
    pub ty: Option<Type>,
    /// Media types, in the order of the document.
    pub media_types: Vec<String>,
}
